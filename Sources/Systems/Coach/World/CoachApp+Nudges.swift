import AppCoordination
import KodamaEvidence
import KodamaLanguage
import KodamaPhone
import KodamaSimulation
import KodamaWorld
import SansIO
import WakeFlow

/// What nudges have come to.
struct Nudging {
    /// The nudge that the user has on the screen.
    var shown: NudgeID?
    var isIntervening = false
    /// Whether the agent leads it, and has not been heard yet.
    var isOnline = false
    var awaitsAgent = false
    /// Whether what it asks for is done.
    var isDone = false
    /// Counts interventions, so that one's end is told from another's.
    var interventions: UInt32 = 0
}

// Nudges: from a distraction to the way back.

extension CoachApp {
    /// The app that distracts.
    private static let distraction = FrontApp.other(1)

    /// The user is distracted, and the detector says so at once.
    ///
    /// Its extension runs outside the app; that it is a run of the app in the background here is a
    /// simplification.
    func distract(on stage: inout Stage) {
        guard isPowered, person.isUp, !nudging.isIntervening, !habit.hasLeft else { return }
        phone.undergo(PhoneAct.leaveApp, on: &stage)
        breadcrumb.tell(.opened(Self.distraction), on: &stage)
        seeTrigger(on: &stage)
        tell(.distractionDetected, on: &stage)
        phone.tell(.ranInBackground(id), on: &stage)
    }

    /// The orders about nudges.
    func perform(_ order: CoachNudgeOrder, on stage: inout Stage) {
        switch order {
        case .post(let id, _):
            note(DistractionNoticed(isNudged: TraceFlag(true)), on: &stage)
            let request = NotificationRequest(id.text, nil, level: .timeSensitive)
            let order = NotificationOrder.add(armory.operations.next(), request)
            center.tell(.ordered(Self.own, order), on: &stage)
        case .withdraw(let id):
            if nudging.shown == id { nudging.shown = nil }
            center.tell(.ordered(Self.own, .removePending([id.text])), on: &stage)
            center.tell(.ordered(Self.own, .removeDelivered([id.text])), on: &stage)
        case .intervene(_, let isOnline): intervene(isOnline: isOnline, on: &stage)
        case .endIntervention:
            nudging.interventions &+= 1
            nudging.isIntervening = false
            nudging.awaitsAgent = false
            reviewListening(on: &stage)
        case .offerReturn:
            note(InterventionEnded(isDone: TraceFlag(nudging.isDone)), on: &stage)
            let isThere = breadcrumb.seat.machine.target != nil
            nudged.tell(.interventionEnded(hasBreadcrumb: isThere), on: &stage)
        case .show(let id, let outcome):
            let form = NudgeEnded(
                number: Int64(id.number),
                reach: TraceWord(ShownReach(outcome.reach)),
                isBack: TraceFlag(outcome.wentBack == true)
            )
            note(form, on: &stage)
        }
    }

    private func intervene(isOnline: Bool, on stage: inout Stage) {
        nudging.isIntervening = true
        (nudging.isOnline, nudging.awaitsAgent, nudging.isDone) = (isOnline, isOnline, false)
        nudging.interventions &+= 1
        nudged.tell(.interventionBegan, on: &stage)
        guard !isOnline else { return agentIntervenes(on: &stage) }
        let wait = plan.bedroom.speechStart
        schedule(.interventionBegins, nudging.interventions, after: wait, on: &stage)
    }

    /// The agent begins, once it and the user hear each other.
    func agentIntervenes(on stage: inout Stage) {
        guard nudging.awaitsAgent, agentVoice.isThere, let down = agentVoice.down else { return }
        nudging.awaitsAgent = false
        var draws = RandomStream(seed: seed, purpose: "coach.agent.nudge", entity: name)
        draws.index = UInt64(nudging.interventions) * 4
        let wait = draws.latency(plan.bedroom.agentStart) + down
        schedule(.interventionBegins, nudging.interventions, after: wait, on: &stage)
    }

