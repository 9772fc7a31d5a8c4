@testable import KodamaSimulation
import SansIO

/// The obvious queue beside the real one: an array, sorted whenever it is asked.
struct EventQueueModel {
    private(set) var pending: [(key: EventKey, payload: Int)] = []

    mutating func push(_ payload: Int, at key: EventKey) {
        pending.append((key, payload))
    }

    mutating func pop(through limit: Instant) -> (instant: Instant, payload: Int)? {
        guard
            let next = pending.indices.min(by: { precedes(pending[$0].key, pending[$1].key) }),
            pending[next].key.instant <= limit
        else { return nil }
        let event = pending.remove(at: next)
        return (event.key.instant, event.payload)
    }

    /// Pops everything.
    mutating func drain() -> [Int] {
        var payloads: [Int] = []
        while let event = pop(through: Instant(nanoseconds: .max - 1)) {
            payloads.append(event.payload)
        }
        return payloads
    }

    /// Spelled out, so that it does not lean on the comparison under test.
    private func precedes(_ left: EventKey, _ right: EventKey) -> Bool {
        (left.instant.nanoseconds, left.tieOrder) < (right.instant.nanoseconds, right.tieOrder)
    }
}

extension EventQueue where Payload == Int {
    /// Pops everything.
    mutating func drain() -> [Int] {
        var payloads: [Int] = []
        while let (_, payload) = pop() { payloads.append(payload) }
        return payloads
    }

    /// Whether the queue says in every way that nothing is pending.
    mutating func checkDrained() -> Bool {
        isEmpty && count == 0 && pop() == nil
    }
}
