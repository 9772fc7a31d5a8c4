/// No path carries packets of a device in both directions any more.
public struct PathLost: TraceForm {
    /// The kind of its records.
    @inlinable public static var kind: TraceKind { TraceKind(.network, 20) }
    /// What it is called.
    public static let text = TraceFormText(
        "path.lost",
        .milestone,
        "No path of the device carries packets both ways, or none for signalling or for media.",
        .words("cause", PathLossCause.self)
    )
    /// What is in the way.
    public var cause: TraceWord<PathLossCause>

    /// Makes the values of a record.
    @inlinable
    public init(cause: PathLossCause) {
        self.cause = TraceWord(cause)
    }
}

/// Some path carries packets of a device in both directions again.
public struct PathUsable: TraceForm {
    /// The kind of its records.
    @inlinable public static var kind: TraceKind { TraceKind(.network, 21) }
    /// What it is called.
    public static let text = TraceFormText(
        "path.usable",
        .milestone,
        "A path of the device carries packets both ways again."
    )

    /// Makes the values of a record.
    @inlinable
    public init() {}
}
