import Evidence
public import Foundation
import Scenarios

/// The machine-readable truth of a run: sorted keys, integers, no clock, no host.
public struct JSONReport: Encodable {
    /// Raised when a key changes its meaning or goes away.
    public static let schemaVersion = 1

    let schemaVersion = JSONReport.schemaVersion
    let material: String
    let scenarios: [ScenarioEntry]

    /// Reports outcomes.
    ///
    /// - Parameters:
    ///   - outcomes: The scenarios, in the order in which they were named.
    ///   - material: What was heard and coded: voices, packages and codec, with their versions.
    ///   - isStrict: Whether warnings fail.
    public init(_ outcomes: [ScenarioOutcome], material: String, isStrict: Bool = false) {
        self.material = material
        scenarios = outcomes.map { ScenarioEntry($0, isStrict: isStrict) }
    }

    /// The report's bytes, the same for the same outcomes, with a line feed at the end.
    public var data: Data {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
            return try encoder.encode(self) + Data("\n".utf8)
        }
    }

    struct ScenarioEntry: Encodable {
        var name: String
        var file: String
        var verdict: String
        var outcome: OutcomeEntry
        var covers: [String]
        /// What the only point gave; without a sweep, nothing else is there.
        var only: PointEntry?
        var sweep: SweepEntry?
        var warnings: [String]

        enum CodingKeys: CodingKey {
            case name, file, verdict, outcome, covers, gates, invariants, metrics, runs, sweep
            case warnings
        }

        init(_ outcome: ScenarioOutcome, isStrict: Bool) {
            let scenario = outcome.scenario
            name = scenario.name
            file = outcome.file
            verdict = outcome.verdict.rawValue
            self.outcome = OutcomeEntry(outcome, isStrict: isStrict)
            covers = scenario.points.first?.expectations.covers ?? []
            let points = outcome.points.map(PointEntry.init)
            let isSwept = !scenario.sweep.names.isEmpty
            only = isSwept ? nil : points.first
            sweep = isSwept ? SweepEntry(names: scenario.sweep.names, points: points) : nil
            warnings = scenario.warnings.map(\.description)
        }

        /// The keys are the same with a sweep and without: what is in its points is empty beside them.
        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(name, forKey: .name)
            try container.encode(file, forKey: .file)
            try container.encode(verdict, forKey: .verdict)
            try container.encode(outcome, forKey: .outcome)
            try container.encode(covers, forKey: .covers)
            try container.encode(only?.gates ?? [], forKey: .gates)
            try container.encode(only?.invariants ?? [], forKey: .invariants)
            try container.encode(only?.metrics ?? [:], forKey: .metrics)
            try container.encode(only?.runs ?? [], forKey: .runs)
            try container.encode(sweep, forKey: .sweep)
            try container.encode(warnings, forKey: .warnings)
        }
    }

    /// What the scenario says of itself, and how it ended.
    struct OutcomeEntry: Encodable {
        var expected: String
        var because: String?
        var ending: String

        enum CodingKeys: CodingKey {
            case expected, because, ending
        }

        init(_ outcome: ScenarioOutcome, isStrict: Bool) {
            switch outcome.scenario.outcome {
            case .pass: expected = "pass"
            case .fail(let reason, _):
                expected = "fail"
                because = reason
            }
            ending = outcome.ending(isStrict: isStrict).rawValue
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(expected, forKey: .expected)
            try container.encode(because, forKey: .because)
            try container.encode(ending, forKey: .ending)
        }
    }

    /// A sweep: what is swept, and what each of its points gave.
    struct SweepEntry: Encodable {
        var names: [String]
        var points: [PointEntry]
    }

    struct PointEntry: Encodable {
        /// The swept values by name; none without a sweep.
        var values: [String: String]
        var verdict: String
        var gates: [GateEntry]
        var invariants: [InvariantEntry]
        /// Every metric, pooled over the runs.
        var metrics: [String: MetricFigures]
        var runs: [RunEntry]

        init(_ outcome: PointOutcome) {
            values = Dictionary(
                uniqueKeysWithValues: outcome.point.values.map { ($0.name, $0.text) }
            )
            verdict = outcome.judgement.verdict.rawValue
            gates = outcome.judgement.gates.map(GateEntry.init)
            invariants = outcome.judgement.invariants.map(InvariantEntry.init)
            metrics = MetricFigures.byName(outcome.judgement.metrics.map(MetricFigures.init))
            runs = outcome.runs.map(RunEntry.init)
        }
    }

    struct GateEntry: Encodable {
        var metric: String
        var rule: String
        var value: Int64?
        var limit: Int64
        var unit: String
        var samples: Int
        var verdict: String
        var covers: [String]
        var worstSeed: UInt64?

        enum CodingKeys: CodingKey {
            case metric, rule, value, limit, unit, samples, verdict, covers, worstSeed
        }

        init(_ result: GateResult) {
            metric = result.metric
            rule = result.ruleText
            value = result.value
            limit = result.gate.limit
            unit = result.unit.rawValue
            samples = result.samples
            verdict = result.verdict.rawValue
            covers = result.covers
            worstSeed = result.worst?.seed
        }

        /// A value that does not exist is written as `null`, so that every gate has the same keys.
        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(metric, forKey: .metric)
            try container.encode(rule, forKey: .rule)
            try container.encode(value, forKey: .value)
            try container.encode(limit, forKey: .limit)
            try container.encode(unit, forKey: .unit)
            try container.encode(samples, forKey: .samples)
            try container.encode(verdict, forKey: .verdict)
            try container.encode(covers, forKey: .covers)
            try container.encode(worstSeed, forKey: .worstSeed)
        }
    }

    struct InvariantEntry: Encodable {
        var name: String
        var verdict: String
        var checked: Int
        var violations: Int
        var first: String?

        init(_ judgement: InvariantJudgement) {
            name = judgement.result.name
            verdict = judgement.verdict.rawValue
            checked = judgement.result.checkedCount
            violations = judgement.result.violationCount
            first = judgement.result.violations.first?.line
        }
    }

    struct RunEntry: Encodable {
        var seed: UInt64
        var digest: String
        var components: [String: String]
        var metrics: [String: MetricFigures]

        init(_ run: PointOutcome.Run) {
            seed = run.seed
            digest = run.digest.description
            components = Dictionary(
                uniqueKeysWithValues: run.components.map { ($0.name, $0.digest.description) }
            )
            metrics = MetricFigures.byName(run.metrics)
        }
    }
}
