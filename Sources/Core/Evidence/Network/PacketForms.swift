public import KodamaSimulation

/// A device handed a datagram for the subject to the network.
public struct PacketSent: TraceForm {
    /// The kind of its records.
    @inlinable public static var kind: TraceKind { TraceKind(.network, 8) }
    /// What it is called.
    public static let text = TraceFormText(
        "packet.sent",
        .media,
        "A device handed a datagram for the subject to the network.",
        "index",
        "bytes",
        .words("content", PacketContent.self),
        .words("path", PacketPath.self)
    )
    /// The capture index; what else travels has one of its own, or 0.
    public var index: Int64
    /// Its size on the wire, in bytes.
    public var bytes: Int64
    /// What it carries.
    public var content: TraceWord<PacketContent>
    /// Which path it takes.
    public var path: TraceWord<PacketPath>

    /// Makes the values of a record.
    @inlinable
    public init(index: Int64, bytes: Int64, content: PacketContent, path: PacketPath) {
        self.index = index
        self.bytes = bytes
        self.content = TraceWord(content)
        self.path = TraceWord(path)
    }
}

/// A datagram from the subject reached a device.
public struct PacketArrived: TraceForm {
    /// The kind of its records.
    @inlinable public static var kind: TraceKind { TraceKind(.network, 9) }
    /// What it is called.
    public static let text = TraceFormText(
        "packet.arrived",
        .media,
        "A datagram from the subject reached a device.",
        "index",
        "bytes",
        .words("content", PacketContent.self),
        .words("path", PacketPath.self)
    )
    /// The capture index; what else travels has one of its own, or 0.
    public var index: Int64
    /// Its size on the wire, in bytes.
    public var bytes: Int64
    /// What it carries.
    public var content: TraceWord<PacketContent>
    /// Which path it takes.
    public var path: TraceWord<PacketPath>

    /// Makes the values of a record.
    @inlinable
    public init(index: Int64, bytes: Int64, content: PacketContent, path: PacketPath) {
        self.index = index
        self.bytes = bytes
        self.content = TraceWord(content)
        self.path = TraceWord(path)
    }
}

/// A datagram from a device for the subject was dropped on the way.
///
/// The `packet.sent` right before it names the path: a record holds four values.
public struct PacketDropped: TraceForm {
    /// The kind of its records.
    @inlinable public static var kind: TraceKind { TraceKind(.network, 10) }
    /// What it is called.
    public static let text = TraceFormText(
        "packet.dropped",
        .media,
        "A datagram for the subject was dropped on its way; its packet.sent names the path.",
        "index",
        "bytes",
        .words("content", PacketContent.self),
        .words("reason", LinkDropReason.self)
    )
    /// The capture index; what else travels has one of its own, or 0.
    public var index: Int64
    /// Its size on the wire, in bytes.
    public var bytes: Int64
    /// What it carries.
    public var content: TraceWord<PacketContent>
    /// Why it was dropped.
    public var reason: TraceWord<LinkDropReason>

    /// Makes the values of a record.
    @inlinable
    public init(index: Int64, bytes: Int64, content: PacketContent, reason: LinkDropReason) {
        self.index = index
        self.bytes = bytes
        self.content = TraceWord(content)
        self.reason = TraceWord(reason)
    }
}
