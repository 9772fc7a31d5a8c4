import Models

/// Packets on their way, by slot; a slot is free again once its packet has arrived.
struct PacketTable {
    private var packets: [Packet?] = []
    private var free: [UInt32] = []

    /// Keeps a packet.
    mutating func take(_ packet: Packet) -> UInt32 {
        guard let slot = free.popLast() else {
            packets.append(packet)
            return UInt32(packets.count - 1)
        }
        packets[Int(slot)] = packet
        return slot
    }

    /// The host that the packet in a slot goes to.
    func destination(of slot: UInt32) -> UInt16? { packets[Int(slot)]?.destination.address.host }

    /// Takes the packet out of its slot.
    mutating func release(_ slot: UInt32) -> Packet? {
        defer {
            packets[Int(slot)] = nil
            free.append(slot)
        }
        return packets[Int(slot)]
    }
}
