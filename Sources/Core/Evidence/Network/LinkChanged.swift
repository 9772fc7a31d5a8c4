/// A link was stopped, slowed, jammed, changed or restored.
public struct LinkChanged: TraceForm {
    /// What happened to it.
    public var disruption: TraceWord<LinkChange>
    /// How long it lasts, in nanoseconds; 0 without an end.
    public var parameter: Int64

    /// The kind of its records.
    @inlinable
    public static var kind: TraceKind { TraceKind(.network, 4) }

    /// Its text.
    public static let text = TraceFormText(
        "link.changed",
        .milestone,
        [.words("disruption", LinkChange.self), "parameter"],
        "A link was stopped, slowed, jammed, changed or restored."
    )

    /// Makes the values of a record.
    @inlinable
    public init(disruption: LinkChange, parameter: Int64) {
        self.disruption = TraceWord(disruption)
        self.parameter = parameter
    }
}
