/// Something was done to a server or a radio.
public struct FaultBegan: TraceForm {
    /// The kind of its records.
    @inlinable public static var kind: TraceKind { TraceKind(.world, 1) }
    /// What it is called.
    public static let text = TraceFormText(
        "fault.began",
        .milestone,
        "A fault of the component began.",
        .words("fault", WorldFault.self),
        "parameter"
    )
    /// What was done.
    public var fault: TraceWord<WorldFault>
    /// How long it lasts, in nanoseconds; 0 without an end.
    public var parameter: Int64

    /// Makes the values of a record.
    public init(fault: WorldFault, parameter: Int64) {
        self.fault = TraceWord(fault)
        self.parameter = parameter
    }
}

/// What was done to a server or a radio is over.
public struct FaultEnded: TraceForm {
    /// The kind of its records.
    @inlinable public static var kind: TraceKind { TraceKind(.world, 2) }
    /// What it is called.
    public static let text = TraceFormText(
        "fault.ended",
        .milestone,
        "A fault of the component ended.",
        .words("fault", WorldFault.self)
    )
    /// What is over.
    public var fault: TraceWord<WorldFault>

    /// Makes the values of a record.
    public init(fault: WorldFault) {
        self.fault = TraceWord(fault)
    }
}
