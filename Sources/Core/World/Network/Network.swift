package import KodamaEvidence
package import KodamaLanguage
public import KodamaNetwork
import KodamaPhone
public import KodamaSimulation
import SansIO

/// The links' directions, phones' radios, and what is on its way.
@usableFromInline package struct Network: ~Copyable {
    /// Both directions of every link, forward before backward.
    package var directions: [LinkEnd]
    /// The phones' radios, by host.
    private let radios: [[Radio]]
    /// Packets on their way.
    @usableFromInline package var packets = PacketTable()
    /// The bytes of those that are datagrams.
    package var datagrams: Slab<DatagramLabel>
    /// Where a datagram is put together before it is sent.
    package let datagram: UnsafeMutableRawBufferPointer
    /// Where a frame is encoded.
    package let payload: UnsafeMutableRawBufferPointer

    /// The links as components, each of two directions, where every packet leaves a record.
    private let linkIndices: [ComponentIndex]?

    package init(
        directions: [LinkEnd],
        radios: [[Radio]],
        keepsBytes: Bool,
        linkIndices: [ComponentIndex]?
    ) {
        self.directions = directions
        self.radios = radios
        self.linkIndices = linkIndices
        datagrams = Slab(bytesPerSlot: keepsBytes ? Self.datagramBytesMax : Self.controlBytesMax)
        datagram = .allocate(byteCount: Self.datagramBytesMax, alignment: 16)
        payload = .allocate(byteCount: Self.payloadBytesMax, alignment: 16)
    }

    deinit {
        datagram.deallocate()
        payload.deallocate()
    }

    /// The radio of an address; `nil` if it is a server's or a peer radio's.
    package func radio(of address: NetworkAddress) -> Radio? {
        guard address.host < radios.count else { return nil }
        for radio in radios[Int(address.host)] where radio.interface.rawValue == address.interface {
            return radio
        }
        return nil
    }

    /// By which direction a packet leaves: up from a phone's radio, or down to one, and whether a filter
    /// takes it there; `nil` where no radio has the address.
    fileprivate func way(of packet: Packet, at now: Instant) -> (direction: Int, isBlocked: Bool)? {
        let source = packet.source.address
        if let radio = radio(of: source) {
            guard radio.address == source else { return nil }
            return (radio.link.forward, radio.isBlocked(packet.trafficClass, .forward, at: now))
        }
        let destination = packet.destination.address
        guard let radio = radio(of: destination), radio.address == destination else { return nil }
        return (radio.link.backward, radio.isBlocked(packet.trafficClass, .backward, at: now))
    }

    /// Keeps a datagram's bytes until it has arrived.
    package mutating func keep(_ bytes: [UInt8], _ label: DatagramLabel) -> Packet.Content {
        let slot = datagrams.take(label, size: bytes.count)
        datagrams.bytes(of: slot).copyBytes(from: bytes)
        return .datagram(DatagramHandle(slot: slot))
    }

    /// A packet like another one, with bytes of its own.
    fileprivate mutating func copy(of packet: Packet) -> Packet {
        guard case .datagram(let handle) = packet.content else { return packet }
        var copy = packet
        let bytes = [UInt8](datagrams.bytes(of: handle.slot))
        copy.content = keep(bytes, datagrams.label(of: handle.slot))
        return copy
    }

    /// The link of a direction, where its packets leave records.
    fileprivate func link(of direction: Int) -> ComponentIndex? {
        linkIndices?[direction / 2]
    }

    /// Discards a packet that has no receiver.
    package mutating func discard(_ packet: Packet) {
        guard case .datagram(let handle) = packet.content else { return }
        datagrams.release(handle.slot)
    }
}

extension Stage {
    // Systems ask for what they need of a direction: read through a module's border, an element of
    // `directions` is copied whole.

    /// Whether nothing passes in one direction of a link now that is of use when it comes.
    package func isStopped(_ direction: Int) -> Bool {
        network.directions[direction].isStopped(at: now)
    }

    /// The delay of one direction of a link, without jitter and queue.
    package func delay(of direction: Int) -> Duration {
        network.directions[direction].link.direction.delay
    }

    /// Whether one direction of a link carries packets in a time in which they are of use to a conversation, without
    /// the queue.
    package func carries(_ direction: Int) -> Bool {
        let link = network.directions[direction].link.direction
        return !isStopped(direction) && link.delay + link.jitter.most <= LinkEnd.usefulDelayMax
    }

    /// Sends a packet by the way that its addresses name; what no radio takes is lost.
    ///
    /// - Returns: Why it was dropped at once, if it was.
    @discardableResult
    public mutating func send(_ packet: Packet) -> LinkDropReason? {
        guard let (direction, isBlocked) = network.way(of: packet, at: now) else {
            network.discard(packet)
            return .down
        }
        guard !isBlocked else {
            network.directions[direction].link.block(bytes: packet.wireBytes)
            noteCarried(packet, by: direction, .dropped(.blocked))
            answerForServer(packet)
            network.discard(packet)
            return .blocked
        }
        return send(packet, by: direction)
    }

