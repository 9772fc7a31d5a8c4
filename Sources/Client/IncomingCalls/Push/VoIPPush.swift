public import SansIO

/// A VoIP push that announces a call (VP-01).
///
/// ```json
/// {"aps": {"content-available": 1}, "type": "call.incoming", "callId": "c-1",
///  "fromUserId": "u-7", "fromDisplayName": "花子", "room": "call-x", "hasVideo": false}
/// ```
///
/// Members beside these are passed over, so that a server may add some before all apps know them.
public struct VoIPPush: Sendable, Equatable {
    /// The call's identity.
    public var callId: String
    /// The caller's identity.
    public var fromUserId: String
    /// How the caller is called.
    public var fromDisplayName: String
    /// The room that both sides meet in.
    public var room: String
    /// Whether the caller offers pictures.
    public var hasVideo: Bool
    /// Until when the call rings, if the server says so.
    public var expiresAt: WallTime?

    /// Makes a push.
    public init(
        callId: String,
        fromUserId: String,
        fromDisplayName: String,
        room: String,
        hasVideo: Bool = false,
        expiresAt: WallTime? = nil
    ) {
        self.callId = callId
        self.fromUserId = fromUserId
        self.fromDisplayName = fromDisplayName
        self.room = room
        self.hasVideo = hasVideo
        self.expiresAt = expiresAt
    }

    /// Reads a payload.
    ///
    /// - Parameter payload: What came with the push.
    /// - Throws: The first reason not to take it for a call.
    public init(_ payload: PayloadValue) throws(PayloadRefusal) {
        let fields = try PayloadFields(payload, type: "call.incoming")
        callId = try fields.name(.callId, upTo: 64)
        fromUserId = try fields.text(.fromUserId, upTo: 128)
        fromDisplayName = try fields.text(.fromDisplayName, upTo: 256)
        room = try fields.name(.room, upTo: 128)
        hasVideo = try fields.bool(.hasVideo) ?? false
        expiresAt = try fields.seconds(.expiresAt)
    }
}

/// A message that a call is over, by another way than a VoIP push: background push or socket (D-03).
///
/// It must not come as a VoIP push, since each of those has to be reported as a call (Apple developer
/// forum, thread 764376).
///
/// ```json
/// {"aps": {"content-available": 1}, "type": "call.ended", "callId": "c-1", "reason": "cancelled"}
/// ```
public struct EndSignal: Sendable, Equatable {
    /// The call's identity.
    public var callId: String
    /// Why it ended.
    public var reason: CallEndReason

    /// Makes a signal.
    public init(callId: String, reason: CallEndReason) {
        self.callId = callId
        self.reason = reason
    }

    /// Reads a payload.
    ///
    /// - Parameter payload: What came.
    /// - Throws: The first reason not to take it for such a message.
    public init(_ payload: PayloadValue) throws(PayloadRefusal) {
        let fields = try PayloadFields(payload, type: "call.ended")
        callId = try fields.name(.callId, upTo: 64)
        guard let reason = CallEndReason(rawValue: try fields.name(.reason, upTo: 64)) else {
            throw .wrongValue(.reason)
        }
        self.reason = reason
    }
}
