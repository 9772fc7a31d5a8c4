import AppCoordination
import KodamaEvidence
import KodamaPhone
import KodamaSession
import KodamaWorld
import RealtimeVoice
import SansIO
import WakeFlow

/// How the phone and its user stand towards the app, and what the process is yet to hear of it.
struct PhoneLook {
    var alarms = Grant.undecided
    var notifications = Grant.undecided
    /// What the user and Apple let its notifications do; the permission in it is the one before any question.
    var settings = NotificationSettings()
    /// What the user was told last.
    var shown: WakeRoute?
    /// The questions to the system that have not been answered, since the process runs again.
    var asked: [OperationID] = []
    var pending: [WakeEntryID] = []
    var delivered: [WakeEntryID] = []
    /// What the process has to hear once it knows the phone.
    var inbox: [CoachEvent] = []
    var isKnown = false
    var wasKnownInFront = false
}

// The process of the app: what the system does with it, and what its machines order.

extension CoachApp {
    func launch(on stage: inout Stage) {
        let machine = CoachCoordinator(
            configuration: plan.coach,
            // As an app reads it: what the bytes do not hold is lost.
            restoring: CoachMemory(stored: disk.stored) ?? CoachMemory(),
            seeds: CoachSeeds(
                guide: phone.seed("coach.guide", launchCount, on: stage),
                conversations: phone.seed("coach.conversation", launchCount, on: stage),
                session: phone.seed("coach.voice", launchCount, on: stage)
            )
        )
        coordinator = Guest(machine, of: self, .coordinator, livesInProcess: true, at: stage.now) {
            $0.perform($1, on: &$2)
        }
        look.isKnown = false
        look.asked = []
        online = OnlineTalk()
        microphone.published = .speech
        sound?.restart()
        note(AppLaunched(), on: &stage)
        openAccount(on: &stage)
    }

    func terminate(on stage: inout Stage) {
        note(AppTerminated(), on: &stage)
        let wasTalking = isTalking
        coordinator?.isAlive = false
        coordinator = nil
        if nudging.isIntervening { nudged.tell(.interrupted, on: &stage) }
        (nudging.isIntervening, nudging.awaitsAgent) = (false, false)
        closeFirstSteps(on: &stage)
        closeAccount()
        endMirroring(on: &stage)
        online = OnlineTalk()
        endAnswer()
        reviewRadio(on: &stage)
        closeSockets(on: &stage)
        look.isKnown = false
        look.inbox = []
        // A person who still waits for the guide notices.
        if wasTalking, !person.isUp {
            sleeper.tell(.conversationEnded(isDone: false), on: &stage)
        }
        endTalk(on: &stage)
        alarms.tell(.appEnded(Self.own), on: &stage)
        center.tell(.appEnded(Self.own), on: &stage)
        tasks.tell(.appEnded(Self.own, byUser: !armory.endsProcess), on: &stage)
    }

    func suspend(on stage: inout Stage) { look.isKnown = false }

    func resume(on stage: inout Stage) {
        if plan.isOnline {
            resume(coordinator, on: &stage)
        } else {
            coordinator?.armWake(on: &stage)
            armCalls(on: &stage)
        }
        resumeAccount(on: &stage)
        reviewMirroring(on: &stage)
        lookAtPhone(on: &stage)
    }

    func inform(_ news: SystemNews, on stage: inout Stage) {
        informSession(news, on: &stage)
        switch news {
        case .launched:
            lookAtPhone(on: &stage)
            tellOfAccount(on: &stage)
            tellReserves(on: &stage)
            reviewMirroring(on: &stage)
        case .scene(let phase):
            note(SceneChanged(phase: phase), on: &stage)
            if phase == .active { releaseEngine(on: &stage) }
            if phase == .active { goOnWithStep(on: &stage) }
            // In front it may ask for permissions, and preload.
            if phase == .active, look.isKnown, !look.wasKnownInFront { lookAtPhone(on: &stage) }
            // Whoever was kept from speaking in the background is not any more.
            if phase == .active, isTalking, !talk.hasVoice {
                talk.hasVoice = true
                order(.startVoiceEngine(OperationID(number: .max)), on: &stage)
            }
        case .path(let path): if path != .unsatisfied { resumeAccount(on: &stage) }
        case .clock(let time):
            tellAccount(.clockJumped(time), on: &stage)
            // What the clock shows is asked for, too, where the phone is not known.
            if look.isKnown { tell(.clockChanged(time), on: &stage) }
        // What only rings, and the system's own alarms, take the audio for some seconds: no call has it.
        case .audio(.interruptionBegan):
            if phone.seat.ask({ $0.hasCall }) { tell(.audioInterrupted, on: &stage) }
        case .audio(.interruptionEnded):
            // A session starts its own engine again.
            if isTalking, talk.hasVoice, !wantsSession {
                order(.startVoiceEngine(OperationID(number: .max)), on: &stage)
            }
        default: break
        }
    }

