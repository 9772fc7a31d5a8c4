@testable import KodamaEvidence
@testable import KodamaSimulation
import Testing

@Suite("Seeds until the verdict is decided (HN-03)")
struct PlannedLooksTests {
    /// Fewer runs than usual, so that the simulations do not take minutes.
    private static let looks = PlannedLooks([20, 40, 80, 160])

    /// One study: runs until the looks say that it is decided, or all of them.
    private struct Study {
        var result: GateResult
        var isOpen: Bool
        var runCount: Int

        init(
            _ gate: Gate,
            _ population: CoverageTests.Population,
            _ stream: inout RandomStream
        ) {
            var judge = Judge(gates: PlannedLooksTests.looks.gates([gate]))
            runCount = 0
            for count in PlannedLooksTests.looks.runCounts {
                while runCount < count {
                    var samples = Distribution()
                    for sample in population.run(&stream) { samples.add(sample * 1_000) }
                    let metric = MetricResult(
                        name: gate.metric,
                        unit: .nanoseconds,
                        value: .distribution(samples)
                    )
                    judge.add(RunEvidence(seed: UInt64(runCount), metrics: [metric]))
                    runCount += 1
                }
                guard PlannedLooks.isOpen(judge.judgement) else { break }
            }
            isOpen = PlannedLooks.isOpen(judge.judgement)
            result = judge.judgement.gates[0]
        }
    }

    private static func truth(
        _ statistic: Statistic,
        _ population: CoverageTests.Population,
        _ stream: inout RandomStream
    ) throws -> Int64 {
        var samples = Distribution()
        for _ in 0..<60_000 {
            for sample in population.run(&stream) { samples.add(sample * 1_000) }
        }
        let gate = IntervalTests.gate(statistic, limit: .max)
        return try #require(gate.figure(of: .distribution(samples)))
    }

    @Test(
        "Stopped at whichever look decides, the interval holds the true figure in 95 of 100 studies",
        arguments: CoverageTests.Population.allCases
    )
    func coverage(_ population: CoverageTests.Population) throws {
        var stream = RandomStream(seed: 2, purpose: "looks", entity: "\(population)")
        let statistic = Statistic.quantile(perMille: 900)
        let truth = try Self.truth(statistic, population, &stream)
        // Limits so near to the truth, on either side, that a hasty look is easily wrong.
        for perMille in [970, 1_030] as [Int64] {
            let gate = IntervalTests.gate(statistic, limit: truth * perMille / 1_000)
            let isKept = perMille > 1_000
            let studyCount = 60
            var (held, wrong) = (0, 0)
            for _ in 0..<studyCount {
                let study = Study(gate, population, &stream)
                let interval = try #require(study.result.interval)
                held += interval.lower ?? .min <= truth && truth <= interval.upper ?? .max ? 1 : 0
                let isSaidToBeKept = study.result.isGreen
                wrong += !study.isOpen && isSaidToBeKept != isKept ? 1 : 0
            }
            #expect(held * 100 >= studyCount * 95, "limit at \(perMille) per mille")
            #expect(wrong * 100 <= studyCount * 5, "limit at \(perMille) per mille")
        }
    }

    @Test("Where the limit is far away the first look decides, near by the last does not")
    func stops() throws {
        var stream = RandomStream(seed: 3, purpose: "looks", entity: "stops")
        let statistic = Statistic.quantile(perMille: 500)
        let truth = try Self.truth(statistic, .single, &stream)
        func study(_ limit: Int64) -> Study {
            Study(IntervalTests.gate(statistic, limit: limit), .single, &stream)
        }
        let far = study(truth * 4)
        #expect(far.runCount == 20)
        #expect(far.result.verdict == .pass)
        let missed = study(truth / 4)
        #expect(missed.runCount == 20)
        #expect(missed.result.verdict == .fail)
        let near = study(truth)
        #expect(near.runCount == Self.looks.cap)
        #expect(near.isOpen)
        #expect(!near.result.isGreen)
    }

    @Test("The error is split evenly over the looks, and extremes need no confidence")
    func splits() {
        var strict = IntervalTests.gate(.mean, limit: 1)
        strict.confidence = 990_000
        let gates = Self.looks.gates(
            [IntervalTests.gate(.mean, limit: 1), strict, IntervalTests.gate(.maximum, limit: 1)]
        )
        #expect(gates.map(\.confidence) == [987_500, 997_500, nil])
    }

    @Test("An extreme that is missed, and a broken invariant, decide at once")
    func decides() {
        func isOpen(_ gates: [Gate], broken: Int) -> Bool {
            var samples = Distribution()
            samples.add(5)
            var invariant = InvariantResult(name: "kept")
            invariant.checkedCount = 1
            invariant.violationCount = broken
            var judge = Judge(gates: gates, invariants: ["kept"])
            let metric = MetricResult(
                name: "time",
                unit: .nanoseconds,
                value: .distribution(samples)
            )
            judge.add(RunEvidence(seed: 1, metrics: [metric], invariants: [invariant]))
            return PlannedLooks.isOpen(judge.judgement)
        }
        let median = Self.looks.gates([IntervalTests.gate(.quantile(perMille: 500), limit: 9)])
        #expect(isOpen(median, broken: 0))
        #expect(!isOpen(median, broken: 1))
        #expect(!isOpen(median + [IntervalTests.gate(.maximum, limit: 4)], broken: 0))
        #expect(isOpen(median + [IntervalTests.gate(.maximum, limit: 9)], broken: 0))
    }
}
