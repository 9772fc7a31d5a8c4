@testable import KodamaSimulation
import SansIO
import Testing

@Suite("Loss")
struct LinkLossTests {
    private func losses(_ model: LossModel, seed: UInt64, count: Int) -> [Bool] {
        var link = Link.with(seed: seed) { $0.loss = model }
        return link.send(count: count).map { $0.dropReason == .loss }
    }

    @Test(
        "Independent loss keeps its rate within four binomial deviations",
        arguments: [(10_000, 1), (50_000, 2), (500_000, 3)] as [(Int32, UInt64)]
    )
    func independentRate(partsPerMillion: Int32, seed: UInt64) {
        let count = 100_000
        let model = LossModel.independent(.ppm(partsPerMillion))
        let lost = losses(model, seed: seed, count: count).count { $0 }
        let probability = Double(partsPerMillion) / 1_000_000
        let deviation = (Double(count) * probability * (1 - probability)).squareRoot()
        #expect(abs(Double(lost) - Double(count) * probability) < 4 * deviation)
    }

    @Test("Independent losses come in bursts of 1/(1 − p), as chance has it")
    func independentBursts() {
        let runs = runLengths(of: losses(.independent(.ppm(200_000)), seed: 4, count: 100_000))
        let mean = Double(runs.reduce(0, +)) / Double(runs.count)
        // The deviation of a geometric run is √p/(1 − p), here 0.56.
        #expect(abs(mean - 1.25) < 4 * 0.56 / Double(runs.count).squareRoot())
    }

    @Test(
        "Gilbert's chain loses p/(p + r) in geometric bursts of 1/r",
        arguments: [(17_500, 333_000), (3_960, 94_000), (25_300, 143_000)] as [(Int32, Int32)]
    )
    func gilbert(p: Int32, r: Int32) {
        let count = 200_000
        let flags = losses(.gilbert(p: .ppm(p), r: .ppm(r)), seed: 5, count: count)
        let (p, r) = (Double(p) / 1e6, Double(r) / 1e6)
        let rate = p / (p + r)
        // The chain's correlation 1 − p − r widens the binomial deviation.
        let widening = (2 - p - r) / (p + r)
        let deviation = (rate * (1 - rate) * widening / Double(count)).squareRoot()
        let lost = flags.count { $0 }
        #expect(abs(Double(lost) / Double(count) - rate) < 4 * deviation)

        let runs = runLengths(of: flags)
        let mean = Double(lost) / Double(runs.count)
        let runDeviation = (1 - r).squareRoot() / r / Double(runs.count).squareRoot()
        #expect(abs(mean - 1 / r) < 4 * runDeviation)
        let single = Double(runs.count { $0 == 1 }) / Double(runs.count)
        #expect(abs(single - r) < 4 * (r * (1 - r) / Double(runs.count)).squareRoot())
    }

    @Test("Elliott's chain mixes the losses of its two states")
    func elliott() {
        let model = LossModel.gilbertElliott(
            p: .ppm(100_000),
            r: .ppm(300_000),
            lossGood: .ppm(10_000),
            lossBad: .ppm(500_000)
        )
        let lost = losses(model, seed: 6, count: 200_000).count { $0 }
        // A quarter of the time is bad: 0.75 · 0.01 + 0.25 · 0.5.
        #expect(abs(Double(lost) / 200_000 - 0.1325) < 0.004)
    }

    @Test("Certain loss takes every packet and no loss takes none")
    func extremes() {
        #expect(losses(.independent(.one), seed: 7, count: 1_000).allSatisfy { $0 })
        #expect(losses(.independent(.zero), seed: 7, count: 1_000).allSatisfy { !$0 })
        #expect(losses(.none, seed: 7, count: 1_000).allSatisfy { !$0 })
        #expect(losses(.gilbert(p: .one, r: .zero), seed: 7, count: 1_000).allSatisfy { $0 })
    }

    @Test(
        "The same packets are lost whatever other impairment is switched on (HN-01)",
        arguments: [
            LossModel.independent(.ppm(100_000)), .gilbert(p: .ppm(17_500), r: .ppm(333_000)),
        ]
    )
    func commonRandomNumbers(model: LossModel) {
        func isLost(_ adjust: (inout LinkDirection) -> Void) -> [Bool] {
            var link = Link.with(seed: 8) {
                $0.loss = model
                adjust(&$0)
            }
            return link.send(count: 5_000).map { $0.dropReason == .loss }
        }
        let plain = isLost { _ in }
        #expect(isLost { $0.jitter = .halfNormal(deviation: .milliseconds(9)) } == plain)
        #expect(isLost { $0.duplication = .ppm(300_000) } == plain)
        #expect(isLost { $0.corruption = .ppm(300_000) } == plain)
        #expect(isLost { $0.capacity = .rate(DataRate(bitsPerSecond: 64_000)) } == plain)
        #expect(isLost { $0.allowsReordering = true } == plain)
    }

    @Test("A disruption leaves the losses of the packets after it as they were")
    func disruptionKeepsDraws() {
        var plain = Link.with(seed: 9) { $0.loss = .gilbert(p: .ppm(50_000), r: .ppm(300_000)) }
        var stopped = plain
        stopped.disrupt(.stopped, until: .milliseconds(2_000))
        let whole = plain.send(count: 5_000)
        let disrupted = stopped.send(count: 5_000)
        #expect(disrupted.prefix(100).allSatisfy { $0 == .dropped(.down) })
        #expect(disrupted.dropFirst(100) == whole.dropFirst(100))
    }

    @Test("Two links of one run, and one link in two runs, lose different packets")
    func independence() {
        let direction = LinkDirection.with { $0.loss = .independent(.ppm(500_000)) }
        var links = [
            Link(direction, seed: 1, name: "aoi-phone/ren-phone forward"),
            Link(direction, seed: 1, name: "aoi-phone/ren-phone backward"),
            Link(direction, seed: 2, name: "aoi-phone/ren-phone forward"),
        ]
        let lost = links.indices.map { index in
            links[index].send(count: 10_000).map { $0.dropReason == .loss }
        }
        for (left, right) in [(0, 1), (0, 2), (1, 2)] {
            let agreements = zip(lost[left], lost[right]).count { $0 == $1 }
            #expect(abs(agreements - 5_000) < 200, "four deviations of 50")
        }
    }
}
