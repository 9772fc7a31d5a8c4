public import SansIO

/// What the token service answers (RS-01).
public struct RoomCredentials: Sendable, Equatable {
    /// The access token, a JWT.
    public var token: String
    /// The room server's URL.
    public var url: String
    /// How long the token lives from its issue.
    public var timeToLive: Duration
    /// The room that the token joins, from its claims; named when a lost room is to be joined again
    /// (D-18), `nil` if it cannot be told.
    public var room: String?

    /// Makes credentials.
    public init(token: String, url: String, timeToLive: Duration, room: String? = nil) {
        self.token = token
        self.url = url
        self.timeToLive = timeToLive
        self.room = room
    }
}

/// A request to the app's own server.
public enum APIRequest: Sendable, Equatable {
    /// `GET /api/mobile/rtc/ephemeral-token` (RS-01); `resumeRoom` asks for a token to a room that
    /// exists (D-18), `bearer` is the session token once there is a login (RS-12).
    case ephemeralToken(deviceID: String, bearer: String?, resumeRoom: String?)
    /// `POST /auth/passkey-begin`.
    case passkeyBegin
    /// `POST /auth/passkey-complete` with the authenticator's assertion.
    case passkeyComplete(assertion: String)
    /// `POST /auth/apple-signin` with Apple's identity token.
    case appleSignIn(identityToken: String)
}

/// How the app's own server answered.
public enum APIAnswer: Sendable, Equatable {
    /// 200 with credentials.
    case credentials(RoomCredentials)
    /// 200 with a passkey challenge.
    case challenge(String)
    /// 200 with a session token and how long it lives.
    case session(token: String, timeToLive: Duration)
    /// 403 with `foreign_device`: the device's identity belongs to another user of the phone.
    case foreignDevice
    /// 429 or 503: the next request is taken after this time (`Retry-After`).
    case busy(RetryAfter)
    /// Any other status.
    case refused(statusCode: Int)
    /// 200 with a body that is not what was asked for.
    case malformed
    /// No answer: what the socket said.
    case failed(APIFailure)
}

/// Why a request got no answer.
public enum APIFailure: Int64, Sendable, Hashable, CaseIterable {
    /// There is no network (`NSURLErrorNotConnectedToInternet`, −1009).
    case offline
    /// The request timed out (−1001).
    case timedOut
    /// The connection broke (−1005).
    case connectionLost
}
