import GroupSecurity
import KodamaEvidence
import PeerTransport
import SansIO

// Who has not proven who they are, and what is refused.

extension IntercomNarrator {
    /// Connections over which nobody has proven who they are, and whom apps have let in.
    struct Proofs {
        /// By pair and path since when a connection is up that nothing has been proven over.
        private var unproven: [Pair: [TransportPath: Instant]] = [:]
        private var proven: Set<Pair> = []

        /// Less than this before the run's end is no delay worth a word: handshakes take time.
        private static let waitMin: Int64 = 2_000_000_000

        /// A connection is up; who is let in already need prove nothing over another one.
        mutating func open(_ pair: Pair, _ path: TransportPath, at now: Instant) {
            guard !proven.contains(pair) else { return }
            unproven[pair, default: [:]][path] = now
        }

        /// A connection is gone: how long it was up, if nothing was proven meanwhile.
        mutating func close(_ pair: Pair, _ path: TransportPath, at now: Instant) -> Int64? {
            let since = unproven[pair]?.removeValue(forKey: path)
            return since.map { $0.duration(to: now).wholeNanoseconds }
        }

        /// An app has let the other side in.
        mutating func prove(_ pair: Pair) {
            proven.insert(pair)
            unproven[pair] = nil
        }

        /// An app has given the other side up, which then proves anew who it is.
        mutating func forget(_ pair: Pair) { proven.remove(pair) }

        /// An app is in no group any more: it and whoever meets it again prove anew who they are.
        mutating func forget(_ app: ComponentIndex) {
            proven = proven.filter { $0.at != app.index && $0.of != app.index }
        }

        /// Who has a connection at an instant and has not proven who they are, and since when.
        func missing(at now: Instant) -> [(pair: Pair, since: Instant)] {
            unproven.compactMap { pair, paths -> (pair: Pair, since: Instant)? in
                guard let since = paths.values.min(),
                    since.duration(to: now).wholeNanoseconds >= Self.waitMin
                else { return nil }
                return (pair, since)
            }
            .sorted { ($0.pair.at, $0.pair.of) < ($1.pair.at, $1.pair.of) }
        }
    }

    /// Says at the run's end who has a connection and has not proven who they are.
    func tellUnproven(at end: Instant, in narration: inout Narration) {
        for (pair, since) in proofs.missing(at: end) where departed[pair.at] == nil {
            let other = narration.name(of: ComponentIndex(pair.of)) ?? "somebody"
            narration.say(
                "\(other) has still not proven who it is",
                of: ComponentIndex(pair.at),
                at: end,
                after: Sentence.Cause(at: since, "a connection to \(other) was up")
            )
        }
    }
}

extension IntercomNarrator {
    /// Why packets are refused, and from whom.
    struct Refusals {
        /// Who refuses packets from whose connection, and why.
        struct Reason: Hashable {
            var pair: Pair
            var refusal: TraceWord<PacketRefusal>
        }

        /// The first packet that was refused for a reason, and how many were.
        struct Refused {
            var at: Instant
            var position: Int
            var count = 0
        }

        private var refused: [Reason: Refused] = [:]

        /// A packet is refused, before which so many records came.
        mutating func note(_ record: TraceRecord, _ position: Int) {
            let reason = Reason(pair: Pair(record), refusal: PacketRefused(record).reason)
            refused[reason, default: Refused(at: record.instant, position: position)].count += 1
        }

        /// All of them, in the order in which they began.
        var all: [(reason: Reason, refused: Refused)] {
            refused.map { (reason: $0.key, refused: $0.value) }
                .sorted { left, right in
                    (left.refused.position, left.reason.refusal.number)
                        < (right.refused.position, right.reason.refusal.number)
                }
        }
    }

    /// Says of each reason when the first packet was refused for it, and how many were.
    func tellRefusals(in narration: inout Narration) {
        for (reason, refused) in refusals.all {
            let other = narration.name(of: ComponentIndex(reason.pair.of)) ?? "somebody"
            let packets =
                refused.count == 1 ? "a packet" : "the first of \(refused.count) packets"
            narration.position = refused.position
            narration.say(
                "the app refuses \(packets) from its connection with \(other), "
                    + "because \(reason.refusal.sentence)",
                of: ComponentIndex(reason.pair.at),
                at: refused.at
            )
        }
    }
}

extension TraceWord<PacketRefusal> {
    /// Why a packet is refused, after "because".
    var sentence: String {
        switch value {
        case .malformed: "it is malformed"
        case .unknownVersion: "it is of a version that the app does not speak"
        case .foreignGroup: "it offers a handshake to another group"
        case .foreignMember: "somebody other than the expected member proved who they are"
        case .reflected: "it is the app's own, sent back"
        case .unknownAttempt: "it belongs to a handshake that is not under way"
        case .unknownSession: "it is sealed for a session that is not open"
        case .unknownEpoch: "it is sealed with a key that is not in use"
        case .forged: "it is forged, or was damaged on the way"
        case .replayed: "it has come before"
        case .stale: "it is so old that it may have come before"
        case .tooManyHandshakes: "too many handshakes are under way"
        case .unreadable: "it is authentic, but no message that the app knows"
        case nil: "of reason \(number)"
        }
    }
}
