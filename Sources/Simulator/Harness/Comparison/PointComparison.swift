import Evidence

/// One point before and after.
public struct PointComparison: Sendable {
    /// The scenario's name, with the swept values if there are any.
    public let name: String
    /// How many seeds both sides ran.
    public let pairedSeeds: Int
    /// In how many of them the traces are the same.
    public let sameTraces: Int
    /// The settings that only the side before has.
    public let settingsBefore: [String]
    /// The settings that only the side after has.
    public let settingsAfter: [String]
    /// The figures that differ, gated ones first.
    public let changes: [FigureChange]
    /// How many figures do not differ.
    public let sameFigures: Int
    /// The invariants that other runs break than before.
    public let invariants: [InvariantChange]
    let keyBefore: ReportComparison.Key
    let keyAfter: ReportComparison.Key

    /// An invariant that other runs break than before.
    public struct InvariantChange: Sendable, Equatable, Codable {
        /// The name.
        public var name: String
        /// How many of the runs in common broke it before.
        public var brokenBefore: Int
        /// How many of them break it after.
        public var brokenAfter: Int
        /// The first that breaks it only after.
        public var seed: UInt64?
        /// Whether any breaks it only after.
        public var isRegression: Bool { seed != nil }
    }

    /// A seed, with its index on either side.
    struct SeedPair {
        var seed: UInt64
        var before: Int
        var after: Int
    }

    init(
        name: String,
        _ keyBefore: ReportComparison.Key,
        in before: RunReport,
        _ keyAfter: ReportComparison.Key,
        in after: RunReport,
        marginPartsPerMillion: Int64
    ) {
        self.name = name
        self.keyBefore = keyBefore
        self.keyAfter = keyAfter
        let old = before.scenarios[keyBefore.scenario].points[keyBefore.point]
        let new = after.scenarios[keyAfter.scenario].points[keyAfter.point]
        let indices = Dictionary(old.runs.enumerated().map { ($1.seed, $0) }) { first, _ in first }
        let seeds = new.runs.enumerated().compactMap { index, run in
            indices[run.seed].map { SeedPair(seed: run.seed, before: $0, after: index) }
        }
        let isSame = seeds.count == old.runs.count && seeds.count == new.runs.count
        pairedSeeds = seeds.count
        sameTraces = seeds.filter { old.runs[$0.before].digest == new.runs[$0.after].digest }.count
        let settings = (Self.settings(of: old), Self.settings(of: new))
        settingsBefore = settings.0.filter { !settings.1.contains($0) }
        settingsAfter = settings.1.filter { !settings.0.contains($0) }
        let all = Self.pairs(old, new).map {
            $0.change(seeds, isSame: isSame, marginPartsPerMillion: marginPartsPerMillion)
        }
        changes = all.filter { $0.judgement != .same }
        sameFigures = all.count - changes.count
        invariants = Self.invariants(old, new, seeds)
    }

    private static func settings(of point: PointReport) -> [String] {
        (point.about.preset.map { ["preset=\($0)"] } ?? [])
            + point.about.settings.filter { !$0.isOfPreset }.map(\.description)
    }

