/// Finds the jump after which the sound goes on most like it would have gone on without it.
///
/// Normalised cross-correlation over 10 ms: first at a quarter of the rate over all jumps, then at
/// the full rate around the best. Samples are scaled down to 9 bits so that sums fit 32 bits.
struct SimilaritySearch {
    /// A jump and whether it should be taken now rather than looked for again later.
    struct Match {
        var offset: Int
        /// The sounds at both ends match well, and no better match can lie just beyond the range.
        var isGood: Bool
    }

    /// How much sound is compared.
    static let length = 480
    private static let step = 4
    private static let coarseLength = length / step
    private static let coarseOffsetsMax = TimeScaler.lagMax / step
    /// Room for both coarse signals; below 1,024 bytes, so that it lies on the stack.
    private static let coarseCapacity = 2 * coarseLength + coarseOffsetsMax

    private let window: UnsafeBufferPointer<Int16>
    private let place: Int
    private let offsets: ClosedRange<Int>
    private let shift: Int32

    /// Prepares a search for the sound at `place` among those at `place` plus each of `offsets`.
    init(_ window: UnsafeBufferPointer<Int16>, at place: Int, among offsets: ClosedRange<Int>) {
        self.window = window
        self.place = place
        self.offsets = offsets
        let first = place + min(0, offsets.lowerBound)
        let end = place + max(0, offsets.upperBound) + Self.length
        var bits: Int16 = 0
        for index in first..<end {
            let sample = window[index]
            bits |= sample ^ (sample >> 15)
        }
        shift = max(0, Int32(16 - bits.leadingZeroBitCount) - 9)
    }

    /// The best jump, and the first of several equal ones.
    func best() -> Match {
        let coarse = bestCoarse()
        var best = Candidate(offset: coarse, cross: 0, energy: 0)
        let first = max(offsets.lowerBound, coarse - Self.step)
        let last = min(offsets.upperBound, coarse + Self.step)
        for offset in first...last {
            let candidate = compare(offset)
            if offset == first || candidate.score > best.score {
                best = candidate
            }
        }
        // Good: a correlation of at least 0.8, that is, 25·cross² ≥ 16·energy·energy.
        let product = compare(0).energy * best.energy
        let isSimilar = best.cross > 0 && 25 * best.cross * best.cross >= 16 * product
        let isPeak = best.offset > offsets.lowerBound && best.offset < offsets.upperBound
        return Match(offset: best.offset, isGood: isSimilar && isPeak)
    }

    /// One jump's correlation with the sound at `place`, and its own energy; at most 2^27 each.
    private struct Candidate {
        var offset: Int
        var cross: Int64
        var energy: Int64

        /// The square of the correlation, but for a constant factor; negative for an opposite sound.
        var score: Int64 {
            (cross < 0 ? -cross : cross) * cross / (energy + 1)
        }
    }

    private func compare(_ offset: Int) -> Candidate {
        var cross: Int32 = 0
        var energy: Int32 = 0
        for index in place..<(place + Self.length) {
            let other = Int32(window[index + offset]) >> shift
            cross &+= (Int32(window[index]) >> shift) &* other
            energy &+= other &* other
        }
        return Candidate(offset: offset, cross: Int64(cross), energy: Int64(energy))
    }

    private func bestCoarse() -> Int {
        let steps = (offsets.upperBound - offsets.lowerBound) / Self.step
        return withUnsafeTemporaryAllocation(of: Int16.self, capacity: Self.coarseCapacity) {
            room -> Int in
            let here = UnsafeMutableBufferPointer(rebasing: room[..<Self.coarseLength])
            let there = UnsafeMutableBufferPointer(rebasing: room[Self.coarseLength...])
            decimate(from: place, into: here, count: Self.coarseLength)
            decimate(
                from: place + offsets.lowerBound,
                into: there,
                count: Self.coarseLength + steps
            )
            var energy = Self.dot(there, there, at: 0, and: 0)
            var best = 0
            var bestScore = Int64.min
            for candidate in 0...steps {
                let cross = Int64(Self.dot(here, there, at: 0, and: candidate))
                let score = (cross < 0 ? -cross : cross) * cross / (Int64(energy) + 1)
                if score > bestScore {
                    best = candidate
                    bestScore = score
                }
                guard candidate < steps else { break }
                let leaving = Int32(there[candidate])
                let entering = Int32(there[candidate + Self.coarseLength])
                energy &+= entering &* entering &- leaving &* leaving
            }
            return offsets.lowerBound + best * Self.step
        }
    }

    /// Averages each four samples from `start` on, scaled down.
    private func decimate(
        from start: Int,
        into coarse: UnsafeMutableBufferPointer<Int16>,
        count: Int
    ) {
        for index in 0..<count {
            let from = start + index * Self.step
            let sum =
                Int32(window[from]) &+ Int32(window[from + 1])
                &+ Int32(window[from + 2]) &+ Int32(window[from + 3])
            coarse[index] = Int16(truncatingIfNeeded: sum >> (shift + 2))
        }
    }

    private static func dot(
        _ left: UnsafeMutableBufferPointer<Int16>,
        _ right: UnsafeMutableBufferPointer<Int16>,
        at leftStart: Int,
        and rightStart: Int
    ) -> Int32 {
        var sum: Int32 = 0
        for index in 0..<coarseLength {
            sum &+= Int32(left[leftStart + index]) &* Int32(right[rightStart + index])
        }
        return sum
    }
}
