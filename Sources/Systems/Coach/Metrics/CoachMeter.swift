import KodamaEvidence
import SansIO

/// Measures mornings: which link of the chain each was lost at, what the app knows of it, and what the
/// ladder costs.
struct CoachMeter: SystemMeter {
    private var measures = CoachMeasures()
    private var nudges = NudgeMeter()
    private var energy = EnergyMeasures()
    private var accounts = AccountMeter()
    private var billing = BillingMeter()
    private var mirror = MirrorMeter()
    private var voices = VoiceMeter()
    private var habits = HabitMeter()
    private var firstSteps = FirstStepMeter()
    private var talks = TalkMeter()
    private var noticedAfterSound = Invariant(
        "coach.hears-before-it-notices",
        "A sleeper notices only what sounds.",
        "K-23"
    )
    private var multiplies = Invariant(
        "coach.links-multiply",
        """
        Each link of wake.chain.* counts the mornings that the one before it kept, and all of them \
        multiply to wake.success.rate.
        """,
        "K-23"
    )
    /// The apps in the order in which they first said something.
    private var apps: [ComponentIndex] = []
    /// The mornings of each that are not counted yet, from early to late.
    private var mornings: [[Morning]] = []
    /// Whether each one's user is in bed before a wake is due, and the sound that began there last.
    private var isInBed: [Bool] = []
    private var early: [Occurrence?] = []
    private var levels: [Int64] = []
    /// Since when the agent's voice is gone of which a line is awaited.
    private var takeovers: [Occasion?] = []
    /// Whether the agent's voice comes through.
    private var isAgentThere: [Bool] = []
    /// Whether a line of a conversation that goes on has been heard.
    private var isGuiding: [Bool] = []
    /// Since when the microphone is open without a conversation.
    private var idle: [Occasion?] = []

    init(_ directory: TraceDirectory) {}

    var metrics: [any AnyMeasure] {
        measures.all + nudges.metrics + energy.metrics + accounts.metrics + billing.metrics
            + mirror.metrics + voices.metrics + habits.metrics + firstSteps.metrics
            + talks.metrics
    }
    var invariants: [Invariant] {
        [noticedAfterSound, multiplies, energy.invariant] + accounts.invariants
            + mirror.invariants + voices.invariants + habits.invariants + firstSteps.invariants
    }

    mutating func record(contentsOf records: [TraceRecord], from position: Int) {
        for (offset, record) in records.enumerated() {
            if record.kind.system == .coach {
                firstSteps.take(record, at: position + offset)
                if accounts.take(record, at: position + offset) { continue }
                if billing.take(record) { continue }
                if mirror.take(record, at: position + offset) { continue }
                if voices.take(record, at: position + offset) { continue }
                take(record, at: position + offset)
                nudges.take(record)
                habits.take(record, at: position + offset)
                talks.take(record)
                energy.take(record, at: position + offset)
            } else if record.kind == AppTerminated.kind {
                talks.processEnded(record.component)
                guard let index = apps.firstIndex(of: record.component) else { continue }
                isGuiding[index] = false
                leaveTakeover("the process ended", index, record)
            } else if record.kind == RunEnded.kind {
                for index in apps.indices {
                    countEarly(index)
                    for morning in mornings[index] { close(morning, index, at: record.instant) }
                }
                nudges.end(at: record.instant)
                habits.end(at: record.instant)
                firstSteps.end()
                guard !apps.isEmpty else { continue }
                multiplies.check(measures.linksMultiply, record, at: position + offset)
            }
        }
    }

