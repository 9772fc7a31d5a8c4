/// How much the transit times of packets that follow each other differ, smoothed (RFC 3550 section
/// 6.4.1).
struct InterarrivalJitter: Sendable, Equatable, BitwiseCopyable {
    private var transitSamples: Int64?
    private var sixteenths: Int64 = 0

    /// Takes in the transit of the next packet: arrival on one clock minus departure on another.
    mutating func record(transitNanoseconds: Int64) {
        let samples = Int64(VoiceClock.samples(transitNanoseconds))
        if let last = transitSamples {
            // The integer form of RFC 3550 appendix A.8: the sum is kept in sixteenths.
            sixteenths += abs(samples - last) - ((sixteenths + 8) >> 4)
        }
        transitSamples = samples
    }

    /// Lets the next packet begin anew, since its transit is not comparable to the last one's.
    mutating func breakOff() {
        transitSamples = nil
    }

    /// The jitter in nanoseconds, in steps of a sample at 48 kHz.
    var nanoseconds: Int64 { VoiceClock.nanoseconds(Int(sixteenths >> 4)) }
}
