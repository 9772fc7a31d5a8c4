@testable import KodamaSimulation
import SansIO
import Testing

@Suite("What the event queue refuses")
struct EventQueueTrapTests {
    @Test("Two events with one key trap when the second is popped")
    func equalKeys() async {
        await #expect(processExitsWith: .failure) {
            var queue = EventQueue<Int>()
            var source = EventSource(component: 0)
            var copy = source
            queue.push(1, at: source.key(at: Instant(nanoseconds: 3)))
            queue.push(2, at: copy.key(at: Instant(nanoseconds: 3)))
            _ = queue.pop()
            _ = queue.pop()
        }
    }

    @Test("Shuffled ties do not hide equal keys")
    func equalKeysShuffled() async {
        await #expect(processExitsWith: .failure) {
            var queue = EventQueue<Int>(tieShuffleSeed: 1)
            let key = EventKey(instant: Instant(nanoseconds: 3), tieOrder: 1)
            queue.push(1, at: key)
            queue.push(2, at: key)
            _ = queue.pop()
            _ = queue.pop()
        }
    }

    @Test("Keys that differ in one word are not equal")
    func differentKeys() async {
        await #expect(processExitsWith: .success) {
            var queue = EventQueue<Int>()
            for instant in 0..<3 as Range<Int64> {
                for tieOrder in 0..<3 as Range<UInt64> {
                    let instant = Instant(nanoseconds: instant)
                    queue.push(1, at: EventKey(instant: instant, tieOrder: tieOrder))
                }
            }
            while queue.pop() != nil {}
        }
    }

    @Test("An event in the past traps")
    func past() async {
        await #expect(processExitsWith: .failure) {
            var queue = EventQueue<Int>()
            var source = EventSource(component: 0)
            queue.push(1, at: source.key(at: Instant(nanoseconds: 3)))
            _ = queue.pop()
            queue.push(2, at: source.key(at: Instant(nanoseconds: 2)))
        }
        await #expect(processExitsWith: .failure) {
            var queue = EventQueue<Int>()
            var source = EventSource(component: 0)
            queue.push(1, at: source.key(at: Instant(nanoseconds: -1)))
        }
    }

    @Test("An event at the end of time traps")
    func endOfTime() async {
        await #expect(processExitsWith: .failure) {
            var queue = EventQueue<Int>()
            var source = EventSource(component: 0)
            queue.push(1, at: source.key(at: Instant(nanoseconds: .max)))
        }
    }
}
