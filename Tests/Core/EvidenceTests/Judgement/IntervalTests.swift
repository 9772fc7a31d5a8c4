@testable import KodamaEvidence
import Testing

@Suite("Intervals whose unit is the run (HN-03)")
struct IntervalTests {
    @Test(
        "Clopper and Pearson's intervals are those of the tables, rounded outwards",
        arguments: [
            // R: binom.test(k, n)$conf.int
            (0, 20, 0, 168_434), (1, 20, 1_265, 248_733), (17, 20, 621_073, 967_930),
            (20, 20, 831_566, 1_000_000), (190, 200, 909_972, 975_766), (0, 3_000, 0, 1_229),
        ]
    )
    func exact(successes: Int, trials: Int, lower: Int64, upper: Int64) {
        let ends = Binomial.interval(
            ofAtLeast: successes,
            atMost: successes,
            of: trials,
            tail: 0.025
        )
        #expect(lower - ends.lower >= -1 && lower - ends.lower <= 1, "\(ends)")
        #expect(ends.upper - upper >= -1 && ends.upper - upper <= 1, "\(ends)")
    }

    @Test("The distribution function is the sum of its terms, however many trials there are")
    func distribution() {
        let four = Binomial(trials: 4, partsPerMillion: 500_000)
        for (count, sum) in [1.0, 5, 11, 15, 16].enumerated() {
            #expect(abs(four.probability(ofAtMost: count) * 16 - sum) < 1e-12)
        }
        let many = Binomial(trials: 40_000, partsPerMillion: 500_000)
        #expect(abs(many.probability(ofAtMost: 20_000) - 0.502) < 0.001)
        #expect(many.probability(ofAtMost: 10_000) < 1e-12)
        #expect(many.probability(ofAtMost: 30_000) > 1 - 1e-12)
    }

    @Test("Where a run gives one sample, a median lies between its order statistics")
    func orderStatistics() {
        // Of 20 samples the 6th and the 15th bound the median with 95.9 % (Conover, table A3).
        let runs = population(20) { [$0] }
        let interval = judge(.quantile(perMille: 500), runs).interval
        #expect(interval?.lower == 6_000_000)
        #expect(interval?.upper == 15_000_000)
        // 0.95^72 is the first power below 2.5 %.
        #expect(judge(.quantile(perMille: 950), population(71) { [$0] }).interval?.upper == nil)
        let enough = judge(.quantile(perMille: 950), population(72) { [$0] }).interval
        #expect(enough?.upper == 72_000_000)
    }

    @Test("However many frames a run has, it is one run")
    func frames() {
        let few = judge(.quantile(perMille: 500), population(30) { [$0] }).interval
        let many = judge(
            .quantile(perMille: 500),
            population(30) { run in
                Array(repeating: run, count: 1_000)
            }
        ).interval
        #expect(many == few)
        // Runs of unequal weight count for fewer.
        let uneven = judge(
            .quantile(perMille: 500),
            population(30) { run in
                Array(repeating: run, count: run == 1 ? 1_000 : 1)
            }
        ).interval
        #expect(uneven == nil)
    }

    @Test("Runs whose shares hardly differ bound the share more closely than equal answers would")
    func alike() throws {
        func interval(_ parts: [Int64], of whole: Int64) throws -> FigureInterval {
            let runs = parts.enumerated().map { seed, part in
                RunPart(
                    seed: UInt64(seed),
                    .proportion(Proportion(numerator: part, denominator: whole))
                )
            }
            let all = Proportion(
                numerator: parts.reduce(0, +),
                denominator: whole * Int64(parts.count)
            )
            return try #require(IntervalEstimate(runs, confidence: 950_000).share(all))
        }
        let near = try interval((0..<40).map { 150 + $0 * 50 / 39 }, of: 1_000)
        #expect(try #require(near.lower) > 150_000 && #require(near.upper) < 280_000)
        // All or nothing: the exact interval of 7 of 40, as R has it.
        let split = try interval((0..<40).map { $0 < 7 ? 1_000 : 0 }, of: 1_000)
        #expect(try #require(split.lower) >= 73_375 && #require(split.upper) <= 327_803)
        // None in 40 runs says no more than that.
        let none = try interval(Array(repeating: 0, count: 40), of: 1_000)
        #expect(none.lower == 0)
        #expect(none.upper == 88_098)
    }

    @Test("A gate with a confidence asks the interval, not the point; an extreme has none")
    func confidence() {
        let runs = population(40) { [$0] }
        var gate = Self.gate(.quantile(perMille: 500), limit: 25_000_000)
        #expect(judge(gate, runs).verdict == .pass)
        gate.confidence = 950_000
        let unsure = judge(gate, runs)
        #expect(unsure.verdict == .undecided)
        #expect(unsure.noDataReason == .tooFewRuns)
        #expect(!unsure.isGreen)
        gate.limit = 27_000_000
        #expect(judge(gate, runs).verdict == .pass)
        gate.limit = 19_000_000
        #expect(judge(gate, runs).verdict == .fail)
        #expect(gate.ruleText == "p50 <= 19ms with 95% confidence")
        #expect(!Self.gate(.maximum, limit: 1).offersInterval)
        #expect(judge(Self.gate(.maximum, limit: 1), runs).interval == nil)
    }

    @Test("Pooled in any order, by one judge or several, an interval is the same")
    func order() {
        let runs = population(40) { run in [run, run * run % 17] }
        let gate = Self.gate(.mean, limit: 1)
        let first = judge(gate, runs)
        #expect(first.interval != nil)
        #expect(judge(gate, runs.reversed()) == first)
        var left = Judge(gates: [gate])
        var right = Judge(gates: [gate])
        for (index, run) in runs.enumerated() {
            if index.isMultiple(of: 3) { left.add(run) } else { right.add(run) }
        }
        right.merge(left)
        #expect(right.judgement.gates[0] == first)
    }

    static func gate(_ statistic: Statistic, limit: Int64) -> Gate {
        Gate(
            metric: "time",
            in: .nanoseconds,
            statistic: statistic,
            comparison: .atMost,
            limit: limit
        )
    }

    private func judge(_ statistic: Statistic, _ runs: [RunEvidence]) -> GateResult {
        judge(Self.gate(statistic, limit: .max), runs)
    }

    private func judge(_ gate: Gate, _ runs: [RunEvidence]) -> GateResult {
        var judge = Judge(gates: [gate])
        for run in runs { judge.add(run) }
        return judge.judgement.gates[0]
    }

    /// Runs 1 to `count`, each with samples in milliseconds.
    private func population(_ count: Int64, _ samples: (Int64) -> [Int64]) -> [RunEvidence] {
        (1...count).map { run in
            var distribution = Distribution()
            for sample in samples(run) { distribution.add(sample * 1_000_000) }
            let metric = MetricResult(
                name: "time",
                unit: .nanoseconds,
                value: .distribution(distribution)
            )
            return RunEvidence(seed: UInt64(run), metrics: [metric])
        }
    }
}
