import Foundation
@testable import KodamaEvidence
@testable import KodamaHarness
import KodamaSimulation
import Testing

/// Runs of the shipped suite, drawn from the baseline's own as if nothing, or one gate alone, had changed.
///
/// `KODAMA_PLACEBO_SUITES` says how many suites are drawn, `KODAMA_PLACEBO` where the table of alarms goes, and
/// `KODAMA_POWER` that of power: `Scripts/power` sets all three.
@Suite("Comparisons of the shipped suite's own figures cry wolf seldom")
struct PlaceboTests {
    private static let environment = ProcessInfo.processInfo.environment

    private static func baseline() throws -> RunReport {
        let url = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../../Reports/baseline/report.json")
        var report = try RunReport(json: Data(contentsOf: url))
        for scenario in report.scenarios.indices {
            for point in report.scenarios[scenario].points.indices {
                report.scenarios[scenario].points[point].metrics = []
                report.scenarios[scenario].points[point].triggers = nil
            }
        }
        return report
    }

    /// The report with other runs of each point, each drawn from those that it has: as many, or no more than the
    /// scenario itself asks for.
    private static func drawn(
        _ report: RunReport,
        _ stream: inout RandomStream,
        firstSeed: UInt64,
        asPlanned: Bool = false
    ) -> RunReport {
        var report = report
        for scenario in report.scenarios.indices {
            for index in report.scenarios[scenario].points.indices {
                var point = report.scenarios[scenario].points[index]
                let known = point.runs.count
                let count = asPlanned ? min(known, point.about.plannedSeeds) : known
                // One draw for all gates of a point: they see the same runs.
                let rows = (0..<count).map { _ in Int(stream.uniform(below: UInt64(known))) }
                for gate in point.gates.indices {
                    point.gates[gate].bySeed = rows.map { point.gates[gate].bySeed[$0] }
                }
                point.runs = rows.enumerated().map { number, row in
                    var run = point.runs[row]
                    run.seed = firstSeed + UInt64(number)
                    return run
                }
                report.scenarios[scenario].points[index] = point
            }
        }
        return report
    }

    @Test("Of suites whose runs are drawn anew five in 1,000 at most raise an alarm (HN-03)")
    func placebo() throws {
        let report = try Self.baseline()
        let count = Self.environment["KODAMA_PLACEBO_SUITES"].flatMap { Int($0) } ?? 4
        var stream = RandomStream(seed: 1, purpose: "placebo", entity: "suite")
        var (whole, planned) = (Alarms(), Alarms())
        for _ in 0..<count {
            let before = Self.drawn(report, &stream, firstSeed: 1)
            let after = Self.drawn(report, &stream, firstSeed: 1_000)
            let comparison = ReportComparison(before, after)
            #expect(comparison.pairedCount == report.runCount)
            whole.add(comparison)
            // What CI compares with the baseline: the scenarios' own numbers of seeds.
            let part = Self.drawn(report, &stream, firstSeed: 1_000, asPlanned: true)
            planned.add(ReportComparison(before, part))
        }
        let lines = whole.lines + planned.lines
        #expect(lines.count * 1_000 <= max(5 * 2 * count, 999), "\(lines)")
        guard let path = Self.environment["KODAMA_PLACEBO"] else { return }
        let text = """
            # How often a comparison cries wolf

            Pairs of suites drawn from the baseline's own runs, so that nothing changed between the two, and how many \
            of them `kodama compare` calls worse, or sends for more seeds. Of 1,000 pairs 5 at most may. Made by \
            `Scripts/power`.

            | seeds after | pairs | figures of a pair | called a regression | sent for more seeds | moved, of a pair |
            |---|---:|---:|---:|---:|---:|
            | as many as before | \(count) | \(whole.row(of: count)) |
            | as scenarios ask for | \(count) | \(planned.row(of: count)) |

            """
        try text.write(toFile: path, atomically: true, encoding: .utf8)
    }

    /// What comparisons said though nothing had changed.
    private struct Alarms {
        var lines: [String] = []
        private var regressions = 0
        private var undecided = 0
        private var figures = 0
        private var moved = 0

        mutating func add(_ comparison: ReportComparison) {
            let changes = comparison.points.flatMap(\.changes)
            let isRegression = changes.contains { $0.judgement == .regression }
            // A result that asks for more seeds cries wolf as well.
            let isUndecided = !isRegression && comparison.isUndecided
            regressions += isRegression ? 1 : 0
            undecided += isUndecided ? 1 : 0
            figures += changes.count + comparison.points.reduce(0) { $0 + $1.sameFigures }
            moved += changes.filter { $0.judgement == .moved }.count
            if isRegression || isUndecided { lines.append(comparison.verdictLine) }
        }

