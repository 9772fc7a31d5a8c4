import SansIO

/// Something that wants to be woken now and then.
protocol Timed: Sendable, Equatable {
    /// When, and why.
    var deadline: Deadline? { get }
}

/// Things in the order of their numbers, which only grow; each is found by halving and woken on its own.
///
/// The deadlines lie side by side in an array of integers, and which is the earliest is known: it is
/// looked for among all only after the thing that had it has another one.
struct Roster<Element: Timed>: Sendable, Equatable {
    /// The numbers, ascending: the order in which things came.
    private(set) var numbers: [UInt32] = []
    private var elements: [Element] = []
    /// Each element's deadline in nanoseconds; the largest number for none.
    private var dues: [Int64] = []
    /// The place of the earliest deadline, of equal ones the first; meaningless if there is no element.
    private var earliest = 0

    var indices: Range<Int> { elements.indices }

    /// The element at a place; its deadline is read again after every change.
    subscript(place: Int) -> Element {
        _read { yield elements[place] }
        _modify {
            yield &elements[place]
            change(place, to: Self.due(elements[place]))
        }
    }

    /// Where the element with this number stands.
    ///
    /// - Complexity: O(log n).
    func place(of number: UInt32) -> Int? {
        var low = 0
        var high = numbers.count
        while low < high {
            let middle = (low + high) / 2
            if numbers[middle] < number {
                low = middle + 1
            } else {
                high = middle
            }
        }
        return low < numbers.count && numbers[low] == number ? low : nil
    }

    /// Adds an element; its number MUST be larger than any before.
    mutating func append(_ element: Element, number: UInt32) {
        precondition(numbers.last ?? 0 < number || numbers.isEmpty, "number \(number) is not new")
        numbers.append(number)
        elements.append(element)
        dues.append(.max)
        change(dues.count - 1, to: Self.due(element))
    }

    /// Takes an element out.
    ///
    /// - Complexity: O(n).
    @discardableResult
    mutating func remove(_ number: UInt32) -> Element? {
        guard let place = place(of: number) else { return nil }
        numbers.remove(at: place)
        dues.remove(at: place)
        if place == earliest {
            findEarliest()
        } else if place < earliest {
            earliest -= 1
        }
        return elements.remove(at: place)
    }

    mutating func removeAll() {
        self = Self()
    }

    /// The earliest deadline of all.
    ///
    /// - Complexity: O(1).
    var deadline: Deadline? {
        elements.isEmpty ? nil : elements[earliest].deadline
    }

    /// The numbers of those whose deadline has come, in order.
    func due(at now: Instant) -> [UInt32] {
        guard !dues.isEmpty, dues[earliest] <= now.nanoseconds else { return [] }
        return dues.indices.filter { dues[$0] <= now.nanoseconds }.map { numbers[$0] }
    }

    private mutating func change(_ place: Int, to due: Int64) {
        let before = dues[place]
        dues[place] = due
        if place == earliest {
            if due > before { findEarliest() }
        } else if due < dues[earliest] || due == dues[earliest] && place < earliest {
            earliest = place
        }
    }

    private mutating func findEarliest() {
        earliest = 0
        for place in dues.indices where dues[place] < dues[earliest] { earliest = place }
    }

    private static func due(_ element: Element) -> Int64 {
        element.deadline?.instant.nanoseconds ?? .max
    }
}
