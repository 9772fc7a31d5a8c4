import SansIOTesting
import Testing

@testable import VoiceActivity

@Suite("Speech features")
struct SpeechFeaturesTests {
    @Test("Every feature of any sound lies in −127…127", arguments: 0..<20 as Range<UInt64>)
    func range(seed: UInt64) {
        let rate: SampleRate = seed % 2 == 0 ? .hertz16000 : .hertz48000
        var random = LawRandom(seed: seed)
        var features = SpeechFeatures(sampleRate: rate)
        for _ in 0..<30 {
            let amplitude = [0, 1, 40, 2_000, 200_000][random.below(5)]
            let pcm = (0..<rate.samplesPerFrame).map { _ in
                Int16(clamping: Int(Double(amplitude) * random.normal()))
            }
            let values = features.extract(pcm)
            #expect(values.allSatisfy { (-127...127).contains($0) })
            #expect(values[172...] == [0, 0, 0, 0])
        }
    }

    @Test("A sound that grows by 12 dB rises by 4 octaves in each band and keeps its shape")
    func growth() {
        let (quiet, loud) = quietAndLoud(times: 4)
        for place in 0..<96 { #expect(abs(loud[place] - quiet[place] - 32) <= 2) }
        for place in 96..<168 { #expect(abs(loud[place] - quiet[place]) <= 3) }
        for place in 168..<170 { #expect(abs(loud[place] - quiet[place] - 32) <= 2) }
    }

    @Test("Beyond 8 octaves above its least, a band rises in steps four times as large")
    func compression() {
        let (quiet, loud) = quietAndLoud(times: 64)
        // 12 octaves more: 64 steps for the first 8 and 8 for the rest, with a quarter of what there was.
        for place in 0..<64 { #expect((71...73).contains(loud[place] - quiet[place] / 4)) }
    }

    /// The features of noise, and those of the sixth frame that is as many times as loud.
    private func quietAndLoud(times: Double) -> ([Int16], [Int16]) {
        var random = LawRandom(seed: 9)
        var features = SpeechFeatures(sampleRate: .hertz16000)
        let noise = (0..<320).map { _ in 100 * random.normal() }
        var quiet: [Int16] = []
        for _ in 0..<20 { quiet = features.extract(noise.map { Int16($0.rounded()) }) }
        var loud: [Int16] = []
        for _ in 0..<6 {
            loud = features.extract(noise.map { Int16((times * $0).rounded()) })
        }
        return (quiet, loud)
    }

    @Test("What comes at 48 kHz has the features of the decimated sound")
    func decimated() {
        var random = LawRandom(seed: 2)
        var (high, low) = (
            SpeechFeatures(sampleRate: .hertz48000), SpeechFeatures(sampleRate: .hertz16000)
        )
        var decimator = Decimator()
        for _ in 0..<10 {
            let pcm = (0..<960).map { _ in Int16(3_000 * random.normal()) }
            var decimatedPCM = [Int16](repeating: 0, count: 320)
            pcm.withUnsafeBufferPointer {
                decimator.decimate($0, into: &decimatedPCM, outputCount: 320)
            }
            #expect(high.extract(pcm) == low.extract(decimatedPCM))
        }
    }
}

extension SpeechFeatures {
    /// The features of a frame that lies in an array.
    fileprivate mutating func extract(_ pcm: [Int16]) -> [Int16] {
        var values = [Int16](repeating: 0, count: Self.count)
        pcm.withUnsafeBufferPointer { extract($0, into: &values) }
        return values
    }
}
