import KodamaEvidence

/// Chains of shares that multiply: at which link how many were lost.
struct ChainTable {
    /// As many points have a column each; of more there are only the shares, a row for each.
    private static let columnCountMax = 5

    private let scenario: ScenarioReport
    private let names: [String]

    /// Makes the tables of those chains that a gate of the scenario speaks of.
    init(_ scenario: ScenarioReport) {
        self.scenario = scenario
        let gated = Set(scenario.points.flatMap(\.gates).map(\.metric))
        names =
            scenario.points.flatMap { $0.chains ?? [] }.filter { chain in
                chain.shares.contains { gated.contains($0.metric) }
            }.map(\.name).distinct
    }

    /// A table for each chain.
    var lines: [String] {
        names.flatMap { name -> [String] in
            let chains = scenario.points.map { point in
                point.chains?.first { $0.name == name }
            }
            guard scenario.about.sweep != nil else {
                return chains.compactMap(\.self).flatMap(rows)
            }
            return chains.count <= Self.columnCountMax ? columns(chains) : points(chains)
        }
    }

    private func rows(of chain: ChainReport) -> [String] {
        let unit = MetricUnit.partsPerMillion
        let head = ["kept", "of", "share", "95 % interval", "lost of all"]
        var rows = [["chain of \(chain.name)"] + head]
        for link in chain.links {
            rows.append(
                [link.name] + Self.cells(of: link) + [unit.text(chain.lost(at: link))]
            )
        }
        let rest = unit.text(Int64(1_000_000).minus(chain.whole.value))
        rows.append(["= \(chain.whole.name)"] + Self.cells(of: chain.whole) + [rest])
        if let known = chain.known { rows.append([known.name] + Self.cells(of: known) + [""]) }
        return TextTable(rows, rightAligned: [1, 2, 3, 4, 5]).indentedLines + remarks(on: chain)
    }

    /// The points side by side.
    private func columns(_ chains: [ChainReport?]) -> [String] {
        let labels = scenario.points.map { $0.about.values.map(\.value).joined(separator: " ") }
        guard let longest = chains.compactMap(\.self).max(by: { $0.links.count < $1.links.count })
        else { return [] }
        var rows = [["chain of \(longest.name)"] + labels]
        for link in longest.shares {
            let sign = link.metric == longest.whole.metric ? "= " : ""
            let cells = chains.map { chain -> String in
                let share = chain?.shares.first { $0.metric == link.metric }
                return share.map(Self.cell) ?? "-"
            }
            rows.append([sign + link.name] + cells)
        }
        let table = TextTable(rows, rightAligned: Set(1...labels.count)).indentedLines
        return table + chains.compactMap(\.self).flatMap(remarksOnPoints)
    }

    /// A row for each point.
    private func points(_ chains: [ChainReport?]) -> [String] {
        let swept = scenario.about.sweep?.names ?? []
        guard let longest = chains.compactMap(\.self).max(by: { $0.links.count < $1.links.count })
        else { return [] }
        let shares = longest.shares
        var rows = [swept + shares.map(\.name)]
        for (point, chain) in zip(scenario.points, chains) {
            let cells = shares.map { share -> String in
                let own = chain?.shares.first { $0.metric == share.metric }
                return own.map { MetricUnit.partsPerMillion.text($0.value) } ?? "-"
            }
            rows.append(point.about.values.map(\.value) + cells)
        }
        let right = Set(swept.count..<swept.count + shares.count)
        return ["  chain of \(longest.name)"]
            + TextTable(rows, rightAligned: right).indentedLines
            + chains.compactMap(\.self).flatMap(remarksOnPoints)
    }

    private func remarks(on chain: ChainReport) -> [String] {
        remarksOnPoints(chain) + (chain.gapSentence.map { ["  \($0)"] } ?? [])
    }

    private func remarksOnPoints(_ chain: ChainReport) -> [String] {
        chain.multiplies ? [] : ["  the links do not multiply to \(chain.whole.name)"]
    }

    private static func cells(of share: ChainReport.Share) -> [String] {
        [
            "\(share.part)", "\(share.whole)", MetricUnit.partsPerMillion.text(share.value),
            share.intervalText ?? "-",
        ]
    }

    private static func cell(_ share: ChainReport.Share) -> String {
        let interval = share.intervalText.map { " (\($0))" } ?? ""
        return MetricUnit.partsPerMillion.text(share.value) + interval
    }
}

extension ChainReport {
    /// The links, the whole and what the app knows of it.
    var shares: [Share] { links + [whole] + (known.map { [$0] } ?? []) }
}

extension ChainReport.Share {
    /// How many it lost.
    var lost: Int64 { whole.minus(part) }

    /// The interval for people, such as `78.1 to 80.4 %`.
    var intervalText: String? {
        guard let lower = interval?.lower, let upper = interval?.upper else { return nil }
        let unit = MetricUnit.partsPerMillion
        return "\(unit.text(lower)) to \(unit.text(upper))"
    }
}
