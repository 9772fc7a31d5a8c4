/// What `user.acted` says that a user did: the numbers of a scenario's `SessionAction`.
public enum UserAct: Int64, Sendable, CaseIterable {
    /// Opens the app, or comes back to it.
    case openApp
    /// Leaves the app for the home screen.
    case leaveApp
    /// Pulls Control Centre over the app.
    case openControlCentre
    /// Puts Control Centre away.
    case closeControlCentre
    /// Throws the app out of the app switcher.
    case killApp
    /// Is called by phone.
    case phoneCallBegins
    /// Ends the phone call.
    case phoneCallEnds
    /// Asks for the conversation.
    case connect
    /// Ends the conversation.
    case disconnect
    /// Mutes the microphone.
    case mute
    /// Unmutes the microphone.
    case unmute
    /// Taps a notification of the app.
    case tapNotification
    /// Signs in.
    case signIn
    /// Logs out.
    case logOut
}

/// The stages of `status.shown` that promise a live conversation (`SessionStage`).
public enum LiveStage: Int64, Sendable, CaseIterable {
    /// Both sides hear each other.
    case connected = 11
    /// They do again.
    case reconnected = 13
}

/// The errors of `room.disconnected` after which only the user may ask again (`RoomError`, D-08).
public enum FinalError: Int64, Sendable, CaseIterable {
    /// Somebody joined with the same identity.
    case duplicateIdentity = 5
    /// The participant was removed.
    case participantRemoved = 7
}

/// The reasons of `agent.closed` that an agent may end its session for (`DisconnectReason`).
///
/// livekit/agents, `voice/room_io/types.py` and `room_io.py`: the session closes when the linked
/// participant leaves for one of the first three, and when the room itself is closed.
public enum RightfulClose: Int64, Sendable, CaseIterable {
    /// The client said goodbye.
    case clientInitiated = 1
    /// The room was deleted.
    case roomDeleted = 5
    /// The room was closed, empty for longer than its departure time-out.
    case roomClosed = 10
    /// The user refused.
    case userRejected = 12
}

/// The kinds of `attempt.began` (`AttemptKind`).
public enum TracedAttempt: Int64, Sendable, CaseIterable {
    /// The first join of a room object.
    case connect
    /// A resume.
    case quick
    /// A restart.
    case full
}
