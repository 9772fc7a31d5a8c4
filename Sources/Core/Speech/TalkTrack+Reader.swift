extension TalkTrack {
    /// Reads a track frame by frame; a plain value over the track's memory.
    ///
    /// It MUST NOT outlive its track, which the compiler releases after its last use: hold the track
    /// in what lives longer, or in `withExtendedLifetime`. Reading onwards costs the same at every
    /// place; going back is allowed and walks.
    public struct Reader: @unchecked Sendable, BitwiseCopyable {
        // Sendable although it holds pointers: what they point at is never written again.
        let samples: UnsafePointer<Int16>?
        let pieces: UnsafeBufferPointer<SoundPiece>
        let truth: UnsafeBufferPointer<Range<Int64>>
        let noise: UnsafeBufferPointer<Int16>
        /// The first piece that may reach beyond the last frame's start.
        private var nextPiece = 0
        /// The same for the truth.
        private var nextSpurt = 0

        init(
            samples: UnsafePointer<Int16>?,
            pieces: UnsafeBufferPointer<SoundPiece>,
            truth: UnsafeBufferPointer<Range<Int64>>,
            noise: UnsafeBufferPointer<Int16>
        ) {
            self.samples = samples
            self.pieces = pieces
            self.truth = truth
            self.noise = noise
        }

        /// Fills a frame with what the person's microphone hears.
        ///
        /// - Parameters:
        ///   - sampleIndex: The index of the frame's first sample; not negative.
        ///   - frame: Any length; every sample is written.
        public mutating func read(
            frameAt sampleIndex: Int64,
            into frame: UnsafeMutableBufferPointer<Int16>
        ) {
            guard let samples, let target = frame.baseAddress else {
                preconditionFailure("a track without sound, or an empty frame, cannot be read")
            }
            fillNoise(sampleIndex, target, frame.count)
            let end = sampleIndex + Int64(frame.count)
            while nextPiece > 0, pieces[nextPiece - 1].range.upperBound > sampleIndex {
                nextPiece -= 1
            }
            while nextPiece < pieces.count, pieces[nextPiece].range.upperBound <= sampleIndex {
                nextPiece += 1
            }
            var index = nextPiece
            while index < pieces.count, pieces[index].start < end {
                let piece = pieces[index]
                let from = max(piece.start, sampleIndex)
                let count = Int(min(piece.range.upperBound, end) - from)
                let source = samples + piece.spurt.offset + Int(from - piece.start)
                let place = target + Int(from - sampleIndex)
                if noise.isEmpty {
                    place.update(from: source, count: count)
                } else {
                    for offset in 0..<count {
                        place[offset] = Int16(
                            clamping: Int32(place[offset]) &+ Int32(source[offset])
                        )
                    }
                }
                index += 1
            }
        }

        /// How many of these samples lie in a talk spurt.
        ///
        /// - Parameter range: Samples of the person's time line.
        /// - Returns: From 0 to `range.count`.
        public mutating func speechSampleCount(in range: Range<Int64>) -> Int {
            while nextSpurt > 0, truth[nextSpurt - 1].upperBound > range.lowerBound {
                nextSpurt -= 1
            }
            while nextSpurt < truth.count, truth[nextSpurt].upperBound <= range.lowerBound {
                nextSpurt += 1
            }
            var index = nextSpurt
            var count = 0
            while index < truth.count, truth[index].lowerBound < range.upperBound {
                count += truth[index].clamped(to: range).count
                index += 1
            }
            return count
        }

        private func fillNoise(
            _ sampleIndex: Int64,
            _ target: UnsafeMutablePointer<Int16>,
            _ count: Int
        ) {
            guard let period = noise.baseAddress, !noise.isEmpty else {
                target.update(repeating: 0, count: count)
                return
            }
            var done = 0
            while done < count {
                let position = Int((sampleIndex + Int64(done)) % Int64(noise.count))
                let run = min(count - done, noise.count - position)
                (target + done).update(from: period + position, count: run)
                done += run
            }
        }
    }
}
