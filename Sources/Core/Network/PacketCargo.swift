/// What kind of packet travels.
public enum PacketCargo: Int64, Sendable, CaseIterable, BitwiseCopyable {
    /// A segment of a reliable stream: TCP with TLS.
    case stream
    /// A connectivity check or its answer.
    case stun
    /// A flight of the DTLS handshake.
    case dtls
    /// One frame of voice as RTP.
    case media
    /// A datagram, kept as bytes.
    case datagram
    /// What sessions of phones nearby send one another, beside data.
    case nearby
    /// What a match service and its players send each other, beside data.
    case match
    /// A message of another system's own.
    case message
}
