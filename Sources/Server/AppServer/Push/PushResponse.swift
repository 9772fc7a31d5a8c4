public import SansIO
import TextFormats

/// How the push service answered a push.
public struct PushResponse: Sendable, Equatable {
    /// The HTTP status.
    public var statusCode: Int
    /// The reason in the body, if there is one.
    public var reason: String?
    /// With 410: since when the token is known to be dead.
    public var timestamp: WallTime?

    /// Makes an answer.
    public init(statusCode: Int, reason: String? = nil, timestamp: WallTime? = nil) {
        self.statusCode = statusCode
        self.reason = reason
        self.timestamp = timestamp
    }

    /// Reads a status and a body: `{"reason": "Unregistered", "timestamp": 1800000000000}`, the time in
    /// milliseconds since 1970.
    public init(statusCode: Int, body: String) {
        let json = try? JSONReader.read(body.utf8)
        let milliseconds = json?["timestamp"]?.integer
        self.init(
            statusCode: statusCode,
            reason: json?["reason"]?.string,
            timestamp: milliseconds.map {
                WallTime(secondsSince1970: $0 / 1_000).advanced(by: .milliseconds($0 % 1_000))
            }
        )
    }

    /// What a push provider does upon an answer (Apple, "Handling notification responses from APNs").
    enum Reaction: Equatable {
        /// The push service has it; that the device has it, nobody knows.
        case accepted
        /// Sent again after a wait, on the same connection.
        case retry
        /// Sent again after a wait, on another connection.
        case retryElsewhere
        /// The provider token is renewed, if its age allows, and the push sent again.
        case renewToken
        /// The device's token is dead.
        case forgetDevice
        /// Nothing makes it right: the request or its setting is wrong.
        case giveUp
    }

    var reaction: Reaction {
        switch (statusCode, reason) {
        case (200, _): .accepted
        case (400, "IdleTimeout"): .retryElsewhere
        case (403, "ExpiredProviderToken"), (403, "InvalidProviderToken"),
            (403, "MissingProviderToken"):
            .renewToken
        case (410, _): .forgetDevice
        // The connection is of no use for a while; the token is as good as any other
        // (Apple developer forum, thread 675879).
        case (429, "TooManyProviderTokenUpdates"): .retryElsewhere
        case (429, _): .retry
        case (500..., _): .retryElsewhere
        default: .giveUp
        }
    }
}
