import KodamaEvidence
import SansIO

/// Measures the onboarding's steps and self-talk.
struct FirstStepMeter {
    private var finished = Measure.share(
        "onboarding.finished.rate",
        "Of the apps whose onboarding began: those that had all seven steps behind them by the end.",
        "AN-14",
        better: .higher,
        occasions: .atOnce
    )
    private var repeated = Measure.count(
        "onboarding.steps.repeated",
        "Steps that were shown to a user who had ended them, of all that were shown.",
        "AN-14",
        occasions: .atOnce
    )
    private var played = Measure.share(
        "selftalk.rate",
        """
        Of the triggers that the phone saw while headphones were in the ears and the app had phrases: those \
        on which one began within 10 s.
        """,
        "AN-16",
        better: .higher,
        occasions: .atOnce
    )
    private var aloud = Measure.count(
        "selftalk.aloud",
        "Phrases that sounded by a loudspeaker, if only for a moment; of all.",
        "AN-16",
        occasions: .atOnce
    )
    private var resumes = Invariant(
        "onboarding.loses-no-step",
        "The step that is shown is the first that the store does not have, and the store loses none.",
        "AN-14"
    )

    /// Somebody's first steps.
    private struct Steps {
        let start: TraceRecord
        var kept: Int64 = 0
        var answered: Int64 = 0
        var isFinished = false
    }

    private var steps: [ComponentIndex: Steps] = [:]
    private var triggers: [ComponentIndex: TraceRecord] = [:]
    /// Whether the phrase that sounds was counted as aloud.
    private var sounding: [ComponentIndex: Bool] = [:]

    var metrics: [any AnyMeasure] { [finished, repeated, played, aloud] }
    var invariants: [Invariant] { [resumes] }

    mutating func take(_ record: TraceRecord, at position: Int) {
        let app = record.component
        switch record.kind {
        case OnboardingShown.kind:
            let shown = OnboardingShown(record)
            var found = steps[app] ?? Steps(start: record)
            resumes.check(shown.step == shown.kept + 1, record, at: position)
            resumes.check(shown.kept >= found.kept, record, at: position)
            repeated.add(shown.step <= found.answered ? 1 : 0, at: Occurrence(record))
            found.kept = shown.kept
            found.isFinished = shown.step == 8
            steps[app] = found
        case OnboardingAnswered.kind:
            let step = OnboardingAnswered(record).step
            let before = steps[app]?.answered ?? 0
            steps[app]?.answered = max(before, step)
        case TriggerSeen.kind:
            leave(app)
            let trigger = TriggerSeen(record)
            if trigger.output.value == .worn, trigger.phrases > 0 { triggers[app] = record }
        case PhraseSounded.kind:
            guard let output = PhraseSounded(record).output.value else {
                if sounding.removeValue(forKey: app) == false {
                    aloud.add(0, at: Occurrence(record))
                }
                return
            }
            if let trigger = triggers.removeValue(forKey: app) {
                let isSoon = trigger.instant.duration(to: record.instant) <= .seconds(10)
                played.add(isSoon ? 1 : 0, of: 1, at: Occurrence(trigger))
            }
            let wasAloud = sounding[app] ?? false
            if output == .aloud, !wasAloud { aloud.add(1, at: Occurrence(record)) }
            sounding[app] = wasAloud || output == .aloud
        default: return
        }
    }

    private mutating func leave(_ app: ComponentIndex) {
        guard let trigger = triggers.removeValue(forKey: app) else { return }
        played.add(0, of: 1, at: Occurrence(trigger))
    }

    /// The run is over.
    mutating func end() {
        for app in triggers.keys.sorted(by: { $0.index < $1.index }) { leave(app) }
        for app in steps.keys.sorted(by: { $0.index < $1.index }) {
            guard let found = steps[app] else { continue }
            finished.add(found.isFinished ? 1 : 0, of: 1, at: Occurrence(found.start))
        }
        steps = [:]
    }
}
