import KodamaEvidence

/// How much longer speech takes for a while after the network held everything up once (K-21).
///
/// A *stall* is seen from the packets: a voice frame takes 100 ms longer than the frame that came
/// before it, and the frames sent after it catch up within 300 ms; on a path that became slower they
/// do not. Frames are timed from their sending, so that a pre-roll is no stall.
struct StallMeter {
    /// What is kept for each speaker and listener.
    struct Pair {
        /// When the frames were sent that are still on their way.
        fileprivate var sent = EventQueue<Sent>()
        fileprivate var latestSent: Int64 = -1
        /// The frame that arrived last: when, and how long it took.
        fileprivate var last: (instant: Int64, transit: Int64)?
        /// The delays of steady speech of at least the last 10 s.
        fileprivate var delays: [Heard] = []
        /// When the latest stall, lone or not, was over.
        fileprivate var latestEnd: Int64?
        /// The lone stall whose effect is looked at.
        fileprivate var stall: Stall?
    }

    /// A frame that was sent.
    fileprivate struct Sent {
        var index: Int64
        var instant: Int64
    }

    /// A frame that was heard: when, and how long after its capture.
    fileprivate struct Heard {
        var instant: Int64
        var delay: Int64
    }

    fileprivate struct Stall {
        var begin: Int64
        var end: Int64
        /// How long the first frame after it took that is not held up, at the most.
        var transitMax: Int64
        /// The median delay before.
        var need: Int64
        var isConfirmed = false
        /// The delays in the stretch of time in which the delay has to be back.
        var after: [Int64] = []

        /// 10 s after a stall of 500 ms, 15 s after one of 1 s.
        var dueFrom: Int64 { end + (end - begin <= 750_000_000 ? 10 : 15) * StallMeter.second }
        var dueUntil: Int64 { dueFrom + 2 * StallMeter.second }
    }

    private var afterStall = Measure.time(
        "voice.delay.after_stall.time",
        """
        For each stall of 100 ms or more with no other in the minute before it, on the way from a \
        speaker to a listener: the median mouth-to-ear time of steady speech heard in the 2 s that \
        begin 10 s after it, 15 s if it was longer than 750 ms, minus that of the 10 s before it. \
        Without half a second of speech in both there is no sample.
        """,
        "K-21",
        excluding: ["less than half a second of speech"]
    )

    fileprivate static var second: Int64 { 1_000_000_000 }
    private static var stallMin: Int64 { 100_000_000 }
    private static var catchingUpMax: Int64 { 300_000_000 }
    private static var aloneMin: Int64 { 60 * second }
    private static var beforeTime: Int64 { 10 * second }
    private static var framesMin: Int { 25 }
    private static var delaysKept: Int { 500 }
    /// A frame that is under way for longer is lost.
    private static var patience: Int64 { 5 * second }

    var metrics: [any AnyMeasure] { [afterStall] }

    /// A voice frame was handed to the network, maybe once more.
    func sent(_ index: Int64, at instant: Int64, pair: inout Pair) {
        guard index > pair.latestSent else { return }
        pair.latestSent = index
        while let oldest = pair.sent.first, oldest.instant < instant - Self.patience {
            pair.sent.removeFirst()
        }
        pair.sent.append(Sent(index: index, instant: instant))
    }

    /// A voice frame arrived; one that was overtaken tells nothing.
    func arrived(_ index: Int64, at instant: Int64, pair: inout Pair) {
        while let oldest = pair.sent.first, oldest.index < index { pair.sent.removeFirst() }
        guard let frame = pair.sent.first, frame.index == index else { return }
        pair.sent.removeFirst()
        let transit = instant - frame.instant
        defer { pair.last = (instant, transit) }
        guard let last = pair.last else { return }
        let rise = transit - last.transit
        if rise >= Self.stallMin, instant - last.instant >= rise {
            begin(from: instant - rise, to: instant, transitBefore: last.transit, &pair)
        } else if let stall = pair.stall, !stall.isConfirmed {
            if transit <= stall.transitMax {
                pair.stall?.isConfirmed = true
            } else if instant > stall.end + Self.catchingUpMax {
                pair.stall = nil
            }
        }
    }

    private func begin(from begin: Int64, to end: Int64, transitBefore: Int64, _ pair: inout Pair) {
        let isAlone = pair.latestEnd.map { begin - $0 >= Self.aloneMin } ?? true
        pair.latestEnd = end
        pair.stall = nil
        let before = pair.delays.filter {
            $0.instant >= begin - Self.beforeTime && $0.instant < begin
        }
        guard isAlone, before.count >= Self.framesMin else { return }
        pair.stall = Stall(
            begin: begin,
            end: end,
            transitMax: transitBefore + (end - begin) / 2,
            need: Self.median(before.map(\.delay))
        )
    }

    /// A frame of steady speech is heard.
    mutating func played(heard: Int64, captured: Int64, _ record: TraceRecord, pair: inout Pair) {
        let delay = heard - captured
        if pair.delays.count == 2 * Self.delaysKept { pair.delays.removeFirst(Self.delaysKept) }
        pair.delays.append(Heard(instant: heard, delay: delay))
        guard let stall = pair.stall, stall.isConfirmed, heard >= stall.dueFrom else { return }
        if heard < stall.dueUntil {
            pair.stall?.after.append(delay)
        } else {
            pair.stall = nil
            let span = Span(start: stall.begin, end: stall.dueUntil)
            let occurrence = Occurrence(span, of: record.component, about: record.subject)
            guard stall.after.count >= Self.framesMin else {
                return afterStall.exclude("less than half a second of speech", at: occurrence)
            }
            afterStall.add(Self.median(stall.after) - stall.need, at: occurrence)
        }
    }

    private static func median(_ delays: [Int64]) -> Int64 {
        delays.sorted()[(delays.count - 1) / 2]
    }
}
