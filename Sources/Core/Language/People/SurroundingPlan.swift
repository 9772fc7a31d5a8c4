/// A noise that a person's phone hears beside the person, all the time.
public struct SurroundingPlan: Sendable, Equatable {
    /// What makes the noise.
    public enum Noise: String, Sendable, CaseIterable {
        /// The same energy at every frequency.
        case white
        /// Energy that falls by 3 dB per octave.
        case pink
        /// Rumble in gusts, with buffets.
        case wind
        /// Feet on gravel and poles.
        case steps
        /// Heavy breathing.
        case breath
        /// Eight other people who talk at once.
        case babble
        /// A hiss, and drops on a hood.
        case rain
        /// Music from a loudspeaker nearby.
        case music
    }

    /// How loud the noise is.
    public enum Loudness: Sendable, Equatable {
        /// By how many thousandths of a decibel the person's speech is louder.
        case signalToNoise(milliDecibels: Int)
        /// In thousandths of a decibel relative to the overload point.
        case absolute(milliDecibels: Int)
    }

    /// What makes the noise.
    public var noise: Noise
    /// How loud the noise is, from 0 to 8 kHz.
    public var loudness: Loudness

    /// Makes a noise.
    public init(_ noise: Noise, _ loudness: Loudness) {
        self.noise = noise
        self.loudness = loudness
    }
}
