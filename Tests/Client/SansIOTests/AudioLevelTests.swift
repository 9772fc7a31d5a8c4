import Foundation
import SansIO
import Testing

@Suite("Audio level")
struct AudioLevelTests {
    private func level(_ samples: [Int16]) -> Int {
        samples.withUnsafeBufferPointer { Int(AudioLevel(of: $0).decibelsBelowOverload) }
    }

    /// 20 ms of a sine of 1 kHz at 48 kHz.
    private func tone(peak: Double) -> [Int16] {
        (0..<960).map { Int16((peak * sin(2 * .pi * Double($0) / 48)).rounded()) }
    }

    @Test("A square wave of full scale is 0 dBov, a full sine −3 (RFC 6464)")
    func fullScale() {
        #expect(level((0..<960).map { $0 % 48 < 24 ? .max : .min }) == 0)
        #expect(level(tone(peak: 32_767)) == 3)
    }

    @Test("Halving the amplitude lowers the level by 6 dB")
    func halving() {
        for (step, expected) in [3, 9, 15, 21, 27, 33, 39, 45, 51].enumerated() {
            let peak = 32_767.0 / Double(1 << step)
            #expect(level(tone(peak: peak)) == expected)
        }
    }

    @Test("Silence, and no samples at all, are 127")
    func silence() {
        #expect(level([Int16](repeating: 0, count: 960)) == 127)
        #expect(level([]) == 127)
        #expect(AudioLevel(sumOfSquares: 1, sampleCount: 1 << 40).decibelsBelowOverload == 127)
    }

    @Test("One unit in one of 960 samples is −120 dBov, and half of a decibel rounds away")
    func quietest() {
        // 10·lg(2^30 · 960) = 120.13.
        #expect(AudioLevel(sumOfSquares: 1, sampleCount: 960).decibelsBelowOverload == 120)
        // 10^(−0.05) of full scale lies between 0 and 1 dBov: 2^30 · 0.89125 = 956,973,407.4.
        #expect(AudioLevel(sumOfSquares: 956_973_408, sampleCount: 1).decibelsBelowOverload == 0)
        #expect(AudioLevel(sumOfSquares: 956_973_407, sampleCount: 1).decibelsBelowOverload == 1)
    }

    @Test("More energy never gives a quieter level")
    func monotone() {
        var last = AudioLevel.silence
        var energy: UInt64 = 1
        while energy < 1 << 40 {
            let level = AudioLevel(sumOfSquares: energy, sampleCount: 960)
            #expect(level >= last)
            last = level
            energy += energy / 50 + 1
        }
        #expect(last.decibelsBelowOverload <= 1)
    }
}
