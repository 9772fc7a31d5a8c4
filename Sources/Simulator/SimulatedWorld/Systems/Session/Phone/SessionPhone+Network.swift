import Evidence
import Models
import RealtimeVoice
import SansIO

extension SessionPhone {
    /// Sends a packet to the servers.
    func transmit(_ packet: Packet, on stage: inout Stage) {
        let source = packet.source.address
        guard let radio = radio(source.interface), addresses.contains(source),
            !isBlocked(radio.interface, packet.trafficClass, at: stage.now)
        else { return }
        stage.send(packet, by: radio.link.forward)
    }

    /// A server sends a packet to the phone.
    func transmitDown(_ packet: Packet, on stage: inout Stage) {
        touchFlows(on: &stage)
        let destination = packet.destination.address
        guard let radio = radio(destination.interface), addresses.contains(destination),
            !isBlocked(radio.interface, packet.trafficClass, at: stage.now)
        else { return }
        stage.send(packet, by: radio.link.backward)
    }

    /// A packet reaches the phone, which may have another address by now.
    func receive(_ packet: Packet, on stage: inout Stage) {
        guard addresses.contains(packet.destination.address), process != .suspended else { return }
        let port = packet.destination.port
        if port >= Self.firstRequestPort {
            guard case .stream(let segment) = packet.content,
                let call = calls.first(where: { $0.source == packet.destination })
            else { return }
            call.hear(.received(segment), on: &stage)
        } else {
            let serial = UInt32(port / Self.portsPerRoom)
            roomObjects.first { $0.serial == serial }?.hear(.packet(packet), on: &stage)
            if case .media(let frame) = packet.content {
                play(frame, in: packet, on: &stage)
            }
        }
        touchFlows(on: &stage)
    }
}
