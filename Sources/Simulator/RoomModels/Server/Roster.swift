import SansIO

/// Something that wants to be woken now and then.
protocol Timed: Sendable, Equatable {
    /// When, and why.
    var deadline: Deadline? { get }
}

/// Things in the order of their numbers, which only grow; each is found by halving and woken on its own.
///
/// The deadlines lie side by side in an array of integers, so that the earliest of hundreds is found
/// in less time than one of them takes to act.
struct Roster<Element: Timed>: Sendable, Equatable {
    /// The numbers, ascending: the order in which things came.
    private(set) var numbers: [UInt32] = []
    private var elements: [Element] = []
    /// Each element's deadline in nanoseconds; the largest number for none.
    private var dues: [Int64] = []

    var indices: Range<Int> { elements.indices }

    /// The element at a place; its deadline is read again after every change.
    subscript(place: Int) -> Element {
        _read { yield elements[place] }
        _modify {
            yield &elements[place]
            dues[place] = Self.due(elements[place])
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
        dues.append(Self.due(element))
    }

    /// Takes an element out.
    ///
    /// - Complexity: O(n).
    @discardableResult
    mutating func remove(_ number: UInt32) -> Element? {
        guard let place = place(of: number) else { return nil }
        numbers.remove(at: place)
        dues.remove(at: place)
        return elements.remove(at: place)
    }

    mutating func removeAll() {
        self = Self()
    }

    /// The earliest deadline of all.
    var deadline: Deadline? {
        var earliest = Int64.max
        for due in dues where due < earliest {
            earliest = due
        }
        guard earliest < .max else { return nil }
        return dues.firstIndex(of: earliest).flatMap { elements[$0].deadline }
    }

    /// The numbers of those whose deadline has come, in order.
    func due(at now: Instant) -> [UInt32] {
        dues.indices.filter { dues[$0] <= now.nanoseconds }.map { numbers[$0] }
    }

    private static func due(_ element: Element) -> Int64 {
        element.deadline?.instant.nanoseconds ?? .max
    }
}
