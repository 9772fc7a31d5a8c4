@testable import KodamaSpeech
import SansIO
import Testing

@Suite("Speech material")
struct SpeechMaterialTests {
    private func check(_ material: SpeechMaterial) {
        for voice in material.voices {
            for spurt in voice.spurts {
                material.withSamples(of: spurt) { samples in
                    let level = AudioLevel(of: samples).decibelsBelowOverload
                    #expect(level == 26, "\(voice.name) at \(spurt.offset)")
                    #expect(abs(Int(samples[0])) < 50 && abs(Int(samples[samples.count - 1])) < 50)
                }
            }
        }
    }

    @Test("Every recorded spurt has −26 dBov and soft edges")
    func recorded() throws {
        check(try RecordedSpeech.material.get())
    }

    @Test("Every synthetic spurt has −26 dBov and soft edges")
    func synthetic() {
        check(SpeechMaterial.synthetic(spurtsPerVoice: 3))
    }

    @Test("A spurt at 48 kHz lasts as long as the recording and sounds at the same places")
    func alignment() throws {
        let recorded = try RecordedSpeech.corpus.get().voices[0].spurts[0].samples
        let material = try RecordedSpeech.material.get()
        let spurt = material.voices[0].spurts[0]
        #expect(spurt.sampleCount == recorded.count * 3)
        material.withSamples(of: spurt) { samples in
            var (cross, left, right) = (0.0, 0.0, 0.0)
            for (index, sample) in recorded.enumerated() {
                let other = Double(samples[index * 3])
                cross += Double(sample) * other
                left += Double(sample) * Double(sample)
                right += other * other
            }
            #expect(cross * cross > 0.98 * left * right)
        }
    }

    @Test("Recorded material names its packages, synthetic material says what it is (HN-01)")
    func descriptions() throws {
        let recorded = try RecordedSpeech.material.get().description
        for voice in RecordedVoice.allCases {
            #expect(recorded.contains(voice.packageName))
        }
        #expect(SpeechMaterial.synthetic(spurtsPerVoice: 1).description.hasPrefix("SYNTHETIC"))
    }

    @Test("Voices are found by name, and by place in turn")
    func voices() throws {
        let material = try RecordedSpeech.material.get()
        #expect(material.voice(named: "it-m")?.name == "it-m")
        #expect(material.voice(named: "nobody") == nil)
        #expect(
            (0..<4).map { material.voice(forPlace: $0).name } == ["en-f", "it-m", "en-f", "it-m"]
        )
    }

    @Test("Synthetic spurts are the same every time, and last as long as words and sentences do")
    func syntheticSpurts() {
        let first = SpeechMaterial.synthetic(spurtsPerVoice: 3)
        let second = SpeechMaterial.synthetic(spurtsPerVoice: 3)
        #expect(first.voices == second.voices)
        for (number, spurt) in first.voices.flatMap(\.spurts).enumerated() {
            #expect((10_000...300_000).contains(spurt.sampleCount))
            if number % 2 == 0 {
                let left = first.withSamples(of: spurt) { Array($0) }
                #expect(second.withSamples(of: spurt) { Array($0) } == left)
            }
        }
    }
}
