import Evidence
import Models
import RealtimeVoice
import SansIO
import Scenarios

extension Phone: PathUser {
    /// Where a port's app stands in it.
    static let appPortShift: UInt64 = 60

    /// The network's name for one of the phone's addresses.
    func address(_ lease: InterfaceLease) -> NetworkAddress {
        NetworkAddress(host: host, interface: lease.interface.rawValue, lease: lease.lease)
    }

    /// The radio of an interface.
    func radio(_ interface: UInt8) -> Radio? {
        radios.first { $0.interface.rawValue == interface }
    }

    /// Whether packets of this kind are blocked on this radio.
    func isBlocked(_ interface: NetworkInterface, _ traffic: TrafficClass, at now: Instant) -> Bool
    {
        blocks.contains { block in
            block.until > now && (block.interface ?? interface) == interface
                && (block.traffic ?? traffic) == traffic
        }
    }

    /// Sends a packet to the servers.
    func transmit(_ packet: Packet, on stage: inout Stage) {
        guard let radio = openRadio(for: packet, at: packet.source.address, stage.now) else {
            return
        }
        stage.send(packet, by: radio.link.forward)
    }

    /// A server sends a packet to the phone.
    func transmitDown(_ packet: Packet, on stage: inout Stage) {
        guard let radio = openRadio(for: packet, at: packet.destination.address, stage.now) else {
            return
        }
        stage.send(packet, by: radio.link.backward)
    }

    /// The radio of one of the phone's addresses, if a packet passes on it.
    private func openRadio(
        for packet: Packet,
        at address: NetworkAddress,
        _ now: Instant
    ) -> Radio? {
        guard let radio = radio(address.interface), addresses.contains(address),
            !isBlocked(radio.interface, packet.trafficClass, at: now)
        else { return nil }
        return radio
    }

    /// A packet reaches the phone, which may have another address by now; it is its port's app's.
    func receive(_ packet: Packet, on stage: inout Stage) {
        guard addresses.contains(packet.destination.address) else { return }
        let app = Int(packet.destination.port >> Self.appPortShift)
        guard apps.indices.contains(app) else { return }
        apps[app].receive(packet, on: &stage)
    }

    /// Whether packets pass may have changed.
    func touchPath(on stage: inout Stage) {
        for app in apps { app.touchPath(on: &stage) }
    }
}
