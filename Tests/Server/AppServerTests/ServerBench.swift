import AppServer
import SansIO

/// A server that is set up, and a clock.
struct ServerBench {
    static let key = "APIkodama"
    static let secret = "a secret of at least thirty-two bytes"

    var server: APIServer
    var now = WallTime(nanosecondsSince1970: 1_800_000_000_000_000_000)

    init(_ adjust: (inout APIServerSettings) -> Void = { _ in }) {
        var settings = APIServerSettings()
        settings.liveKitURL = "wss://rooms.example"
        settings.liveKitKey = Self.key
        settings.liveKitSecret = Self.secret
        settings.sessionSecret = "another secret, of thirty-two bytes and more"
        // Most tests ask with the device's identity alone.
        settings.requiresSession = false
        adjust(&settings)
        server = APIServer(settings: settings, verifier: Registrar(), entropy: [1, 2, 3, 4])
    }

    mutating func pass(_ duration: Duration) {
        now.nanosecondsSince1970 += duration.wholeNanoseconds
    }

    mutating func ask(_ request: HTTPRequest) -> HTTPResponse {
        server.respond(to: request, at: now)
    }

    mutating func get(_ target: String, _ headers: HTTPField...) -> HTTPResponse {
        ask(HTTPRequest(method: "GET", target: target, headers: headers))
    }

    /// The session of a user.
    mutating func session(of user: String) -> String {
        SessionResponse(json: ask(.appleSignIn(identityToken: "apple says " + user)).body)?.token
            ?? ""
    }

    /// The claims of the token in an answer, as the room server's own check sees them.
    func claims(in response: HTTPResponse) throws -> AccessToken.Claims? {
        guard let token = TokenResponse(json: response.body)?.token else { return nil }
        return try AccessToken.verify(
            token,
            secrets: { $0 == Self.key ? Self.secret : nil },
            at: now,
            leewaySeconds: 60
        )
    }
}

/// Accepts the users `mika`, `hana`, `jiro` and guests by Apple, `mika` by passkey, and nobody else.
struct Registrar: CredentialVerifying {
    func passkey(assertion: String, at now: WallTime) -> VerifiedPasskey? {
        guard assertion.hasPrefix("mika:") else { return nil }
        return VerifiedPasskey(user: "mika", challenge: String(assertion.dropFirst(5)))
    }

    func appleUser(identityToken: String, at now: WallTime) -> String? {
        let words = "apple says "
        guard identityToken.hasPrefix(words) else { return nil }
        let user = String(identityToken.dropFirst(words.count))
        return ["mika", "hana", "jiro"].contains(user) || user.hasPrefix("guest ") ? user : nil
    }
}
