import RealtimeVoice
import SansIO
import WakeFlow

/// What the inner machines order: it leaves as it is, or meets another of them.
extension CoachCoordinator {
    /// Gives the wakes a fact, or wakes them.
    mutating func tellWakes(_ event: WakeFlow.Event?, in turn: inout Turn<Effect>) {
        var isOver = false
        var outcome: MorningOutcome?
        for effect in wakes.drive(event, at: turn.now) {
            switch effect {
            case .store(let record, let facts):
                memory.wake = record
                turn.order(.store(memory, facts))
            case .arm(let entry): turn.order(.arm(entry))
            case .disarm(let id): turn.order(.disarm(id))
            case .askPermission(let path): turn.order(.askPermission(path))
            case .pathChanged(let path): turn.order(.showPath(path))
            case .wakeRefused(let id): turn.order(.refuseWake(id))
            case .connectSession: connect(for: .wake, in: &turn)
            case .openConversation: beginTalk(in: &turn)
            case .say(let line): say(line, in: &turn)
            case .endSession: isOver = true
            case .morningEnded(let id, let ending):
                outcome = ending
                turn.order(.showMorning(id, ending))
            case .requestBackgroundTask(let time):
                turn.order(.requestBackgroundTask(notBefore: time))
            case .completeBackgroundTask(let success):
                turn.order(.completeBackgroundTask(success: success))
            case .fetchAudio(let operation): turn.order(.fetchAudio(operation))
            case .syncConversation(let operation): turn.order(.syncConversation(operation))
            case .cancel(let operation): turn.order(.cancelPreload(operation))
            case .clearCaches(let sound): turn.order(.clearCaches(keeping: sound))
            }
        }
        // Everything else that the wakes have ordered is done before: the ladder is armed anew while the
        // session still keeps the process running.
        if isOver { endConversation(isDone: outcome == .done, in: &turn) }
    }

    /// Gives the nudges a fact, or wakes them.
    mutating func tellNudges(_ event: NudgeFlow.Event?, in turn: inout Turn<Effect>) {
        for effect in nudges.drive(event, at: turn.now) {
            switch effect {
            case .store(let record, let facts):
                memory.nudge = record
                turn.order(.store(memory, facts))
            case .post(let id, let route): turn.order(.nudge(.post(id, route)))
            case .withdraw(let id): turn.order(.nudge(.withdraw(id)))
            case .connectSession: connect(for: .nudge, in: &turn)
            case .intervene(let form, let isOnline):
                turn.order(.nudge(.intervene(form, isOnline: isOnline)))
            case .endSession:
                release(.nudge, in: &turn)
                turn.order(.nudge(.endIntervention))
            case .offerReturn: turn.order(.nudge(.offerReturn))
            case .ended(let id, let outcome): turn.order(.nudge(.show(id, outcome)))
            }
        }
    }

    /// Gives the session a fact, or wakes it.
    mutating func tellSession(_ event: VoiceAppEvent?, in turn: inout Turn<Effect>) {
        for effect in session?.drive(event, at: turn.now) ?? [] {
            switch effect {
            case .show(let status):
                turn.order(.session(effect))
                turn.order(.relay(.sessionShown(status.stage)))
            case .handOverOffline: turn.order(.relay(.sessionHandedOver))
            case .takeBackOnline: turn.order(.relay(.sessionTookBack))
            // A session that ends in the middle of a guide leaves it to the phone's voice.
            case .endOffline: continue
            case .room, .callAPI, .cancelAPI, .probe, .readSecureStorage, .writeSecureStorage,
                .requestMicrophonePermission, .publish, .startVoiceEngine, .stopVoiceEngine,
                .showSignIn, .writeLog:
                turn.order(.session(effect))
            }
        }
    }

    /// Gives the guide a fact, or wakes it.
    mutating func tellGuide(_ event: OfflineGuide.Event?, in turn: inout Turn<Effect>) {
        for effect in guide.drive(event, at: turn.now) {
            switch effect {
            case .store(let record, let facts):
                memory.guide = record
                turn.order(.store(memory, facts))
            case .speak(let line): turn.order(.voice(.speak(line)))
            case .stopSpeaking: turn.order(.voice(.stopSpeaking))
            case .askAgent(let line): turn.order(.voice(.askAgent(line)))
            case .countAgentPackets: turn.order(.voice(.countAgentPackets))
            case .muteAgent: turn.order(.voice(.muteAgent))
            case .unmuteAgent(let line): turn.order(.voice(.unmuteAgent(atLine: line)))
            case .voiceModeChanged(let mode): turn.order(.voice(.changeVoice(mode)))
            case .sendSummary(let operation, let summary):
                turn.order(.voice(.sendSummary(operation, summary)))
            case .cancel(let operation): turn.order(.voice(.cancelSummary(operation)))
            }
        }
    }
}

