public import RealtimeVoice
public import SansIO
public import WakeFlow

/// What the world tells the coach.
public indirect enum CoachEvent: Sendable, Equatable {
    /// The process runs, launched or brought back, or it was brought to the front: what cannot be known in
    /// it, whether there is a cloned voice (`nil` without an account), and what the system and the user have
    /// told the app since the phone was last known.
    case resumed(PhoneFacts, hasClone: Bool?, since: [CoachEvent])
    /// The phone's clock shows this now.
    case clockChanged(WallTime)
    /// The phone is in another zone.
    case zoneChanged(TimeZoneRules)
    /// The user has answered the question for a permission, or changed one in Settings.
    case grantsChanged(WakeGrants)
    /// The user tapped a wake's notification.
    case entryTapped(WakeEntryID)
    /// The user stopped a wake's alarm; its stop intent runs.
    case entryStopped(WakeEntryID)
    /// The user pressed a wake's snooze button.
    case entrySnoozed(WakeEntryID)
    /// The system did not take an entry.
    case armingFailed(WakeEntryID, WakeFlow.ArmingError)
    /// The user opened a nudge's notification.
    case nudgeOpened(NudgeID)
    /// The detector says that the user is distracted (D-25).
    case distractionDetected
    /// The user said the call phrase (AN-07).
    case helpCalled
    /// The user did what an intervention asked for.
    case instructionDone
    /// The user left an intervention, or a call has ended it.
    case interventionLeft
    /// The user went back to the app they came from (D-24).
    case wentBack
    /// The user has run the routine alone on this day (AN-07).
    case ranAlone(LocalDay)
    /// The user gave up the morning.
    case gaveUp
    /// The user hung up: a conversation with the agent ends, and a morning or a nudge goes on as without one.
    case hungUp
    /// The user was heard saying this, by the phone's own recogniser or the agent's.
    case heard(String, byPhone: Bool)
    /// A call has the audio.
    case audioInterrupted
    /// The system runs the preload's background task.
    case backgroundTaskStarted
    /// The system takes the background task's time back.
    case backgroundTaskExpired
    /// The wake audio lies in the sounds folder, or could not be fetched.
    case audioFetched(OperationID, WakeFlow.AudioAnswer)
    /// The outboxes are empty, or are not; what the guide has to send is the coach's own.
    case conversationSynced(OperationID, accepted: Bool)
    /// A fact for the session; the coach connects when a wake or a nudge asks for it, and neither at launch nor
    /// for a tap itself.
    case session(VoiceAppEvent)
    /// A line was heard to its end.
    case lineFinished(number: Int)
    /// So many packets of the agent's have come in, as `countAgentPackets` asked.
    case agentPackets(Int64)
    /// The user has a cloned voice, or has none any more.
    case cloneChanged(isAvailable: Bool)
    /// The user's cloned voice is being deleted, here or on another phone.
    case voiceDeleted
    /// The server has a summary or will never take it, or has to be asked again.
    case summaryAnswered(OperationID, accepted: Bool)
    /// Another user's account is open, by the name in their session, or the first one's is.
    case userChanged(String)
    /// An order to relay something was performed.
    case relayed(CoachRelay)
}

/// What the coach orders.
public enum CoachEffect: Sendable, Equatable {
    /// Keeps the memory and adds the facts to the analytics outbox, in one transaction: both or none.
    ///
    /// Comes before the orders that the memory speaks of.
    case store(CoachMemory, [CoachFact])
    /// Tells this back as `relayed`, once the orders before it have been performed.
    case relay(CoachRelay)

