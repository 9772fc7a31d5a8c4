@testable import KodamaSpeech
import SansIO
import Testing

/// A noise of each kind, 10 dB under a synthetic voice, 5.5 s long; made once for all tests.
private struct Noise {
    static let material = SpeechMaterial.synthetic(spurtsPerVoice: 8)
    static var voice: SpeechMaterial.Voice { material.voices[0] }

    static let white = Noise(.white)
    static let pink = Noise(.pink)
    static let wind = Noise(.wind)
    static let steps = Noise(.steps)
    static let breath = Noise(.breath)
    static let babble = Noise(.babble)
    static let rain = Noise(.rain)
    static let music = Noise(.music)

    static func of(_ kind: NoiseBed.Kind) -> Noise {
        switch kind {
        case .white: white
        case .pink: pink
        case .wind: wind
        case .steps: steps
        case .breath: breath
        case .babble: babble
        case .rain: rain
        case .music: music
        }
    }

    let samples: [Int16]
    let figures: SoundFigures

    private init(_ kind: NoiseBed.Kind) {
        let bed = NoiseBed(kind, .signalToNoise(milliDecibels: 10_000))
        samples = Self.loop([bed], count: 1 << 18).samples
        figures = SoundFigures(samples)
    }

    static func loop(
        _ beds: [NoiseBed],
        person: String = "aoi",
        seed: UInt64 = 1,
        count: Int = 1 << 14
    ) -> NoiseLoop {
        NoiseLoop(
            beds,
            around: person,
            voice: voice,
            material: material,
            seed: seed,
            sampleCount: count
        )
    }
}

@Suite("Every noise around a person")
struct NoiseLoopTests {
    @Test(
        "A noise lies under the voice by its ratio, from 0 to 8 kHz",
        arguments: NoiseBed.Kind.allCases
    )
    func ratio(kind: NoiseBed.Kind) {
        let ratio = Noise.voice.meanSquare / Noise.of(kind).figures.power(in: 0..<8_000)
        // A tenth of a decibel for the steepness of the two filters, more where a few impacts count.
        let tolerance = kind == .steps || kind == .rain || kind == .white ? 1.05 : 1.03
        #expect(ratio > 10 / tolerance && ratio < 10 * tolerance, "\(ratio)")
    }

    @Test("A noise has its level by itself, whatever the voice, and two add their powers")
    func level() {
        let loud = NoiseBed(.white, .absolute(milliDecibels: -40_000))
        let soft = NoiseBed(.pink, .absolute(milliDecibels: -43_000))
        let one = SoundFigures(Noise.loop([loud], count: 1 << 16).samples)
        let both = SoundFigures(Noise.loop([loud, soft], count: 1 << 16).samples)
        let full = Double(1 << 30)
        #expect(abs(one.power(in: 0..<8_000) / full - 1e-4) < 3e-6)
        #expect(abs(both.power(in: 0..<8_000) / full - 1.5012e-4) < 6e-6)
    }

    @Test("Thousandths of a decibel are ratios of powers")
    func decibels() {
        for (milliDecibels, ratio) in [(10_000, 10.0), (-30_000, 0.001), (3_010, 1.99986), (0, 1)] {
            let measured = Decibels.powerRatio(milliDecibels: milliDecibels)
            #expect(abs(measured / ratio - 1) < 1e-6, "\(milliDecibels): \(measured)")
        }
    }

    @Test(
        "A noise is the same to the bit for the same seed and person, and another for others (HN-01)",
        arguments: NoiseBed.Kind.allCases
    )
    func repeatable(kind: NoiseBed.Kind) {
        let bed = NoiseBed(kind, .signalToNoise(milliDecibels: 0))
        let loop = Noise.loop([bed])
        #expect(Noise.loop([bed]) == loop)
        #expect(Noise.loop([bed], seed: 2) != loop)
        #expect(Noise.loop([bed], person: "ren") != loop)
    }

    /// FNV-1a over the samples, as debug and release builds make them.
    static let digests: [(NoiseBed.Kind, UInt64)] = [
        (.white, 0x2E0C_8851_7AA9_D7F7),
        (.pink, 0x655E_A0E5_1B00_8D3A),
        (.wind, 0xCE82_1E3B_BC6E_CF87),
        (.steps, 0xF47D_A18A_E309_9B25),
        (.breath, 0xFC49_29BA_EFA4_BE21),
        (.babble, 0xD8DF_8857_FB69_B5DE),
        (.rain, 0xAA8A_44BF_C74B_3BED),
        (.music, 0x6113_7BFB_215B_85F5),
    ]

    @Test("Every build and every machine makes the same samples (HN-01)", arguments: digests)
    func pinned(kind: NoiseBed.Kind, digest: UInt64) {
        let made = Noise.of(kind).samples.reduce(0xCBF2_9CE4_8422_2325) { hash, sample in
            (hash ^ UInt64(UInt16(bitPattern: sample))) &* 0x100_0000_01B3
        }
        #expect(made == digest, "\(kind)")
    }

    @Test("The loop's end goes on into its beginning", arguments: [NoiseBed.Kind.wind, .breath])
    func seam(kind: NoiseBed.Kind) throws {
        let samples = Noise.of(kind).samples
        let steps = zip(samples, samples.dropFirst()).map { abs(Int($1) - Int($0)) }
        let last = try #require(samples.last)
        #expect(abs(Int(samples[0]) - Int(last)) <= steps.max() ?? 0)
    }

