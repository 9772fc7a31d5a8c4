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

    private var keepalivePeriod = Measure.time(
        "voice.keepalive.period",
        "Time from a datagram to the keepalive that follows it on the same path.",
        "S-VAD-002, A-F-015",
        better: .neutral
    )
    private var sendGap = Measure.time(
        "voice.send.gap.time",
        """
        Pauses of more than 100 ms between datagrams of a device to a peer on any path, with the one \
        still running at the run's end.
        """,
        "S-VAD-002"
    )
    private var bytes = Measure.bytes(
        "voice.bytes",
        "Bytes of the datagrams handed to the network.",
        "S-VAD-001"
    )
    private var framesSent = Measure.count(
        "voice.frames.sent",
        "Datagrams of voice handed to the network, for each peer and path.",
        "S-VAD-001",
        better: .neutral
    )
    private var packetsDropped = Measure.count(
        "voice.packets.dropped",
        "Datagrams that the network dropped.",
        "RFC 3550"
    )

    private static var gapMin: Int64 { 100_000_000 }

    /// A device handed a datagram to the network.
    mutating func sent(_ packet: PacketSent) {
        bytes.add(packet.bytes)
        framesSent.add(packet.content.value == .voice ? 1 : 0)
        packetsDropped.add(0)
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
        packetsDropped.found.total += 1
    }

    var metrics: [any AnyMeasure] {
        [keepalivePeriod, sendGap, bytes, framesSent, packetsDropped]
    }
}

extension TraceWord<TransportPath> {
    /// The path's slot where something is kept for each: up to four are told apart.
    var slot: Int { Int(number & 3) }
}
