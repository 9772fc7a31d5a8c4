/// The run reached its end.
public struct RunEnded: TraceForm {
    /// The kind of its records.
    @inlinable public static var kind: TraceKind { TraceKind(.world, 14) }
    /// What it is called.
    public static let text = TraceFormText("run.ended", .milestone, "The run reached its end.")

    /// Makes the values of a record.
    @inlinable
    public init() {}
}