/// To whom a fact goes.
extension CoachEvent {
    /// The fact as the wakes have it, if it is for them.
    var wakeFact: WakeFlow.Event? {
        switch self {
        case .clockChanged(let time): .clockChanged(time)
        case .zoneChanged(let rules): .zoneChanged(rules)
        case .grantsChanged(let grants): .grantsChanged(grants)
        case .entryTapped(let id): .tapped(id)
        case .entryStopped(let id): .stopped(id)
        case .entrySnoozed(let id): .snoozed(id)
        case .armingFailed(let id, let error): .armingFailed(id, error)
        case .ranAlone: .ranAlone
        case .gaveUp: .gaveUp
        case .hungUp: .hungUp
        case .heard(let text, _): .heard(text)
        case .audioInterrupted: .callBegan
        case .backgroundTaskStarted: .backgroundTaskStarted
        case .backgroundTaskExpired: .backgroundTaskExpired
        case .audioFetched(let operation, let answer): .audioFetched(operation, answer)
        case .conversationSynced(let operation, let accepted):
            .conversationSynced(operation, accepted: accepted)
        case .voiceDeleted: .voiceDeleted
        case .relayed(.wake(let event)): event
        case .resumed, .nudgeOpened, .distractionDetected, .helpCalled, .instructionDone,
            .interventionLeft, .wentBack, .session, .lineFinished, .agentPackets, .cloneChanged,
            .summaryAnswered, .userChanged, .relayed:
            nil
        }
    }

    /// The fact as the nudges have it, if it is for them.
    var nudgeFact: NudgeFlow.Event? {
        switch self {
        case .clockChanged(let time): .clockChanged(time)
        case .zoneChanged(let rules): .zoneChanged(rules)
        case .grantsChanged(let grants): .grantChanged(grants.notifications)
        case .nudgeOpened(let id): .opened(id)
        case .distractionDetected: .distractionDetected
        case .helpCalled: .called
        case .instructionDone: .instructionDone
        case .interventionLeft, .hungUp: .brokenOff
        case .wentBack: .wentBack
        case .ranAlone(let day): .routineRunAlone(day)
        case .relayed(.nudge(let event)): event
        case .resumed, .entryTapped, .entryStopped, .entrySnoozed, .armingFailed, .gaveUp, .heard,
            .audioInterrupted, .backgroundTaskStarted, .backgroundTaskExpired, .audioFetched,
            .conversationSynced, .session, .lineFinished, .agentPackets, .cloneChanged,
            .voiceDeleted, .summaryAnswered, .userChanged, .relayed:
            nil
        }
    }

    /// The fact as the guide has it, if it is for it.
    var guideFact: OfflineGuide.Event? {
        switch self {
        case .clockChanged(let time): .clockChanged(time)
        case .heard(let text, let byPhone): byPhone ? .heard(text) : nil
        case .lineFinished(let number): .lineFinished(number: number)
        case .agentPackets(let count): .agentPackets(count)
        case .cloneChanged(let isAvailable): .cloneChanged(isAvailable: isAvailable)
        case .summaryAnswered(let operation, let accepted):
            .summaryAnswered(operation, accepted: accepted)
        case .userChanged(let user): .userChanged(user)
        case .relayed(.guide(let event)): event
        case .resumed, .zoneChanged, .grantsChanged, .entryTapped, .entryStopped, .entrySnoozed,
            .armingFailed, .nudgeOpened, .distractionDetected, .helpCalled, .instructionDone,
            .interventionLeft, .wentBack, .ranAlone, .gaveUp, .hungUp, .audioInterrupted,
            .backgroundTaskStarted, .backgroundTaskExpired, .audioFetched, .conversationSynced,
            .session, .voiceDeleted, .relayed:
            nil
        }
    }
}
