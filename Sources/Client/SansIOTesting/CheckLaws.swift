public import SansIO

/// Drives a machine with random events and wakes, and throws at the first broken law.
///
/// Checks L1 to L9 and L11; L10 is shown by each machine's own transcripts.
///
/// - Parameters:
///   - seed: Chooses the events, the pauses between them and the wakes.
///   - steps: How many calls the machine gets.
///   - make: Makes the machine; called twice, to compare two equal starts (law L1).
///   - foreign: Answers to operations that the machine has never begun (law L6).
///   - frame: The handle that an effect hands out, if it hands one out (law L11).
///   - finish: An event after which no frame may be left inside the machine (law L11).
///   - event: Draws the next event.
/// - Throws: The first violation.
public func checkLaws<Machine: StateMachine>(
    seed: UInt64,
    steps: Int,
    make: () -> Machine,
    foreign: [Machine.Event] = [],
    frame: (Machine.Effect) -> FrameHandle? = { _ in nil },
    finish: Machine.Event? = nil,
    event: (inout LawRandom, Instant) -> Machine.Event
) throws(LawViolation) {
    var checker = LawChecker(seed: seed, machine: make(), twin: make())
    for step in 0..<steps {
        checker.step = step
        try checker.advance(frame: frame, event: event)
        try checker.ignore(foreign)
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
        try call("event \(fact)", fact, frame: frame)
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
        let effects = machine.drive(nil, at: now)
        guard effects.isEmpty, machine == before else {
            throw violation("L2", "a wake before the deadline emitted \(effects)")
        }
    }

    mutating func wakeDue(frame: (Machine.Effect) -> FrameHandle?) throws(LawViolation) {
        try call("wake", nil, frame: frame)
        if let deadline = machine.deadline, deadline.instant <= now {
            throw violation("L3", "after a wake the deadline \(deadline.reason) is still due")
        }
    }

    /// Gives a copy of the machine each answer that is for somebody else.
    func ignore(_ foreign: [Machine.Event]) throws(LawViolation) {
        for answer in foreign {
            var copy = machine
            let effects = copy.drive(answer, at: now)
            guard effects.isEmpty else {
                throw violation("L6", "\(answer), which it had not asked for, emitted \(effects)")
            }
            guard copy == machine else {
                throw violation("L6", "\(answer), which it had not asked for, changed its state")
            }
        }
    }

    /// Gives the machine an event, or wakes it.
    mutating func call(
        _ name: String,
        _ event: Machine.Event?,
        frame: (Machine.Effect) -> FrameHandle?
    ) throws(LawViolation) {
        let wasFinished = machine.isFinished
        let checkpoint = machine
        let effects = machine.drive(event, at: now)
        try compare(name, event, checkpoint, effects)
        guard effects.count <= Machine.effectsPerCallMax else {
            throw violation("L9", "\(name) emitted \(effects.count) effects")
        }
        guard !wasFinished || effects.allSatisfy({ frame($0) != nil }) else {
            throw violation("L7", "\(name) after the end emitted \(effects)")
        }
        for handle in effects.compactMap(frame) where inside.remove(handle) == nil {
            throw violation("L11", "\(name) handed out frame \(handle.slot), which was not inside")
        }
    }

    /// Makes the same call on the twin (L1) and on a copy made before the call (L8).
    mutating func compare(
        _ name: String,
        _ event: Machine.Event?,
        _ checkpoint: Machine,
        _ effects: [Machine.Effect]
    ) throws(LawViolation) {
        guard twin.drive(event, at: now) == effects, twin == machine else {
            throw violation("L1", "\(name) gave \(effects) and, to an equal start, other effects")
        }
        var copy = checkpoint
        guard copy.drive(event, at: now) == effects, copy == machine else {
            throw violation("L8", "\(name) gave \(effects) and, to a copy, other effects")
        }
    }

    mutating func end(
        with finish: Machine.Event,
        frame: (Machine.Effect) -> FrameHandle?
    ) throws(LawViolation) {
        try call("the finishing event", finish, frame: frame)
        guard inside.isEmpty else {
            throw violation("L11", "\(inside.count) frames never left the machine")
        }
    }
}
