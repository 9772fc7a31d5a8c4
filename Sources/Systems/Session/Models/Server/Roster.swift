import KodamaNetwork
import KodamaPhone
import SansIO

/// Something that wants to be woken now and then.
protocol Timed: Sendable, Equatable {
    /// When, and why.
    var deadline: Deadline? { get }
}

/// Things in the order of their numbers, which only grow; each is found by halving and woken on its own.
///
/// The deadlines lie side by side in an array of integers, with the earliest of each block beside them, so
/// that neither waking one of a hundred thousand nor finding who is next looks at all of them.
struct Roster<Element: Timed>: Sendable, Equatable {
    /// The numbers, ascending: the order in which things came.
    private(set) var numbers: [UInt32] = []
    private var elements: [Element] = []
    /// Each element's deadline in nanoseconds; the largest number for none.
    private var dues: [Int64] = []
    /// The same with their reasons, so that asking who is next asks no element.
    private var deadlines: [Deadline?] = []
    /// The earliest of each block of deadlines.
    private var blockDues: [Int64] = []
    /// The place of the earliest deadline, of equal ones the first; meaningless if there is no element.
    private var earliest = 0

    var indices: Range<Int> { elements.indices }

    /// The element at a place; its deadline is read again after every change.
    subscript(place: Int) -> Element {
        _read { yield elements[place] }
        _modify {
            yield &elements[place]
            reread(place)
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
        deadlines.append(nil)
        if blockDues.count * Self.blockSize < dues.count { blockDues.append(.max) }
        reread(dues.count - 1)
    }

    /// Takes an element out.
    ///
    /// - Complexity: O(n).
    @discardableResult
    mutating func remove(_ number: UInt32) -> Element? {
        guard let place = place(of: number) else { return nil }
        numbers.remove(at: place)
        dues.remove(at: place)
        deadlines.remove(at: place)
        // All behind it have moved up.
        if (blockDues.count - 1) * Self.blockSize >= dues.count { blockDues.removeLast() }
        for block in place / Self.blockSize..<max(blockDues.count, place / Self.blockSize) {
            blockDues[block] = earliestDue(ofBlock: block)
        }
        findEarliest()
        return elements.remove(at: place)
    }

    mutating func removeAll() {
        self = Self()
    }

    /// The earliest deadline of all.
    ///
    /// - Complexity: O(1).
    var deadline: Deadline? {
        elements.isEmpty ? nil : deadlines[earliest]
    }

    /// The numbers of those whose deadline has come, in order.
    func due(at now: Instant) -> [UInt32] {
        guard !dues.isEmpty, dues[earliest] <= now.nanoseconds else { return [] }
        var found: [UInt32] = []
        for (block, due) in blockDues.enumerated() where due <= now.nanoseconds {
            for place in places(ofBlock: block) where dues[place] <= now.nanoseconds {
                found.append(numbers[place])
            }
        }
        return found
    }

    /// Reads an element's deadline where it lies: a copy of a participant costs more than its deadline.
    private mutating func reread(_ place: Int) {
        let deadline = Self.deadline(of: &elements[place])
        deadlines[place] = deadline
        change(place, to: deadline?.instant.nanoseconds ?? .max)
    }

    private mutating func change(_ place: Int, to due: Int64) {
        let before = dues[place]
        dues[place] = due
        let block = place / Self.blockSize
        if due <= blockDues[block] {
            blockDues[block] = due
        } else if before == blockDues[block] {
            blockDues[block] = earliestDue(ofBlock: block)
        }
        if place == earliest {
            if due > before { findEarliest() }
        } else if due < dues[earliest] || due == dues[earliest] && place < earliest {
            earliest = place
        }
    }

    private mutating func findEarliest() {
        var first = 0
        for block in blockDues.indices where blockDues[block] < blockDues[first] { first = block }
        earliest = first * Self.blockSize
        for place in places(ofBlock: first) where dues[place] < dues[earliest] { earliest = place }
    }

    /// Near the square root of the largest rosters.
    private static var blockSize: Int { 128 }

    private func places(ofBlock block: Int) -> Range<Int> {
        block * Self.blockSize..<min((block + 1) * Self.blockSize, dues.count)
    }

    private func earliestDue(ofBlock block: Int) -> Int64 {
        places(ofBlock: block).reduce(.max) { min($0, dues[$1]) }
    }

    private static func deadline(of element: inout Element) -> Deadline? { element.deadline }
}
