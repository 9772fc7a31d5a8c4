public import KodamaEvidence

/// What a scenario expects of its runs; the world never sees it.
public struct Expectations: Sendable, Equatable {
    /// The bounds on figures, in the order of the file.
    public var gates: [Gate] = []
    /// The names of the invariants that must hold at every record.
    public var invariants: [String] = []
    /// The requirement ids that each of them shows, in the same order.
    public var invariantCovers: [[String]] = []

    /// Makes expectations of nothing.
    public init() {}

    /// The requirement ids that gates and invariants show, each once, in the order of the file.
    public var covers: [String] {
        (gates.map(\.covers) + invariantCovers).joined().reduce(into: []) { covers, id in
            if !covers.contains(id) { covers.append(id) }
        }
    }

    /// Whether something in them that can fail names a requirement: a gate that needs data, or an invariant.
    public func gate(_ requirement: String) -> Bool {
        gates.contains { !$0.allowsNoData && $0.covers.contains(requirement) }
            || invariantCovers.contains { $0.contains(requirement) }
    }
}
