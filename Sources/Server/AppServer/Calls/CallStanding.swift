public import SansIO

/// How a call stands, for whoever runs the server.
public struct CallStanding: Sendable, Equatable {
    /// Where a call is on its way.
    public enum State: Sendable, Equatable {
        /// Nobody has answered.
        case ringing
        /// A device of the callee's has answered.
        case answered
        /// It is over, for this reason: one of those that apps know by name.
        case ended(reason: String)
    }

    /// The call's identity.
    public var callId: String
    /// The user who calls.
    public var caller: String
    /// How the caller is called.
    public var callerName: String
    /// The user who is called.
    public var callee: String
    /// The room that both sides meet in.
    public var room: String
    /// Whether there are pictures.
    public var hasVideo: Bool
    /// Until when it rings.
    public var expiresAt: WallTime
    /// Where it is on its way.
    public var state: State

    init(_ call: CallRecord) {
        callId = call.callId
        caller = call.caller.text
        callerName = call.callerName
        callee = call.callee.text
        room = call.room
        hasVideo = call.hasVideo
        expiresAt = call.expiresAt
        state =
            switch call.state {
            case .ringing: .ringing
            case .answered: .answered
            case .ended(let end, _): .ended(reason: end.rawValue)
            }
    }
}

extension APIServer {
    /// The calls that have changed since this was asked last, each as it stands now; those that have
    /// been forgotten since are left out.
    ///
    /// - Parameter now: The server's clock.
    /// - Returns: The calls, in the order of their changes.
    public mutating func takeCallChanges(at now: WallTime) -> [CallStanding] {
        calls.takeChanges(at: now).map(CallStanding.init)
    }
}