    @Test("Nothing around a person is no loop at all")
    func silence() {
        let loop = NoiseLoop(
            [],
            around: "aoi",
            voice: Noise.voice,
            material: Noise.material,
            seed: 1
        )
        #expect(loop == .silence && loop.samples.isEmpty)
    }
}

@Suite("What each noise is like")
struct NoiseCharacterTests {
    @Test("White noise has the same energy at every frequency, and does not change")
    func white() {
        let figures = Noise.white.figures
        for start in stride(from: 1_000.0, to: 23_000, by: 2_000) {
            let share = figures.share(in: start..<start + 2_000)
            #expect(share > 0.077 && share < 0.09, "\(start) Hz: \(share)")
        }
        #expect(figures.levelSpread(every: 4_800) < 0.5)
    }

    @Test("Pink noise has as much energy in each octave, and hardly changes")
    func pink() {
        let figures = Noise.pink.figures
        let octaves = [125.0, 250, 500, 1_000, 2_000, 4_000].map {
            figures.power(in: $0..<2 * $0)
        }
        let mean = octaves.reduce(0, +) / 6
        #expect(octaves.allSatisfy { $0 > mean / 1.35 && $0 < mean * 1.35 }, "\(octaves)")
    }

    @Test("Wind is rumble in gusts: nearly all below 200 Hz, little above 1 kHz, its level moving")
    func wind() {
        let figures = Noise.wind.figures
        #expect(figures.share(in: 0..<200) > 0.7, "\(figures.share(in: 0..<200))")
        #expect(figures.share(in: 0..<10) < 0.05)
        let above = figures.share(in: 1_000..<24_000)
        #expect(above > 1e-4 && above < 0.08, "\(above)")
        let spread = figures.levelSpread(every: 9_600)
        #expect(spread > 8 && spread < 30, "\(spread)")
    }

    @Test("Steps come 105 to 120 times a minute, as impacts with quiet in between")
    func steps() {
        let figures = Noise.steps.figures
        let beat = (50...57).map { figures.rhythm(atLag: $0) }.max() ?? 0
        let offBeat = figures.rhythm(atLag: 27)
        #expect(beat > 0.4 && beat > offBeat + 0.3, "\(beat), off beat \(offBeat)")
        #expect(figures.kurtosis > 15, "\(figures.kurtosis)")
        #expect(figures.levelSpread(every: 960) > 15)
        // Thud, stones and tip: low and high, both.
        #expect(figures.share(in: 0..<250) > 0.1 && figures.share(in: 1_000..<8_000) > 0.1)
    }

    @Test("Breath comes and goes in some two seconds, most of it between 300 Hz and 5 kHz")
    func breath() {
        let figures = Noise.breath.figures
        let cycle = (170...280).map { figures.rhythm(atLag: $0) }.max() ?? 0
        #expect(cycle > 0.3, "\(cycle)")
        #expect(figures.share(in: 300..<5_000) > 0.6, "\(figures.share(in: 300..<5_000))")
        #expect(figures.levelSpread(every: 4_800) > 15)
    }

    @Test("Rain is a bright hiss of steady level with impacts in it")
    func rain() {
        let figures = Noise.rain.figures
        #expect(figures.share(in: 1_000..<24_000) > 0.4)
        #expect(figures.share(in: 0..<150) < 0.05)
        #expect(figures.levelSpread(every: 9_600) < 5)
        #expect(figures.kurtosis > 4, "\(figures.kurtosis)")
    }

    @Test("Music has a beat, 100 to 130 a minute, and sounds where voices do")
    func music() {
        let figures = Noise.music.figures
        let beat = (46...60).map { figures.rhythm(atLag: $0) }.max() ?? 0
        let offBeat = (25...40).map { figures.rhythm(atLag: $0) }.max() ?? 0
        #expect(beat > 0.6 && beat > offBeat + 0.3, "\(beat), off beat \(offBeat)")
        #expect(figures.share(in: 80..<4_000) > 0.75, "\(figures.share(in: 80..<4_000))")
        #expect(figures.levelSpread(every: 960) > 10)
    }

    @Test("Babble is speech throughout: eight voices leave no pause, and keep their pitch")
    func babble() {
        let figures = Noise.babble.figures
        let levels = figures.levels(every: 9_600).sorted()
        #expect((levels.last ?? 0) - levels[0] < 15, "\(levels)")
        #expect(figures.levelSpread(every: 960) > 4)
        #expect(figures.share(in: 80..<4_000) > 0.75)
    }

    @Test("Nobody hears the own voice in the babble around")
    func babbleOfOthers() {
        // The one voice is a tone of 1 kHz, the other of 250 Hz; the babble holds the other alone.
        func tone(_ half: Int) -> [Int16] {
            (0..<16_000).map { $0 / half % 2 == 0 ? 8_000 : -8_000 }
        }
        let material = SpeechMaterial(
            [(name: "own", spurts: [tone(8)]), (name: "other", spurts: [tone(32)])],
            description: "tones"
        )
        let loop = NoiseLoop(
            [NoiseBed(.babble, .signalToNoise(milliDecibels: 0))],
            around: "aoi",
            voice: material.voices[0],
            material: material,
            seed: 1,
            sampleCount: 1 << 16
        )
        let figures = SoundFigures(loop.samples)
        #expect(figures.share(in: 200..<310) > 0.5)
        // Between the third and the fifth harmonic of the slowest and fastest of the others.
        #expect(figures.share(in: 920..<1_040) < 0.001, "\(figures.share(in: 920..<1_040))")
    }
}
