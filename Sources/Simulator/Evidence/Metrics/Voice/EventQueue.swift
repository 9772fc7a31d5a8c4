/// First in, first out, in a ring that grows to the largest number ever waiting.
struct EventQueue<Element> {
    private var ring: [Element?] = []
    private var head = 0
    private var count = 0

    var isEmpty: Bool { count == 0 }

    /// The element that has waited longest.
    var first: Element? {
        count == 0 ? nil : ring[head]
    }

    mutating func append(_ element: Element) {
        if count == ring.count {
            grow()
        }
        ring[(head + count) & (ring.count - 1)] = element
        count += 1
    }

    mutating func removeFirst() {
        precondition(count > 0, "nothing waits")
        ring[head] = nil
        head = (head + 1) & (ring.count - 1)
        count -= 1
    }

    private mutating func grow() {
        var larger: [Element?] = Array(repeating: nil, count: max(8, ring.count * 2))
        for place in 0..<count {
            larger[place] = ring[(head + place) & (ring.count - 1)]
        }
        ring = larger
        head = 0
    }
}

extension EventQueue: Sendable where Element: Sendable {}
