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
        let values = measure { $0 % period < period / 8 ? 8000 : -1000 }
        #expect(values[range] > 110)
        #expect(values[..<range].allSatisfy { $0 < 60 })
    }

    @Test("Noise repeats itself little, and loudness makes no difference")
    func noise() {
        for amplitude in [30.0, 1000, 12_000] {
            var random = LawRandom(seed: 5)
            let values = measure { _ in amplitude * random.normal() }
            #expect(values.allSatisfy { abs($0) < 70 })
        }
    }

    @Test("Digital silence, DC and the last bit repeat nothing")
    func silence() {
        #expect(measure { _ in 0 } == [0, 0, 0, 0, 0, 0, 0, 0])
        #expect(measure { _ in 20_000 }.allSatisfy { abs($0) < 127 })
        #expect(measure { Double($0 / 40 % 2) }.allSatisfy { $0 < 20 })
    }

    @Test("The loudest sound there is fits the arithmetic")
    func fullScale() {
        let values = measure { $0 / 80 % 2 == 0 ? 32_767 : -32_768 }
        #expect(values[6] > 120)
    }

    /// What ten frames of a sound come to.
    private func measure(_ sound: (Int) -> Double) -> [Int16] {
        var periodicity = Periodicity()
        var output = [Int16](repeating: 0, count: 8)
        let past = Periodicity.overlap
        var samples = [Int16](repeating: 0, count: past)
        samples += (0..<3200).map { Int16(max(-32_768, min(32_767, sound($0).rounded()))) }
        samples.withUnsafeBufferPointer { samples in
            guard let base = samples.baseAddress else { return }
            for frame in 0..<10 {
                periodicity.measure(base + (past + 320 * frame), into: &output)
            }
        }
        return output
    }
}
