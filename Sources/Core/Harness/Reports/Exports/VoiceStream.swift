public import KodamaEvidence
import SansIO

/// One device's voice to another over one path as RTP tells it, from the packets that arrived.
public struct VoiceStream: Sendable, Equatable, Codable {
    /// A packet that arrived.
    struct Packet: Sendable, Equatable {
        /// Its number among those that the sender sent on this stream, from 0.
        var sequence: Int
        /// The capture index of its frame.
        var index: Int64
        /// Its size on the wire, in bytes.
        var bytes: Int64
        /// When it arrived, in nanoseconds since the run's beginning.
        var arrival: Int64
    }

    /// The sender.
    public var sender: String
    /// The receiver.
    public var receiver: String
    /// The path's word in the trace, such as `local`.
    public var path: String
    /// How many packets arrived, duplicates included.
    public var packetCount: Int
    /// How many of those sent between the first and the last that arrived did not: expected minus
    /// received (RFC 3550, A.3), so duplicates count against it.
    public var lostCount: Int
    /// The mean of the interarrival jitter after each packet but the first (RFC 3550, A.8), in nanoseconds.
    public var meanJitterNanoseconds: Int64
    /// The greatest of them.
    public var maxJitterNanoseconds: Int64
    /// The packets in the order in which they arrived.
    let packets: [Packet]
    /// The sender's, the receiver's and the path's numbers in the trace.
    let ends: (sender: UInt32, receiver: UInt32, path: Int)

    private enum CodingKeys: String, CodingKey {
        case sender, receiver, path, packetCount, lostCount
        case meanJitterNanoseconds, maxJitterNanoseconds
    }

    /// A frame of voice lasts 20 ms.
    static let frameNanoseconds: Int64 = 20_000_000

    init(
        _ packets: [Packet],
        _ names: (sender: String, receiver: String, path: String),
        _ ends: (sender: UInt32, receiver: UInt32, path: Int)
    ) {
        (sender, receiver, path) = names
        self.packets = packets
        self.ends = ends
        packetCount = packets.count
        let sequences = packets.map(\.sequence)
        let expected = (sequences.max() ?? 0) - (sequences.first ?? 0) + 1
        lostCount = packets.isEmpty ? 0 : expected - packets.count
        var (jitter, sum, most) = (0.0, 0.0, 0.0)
        for (previous, packet) in zip(packets, packets.dropFirst()) {
            let spacing = packet.index.minus(previous.index).times(Self.frameNanoseconds)
            let difference = packet.arrival.minus(previous.arrival).minus(spacing).magnitude
            jitter += (Double(difference) - jitter) / 16
            sum += jitter
            most = max(most, jitter)
        }
        meanJitterNanoseconds = packets.count > 1 ? Int64(held: sum / Double(packets.count - 1)) : 0
        maxJitterNanoseconds = Int64(held: most)
    }

    /// Reads a stream's figures; its packets are not written.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        sender = try container.decode(String.self, forKey: .sender)
        receiver = try container.decode(String.self, forKey: .receiver)
        path = try container.decode(String.self, forKey: .path)
        packetCount = try container.decode(Int.self, forKey: .packetCount)
        lostCount = try container.decode(Int.self, forKey: .lostCount)
        meanJitterNanoseconds = try container.decode(Int64.self, forKey: .meanJitterNanoseconds)
        maxJitterNanoseconds = try container.decode(Int64.self, forKey: .maxJitterNanoseconds)
        packets = []
        ends = (0, 0, 0)
    }

    /// Compares the figures and the packets.
    public static func == (left: VoiceStream, right: VoiceStream) -> Bool {
        [left.sender, left.receiver, left.path] == [right.sender, right.receiver, right.path]
            && left.packetCount == right.packetCount && left.lostCount == right.lostCount
            && left.meanJitterNanoseconds == right.meanJitterNanoseconds
            && left.maxJitterNanoseconds == right.maxJitterNanoseconds
            && left.packets == right.packets
    }

    /// The streams of a run's trace of media level, in the order in which their first packets were sent.
    ///
    /// - Parameter trace: The trace.
    /// - Returns: The streams of which something arrived.
    public static func all(in trace: RecordedTrace) -> [VoiceStream] {
        var streams: [Key: Gathering] = [:]
        var order: [Key] = []
        for record in trace.records {
            switch record.kind {
            case PacketSent.kind:
                let packet = PacketSent(record)
                guard packet.content.value == .voice else { continue }
                let key = Key(record.component, record.subject, packet.path.number)
                if streams[key] == nil { order.append(key) }
                streams[key, default: Gathering()].sent(packet.index)
            case PacketArrived.kind:
                let packet = PacketArrived(record)
                guard packet.content.value == .voice else { continue }
                let key = Key(record.subject, record.component, packet.path.number)
                streams[key]?.arrived(packet, at: record.instant.nanoseconds)
            default:
                break
            }
        }
        return order.compactMap { key in
            guard let packets = streams[key]?.packets, !packets.isEmpty else { return nil }
            let path = PacketPath(rawValue: key.path)
            return VoiceStream(
                packets,
                (
                    trace.directory.name(of: key.sender), trace.directory.name(of: key.receiver),
                    path.map { "\($0)" } ?? "\(key.path)"
                ),
                (key.sender.index, key.receiver.index, Int(key.path))
            )
        }
    }

    private struct Key: Hashable {
        var sender: ComponentIndex
        var receiver: ComponentIndex
        var path: Int64

        init(_ sender: ComponentIndex, _ receiver: ComponentIndex, _ path: Int64) {
            (self.sender, self.receiver, self.path) = (sender, receiver, path)
        }
    }

    private struct Gathering {
        private var sequences: [Int64: Int] = [:]
        private(set) var packets: [Packet] = []

        mutating func sent(_ index: Int64) {
            if sequences[index] == nil { sequences[index] = sequences.count }
        }

        mutating func arrived(_ packet: PacketArrived, at instant: Int64) {
            guard let sequence = sequences[packet.index] else { return }
            packets.append(
                Packet(
                    sequence: sequence,
                    index: packet.index,
                    bytes: packet.bytes,
                    arrival: instant
                )
            )
        }
    }
}
