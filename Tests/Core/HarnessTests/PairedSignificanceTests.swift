@testable import KodamaHarness
import KodamaSimulation
import Testing

@Suite("Comparisons of a whole suite cry wolf seldom")
struct PairedSignificanceTests {
    private typealias Trial = PairedSignificance.Trial

    @Test("Its p-values are those of the exact sign test")
    func exact() {
        // R: binom.test(17, 20, alternative = "greater") gives 0.001288414.
        #expect(abs(Trial(worse: 17, better: 3).pValue - 0.001_288_414) < 1e-9)
        #expect(Trial(worse: 0, better: 0).pValue == 1)
        #expect(Trial(worse: 12, better: 8).leastPValue == 1.0 / 1_048_576)
        #expect(PairedSignificance.seedsNeeded(comparisons: 0) == 8)
        #expect(PairedSignificance.seedsNeeded(comparisons: 1) == 8)
        #expect(PairedSignificance.seedsNeeded(comparisons: 1_000) == 18)
    }

    @Test("What differs in too few seeds to be significant costs the others nothing (HN-03)")
    func tarone() {
        let rare = Array(repeating: Trial(worse: 3, better: 0), count: 1_000)
        let found = PairedSignificance([Trial(worse: 9, better: 0)] + rare).isSignificant
        #expect(found[0])
        #expect(!found.dropFirst().contains(true))
        let many = Array(repeating: Trial(worse: 9, better: 0), count: 40)
        #expect(!PairedSignificance(many).isSignificant.contains(true))
        #expect(PairedSignificance([]).isSignificant.isEmpty)
    }

    /// A suite of scenarios with gates that see the same runs: each of so many seeds is worse or better
    /// alike at all gates of its scenario, but for some; `shift` is how much likelier it is worse.
    private func suite(
        _ stream: inout RandomStream,
        seeds: Int,
        shiftedPerMille: UInt64 = 0
    ) -> [Trial] {
        (0..<40).flatMap { scenario -> [Trial] in
            let runs = (0..<seeds).map { _ in
                stream.uniform(below: 1_000) < (scenario == 0 ? 500 + shiftedPerMille : 500)
            }
            return (0..<5).map { _ in
                let worse = runs.filter { $0 != (stream.uniform(below: 10) == 0) }.count
                return Trial(worse: worse, better: seeds - worse)
            }
        }
    }

    @Test(
        "Of 1,000 suites in which nothing changed five at most raise an alarm (HN-03)",
        arguments: [3, 20, 40]
    )
    func placebo(seeds: Int) {
        var stream = RandomStream(seed: 1, purpose: "placebo", entity: "\(seeds)")
        var alarms = 0
        for _ in 0..<1_000 {
            let found = PairedSignificance(suite(&stream, seeds: seeds)).isSignificant
            alarms += found.contains(true) ? 1 : 0
        }
        #expect(alarms <= 5)
    }

    @Test("A scenario worse in every run of 40 is found in 95 of 100 suites (HN-03)")
    func power() {
        var stream = RandomStream(seed: 1, purpose: "power", entity: "")
        var hits = 0
        for _ in 0..<100 {
            let trials = suite(&stream, seeds: 40, shiftedPerMille: 500)
            hits += PairedSignificance(trials).isSignificant[..<5].contains(true) ? 1 : 0
        }
        #expect(hits >= 95)
    }
}
