public import SansIO

/// What the user does with the phone's call screen.
public enum CallScreenAct: Sendable, Hashable, CaseIterable {
    /// Answers the call that rings; one that is going on is put on hold ("Hold & Accept").
    case answer
    /// Answers the call that rings and ends the one that is going on ("End & Accept").
    case endAndAnswer
    /// Declines the call that rings.
    case decline
    /// Ends the call that is going on.
    case hangUp
    /// Mutes it.
    case mute
    /// Unmutes it.
    case unmute
    /// Puts it on hold.
    case hold
    /// Takes a held call back; one that is going on is put on hold.
    case unhold
}

/// What the system's call screen tells an app (CallKit, `CXProviderDelegate` and completion handlers).
public enum CallNews: Sendable, Equatable {
    /// A report was taken, or was not.
    case reportFinished(OperationID, SystemReportError?)
    /// What the app asked for was taken, or was not.
    case requestFinished(OperationID, isAccepted: Bool)
    /// The system asks for something, for the user.
    case actionRequested(ActionID, SystemCallAction)
    /// It waits no longer for that.
    case actionTimedOut(ActionID)
    /// The audio session is active: sound may start.
    case audioActivated
    /// It is not any more.
    case audioDeactivated
}

/// How a ring ended.
public enum RingEnd: Int64, Sendable, Hashable, CaseIterable {
    /// The user answered.
    case answered
    /// The user declined.
    case declined
    /// The app said that the call is over.
    case endedByApp
    /// The app's process ended, and its calls with it.
    case appEnded
}

/// What PushKit tells an app (`PKPushRegistryDelegate`).
public enum PushNews: Sendable, Equatable {
    /// The token for VoIP pushes.
    case token([UInt8])
    /// The token is void.
    case tokenInvalidated
    /// A VoIP push; the app must report a call before its handler for this returns, whose duty `duty`
    /// is.
    case received(PushID, payload: String, duty: OperationID)
}

/// How an app's calls stand.
public enum CallActivity: Sendable, Hashable {
    /// It has none.
    case none
    /// One rings, and none goes on.
    case ringing
    /// One is answered, or was started.
    case going
}
