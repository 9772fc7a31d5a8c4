import SansIO
import SansIOTesting
import Testing
import VoiceActivity

@Suite("Keepalive schedule")
struct KeepaliveScheduleTests {
    @Test("Keepalives come every second in silence, without drift (S-VAD-002)")
    func silence() {
        var schedule = Driven()
        schedule.send(.started, at: 0)
        schedule.runToDeadlines(until: 3_600_000)
        #expect(schedule.keepalives == (1...3600).map { $0 * 1000 })
    }

    @Test("The first keepalive after talk comes one period after the last datagram (S-VAD-002)")
    func talk() {
        var schedule = Driven()
        schedule.send(.started, at: 0)
        for time in stride(from: 700, through: 4_260, by: 20) {
            schedule.runToDeadlines(until: time)
            schedule.send(.voiceSent, at: time)
        }
        schedule.runToDeadlines(until: 7_000)
        #expect(schedule.keepalives == [5_260, 6_260])
    }

    @Test("While the path is probed they come at 10 Hz, and at 1 Hz after it (S-VAD-002)")
    func probing() {
        var schedule = Driven()
        schedule.send(.started, at: 0)
        schedule.runToDeadlines(until: 1_500)
        schedule.send(.probingBegan, at: 1_500)
        schedule.runToDeadlines(until: 1_750)
        schedule.send(.probingEnded, at: 1_750)
        schedule.runToDeadlines(until: 4_000)
        #expect(schedule.keepalives == [1_000, 1_500, 1_600, 1_700, 2_700, 3_700])
    }

    @Test("A late wake sends one keepalive and no burst")
    func lateWake() {
        var schedule = Driven()
        schedule.send(.started, at: 0)
        schedule.wake(at: 60_400)
        schedule.runToDeadlines(until: 62_500)
        #expect(schedule.keepalives == [60_400, 61_400, 62_400])
    }

    @Test("Nothing is sent before the path is up or after it is gone")
    func ends() {
        var schedule = Driven()
        schedule.send(.voiceSent, at: 0)
        schedule.send(.probingBegan, at: 10)
        #expect(schedule.deadline == nil)
        schedule.send(.started, at: 5_000)
        schedule.runToDeadlines(until: 5_150)
        schedule.send(.stopped, at: 5_150)
        #expect(schedule.deadline == nil)
        schedule.send(.probingBegan, at: 9_000)
        schedule.send(.started, at: 9_000)
        #expect(schedule.deadline == nil)
        #expect(schedule.keepalives == [5_100])
    }

    @Test("The deadline says why")
    func reason() {
        var schedule = Driven()
        schedule.send(.started, at: 0)
        #expect(schedule.deadline?.reason.description == "keepalive")
    }

    @Test("The schedule keeps the laws of its contract", arguments: 0..<50 as Range<UInt64>)
    func laws(seed: UInt64) throws {
        try checkLaws(seed: seed, steps: 400, make: { KeepaliveSchedule() }) { random, _ in
            switch random.below(100) {
            case 0: .stopped
            case 1...10: .probingBegan
            case 11...20: .probingEnded
            case 21...60: .voiceSent
            default: .started
            }
        }
    }
}

/// A driven schedule that notes, in milliseconds, when keepalives went out.
private struct Driven {
    private var driver = MachineDriver(KeepaliveSchedule())
    private(set) var keepalives: [Int] = []

    var deadline: Deadline? { driver.deadline }

    mutating func send(_ event: KeepaliveSchedule.Event, at milliseconds: Int) {
        driver.send(event, at: .at(milliseconds)) { _ in keepalives.append(milliseconds) }
    }

    mutating func wake(at milliseconds: Int) {
        driver.wake(at: .at(milliseconds)) { _ in keepalives.append(milliseconds) }
    }

    /// Wakes the schedule at each of its deadlines, on time.
    mutating func runToDeadlines(until milliseconds: Int) {
        while let deadline = driver.deadline, deadline.instant <= .at(milliseconds) {
            wake(at: Int(deadline.instant.nanoseconds / 1_000_000))
        }
    }
}

extension Instant {
    fileprivate static func at(_ milliseconds: Int) -> Instant {
        Instant(nanoseconds: Int64(milliseconds) * 1_000_000)
    }
}
