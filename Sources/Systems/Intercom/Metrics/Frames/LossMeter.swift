import KodamaEvidence
import KodamaSimulation
import SansIO

/// How the network loses voice frames: in what bursts, with what between them, and why.
struct LossMeter {
    /// What is kept for each sender and peer.
    struct Pair {
        /// The frame sent last, of which it is not known yet whether more of its burst follow.
        fileprivate var last: (isLost: Bool, instant: Int64)?
        /// The frames lost in a row up to the one before, and those that got through in a row.
        fileprivate var lostCount: Int64 = 0
        fileprivate var keptCount: Int64 = 0
        /// When the row began that is being counted.
        fileprivate var rowStart: Int64 = 0
        fileprivate var hasLost = false
        fileprivate var sender = ComponentIndex.none
        fileprivate var peer = ComponentIndex.none
    }

    private var burst = Measure.number(
        "voice.loss.burst.frames",
        "Voice frames that the network dropped in a row on the way from a sender to a peer.",
        "RFC 3611; ITU-T G.107 BurstR"
    )
    private var gap = Measure.number(
        "voice.loss.gap.frames",
        "Voice frames that the network took in a row between two that it dropped.",
        "RFC 3611",
        better: .higher,
        occasions: .atOnce
    )
    private var dropped = Measure.count(
        "voice.packets.dropped",
        "Datagrams that the network dropped.",
        "RFC 3550",
        occasions: .atOnce
    )
    private var frames = Measure.count(
        "voice.packets.dropped.frames",
        "Datagrams of voice that the network dropped.",
        "RFC 3550",
        occasions: .atOnce
    )
    private var lost = Measure.count(
        "voice.packets.dropped.lost",
        "Datagrams that were lost on a link at random, or in its bursts.",
        "RFC 3550",
        occasions: .atOnce
    )
    private var queued = Measure.count(
        "voice.packets.dropped.queued",
        "Datagrams that a link's queue had no room for, or dropped to keep the delay down.",
        "RFC 3550",
        occasions: .atOnce
    )
    private var stopped = Measure.count(
        "voice.packets.dropped.stopped",
        "Datagrams that a link took none of: it was down, or a filter let none of them pass.",
        "RFC 3550",
        occasions: .atOnce
    )

    var metrics: [any AnyMeasure] { [dropped, frames, lost, queued, stopped, burst, gap] }

    /// A device handed a datagram to the network.
    mutating func sent(_ record: TraceRecord) {
        dropped.add(0, at: Occurrence(record))
    }

    /// A device handed a voice frame for a peer to the network, by whichever path.
    mutating func frameSent(_ record: TraceRecord, pair: inout Pair) {
        settle(&pair)
        (pair.sender, pair.peer) = (record.component, record.subject)
        pair.last = (false, record.instant.nanoseconds)
    }

    /// The network dropped a datagram, which was counted among all when it was sent.
    mutating func dropped(_ packet: PacketDropped, _ record: TraceRecord) {
        let occurrence = Occurrence(record)
        dropped.add(1, samples: 0, at: occurrence)
        frames.add(packet.content.value == .voice ? 1 : 0, at: occurrence)
        let reason = packet.reason.value
        lost.add(reason == .loss ? 1 : 0, at: occurrence)
        queued.add(reason == .queueFull || reason == .queueManaged ? 1 : 0, at: occurrence)
        let isStopped = reason == .down || reason == .blocked || reason == .tooLarge
        stopped.add(isStopped ? 1 : 0, at: occurrence)
    }

    /// The network dropped the voice frame that was sent last to a peer.
    func frameDropped(pair: inout Pair) {
        pair.last?.isLost = true
    }

    /// The run ends: a burst that lasts is open.
    mutating func end(pair: inout Pair) {
        settle(&pair)
        closeBurst(&pair, until: pair.rowStart, isOpen: true)
    }

    /// It is known of the last frame whether it was lost.
    private mutating func settle(_ pair: inout Pair) {
        guard let (isLost, instant) = pair.last else { return }
        pair.last = nil
        if isLost {
            if pair.keptCount > 0, pair.hasLost {
                gap.add(pair.keptCount, at: Self.occurrence(pair, until: instant))
            }
            if pair.lostCount == 0 { pair.rowStart = instant }
            (pair.lostCount, pair.keptCount, pair.hasLost) = (pair.lostCount + 1, 0, true)
        } else {
            closeBurst(&pair, until: instant)
            if pair.keptCount == 0 { pair.rowStart = instant }
            (pair.lostCount, pair.keptCount) = (0, pair.keptCount + 1)
        }
    }

    private mutating func closeBurst(
        _ pair: inout Pair,
        until instant: Int64,
        isOpen: Bool = false
    ) {
        guard pair.lostCount > 0 else { return }
        burst.add(pair.lostCount, isOpen: isOpen, at: Self.occurrence(pair, until: instant))
    }

    private static func occurrence(_ pair: Pair, until instant: Int64) -> Occurrence {
        Occurrence(Span(start: pair.rowStart, end: instant), of: pair.sender, about: pair.peer)
    }
}
