import KodamaEvidence
import SansIO

/// Measures mornings: which link of the chain each was lost at, what the app knows of it, and what the
/// ladder costs.
struct CoachMeter: SystemMeter {
    private var measures = CoachMeasures()
    private var nudges = NudgeMeter()
    private var energy = EnergyMeasures()
    private var noticedAfterSound = Invariant(
        "coach.hears-before-it-notices",
        "A sleeper notices only what sounds.",
        "K-23"
    )
    /// The apps in the order in which they first said something.
    private var apps: [ComponentIndex] = []
    private var mornings: [Morning?] = []
    private var levels: [Int64] = []

    init(_ directory: TraceDirectory) {}

    var metrics: [any AnyMeasure] { measures.all + nudges.metrics + energy.metrics }
    var invariants: [Invariant] { [noticedAfterSound, energy.invariant] }

    mutating func record(contentsOf records: [TraceRecord], from position: Int) {
        for (offset, record) in records.enumerated() {
            if record.kind.system == .coach {
                take(record, at: position + offset)
                nudges.take(record)
                energy.take(record, at: position + offset)
            } else if record.kind == RunEnded.kind {
                for index in apps.indices { close(index, at: record.instant) }
                nudges.end(at: record.instant)
            }
        }
    }

    private mutating func take(_ record: TraceRecord, at position: Int) {
        let index = index(of: record.component)
        switch record.kind {
        case MorningDue.kind:
            close(index, at: record.instant)
            mornings[index] = Morning(record)
            // Of what happens at one instant the sound may come first.
            if levels[index] > 0 { mornings[index]?.sounded(at: record.instant) }
        case EntryFired.kind:
            let away = EntryFired(record).scheduled.duration(to: record.instant)
            let error = max(away, .zero - away).wholeNanoseconds
            measures.error.add(error, at: Occurrence(record))
            measures.lost.add(0, at: Occurrence(record))
        case EntryLost.kind: measures.lost.add(1, at: Occurrence(record))
        case SoundHeard.kind:
            let level = SoundHeard(record).levelDecibels
            if level > 0, levels[index] == 0 { mornings[index]?.sounded(at: record.instant) }
            levels[index] = level
        case SleeperActed.kind: act(record, of: index, at: position)
        case LineBegan.kind:
            guard let asked = mornings[index]?.talk(at: record.instant) else { return }
            measures.tapToTalk.add(
                asked.duration(to: record.instant).wholeNanoseconds,
                at: Occurrence(from: asked, until: record.instant, of: record.component, record)
            )
        case MorningEnded.kind:
            guard MorningEnded(record).outcome.value == .done else { return }
            mornings[index]?.reach(\.finished, at: record.instant)
        case FactKept.kind:
            switch FactKept(record).fact.value {
            case .wakeTriggered: mornings[index]?.isKnown = true
            case .wakeDone: mornings[index]?.isKnownDone = true
            default: return
            }
        default: return
        }
    }

    private mutating func act(_ record: TraceRecord, of index: Int, at position: Int) {
        switch SleeperActed(record).deed.value {
        case .notices:
            noticedAfterSound.check(levels[index] > 0, record, at: position)
            mornings[index]?.reach(\.noticed, at: record.instant)
        case .answers:
            if let former = mornings[index]?.unanswered, former < record.instant {
                leave(waiting: former, until: record.instant, of: record.component)
            }
            mornings[index]?.answer(at: record.instant)
        case .goesToBed: mornings[index]?.isInBed = true
        case .rises, .risesAlone: mornings[index]?.reach(\.up, at: record.instant)
        default: return
        }
    }

    private mutating func index(of app: ComponentIndex) -> Int {
        if let index = apps.firstIndex(of: app) { return index }
        apps.append(app)
        mornings.append(nil)
        levels.append(0)
        return apps.count - 1
    }

    // MARK: A morning is over

    /// Counts a morning when the next one begins, or with the run.
    private mutating func close(_ index: Int, at now: Instant) {
        guard let morning = mornings[index] else { return }
        mornings[index] = nil
        let place = Occurrence(from: morning.due, until: now, of: apps[index], morning.record)
        let isEnded = morning.end <= now
        measures.unended.add(isEnded ? 0 : 1, at: place)
        guard isEnded else { return leaveOpen(morning, place, at: now, of: apps[index]) }
        measures.phoneOff.add(morning.isPhoneOn ? 0 : 1, at: place)
        guard morning.isPhoneOn else { return measures.excludeMorning("its phone was off", place) }
        addChain(morning, place)
        func ratio(_ isPart: Bool) -> Int64 { isPart ? 1 : 0 }
        measures.success.add(ratio(morning.links.allSatisfy { $0 }), of: 1, at: place)
        if morning.isKnown {
            measures.appRate.add(ratio(morning.isKnownDone), of: 1, at: place)
        } else {
            measures.appRate.exclude("the app's analytics have nothing of it", at: place)
        }
        measures.unseen.add(ratio(!morning.isKnown), of: 1, at: place)
        measures.upAnyhow.add(ratio(morning.isInTime(morning.up)), of: 1, at: place)
        if morning.isPromised {
            measures.falseGreen.add(ratio(!morning.isInTime(morning.heard)), of: 1, at: place)
        }
        let heard = morning.isInTime(morning.heard) ? morning.heard : nil
        let late = morning.due.duration(to: heard ?? morning.end).wholeNanoseconds
        measures.late.add(late, isOpen: heard == nil, at: place)
        measures.sounds.add(morning.soundCount, at: place)
        measures.soundsAfterUp.add(morning.soundsAfterUp, at: place)
        if let asked = morning.unanswered, asked < morning.end {
            leave(waiting: asked, until: morning.end, of: apps[index])
        }
    }

