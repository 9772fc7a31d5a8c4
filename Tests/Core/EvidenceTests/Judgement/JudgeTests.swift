@testable import KodamaEvidence
import SansIO
import Testing

@Suite("Gates and verdicts")
struct JudgeTests {
    private func times(_ milliseconds: [Int64]) -> MetricResult {
        var distribution = Distribution()
        milliseconds.forEach { distribution.add($0 * 1_000_000) }
        return MetricResult(
            name: "voice.mouth_to_ear.time",
            unit: .nanoseconds,
            value: .distribution(distribution)
        )
    }

    private func share(_ part: Int64, _ whole: Int64) -> MetricResult {
        MetricResult(
            name: "voice.late",
            unit: .partsPerMillion,
            value: .proportion(Proportion(numerator: part, denominator: whole, samples: Int(whole)))
        )
    }

    private func judge(_ gate: Gate, _ runs: [[MetricResult]]) -> GateResult {
        var judge = Judge(gates: [gate])
        for (seed, metrics) in runs.enumerated() {
            judge.add(RunEvidence(seed: UInt64(seed + 1), metrics: metrics))
        }
        return judge.judgement.gates[0]
    }

    private func p95(_ comparison: Comparison, _ milliseconds: Int64) -> Gate {
        Gate(
            metric: "voice.mouth_to_ear.time",
            in: .nanoseconds,
            statistic: .quantile(perMille: 950),
            comparison: comparison,
            limit: milliseconds * 1_000_000
        )
    }

    private func lateGate(_ comparison: Comparison, _ limit: Int64) -> Gate {
        Gate(
            metric: "voice.late",
            in: .partsPerMillion,
            statistic: .value,
            comparison: comparison,
            limit: limit
        )
    }

    @Test("A gate passes at its limit and fails beyond, over all runs' samples together")
    func pooled() {
        let runs = [[times(Array(1...50))], [times(Array(51...100))]]
        let passed = judge(p95(.atMost, 95), runs)
        #expect(passed.verdict == .pass)
        #expect(passed.value == 95_000_000)
        #expect(passed.samples == 100)
        #expect(passed.ruleText == "p95 <= 95ms")
        #expect(passed.texts == ("95 ms", "95 ms"))
        let failed = judge(p95(.atMost, 94), runs)
        #expect(failed.verdict == .fail)
        #expect(failed.worst == .init(seed: 2, value: 98_000_000))
        #expect(!failed.isGreen)
    }

    @Test("Between the warning limit and the limit a gate warns")
    func warning() {
        var gate = p95(.atMost, 100)
        gate.warningLimit = 80_000_000
        #expect(judge(gate, [[times([80])]]).verdict == .pass)
        #expect(judge(gate, [[times([81])]]).verdict == .warn)
        #expect(judge(gate, [[times([101])]]).verdict == .fail)
        #expect(gate.ruleText == "p95 <= 100ms (warn <= 80ms)")
    }

    @Test("A gate that nobody evaluated is never green unless it says so (HN-03)")
    func noData() {
        var gate = p95(.atMost, 100)
        let empty = judge(gate, [[times([])]])
        #expect(empty.verdict == .noData)
        #expect(empty.noDataReason == .tooFewSamples)
        #expect(!empty.isGreen)
        #expect(empty.texts == ("-", "100 ms"))
        gate.minimumSamples = 3
        #expect(judge(gate, [[times([])]]).verdict == .noData)
        let few = judge(gate, [[times([1, 2])]])
        #expect(few.verdict == .undecided)
        #expect(few.noDataReason == .tooFewSamples)
        #expect(!few.isGreen)
        #expect(judge(gate, [[times([1, 2])], [times([3])]]).verdict == .pass)
        #expect(judge(gate, [[times([101, 102])]]).verdict == .undecided)
        gate.statistic = .maximum
        #expect(judge(gate, [[times([1, 2])]]).verdict == .undecided)
        #expect(judge(gate, [[times([1, 102])]]).verdict == .fail, "no more samples can mend it")
        gate.allowsNoData = true
        #expect(judge(gate, [[times([1, 2])]]).isGreen)
        gate.statistic = .quantile(perMille: 950)
        let beyond = judge(gate, [[times([101, 102])]])
        #expect(beyond.verdict == .undecided)
        #expect(!beyond.isGreen, "no data may pass, and what there is misses the limit")
        #expect(judge(gate, [[times([])]]).isGreen)
        let unknown = judge(gate, [[share(0, 1)]])
        #expect(unknown.noDataReason == .unknownMetric)
        #expect(!unknown.isGreen)
    }

