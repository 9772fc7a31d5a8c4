/// A noise that is heard around a person all the time, whether the person talks or not.
///
/// All kinds but babble are made by rules of this project's own from the run's seed: models, not
/// recordings. They are there to be heard by a speech detector, and differ from each other where
/// detectors look: in spectrum, in how fast the level changes, and in likeness to a voice.
public struct NoiseBed: Sendable, Equatable {
    /// What makes the noise.
    public enum Kind: String, Sendable, CaseIterable {
        /// The same energy at every frequency, unchanging: a microphone's own.
        case white
        /// Energy that falls by 3 dB per octave, unchanging: machines, distant traffic.
        case pink
        /// Rumble in gusts, with buffets up to 1 kHz.
        case wind
        /// Feet on gravel and the tips of poles, at walking pace.
        case steps
        /// Heavy breathing close to the microphone.
        case breath
        /// Eight people who talk at once: recorded speech of other voices than the person's own.
        case babble
        /// A hiss of fine rain, and single drops on a hood.
        case rain
        /// Music from a loudspeaker nearby: tones with overtones, and a beat.
        case music
    }

    /// How loud a noise is, measured from 0 to 8 kHz over the whole of its loop.
    public enum Loudness: Sendable, Equatable {
        /// By how many thousandths of a decibel the person's active speech level lies above the noise.
        ///
        /// The active level is the mean power within talk spurts, pauses under 200 ms included
        /// (after ITU-T P.56).
        case signalToNoise(milliDecibels: Int)
        /// In thousandths of a decibel relative to the overload point, 0 dBov, so never positive.
        case absolute(milliDecibels: Int)
    }

    /// What makes the noise.
    public var kind: Kind
    /// How loud it is.
    public var loudness: Loudness

    /// Makes a noise.
    public init(_ kind: Kind, _ loudness: Loudness) {
        self.kind = kind
        self.loudness = loudness
    }

    /// The mean square that the noise has between 0 and 8 kHz beside a voice of the given one.
    func meanSquare(besideVoiceOf voiceMeanSquare: Double) -> Double {
        switch loudness {
        case .signalToNoise(let milliDecibels):
            voiceMeanSquare / Decibels.powerRatio(milliDecibels: milliDecibels)
        case .absolute(let milliDecibels):
            Double(1 << 30) * Decibels.powerRatio(milliDecibels: milliDecibels)
        }
    }
}

/// Decibels without a logarithm, so that all machines agree.
enum Decibels {
    /// The ratio of powers that so many thousandths of a decibel stand for.
    static func powerRatio(milliDecibels: Int) -> Double {
        // Powers of 10^0.0001, by squaring.
        var ratio = 1.0
        var factor = 1.000_230_285_020_825
        var left = milliDecibels.magnitude
        while left > 0 {
            if left & 1 == 1 { ratio *= factor }
            factor *= factor
            left >>= 1
        }
        return milliDecibels < 0 ? 1 / ratio : ratio
    }
}
