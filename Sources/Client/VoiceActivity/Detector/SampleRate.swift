/// A rate of samples that a microphone delivers and the detector takes.
@frozen
public enum SampleRate: Int, Sendable, Hashable, BitwiseCopyable, CaseIterable {
    /// 16,000 samples per second, wideband speech.
    case hertz16000 = 16_000
    /// 48,000 samples per second, Opus's full band.
    case hertz48000 = 48_000

    /// How many samples one 20 ms frame holds.
    @inlinable
    public var samplesPerFrame: Int { rawValue / 50 }
}
