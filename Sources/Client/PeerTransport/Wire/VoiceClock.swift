/// The units in which voice is counted: frames of 20 ms and samples at 48 kHz (RFC 7587 section 4).
enum VoiceClock {
    /// The length of a frame in nanoseconds.
    static let frameNanoseconds: Int64 = 20_000_000
    /// The length of a frame in samples.
    static let frameSamples = 960
    /// The samples of one second.
    static let samplesPerSecond = 48_000

    /// How long so many samples sound, in nanoseconds, cut towards zero.
    static func nanoseconds(_ samples: Int) -> Int64 {
        Int64(samples) * 62_500 / 3
    }

    /// How many whole samples sound in so many nanoseconds, cut towards zero.
    static func samples(_ nanoseconds: Int64) -> Int {
        Int(nanoseconds * 3 / 62_500)
    }
}