    /// The figures that both sides have: those of gates, then a few of each other metric.
    private static func pairs(_ old: PointReport, _ new: PointReport) -> [FigurePair] {
        var pairs = new.gates.compactMap { gate -> FigurePair? in
            let other = old.gates.first {
                $0.metric == gate.metric && $0.figure == gate.figure && $0.scope == gate.scope
            }
            guard let other else { return nil }
            let direction: MetricDirection
            switch gate.comparison {
            case .atMost, .below, .equal: direction = .lower
            case .atLeast, .above: direction = .higher
            }
            return FigurePair(
                metric: gate.metric,
                figure: gate.figure,
                unit: gate.unit,
                direction: direction,
                gates: (other, gate),
                before: other.value,
                after: gate.value,
                rowBefore: other.bySeed,
                rowAfter: gate.bySeed
            )
        }
        for metric in new.metrics {
            guard let other = old.metric(named: metric.name), other.form == metric.form else {
                continue
            }
            for (figure, before, after, rowBefore, rowAfter) in [
                ("value", other.value, metric.value, other.bySeed.value, metric.bySeed.value),
                (
                    "p50", other.figures?.p50, metric.figures?.p50, other.bySeed.p50,
                    metric.bySeed.p50
                ),
                (
                    "p95", other.figures?.p95, metric.figures?.p95, other.bySeed.p95,
                    metric.bySeed.p95
                ),
                (
                    "max", other.figures?.max, metric.figures?.max, other.bySeed.max,
                    metric.bySeed.max
                ),
            ] {
                guard let rowBefore, let rowAfter,
                    !pairs.contains(where: { $0.metric == metric.name && $0.figure == figure })
                else { continue }
                pairs.append(
                    FigurePair(
                        metric: metric.name,
                        figure: figure,
                        unit: metric.unit,
                        direction: metric.direction,
                        gates: nil,
                        before: before,
                        after: after,
                        rowBefore: rowBefore,
                        rowAfter: rowAfter
                    )
                )
            }
        }
        return pairs
    }

    private static func invariants(
        _ old: PointReport,
        _ new: PointReport,
        _ seeds: [SeedPair]
    ) -> [InvariantChange] {
        let names = (old.runs + new.runs).flatMap(\.broken).distinct
        return names.compactMap { name in
            let before = seeds.filter { old.runs[$0.before].broken.contains(name) }
            let after = seeds.filter { new.runs[$0.after].broken.contains(name) }
            let fresh = after.first { pair in !before.contains { $0.seed == pair.seed } }
            guard before.map(\.seed) != after.map(\.seed) else { return nil }
            return InvariantChange(
                name: name,
                brokenBefore: before.count,
                brokenAfter: after.count,
                seed: fresh?.seed
            )
        }
    }

    /// Whether anything got worse that is held to something.
    public var isRegression: Bool {
        changes.contains { $0.judgement == .regression }
            || invariants.contains(where: \.isRegression)
    }

    /// Whether nothing differs at all.
    public var isEqual: Bool {
        changes.isEmpty && invariants.isEmpty && sameTraces == pairedSeeds
    }

    /// The changes of gated figures, then of the others.
    var gated: [FigureChange] { changes.filter { $0.rule != nil } }

    /// What differs besides figures, in words.
    var remarks: [String] {
        var lines: [String] = []
        if !settingsBefore.isEmpty || !settingsAfter.isEmpty {
            let old = settingsBefore.isEmpty ? "defaults" : settingsBefore.joined(separator: ", ")
            let new = settingsAfter.isEmpty ? "defaults" : settingsAfter.joined(separator: ", ")
            lines.append("before with \(old); after with \(new)")
        }
        if changes.isEmpty, invariants.isEmpty, sameTraces < pairedSeeds {
            lines.append(
                "other traces in \(pairedSeeds - sameTraces) of \(counted(pairedSeeds, "seed")), with "
                    + "the same figures"
            )
        }
        return lines
    }
}

extension PointComparison: Encodable {
    private enum CodingKeys: String, CodingKey {
        case name, pairedSeeds, sameTraces, settingsBefore, settingsAfter, changes, sameFigures
        case invariants
    }

    /// Writes everything but where the point stands in the reports.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(name, forKey: .name)
        try container.encode(pairedSeeds, forKey: .pairedSeeds)
        try container.encode(sameTraces, forKey: .sameTraces)
        try container.encode(settingsBefore, forKey: .settingsBefore)
        try container.encode(settingsAfter, forKey: .settingsAfter)
        try container.encode(changes, forKey: .changes)
        try container.encode(sameFigures, forKey: .sameFigures)
        try container.encode(invariants, forKey: .invariants)
    }
}
