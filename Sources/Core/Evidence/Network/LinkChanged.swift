/// A link was stopped, slowed, jammed, changed or restored.
public struct LinkChanged: TraceForm {
    /// The kind of its records.
    @inlinable public static var kind: TraceKind { TraceKind(.network, 4) }
    /// What it is called.
    public static let text = TraceFormText(
        "link.changed",
        .milestone,
        "A link was stopped, slowed, jammed, changed or restored.",
        .words("disruption", LinkChange.self),
        "parameter"
    )
    /// What happened to it.
    public var disruption: TraceWord<LinkChange>
    /// How long it lasts, in nanoseconds; 0 without an end.
    public var parameter: Int64

    /// Makes the values of a record.
    @inlinable
    public init(disruption: LinkChange, parameter: Int64) {
        self.disruption = TraceWord(disruption)
        self.parameter = parameter
    }
}