    @Test("A share of nothing and a count of nothing observed are no data (HN-03)")
    func nothing() {
        #expect(judge(lateGate(.atMost, 0), [[share(0, 0)]]).verdict == .noData)
        let tally = MetricResult(
            name: "voice.duplicates.played",
            unit: .count,
            value: .count(Tally())
        )
        let gate = Gate(
            metric: "voice.duplicates.played",
            in: .count,
            statistic: .value,
            comparison: .equal,
            limit: 0
        )
        #expect(judge(gate, [[tally]]).verdict == .noData)
        var seen = tally
        seen.value = .count(Tally(total: 0, samples: 9))
        #expect(judge(gate, [[seen]]).verdict == .pass)
    }

    @Test("A figure that a metric does not have is no data, not a pass")
    func wrongStatistic() {
        var gate = lateGate(.atMost, 1_000_000)
        gate.statistic = .quantile(perMille: 950)
        gate.allowsNoData = true
        let result = judge(gate, [[share(0, 9)]])
        #expect(result.noDataReason == .wrongStatistic)
        #expect(!result.isGreen)
    }

    @Test("Shares are compared exactly, however near to the limit")
    func exactShares() {
        // 1/3 lies between 333,333 and 333,334 ppm.
        let third = [[share(1, 3)]]
        for (comparison, limit, verdict) in [
            (.atMost, 333_333, .fail), (.atMost, 333_334, .pass),
            (.below, 333_333, .fail), (.below, 333_334, .pass),
            (.atLeast, 333_333, .pass), (.atLeast, 333_334, .fail),
            (.above, 333_333, .pass), (.above, 333_334, .fail),
            (.equal, 333_333, .fail), (.equal, 333_334, .fail),
        ] as [(Comparison, Int64, Verdict)] {
            #expect(judge(lateGate(comparison, limit), third).verdict == verdict)
        }
        let half = [[share(1, 2)]]
        for (comparison, verdict) in [
            (.atMost, .pass), (.below, .fail), (.atLeast, .pass), (.above, .fail), (.equal, .pass),
        ] as [(Comparison, Verdict)] {
            #expect(judge(lateGate(comparison, 500_000), half).verdict == verdict)
        }
    }

    @Test("At most 1.5 % of spurts may be cut by more than 20 ms (K-15)")
    func shareAbove() {
        var gate = p95(.atMost, 0)
        gate.statistic = .shareAbove(20_000_000)
        gate.limit = 15_000
        #expect(gate.ruleText == "share above 20ms <= 1.5%")
        let good = Array(repeating: Int64(20), count: 197) + [21, 40, 60]
        #expect(judge(gate, [[times(good)]]).verdict == .pass)
        #expect(judge(gate, [[times(good.dropFirst() + [21])]]).verdict == .fail)
    }

    @Test("The worst run is the one with the lowest seed among equals")
    func worst() {
        let result = judge(
            p95(.atMost, 100),
            [[times([1])], [times([7])], [times([7])], [times([])]]
        )
        #expect(result.worst == .init(seed: 2, value: 7_000_000))
        #expect(result.runsWithoutDataCount == 1)
        let least = judge(p95(.atLeast, 0), [[times([4])], [times([3])]])
        #expect(least.worst == .init(seed: 2, value: 3_000_000))
    }

