/// By which path a datagram travels between two phones, as `packet.sent` and its kin say it.
public enum PacketPath: Int64, Sendable, CaseIterable, BitwiseCopyable {
    /// Over the radio between the phones.
    case local
    /// Over the Internet.
    case internet
}
