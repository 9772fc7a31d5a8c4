// The words of the coach's records; the raw values are their numbers in the trace.

/// How a wake reaches the user (D-23).
enum WakeRoute: Int64, Sendable, CaseIterable {
    case systemAlarm, criticalAlert, timeSensitive
}

/// Why an armed sound did not come.
enum EntryLoss: Int64, Sendable, CaseIterable {
    case appProtected, notAuthorized, dismissedUnrung, lostCollision, simulatorLocked, phoneOff
    case overLimit, focus, summary
}

/// What the sleeper does; the truth, whatever the app learns of it.
enum SleeperDeed: Int64, Sendable, CaseIterable {
    /// Notices the sound.
    case notices
    /// Presses a button of the phone, and will not remember it.
    case stopsHalfAsleep
    /// Snoozes.
    case snoozes
    /// Stops the alarm or taps the notification, to talk.
    case answers
    /// Stops the alarm and rises without the app.
    case risesAlone
    /// Gives the conversation up and sleeps on.
    case givesUp
    /// Rises after the conversation.
    case rises
    /// Silences what sounds though they are up.
    case silences
    /// Goes to bed, after a look at the app.
    case goesToBed
    /// Gets up in the middle of the guide, without a word to it.
    case leaves
}

/// What the system plays for a sound that the app has armed.
enum FiredSound: Int64, Sendable, CaseIterable {
    /// The app's own, in its bundle.
    case bundled
    /// The one in the user's own voice, which the preload has fetched.
    case preloaded
    /// The system's, without a word: the file is not there.
    case missing
}

/// What the sleeper says to a question.
enum SleeperReply: Int64, Sendable, CaseIterable {
    case expected, other, nothing
}

/// How a morning ended, as the app sees it.
enum ShownOutcome: Int64, Sendable, CaseIterable {
    case done, notDone, gaveUp, cutOff, missed, ranAlone
}

/// What the app keeps for its analytics (AN-09).
enum AnalyticsFact: Int64, Sendable, CaseIterable {
    case wakeTriggered, wakeJoined, wakeDone, nudgeSent, nudgeJoined, nudgeDone, voiceModeChanged
}