    /// Lets a wall on a radio's way answer a packet that it keeps from its server.
    private mutating func answerForServer(_ packet: Packet) {
        guard case .stream(let segment) = packet.content,
            let radio = network.radio(of: packet.source.address),
            let answer = radio.answer(to: segment, from: packet.source, at: now)
        else { return }
        let (up, down) = (radio.link.forward, radio.link.backward)
        let arrival = now.advanced(by: delay(of: up) + delay(of: down))
        let answered = Packet(
            from: packet.destination,
            to: packet.source,
            wireBytes: 60,
            .stream(answer)
        )
        deliver(answered, by: down, at: arrival)
    }

    /// Sends a packet by one direction of a link.
    ///
    /// - Returns: Why it was dropped at once, if it was.
    @discardableResult
    package mutating func send(_ packet: Packet, by direction: Int) -> LinkDropReason? {
        let verdict = network.directions[direction].send(bytes: packet.wireBytes, at: now)
        noteCarried(packet, by: direction, verdict)
        let (first, second) = (verdict.arrival?.intact, verdict.secondArrival?.intact)
        guard let last = second ?? first else {
            network.discard(packet)
            return verdict.dropReason
        }
        if second != nil, let first {
            deliver(network.copy(of: packet), by: direction, at: first)
        }
        deliver(packet, by: direction, at: last)
        return nil
    }

    /// Sends the datagram that lies in `network.datagram` by the way that its addresses name.
    ///
    /// - Returns: Why it was dropped at once, if it was.
    package mutating func sendDatagram(
        _ label: DatagramLabel,
        keptBytes: Int,
        from source: SocketAddress,
        to destination: SocketAddress
    ) -> LinkDropReason? {
        let slot = network.keepDatagram(label, keptBytes, corruptedBit: nil)
        return send(
            Packet(
                from: source,
                to: destination,
                wireBytes: Int(label.wireBytes),
                .datagram(DatagramHandle(slot: slot))
            )
        )
    }

    /// Sends the datagram that lies in `network.datagram` by one direction of a link, and keeps a copy
    /// until it arrives; its reader finds out what was corrupted.
    package mutating func sendDatagram(
        _ label: DatagramLabel,
        keptBytes: Int,
        from source: SocketAddress,
        to destination: SocketAddress,
        by direction: Int
    ) -> LinkOutcome {
        let verdict = network.directions[direction].send(bytes: Int(label.wireBytes), at: now)
        var packet = Packet(
            from: source,
            to: destination,
            wireBytes: Int(label.wireBytes),
            .datagram(DatagramHandle(slot: 0))
        )
        noteCarried(packet, by: direction, verdict)
        if network.directions[direction].tap != nil {
            let heard = AirTap.Heard(
                label: label,
                bytes: Array(network.datagram[..<keptBytes]),
                source: source,
                destination: destination
            )
            network.directions[direction].tap?.hear(heard)
        }
        for arrival in [verdict.arrival, verdict.secondArrival] {
            guard let arrival else { continue }
            let slot = network.keepDatagram(label, keptBytes, corruptedBit: arrival.corruptedBit)
            packet.content = .datagram(DatagramHandle(slot: slot))
            deliver(packet, by: direction, at: arrival.instant)
        }
        return verdict
    }

    /// Records a packet, if the run keeps records of packets.
    @inline(__always)
    private mutating func noteCarried(
        _ packet: Packet,
        by direction: Int,
        _ verdict: LinkOutcome
    ) {
        guard let link = network.link(of: direction) else { return }
        let carried = PacketCarried(packet, verdict, sent: now)
        note(carried, of: link, about: ComponentIndex(packet.source.address.host))
    }

    /// Sends an attacker's datagram into one direction of a link, at the receiver's end.
    package mutating func inject(
        _ attack: LinkAttack,
        into direction: Int,
        _ draws: inout RandomStream
    ) {
        let packet = network.directions[direction].tap?.packet(for: attack, &draws)
        guard let packet else { return }
        deliver(
            Packet(
                from: packet.source,
                to: packet.destination,
                wireBytes: Int(packet.label.wireBytes),
                network.keep(packet.bytes, packet.label)
            ),
            by: direction,
            at: now
        )
    }

    private mutating func deliver(_ packet: Packet, by direction: Int, at instant: Instant) {
        let host = ComponentIndex(packet.destination.address.host)
        let slot = network.packets.take(packet)
        push(
            Delivery(to: host, Delivery.packetWord, slot),
            at: network.directions[direction].source.key(at: instant)
        )
    }
}

extension Network {
    /// Copies the datagram that lies in `datagram` into a slot.
    fileprivate mutating func keepDatagram(
        _ label: DatagramLabel,
        _ keptBytes: Int,
        corruptedBit: Int?
    ) -> UInt32 {
        var label = label
        label.isSpoilt = corruptedBit != nil
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

    /// The longest datagram: what UDP has left of an Ethernet frame's 1,500 bytes (RFC 894), which is
    /// whole cache lines too.
    package static let datagramBytesMax = 1_472
    /// Room for every message without voice, of which a group's list of members is the longest, and for
    /// a voice message of which one byte is kept.
    package static let controlBytesMax = 256
    /// The longest encoded frame that Opus makes (RFC 6716, section 3.4).
    package static let payloadBytesMax = 1_275
}

extension Arrival {
    /// When the packet arrives whole; a corrupted one fails its checksum.
    fileprivate var intact: Instant? { corruptedBit == nil ? instant : nil }
}
