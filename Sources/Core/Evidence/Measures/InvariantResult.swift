/// Whether an invariant held throughout a run, or throughout several.
public struct InvariantResult: Sendable, Equatable, Codable {
    /// One record that broke the invariant.
    public struct Violation: Sendable, Equatable, Codable {
        /// The run's seed, once it is known.
        public var seed: UInt64?
        /// How many records came before it in its run.
        public var position: Int
        /// When it happened, in nanoseconds since the run's beginning.
        public var instant: Int64
        /// The record's line of the trace.
        public var line: String
    }

    /// The most violations that are kept with their lines.
    public static let keptViolationCount = 10

    /// The invariant's name, as in `Systems.invariants`.
    public var name: String
    /// How many records were checked.
    public var checkedCount = 0
    /// How many of them broke it.
    public var violationCount = 0
    /// The first violations of each run, up to ten in all.
    public var violations: [Violation] = []

    /// Makes the result of no record.
    public init(name: String) {
        self.name = name
    }

    /// Pools with another run's result; of both the violations of lower seeds are kept.
    public mutating func merge(_ other: InvariantResult) {
        precondition(name == other.name, "\(name) cannot be pooled with \(other.name)")
        checkedCount += other.checkedCount
        violationCount += other.violationCount
        violations = Array(
            (violations + other.violations)
                .sorted { ($0.seed ?? 0, $0.position) < ($1.seed ?? 0, $1.position) }
                .prefix(Self.keptViolationCount)
        )
    }
}
