import Foundation
import SansIOTesting
import Testing

@testable import VoiceActivity

@Suite("Periodicity")
struct PeriodicityTests {
    /// A lag of each range, at 4 kHz.
    static let lags = [10, 13, 17, 21, 27, 34, 43, 56]

    @Test("A buzz repeats itself in the range of its pitch", arguments: lags.indices)
    func buzz(range: Int) {
        let period = 4 * Self.lags[range]
        for values in measure({ $0 % period < period / 8 ? 8000 : -1000 }) {
            #expect(values[range] > 100)
            #expect(values[..<range].allSatisfy { $0 < 80 })
        }
    }

    @Test("Noise repeats itself little, the less the longer, and loudness makes no difference")
    func noise() {
        for amplitude in [30.0, 1000, 12_000] {
            var random = LawRandom(seed: 5)
            let values = measure { _ in amplitude * random.normal() }
            #expect(values[0].allSatisfy { abs($0) < 80 })
            #expect(values[1].allSatisfy { abs($0) < 60 })
            #expect(values[2].allSatisfy { abs($0) < 45 })
        }
    }

    @Test("A voice in as much noise shows over a while, where a moment leaves doubt")
    func voiceInNoise() {
        var random = LawRandom(seed: 6)
        let voiced = measure { index in
            3000 * (random.normal() + sin(2 * .pi * 120 * Double(index) / 16_000))
        }
        let noise = measure { _ in 3000 * random.normal() }
        #expect(voiced[2][6] > 2 * noise[2].reduce(0, max))
    }

    @Test("A rumble ten times louder than a voice leaves the voice's envelope to be heard")
    func rumble() {
        var random = LawRandom(seed: 7)
        var wind = 0.0
        let values = measure { index in
            wind += (random.normal() - wind) / 64
            // Pulses at 125 Hz: all harmonics up to 8 kHz.
            return 40_000 * wind + (index % 128 == 0 ? 6000 : 0)
        }
        #expect(values[4][5] > 80)
        #expect(values[0][5] < values[4][5])
    }

    @Test("Digital silence, DC and the last bit repeat nothing")
    func silence() {
        #expect(measure { _ in 0 }.joined().allSatisfy { $0 == 0 })
        #expect(measure { _ in 20_000 }.joined().allSatisfy { abs($0) < 127 })
        #expect(measure { Double($0 / 40 % 2) }[0].allSatisfy { $0 < 20 })
    }

    @Test("The loudest sound there is fits the arithmetic")
    func fullScale() {
        let values = measure { $0 / 80 % 2 == 0 ? 32_767 : -32_768 }
        #expect(values[0][6] > 120 && values[2][6] > 120)
    }

    /// What ten frames of a sound come to: five measures of eight ranges.
    private func measure(_ sound: (Int) -> Double) -> [[Int16]] {
        var periodicity = Periodicity()
        var output = [Int16](repeating: 0, count: Periodicity.featureCount)
        let past = Periodicity.overlap
        var samples = [Int16](repeating: 0, count: past)
        samples += (0..<3200).map { Int16(max(-32_768, min(32_767, sound($0).rounded()))) }
        samples.withUnsafeBufferPointer { samples in
            guard let base = samples.baseAddress else { return }
            for frame in 0..<10 {
                periodicity.measure(base + (past + 320 * frame), into: &output)
            }
        }
        return stride(from: 0, to: output.count, by: 8).map { Array(output[$0..<$0 + 8]) }
    }
}
