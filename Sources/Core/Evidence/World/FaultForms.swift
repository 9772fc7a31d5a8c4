/// Something was done to a server or a radio.
public struct FaultBegan: TraceForm {
    /// The kind of its records.
    @inlinable public static var kind: TraceKind { TraceKind(.world, 1) }
    /// What it is called.
    public static let text = TraceFormText(
        "fault.began",
        .milestone,
        "A fault of the component began.",
        .faults("fault"),
        "parameter"
    )
    /// What was done.
    public var fault: FaultWord
    /// How long it lasts, in nanoseconds; 0 without an end.
    public var parameter: Int64

    /// Makes the values of a record.
    public init(fault: WorldFault, parameter: Int64) {
        self.fault = FaultWord(fault)
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
        .faults("fault")
    )
    /// What is over.
    public var fault: FaultWord

    /// Makes the values of a record.
    public init(fault: WorldFault) {
        self.fault = FaultWord(fault)
    }
}

/// A value that stands for a fault, by its number.
@frozen
public struct FaultWord: Sendable, Hashable, BitwiseCopyable {
    /// The number in the record.
    public var number: Int64

    /// Stands for a fault.
    public init(_ fault: WorldFault) { number = fault.number }

    /// Whether it stands for a fault.
    public static func == (word: FaultWord, fault: WorldFault) -> Bool {
        word.number == fault.number
    }
}
