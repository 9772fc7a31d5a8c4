import Foundation
@testable import KodamaSimulation
import Testing

@Suite("Portable logarithm, exponential and normal quantile")
struct PortableMathTests {
    @Test("The logarithm agrees with the C library's to 2⁻⁵⁰")
    func logarithm() {
        var stream = RandomStream(seed: 1, purpose: "test", entity: "logarithm")
        var worst = 0.0
        for _ in 0..<100_000 {
            let exponent = Int(stream.uniform(in: -1_000...1_000))
            let value = Double(
                sign: .plus,
                exponent: exponent,
                significand: 1 + Double(stream.next() >> 12) * 0x1p-52
            )
            let expected = log(value)
            worst = max(
                worst,
                abs(PortableMath.logarithm(value) - expected) / max(abs(expected), 1)
            )
        }
        #expect(worst < 0x1p-50)
        #expect(PortableMath.logarithm(1) == 0)
    }

    @Test("The exponential agrees with the C library's to 2⁻⁴⁸")
    func exponential() {
        var stream = RandomStream(seed: 1, purpose: "test", entity: "exponential")
        var worst = 0.0
        for _ in 0..<100_000 {
            let value = Double(stream.uniform(in: -700_000_000...700_000_000)) / 1e6
            worst = max(worst, abs(PortableMath.exponential(value) / exp(value) - 1))
        }
        #expect(worst < 0x1p-48)
        #expect(PortableMath.exponential(0) == 1)
    }

    @Test("The normal quantile inverts the distribution function, far into both tails")
    func normalQuantile() {
        var worst = 0.0
        for step in -8_200...8_200 where step != 0 {
            // From the lower tail, where probabilities keep all their digits.
            let deviate = -abs(Double(step) / 1_000)
            let probability = GoodnessOfFit.normal(deviate)
            worst = max(worst, abs(NormalQuantile.value(at: probability) / deviate - 1))
        }
        #expect(worst < 1e-12)
        #expect(NormalQuantile.value(at: 0.5) == 0)
        #expect(NormalQuantile.value(at: 0.25) == -NormalQuantile.value(at: 0.75))
        #expect(NormalQuantile.value(at: 0x1p-20) == -NormalQuantile.value(at: 1 - 0x1p-20))
    }
}
