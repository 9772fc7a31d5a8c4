import KodamaEvidence

/// Every gate by how far its value is from its limit, relative to the limit: the nearest to breaking first.
public struct SlackTable {
    private struct Row {
        var slack: Slack
        var scenario: String
        var gate: GateReport
    }

    /// How far a value lies within its limit.
    enum Slack: Comparable {
        /// There is no value, so nothing keeps the limit.
        case unknown
        /// In thousandths of the limit; negative beyond it.
        case perMille(Int64)

        init(_ gate: GateReport) {
            guard let value = gate.value else {
                self = .unknown
                return
            }
            let distance = Double(gate.distance(of: value))
            let limit = Double(gate.limit.magnitude)
            guard limit > 0 else {
                self = .perMille(distance > 0 ? .min : distance < 0 ? .max : 0)
                return
            }
            let thousandths = (-distance * 1_000 / limit).rounded(.down)
            self = .perMille(Int64(min(max(thousandths, -1e15), 1e15)))
        }

        var text: String {
            switch self {
            case .unknown: "no data"
            case .perMille(.min): "beyond 0"
            case .perMille(.max): "within 0"
            case .perMille(let thousandths):
                (thousandths < 0 ? "−" : "")
                    + PlotNumber.tenths(Int(thousandths.magnitude)) + " %"
            }
        }
    }

    private let rows: [Row]

    /// Gathers the gates of all points.
    public init(_ report: RunReport) {
        let all = zip(report.scenarios, report.titles).flatMap { scenario, title in
            scenario.points.flatMap { point in
                point.gates.map { gate in
                    let label = point.about.label
                    let name = title + (label.isEmpty ? "" : " " + label)
                    return Row(slack: Slack(gate), scenario: name, gate: gate)
                }
            }
        }
        // Equals stay in the report's order.
        rows = all.enumerated().sorted {
            ($0.element.slack, $0.offset) < ($1.element.slack, $1.offset)
        }.map(\.element)
    }

    /// The table, with a line feed between its lines.
    public var text: String {
        guard !rows.isEmpty else { return "no gate" }
        var cells = [["slack", "verdict", "scenario", "metric", "rule", "value", "interval"]]
        for row in rows {
            cells.append([
                row.slack.text, row.gate.verdict.word, row.scenario, row.gate.metric,
                row.gate.rule, row.gate.texts.value, row.gate.intervalText ?? "",
            ])
        }
        return TextTable(cells, rightAligned: [0, 5]).indentedLines.joined(separator: "\n")
    }
}
