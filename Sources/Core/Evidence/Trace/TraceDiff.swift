/// Where two traces part, as a whole and for each component.
///
/// Components are matched by name, so the order of the directories does not matter.
public struct TraceDiff: Sendable, Equatable, CustomStringConvertible {
    /// The first position where two sequences of records differ.
    public struct Difference: Sendable, Equatable {
        /// How many records are alike before it.
        public var position: Int
        /// Up to ten lines before it, alike on both sides.
        public var before: [String]
        /// Up to ten lines of the left side, beginning with the differing one; empty at its end.
        public var left: [String]
        /// Up to ten lines of the right side, beginning with the differing one; empty at its end.
        public var right: [String]
    }

    /// The most lines shown before and after a difference.
    public static let contextLineCount = 10

    /// The first difference in the order of time, or `nil` if the traces are equal.
    public var first: Difference?
    /// The first difference of each component that has one, sorted by the bytes of the names.
    public var components: [(name: String, difference: Difference)]

    /// Whether the traces tell the same story.
    public var isEqual: Bool { first == nil }

    /// Compares two traces.
    public init(_ left: RecordedTrace, _ right: RecordedTrace) {
        // Both sides' indices are mapped to one numbering of the names.
        let names = Set(left.directory.names).union(right.directory.names)
            .sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        var numbers: [String: Int] = [:]
        for (number, name) in names.enumerated() {
            numbers[name] = number
        }
        let leftSide = Side(left, numbers)
        let rightSide = Side(right, numbers)
        let all = (Array(left.records.indices), Array(right.records.indices))
        first = Self.difference(leftSide, all.0, rightSide, all.1)
        components = []
        guard first != nil else { return }
        let leftOwn = leftSide.recordsByComponent(count: names.count)
        let rightOwn = rightSide.recordsByComponent(count: names.count)
        for (number, name) in (names + ["-"]).enumerated() {
            let difference = Self.difference(
                leftSide,
                leftOwn[number],
                rightSide,
                rightOwn[number]
            )
            if let difference {
                components.append((name, difference))
            }
        }
    }

    /// The text for people: `equal`, or the first difference and the components that differ.
    public var description: String {
        guard let first else { return "equal" }
        var lines = ["the first \(first.position) records are alike, then they differ:"]
        lines += first.before.map { "  \($0)" }
        lines += first.left.isEmpty ? ["- (end)"] : first.left.map { "- \($0)" }
        lines += first.right.isEmpty ? ["+ (end)"] : first.right.map { "+ \($0)" }
        for (name, difference) in components {
            lines.append("\(name): differs after \(difference.position) of its own records")
        }
        return lines.joined(separator: "\n")
    }

    /// Compares everything but what identity of names settles.
    public static func == (left: TraceDiff, right: TraceDiff) -> Bool {
        left.first == right.first
            && left.components.elementsEqual(right.components) {
                $0.name == $1.name && $0.difference == $1.difference
            }
    }

    private static func difference(
        _ left: Side,
        _ leftPositions: [Int],
        _ right: Side,
        _ rightPositions: [Int]
    ) -> Difference? {
        let shared = min(leftPositions.count, rightPositions.count)
        let position =
            (0..<shared).first {
                left.canonical(leftPositions[$0]) != right.canonical(rightPositions[$0])
            } ?? shared
        guard position < max(leftPositions.count, rightPositions.count) else { return nil }
        return Difference(
            position: position,
            before: left.lines(leftPositions[..<position].suffix(contextLineCount)),
            left: left.lines(leftPositions[position...].prefix(contextLineCount)),
            right: right.lines(rightPositions[position...].prefix(contextLineCount))
        )
    }
}

/// One side of a comparison.
private struct Side {
    private let trace: RecordedTrace
    /// Each index's number in the common numbering.
    private let numbers: [ComponentIndex]

    init(_ trace: RecordedTrace, _ numbers: [String: Int]) {
        self.trace = trace
        self.numbers = trace.directory.names.map { name in
            numbers[name].map { ComponentIndex($0) } ?? .none
        }
    }

    /// The record with its components in the common numbering.
    func canonical(_ position: Int) -> TraceRecord {
        var record = trace.records[position]
        record.component = number(of: record.component)
        record.subject = number(of: record.subject)
        return record
    }

    func lines(_ positions: ArraySlice<Int>) -> [String] {
        positions.map { TraceText.line(trace.records[$0], trace.directory) }
    }

    /// The positions of each component's records, those of no component last.
    func recordsByComponent(count: Int) -> [[Int]] {
        var own: [[Int]] = Array(repeating: [], count: count + 1)
        for (position, record) in trace.records.enumerated() {
            let number = number(of: record.component)
            own[number == .none ? count : Int(number.index)].append(position)
        }
        return own
    }

    private func number(of index: ComponentIndex) -> ComponentIndex {
        index == .none ? .none : numbers[Int(index.index)]
    }
}