    @Test("Runs may come in any order and from several judges")
    func merging() {
        let gates = [p95(.atMost, 100), lateGate(.atMost, 10)]
        let runs = (1...6).map { seed in
            RunEvidence(
                seed: UInt64(seed),
                metrics: [times([Int64(seed % 3)]), share(Int64(seed % 2), 9)],
                invariants: evidence(Timeline(speech: "##", sent: "##", played: "2#"))
            )
        }
        var whole = Judge(gates: gates, invariants: ["voice.never-played-twice"])
        runs.forEach { whole.add($0) }
        var left = Judge(gates: gates, invariants: ["voice.never-played-twice"])
        var right = left
        for (index, run) in runs.reversed().enumerated() {
            if index.isMultiple(of: 2) {
                left.add(run)
            } else {
                right.add(run)
            }
        }
        right.merge(left)
        #expect(right.judgement == whole.judgement)
        #expect(whole.judgement.invariants[0].result.violations.map(\.seed) == (1...6).map { $0 })
    }

    @Test("A broken invariant fails the scenario, an unchecked one is no data")
    func invariants() {
        let names = ["voice.never-played-twice", "voice.order-kept"]
        func verdict(_ found: [InvariantResult]) -> Verdict {
            var judge = Judge(gates: [], invariants: names)
            judge.add(RunEvidence(seed: 1, metrics: [], invariants: found))
            return judge.judgement.verdict
        }
        #expect(verdict(evidence(Timeline(speech: "##", sent: "##", played: "##"))) == .pass)
        #expect(verdict(evidence(Timeline(speech: "##", sent: "##", played: "#2"))) == .fail)
        #expect(verdict(evidence(Timeline(speech: "##", sent: "##", played: ".."))) == .noData)
        #expect(verdict([]) == .noData)
    }

    @Test("An invariant that nobody asked for fails the scenario only when it is broken")
    func unlisted() {
        func judgement(played: String) -> Judgement {
            var judge = Judge(gates: [], invariants: ["voice.order-kept"])
            let found = evidence(Timeline(speech: "##", sent: "##", played: played))
            judge.add(RunEvidence(seed: 1, metrics: [], invariants: found))
            return judge.judgement
        }
        let broken = judgement(played: "#2").invariants
        #expect(broken.first?.result.name == "voice.order-kept")
        #expect(broken.dropFirst().map(\.result.name) == ["voice.never-played-twice"])
        #expect(broken.dropFirst().allSatisfy { $0.verdict == .fail })
        #expect(judgement(played: "##").invariants.map(\.result.name) == ["voice.order-kept"])
    }

    @Test("A scenario is as good as its worst gate")
    func overall() {
        func verdict(_ gates: [Gate], runCount: Int = 1) -> Verdict {
            var judge = Judge(gates: gates)
            for seed in 0..<runCount {
                judge.add(RunEvidence(seed: UInt64(seed), metrics: [times([50])]))
            }
            return judge.judgement.verdict
        }
        var warned = p95(.atMost, 60)
        warned.warningLimit = 40_000_000
        var allowed = p95(.atMost, 60)
        allowed.minimumSamples = 1_000
        allowed.allowsNoData = true
        #expect(verdict([]) == .pass)
        #expect(verdict([], runCount: 0) == .noData)
        #expect(verdict([p95(.atMost, 60), allowed]) == .pass)
        #expect(verdict([p95(.atMost, 60), warned]) == .warn)
        #expect(verdict([warned, lateGate(.atMost, 0)]) == .noData)
        #expect(verdict([lateGate(.atMost, 0), p95(.atMost, 10)]) == .fail)
    }

    private func evidence(_ call: Timeline) -> [InvariantResult] {
        RunMeter.of(call.trace).invariants
    }

    // MARK: What was open at the end

