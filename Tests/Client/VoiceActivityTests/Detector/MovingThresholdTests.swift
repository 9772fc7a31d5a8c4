import Testing

@testable import VoiceActivity

@Suite("Moving threshold")
struct MovingThresholdTests {
    @Test("The threshold moves as the training's own arithmetic has it (network.thresholds)")
    func transcript() {
        // The mean before each: 0, 0, 9.4, 68.2, 126.3, 180.9, 169.6, 159.0.
        #expect(
            thresholds(600, over: [0, 150, 950, 999, 1000, 0, 0, 400])
                == [600, 600, 303, 321, 338, 354, 600, 600]
        )
    }

    @Test(
        "Whatever the scores were, the threshold lies between its half and itself",
        arguments: [0, 1, 150, 620, 777, 1000]
    )
    func bounds(highest: Int) {
        for draw in 0..<200 {
            let scores = (0..<50).map { Int16((draw * 7919 + $0 * $0 * 331) % 1001) }
            let met = thresholds(highest, over: scores)
            #expect(met.allSatisfy { ((highest + 1) / 2...highest).contains(Int($0)) })
        }
    }

    @Test("A lone blip has to reach the threshold, a frame after it little more than half")
    func blip() {
        #expect(thresholds(620, over: [0, 0, 500, 500])[2] == 620)
        #expect(thresholds(620, over: [0, 0, 500, 500])[3] < 330)
    }

    @Test("Amid steady speech the threshold rises to its height, and so the end shows at once")
    func endOfSpeech() {
        let met = thresholds(620, over: .init(repeating: 1000, count: 100) + [400, 100, 400])
        #expect(met[99] > 600)
        #expect(met[100] > 400 && met[101] > 400)
        #expect(met[102] == 620)
    }

    @Test("A higher setting never lets more pass")
    func monotonic() {
        let scores = (0..<500).map { Int16($0 * $0 * 331 % 1001) }
        let settings = [0, 100, 200, 310, 620, 621, 800, 1000].map { thresholds($0, over: scores) }
        for (low, high) in zip(settings, settings.dropFirst()) {
            #expect(zip(low, high).allSatisfy { $0 <= $1 })
        }
    }

    private func thresholds(_ highest: Int, over scores: [Int16]) -> [Int16] {
        var threshold = MovingThreshold(highest: highest)
        return scores.map { score in
            defer { threshold.remember(score) }
            return threshold.value
        }
    }
}
