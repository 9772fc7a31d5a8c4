import KodamaEvidence
import PeerTransport
import SansIO

/// What devices hand to the network, and how regularly.
struct TransmissionMeter {
    /// What is kept for each sender and peer: when the latest datagram left, or −1.
    struct Pair {
        fileprivate var latestByPath = SIMD4<Int64>(repeating: -1)
        fileprivate var latest: Int64 = -1
        fileprivate var sender = ComponentIndex.none
        fileprivate var peer = ComponentIndex.none

        /// Forgets the latest datagrams, as after leaving the group.
        mutating func forget() {
            self = Pair()
        }
    }

    private var keepalivePeriod = Measure.time(
        "voice.keepalive.period",
        "Time from a datagram to the keepalive that follows it on the same path.",
        "S-VAD-002, A-F-015",
        better: .neutral,
        occasions: .atOnce
    )
    private var sendGap = Measure.time(
        "voice.send.gap.time",
        """
        Pauses of more than 100 ms between datagrams of a device to a peer on any path.
        """,
        "S-VAD-002"
    )
    private var bytes = Measure.bytes(
        "voice.bytes",
        "Bytes of the datagrams handed to the network.",
        "S-VAD-001",
        occasions: .atOnce
    )
    private var framesSent = Measure.count(
        "voice.frames.sent",
        "Datagrams of voice handed to the network, for each peer and path.",
        "S-VAD-001",
        better: .neutral,
        occasions: .atOnce
    )
    private static var gapMin: Int64 { 100_000_000 }

    /// A device handed a datagram to the network.
    mutating func sent(_ packet: PacketSent, _ record: TraceRecord) {
        bytes.add(packet.bytes, at: Occurrence(record))
        framesSent.add(packet.content.value == .voice ? 1 : 0, at: Occurrence(record))
    }

    /// The datagram was for a peer.
    mutating func sent(_ packet: PacketSent, _ record: TraceRecord, pair: inout Pair) {
        let instant = record.instant.nanoseconds
        let latest = pair.latestByPath[packet.path.slot]
        if packet.content.value == .keepalive, latest >= 0 {
            keepalivePeriod.add(
                instant - latest,
                at: Self.occurrence(latest, instant, record.component, record.subject)
            )
        }
        pair.latestByPath[packet.path.slot] = instant
        closeGap(at: instant, &pair)
        pair.latest = instant
        pair.sender = record.component
        pair.peer = record.subject
    }

    /// Counts the time since the latest datagram if it is a pause.
    mutating func closeGap(at instant: Int64, isOpen: Bool = false, _ pair: inout Pair) {
        if pair.latest >= 0, instant - pair.latest > Self.gapMin {
            sendGap.add(
                instant - pair.latest,
                isOpen: isOpen,
                at: Self.occurrence(pair.latest, instant, pair.sender, pair.peer)
            )
        }
    }

    private static func occurrence(
        _ from: Int64,
        _ until: Int64,
        _ sender: ComponentIndex,
        _ peer: ComponentIndex
    ) -> Occurrence {
        Occurrence(Span(start: from, end: until), of: sender, about: peer)
    }

    var metrics: [any AnyMeasure] {
        [keepalivePeriod, sendGap, bytes, framesSent]
    }
}

extension TraceWord<PacketPath> {
    /// The path's slot where something is kept for each: up to four are told apart.
    var slot: Int { Int(number & 3) }
}
