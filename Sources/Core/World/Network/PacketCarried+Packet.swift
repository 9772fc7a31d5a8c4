import KodamaEvidence
package import KodamaNetwork
import KodamaPhone
package import KodamaSimulation
package import SansIO

extension PacketCarried {
    /// Makes the record of a packet that is handed to a link.
    package init(_ packet: Packet, _ verdict: LinkOutcome, sent: Instant) {
        let fate: PacketFate =
            switch verdict {
            case .delivered: .delivered
            case .duplicated: .duplicated
            case .dropped(let reason): PacketFate(reason)
            }
        self.init(
            cargo: PacketCargo(packet.content),
            bytes: Int64(packet.wireBytes),
            fate: fate,
            arrives: (verdict.secondArrival ?? verdict.arrival)?.instant ?? sent
        )
    }
}

extension PacketCargo {
    fileprivate init(_ content: Packet.Content) {
        switch content {
        case .stream: self = .stream
        case .stun: self = .stun
        case .dtls: self = .dtls
        case .media: self = .media
        case .datagram: self = .datagram
        case .message(let payload): self = type(of: payload).cargo
        }
    }
}

extension PacketFate {
    fileprivate init(_ reason: LinkDropReason) {
        switch reason {
        case .loss: self = .loss
        case .queueFull: self = .queueFull
        case .queueManaged: self = .queueManaged
        case .down: self = .down
        case .tooLarge: self = .tooLarge
        case .blocked: self = .blocked
        }
    }
}
