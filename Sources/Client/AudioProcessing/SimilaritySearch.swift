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

    private let place: UnsafePointer<Int16>
    private let offsets: ClosedRange<Int>
    private let shift: Int16

    /// Prepares a search for the sound at `place` among those at `place` plus each of `offsets`.
    ///
    /// From the earliest to the latest of these places, and `length` samples on, all MUST be readable.
    init(at place: UnsafePointer<Int16>, among offsets: ClosedRange<Int>) {
        self.place = place
        self.offsets = offsets
        var bits: Int16 = 0
        for index in min(0, offsets.lowerBound)..<(max(0, offsets.upperBound) + Self.length) {
            let sample = place[index]
            bits |= sample ^ (sample >> 15)
        }
        shift = max(0, Int16(16 - bits.leadingZeroBitCount) - 9)
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
        let there = place + offset
        var cross: Int32 = 0
        var energy: Int32 = 0
        for index in 0..<Self.length {
            let other = Int32(there[index] &>> shift)
            cross &+= Int32(place[index] &>> shift) &* other
            energy &+= other &* other
        }
        return Candidate(offset: offset, cross: Int64(cross), energy: Int64(energy))
    }

    private func bestCoarse() -> Int {
        let steps = (offsets.upperBound - offsets.lowerBound) / Self.step
        return withUnsafeTemporaryAllocation(of: Int16.self, capacity: Self.coarseCapacity) {
            room in
            guard let here = room.baseAddress else { return offsets.lowerBound }
            let there = here + Self.coarseLength
            decimate(from: place, into: here, count: Self.coarseLength)
            decimate(
                from: place + offsets.lowerBound,
                into: there,
                count: Self.coarseLength + steps
            )
            var energy = dotProduct(there, there, count: Self.coarseLength)
            var best = Candidate(offset: 0, cross: 0, energy: 0)
            for step in 0...steps {
                let cross = dotProduct(here, there + step, count: Self.coarseLength)
                let candidate = Candidate(
                    offset: step,
                    cross: Int64(cross),
                    energy: Int64(energy)
                )
                if step == 0 || candidate.score > best.score {
                    best = candidate
                }
                guard step < steps else { break }
                let leaving = Int32(there[step])
                let entering = Int32(there[step + Self.coarseLength])
                energy &+= entering &* entering &- leaving &* leaving
            }
            return offsets.lowerBound + best.offset * Self.step
        }
    }

    /// Averages each four samples from `start` on, scaled down.
    private func decimate(
        from start: UnsafePointer<Int16>,
        into coarse: UnsafeMutablePointer<Int16>,
        count: Int
    ) {
        for index in 0..<count {
            let four = start + index &* Self.step
            let sum = Int32(four[0]) &+ Int32(four[1]) &+ Int32(four[2]) &+ Int32(four[3])
            coarse[index] = Int16(truncatingIfNeeded: sum &>> (Int32(shift) &+ 2))
        }
    }
}
