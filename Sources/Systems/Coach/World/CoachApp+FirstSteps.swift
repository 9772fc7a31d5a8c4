import AppCoordination
import CoachAccount
import CoachStore
import KodamaEvidence
import KodamaPhone
import KodamaWorld
import ReplicaStore
import SansIO

/// Onboarding and self-talk, as far as the world knows of them.
struct FirstSteps {
    /// The step that is on the screen.
    var shown: OnboardingStep?
    /// Counts what is shown, so that an old step's end is told from a new one's.
    var count: UInt32 = 0
    /// Where sound goes: the phone's own loudspeaker, or a device by Bluetooth.
    var output = AudioOutput.loudspeaker
    /// Whether headphones are in the ears.
    var isWorn = false
    /// The phrase that sounds, and by which output the trace has it.
    var phrase: OperationID?
    /// Counts phrases, so that an old one's end is told from a new one's: each process numbers its own from 1.
    var phraseCount: UInt32 = 0
    /// Whether the trigger was seen and the process has not heard of it.
    var isTriggered = false
}

// The seven steps of a new user (AN-14), and the own voice that answers a trigger (AN-16).

extension CoachApp {
    /// How long a user takes for a step; an assumption.
    private static let stepTime = Duration.seconds(7)
    /// How long a phrase is; an assumption.
    private static let phraseTime = Duration.seconds(3)
    /// The headphones, which the user has confirmed to be some, and a car, which they have not.
    static let confirmedHeadphones = ["buds"]
    static let headphones = AudioOutput.bluetooth("buds")
    static let car = AudioOutput.bluetooth("car")

    /// The process is gone: nothing is shown, and nothing sounds.
    func closeFirstSteps(on stage: inout Stage) {
        firstSteps.shown = nil
        firstSteps.isTriggered = false
        endPhrase(on: &stage)
    }

    // MARK: Onboarding

    func perform(_ effect: Onboarding.Effect, on stage: inout Stage) {
        guard let store = account.store else { return }
        let kept = Int64(stored { try store.onboardingProgress() }.outcomes.count)
        switch effect {
        case .keep(let operation, let progress):
            stored { try store.keep(progress, at: wallTime(on: stage)) }
            tellAccount(.onboarding(.kept(operation, isKept: true)), on: &stage)
        case .show(let step):
            firstSteps.shown = step
            note(OnboardingShown(step: Int64(step.number), kept: kept), on: &stage)
            goOnWithStep(on: &stage)
        case .finished:
            firstSteps.shown = nil
            note(OnboardingShown(step: 8, kept: kept), on: &stage)
        }
    }

    /// The user looks at the step that is shown, from now on or again.
    func goOnWithStep(on stage: inout Stage) {
        guard firstSteps.shown != nil else { return }
        firstSteps.count &+= 1
        schedule(.stepAnswered, firstSteps.count, after: Self.stepTime, on: &stage)
    }

    /// The user ends a step, if they still see it.
    func answersStep(_ count: UInt32, on stage: inout Stage) {
        guard count == firstSteps.count, let step = firstSteps.shown, phase == .running,
            phone.seat.ask({ $0.isInFront(id) })
        else { return }
        let isDeclined =
            step == .notifications && plan.notifications == .denied
            || step == .voice && vault.isWanted != true
        firstSteps.shown = nil
        note(OnboardingAnswered(step: Int64(step.number)), on: &stage)
        let outcome: OnboardingOutcome = isDeclined ? .declined : .done
        tellAccount(.onboarding(.stepEnded(step, outcome)), on: &stage)
    }

    // MARK: Self-talk

    /// What the running process can read of the phone, and whether the trigger waits for it.
    func resumeSelfTalk(on stage: inout Stage) {
        guard let store = account.store else { return }
        tellAccount(.selfTalk(.conversationChanged(isActive: wantsMicrophone)), on: &stage)
        tellAccount(.selfTalk(.outputChanged(firstSteps.output)), on: &stage)
        tellAccount(.selfTalk(.phrasesChanged(phrases(in: store))), on: &stage)
        guard firstSteps.isTriggered else { return }
        firstSteps.isTriggered = false
        tellAccount(.selfTalk(.triggerSeen), on: &stage)
    }

    /// The latest evening's phrases, which need the user's voice.
    private func phrases(in store: CoachStore) -> [String] {
        guard case .registered = stored({ try store.voiceProgress() }) else { return [] }
        return stored { try store.records(of: CoachReflection.self) }.last?.phrases ?? []
    }

    /// The phone sees the trigger; the process hears of it when it runs.
    func seeTrigger(on stage: inout Stage) {
        guard let store = account.store ?? reopenedStore() else { return }
        let form = TriggerSeen(
            output: TraceWord(phraseOutput),
            phrases: Int64(phrases(in: store).count)
        )
        note(form, on: &stage)
        firstSteps.isTriggered = true
        if look.isKnown, phase == .running { resumeSelfTalk(on: &stage) }
    }

    /// What a process that has ended has left.
    private func reopenedStore() -> CoachStore? {
        guard hasAccount, account.image != nil else { return nil }
        return stored { try CoachStore.open(.image(account.image), newDevice: "look") }.store
    }

    /// Sound goes elsewhere from now on.
    func changeOutput(_ output: AudioOutput, isWorn: Bool, on stage: inout Stage) {
        (firstSteps.output, firstSteps.isWorn) = (output, isWorn)
        if phase == .running { tellAccount(.selfTalk(.outputChanged(output)), on: &stage) }
        guard firstSteps.phrase != nil else { return }
        note(PhraseSounded(output: TraceWord(phraseOutput)), on: &stage)
    }

    /// A conversation or an intervention began, or is over.
    func talkChanged(isGoing: Bool, on stage: inout Stage) {
        guard phase == .running else { return }
        tellAccount(.selfTalk(.conversationChanged(isActive: isGoing)), on: &stage)
    }

    private var phraseOutput: PhraseOutput {
        firstSteps.output == Self.headphones ? (firstSteps.isWorn ? .worn : .beside) : .aloud
    }

    func perform(_ effect: SelfTalk.Effect, on stage: inout Stage) {
        switch effect {
        case .play(let operation, _):
            firstSteps.phrase = operation
            firstSteps.phraseCount &+= 1
            note(PhraseSounded(output: TraceWord(phraseOutput)), on: &stage)
            schedule(.phraseEnds, firstSteps.phraseCount, after: Self.phraseTime, on: &stage)
        case .stop: endPhrase(on: &stage)
        }
    }

    func phraseEnds(_ count: UInt32, on stage: inout Stage) {
        guard let phrase = firstSteps.phrase, count == firstSteps.phraseCount else { return }
        endPhrase(on: &stage)
        if phase == .running { tellAccount(.selfTalk(.phraseEnded(phrase)), on: &stage) }
    }

    private func endPhrase(on stage: inout Stage) {
        guard firstSteps.phrase != nil else { return }
        firstSteps.phrase = nil
        note(PhraseSounded(output: TraceWord<PhraseOutput>(nil)), on: &stage)
    }
}

extension OnboardingStep {
    /// Its number, from 1.
    fileprivate var number: Int { (Self.allCases.firstIndex(of: self) ?? 0) + 1 }
}
