import Evidence
import Models
import RealtimeVoice
import SansIO
import Scenarios
import Simulation

extension World {
    /// Sends a packet from a phone to the servers.
    mutating func transmit(_ packet: Packet, from phone: SessionPhone, at now: Instant) {
        let source = packet.source.address
        guard let radio = phone.radio(source.interface), phone.addresses.contains(source),
            !phone.isBlocked(radio.interface, packet.trafficClass, at: now)
        else { return }
        carry(packet, by: radio.forward, at: now)
    }

    /// Sends a packet from the servers to a phone.
    mutating func transmitFromSite(_ packet: Packet, at now: Instant) {
        let destination = packet.destination.address
        guard Int(destination.host) < phones.count else { return }
        let phone = phones[Int(destination.host)]
        if spokenTo.last != phone.place { spokenTo.append(phone.place) }
        guard let radio = phone.radio(destination.interface),
            phone.addresses.contains(destination),
            !phone.isBlocked(radio.interface, packet.trafficClass, at: now)
        else { return }
        carry(packet, by: radio.backward, at: now)
    }

    /// Asks a link what becomes of the packet; a corrupted one fails its checksum on arrival.
    private mutating func carry(_ packet: Packet, by direction: Int, at now: Instant) {
        let verdict = directions[direction].send(bytes: packet.wireBytes, at: now)
        for arrival in [verdict.arrival, verdict.secondArrival] {
            guard let arrival, arrival.corruptedBit == nil else { continue }
            let key = directions[direction].source.key(at: arrival.instant)
            queue.push(.packet(slot: packets.take(packet)), at: key)
        }
    }

    /// A packet reaches its host.
    mutating func receivePacket(_ slot: UInt32, at now: Instant) {
        guard let packet = packets.release(slot) else { return }
        switch packet.destination.address.host {
        case ServerSite.roomsHost: receiveAtRooms(packet, at: now)
        case ServerSite.apiHost: receiveAtAPI(packet, at: now)
        case let host: receive(packet, at: phones[Int(host)], now)
        }
    }

    private mutating func receiveAtRooms(_ packet: Packet, at now: Instant) {
        if case .media(let frame) = packet.content {
            hear(frame, in: packet, at: now)
        } else {
            sendSession(.rooms(.packet(packet)), at: now)
            settleAgents(at: now)
        }
        spokenTo.removeAll(keepingCapacity: true)
        let host = Int(packet.source.address.host)
        if host < phones.count { reviewFlows(of: phones[host], at: now) }
    }

    private mutating func receive(_ packet: Packet, at phone: SessionPhone, _ now: Instant) {
        guard phone.addresses.contains(packet.destination.address), !phone.isSuspended else {
            return
        }
        let port = packet.destination.port
        if port >= SessionPhone.firstRequestPort {
            guard case .stream(let segment) = packet.content,
                let call = phone.requests.first(where: { $0.source == packet.destination })
            else { return }
            sendSession(
                .request(phone: phone.place, call.operation, .received(segment)),
                at: now
            )
        } else {
            let serial = port / SessionPhone.portsPerRoom
            sendSession(.room(phone: phone.place, serial: serial, .packet(packet)), at: now)
            if case .media(let frame) = packet.content {
                play(frame, in: packet, at: phone, now)
            }
        }
        reviewFlows(of: phone, at: now)
    }
}