    private func open(_ samples: [Int64], least: [Int64]) -> MetricResult {
        var result = times(samples)
        var censored = Distribution()
        least.forEach { censored.add($0 * 1_000_000) }
        result.occasions.count += least.count
        if !least.isEmpty { result.occasions.censored = .distribution(censored) }
        return result
    }

    private func maximum(_ comparison: Comparison, _ milliseconds: Int64) -> Gate {
        var gate = p95(comparison, milliseconds)
        gate.statistic = .maximum
        return gate
    }

    @Test("A maximum takes an open one's least: beyond the limit it fails, within it is undecided")
    func openMaximum() {
        let failed = judge(maximum(.atMost, 100), [[open([10, 20], least: [150])]])
        #expect(failed.verdict == .fail)
        #expect(failed.value == 150_000_000)
        let undecided = judge(maximum(.atMost, 100), [[open([10, 20], least: [50])]])
        #expect(undecided.verdict == .undecided)
        #expect(undecided.noDataReason == .openAtEnd)
        #expect(!undecided.isGreen)
        var gate = maximum(.atMost, 100)
        gate.allowsCensored = true
        let allowed = judge(gate, [[open([10, 20], least: [50])]])
        #expect(allowed.verdict == .pass)
        #expect(judge(gate, [[open([10, 20], least: [150])]]).verdict == .fail)
    }

