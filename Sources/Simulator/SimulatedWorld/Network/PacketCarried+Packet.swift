import Evidence
import Models
import SansIO
import Simulation

extension PacketCarried {
    /// What the trace says of a packet that a link is given now.
    init(_ packet: Packet, _ verdict: LinkOutcome, sent: Instant) {
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
        case .nearby: self = .nearby
        case .match: self = .match
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
