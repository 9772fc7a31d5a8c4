public import KodamaNetwork
public import SansIO

/// A link was given a packet of the subject's, whatever system sent it.
public struct PacketCarried: TraceForm {
    /// The kind of its records.
    @inlinable public static var kind: TraceKind { TraceKind(.network, 23) }
    /// What it is called.
    public static let text = TraceFormText(
        "packet.carried",
        .packets,
        "A link was given a packet of the subject's, whatever system sent it.",
        .words("cargo", PacketCargo.self),
        "bytes",
        .words("fate", PacketFate.self),
        "arrives_ns"
    )
    /// What it carries.
    public var cargo: TraceWord<PacketCargo>
    /// Its size on the wire, in bytes.
    public var bytes: Int64
    /// What becomes of it.
    public var fate: TraceWord<PacketFate>
    /// When it, or the later of two copies, arrives; the present if it never does.
    public var arrives: Instant

    /// Makes the values of a record.
    @inlinable
    public init(cargo: PacketCargo, bytes: Int64, fate: PacketFate, arrives: Instant) {
        self.cargo = TraceWord(cargo)
        self.bytes = bytes
        self.fate = TraceWord(fate)
        self.arrives = arrives
    }
}

/// What becomes of a packet that a link is given.
public enum PacketFate: Int64, Sendable, CaseIterable, BitwiseCopyable {
    /// It arrives.
    case delivered
    /// It arrives twice.
    case duplicated
    /// The loss model took it.
    case loss
    /// The queue had no room.
    case queueFull
    /// The queue's discipline dropped it.
    case queueManaged
    /// The interface was down or the link stopped.
    case down
    /// It was larger than the link carries.
    case tooLarge
    /// A filter before the link took it.
    case blocked
}
