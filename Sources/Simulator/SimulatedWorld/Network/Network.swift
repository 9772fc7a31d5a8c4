import Evidence
import Models
import PeerTransport
import Simulation

/// The links' directions, and what is on its way over them.
struct Network: ~Copyable {
    /// Both directions of every link, forward before backward.
    var directions: [LinkEnd]
    /// Packets between phones and servers.
    var packets = PacketTable()
    /// Datagrams between phones with an intercom.
    var datagrams: Slab<DatagramLabel>
    /// Where a datagram is put together before it is sent.
    let datagram: UnsafeMutableRawBufferPointer
    /// Where a frame is encoded.
    let payload: UnsafeMutableRawBufferPointer

    init(directions: [LinkEnd], keepsBytes: Bool) {
        self.directions = directions
        datagrams = Slab(bytesPerSlot: keepsBytes ? Self.datagramBytesMax : Self.controlBytesMax)
        datagram = .allocate(byteCount: Self.datagramBytesMax, alignment: 16)
        payload = .allocate(byteCount: Self.payloadBytesMax, alignment: 16)
    }

    deinit {
        datagram.deallocate()
        payload.deallocate()
    }
}

extension Stage {
    /// Sends a packet by one direction of a link; a corrupted one fails its checksum on arrival.
    mutating func send(_ packet: Packet, by direction: Int) {
        let verdict = network.directions[direction].send(bytes: packet.wireBytes, at: now)
        for arrival in [verdict.arrival, verdict.secondArrival] {
            guard let arrival, arrival.corruptedBit == nil else { continue }
            let slot = network.packets.take(packet)
            let host = ComponentIndex(packet.destination.address.host)
            push(
                Delivery(to: host, Delivery.packetWord, slot),
                at: network.directions[direction].source.key(at: arrival.instant)
            )
        }
    }
}

extension Stage {
    /// Sends the datagram that lies in `network.datagram` by one direction of a link, and keeps a copy
    /// until it arrives.
    mutating func sendDatagram(
        _ label: DatagramLabel,
        keptBytes: Int,
        by direction: Int
    ) -> Simulation.Verdict {
        let verdict = network.directions[direction].send(bytes: Int(label.wireBytes), at: now)
        for arrival in [verdict.arrival, verdict.secondArrival] {
            guard let arrival else { continue }
            let slot = network.keepDatagram(label, keptBytes, corruptedBit: arrival.corruptedBit)
            push(
                Delivery(to: label.receiver, Delivery.datagramWord, slot),
                at: network.directions[direction].source.key(at: arrival.instant)
            )
        }
        return verdict
    }
}

extension Network {
    /// Copies the datagram that lies in `datagram` into a slot.
    fileprivate mutating func keepDatagram(
        _ label: DatagramLabel,
        _ keptBytes: Int,
        corruptedBit: Int?
    ) -> UInt32 {
        let slot = datagrams.take(label, size: keptBytes)
        let bytes = datagrams.bytes(of: slot)
        bytes.copyMemory(from: UnsafeRawBufferPointer(rebasing: datagram[..<keptBytes]))
        if let bit = corruptedBit {
            // A bit beyond what is kept belongs to lower layers' headers or to a payload of which
            // only the size is known; it fails the checksum like any other.
            let kept = bit / 8 < keptBytes ? bit : bit % 8
            bytes[kept / 8] ^= 1 << UInt8(kept % 8)
        }
        return slot
    }

    /// The longest datagram, rounded up to whole cache lines.
    static let datagramBytesMax = (PeerMessage.encodedCountMax + 63) / 64 * 64
    /// Room for every message without voice, and for a voice message of which one byte is kept.
    static let controlBytesMax = 64
    /// The longest encoded frame.
    static let payloadBytesMax = PeerMessage.payloadCountMax
}
