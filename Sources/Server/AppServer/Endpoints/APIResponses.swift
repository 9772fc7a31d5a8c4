public import ReplicaChanges
import TextFormats

/// The body of a 200 to a token request (RS-01).
public struct TokenResponse: Sendable, Equatable {
    /// The room token.
    public var token: String
    /// The room server's URL.
    public var url: String
    /// How long the token lives.
    public var timeToLive: Duration

    /// Reads a body; `nil` if it is anything else.
    public init?(json body: String) {
        guard let json = try? JSONReader.read(body.utf8),
            let token = json["token"]?.string, !token.isEmpty,
            let url = json["url"]?.string, !url.isEmpty,
            let life = json.timeToLive
        else { return nil }
        self.token = token
        self.url = url
        timeToLive = life
    }
}

/// The body of a 200 to `/auth/passkey-begin`.
public struct ChallengeResponse: Sendable, Equatable {
    /// What the authenticator is to sign.
    public var challenge: String

    /// Reads a body; `nil` if it is anything else.
    public init?(json body: String) {
        guard let json = try? JSONReader.read(body.utf8),
            let challenge = json["challenge"]?.string, !challenge.isEmpty
        else { return nil }
        self.challenge = challenge
    }
}

/// The body of a 200 to `/auth/passkey-complete` and `/auth/apple-signin`.
public struct SessionResponse: Sendable, Equatable {
    /// The session, to be sent as Bearer.
    public var token: String
    /// How long it lives.
    public var timeToLive: Duration

    /// Reads a body; `nil` if it is anything else.
    public init?(json body: String) {
        guard let json = try? JSONReader.read(body.utf8),
            let token = json["token"]?.string, !token.isEmpty,
            let life = json.timeToLive
        else { return nil }
        self.token = token
        timeToLive = life
    }
}

/// The body of a refusal.
public struct FaultResponse: Sendable, Equatable {
    /// What is wrong, as a word that programs read.
    public var error: String

    /// Reads a body; `nil` if it is anything else.
    public init?(json body: String) {
        guard let json = try? JSONReader.read(body.utf8), let error = json["error"]?.string else {
            return nil
        }
        self.error = error
    }

    /// Whether the device that asked belongs to another user.
    public var isForeignDevice: Bool { error == "foreign_device" }
}

/// The body of a 422 to an exchange: changes that are refused for ever.
public struct ChangesRefusedResponse: Sendable, Equatable {
    /// Which changes, and why; at least one.
    public var refusals: [ChangeRefusal]

    /// Reads a body; `nil` if it is anything else.
    public init?(json body: String) {
        guard let json = try? JSONReader.read(body.utf8),
            json["error"]?.string == "changes_refused", case .array(let items)? = json["changes"]
        else { return nil }
        refusals = items.compactMap { item in
            guard let sequence = item["sequence"]?.integer, let reason = item["reason"]?.string
            else { return nil }
            return ChangeRefusal(sequence: sequence, reason: reason)
        }
        guard !refusals.isEmpty, refusals.count == items.count else { return nil }
    }
}

extension JSON {
    /// The member `ttl`, in whole seconds, more than none and up to ten years.
    fileprivate var timeToLive: Duration? {
        guard let seconds = self["ttl"]?.integer, (1...315_360_000).contains(seconds) else {
            return nil
        }
        return .seconds(seconds)
    }
}
