import SansIO
import SansIOTesting
import Testing

/// A machine that can be told which law to break.
private struct Metronome: StateMachine {
    enum Event: Sendable { case frame(FrameHandle), answered, stop }
    enum Effect: Sendable, Equatable { case tick(Int), release(FrameHandle) }
    enum Fault { case none, early, livelock, burst, afterlife, leak, twice, gullible, moved }

    static let effectsPerCallMax = 3
    static let period: Int64 = 1_000_000

    var fault = Fault.none
    var next = Instant(nanoseconds: Self.period)
    var ticks = 0
    var isFinished = false

    var deadline: Deadline? { isFinished ? nil : Deadline(next, "tick") }

    mutating func handle(_ event: Event, in turn: inout Turn<Effect>) {
        switch event {
        case .frame(let frame):
            guard fault != .leak || ticks % 2 == 0 else { return }
            turn.order(.release(frame))
            if fault == .twice { turn.order(.release(frame)) }
        case .answered:
            if fault == .gullible { turn.order(.tick(0)) }
            if fault == .moved { ticks += 1 }
            return
        case .stop:
            isFinished = true
        }
        if fault == .afterlife, isFinished { turn.order(.tick(0)) }
    }

    mutating func wake(in turn: inout Turn<Effect>) {
        guard fault == .early || (!isFinished && turn.now >= next) else { return }
        ticks += 1
        for _ in 0..<(fault == .burst ? 4 : 1) { turn.order(.tick(ticks)) }
        guard fault != .livelock else { return }
        let missed = (turn.now.nanoseconds - next.nanoseconds) / Self.period
        next = Instant(nanoseconds: next.nanoseconds + (missed + 1) * Self.period)
    }
}

private func violation(of fault: Metronome.Fault) -> LawViolation? {
    for seed in 0..<20 as Range<UInt64> {
        do throws(LawViolation) {
            try checkLaws(
                seed: seed,
                steps: 200,
                make: { Metronome(fault: fault) },
                foreign: [.answered],
                frame: { if case .release(let frame) = $0 { frame } else { nil } },
                finish: .stop,
                event: { random, _ in
                    random.chance(percent: fault == .afterlife ? 5 : 0)
                        ? .stop : .frame(random.newFrame())
                }
            )
        } catch {
            return error
        }
    }
    return nil
}

@Test("A machine that keeps the contract passes every law")
func lawfulMachine() {
    #expect(violation(of: .none) == nil)
}

@Test(
    "The law checker names the law that a machine breaks",
    arguments: [
        (Metronome.Fault.early, "L2"), (.livelock, "L3"), (.burst, "L9"), (.afterlife, "L7"),
        (.leak, "L11"), (.twice, "L11"), (.gullible, "L6"), (.moved, "L6"),
    ]
)
private func brokenLaw(fault: Metronome.Fault, law: String) {
    #expect(violation(of: fault)?.law == law)
}

@Test("A transcript accepts the listed effects and names the first that differs")
func transcript() throws {
    var story = Transcript(Metronome())
    try story.expectWake(at: .milliseconds(1)) { .tick(1) }
    try story.expect(.frame(FrameHandle(slot: 7)), at: .milliseconds(1)) {
        .release(FrameHandle(slot: 7))
    }
    #expect(throws: TranscriptMismatch.self) {
        try story.expectWake(at: .milliseconds(2)) { .tick(9) }
    }
}

@Test("A recorded machine replays to the same effects, and a changed one does not (HN-06)")
func recording() throws {
    var recording = MachineRecording(of: Metronome())
    var driver = MachineDriver(Metronome())
    for step in 1...5 {
        let now = Instant(nanoseconds: Int64(step) * Metronome.period)
        recording.noteCall(nil, at: now)
        driver.wake(at: now) { recording.noteEffect($0) }
    }
    #expect(try recording.replay() == driver.machine)

    var forged = MachineRecording(of: Metronome())
    forged.noteCall(nil, at: Instant(nanoseconds: Metronome.period))
    forged.noteEffect(.tick(2))
    #expect(throws: TranscriptMismatch.self) { try forged.replay() }
}
