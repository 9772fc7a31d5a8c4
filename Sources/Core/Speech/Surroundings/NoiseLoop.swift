internal import KodamaSimulation

/// What is heard around a person, mixed from its noises into one stretch of sound without a seam.
///
/// It is made once before a run and read round and round, so that a frame costs a copy.
public struct NoiseLoop: Sendable, Equatable {
    /// How long a loop is unless otherwise wished; 21.8 s at 48 kHz.
    public static let usualSampleCount = 1 << 20
    /// How much the end fades into the beginning; 100 ms.
    private static let seamCount = 4_800

    /// The samples at 48 kHz; none where nothing is heard.
    public let samples: [Int16]

    /// Silence.
    public static let silence = NoiseLoop(samples: [])

    private init(samples: [Int16]) {
        self.samples = samples
    }

    /// Makes what is heard around a person.
    ///
    /// - Parameters:
    ///   - beds: The noises; of each kind at most one, for two would be the same sound.
    ///   - person: The person's name; with the seed and the kind it makes a noise.
    ///   - voice: The person's voice: what signal-to-noise ratios refer to, and what is left out of
    ///     babble.
    ///   - material: Where the voices come from. Babble MUST find another voice than `voice` in it.
    ///   - seed: The run's seed.
    ///   - sampleCount: How long the loop is; more than 100 ms.
    /// - Complexity: O(*n*) in the number of samples; below 0.2 s of processor time for each noise.
    public init(
        _ beds: [NoiseBed],
        around person: String,
        voice: SpeechMaterial.Voice,
        material: SpeechMaterial,
        seed: UInt64,
        sampleCount: Int = usualSampleCount
    ) {
        precondition(sampleCount > Self.seamCount, "a loop of \(sampleCount) samples is all seam")
        guard !beds.isEmpty else {
            self = .silence
            return
        }
        var sum = [Double](repeating: 0, count: sampleCount)
        for bed in beds {
            var canvas = NoiseCanvas(
                count: sampleCount + Self.seamCount,
                random: RandomStream(
                    seed: seed,
                    purpose: "noise",
                    entity: "\(person)/\(bed.kind.rawValue)"
                )
            )
            Self.paint(bed.kind, voice, material, on: &canvas)
            let sound = Self.closed(canvas.samples, sampleCount)
            let wanted = bed.meanSquare(besideVoiceOf: voice.meanSquare)
            let gain = (wanted / SpeechBand.meanSquare(of: sound)).squareRoot()
            for index in sum.indices { sum[index] += sound[index] * gain }
        }
        samples = sum.map { Int16(max(-32_768, min(32_767, $0.rounded()))) }
    }

    private static func paint(
        _ kind: NoiseBed.Kind,
        _ voice: SpeechMaterial.Voice,
        _ material: SpeechMaterial,
        on canvas: inout NoiseCanvas
    ) {
        switch kind {
        case .white: SteadyNoise.paintWhite(on: &canvas)
        case .pink: SteadyNoise.paintPink(on: &canvas)
        case .wind: WindNoise.paint(on: &canvas)
        case .steps: StepNoise.paint(on: &canvas)
        case .breath: BreathNoise.paint(on: &canvas)
        case .babble: BabbleNoise.paint(of: material, without: voice, on: &canvas)
        case .rain: RainNoise.paint(on: &canvas)
        case .music: MusicNoise.paint(on: &canvas)
        }
    }

    /// Fades what goes beyond the end into the beginning; the sum of two noises keeps their power.
    private static func closed(_ sound: [Double], _ count: Int) -> [Double] {
        var loop = Array(sound[..<count])
        for index in 0..<seamCount {
            let share = Double(index) / Double(seamCount)
            let beyond = sound[count + index]
            loop[index] = loop[index] * share.squareRoot() + beyond * (1 - share).squareRoot()
        }
        return loop
    }
}

/// The band in which speech and noise are compared.
enum SpeechBand {
    /// The mean square of what lies between 0 and 8 kHz: Butterworth's low pass of order six.
    static func meanSquare(of sound: [Double]) -> Double {
        var filters = [1.931_851_652_578_136_6, 0.707_106_781_186_547_5, 0.517_638_090_205_041_5]
            .map { StateVariableFilter(hertz: 8_000, quality: $0) }
        var squares = 0.0
        for sample in sound {
            var part = sample
            for place in 0..<3 { part = filters[place].lowPass(part) }
            squares += part * part
        }
        return squares / Double(sound.count)
    }
}
