/// A stall in a trace: nothing came for a while, then all that was held up came at once.
public struct TraceStall: Sendable, Equatable {
    /// The shortest stall that is looked for: a held-up frame's transit exceeds that of the frame that
    /// came before it by this much.
    public static let shortestNanoseconds: Int64 = 100_000_000
    /// A stall with no other in so long a time before it is a lone one (K-21).
    public static let aloneNanoseconds: Int64 = 60_000_000_000

    /// How much later than the frame before it the first frame that it held up came than it was sent,
    /// in nanoseconds: the stall's length, to one frame.
    public var lengthNanoseconds: Int64
    /// When it ended, in nanoseconds on the trace's clock.
    public var endNanoseconds: Int64
}

/// What a lone stall does to the delay, and for how long.
public struct StallRecovery: Sendable, Equatable {
    /// When the delay is looked at, in seconds after the stall's end.
    public static let secondsAfter: [Int64] = [3, 10, 20, 60]
    /// How long before the stall the path's need is measured: 10 s (K-21).
    public static let beforeNanoseconds: Int64 = 10_000_000_000
    /// How far around a moment frames are looked at.
    static let aroundNanoseconds: Int64 = 250_000_000

    /// The stall.
    public var stall: TraceStall
    /// The median delay in the 10 s before the stall, above the trace's fastest transit.
    public var beforeNanoseconds: Int64
    /// The mean delay above `beforeNanoseconds` in the half second around each of `secondsAfter`;
    /// `nil` where nothing sounded or the trace was over.
    public var excessNanoseconds: [Int64?]
}

extension JitterTrace {
    /// The stalls with no other in the minute before them, that minute being in the trace.
    public var loneStalls: [TraceStall] {
        let trace = fromFirstSending
        var lone: [TraceStall] = []
        var freeSince: Int64 = 0
        var last: Frame?
        for position in trace.arrivalOrder {
            let frame = trace.frames[position]
            defer { last = frame }
            guard let last else { continue }
            let rise = frame.transitNanoseconds - last.transitNanoseconds
            guard rise >= TraceStall.shortestNanoseconds,
                frame.arrivedNanoseconds - last.arrivedNanoseconds >= rise
            else { continue }
            let end = frame.arrivedNanoseconds
            let isAlone = end - rise - freeSince >= TraceStall.aloneNanoseconds
            freeSince = end
            guard isAlone, trace.comesAtOnce(after: position, until: end) else { continue }
            lone.append(TraceStall(lengthNanoseconds: rise, endNanoseconds: end))
        }
        return lone
    }

    /// Whether the frames held up behind one came with it: otherwise the route became longer.
    private func comesAtOnce(after position: Int, until end: Int64) -> Bool {
        let heldUp = frames[(position + 1)...].prefix { $0.sentNanoseconds + 40_000_000 < end }
        let together = heldUp.filter { !$0.isLost && $0.arrivedNanoseconds < end + 20_000_000 }
        return together.count * 2 > heldUp.count
    }
}

extension JitterTraceResult {
    /// How the delay recovered from each lone stall of the trace.
    public func recoveries(from stalls: [TraceStall]) -> [StallRecovery] {
        stalls.compactMap { stall in
            let start = stall.endNanoseconds - stall.lengthNanoseconds
            let before = delays(from: start - StallRecovery.beforeNanoseconds, to: start).sorted()
            guard !before.isEmpty else { return nil }
            let need = before[(before.count - 1) / 2]
            let excesses = StallRecovery.secondsAfter.map { seconds in
                excess(over: need, at: stall.endNanoseconds + seconds * 1_000_000_000)
            }
            return StallRecovery(
                stall: stall,
                beforeNanoseconds: need,
                excessNanoseconds: excesses
            )
        }
    }

    /// The mean delay above `need` of the frames sent around a moment.
    private func excess(over need: Int64, at moment: Int64) -> Int64? {
        guard moment < Int64(framesSent) * JitterTrace.frameNanoseconds else { return nil }
        let around = StallRecovery.aroundNanoseconds
        let near = delays(from: moment - around, to: moment + around)
        guard !near.isEmpty else { return nil }
        return near.reduce(0, +) / Int64(near.count) - need
    }

    /// The delays of the frames sent in a stretch of time, in the order of their sounding.
    private func delays(from start: Int64, to end: Int64) -> [Int64] {
        played.filter {
            let sent = Int64($0.place) * JitterTrace.frameNanoseconds
            return sent >= start && sent < end
        }.map(\.delayNanoseconds)
    }
}
