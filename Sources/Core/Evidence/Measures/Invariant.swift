import SansIO

/// Something that must hold at every record, which no threshold softens: what it is called and says,
/// and how it held in a run.
///
/// A meter declares each of its invariants once, as a stored property, and checks it as records come.
public struct Invariant: Sendable {
    /// What it is called and says.
    public let description: InvariantDescription
    private var checkedCount = 0
    private var violationCount = 0
    /// The earliest violations, in the order of their positions.
    private var violations: [(position: Int, record: TraceRecord)] = []

    /// Declares an invariant that nothing was checked against yet.
    ///
    /// - Parameters:
    ///   - name: Its name in scenarios and reports.
    ///   - meaning: What must hold, in one sentence.
    ///   - source: The requirement ids and outside sources that ask for it.
    public init(_ name: String, _ meaning: String, _ source: String) {
        description = InvariantDescription(name: name, meaning: meaning, source: source)
    }

    /// Counts one check.
    ///
    /// - Parameters:
    ///   - holds: Whether it held.
    ///   - record: The record at which it was checked.
    ///   - position: How many records of the run came before that one.
    public mutating func check(_ holds: Bool, _ record: TraceRecord, at position: Int) {
        checkedCount += 1
        if !holds { add(record, at: position) }
    }

    /// Counts chances to break it that no record shows.
    public mutating func addChances(_ count: Int) {
        checkedCount += count
    }

    /// How it held, with violations as lines of the trace.
    package func result(_ lines: TraceLines) -> InvariantResult {
        var result = InvariantResult(name: description.name)
        result.checkedCount = checkedCount
        result.violationCount = violationCount
        result.violations = violations.map { position, record in
            .init(
                position: position,
                instant: record.instant.nanoseconds,
                line: lines.line(record)
            )
        }
        return result
    }

    private mutating func add(_ record: TraceRecord, at position: Int) {
        violationCount += 1
        let index = violations.lastIndex { $0.position <= position }.map { $0 + 1 } ?? 0
        guard index < InvariantResult.keptViolationCount else { return }
        violations.insert((position, record), at: index)
        if violations.count > InvariantResult.keptViolationCount { violations.removeLast() }
    }
}

/// What an invariant is called and what it says.
public struct InvariantDescription: Sendable, Equatable {
    /// The name in scenarios and reports.
    public var name: String
    /// What must hold, in one sentence.
    public var meaning: String
    /// The requirement ids and outside sources that ask for it.
    public var source: String
}
