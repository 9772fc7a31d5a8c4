public import SansIO

extension WakeFlow {
    /// A fact for the wake.
    public enum Event: Sendable, Equatable {
        /// The app runs: launched, or brought back from suspension, in front or by a background task.
        ///
        /// Everything the process cannot know by itself comes with it, so that relaunch needs no more.
        case resumed(PhoneFacts)
        /// The phone's clock shows this now: set by hand, or set right by the network.
        case clockChanged(WallTime)
        /// The phone is in another zone, or the zone's rules reach further.
        case zoneChanged(TimeZoneRules)
        /// A permission was given, refused or taken back, or the system was updated.
        case grantsChanged(WakeGrants)
        /// The server's flags changed.
        case flagsChanged(CoachFlags)
        /// The user set a wake, or changed the one of this name.
        case wakeSet(WakeSetting)
        /// The user removed a wake.
        case wakeRemoved(WakeID)
        /// The system did not take an entry.
        case armingFailed(WakeEntryID, ArmingError)
        /// The user tapped an entry's notification, or an alarm's own button that opens the app.
        case tapped(WakeEntryID)
        /// The user, or a hardware button, stopped an entry; its stop intent runs.
        case stopped(WakeEntryID)
        /// The user pressed an entry's snooze button, on the alarm or the notification.
        case snoozed(WakeEntryID)
        /// The session is connected: the user and the agent hear each other.
        case conversationStarted
        /// The session cannot be had for now; the guide goes on offline.
        case conversationFailed
        /// The user was heard saying this, by the agent's or the phone's recogniser.
        case heard(String)
        /// The user gave up, by saying so or by the button.
        case gaveUp
        /// The user hung up in the guide, or while it connects: the ladder goes on, as after a stop.
        case hungUp
        /// The user is up before the wake and has run the routine alone (AN-07): today's sounds are not wanted.
        case ranAlone
        /// A telephone or VoIP call has the audio.
        case callBegan
        /// The system runs the background task of the preload.
        case backgroundTaskStarted
        /// The system takes the background task's time back.
        case backgroundTaskExpired
        /// The wake audio lies in the sounds folder, or could not be fetched.
        case audioFetched(OperationID, AudioAnswer)
        /// The last conversation's summary is at the server, or is not.
        case conversationSynced(OperationID, accepted: Bool)
        /// The cloned voice is being deleted: no alarm sounds in it from now on (AN-04).
        case voiceDeleted
    }

    /// An order from the wake.
    public enum Effect: Sendable, Equatable {
        /// Keeps the record and adds the facts to the analytics outbox, in one transaction: both or none.
        ///
        /// Comes before the orders that the record speaks of.
        case store(WakeRecord, [CoachFact])
        /// Arms an entry with its snooze button; `armingFailed` answers only if it cannot be.
        case arm(WakeEntry)
        /// Takes an entry back from alarms and notifications alike, pending, sounding or shown; one that the
        /// system doesn't have is no error.
        case disarm(WakeEntryID)
        /// Asks the user for the permission that the next best path needs; only with the app in front.
        case askPermission(WakePath)
        /// The path that will wake changed; `nil` means that nothing will, and the user has to be told.
        case pathChanged(WakePath?)
        /// As many wakes are set as there may be: this one is not.
        case wakeRefused(WakeID)
        /// Connects the session at once, as `connectRequested` does (RS-13).
        case connectSession
        /// The user has tapped a notification of a morning that is over, and wants to talk (RS-13).
        ///
        /// The conversation has no script; it ends when the user hangs up.
        case openConversation
        /// Ends the session and closes the microphone (AN-20).
        case endSession
        /// Says a line, by the agent or offline, as the voice mode has it.
        case say(ScriptLine)
        /// A morning ended so.
        case morningEnded(WakeID, MorningOutcome)
        /// Asks the system for the preload's background task, not before this time.
        case requestBackgroundTask(notBefore: WallTime)
        /// Tells the system that the background task is over.
        case completeBackgroundTask(success: Bool)
        /// Fetches the next morning's audio and puts it, whole, into `Library/Sounds`.
        case fetchAudio(OperationID)
        /// Cancels an operation; its result is no longer needed.
        case cancel(OperationID)
        /// Deletes cached audio except for this file.
        case clearCaches(keeping: WakeSound)
        /// Sends the last conversation's summary, if it isn't at the server yet.
        case syncConversation(OperationID)
    }

    /// Why the system did not take an entry.
    public enum ArmingError: String, Sendable, Hashable, CaseIterable {
        /// The permission is missing or was taken back.
        case denied
        /// There are too many (`AlarmManager.AlarmError.maximumLimitReached`).
        case limitReached
        /// Anything else.
        case failed
    }

    /// What became of the audio's fetch.
    public enum AudioAnswer: Sendable, Hashable {
        /// The file lies in `Library/Sounds` under this name and plays for so long.
        case stored(name: String, length: Duration)
        /// It could not be fetched or kept.
        case failed
    }
}

/// What the phone says when the app's process runs again.
public struct PhoneFacts: Sendable, Equatable {
    /// What the clock shows.
    public var time: WallTime
    /// The zone and its changes around that time.
    public var zone: TimeZoneRules
    /// What is allowed.
    public var grants: WakeGrants
    /// The entries that the system still has pending or sounding, over all paths.
    public var pending: [WakeEntryID]
    /// The entries whose notification was shown and lies in the notification centre.
    public var delivered: [WakeEntryID]
    /// Whether the app is in front, where permissions can be asked for.
    public var isInFront: Bool

    /// Makes facts.
    public init(
        time: WallTime,
        zone: TimeZoneRules,
        grants: WakeGrants,
        pending: [WakeEntryID] = [],
        delivered: [WakeEntryID] = [],
        isInFront: Bool = true
    ) {
        self.time = time
        self.zone = zone
        self.grants = grants
        self.pending = pending
        self.delivered = delivered
        self.isInFront = isInFront
    }
}

/// How a morning ended.
public enum MorningOutcome: Sendable, Hashable {
    /// The last word of the script was said.
    case done
    /// A step timed out as often as it may, in every round.
    case notDone
    /// The user gave up.
    case gaveUp
    /// A call took the audio.
    case cutOff
    /// The user had run the routine before it was due.
    case ranAlone
    /// Nothing was answered; `wasShown` if a notification of it was found at the next launch.
    case missed(wasShown: Bool)
}

/// Something that analytics counts (AN-09); its key makes it count once.
public struct CoachFact: Sendable, Hashable {
    /// What happened.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// A wake's time came; known at the tap or at the next launch, since no code runs before (D-26).
        case wakeTriggered = "wake_triggered"
        /// A wake led to a conversation.
        case wakeJoined = "wake_joined"
        /// A wake's script was done.
        case wakeDone = "wake_done"
        /// A nudge was posted.
        case nudgeSent = "nudge_sent"
        /// A nudge was opened.
        case nudgeJoined = "nudge_joined"
        /// A nudge's instruction was done.
        case nudgeDone = "nudge_done"
        /// The voice mode changed.
        case voiceModeChanged = "voice_mode_changed"
    }

    /// What happened.
    public var kind: Kind
    /// The same for the same happening, whenever it is said: the server counts each key once.
    public var key: String
    /// When, by the phone's clock.
    public var time: WallTime

    /// Makes a fact.
    public init(_ kind: Kind, key: String, time: WallTime) {
        self.kind = kind
        self.key = key
        self.time = time
    }
}