    /// The first word of an intervention.
    func interventionBegins(_ number: UInt32, on stage: inout Stage) {
        guard nudging.isIntervening, number == nudging.interventions else { return }
        // An agent that is gone again begins when it is back.
        guard !nudging.isOnline || agentVoice.isThere else { return nudging.awaitsAgent = true }
        let opened = coordinator?.seat.ask { $0.nudgeRecord.opened }
        let form = InterventionBegan(
            number: Int64(opened?.number ?? 0),
            isOnline: TraceFlag(nudging.isOnline)
        )
        note(form, on: &stage)
        var draws = RandomStream(seed: seed, purpose: "coach.instruction", entity: name)
        draws.index = UInt64(nudging.interventions) * 4
        let length = draws.latency(plan.bedroom.instruction)
        schedule(.instructionEnds, nudging.interventions, after: length, on: &stage)
    }

    /// The user has done what was asked, if nothing has ended it before.
    func instructionEnds(_ number: UInt32, on stage: inout Stage) {
        guard nudging.isIntervening, number == nudging.interventions else { return }
        nudging.isDone = true
        note(InstructionDone(), on: &stage)
        tell(.instructionDone, on: &stage)
    }

    /// A call is answered, or made: it ends a guide or an intervention and takes the breadcrumb away.
    func callTakesOver(on stage: inout Stage) {
        breadcrumb.tell(.covered, on: &stage)
        guard phase == .running else { return }
        tell(.audioInterrupted, on: &stage)
        if nudging.isIntervening {
            nudging.isIntervening = false
            note(NudgeActed(deed: TraceWord(NudgeDeed.takesCall)), on: &stage)
        }
        nudged.tell(.interrupted, on: &stage)
        tell(.interventionLeft, on: &stage)
    }

    // MARK: The user

    /// A nudge came; whether anything shows or sounds.
    func nudgeCame(_ id: NudgeID, _ presentation: NotificationPresentation, on stage: inout Stage) {
        let came = NudgeCame(
            number: Int64(id.number),
            isShown: TraceFlag(presentation.isShown)
        )
        note(came, on: &stage)
        guard presentation.isShown else { return }
        nudging.shown = id
        let isCritical = presentation.isCritical
        let modality = output.seat.machine.modality(of: presentation.sound, isCritical: isCritical)
        nudged.tell(.nudged(modality), on: &stage)
    }

    func perform(_ effect: NudgedPerson.Effect, on stage: inout Stage) {
        let id = nudging.shown
        // A breadcrumb that a call has taken away leads nowhere.
        let isLost = effect == .tapsBreadcrumb && breadcrumb.seat.machine.target == nil
        let effect = isLost ? .staysAway : effect
        // One that was withdrawn meanwhile is not there to be tapped.
        guard effect != .taps || id != nil else { return }
        note(NudgeActed(deed: TraceWord(NudgeDeed(effect))), on: &stage)
        switch effect {
        case .misses, .ignores: break
        case .staysAway: schedule(.putsDown, after: .seconds(60), on: &stage)
        case .taps:
            guard let id else { return }
            nudging.shown = nil
            breadcrumb.tell(.openedFromElsewhere(.app(Self.own)), on: &stage)
            center.tell(.tapped(Self.own, identifier: id.text), on: &stage)
        case .breaksOff:
            nudging.isIntervening = false
            tell(.interventionLeft, on: &stage)
        case .tapsBreadcrumb: breadcrumb.tell(.tapped, on: &stage)
        case .reopens:
            breadcrumb.tell(.opened(Self.distraction), on: &stage)
            goBack(on: &stage)
        }
    }

    func perform(_ effect: Breadcrumb.Effect, on stage: inout Stage) {
        switch effect {
        case .returned: goBack(on: &stage)
        case .changed: break
        }
    }

    /// The app hears that its scene leaves; that it takes this for the way back is an assumption.
    private func goBack(on stage: inout Stage) {
        tell(.wentBack, on: &stage)
        phone.tell(.user(.leaveApp), on: &stage)
    }
}

extension ShownReach {
    fileprivate init(_ reach: NudgeOutcome.Reach) {
        switch reach {
        case .unopened: self = .unopened
        case .opened: self = .opened
        case .done: self = .done
        }
    }
}

extension NudgeDeed {
    fileprivate init(_ effect: NudgedPerson.Effect) {
        switch effect {
        case .misses: self = .misses
        case .ignores: self = .ignores
        case .taps: self = .taps
        case .breaksOff: self = .breaksOff
        case .tapsBreadcrumb: self = .tapsBreadcrumb
        case .reopens: self = .reopens
        case .staysAway: self = .staysAway
        }
    }
}
