public import Evidence

/// What a scenario expects of its runs; the world never sees it.
public struct Expectations: Sendable, Equatable {
    /// The bounds on figures, in the order of the file.
    public var gates: [Gate] = []
    /// The names of the invariants that must hold at every record.
    public var invariants: [String] = []
    /// The requirement ids that the scenario as a whole shows.
    public var covers: [String] = []

    /// Makes expectations of nothing.
    public init() {}
}
