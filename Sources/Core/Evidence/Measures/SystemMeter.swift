/// Measures and checks a run from the records of one system, and of others where they concern it.
///
/// A system's meter declares its metrics and invariants, each once; what `kodama list` prints and what
/// scenarios may gate is read from these declarations.
public protocol SystemMeter: Sendable {
    /// Makes the meter of a run that begins.
    init(_ directory: TraceDirectory)

    /// Measures records of all systems, in order.
    ///
    /// - Parameters:
    ///   - records: The next records of the run.
    ///   - position: How many records of the run came before them.
    mutating func record(contentsOf records: [TraceRecord], from position: Int)

    /// The metrics, in the order in which reports list them; complete after `run.ended`.
    var metrics: [any AnyMeasure] { get }

    /// The invariants, in the order in which reports list them; complete after `run.ended`.
    var invariants: [Invariant] { get }
}

extension SystemMeter {
    /// None.
    public var metrics: [any AnyMeasure] { [] }

    /// None.
    public var invariants: [Invariant] { [] }
}
