import KodamaEvidence
import PeerTransport

extension PacketPath {
    /// The path by which the transport sends.
    init(_ path: TransportPath) {
        switch path {
        case .local: self = .local
        case .internet: self = .internet
        }
    }
}

extension TransportPath {
    /// The path on which a datagram was seen.
    init(_ path: PacketPath) {
        switch path {
        case .local: self = .local
        case .internet: self = .internet
        }
    }
}
