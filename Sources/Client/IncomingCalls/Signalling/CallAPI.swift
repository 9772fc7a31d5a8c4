public import SansIO
import TextFormats

/// The app's credentials for its own server.
public struct CallCredentials: Sendable, Equatable {
    /// The login's session token (RS-12).
    public var bearer: String
    /// The device's identity (RS-03).
    public var deviceID: String

    /// Makes credentials.
    public init(bearer: String, deviceID: String) {
        self.bearer = bearer
        self.deviceID = deviceID
    }

    /// The user, if the session token says who they are.
    ///
    /// That tells users of one phone from each other, and proves nothing.
    var user: String? { TokenSubject.of(bearer) }

    /// Whether they are not this user's, to the byte; if one of both is unknown, they may be.
    func areAnothers(than other: String?) -> Bool {
        guard let user, let other else { return false }
        return !user.utf8.elementsEqual(other.utf8)
    }
}

/// A request of the call machines to the app's own server, sent with the credentials.
public enum CallRequest: Sendable, Equatable {
    /// `PUT /api/me/devices` (VP-03).
    case registerDevice(DeviceRegistration)
    /// `DELETE /api/me/devices`: the user is not called on this device any more.
    case unregisterDevice
    /// `DELETE /api/me/devices?voipDeviceToken=…`: pushes to this token reach no device any more.
    case withdrawToken(DeviceToken)
    /// `POST /api/calls`: places a call; the server pushes to the callee's devices (VP-08, VP-09).
    case place(OutgoingCall)
    /// `GET /api/calls/ID`: how a call stands.
    case status(callId: String)
    /// `GET /api/calls/ID/offer`: what the caller offers.
    case offer(callId: String)
    /// `POST /api/calls/ID/answer`: this device answers.
    case answer(callId: String)
    /// `POST /api/calls/ID/end`: this side ends it; the reason is what it was to this side.
    case end(callId: String, reason: CallEndReason)
    /// `GET /api/missed-calls?after=N`: what the user missed since.
    case missed(after: Int64)
}

/// How the app's own server answered.
public enum CallAnswer: Sendable, Equatable {
    /// 200 to a registration, its withdrawal or its token's, or an end.
    case accepted
    /// 200 to a placed call: the room to meet in.
    case placed(room: String)
    /// 200 to a status.
    case status(CallStatus)
    /// 200 to an offer.
    case offer(CallOffer)
    /// 200 to an answer: the room to meet in.
    case answered(room: String)
    /// 409: the call is over, for this reason as this side sees it.
    case ended(CallEndReason)
    /// 200 to a request for missed calls, oldest first.
    case missed([MissedCall])
    /// 403 to a registration: the device's identity is another user's.
    case foreignDevice
    /// 429 or 503: the next request is taken after this time (`Retry-After`).
    case busy(RetryAfter)
    /// Any other status.
    case refused(statusCode: Int)
    /// 200 with a body that is not what was asked for.
    case malformed
    /// No answer: no network, a time-out or a broken connection.
    case failed
}

extension Backoff {
    /// The wait before the next of the tries that follow when all fast ones have failed.
    ///
    /// 8 s at first, as long as the last of those, 15 min at most; both assumptions.
    mutating func nextSeldom(by generator: inout SeededGenerator) -> Duration {
        next(first: .seconds(8), longest: .seconds(900), growingBy: 8, by: &generator)
    }
}

extension CallAnswer {
    /// How long the server asks to be left alone.
    var wait: Duration {
        if case .busy(let told) = self { told.wait } else { .zero }
    }
}

/// How a call stands, as the device that asks sees it.
public enum CallStatus: Sendable, Equatable {
    /// There is no answer yet; it rings for that much longer, if the server says how long.
    ///
    /// A time that is left, and no time of day: neither side looks at the other's clock.
    case ringing(for: Duration? = nil)
    /// This device, or the callee of this device's call, has answered.
    case answered
    /// It is over; another device's answer or refusal ends it for this one.
    case ended(CallEndReason)
}

/// What a caller offers.
public struct CallOffer: Sendable, Equatable {
    /// The room to meet in.
    public var room: String
    /// Whether there are pictures.
    public var hasVideo: Bool

    /// Makes an offer.
    public init(room: String, hasVideo: Bool) {
        self.room = room
        self.hasVideo = hasVideo
    }
}

/// A call that the user makes.
public struct OutgoingCall: Sendable, Equatable {
    /// The call's identity, made here.
    public var callId: String
    /// The contact that the user calls.
    public var contactId: String
    /// Whether pictures are offered.
    public var hasVideo: Bool

    /// Makes a call.
    public init(callId: String, contactId: String, hasVideo: Bool) {
        self.callId = callId
        self.contactId = contactId
        self.hasVideo = hasVideo
    }
}

/// A call that the user missed, as the server keeps it.
public struct MissedCall: Sendable, Equatable {
    /// Its number, rising over all missed calls of all users.
    public var sequence: Int64
    /// The call's identity.
    public var callId: String
    /// The caller's identity.
    public var fromUserId: String
    /// How they are called.
    public var fromDisplayName: String
    /// When it ended.
    public var endedAt: WallTime
    /// Why.
    public var reason: CallEndReason

    /// Makes a missed call.
    public init(
        sequence: Int64,
        callId: String,
        fromUserId: String,
        fromDisplayName: String,
        endedAt: WallTime,
        reason: CallEndReason
    ) {
        self.sequence = sequence
        self.callId = callId
        self.fromUserId = fromUserId
        self.fromDisplayName = fromDisplayName
        self.endedAt = endedAt
        self.reason = reason
    }
}