        /// The cells behind the number of pairs.
        func row(of count: Int) -> String {
            "\(figures / count) | \(regressions) | \(undecided) | \(moved / count)"
        }
    }

    /// The ten requirements whose gates are the most important ones, and a scenario of each.
    private static let chosen = [
        ("K-01b", "media-cut", "session.recovery.time"),
        ("K-02", "clock-skew", "session.connect.time"),
        ("K-04", "clean", "wake.tap_to_talk.time"),
        ("K-09", "conversation", "voice.round_trip.time"),
        ("K-12", "internet-60", "voice.mouth_to_ear.time"),
        ("K-13", "handover-cut", "handover.silence.to_internet.cut.time"),
        ("K-15", "mute", "voice.onset.clipped.sender.time"), ("K-16", "day", "call.ring.time"),
        ("K-18", "day", "replica.sync.lag"), ("K-19", "outages-drawn", "session.recovery.time"),
    ]

    private static let seedCounts = [20, 40, 100]

    @Test("The shift that is found in 95 of 100 suites is known for ten gates (HN-03)")
    func power() throws {
        let report = try Self.baseline()
        let tested = report.scenarios.flatMap(\.points).flatMap(\.gates)
            .filter { Set($0.bySeed).count > 1 }.count
        var rows: [String] = []
        for (requirement, name, metric) in Self.chosen {
            let gates = report.scenarios.filter { $0.about.name == name }.flatMap(\.points)
                .flatMap(\.gates)
            let gate = try #require(
                gates.first { gate in
                    gate.metric == metric && gate.figure != "max"
                        && gate.covers.contains(requirement)
                        && Set(gate.bySeed).count > 1 && Self.slack(gate) > 0
                },
                "\(requirement): no gate of \(metric) in \(name)"
            )
            let shifts = Self.seedCounts.map { Self.shift(of: gate, seeds: $0, among: tested) }
            #expect(shifts.last.map { $0 != nil } == true, "\(requirement)")
            let cells = shifts.map { shift -> String in
                guard let shift else { return "more than its slack" }
                return gate.unit.text(shift) + " (\(shift * 100 / max(1, Self.slack(gate))) %)"
            }
            rows.append(
                "| \(requirement) | \(name) | `\(gate.metric) \(gate.rule)` | \(gate.texts.value) | "
                    + cells.joined(separator: " | ") + " |"
            )
        }
        guard let path = Self.environment["KODAMA_POWER"] else { return }
        let text = """
            # What a comparison finds

            The shift of a gate's figure that `kodama compare` calls a regression in 95 of 100 suites, in the \
            figure's unit and as a share of the distance to its limit; the runs before and after are drawn from the \
            baseline's, each side by itself, as if the change drew all weather anew, and \(tested) figures are \
            compared at once. With the same weather on both sides a constant shift is found as soon as it \
            takes 10 % of that distance. Made by `Scripts/power`.

            | row | scenario | gate | now | \(Self.seedCounts.map { "\($0) seeds" }.joined(separator: " | ")) |
            |---|---|---|---:|---:|---:|---:|
            \(rows.joined(separator: "\n"))

            """
        try text.write(toFile: path, atomically: true, encoding: .utf8)
    }

    /// How far the figure lies within its limit.
    private static func slack(_ gate: GateReport) -> Int64 { max(0, -gate.distance) }

    /// The least shift, in steps of a fiftieth of the slack, that 95 of 100 comparisons find.
    private static func shift(of gate: GateReport, seeds: Int, among tested: Int) -> Int64? {
        let values = gate.bySeed.compactMap(\.self)
        let slack = slack(gate)
        let isUpper = gate.comparison == .atMost || gate.comparison == .below
        let limit = PairedSignificance.falseAlarmRate / Double(tested)
        for step in 1...50 {
            let shift = slack * Int64(step) / 50
            var stream = RandomStream(seed: 1, purpose: "power", entity: "\(gate.metric) \(seeds)")
            var found = 0
            for _ in 0..<100 {
                var (worse, better, sum) = (0, 0, Int64(0))
                for _ in 0..<seeds {
                    let one = values[Int(stream.uniform(below: UInt64(values.count)))]
                    let other = values[Int(stream.uniform(below: UInt64(values.count)))]
                    let harm = (isUpper ? other - one : one - other) + shift
                    worse += harm > 0 ? 1 : 0
                    better += harm < 0 ? 1 : 0
                    sum += harm
                }
                let isMaterial = sum / Int64(seeds) * 10 > slack
                let trial = PairedSignificance.Trial(worse: worse, better: better)
                found += isMaterial && trial.pValue <= limit ? 1 : 0
            }
            if found >= 95 { return shift }
        }
        return nil
    }
}