    private mutating func take(_ record: TraceRecord, at position: Int) {
        let index = index(of: record.component)
        switch record.kind {
        case MorningDue.kind, WakeUnneeded.kind: open(Morning(record), index)
        case EntryFired.kind:
            let away = EntryFired(record).scheduled.duration(to: record.instant)
            let error = max(away, .zero - away).wholeNanoseconds
            measures.error.add(error, at: Occurrence(record))
            measures.lost.add(0, at: Occurrence(record))
            let sound = EntryFired(record).sound.value
            measures.ownSound.add(sound == .preloaded ? 1 : 0, of: 1, at: Occurrence(record))
            measures.missingSound.add(sound == .missing ? 1 : 0, of: 1, at: Occurrence(record))
        case AudioFetched.kind:
            let isThere = AudioFetched(record).isThere.isSet
            measures.preload.add(isThere ? 1 : 0, of: 1, at: Occurrence(record))
        case EntryLost.kind: measures.lost.add(1, at: Occurrence(record))
        case SoundHeard.kind:
            let level = SoundHeard(record).levelDecibels
            if level > 0, levels[index] == 0 { sounded(index, record) }
            levels[index] = level
        case SleeperActed.kind: act(record, of: index, at: position)
        case ListeningChanged.kind: listen(ListeningChanged(record), index, record)
        case AgentVoiceChanged.kind: changeVoice(AgentVoiceChanged(record), index, record)
        case LineBegan.kind:
            isGuiding[index] = true
            let isOffline = LineBegan(record).isOffline.isSet
            if isAgentThere[index] {
                measures.needless.add(isOffline ? 1 : 0, of: 1, at: Occurrence(record))
            }
            if isOffline, let takeover = takeovers[index] {
                takeovers[index] = nil
                let length = takeover.start.duration(to: record.instant).wholeNanoseconds
                measures.takeover.close(takeover, length, at: record.instant)
            }
            guard let asked = talk(index, at: record.instant, isOffline: isOffline) else { return }
            measures.tapToTalk.add(
                asked.duration(to: record.instant).wholeNanoseconds,
                at: Occurrence(from: asked, until: record.instant, of: record.component, record)
            )
        case LineSounded.kind:
            let sound = LineSounded(record)
            measures.concealed.add(
                sound.concealed,
                of: sound.frames,
                samples: Int(sound.frames),
                at: Occurrence(record)
            )
        case WordHeard.kind:
            let word = WordHeard(record)
            measures.recognised.add(word.isRight.isSet ? 1 : 0, of: 1, at: Occurrence(record))
            measures.lostWords.add(
                word.lost,
                of: word.frames,
                samples: Int(word.frames),
                at: Occurrence(record)
            )
        case MorningEnded.kind:
            leaveTakeover("the conversation was over", index, record)
            guard MorningEnded(record).outcome.value == .done else { return }
            reach(\.finished, index, at: record.instant)
        case FactKept.kind:
            switch FactKept(record).fact.value {
            case .wakeTriggered: tick(\.isKnown, index)
            case .wakeDone: tick(\.isKnownDone, index)
            default: return
            }
        default: return
        }
    }

    /// The agent's voice is gone, or there again.
    private mutating func changeVoice(
        _ form: AgentVoiceChanged,
        _ index: Int,
        _ record: TraceRecord
    ) {
        isAgentThere[index] = form.isThere.isSet
        if form.isThere.isSet {
            leaveTakeover("the agent was back", index, record)
        } else if form.isAwaited.isSet, takeovers[index] == nil {
            let app = record.component
            takeovers[index] = measures.takeover.open(at: record.instant, of: app, record)
        }
    }

    /// The microphone opens or closes, or a conversation begins or ends.
    private mutating func listen(_ form: ListeningChanged, _ index: Int, _ record: TraceRecord) {
        if !form.isWanted.isSet { isGuiding[index] = false }
        let isIdle = form.isOpen.isSet && !form.isWanted.isSet
        guard isIdle != (idle[index] != nil) else { return }
        guard let spell = idle[index] else {
            let app = record.component
            idle[index] = measures.idleMicrophone.open(at: record.instant, of: app, record)
            return
        }
        idle[index] = nil
        let length = spell.start.duration(to: record.instant).wholeNanoseconds
        measures.idleMicrophone.close(spell, length, at: record.instant)
    }

    private mutating func leaveTakeover(_ reason: String, _ index: Int, _ record: TraceRecord) {
        guard let takeover = takeovers[index] else { return }
        takeovers[index] = nil
        measures.takeover.exclude(takeover, reason, at: record.instant)
    }

    private mutating func act(_ record: TraceRecord, of index: Int, at position: Int) {
        switch SleeperActed(record).deed.value {
        case .notices:
            noticedAfterSound.check(levels[index] > 0, record, at: position)
            reach(\.noticed, index, at: record.instant)
        case .answers:
            guard let latest = mornings[index].indices.last else { return }
            if let former = mornings[index][latest].unanswered, former < record.instant {
                leave(waiting: former, until: record.instant, of: record.component)
            }
            for open in mornings[index].indices { mornings[index][open].answer(at: record.instant) }
            mornings[index][latest].unanswered = record.instant
        case .goesToBed:
            countEarly(index)
            isInBed[index] = true
            for open in mornings[index].indices { mornings[index][open].isInBed = true }
        case .rises, .risesAlone, .leaves: reach(\.up, index, at: record.instant)
        default: return
        }
    }

