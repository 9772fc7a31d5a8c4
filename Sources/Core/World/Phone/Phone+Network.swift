package import KodamaEvidence
package import KodamaLanguage
public import KodamaNetwork
package import KodamaPhone
import SansIO

extension SocketAddress {
    /// The address at which an app receives packets from phones nearby.
    package static func peer(_ phone: ComponentIndex, app: AppID) -> SocketAddress {
        let address = NetworkAddress(
            host: phone.index,
            interface: NetworkAddress.peerRadio,
            lease: 0
        )
        return SocketAddress(address: address, port: UInt64(app.index) << Phone.appPortShift)
    }
}

extension Phone: PathUser {
    /// Where a port's app stands in it.
    @usableFromInline package static let appPortShift: UInt64 = 60

    /// What stands there in the ports of the system's own sockets.
    package static let systemPort: UInt64 = 15

    /// The network's name for one of the phone's addresses.
    package func address(_ lease: InterfaceLease) -> NetworkAddress {
        NetworkAddress(host: host, interface: lease.interface.rawValue, lease: lease.lease)
    }

    /// The radio of an interface.
    package func radio(_ interface: UInt8) -> Radio? {
        radios.first { $0.interface.rawValue == interface }
    }

    /// Whether packets of signalling pass both ways between one of its addresses and the servers.
    package func isReachable(on stage: borrowing Stage) -> Bool {
        addresses.contains { passes(.signalling, by: $0, on: stage) }
    }

    /// Whether packets of a kind pass both ways between one of its addresses and the servers.
    package func passes(
        _ traffic: TrafficClass,
        by address: NetworkAddress,
        on stage: borrowing Stage
    ) -> Bool {
        delay(of: traffic, by: address, .forward, on: stage) != nil
            && delay(of: traffic, by: address, .backward, on: stage) != nil
    }

    /// How long packets of a kind are under way between one of its addresses and the servers.
    ///
    /// - Parameters:
    ///   - traffic: Of which kind they are.
    ///   - address: The address, which may be the phone's no longer.
    ///   - way: `.forward` from the phone, `.backward` to it.
    ///   - stage: The links.
    /// - Returns: The nanoseconds; `nil` if they do not pass.
    package func delay(
        of traffic: TrafficClass,
        by address: NetworkAddress,
        _ way: LinkWays,
        on stage: borrowing Stage
    ) -> Int64? {
        guard addresses.contains(address), let radio = radio(address.interface),
            !radio.isBlocked(traffic, way, at: stage.now)
        else { return nil }
        let direction = way == .forward ? radio.link.forward : radio.link.backward
        return stage.carries(direction) ? stage.delay(of: direction).wholeNanoseconds : nil
    }

    /// Hands a packet to the app of its port; the phone may have another address by now.
    @usableFromInline package func receive(_ packet: Packet, on stage: inout Stage) {
        let address = packet.destination.address
        let app = Int(packet.destination.port >> Self.appPortShift)
        guard address.interface == NetworkAddress.peerRadio || addresses.contains(address) else {
            return stage.network.discard(packet)
        }
        heardAt = stage.now
        if app == Self.systemPort { courier?.receive(packet, on: &stage) }
        guard apps.indices.contains(app)
        else { return stage.network.discard(packet) }
        apps[app].receive(packet, on: &stage)
    }

    /// Whether packets pass may have changed.
    package func touchPath(on stage: inout Stage) {
        for app in apps { app.touchPath(on: &stage) }
    }
}
