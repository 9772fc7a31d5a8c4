import KodamaEvidence

/// Where the time of reconnects goes, and how hard all clients together knock at the server.
struct ReconnectTable {
    private let scenario: ScenarioReport

    /// Makes the table of a scenario.
    init(_ scenario: ScenarioReport) {
        self.scenario = scenario
    }

    /// The parts of one point in rows, of several points in columns; nothing without reconnects.
    var lines: [String] {
        let points = scenario.points.filter { !$0.reconnectParts.isEmpty }
        guard let first = points.first else { return storms }
        let table = scenario.points.count == 1 ? rows(of: first) : columns(of: points)
        return table + storms
    }

    private func rows(of point: PointReport) -> [String] {
        var rows = [["part of a reconnect", "mean", "p95", "max", "share", "samples"]]
        let parts = point.reconnectParts
        let total = parts.filter { !$0.isWhole }.map(\.figures.sum).heldSum
        let unit = MetricUnit.nanoseconds
        for part in parts {
            let figures = [part.figures.mean, part.figures.p95, part.figures.max]
            rows.append(
                [part.name] + figures.map { unit.text($0) }
                    + [Self.share(part.figures.sum, of: total), "\(part.samples)"]
            )
        }
        return TextTable(rows, rightAligned: [1, 2, 3, 4, 5]).indentedLines
    }

    private func columns(of points: [PointReport]) -> [String] {
        let names = points.flatMap { $0.reconnectParts.map(\.name) }.distinct
        let swept = scenario.about.sweep?.names ?? []
        var rows = [swept + names]
        for point in points {
            let parts = point.reconnectParts
            let cells = names.map { name -> String in
                let mean = parts.first { $0.name == name }?.figures.mean
                return mean.map { MetricUnit.nanoseconds.text($0) } ?? "-"
            }
            rows.append(point.about.values.map(\.value) + cells)
        }
        let right = Set(swept.count..<swept.count + names.count)
        return ["  mean parts of a reconnect"] + TextTable(rows, rightAligned: right).indentedLines
    }

    /// The busiest second in which attempts were counted, and the first point at which it came.
    private var storms: [String] {
        guard let (most, point) = scenario.busiestSecond else { return [] }
        let label = point.about.label
        let position = label.isEmpty ? "" : " at \(label)"
        return ["  storm\(position): at most \(counted(Int(most), "attempt")) in one second"]
    }

    private static func share(_ part: Int64, of total: Int64) -> String {
        guard total > 0 else { return "-" }
        // Of a whole that is less than its part the share is no share; it is shown up to a million.
        let share = min(max(Double(part) / Double(total), -1e6), 1e6)
        return MetricUnit.partsPerMillion.text(Int64(share * 1e6))
    }
}

extension ScenarioReport {
    /// The most attempts of all clients that began in one second, and the first point at which they did.
    var busiestSecond: (count: Int64, point: PointReport)? {
        var busiest: (count: Int64, point: PointReport)?
        for point in points {
            for metric in point.metrics where metric.name.hasSuffix(ReconnectParts.storm) {
                let most = metric.figures?.max ?? metric.value ?? 0
                if most > busiest?.count ?? 0 { busiest = (most, point) }
            }
        }
        return busiest
    }
}

extension PointReport {
    /// A part of reconnects, with its lengths.
    struct ReconnectPart {
        var name: String
        var samples: Int
        var figures: MetricReport.Figures
        /// The sum in each run.
        var sums: [Int64?]
        /// Whether it is what all others add up to.
        var isWhole: Bool { name == ReconnectParts.whole }
    }

    /// The parts of reconnects, in the catalogue's order, the whole last.
    var reconnectParts: [ReconnectPart] {
        let parts = metrics.compactMap { metric -> ReconnectPart? in
            guard let name = ReconnectParts.part(of: metric.name), let figures = metric.figures
            else { return nil }
            return ReconnectPart(
                name: name,
                samples: metric.samples,
                figures: figures,
                sums: metric.bySeed.sum ?? []
            )
        }
        return parts.filter { !$0.isWhole } + parts.filter(\.isWhole)
    }
}