    private mutating func index(of app: ComponentIndex) -> Int {
        if let index = apps.firstIndex(of: app) { return index }
        apps.append(app)
        mornings.append([])
        isInBed.append(false)
        early.append(nil)
        levels.append(0)
        takeovers.append(nil)
        isAgentThere.append(false)
        idle.append(nil)
        isGuiding.append(false)
        return apps.count - 1
    }

    // MARK: Mornings that go on

    /// A wake is due: mornings of the days before are over, those of this day go on with it.
    private mutating func open(_ next: Morning, _ index: Int) {
        var next = next
        // What sounds at the very instant is not early.
        if early[index]?.span.end == next.due.nanoseconds {
            early[index] = nil
            measures.untimely.add(0, at: Occurrence(next.record))
        }
        countEarly(index)
        isInBed[index] = false
        let former = mornings[index]
        mornings[index] = former.filter { !$0.isOver(at: next.due) }
        for morning in former where morning.isOver(at: next.due) {
            close(morning, index, at: next.due)
        }
        if let latest = mornings[index].indices.last {
            next.unanswered = mornings[index][latest].unanswered
            mornings[index][latest].unanswered = nil
        }
        // Of what happens at one instant the sound may come first.
        if levels[index] > 0 { next.sounded(at: next.due, counts: true) }
        mornings[index].append(next)
    }

    /// A sound begins: it counts for the latest wake, and each that is due has rung.
    private mutating func sounded(_ index: Int, _ record: TraceRecord) {
        measures.soundsInGuide.add(isGuiding[index] ? 1 : 0, at: Occurrence(record))
        countEarly(index)
        if isInBed[index] {
            early[index] = Occurrence(record)
        } else {
            measures.untimely.add(0, at: Occurrence(record))
        }
        for open in mornings[index].indices {
            let isLatest = open == mornings[index].count - 1
            mornings[index][open].sounded(at: record.instant, counts: isLatest)
        }
    }

    /// The sound that began before its time woke for nothing.
    private mutating func countEarly(_ index: Int) {
        guard let place = early[index] else { return }
        early[index] = nil
        measures.untimely.add(1, at: place)
    }

    /// A word of the guide is heard.
    ///
    /// - Returns: When it was asked for, if it is the first since.
    private mutating func talk(_ index: Int, at now: Instant, isOffline: Bool) -> Instant? {
        for open in mornings[index].indices {
            mornings[index][open].talk(at: now, isOffline: isOffline)
        }
        guard let latest = mornings[index].indices.last else { return nil }
        defer { mornings[index][latest].unanswered = nil }
        return mornings[index][latest].unanswered
    }

    private mutating func reach(
        _ step: WritableKeyPath<Morning, Instant?>,
        _ index: Int,
        at now: Instant
    ) {
        for open in mornings[index].indices { mornings[index][open].reach(step, at: now) }
    }

    /// The app's analytics have a fact, which is the latest morning's that they lack it of.
    private mutating func tick(_ fact: WritableKeyPath<Morning, Bool>, _ index: Int) {
        let open = mornings[index].lastIndex { $0.isNeeded && !$0[keyPath: fact] }
        if let open { mornings[index][open][keyPath: fact] = true }
    }

    // MARK: A morning is over

    /// Counts a morning on a later day, or with the run.
    private mutating func close(_ morning: Morning, _ index: Int, at now: Instant) {
        let place = Occurrence(from: morning.due, until: now, of: apps[index], morning.record)
        guard morning.isNeeded else {
            measures.excludeMorning("an earlier wake had roused its user", place)
            return addSounds(of: morning, place, isOver: morning.end <= now)
        }
        let isEnded = morning.end <= now
        measures.unended.add(isEnded ? 0 : 1, at: place)
        guard isEnded else { return leaveOpen(morning, place, at: now, of: apps[index]) }
        measures.phoneOff.add(morning.isPhoneOn ? 0 : 1, at: place)
        guard morning.isPhoneOn else { return measures.excludeMorning("its phone was off", place) }
        addChain(morning, place)
        func ratio(_ isPart: Bool) -> Int64 { isPart ? 1 : 0 }
        let isGood = morning.links.allSatisfy { $0 }
        measures.success.add(ratio(isGood), of: 1, at: place)
        if isGood { addFallbacks(of: morning, place) }
        if morning.talked != nil {
            measures.agentTalks.add(ratio(!morning.isTalkOffline), of: 1, at: place)
        }
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
        addSounds(of: morning, place, isOver: true)
        if let asked = morning.unanswered, asked < morning.end {
            leave(waiting: asked, until: morning.end, of: apps[index])
        }
    }

