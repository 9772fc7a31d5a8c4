/// What an app's process does, as seen from outside.
public enum ProcessPhase: Sendable, Equatable {
    /// There is none.
    case notRunning
    /// It is being launched and has not run its first line yet.
    case launching
    /// It runs, in front or in the background.
    case running
    /// Nothing in it runs.
    case suspended
}

/// Why an app was launched.
public enum LaunchReason: Sendable, Equatable {
    /// The user opened it.
    case user
    /// The user tapped one of its notifications.
    case notification
    /// The user answered one of its calls.
    case call
    /// A VoIP push came for it.
    case push
    /// The system runs it in the background: for a background task, or for the intent of a button.
    case task
}

/// Why an app's process was ended.
public enum KillReason: Sendable, Equatable {
    /// The user threw it out of the app switcher.
    case user
    /// It was to be suspended while it held a lock on a file: the exception code 0xdead10cc (Apple,
    /// *Understanding the exception types in a crash report*).
    case fileLockHeld
    /// A background task outlived its time.
    case backgroundTaskOverrun
    /// The user changed its privacy settings.
    case privacyChanged
    /// It did not report a VoIP push.
    case unreportedPush
}