    /// Tells the app something, once it knows the phone; a process that does not run hears it when it does.
    func tell(_ event: CoachEvent, on stage: inout Stage) {
        guard look.isKnown, phase == .running else { return look.inbox.append(event) }
        coordinator?.tell(event, on: &stage)
    }

    /// Whether a guide leads the user.
    var isTalking: Bool { coordinator?.seat.ask { $0.isTalking } ?? false }

    /// Whether the app wants its session.
    var wantsSession: Bool { coordinator?.seat.ask { $0.wantsSession } ?? false }

    // MARK: What the phone says

    /// Asks the system for what the process cannot know by itself.
    private func lookAtPhone(on stage: inout Stage) {
        look.isKnown = false
        let questions = (0..<3).map { _ in armory.operations.next() }
        look.asked = questions
        (look.pending, look.delivered) = ([], [])
        alarms.tell(.ordered(Self.own, .listAlarms(questions[0])), on: &stage)
        center.tell(.ordered(Self.own, .getPending(questions[1])), on: &stage)
        center.tell(.ordered(Self.own, .getDelivered(questions[2])), on: &stage)
    }

    /// An answer to one of these questions has come.
    func answered(_ question: OperationID, on stage: inout Stage) {
        look.asked.removeAll { $0 == question }
        guard look.asked.isEmpty, !look.isKnown, phase == .running else { return }
        let now = stage.now
        let time = phone.seat.ask { $0.wallTime(at: now) }
        let isInFront = phone.seat.ask { $0.isInFront(id) }
        let facts = PhoneFacts(
            time: time,
            zone: zone,
            grants: grants,
            pending: look.pending,
            delivered: look.delivered,
            isInFront: isInFront
        )
        look.isKnown = true
        look.wasKnownInFront = isInFront
        let since = look.inbox
        look.inbox = []
        coordinator?.tell(.resumed(facts, hasClone: hasClone, since: since), on: &stage)
        resumeSelfTalk(on: &stage)
    }

    var zone: TimeZoneRules { TimeZoneRules(offsetSeconds: Int32(zoneSeconds)) }

    var grants: WakeGrants {
        let hasCritical = look.settings.hasCriticalEntitlement && look.settings.allowsCritical
        return WakeGrants(
            systemVersion: plan.version.major,
            systemAlarm: look.alarms,
            notifications: look.notifications,
            criticalAlert: hasCritical ? .granted : .denied
        )
    }

    // MARK: What the app orders

    func perform(_ effect: CoachEffect, on stage: inout Stage) {
        switch effect {
        case .store(let memory, let facts):
            noteSummaries(from: disk.guide, to: memory.guide, on: &stage)
            disk = memory
            keep(facts, on: &stage)
        case .relay(let relay):
            if relay.waitsForPhone { return tell(.relayed(relay), on: &stage) }
            coordinator?.tell(.relayed(relay), on: &stage)
        case .arm(let entry): arm(entry, on: &stage)
        case .disarm(let id): disarm(id, on: &stage)
        case .askPermission(let path): ask(for: path, on: &stage)
        case .showPath(let path):
            look.shown = path.map(WakeRoute.init)
            note(RouteShown(route: TraceWord(look.shown)), on: &stage)
        case .showMorning(_, let outcome):
            if outcome == .done { habit.days?.repeated(alone: false) }
            note(MorningEnded(outcome: TraceWord(ShownOutcome(outcome))), on: &stage)
        case .requestBackgroundTask(let notBefore):
            let request = BackgroundTaskRequest("preload", .refresh, earliestBegin: notBefore)
            let operation = armory.operations.next()
            tasks.tell(.submitted(Self.own, operation, request), on: &stage)
        case .completeBackgroundTask:
            tasks.tell(.completed(Self.own, identifier: "preload"), on: &stage)
        case .fetchAudio(let operation):
            let answer = CoachEvent.audioFetched(operation, .failed)
            run(.audioWanted(operation), orAnswer: answer, on: &stage)
        case .syncConversation(let operation):
            let answer = CoachEvent.conversationSynced(operation, accepted: false)
            run(.syncWanted(operation), orAnswer: answer, on: &stage)
        case .cancelPreload(let operation): run(.unwanted(operation), orAnswer: nil, on: &stage)
        case .clearCaches(let sound): clearCaches(keeping: sound, on: &stage)
        case .session(let effect): perform(effect, on: &stage)
        case .voice(let order): perform(order, on: &stage)
        case .nudge(let order): perform(order, on: &stage)
        case .refuseWake: break
        }
    }

