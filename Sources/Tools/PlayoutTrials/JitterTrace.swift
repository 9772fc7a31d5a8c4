/// What a network did to a stream of voice frames, one every 20 ms: when each came, if it came.
public struct JitterTrace: Sendable, Equatable {
    /// The fate of one frame.
    public struct Frame: Sendable, Equatable, BitwiseCopyable {
        /// When it was sent, in nanoseconds.
        public var sentNanoseconds: Int64
        /// When it came, on the same clock; negative if it was lost.
        public var arrivedNanoseconds: Int64

        /// Makes a frame's fate.
        public init(sentNanoseconds: Int64, arrivedNanoseconds: Int64) {
            self.sentNanoseconds = sentNanoseconds
            self.arrivedNanoseconds = arrivedNanoseconds
        }

        /// Whether it never came.
        public var isLost: Bool { arrivedNanoseconds < 0 }
        /// How long it took, in nanoseconds; meaningless if it was lost.
        public var transitNanoseconds: Int64 { arrivedNanoseconds - sentNanoseconds }
    }

    /// The length of a frame in nanoseconds.
    public static let frameNanoseconds: Int64 = 20_000_000

    /// What kind of network it was.
    public var name: String
    /// The frames in the order of their sending, 20 ms apart.
    public var frames: [Frame]

    /// Makes a trace.
    public init(name: String, frames: [Frame]) {
        self.name = name
        self.frames = frames
    }

    /// The same trace on a clock that shows zero when the first frame is sent.
    public var fromFirstSending: JitterTrace {
        guard let start = frames.first?.sentNanoseconds, start != 0 else { return self }
        var trace = self
        for place in frames.indices {
            trace.frames[place].sentNanoseconds -= start
            if !frames[place].isLost { trace.frames[place].arrivedNanoseconds -= start }
        }
        return trace
    }

    /// The transit of the fastest frame in nanoseconds; `nil` if none came.
    public var fastestTransitNanoseconds: Int64? {
        var fastest: Int64?
        for frame in frames where !frame.isLost {
            fastest = min(fastest ?? .max, frame.transitNanoseconds)
        }
        return fastest
    }

    /// The places of the frames that came, in the order of their coming.
    public var arrivalOrder: [Int] {
        frames.indices.filter { !frames[$0].isLost }.sorted { left, right in
            let times = (frames[left].arrivedNanoseconds, frames[right].arrivedNanoseconds)
            return times.0 == times.1 ? left < right : times.0 < times.1
        }
    }
}
