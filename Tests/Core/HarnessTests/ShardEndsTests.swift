import Foundation
@testable import KodamaEvidence
@testable import KodamaHarness
@testable import KodamaLanguage
import KodamaShipped
import Testing

@Suite("Shards that say anything")
struct ShardEndsTests {
    private static let story = """
        version: 2
        scenario: ends
        duration: 10s
        phones:
          - { name: left, apps: { intercom: { group: hill } } }
          - { name: right, apps: { intercom: { group: hill } } }
        links:
          - { between: [left, right], profile: local-clean }
        expect:
          - { metric: voice.mouth_to_ear.time, p95: "<= 90ms", confidence: 95% }
          - { metric: voice.mouth_to_ear.time, mean: "<= 90ms", confidence: 95% }
          - { metric: voice.mouth_to_ear.time, max: "<= 90ms", each: device }
          - { metric: voice.mouth_to_ear.time, share_above 20ms: "<= 5%" }
          - { metric: voice.speech.not_sent, value: "<= 5%" }
          - { metric: voice.duplicates.played, value: "== 0" }
          - { metric: voice.duplicates.played, value: "<= 9", confidence: 95% }
          - { invariant: voice.order-kept }
        """

    /// Two shards of one plan with a gate and a metric of every kind, and together runs enough for an interval.
    private static func shards() throws -> [ShardResult] {
        let loader = ScenarioLoader(vocabulary: ScenarioVocabulary(systems: .shipped))
        let scenario = try loader.load(text: story, file: "ends.yaml")
        let plan = RunPlan(
            [(scenario: scenario, file: "ends.yaml", seeds: [Array(1...32)])],
            material: "",
            options: [],
            isStrict: false
        )
        return try (1...2).map { index in
            let shard = try #require(RunShard(index: index, count: 2))
            var outcome = ScenarioOutcome(scenario: scenario, file: "ends.yaml")
            let runs = plan.seeds(of: shard)[0][0].map(evidence)
            Outcomes.judge(&outcome.points[0], runs, digest: 100)
            return ShardResult(shard, of: plan, outcomes: [outcome])
        }
    }

    /// A run in which something of everything was found, left out and open at the end.
    private static func evidence(seed: UInt64) -> RunEvidence {
        var evidence = Outcomes.evidence(seed: seed, seconds: Int64(seed % 7 + 1), violations: 1)
        let part = Int64(seed % 5)
        let share = Proportion(numerator: part, denominator: 50, samples: 50)
        let tally = Tally(total: part, samples: 9)
        let findings: [(String, MetricUnit, MetricValue)] = [
            ("voice.speech.not_sent", .partsPerMillion, .proportion(share)),
            ("voice.duplicates.played", .count, .count(tally)),
        ]
        evidence.metrics += findings.map { MetricResult(name: $0, unit: $1, value: $2) }
        for index in evidence.metrics.indices {
            var occasions = evidence.metrics[index].occasions
            occasions.censored = evidence.metrics[index].value
            occasions.exclude("the call was over first", count: 2)
            occasions.count = 2 * occasions.count + 2
            evidence.metrics[index].occasions = occasions
        }
        let scope = GateScope(isEachDevice: true)
        evidence.scoped = [
            ScopedResult(
                scoped: ScopedMetric(metric: "voice.mouth_to_ear.time", scope: scope),
                findings: ["left", "right"].map { ($0, evidence.metrics[0]) }
            )
        ]
        return evidence
    }

    /// Joins two shards, unless they are refused, and shows what comes of it.
    private func join(_ one: Data, _ other: Data) -> Bool {
        guard let one = try? ShardResult(json: one), let other = try? ShardResult(json: other),
            let merge = try? ShardMerge([("one", one), ("other", other)])
        else { return false }
        return !ConsoleReport(merge.report, showsMetrics: true).text.isEmpty
    }

    private static let ends = [Int64.min, -1, 1 << 61, .max]

    @Test("Shards with numbers at the ends of Int64 are refused, or joined with others")
    func oneKind() throws {
        let whole = try Self.shards().map { try $0.json }
        #expect(join(whole[0], whole[1]))
        let numbers = whole.map { JSONNumbers($0) }
        let sums = [
            ".numerator", ".denominator", ".total", ".sum_high", ".buckets#", ".violationCount",
            ".part", ".whole", ".perMille", ".confidence", ".runCount", ".exclusions#.count",
        ]
        for sum in sums { #expect(numbers[0].kinds.contains { $0.hasSuffix(sum) }, "\(sum)") }
        var joined = 0
        for kind in numbers[0].kinds {
            for end in Self.ends {
                let changed = numbers.map { $0.data { $0 == kind ? end : nil } }
                joined += [join(changed[0], whole[1]), join(changed[0], changed[1])].count { $0 }
            }
        }
        #expect(joined > 40)
    }

    @Test("Nor do numbers at different ends bring the merge down, in shards drawn by chance")
    func mixed() throws {
        let whole = try Self.shards().map { try $0.json }
        let numbers = JSONNumbers(whole[0])
        var allowed: [String: [Int64]] = [:]
        for kind in numbers.kinds {
            allowed[kind] = Self.ends.filter { end in
                let data = numbers.data { $0 == kind ? end : nil }
                return (try? ShardResult(json: data)) != nil
            }
        }
        var (draws, read) = (Draws(), 0)
        for number in 0..<200 {
            let data = numbers.data { path in
                guard let ends = allowed[path], !ends.isEmpty, draws.next(below: 800) <= number
                else { return nil }
                return ends[draws.next(below: ends.count)]
            }
            read += (try? ShardResult(json: data)) == nil ? 0 : 1
            _ = join(data, whole[1])
        }
        #expect(read > 20)
    }

    @Test("Shards that are too great together are refused with the place and the figure")
    func tooGreat() throws {
        let numbers = try Self.shards().map { JSONNumbers(try $0.json) }
        let half = Int64(1) << 61
        let shards = try numbers.enumerated().map { index, numbers in
            let data = numbers.data { path in
                path.hasSuffix(".pooled.metrics#.value.count._0.total") ? half : nil
            }
            return (file: "shard-\(index + 1)", shard: try ShardResult(json: data))
        }
        for _ in 0..<2 {
            #expect(
                throws: ShardMerge.Fault.tooGreat(
                    "shard-2, with those before it: ends: voice.duplicates.played: its total is "
                        + "\(2 * UInt64(half)), where \(FigureBounds.amountMax) is the most"
                )
            ) { try ShardMerge(shards) }
        }
        let far = numbers[0].data { path in
            path.hasSuffix(".pooled.metrics#.value.count._0.total") ? .max : nil
        }
        #expect(
            throws: ReportError(
                "outcomes[0].points[0].pooled: voice.duplicates.played: its total is "
                    + "\(Int64.max), where \(FigureBounds.amountMax) is the most"
            )
        ) { try ShardResult(json: far) }
    }
}
