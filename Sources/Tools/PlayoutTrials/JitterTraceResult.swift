/// How a jitter buffer did on one trace.
///
/// All figures come from its effects, as a listener would hear them.
public struct JitterTraceResult: Sendable, Equatable {
    /// A frame that sounded.
    public struct PlayedFrame: Sendable, Equatable, BitwiseCopyable {
        /// Its place in the trace.
        public var place: Int
        /// When it began to sound after its sending, above the trace's fastest transit.
        public var delayNanoseconds: Int64
    }

    /// The frames of the trace.
    public var framesSent = 0
    /// Those that the network lost.
    public var framesLost = 0
    /// Those that came and never sounded: thrown away, or not there when the run ended.
    public var framesDiscarded = 0
    /// Those that sounded, in the order of sounding.
    public var played: [PlayedFrame] = []
    /// Frames that sounded after a later one, or twice; 0 unless the buffer is broken.
    public var orderBreaks = 0
    /// Samples at 48 kHz that were made up or stretched in, beyond one frame per lost frame.
    ///
    /// Between two frames that sound, everything made up counts, less 960 samples for each frame
    /// between them that the network lost; a loss that was passed over gives no credit elsewhere.
    public var concealedSamples = 0
    /// How often the lag began to move.
    ///
    /// An *adjustment* is a frame played in other than 960 samples, or a gap between two frames that
    /// is filled with over half a millisecond more or less than the missing frames' own length. A
    /// run of adjustments in one direction, with no unadjusted frame or gap between them, is one
    /// change.
    public var changes = 0

    /// The mean delay of the frames that sounded, in nanoseconds; `nil` if none did.
    public var delayMeanNanoseconds: Int64? {
        guard !played.isEmpty else { return nil }
        return played.reduce(0) { $0 + $1.delayNanoseconds } / Int64(played.count)
    }

    /// The delay that a share of the frames that sounded do not exceed, by nearest rank; `nil` if
    /// none did.
    public func delayNanoseconds(quantilePercent: Int) -> Int64? {
        guard !played.isEmpty else { return nil }
        let sorted = played.map(\.delayNanoseconds).sorted()
        let rank = (sorted.count * quantilePercent + 99) / 100
        return sorted[min(max(rank, 1), sorted.count) - 1]
    }

    /// What was made up beyond the network's own loss, in parts per million of the trace.
    public var concealedPartsPerMillion: Int64 {
        share(Int64(concealedSamples), of: Int64(framesSent) * 960)
    }

    /// The frames that came and never sounded, in parts per million of the trace.
    public var latePartsPerMillion: Int64 {
        share(Int64(framesDiscarded), of: Int64(framesSent))
    }

    /// The changes per minute, in thousandths.
    public var changesPerMinuteThousandths: Int64 {
        guard framesSent > 0 else { return 0 }
        return Int64(changes) * 3_000_000 / Int64(framesSent)
    }

    private func share(_ part: Int64, of whole: Int64) -> Int64 {
        whole > 0 ? part * 1_000_000 / whole : 0
    }
}
