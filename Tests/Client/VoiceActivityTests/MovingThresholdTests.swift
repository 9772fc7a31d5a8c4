import Testing

@testable import VoiceActivity

@Suite("Moving threshold")
struct MovingThresholdTests {
    @Test("The threshold follows a transcript that was worked out by hand")
    func transcript() {
        // The mean before each: 0, 0, 9.4, 68.2, 126.3, 180.9, 169.6, 159.0.
        #expect(
            thresholds(300, over: [0, 150, 950, 999, 1000, 0, 0, 400])
                == [600, 600, 303, 321, 338, 354, 600, 600]
        )
    }

    @Test(
        "Whatever the scores were, the threshold lies between itself and twice itself",
        arguments: [0, 1, 150, 310, 777, 1000]
    )
    func bounds(base: Int) {
        for draw in 0..<200 {
            let scores = (0..<50).map { Int16((draw * 7919 + $0 * $0 * 331) % 1001) }
            let met = thresholds(base, over: scores)
            #expect(met.allSatisfy { (base...2 * base).contains(Int($0)) })
        }
    }

    @Test("A lone blip has to reach twice the threshold, a frame after it little more than once")
    func blip() {
        #expect(thresholds(310, over: [0, 0, 500, 500])[2] == 620)
        #expect(thresholds(310, over: [0, 0, 500, 500])[3] < 330)
    }

    @Test("Amid steady speech the threshold rises towards twice itself, and its end shows at once")
    func endOfSpeech() {
        let met = thresholds(310, over: .init(repeating: 1000, count: 100) + [400, 100, 400])
        #expect(met[99] > 600)
        #expect(met[100] > 400 && met[101] > 400)
        #expect(met[102] == 620)
    }

    @Test("A higher setting never lets more pass")
    func monotonic() {
        let scores = (0..<500).map { Int16($0 * $0 * 331 % 1001) }
        let settings = [0, 100, 200, 310, 311, 450, 700, 1000].map { thresholds($0, over: scores) }
        for (low, high) in zip(settings, settings.dropFirst()) {
            #expect(zip(low, high).allSatisfy { $0 <= $1 })
        }
    }

    private func thresholds(_ base: Int, over scores: [Int16]) -> [Int16] {
        var threshold = MovingThreshold(base: base)
        return scores.map { score in
            defer { threshold.remember(score) }
            return threshold.value
        }
    }
}
