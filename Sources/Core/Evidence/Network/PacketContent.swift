/// What a datagram carries, as `packet.sent` and its kin say it.
public enum PacketContent: Int64, Sendable, CaseIterable, BitwiseCopyable {
    /// One voice frame; `index` is its capture index.
    case voice
    /// A keepalive; `index` is 0.
    case keepalive
    /// The end of a talk spurt; `index` is the last frame's.
    case endMark
    /// Anything else; `index` is 0.
    case control
}
