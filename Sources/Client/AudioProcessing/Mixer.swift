/// Adds the frames of several talkers and bends what would overflow (S-AUD-002).
///
/// Use: `add` each talker's frame, in any order, then `drain` once. Up to 65,535 frames can be
/// added; the order does not matter. One frame alone passes unchanged. Sums up to the knee (−2.5 dB
/// below full scale) pass unchanged, too; above it the curve y = k + h·e/(e + h), for an excess e over the
/// knee k and a headroom h, bends smoothly towards full scale, which it never passes.
public struct Mixer: Sendable, Equatable {
    /// The sum from which on the curve bends.
    static let knee: Int32 = 24_576
    /// What lies between the knee and full scale.
    static let headroom: Int32 = 32_767 - knee

    private var sums: [Int32]
    private var framesAdded = 0

    /// Makes a mixer with nothing added.
    ///
    /// - Parameter samplesPerFrame: The length of every frame; 960 for 20 ms at 48 kHz.
    public init(samplesPerFrame: Int = 960) {
        precondition(samplesPerFrame > 0, "a frame of \(samplesPerFrame) samples cannot be mixed")
        sums = [Int32](repeating: 0, count: samplesPerFrame)
    }

    /// Adds one talker's frame.
    ///
    /// - Parameter frame: Exactly as many samples as `samplesPerFrame`.
    public mutating func add(_ frame: UnsafeBufferPointer<Int16>) {
        precondition(
            frame.count == sums.count && framesAdded < 65_535,
            "frame \(framesAdded) of \(frame.count) samples does not fit a mix of \(sums.count)"
        )
        sums.withUnsafeMutableBufferPointer { sums in
            for index in sums.indices {
                sums[index] &+= Int32(frame[index])
            }
        }
        framesAdded += 1
    }

    /// Writes the mix and starts over; with nothing added it writes silence.
    ///
    /// - Parameter output: Exactly as many samples as `samplesPerFrame`.
    public mutating func drain(into output: UnsafeMutableBufferPointer<Int16>) {
        precondition(
            output.count == sums.count,
            "\(output.count) samples cannot take a mix of \(sums.count)"
        )
        let isAlone = framesAdded < 2
        framesAdded = 0
        sums.withUnsafeMutableBufferPointer { sums in
            if isAlone || Self.peak(UnsafeBufferPointer(sums)) <= Self.knee {
                for index in sums.indices {
                    output[index] = Int16(truncatingIfNeeded: sums[index])
                    sums[index] = 0
                }
            } else {
                for index in sums.indices {
                    output[index] = Self.bend(sums[index])
                    sums[index] = 0
                }
            }
        }
    }

    /// The curve of one sum of several talkers' samples.
    static func bend(_ sum: Int32) -> Int16 {
        let magnitude = abs(sum)
        guard magnitude > knee else { return Int16(truncatingIfNeeded: sum) }
        let excess = Int64(magnitude - knee)
        let bent = knee + Int32(Int64(headroom) * excess / (excess + Int64(headroom)))
        return Int16(truncatingIfNeeded: sum < 0 ? -bent : bent)
    }

    private static func peak(_ sums: UnsafeBufferPointer<Int32>) -> Int32 {
        var least: Int32 = 0
        var greatest: Int32 = 0
        for sum in sums {
            least = min(least, sum)
            greatest = max(greatest, sum)
        }
        return max(greatest, -least)
    }
}
