public import SansIO
import TextFormats

/// The body of a 200 to a placed or an answered call: the room to meet in.
public struct CallRoomResponse: Sendable, Equatable {
    /// The room.
    public var room: String

    /// Reads a body; `nil` if it is anything else.
    public init?(json body: String) {
        guard let json = try? JSONReader.read(body.utf8), let room = json["room"]?.string,
            !room.isEmpty
        else { return nil }
        self.room = room
    }
}

/// The body of a 200 to a call's offer.
public struct CallOfferResponse: Sendable, Equatable {
    /// The room to meet in.
    public var room: String
    /// Whether the caller offers pictures.
    public var hasVideo: Bool

    /// Reads a body; `nil` if it is anything else.
    public init?(json body: String) {
        guard let json = try? JSONReader.read(body.utf8), let room = json["room"]?.string,
            !room.isEmpty, let hasVideo = json["hasVideo"]?.bool
        else { return nil }
        self.room = room
        self.hasVideo = hasVideo
    }
}

/// The body of a 200 to a call's status.
public struct CallStatusResponse: Sendable, Equatable {
    /// `ringing`, `answered` or `ended`.
    public var state: String
    /// Why it ended, if it did.
    public var reason: String?
    /// How much longer it rings, if it does so for the user who asks.
    public var ringsFor: Duration?

    /// Reads a body; `nil` if it is anything else.
    public init?(json body: String) {
        guard let json = try? JSONReader.read(body.utf8), let state = json["state"]?.string else {
            return nil
        }
        self.state = state
        reason = json["reason"]?.string
        // No call rings for a day.
        guard let left = json["ringsForMilliseconds"]?.integer, (0..<86_400_000).contains(left)
        else { return }
        ringsFor = .milliseconds(left)
    }
}

/// The body of a 409: the call is over.
public struct CallEndedResponse: Sendable, Equatable {
    /// Why.
    public var reason: String

    /// Reads a body; `nil` if it is anything else.
    public init?(json body: String) {
        guard let json = try? JSONReader.read(body.utf8), json["error"]?.string == "ended",
            let reason = json["reason"]?.string
        else { return nil }
        self.reason = reason
    }
}

/// The body of a 200 to a request for missed calls.
public struct MissedCallsResponse: Sendable, Equatable {
    /// One missed call.
    public struct Call: Sendable, Equatable {
        /// Its number, rising over all missed calls.
        public var sequence: Int64
        /// The call's identity.
        public var callID: String
        /// Who called.
        public var fromUserID: String
        /// How they are called.
        public var fromDisplayName: String
        /// When it ended.
        public var endedAt: WallTime
        /// Why.
        public var reason: String
    }

    /// The calls, oldest first.
    public var calls: [Call]

    /// Reads a body; `nil` if it is anything else.
    public init?(json body: String) {
        guard let json = try? JSONReader.read(body.utf8), case .array(let array)? = json["calls"]
        else { return nil }
        calls = []
        for call in array {
            guard let sequence = call["sequence"]?.integer, let callID = call["callId"]?.string,
                let fromUserID = call["fromUserId"]?.string,
                let fromDisplayName = call["fromDisplayName"]?.string,
                let endedAt = call["endedAt"]?.integer, let reason = call["reason"]?.string
            else { return nil }
            let missed = Call(
                sequence: sequence,
                callID: callID,
                fromUserID: fromUserID,
                fromDisplayName: fromDisplayName,
                endedAt: WallTime(secondsSince1970: endedAt),
                reason: reason
            )
            calls.append(missed)
        }
    }
}