    /// Which fallbacks a good morning had need of.
    private mutating func addFallbacks(of morning: Morning, _ place: Occurrence) {
        let wait = morning.due.duration(to: morning.heard ?? morning.due)
        measures.savedByLadder.add(wait > .seconds(1) ? 1 : 0, of: 1, at: place)
        measures.savedByRearming.add(morning.answerCount > 1 ? 1 : 0, of: 1, at: place)
        measures.savedOffline.add(morning.hasOfflineLine ? 1 : 0, of: 1, at: place)
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
        addSounds(of: morning, place, isOver: false)
        if let asked = morning.unanswered { leave(waiting: asked, until: now, of: app) }
    }

    private mutating func addSounds(of morning: Morning, _ place: Occurrence, isOver: Bool) {
        if isOver {
            measures.sounds.add(morning.soundCount, at: place)
            measures.soundsAfterUp.add(morning.soundsAfterUp, at: place)
        } else {
            measures.sounds.censor(morning.soundCount, at: place)
            measures.soundsAfterUp.censor(morning.soundsAfterUp, at: place)
        }
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
        for (link, holds) in zip(CoachMeasures.links, morning.links) {
            measures[keyPath: link].add(holds ? 1 : 0, of: 1, at: place)
            guard holds else { return }
        }
    }
}

/// What one morning has come to so far.
private struct Morning {
    /// K-05's half hour (D-17).
    private static let window: Duration = .seconds(1_800)
    /// Wakes that are due closer to each other belong to one day; half a day.
    private static let dayMin: Duration = .seconds(43_200)

    let record: TraceRecord
    let due: Instant
    /// Whether its user was not roused by an earlier wake.
    let isNeeded: Bool
    let isPhoneOn: Bool
    /// Whether the app has told its user that it will wake them.
    let isPromised: Bool
    private let isArmed: Bool
    private(set) var heard: Instant?
    var noticed: Instant?
    private var answered: Instant?
    private(set) var answerCount = 0
    private(set) var talked: Instant?
    /// Whether the phone's own voice said the first line, and any line.
    private(set) var isTalkOffline = false
    private(set) var hasOfflineLine = false
    var finished: Instant?
    var up: Instant?
    /// Whether the sleeper has gone to bed again.
    var isInBed = false
    /// When the sleeper answered, if no word of the guide was heard since; of the latest morning only.
    var unanswered: Instant?
    private(set) var soundCount: Int64 = 0
    private(set) var soundsAfterUp: Int64 = 0
    /// Whether the app's analytics have it as triggered, and as done.
    var isKnown = false
    var isKnownDone = false

    init(_ record: TraceRecord) {
        self.record = record
        due = record.instant
        isNeeded = record.kind == MorningDue.kind
        let form = isNeeded ? MorningDue(record) : nil
        isPhoneOn = form?.isPhoneOn.isSet ?? true
        isPromised = form?.route.value != nil
        isArmed = form.map { $0.armed > 0 } ?? false
    }

    /// Whether a wake that is due then is of a later day.
    func isOver(at now: Instant) -> Bool { due.duration(to: now) >= Self.dayMin }

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

    /// A sound begins, and counts for this wake or for a later one.
    mutating func sounded(at now: Instant, counts: Bool) {
        heard = heard ?? now
        guard counts else { return }
        soundCount += 1
        // A user who is up has asked for the first sound of a further wake, and not for its ladder.
        if isNeeded ? up != nil && !isInBed : soundCount > 1 && !isInBed { soundsAfterUp += 1 }
    }

    mutating func answer(at now: Instant) {
        answered = answered ?? now
        answerCount += 1
    }

    mutating func talk(at now: Instant, isOffline: Bool) {
        if talked == nil { isTalkOffline = isOffline }
        if isOffline { hasOfflineLine = true }
        talked = talked ?? now
    }
}