    @Test("A quantile is decided where the open ones could not turn it")
    func openQuantile() {
        let many = Array(Int64(1)...98)
        #expect(judge(p95(.atMost, 97), [[open(many, least: [1])]]).verdict == .pass)
        let turned = judge(p95(.atMost, 97), [[open(many, least: [1, 1, 1, 1, 1, 1])]])
        #expect(turned.noDataReason == .openAtEnd)
        #expect(
            judge(p95(.atMost, 50), [[open(many, least: [1, 1, 1, 1, 1, 1])]]).verdict == .fail
        )
        #expect(judge(p95(.atLeast, 90), [[open(many, least: [99, 99, 99])]]).verdict == .pass)
        #expect(judge(p95(.atLeast, 200), [[open([1], least: [99])]]).noDataReason == .openAtEnd)
    }

    @Test("A gate of which every occasion is open fails or is undecided, and is never without data")
    func onlyOpen() {
        #expect(judge(maximum(.atMost, 10), [[open([], least: [20])]]).verdict == .fail)
        #expect(judge(maximum(.atMost, 30), [[open([], least: [20])]]).noDataReason == .openAtEnd)
    }

    @Test("An open occasion may make a share or a count one more")
    func openShares() {
        func share(open: Int) -> MetricResult {
            var result = self.share(0, 99)
            let censored = Proportion(numerator: 0, denominator: Int64(open), samples: open)
            result.occasions.count += open
            result.occasions.censored = .proportion(censored)
            return result
        }
        #expect(judge(lateGate(.atMost, 10_000), [[share(open: 1)]]).verdict == .pass)
        #expect(judge(lateGate(.atMost, 10_000), [[share(open: 2)]]).noDataReason == .openAtEnd)
        var gate = lateGate(.equal, 0)
        gate.metricUnit = .count
        var tally = MetricResult(
            name: "voice.late",
            unit: .count,
            value: .count(Tally(total: 0, samples: 5))
        )
        #expect(judge(gate, [[tally]]).verdict == .pass)
        tally.occasions.count += 1
        tally.occasions.censored = .count(Tally(total: 0, samples: 1))
        #expect(judge(gate, [[tally]]).noDataReason == .openAtEnd)
        tally.value = .count(Tally(total: 1, samples: 5))
        #expect(judge(gate, [[tally]]).verdict == .fail)
    }

    @Test("What was open at the end counts as no sample, and may have become one (HN-03)")
    func openCount() {
        func count(_ comparison: Comparison, _ limit: Int64, _ result: MetricResult) -> GateResult {
            var gate = p95(comparison, 0)
            (gate.statistic, gate.limit) = (.count, limit)
            return judge(gate, [[result]])
        }
        let never = open([], least: [1, 2, 3, 4, 5])
        for comparison in [Comparison.equal, .atLeast, .above, .atMost] {
            let result = count(comparison, comparison == .atLeast ? 5 : 4, never)
            #expect(result.verdict == .undecided, "\(comparison)")
            #expect(result.noDataReason == .openAtEnd)
            #expect(result.value == 0)
        }
        #expect(count(.equal, 6, never).verdict == .fail)
        #expect(count(.equal, 2, open([1, 2], least: [])).verdict == .pass)
        #expect(count(.equal, 2, open([1, 2], least: [3])).verdict == .undecided)
        #expect(count(.atLeast, 2, open([1, 2], least: [3])).verdict == .pass)
        #expect(count(.atMost, 1, open([1, 2], least: [3])).verdict == .fail)
        #expect(count(.equal, 0, open([], least: [])).verdict == .noData)
    }

    // MARK: Other seeds than the scenario asks for

    private func sum(_ comparison: Comparison, _ limit: Int64, seeds: Int, of planned: Int) -> Gate
    {
        Gate(
            metric: "call.rings",
            in: .count,
            statistic: .value,
            comparison: comparison,
            limit: limit
        ).running(seeds, of: planned, form: .count, isQuick: false)
    }

    private func runs(_ counts: [Int64]) -> [[MetricResult]] {
        counts.map { count in
            [
                MetricResult(
                    name: "call.rings",
                    unit: .count,
                    value: .count(Tally(total: count, samples: 1))
                )
            ]
        }
    }

    @Test("A sum means per run what it means per run with the scenario's own seeds (HN-03)")
    func sums() {
        let twice = judge(sum(.equal, 10, seeds: 4, of: 2), runs([5, 5, 5, 5]))
        #expect(twice.verdict == .pass)
        #expect(twice.ruleText == "value == 10")
        let one = judge(sum(.equal, 10, seeds: 1, of: 2), runs([5]))
        #expect(one.verdict == .pass)
        // Another number of each run proves nothing against a sum of all.
        let other = judge(sum(.equal, 10, seeds: 4, of: 2), runs([5, 5, 5, 6]))
        #expect(other.verdict == .undecided)
        #expect(other.noDataReason == .otherSeeds)
        #expect(judge(sum(.equal, 10, seeds: 1, of: 2), runs([11])).verdict == .fail)
        #expect(judge(sum(.atMost, 5, seeds: 4, of: 2), runs([3, 2, 3, 2])).verdict == .pass)
        #expect(judge(sum(.atMost, 5, seeds: 4, of: 2), runs([3, 2, 3, 3])).verdict == .fail)
        #expect(judge(sum(.atMost, 5, seeds: 1, of: 2), runs([3])).verdict == .pass)
        #expect(judge(sum(.atMost, 5, seeds: 1, of: 2), runs([5])).verdict == .undecided)
        #expect(judge(sum(.atMost, 5, seeds: 1, of: 2), runs([6])).verdict == .fail)
        #expect(judge(sum(.atLeast, 3, seeds: 1, of: 2), runs([0])).verdict == .undecided)
        #expect(judge(sum(.equal, 0, seeds: 1, of: 2), runs([1])).verdict == .fail)
    }

    @Test("The worst run of an exact sum is the one on the side on which the sum misses (HN-03)")
    func worstOfSum() {
        let gate = sum(.equal, 5, seeds: 5, of: 5)
        #expect(judge(gate, runs([1, 1, 0, 1, 1])).worst == .init(seed: 3, value: 0))
        #expect(judge(gate, runs([1, 1, 1, 2, 1])).worst == .init(seed: 4, value: 2))
        #expect(judge(gate, runs([1, 2, 0, 2, 1])).worst == .init(seed: 2, value: 2))
        #expect(judge(gate, runs([1, 0, 0, 2, 1])).worst == .init(seed: 2, value: 0))
    }

    @Test("A run misses its share of a sum where as many like it would miss the sum (HN-06)")
    func shares() {
        let gate = sum(.atLeast, 45, seeds: 1, of: 50)
        #expect(gate.missesShare(0))
        #expect(!gate.missesShare(1))
        #expect(sum(.equal, 50, seeds: 1, of: 50).missesShare(2))
        #expect(!sum(.equal, 50, seeds: 1, of: 50).missesShare(1))
        #expect(sum(.atMost, 5, seeds: 1, of: 50).missesShare(.max))
        #expect(!sum(.equal, 0, seeds: 1, of: 50).missesShare(1), "that fails as it stands")
        #expect(!sum(.equal, 50, seeds: 50, of: 50).missesShare(7), "not of one run")
    }

    @Test("What a quick run fails all seeds fail: extremes and sums of what must not be (HN-03)")
    func quick() {
        func quick(_ gate: Gate) -> Gate {
            gate.running(1, of: 20, form: .distribution, isQuick: true)
        }
        var maximum = p95(.atMost, 100)
        maximum.statistic = .maximum
        #expect(judge(quick(maximum), [[times([101])]]).verdict == .fail)
        #expect(judge(quick(maximum), [[times([99])]]).verdict == .pass)
        #expect(judge(quick(p95(.atMost, 100)), [[times([101])]]).verdict == .undecided)
        #expect(judge(p95(.atMost, 100), [[times([101])]]).verdict == .fail)
        #expect(judge(quick(p95(.atMost, 100)), [[times([])]]).verdict == .undecided)
        // What is at a limit that it must stay below comes no nearer to it with more seeds.
        maximum.comparison = .below
        #expect(judge(quick(maximum), [[times([100])]]).verdict == .fail)
    }

    @Test("A quick run asks for its part of the samples, and for no interval (HN-03)")
    func quickSamples() {
        func quick(_ gate: Gate, of planned: Int = 20) -> Gate {
            gate.running(
                2,
                of: planned,
                form: .distribution,
                isQuick: true,
                scalesSamples: true
            )
        }
        var gate = p95(.atMost, 100)
        gate.minimumSamples = 40
        #expect(judge(gate, [[times([1, 2, 3, 4])]]).verdict == .undecided)
        #expect(judge(quick(gate), [[times([1, 2])], [times([3, 4])]]).verdict == .pass)
        let few = judge(quick(gate), [[times([1, 2])], [times([3])]])
        #expect(few.verdict == .undecided && few.noDataReason == .tooFewSamples)
        #expect(quick(gate).neededSamples == 4 && quick(gate).minimumSamples == 40)
        #expect(quick(gate, of: 1_000).neededSamples == 1)
        // Fewer seeds that are no quick run are asked for all.
        let seeds = gate.running(2, of: 20, form: .distribution, isQuick: false)
        #expect(judge(seeds, [[times([1, 2])], [times([3, 4])]]).verdict == .undecided)
        gate.confidence = 950_000
        #expect(judge(quick(gate), [[times([1, 2])], [times([3, 4])]]).verdict == .pass)
        let beyond = judge(quick(gate), [[times([1, 200])], [times([3, 4])]])
        #expect(beyond.verdict == .undecided && beyond.noDataReason == .beyondSoFar)
    }

    @Test("A quick run warns of nothing that more seeds could mend (HN-03)")
    func quickWarnings() {
        func verdict(_ statistic: Statistic) -> Verdict {
            var gate = p95(.atMost, 100)
            (gate.statistic, gate.warningLimit) = (statistic, 80_000_000)
            let quick = gate.running(1, of: 20, form: .distribution, isQuick: true)
            #expect(judge(gate, [[times([90])]]).verdict == .warn)
            return judge(quick, [[times([90])]]).verdict
        }
        #expect(verdict(.quantile(perMille: 950)) == .pass)
        #expect(verdict(.maximum) == .warn)
    }
}
