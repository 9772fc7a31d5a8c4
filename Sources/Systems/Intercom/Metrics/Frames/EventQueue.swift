import KodamaEvidence

/// First in, first out, in a ring that grows to the largest number ever waiting.
struct EventQueue<Element> {
    private var ring: [Element] = []
    private var head = 0
    private var count = 0

    var isEmpty: Bool { count == 0 }

    /// The element that has waited longest.
    var first: Element? {
        count == 0 ? nil : ring[head]
    }

    mutating func append(_ element: Element) {
        if count == ring.count {
            grow(with: element)
        }
        ring[(head + count) & (ring.count - 1)] = element
        count += 1
    }

    /// Lets the first element go; its slot in the ring is overwritten later.
    mutating func removeFirst() {
        precondition(count > 0, "nothing waits")
        head = (head + 1) & (ring.count - 1)
        count -= 1
    }

    private mutating func grow(with filler: Element) {
        let waiting = (0..<count).map { ring[(head + $0) & (ring.count - 1)] }
        let spare = Array(repeating: filler, count: max(8, ring.count * 2) - count)
        ring = waiting + spare
        head = 0
    }
}

extension EventQueue: Sendable where Element: Sendable {}