    /// Arms a wake's entry; `armingFailed` answers only if it cannot be.
    case arm(WakeEntry)
    /// Takes an entry back from alarms and notifications alike.
    case disarm(WakeEntryID)
    /// Asks the user for the permission that a path needs; only with the app in front.
    case askPermission(WakePath)
    /// Shows by which path the next wake will come; `nil` means that none will.
    case showPath(WakePath?)
    /// Tells the user that as many wakes are set as there may be.
    case refuseWake(WakeID)
    /// Shows how a morning ended.
    case showMorning(WakeID, MorningOutcome)
    /// Asks the system for the preload's background task, not before this time.
    case requestBackgroundTask(notBefore: WallTime)
    /// Tells the system that the background task is over.
    case completeBackgroundTask(success: Bool)
    /// Fetches the next morning's audio into the sounds folder.
    case fetchAudio(OperationID)
    /// Sends what the last conversation came to, if it isn't at the server yet.
    case syncConversation(OperationID)
    /// Cancels an operation of the preload.
    case cancelPreload(OperationID)
    /// Deletes cached audio except for this file.
    case clearCaches(keeping: WakeSound)

    /// An order of the session's.
    case session(VoiceAppEffect)
    /// An order about what is to be heard, and by whom.
    case voice(CoachVoiceOrder)
    /// An order about a nudge.
    case nudge(CoachNudgeOrder)
}

/// What the coach orders about its session and what is said in a conversation.
public enum CoachVoiceOrder: Sendable, Equatable {
    /// The session is wanted from now on.
    case beginSession
    /// The session is wanted no longer: the engine that the phone's own voice keeps without it stops (AN-20).
    case endSession
    /// A conversation begins: starts the phone's own engine unless the session has one.
    case beginConversation
    /// Stops the engine of a conversation that had no session.
    case stopVoiceEngine
    /// The conversation is over: nothing of it is said any more.
    case endConversation(isDone: Bool)
    /// Has the system voice say a line.
    case speak(ScriptLine)
    /// Silences the system voice.
    case stopSpeaking
    /// Has the agent say a line.
    case askAgent(ScriptLine)
    /// Answers at once by `agentPackets`, from the peer connection's own statistics.
    case countAgentPackets
    /// Keeps the agent from being heard; what the microphone hears goes to the phone's recogniser.
    case muteAgent
    /// Lets the agent be heard again and tells it which line the conversation has reached.
    case unmuteAgent(atLine: Int?)
    /// Speaks by another voice from now on (AN-04).
    case changeVoice(VoiceMode)
    /// Sends a summary; the server keeps one of each key.
    case sendSummary(OperationID, OfflineSummary)
    /// Cancels the sending of a summary.
    case cancelSummary(OperationID)
}

/// What the coach orders about a nudge.
public enum CoachNudgeOrder: Sendable, Equatable {
    /// Posts a nudge, time-sensitive.
    case post(NudgeID, NudgeRoute)
    /// Takes an unopened nudge out of the notification centre.
    case withdraw(NudgeID)
    /// Begins an intervention: with the agent, or by the phone's own script.
    case intervene(NudgeForm, isOnline: Bool)
    /// Ends it.
    case endIntervention
    /// Invites the user to go back by the system's breadcrumb (D-24).
    case offerReturn
    /// Shows how a nudge ended.
    case show(NudgeID, NudgeOutcome)
}

/// What one of the coach's machines has for another.
///
/// It goes round by the app, so that what was ordered before it is done before the other machine acts: a fact
/// is in the outbox, and an engine started, when the first line is to be said.
public enum CoachRelay: Sendable, Equatable {
    /// For the wakes.
    case wake(WakeFlow.Event)
    /// For the guide.
    case guide(OfflineGuide.Event)
    /// For the nudges.
    case nudge(NudgeFlow.Event)
    /// For the session.
    case session(VoiceAppEvent)
    /// Of the session: it shows this.
    case sessionShown(SessionStage)
    /// Of the session: what it has shown until now was about one that was left.
    case sessionLeft
    /// Of the session: the phone's own voice has the word.
    case sessionHandedOver
    /// Of the session: the agent has the word again.
    case sessionTookBack

    /// Whether it waits until the phone is known, as what the user does: it then comes with `resumed`.
    public var waitsForPhone: Bool {
        switch self {
        case .wake, .nudge, .sessionShown, .sessionLeft: true
        case .guide, .session, .sessionHandedOver, .sessionTookBack: false
        }
    }
}