    /// What is to be heard, and by what.
    private func perform(_ order: CoachVoiceOrder, on stage: inout Stage) {
        switch order {
        case .beginSession: reviewRadio(on: &stage)
        case .endSession: endSession(on: &stage)
        case .beginConversation: beginConversation(on: &stage)
        case .stopVoiceEngine: self.order(.stopVoiceEngine, on: &stage)
        case .endConversation(let isDone): conversationEnded(isDone: isDone, on: &stage)
        case .speak(let line): begin(line, on: &stage)
        case .stopSpeaking: talk.line = nil
        case .askAgent(let line): askAgent(line, on: &stage)
        case .countAgentPackets:
            coordinator?.tell(.agentPackets(agentPackets(on: stage)), on: &stage)
        // What it says meanwhile is not played, and it is asked for its line again.
        case .muteAgent: if talk.isAgents { talk.line = nil }
        case .sendSummary(let operation, let summary):
            let answer = CoachEvent.summaryAnswered(operation, accepted: false)
            run(.summaryWanted(operation, summary), orAnswer: answer, on: &stage)
        case .cancelSummary(let operation):
            run(.summaryUnwanted(operation), orAnswer: nil, on: &stage)
        case .unmuteAgent, .changeVoice: break
        }
    }

    private func ask(for path: WakePath, on stage: inout Stage) {
        let operation = armory.operations.next()
        switch path {
        case .systemAlarm:
            alarms.tell(.ordered(Self.own, .requestAuthorization(operation)), on: &stage)
        case .criticalAlert, .timeSensitive:
            center.tell(.ordered(Self.own, .requestAuthorization(operation)), on: &stage)
        }
    }

    func keep(_ facts: [CoachFact], on stage: inout Stage) {
        for fact in facts {
            guard let kind = AnalyticsFact(fact.kind) else { continue }
            note(FactKept(fact: TraceWord(kind)), on: &stage)
            keep(fact, on: &stage)
        }
    }
}

extension CoachAppPlan {
    /// How the app is set up.
    fileprivate var coach: CoachConfiguration {
        var coach = CoachConfiguration()
        (coach.wake, coach.guide, coach.nudge) = (wake, guide, nudge)
        coach.session = voice
        coach.flags = CoachFlags(usesRealtime: isOnline)
        coach.firstWakes = wakes.enumerated().map { index, wake in
            let seconds = Int32(wake.wholeNanoseconds / 1_000_000_000)
            let time = WakeTime.relative(TimeOfDay(seconds: seconds), .everyDay)
            return WakeSetting(id: WakeID(number: UInt32(index + 1)), time: time)
        }
        return coach
    }
}

extension WakeRoute {
    init(_ path: WakePath) {
        switch path {
        case .systemAlarm: self = .systemAlarm
        case .criticalAlert: self = .criticalAlert
        case .timeSensitive: self = .timeSensitive
        }
    }
}

extension ShownOutcome {
    fileprivate init(_ outcome: MorningOutcome) {
        switch outcome {
        case .done: self = .done
        case .notDone: self = .notDone
        case .gaveUp: self = .gaveUp
        case .cutOff: self = .cutOff
        case .missed: self = .missed
        case .ranAlone: self = .ranAlone
        }
    }
}

extension AnalyticsFact {
    fileprivate init?(_ kind: CoachFact.Kind) {
        switch kind {
        case .wakeTriggered: self = .wakeTriggered
        case .wakeJoined: self = .wakeJoined
        case .wakeDone: self = .wakeDone
        case .nudgeSent: self = .nudgeSent
        case .nudgeJoined: self = .nudgeJoined
        case .nudgeDone: self = .nudgeDone
        case .voiceModeChanged: self = .voiceModeChanged
        }
    }
}

extension Grant {
    init(_ status: PermissionCondition.Status) {
        switch status {
        case .granted: self = .granted
        case .denied: self = .denied
        case .undetermined: self = .undecided
        }
    }
}
