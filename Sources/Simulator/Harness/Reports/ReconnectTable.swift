import Evidence
import Scenarios

/// Where the time of reconnects goes, and how hard all clients together knock at the server.
///
/// The parts of a reconnect are the metrics between `session.reconnect.` and `.time`, and the whole
/// is one of them; what they mean, and that they add up, is the catalogue's business.
struct ReconnectTable {
    static let prefix = "session.reconnect."
    static let suffix = ".time"
    static let whole = "whole"
    static let storm = "session.attempts.rate"

    private let outcome: ScenarioOutcome

    /// Makes the table of a scenario.
    init(_ outcome: ScenarioOutcome) {
        self.outcome = outcome
    }

    /// The parts of one point in rows, of several points in columns; nothing without reconnects.
    var lines: [String] {
        let points = outcome.points.filter { !$0.parts.isEmpty }
        guard let first = points.first else { return storms }
        let table = outcome.points.count == 1 ? rows(of: first) : columns(of: points)
        return table + storms
    }

    private func rows(of point: PointOutcome) -> [String] {
        var rows = [["part of a reconnect", "mean", "p95", "max", "share", "samples"]]
        let parts = point.parts.filter { $0.name != Self.whole }
        let total = parts.reduce(0) { $0 + $1.samples.sum }
        let unit = MetricUnit.nanoseconds
        for part in point.parts {
            let samples = part.samples
            let figures = [samples.mean, samples.quantile(perMille: 950), samples.maximum]
            rows.append(
                [part.name] + figures.map { figure in figure.map { unit.text($0) } ?? "-" }
                    + [Self.share(samples.sum, of: total), "\(samples.count)"]
            )
        }
        return TextTable(rows, rightAligned: [1, 2, 3, 4, 5]).indentedLines
    }

    private func columns(of points: [PointOutcome]) -> [String] {
        var names: [String] = []
        for point in points {
            for part in point.parts where !names.contains(part.name) { names.append(part.name) }
        }
        var rows = [outcome.scenario.sweep.names + names]
        for point in points {
            let parts = point.parts
            let cells = names.map { name -> String in
                let mean = parts.first { $0.name == name }?.samples.mean
                return mean.map { MetricUnit.nanoseconds.text($0) } ?? "-"
            }
            rows.append(point.point.values.map(\.text) + cells)
        }
        let first = outcome.scenario.sweep.names.count
        let table = TextTable(rows, rightAligned: Set(first..<first + names.count))
        return ["  mean parts of a reconnect"] + table.indentedLines
    }

    /// The busiest second in which attempts were counted, and the first point at which it came.
    private var storms: [String] {
        var busiest: (most: Int64, point: PointOutcome)?
        for point in outcome.points {
            let result = point.judgement.metrics.first { $0.name == Self.storm }
            guard let result, result.samples > 0,
                let most = MetricFigures(result).maximum ?? MetricFigures(result).value
            else { continue }
            if most > busiest?.most ?? 0 { busiest = (most, point) }
        }
        guard let (most, point) = busiest else { return [] }
        let place = point.point.values.isEmpty ? "" : " at \(point.point.label)"
        return ["  storm\(place): at most \(counted(Int(most), "attempt")) in one second"]
    }

    private static func share(_ part: Int64, of total: Int64) -> String {
        guard total > 0 else { return "-" }
        return MetricUnit.partsPerMillion.text(Int64(Double(part) / Double(total) * 1e6))
    }
}

extension PointOutcome {
    /// A part of reconnects, with its lengths.
    fileprivate struct Part {
        var name: String
        var samples: Distribution
    }

    /// The parts of reconnects, in the catalogue's order.
    fileprivate var parts: [Part] {
        let (prefix, suffix) = (ReconnectTable.prefix, ReconnectTable.suffix)
        var parts: [Part] = []
        for result in judgement.metrics {
            guard result.name.hasPrefix(prefix), result.name.hasSuffix(suffix),
                result.name.count > prefix.count + suffix.count,
                case .distribution(let samples) = result.value, samples.count > 0
            else { continue }
            let name = result.name.dropFirst(prefix.count).dropLast(suffix.count)
            parts.append(Part(name: String(name).replacing("_", with: " "), samples: samples))
        }
        // A total stands last.
        return parts.filter { $0.name != ReconnectTable.whole }
            + parts.filter { $0.name == ReconnectTable.whole }
    }
}
