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

    /// Joins two shards, unless they are refused together, and shows what comes of it.
    private func join(_ one: ShardResult, _ other: ShardResult) -> Bool {
        guard let merge = try? ShardMerge([("one", one), ("other", other)]) else { return false }
        return !ConsoleReport(merge.report, showsMetrics: true).text.isEmpty
    }

    /// Two shards as numbers, and which ends each kind of number may have in the first; read once for all tests.
    private struct Changes: Sendable {
        let numbers: [JSONNumbers]
        let other: ShardResult
        let allowed: [String: [Int64]]

        init() throws {
            let whole = try ShardEndsTests.shards().map { try $0.json }
            numbers = whole.map { JSONNumbers($0) }
            other = try ShardResult(json: whole[1])
            let first = numbers[0]
            allowed = Dictionary(
                uniqueKeysWithValues: first.kinds.map { kind in
                    let ends = [Int64.min, -1, 1 << 61, .max].filter { end in
                        let data = first.data { $0 == kind ? end : nil }
                        return (try? ShardResult(json: data)) != nil
                    }
                    return (kind, ends)
                }
            )
        }
    }

    private static let changes = Result { try Changes() }

    @Test("Shards with numbers at the ends of Int64 are refused, or joined with others")
    func oneKind() throws {
        let changes = try Self.changes.get()
        let (first, second) = (changes.numbers[0], changes.numbers[1])
        #expect(join(try ShardResult(json: first.data { _ in nil }), changes.other))
        let sums = [
            ".numerator", ".denominator", ".total", ".sum_high", ".buckets#", ".violationCount",
            ".part", ".whole", ".perMille", ".confidence", ".runCount", ".exclusions#.count",
        ]
        for sum in sums { #expect(first.kinds.contains { $0.hasSuffix(sum) }, "\(sum)") }
        var joined = 0
        for kind in first.kinds {
            for end in changes.allowed[kind] ?? [] {
                let one = try ShardResult(json: first.data { $0 == kind ? end : nil })
                joined += join(one, changes.other) ? 1 : 0
                let other = try? ShardResult(json: second.data { $0 == kind ? end : nil })
                joined += other.map { join(one, $0) } ?? false ? 1 : 0
            }
        }
        #expect(joined > 40)
    }

    @Test("Nor do numbers at different ends bring the merge down, in shards drawn by chance")
    func mixed() throws {
        let changes = try Self.changes.get()
        var (draws, read) = (Draws(), 0)
        for number in 0..<200 {
            let data = changes.numbers[0].data { path in
                guard let ends = changes.allowed[path], !ends.isEmpty,
                    draws.next(below: 800) <= number
                else { return nil }
                return ends[draws.next(below: ends.count)]
            }
            guard let shard = try? ShardResult(json: data) else { continue }
            read += 1
            _ = join(shard, changes.other)
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