    /// The run is over before the half hour of a morning is.
    private mutating func leaveOpen(
        _ morning: Morning,
        _ place: Occurrence,
        at now: Instant,
        of app: ComponentIndex
    ) {
        measures.phoneOff.add(morning.isPhoneOn ? 0 : 1, at: place)
        guard morning.isPhoneOn else { return measures.excludeMorning("its phone was off", place) }
        measures.censorMorning(place)
        if let heard = morning.heard {
            measures.late.add(morning.due.duration(to: heard).wholeNanoseconds, at: place)
        } else {
            measures.late.censor(morning.due.duration(to: now).wholeNanoseconds, at: place)
        }
        measures.sounds.censor(morning.soundCount, at: place)
        measures.soundsAfterUp.censor(morning.soundsAfterUp, at: place)
        if let asked = morning.unanswered { leave(waiting: asked, until: now, of: app) }
    }

    /// An answer that no word of the guide followed.
    private mutating func leave(waiting: Instant, until end: Instant, of app: ComponentIndex) {
        measures.tapToTalk.censor(
            waiting.duration(to: end).wholeNanoseconds,
            at: Occurrence(from: waiting, until: end, of: app)
        )
    }

    /// Each link counts the mornings that the one before it kept.
    private mutating func addChain(_ morning: Morning, _ place: Occurrence) {
        let measured: [WritableKeyPath<CoachMeasures, Measure<Proportion>>] = [
            \.armed, \.rang, \.noticed, \.answered, \.talked, \.finished, \.up,
        ]
        for (link, holds) in zip(measured, morning.links) {
            measures[keyPath: link].add(holds ? 1 : 0, of: 1, at: place)
            guard holds else { return }
        }
    }
}

/// What one morning has come to so far.
private struct Morning {
    /// K-05's half hour (D-17).
    private static let window: Duration = .seconds(1_800)

    let record: TraceRecord
    let due: Instant
    let isPhoneOn: Bool
    /// Whether the app has told its user that it will wake them.
    let isPromised: Bool
    private let isArmed: Bool
    private(set) var heard: Instant?
    var noticed: Instant?
    private var answered: Instant?
    private var talked: Instant?
    var finished: Instant?
    var up: Instant?
    /// Whether the sleeper has gone to bed again.
    var isInBed = false
    /// When the sleeper answered, if no word of the guide was heard since.
    private(set) var unanswered: Instant?
    private(set) var soundCount: Int64 = 0
    private(set) var soundsAfterUp: Int64 = 0
    /// Whether the app's analytics have it as triggered, and as done.
    var isKnown = false
    var isKnownDone = false

    init(_ record: TraceRecord) {
        let form = MorningDue(record)
        self.record = record
        due = record.instant
        isPhoneOn = form.isPhoneOn.isSet
        isPromised = form.route.value != nil
        isArmed = form.armed > 0
    }

    /// When its half hour is over.
    var end: Instant { due.advanced(by: Self.window) }

    func isInTime(_ instant: Instant?) -> Bool { instant.map { $0 < end } ?? false }

    /// Whether each link of the chain held, in order.
    var links: [Bool] {
        [isArmed] + [heard, noticed, answered, talked, finished, up].map(isInTime)
    }

    mutating func reach(_ step: WritableKeyPath<Morning, Instant?>, at now: Instant) {
        self[keyPath: step] = self[keyPath: step] ?? now
    }

    mutating func sounded(at now: Instant) {
        heard = heard ?? now
        soundCount += 1
        if up != nil, !isInBed { soundsAfterUp += 1 }
    }

    mutating func answer(at now: Instant) {
        answered = answered ?? now
        unanswered = now
    }

    /// A word of the guide is heard.
    ///
    /// - Returns: When it was asked for, if it is the first since.
    mutating func talk(at now: Instant) -> Instant? {
        talked = talked ?? now
        defer { unanswered = nil }
        return unanswered
    }
}
