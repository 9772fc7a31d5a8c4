import Glibc
import GroupSecurity

/// What a frame of voice costs: 17 bytes of header and 60 of Opus, sealed and opened.
enum PacketCost {
    private static let messageCount = 77
    private static let packetCount = 200_000

    static func report() {
        var phones = Phones(in: Phones.makeGroup())
        let message = [UInt8](repeating: 1, count: messageCount)
        var packets: [[UInt8]] = []
        packets.reserveCapacity(packetCount)
        let sealing = measure {
            for _ in 0..<packetCount { packets.append(phones.anna.sealed(message, stream: 0)) }
        }
        withUnsafeTemporaryAllocation(byteCount: 2_048, alignment: 16) { room in
            let opening = measure {
                for packet in packets { _ = phones.ben.refusal(of: packet, into: room) }
            }
            let replaying = measure {
                for packet in packets { _ = phones.ben.refusal(of: packet, into: room) }
            }
            for place in packets.indices { packets[place][40] ^= 1 }
            let refusing = measure {
                for packet in packets { _ = phones.ben.refusal(of: packet, into: room) }
            }
            let costs = [
                ("seal", sealing), ("open", opening), ("refuse a replay", replaying),
                ("refuse a forgery", refusing),
            ]
            for (name, nanoseconds) in costs {
                print("\(name), \(messageCount) bytes", "\(nanoseconds) ns", separator: "\t")
            }
        }
        let handshakes = 200
        let shaking = measure(count: handshakes) {
            for _ in 0..<handshakes { _ = Phones(in: Phones.makeGroup()) }
        }
        print("handshake, both sides, new identities", "\(shaking / 1_000) µs", separator: "\t")
    }

    /// Nanoseconds of processor time for each of `count` steps.
    private static func measure(count: Int = packetCount, _ body: () -> Void) -> Int {
        var before = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &before)
        body()
        var after = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &after)
        let nanoseconds =
            (after.tv_sec - before.tv_sec) * 1_000_000_000 + after.tv_nsec - before.tv_nsec
        return nanoseconds / count
    }
}
