/// Cuts a clean recording into talk spurts, so that where speech is, is known by construction.
///
/// An energy rule on frames of 10 ms every 5 ms: speech is what lies above the larger of the clip's
/// 95th percentile − 32 dB and its 5th percentile + 10 dB. Pauses shorter than 200 ms belong to the
/// spurt, as in ITU-T P.56. All in integers.
public enum TalkSpurts {
    private static let frameMilliseconds = 10
    private static let stepMilliseconds = 5
    /// Fewer frames in a row than this do not open a spurt.
    private static let openingFramesMin = 3
    private static let bridgedMilliseconds = 200
    /// How long a spurt lasts; what is shorter or longer is left out.
    static let spurtMilliseconds = 300...6_000
    /// 10^3.2: 32 dB as a ratio of energies.
    private static let depth: UInt64 = 1_585
    /// 10^2.8: how far, 28 dB, the loud must lie above the quiet for silence to be clear.
    private static let contrast: UInt64 = 631
    /// 10^1.2: what never comes within 12 dB of the clip's loud frames is a breath or a click.
    private static let loudness: UInt64 = 16
    /// 2^30 · 10^(−4.5): the mean square of −45 dBov; clips that stay below are too quiet.
    private static let meanSquareMin: UInt64 = 33_954

    /// The talk spurts of a clip.
    ///
    /// - Parameters:
    ///   - samples: The clean recording.
    ///   - sampleRateHertz: Its rate; a multiple of 200.
    /// - Returns: Ranges of samples in order, each 0.3 to 6 s long; none when no clear silence lies in
    ///   the clip, for then its speech cannot be told from its background.
    public static func cut(_ samples: [Int16], sampleRateHertz: Int) -> [Range<Int>] {
        let step = sampleRateHertz * stepMilliseconds / 1_000
        let energies = frameEnergies(samples, step: step)
        guard energies.count >= 20 else { return [] }
        let sorted = energies.sorted()
        let quiet = sorted[(sorted.count - 1) * 5 / 100]
        let loud = sorted[(sorted.count - 1) * 95 / 100]
        let frame = UInt64(sampleRateHertz * frameMilliseconds / 1_000)
        guard loud >= meanSquareMin * frame, loud >= quiet * contrast else { return [] }
        let threshold = max(loud / depth, quiet * 10)
        let runs = bridged(runs(of: energies, above: threshold))
        return runs.compactMap { run in
            let length = (run.count + 1) * stepMilliseconds
            guard spurtMilliseconds.contains(length),
                energies[run].contains(where: { $0 >= loud / loudness })
            else { return nil }
            return run.lowerBound * step..<(run.upperBound + 1) * step
        }
    }

    /// The sums of squares of all whole frames, each two steps long.
    private static func frameEnergies(_ samples: [Int16], step: Int) -> [UInt64] {
        let blocks = samples.withUnsafeBufferPointer { samples in
            (0..<samples.count / step).map { block in
                var energy: UInt64 = 0
                for index in (block * step)..<(block * step + step) {
                    let sample = Int32(samples[index])
                    energy &+= UInt64(UInt32(bitPattern: sample &* sample))
                }
                return energy
            }
        }
        return zip(blocks, blocks.dropFirst()).map { $0 + $1 }
    }

    /// The runs of at least `openingFramesMin` frames above the threshold.
    private static func runs(of energies: [UInt64], above threshold: UInt64) -> [Range<Int>] {
        var runs: [Range<Int>] = []
        var start: Int?
        for index in 0...energies.count {
            let isSpeech = index < energies.count && energies[index] > threshold
            if isSpeech {
                start = start ?? index
            } else if let first = start {
                if index - first >= openingFramesMin {
                    runs.append(first..<index)
                }
                start = nil
            }
        }
        return runs
    }

    /// Joins runs whose silence between the frames is shorter than `bridgedMilliseconds`.
    private static func bridged(_ runs: [Range<Int>]) -> [Range<Int>] {
        var joined: [Range<Int>] = []
        for run in runs {
            // A frame reaches one step beyond its own, so that much less is silent.
            if let last = joined.last,
                (run.lowerBound - last.upperBound - 1) * stepMilliseconds < bridgedMilliseconds
            {
                joined[joined.count - 1] = last.lowerBound..<run.upperBound
            } else {
                joined.append(run)
            }
        }
        return joined
    }
}
