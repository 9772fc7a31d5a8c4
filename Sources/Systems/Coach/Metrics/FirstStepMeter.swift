import KodamaEvidence
import SansIO

/// Measures the onboarding's steps and self-talk.
struct FirstStepMeter {
    private var finished = Measure.share(
        "onboarding.finished.rate",
        "Of the users whose onboarding began: those who had all seven steps behind them by the end.",
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
        """
        Phrases that sounded by a loudspeaker, for longer than the instant in which the app hears that its output \
        has changed; of all.
        """,
        "AN-16",
        occasions: .atOnce
    )
    private var resumes = Invariant(
        "onboarding.loses-no-step",
        "The step that is shown is the first that the store does not have, and the store loses none.",
        "AN-14"
    )

    /// A user of an app; another user of the phone has another store, and other first steps.
    private struct User: Hashable {
        let app: ComponentIndex
        let account: Int64

        var place: (UInt32, Int64) { (app.index, account) }
    }

    /// A user's first steps.
    private struct Steps {
        let start: TraceRecord
        var kept: Int64 = 0
        var answered: Int64 = 0
        var isFinished = false
    }

    /// A phrase that sounds.
    private struct Phrase {
        /// Since when it sounds by a loudspeaker.
        var aloudSince: TraceRecord?
        /// The first record by which it did so before.
        var wasAloud: TraceRecord?
    }

    private var steps: [User: Steps] = [:]
    /// The account whose store each app has open.
    private var accounts: [ComponentIndex: Int64] = [:]
    private var triggers: [ComponentIndex: TraceRecord] = [:]
    /// The phrases that sound.
    private var sounding: [ComponentIndex: Phrase] = [:]

    var metrics: [any AnyMeasure] { [finished, repeated, played, aloud] }
    var invariants: [Invariant] { [resumes] }

    mutating func take(_ record: TraceRecord, at position: Int) {
        let app = record.component
        switch record.kind {
        case StoreOpened.kind: accounts[app] = StoreOpened(record).account
        case OnboardingShown.kind:
            let shown = OnboardingShown(record)
            let user = user(of: app)
            var found = steps[user] ?? Steps(start: record)
            resumes.check(shown.step == shown.kept + 1, record, at: position)
            resumes.check(shown.kept >= found.kept, record, at: position)
            repeated.add(shown.step <= found.answered ? 1 : 0, at: Occurrence(record))
            found.kept = shown.kept
            found.isFinished = shown.step == 8
            steps[user] = found
        case OnboardingAnswered.kind:
            let step = OnboardingAnswered(record).step
            let user = user(of: app)
            let before = steps[user]?.answered ?? 0
            steps[user]?.answered = max(before, step)
        case TriggerSeen.kind:
            leave(app)
            let trigger = TriggerSeen(record)
            if trigger.output.value == .worn, trigger.phrases > 0 { triggers[app] = record }
        case PhraseSounded.kind:
            sounds(PhraseSounded(record).output.value, record)
        default: return
        }
    }

    private func user(of app: ComponentIndex) -> User {
        User(app: app, account: accounts[app] ?? 0)
    }

    /// A phrase sounds by this output from now on, or no more.
    private mutating func sounds(_ output: PhraseOutput?, _ record: TraceRecord) {
        let app = record.component
        var phrase = sounding[app] ?? Phrase()
        if let since = phrase.aloudSince, since.instant < record.instant {
            phrase.wasAloud = phrase.wasAloud ?? since
        }
        phrase.aloudSince = output == .aloud ? record : nil
        sounding[app] = phrase
        guard output != nil else { return close(app, record) }
        guard let trigger = triggers.removeValue(forKey: app) else { return }
        let isSoon = trigger.instant.duration(to: record.instant) <= .seconds(10)
        played.add(isSoon ? 1 : 0, of: 1, at: Occurrence(trigger))
    }

    private mutating func close(_ app: ComponentIndex, _ record: TraceRecord) {
        guard let phrase = sounding.removeValue(forKey: app) else { return }
        aloud.add(phrase.wasAloud == nil ? 0 : 1, at: Occurrence(phrase.wasAloud ?? record))
    }

    private mutating func leave(_ app: ComponentIndex) {
        guard let trigger = triggers.removeValue(forKey: app) else { return }
        played.add(0, of: 1, at: Occurrence(trigger))
    }

    /// The run is over.
    mutating func end() {
        for app in triggers.keys.sorted(by: { $0.index < $1.index }) { leave(app) }
        for user in steps.keys.sorted(by: { $0.place < $1.place }) {
            guard let found = steps[user] else { continue }
            finished.add(found.isFinished ? 1 : 0, of: 1, at: Occurrence(found.start))
        }
        for app in sounding.keys.sorted(by: { $0.index < $1.index }) {
            // One that sounds aloud at the end does so for longer than an instant.
            guard let since = sounding[app]?.wasAloud ?? sounding[app]?.aloudSince else { continue }
            aloud.add(1, at: Occurrence(since))
        }
        (steps, sounding) = ([:], [:])
    }
}
