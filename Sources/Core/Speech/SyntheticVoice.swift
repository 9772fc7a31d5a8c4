internal import KodamaSimulation

/// A built-in voice for machines without recordings: pulses through formants, in syllables.
///
/// It has pitch, vowels, hisses and pauses, and is no speech: figures won with it say little about
/// people. The vowels' formants are those of male speakers after Peterson and Barney (JASA 1952).
struct SyntheticVoice {
    /// The name in scenarios.
    let name: String
    /// The mean length of a pitch period at 16 kHz.
    let periodSamples: Int64

    /// The voices that exist.
    static let all = [
        SyntheticVoice(name: "synthetic-low", periodSamples: 139),
        SyntheticVoice(name: "synthetic-high", periodSamples: 76),
    ]

    /// Speaks `count` spurts at 16 kHz, each 0.3 to 4 s long, always the same.
    func spurts(count: Int) -> [[Int16]] {
        (0..<count).map { number in
            var random = RandomStream(
                seed: 0,
                purpose: "synthetic voice",
                entity: "\(name)/\(number)"
            )
            var mouth = Mouth(random: random)
            random.index = 1 << 32
            for _ in 0..<random.uniform(in: 2...14) {
                mouth.speakSyllable(period: periodSamples, random: &random)
            }
            return mouth.samples
        }
    }

    /// What speaks: a source of pulses and noise, three resonances and the sound so far.
    private struct Mouth {
        var random: RandomStream
        var samples: [Int16] = []
        private var untilPulse: Int64 = 0
        private var resonances = [Resonance](repeating: Resonance(), count: 3)

        init(random: RandomStream) {
            self.random = random
        }

        /// Adds a hiss, a vowel, or both, and a short pause.
        mutating func speakSyllable(period: Int64, random: inout RandomStream) {
            if random.uniform(below: 3) == 0 {
                hiss(count: random.uniform(in: 640...1_440))
            }
            let vowel = SyntheticVoice.vowels[Int(random.uniform(below: 5))]
            let stress = random.uniform(in: 60...100)
            speak(
                vowel,
                count: random.uniform(in: 1_600...3_840),
                period: period * 100 / random.uniform(in: 88...115),
                stress: stress
            )
            samples += [Int16](repeating: 0, count: Int(random.uniform(in: 160...800)))
        }

        private mutating func hiss(count: Int64) {
            var last: Int64 = 0
            for index in 0..<count {
                let noise = self.random.uniform(in: -1_200...1_200)
                samples.append(Int16((noise - last) * swell(index, of: count) / 256))
                last = noise
            }
        }

        private mutating func speak(_ vowel: [Formant], count: Int64, period: Int64, stress: Int64)
        {
            for index in 0..<count {
                untilPulse -= 1
                var source = self.random.uniform(in: -12...12)
                if untilPulse <= 0 {
                    source += 4_000
                    untilPulse = period + self.random.uniform(in: -2...2)
                }
                var voice: Int64 = 0
                for (number, formant) in vowel.enumerated() {
                    voice += resonances[number].filter(source, formant) >> Int64(number)
                }
                let level = voice * swell(index, of: count) * stress / 25_600
                samples.append(Int16(max(-30_000, min(30_000, level))))
            }
        }

        /// A swell over 30 ms and the same fall, in 256ths.
        private func swell(_ index: Int64, of count: Int64) -> Int64 {
            min(256, min(index, count - 1 - index) * 256 / 480)
        }
    }

    /// The two coefficients of a resonance at 16 kHz, in 2^14ths: 2·r·cos(2πf/fs) and r², where
    /// r = e^(−πb/fs) for a bandwidth b of 60, 90 and 150 Hz.
    private struct Formant {
        var feedback: Int64
        var decay: Int64
    }

    /// A filter of second order in integers.
    private struct Resonance {
        private var last: Int64 = 0
        private var lastButOne: Int64 = 0

        mutating func filter(_ input: Int64, _ formant: Formant) -> Int64 {
            let sum = formant.feedback * last - formant.decay * lastButOne
            // Towards zero, so that the resonance dies away and does not hang in its rounding.
            let output = sum / 16_384 + input
            lastButOne = last
            last = output
            return output
        }
    }

    /// a, e, i, o and u.
    private static let vowels: [[Formant]] = [
        vowel(31_063, 29_289, 18_295),
        vowel(31_685, 24_149, 17_884),
        vowel(32_202, 20_030, 12_060),
        vowel(31_576, 30_458, 18_600),
        vowel(32_160, 30_333, 20_281),
    ]

    private static func vowel(_ first: Int64, _ second: Int64, _ third: Int64) -> [Formant] {
        [
            Formant(feedback: first, decay: 16_002), Formant(feedback: second, decay: 15_815),
            Formant(feedback: third, decay: 15_447),
        ]
    }
}
