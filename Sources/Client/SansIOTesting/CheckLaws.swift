public import SansIO

/// Drives a machine with random events and wakes, and throws at the first broken law.
///
/// Checks L1 to L5, L7 to L9 and L11; L6 and L10 are shown by each machine's own transcripts.
///
/// - Parameters:
///   - seed: Chooses the events, the pauses between them and the wakes.
///   - steps: How many calls the machine gets.
///   - make: Makes the machine; called twice, to compare two equal starts (law L1).
///   - frame: The handle that an effect hands out, if it hands one out (law L11).
///   - finish: An event after which no frame may be left inside the machine (law L11).
///   - event: Draws the next event.
/// - Throws: The first violation.
public func checkLaws<Machine: StateMachine>(
    seed: UInt64,
    steps: Int,
    make: () -> Machine,
    frame: (Machine.Effect) -> FrameHandle? = { _ in nil },
    finish: Machine.Event? = nil,
    event: (inout LawRandom, Instant) -> Machine.Event
) throws(LawViolation) {
    var checker = LawChecker(seed: seed, machine: make(), twin: make())
    for step in 0..<steps {
        checker.step = step
        try checker.advance(frame: frame, event: event)
    }
    if let finish {
        try checker.end(with: finish, frame: frame)
    }
}

/// The state of one check: the machine, its twin, the present and the frames inside.
private struct LawChecker<Machine: StateMachine> {
    let seed: UInt64
    var step = 0
    var machine: Machine
    var twin: Machine
    var random: LawRandom
    var now = Instant.zero
    var inside: Set<FrameHandle> = []

    init(seed: UInt64, machine: Machine, twin: Machine) {
        self.seed = seed
        self.machine = machine
        self.twin = twin
        random = LawRandom(seed: seed)
    }

    func violation(_ law: String, _ what: String) -> LawViolation {
        LawViolation(law: law, seed: seed, step: step, what: what)
    }

    mutating func advance(
        frame: (Machine.Effect) -> FrameHandle?,
        event: (inout LawRandom, Instant) -> Machine.Event
    ) throws(LawViolation) {
        now = Instant(nanoseconds: now.nanoseconds + pause())
        try wakeEarly()
        if let deadline = machine.deadline, deadline.instant <= now || random.chance(percent: 10) {
            now = max(now, deadline.instant)
            try wakeDue(frame: frame)
        }
        let fact = event(&random, now)
        inside.formUnion(random.takeFramesMade())
        let now = now
        try call("event \(fact)", frame: frame) { machine, effects in
            machine.handle(fact, at: now, into: &effects)
        }
    }

    /// Mostly a few milliseconds; now and then none at all, or as long as a suspended app sleeps.
    mutating func pause() -> Int64 {
        switch random.below(20) {
        case 0: 0
        case 1: Int64(random.below(60_000)) * 1_000_000
        default: Int64(random.below(40_000)) * 1_000
        }
    }

    mutating func wakeEarly() throws(LawViolation) {
        guard machine.deadline.map({ $0.instant > now }) ?? true else { return }
        let before = machine
        var effects = EffectBuffer<Machine.Effect>()
        machine.wake(at: now, into: &effects)
        guard effects.effects.isEmpty, machine == before else {
            throw violation("L2", "a wake before the deadline emitted \(effects.effects)")
        }
    }

    mutating func wakeDue(frame: (Machine.Effect) -> FrameHandle?) throws(LawViolation) {
        let now = now
        try call("wake", frame: frame) { machine, effects in
            machine.wake(at: now, into: &effects)
        }
        if let deadline = machine.deadline, deadline.instant <= now {
            throw violation("L3", "after a wake the deadline \(deadline.reason) is still due")
        }
    }

    mutating func call(
        _ name: String,
        frame: (Machine.Effect) -> FrameHandle?,
        _ body: (inout Machine, inout EffectBuffer<Machine.Effect>) -> Void
    ) throws(LawViolation) {
        let wasFinished = machine.isFinished
        let checkpoint = machine
        var effects = EffectBuffer<Machine.Effect>()
        var called = machine
        body(&called, &effects)
        machine = called
        try compare(name, checkpoint, effects.effects, body)
        guard effects.effects.count <= Machine.effectsPerCallMax else {
            throw violation("L9", "\(name) emitted \(effects.effects.count) effects")
        }
        guard !wasFinished || effects.effects.allSatisfy({ frame($0) != nil }) else {
            throw violation("L7", "\(name) after the end emitted \(effects.effects)")
        }
        for handle in effects.effects.compactMap(frame) where inside.remove(handle) == nil {
            throw violation("L11", "\(name) handed out frame \(handle.slot), which was not inside")
        }
    }

    /// Runs the same call on the twin (L1) and on a copy made before the call (L8).
    mutating func compare(
        _ name: String,
        _ checkpoint: Machine,
        _ effects: [Machine.Effect],
        _ body: (inout Machine, inout EffectBuffer<Machine.Effect>) -> Void
    ) throws(LawViolation) {
        var twinEffects = EffectBuffer<Machine.Effect>()
        var calledTwin = twin
        body(&calledTwin, &twinEffects)
        twin = calledTwin
        guard twinEffects.effects == effects, twin == machine else {
            throw violation("L1", "\(name) gave \(effects) and, to an equal start, other effects")
        }
        var copy = checkpoint
        var copyEffects = EffectBuffer<Machine.Effect>()
        body(&copy, &copyEffects)
        guard copyEffects.effects == effects, copy == machine else {
            throw violation("L8", "\(name) gave \(effects) and, to a copy, other effects")
        }
    }

    mutating func end(
        with finish: Machine.Event,
        frame: (Machine.Effect) -> FrameHandle?
    ) throws(LawViolation) {
        let now = now
        try call("the finishing event", frame: frame) { machine, effects in
            machine.handle(finish, at: now, into: &effects)
        }
        guard inside.isEmpty else {
            throw violation("L11", "\(inside.count) frames never left the machine")
        }
    }
}
