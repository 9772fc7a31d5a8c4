import Foundation
import SansIOTesting
import Testing

@testable import VoiceActivity

@Suite("Speech network")
struct SpeechNetworkTests {
    @Test("The product scores a made-up feature sequence as the training's own arithmetic does")
    func training() {
        var network = SpeechNetwork()
        let scores = (0..<TrainedScores.scores.count).map { frame in
            network.score((0..<SpeechFeatures.count).map { TrainedScores.feature($0, in: frame) })
        }
        #expect(scores == TrainedScores.scores)
        #expect(Set(scores).count > 10, "a constant would agree by chance")
    }

    @Test("A layer is a matrix product, shifted and rounded, with a bias")
    func layer() {
        // Rows 1 … 8 and −1 … −8, biases 300 and −2, in base 64 over two lines.
        let text: StaticString = """
            AQIDBAUGBwj//v38
            +/r5+AEs//4
            """
        let layer = NetworkLayer(text, rows: 2, columns: 8)
        let vector: [Int16] = [1000, -1, 2, -3, 4, -5, 6, -32_768]
        var output = [Int32](repeating: 1, count: 16)
        layer.apply(to: vector, into: &output, shift: 0)
        let sum: Int32 = 1000 - 2 + 6 - 12 + 20 - 30 + 42 - 8 * 32_768
        #expect(output[0] == sum + 300 && output[1] == -sum - 2)
        layer.apply(to: vector, into: &output, shift: 6)
        #expect(output[0] == (sum + 32) >> 6 + 300 && output[1] == (32 - sum) >> 6 - 2)
    }

    @Test("The logistic function and the hyperbolic tangent are right to 2⁻¹¹ and rise")
    func activations() {
        var before: Int32 = 0
        for value in stride(from: Int32(-40_000), through: 40_000, by: 37) {
            let exact = 1 / (1 + exp(-Double(value) / 2048))
            let logistic = Sigmoid.of(value)
            #expect(abs(Double(logistic) / 32_768 - exact) < 0.000_5)
            #expect(logistic >= before)
            before = logistic
            #expect(abs(Double(Sigmoid.tanh(value)) / 32_768 - tanh(Double(value) / 2048)) < 0.001)
        }
        #expect(Sigmoid.of(.min / 4) >= 0 && Sigmoid.of(.max / 4) <= 32_767)
        #expect(Sigmoid.of(0) == 16_384 && Sigmoid.tanh(0) <= 1)
    }
}
