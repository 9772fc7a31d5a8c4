/// How the apps' own server is set up; names in capitals are those of its environment.
public struct APIServerSettings: Sendable, Equatable {
    /// The room server's URL (`LIVEKIT_URL`).
    public var liveKitURL: String?
    /// The name of the room server's secret (`LIVEKIT_API_KEY`).
    public var liveKitKey: String?
    /// The room server's secret (`LIVEKIT_API_SECRET`), of at least `AccessToken.secretBytesMin` bytes.
    public var liveKitSecret: String?
    /// What sessions are signed with (`SESSION_SECRET`), as long and unlike every other secret.
    public var sessionSecret: String?
    /// Whether a room token needs a session (RS-12); if not, the device's identity is enough.
    public var requiresSession = true
    /// How long a room token lives: 600 s (RS-01).
    public var tokenTimeToLive: Duration = .seconds(600)
    /// How long a session lives: a day; an assumption.
    public var sessionTimeToLive: Duration = .seconds(86_400)
    /// How long a challenge may be answered: 5 minutes, the default that Web Authentication Level 3
    /// recommends for the time-out of a ceremony (w3c/webauthn, pull request 1855).
    public var challengeTimeToLive: Duration = .seconds(300)
    /// How long a token for a database lives: an hour; an assumption.
    public var databaseTokenTimeToLive: Duration = .seconds(3_600)
    /// How long after a change the loss of the machine loses it no more: 10 s, since Bunny's libSQL
    /// hosting uploads what was written every 10 s or 4,096 frames.
    public var durabilityDelay: Duration = .seconds(10)
    /// How many changes a database's log keeps for replicas: 4,096, as many as that hosting has
    /// frames between two uploads; an assumption.
    public var databaseLogChangesMax = 4_096
    /// How much memory the rows of a user's database take at most, in bytes: 64 MiB, some years of a
    /// diary; an assumption.
    public var databaseBytesMax = 67_108_864
    /// How users are called, by their identity; who has no name here is called by it.
    public var displayNames: [String: String] = [:]
    /// The coach's part.
    public var coach = CoachSettings()

    /// A server that lacks everything.
    public init() {}

    /// The room server's settings.
    ///
    /// - Throws: Which ones are missing or empty, or that the secret is too short; no token is ever
    ///   signed with less.
    func liveKit() throws(APIFault) -> (url: String, key: String, secret: String) {
        let named = [
            ("LIVEKIT_URL", liveKitURL), ("LIVEKIT_API_KEY", liveKitKey),
            ("LIVEKIT_API_SECRET", liveKitSecret),
        ]
        let missing = named.filter { ($0.1 ?? "").isEmpty }.map(\.0)
        guard missing.isEmpty, let liveKitURL, let liveKitKey, let liveKitSecret else {
            throw .notConfigured(missing: missing)
        }
        try Self.check(liveKitSecret, named: "LIVEKIT_API_SECRET")
        return (liveKitURL, liveKitKey, liveKitSecret)
    }

    /// What sessions are signed with.
    ///
    /// - Throws: That it is missing, empty or too short.
    func sessionKey() throws(APIFault) -> String {
        guard let sessionSecret, !sessionSecret.isEmpty else {
            throw .notConfigured(missing: ["SESSION_SECRET"])
        }
        try Self.check(sessionSecret, named: "SESSION_SECRET")
        return sessionSecret
    }

    private static func check(_ secret: String, named name: String) throws(APIFault) {
        guard secret.utf8.count >= AccessToken.secretBytesMin else { throw .weakSecret(name) }
    }
}
