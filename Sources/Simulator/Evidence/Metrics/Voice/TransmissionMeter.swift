import PeerTransport

/// What devices hand to the network, and how regularly.
struct TransmissionMeter {
    /// What is kept for each sender and peer: when the latest datagram left, or −1.
    struct Pair {
        fileprivate var latestByPath = SIMD4<Int64>(repeating: -1)
        fileprivate var latest: Int64 = -1

        /// Forgets the latest datagrams, as after leaving the group.
        mutating func forget() {
            self = Pair()
        }
    }

    private(set) var keepalivePeriod = Distribution()
    private(set) var sendGap = Distribution()
    private var datagramCount = 0
    private var byteCount: Int64 = 0
    private var voiceCount: Int64 = 0
    private var droppedCount: Int64 = 0

    private static var gapMin: Int64 { 100_000_000 }

    /// A device handed a datagram to the network.
    mutating func sent(_ packet: PacketSent) {
        datagramCount += 1
        byteCount += packet.bytes
        voiceCount += packet.content.value == .voice ? 1 : 0
    }

    /// The datagram was for a peer.
    mutating func sent(_ packet: PacketSent, at instant: Int64, pair: inout Pair) {
        let latest = pair.latestByPath[packet.path.slot]
        if packet.content.value == .keepalive, latest >= 0 {
            keepalivePeriod.add(instant - latest)
        }
        pair.latestByPath[packet.path.slot] = instant
        closeGap(at: instant, &pair)
        pair.latest = instant
    }

    /// Counts the time since the latest datagram if it is a pause.
    mutating func closeGap(at instant: Int64, _ pair: inout Pair) {
        if pair.latest >= 0, instant - pair.latest > Self.gapMin {
            sendGap.add(instant - pair.latest)
        }
    }

    /// The network dropped a datagram.
    mutating func dropped() {
        droppedCount += 1
    }

    var bytes: Tally { Tally(total: byteCount, samples: datagramCount) }
    var framesSent: Tally { Tally(total: voiceCount, samples: datagramCount) }
    var packetsDropped: Tally { Tally(total: droppedCount, samples: datagramCount) }
}

extension TraceWord<TransportPath> {
    /// The path's slot where something is kept for each: up to four are told apart.
    var slot: Int { Int(number & 3) }
}
