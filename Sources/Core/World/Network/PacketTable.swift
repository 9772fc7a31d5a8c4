public import KodamaNetwork
import KodamaPhone

/// Packets on their way, by slot; a slot is free again once its packet has arrived.
@usableFromInline package struct PacketTable {
    private var packets: [Packet?] = []
    private var free: [UInt32] = []

    package init() {
    }

    /// Keeps a packet.
    package mutating func take(_ packet: Packet) -> UInt32 {
        guard let slot = free.popLast() else {
            packets.append(packet)
            return UInt32(packets.count - 1)
        }
        packets[Int(slot)] = packet
        return slot
    }

    /// Takes the packet out of its slot.
    @usableFromInline package mutating func release(_ slot: UInt32) -> Packet {
        guard let packet = packets[Int(slot)] else {
            preconditionFailure("no packet is on its way in slot \(slot)")
        }
        packets[Int(slot)] = nil
        free.append(slot)
        return packet
    }
}
