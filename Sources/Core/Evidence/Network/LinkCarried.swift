/// What one direction of a link was given in the whole run, told once at its end.
public struct LinkCarried: TraceForm {
    /// The kind of its records.
    @inlinable public static var kind: TraceKind { TraceKind(.network, 22) }
    /// What it is called.
    public static let text = TraceFormText(
        "link.carried",
        .control,
        "What one direction of a link was given in the whole run.",
        .words("way", LinkWay.self),
        "packets",
        "bytes",
        "dropped"
    )
    /// Which direction it is.
    public var way: TraceWord<LinkWay>
    /// The packets that it was given.
    public var packets: Int64
    /// Their size on the wire, in bytes.
    public var bytes: Int64
    /// How many of them never arrived.
    public var dropped: Int64

    /// Makes the values of a record.
    @inlinable
    public init(way: LinkWay, packets: Int64, bytes: Int64, dropped: Int64) {
        self.way = TraceWord(way)
        self.packets = packets
        self.bytes = bytes
        self.dropped = dropped
    }
}

/// A direction of a link: that of a phone's radio to the Internet, or of one between two phones.
public enum LinkWay: Int64, Sendable, CaseIterable, BitwiseCopyable {
    /// From a phone to the Internet.
    case up
    /// From the Internet to a phone.
    case down
    /// From the phone named first to the other one.
    case forward
    /// From the phone named last to the other one.
    case backward
}
