public import Foundation
public import KodamaEvidence
public import KodamaLanguage

/// What one setting of a scenario gives: figures with their intervals, gates with their slack, run by run.
public struct Evaluation: Sendable, Equatable, Codable {
    /// Raised when a key changes its meaning or goes away.
    public static let currentSchemaVersion = 1

    /// The version of the format in which it is written.
    public var schemaVersion = Evaluation.currentSchemaVersion
    /// The scenario's name.
    public var scenario: String
    /// A digest of every value of the scenario with this setting.
    public var digest: String
    /// Every parameter that does not have its default.
    public var settings: [PointDescription.Setting]
    /// The seeds, in the order of all rows named `bySeed`.
    public var seeds: [UInt64]
    /// One digest over those of all runs.
    public var runsDigest: String
    /// The worst verdict of gates, invariants and what the timeline waits for.
    public var verdict: Verdict
    /// What was asked for, in the order in which it was.
    public var objectives: [ObjectiveFigure]
    /// The gates, in the order of the scenario.
    public var gates: [GateWithSlack]
    /// The invariants, in the order of the scenario, then all others that were broken.
    public var invariants: [InvariantReport]
    /// What entries of the timeline wait for; `nil` if none waits.
    public var triggers: [TriggerReport]?

    /// The figure of an objective.
    public struct ObjectiveFigure: Sendable, Equatable, Codable {
        /// The metric's name.
        public var metric: String
        /// The figure's name, such as `p95`.
        public var figure: String
        /// What it counts in.
        public var unit: MetricUnit
        /// Which way is better.
        public var direction: MetricDirection
        /// The figure over all runs; `nil` without a sample.
        public var value: Int64?
        /// Between which values the true figure lies, if the runs say so.
        public var interval: GateReport.Interval?
        /// How many samples stand behind it.
        public var samples: Int
        /// How many occasions were open when their run ended, or cut off before; `nil` if none was.
        public var censored: Int?
        /// The figure of each run alone.
        public var bySeed: [Int64?]
    }

    /// A gate with how far its figure lies within its limit.
    public struct GateWithSlack: Sendable, Equatable, Codable {
        /// In thousandths of the limit, negative beyond it; `nil` without a figure.
        ///
        /// Of a limit of 0 it is 0 at the limit, else the least or the greatest number of 64 bits.
        public var slackPerMille: Int64?
        /// The gate with what was found.
        public var gate: GateReport
    }

    /// The scenario with its one point made to measure objectives, and to run all seeds that it is given.
    ///
    /// - Parameters:
    ///   - objectives: What is asked for.
    ///   - scenario: The scenario, with one point.
    /// - Returns: The scenario to run; its outcome is for `init(_:objectives:)` alone.
    public static func measuring(_ objectives: [Objective], of scenario: Scenario) -> Scenario {
        var scenario = scenario
        scenario.points[0].looks = nil
        scenario.points[0].expectations.gates += objectives.map(\.measuringGate)
        return scenario
    }

    /// Reports what runs gave of a scenario that `measuring` made.
    ///
    /// - Parameters:
    ///   - outcome: What the runs gave.
    ///   - objectives: What is asked for.
    public init(_ outcome: ScenarioOutcome, objectives: [Objective]) {
        var point = outcome.points[0]
        let measured = point.judgement.gates.suffix(objectives.count)
        point.judgement.gates.removeLast(objectives.count)
        let own = point.judgement.gates.count
        self.objectives = zip(objectives, measured).enumerated().map { index, pair in
            let (objective, result) = pair
            return ObjectiveFigure(
                metric: result.metric,
                figure: objective.figure,
                unit: result.unit,
                direction: objective.metric.direction,
                value: result.value,
                interval: result.interval.map {
                    GateReport.Interval(
                        lower: $0.lower,
                        upper: $0.upper,
                        confidence: $0.confidence
                    )
                },
                samples: result.samples,
                censored: result.occasions.counts.censored,
                bySeed: point.rows.map { $0.gates[own + index] }
            )
        }
        let report = PointReport(point)
        scenario = outcome.about.name
        digest = report.about.digest
        settings = report.about.settings
        seeds = report.runs.map(\.seed)
        runsDigest = outcome.digest.description
        verdict = report.verdict
        gates = report.gates.map { gate in
            guard case .perMille(let slack) = SlackTable.Slack(gate) else {
                return GateWithSlack(slackPerMille: nil, gate: gate)
            }
            return GateWithSlack(slackPerMille: slack, gate: gate)
        }
        invariants = report.invariants
        triggers = report.triggers
    }

    /// The bytes, the same for equal evaluations, in one line.
    public var json: Data {
        get throws { try JSONEncoder.repeatable.encode(self) }
    }

    /// The figures and the gates for people.
    public var text: String {
        let figures = objectives.map { objective in
            let texts = [objective.value, objective.interval?.lower, objective.interval?.upper]
                .map { value in value.map { objective.unit.texts($0, limit: 0).value } ?? "-" }
            return [
                objective.metric, objective.figure, texts[0], "\(texts[1]) to \(texts[2])",
                "\(objective.samples)",
            ]
        }
        let rows = gates.map { entry in
            let slack = SlackTable.Slack(entry.gate)
            return [
                entry.gate.metric, entry.gate.rule, entry.gate.texts.value, slack.text,
                entry.gate.verdict.word,
            ]
        }
        let broken = invariants.filter { $0.verdict > .warn }
            .map { "\($0.name): \($0.sentence)" }
        let tables = [
            TextTable(
                [["objective", "figure", "value", "interval", "samples"]] + figures,
                rightAligned: [2, 4]
            ).lines,
            rows.isEmpty
                ? []
                : TextTable(
                    [["gate", "rule", "value", "slack", "verdict"]] + rows,
                    rightAligned: [2, 3]
                ).lines,
            broken,
        ]
        return tables.filter { !$0.isEmpty }.map { $0.joined(separator: "\n") }
            .joined(separator: "\n\n")
    }
}

extension ScenarioOutcome {
    /// Pools later runs of the same points with these, and judges all of them.
    ///
    /// - Parameter later: What other seeds gave, that follow these.
    public mutating func add(_ later: ScenarioOutcome) {
        for index in points.indices {
            let isAlike = points[index].pool(later.points[index])
            precondition(isAlike, "one build measures one scenario alike")
            points[index].judge()
        }
    }
}
