import KodamaEvidence

/// One point before and after.
public struct PointComparison: Sendable {
    /// The scenario's name, with the swept values if there are any.
    public let name: String
    /// How many seeds both sides ran; without one, how many runs are set side by side.
    public let pairedSeeds: Int
    /// Whether the sides have no seed in common, so that each run is set beside one of other weather.
    public let isUnpaired: Bool
    /// In how many of them the traces are the same.
    public let sameTraces: Int
    /// How many seeds only the side before ran.
    public let seedsOnlyBefore: Int
    /// How many seeds only the side after ran.
    public let seedsOnlyAfter: Int
    /// The settings that only the side before has.
    public let settingsBefore: [String]
    /// The settings that only the side after has.
    public let settingsAfter: [String]
    /// The figures that differ, gated ones first.
    public private(set) var changes: [FigureChange]
    /// Of each of them how far it moved by its spread, in thousandths.
    let shifts: [Int]
    /// How many figures do not differ.
    public let sameFigures: Int
    /// The invariants that other runs break than before.
    public let invariants: [InvariantChange]
    /// The gates that are not the same on both sides.
    public let gateChanges: [GateChange]
    /// The invariants that the scenario held its runs to before and does not now.
    public let lostInvariants: [String]
    /// The gates that are there still, and the invariants, that show fewer requirements.
    public let lostCovers: [LostCovers]
    /// The invariants that had data before and have none now, and the triggers in vain only now.
    public let silenced: [String]
    /// Whether the scenario differs in more than its settings: in its file, or in a default.
    let isOtherScenario: Bool
    /// Whether a gate or an invariant that is gone is a regression.
    let wantsAll: Bool
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

    /// A gate that is not the same on both sides.
    public struct GateChange: Sendable, Equatable, Codable {
        /// The metric's name.
        public var metric: String
        /// The rule before; `nil` if the gate is new.
        public var before: String?
        /// The rule after; `nil` if the gate is gone.
        public var after: String?

        /// The change in one line.
        var line: String {
            switch (before, after) {
            case (let before?, let after?): "gate changed: \(metric) \(before) → \(after)"
            case (let before?, nil): "gate gone: \(metric) \(before)"
            case (nil, _): "gate new: \(metric) \(after ?? "")"
            }
        }
    }

    /// A gate or an invariant that shows fewer requirements than before.
    public struct LostCovers: Sendable, Equatable, Codable {
        /// The metric's name, or the invariant's.
        public var metric: String
        /// The rule before.
        public var rule: String
        /// The requirement ids that nothing names any more which could stand for it.
        public var ids: [String]

        /// The loss in one line.
        var line: String { "covers gone: \(metric) \(rule): \(ids.joined(separator: " "))" }
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
        wantsAll: Bool
    ) {
        self.name = name
        self.wantsAll = wantsAll
        self.keyBefore = keyBefore
        self.keyAfter = keyAfter
        let old = before.scenarios[keyBefore.scenario].points[keyBefore.point]
        let new = after.scenarios[keyAfter.scenario].points[keyAfter.point]
        let indices = Dictionary(old.runs.enumerated().map { ($1.seed, $0) }) { first, _ in first }
        let common = new.runs.enumerated().compactMap { index, run in
            indices[run.seed].map { SeedPair(seed: run.seed, before: $0, after: index) }
        }
        isUnpaired = common.isEmpty && !old.runs.isEmpty && !new.runs.isEmpty
        // Of other seeds no two met the same weather: set side by side in any order they are independent,
        // and what is exact of pairs is exact of them, with less power.
        let seeds =
            isUnpaired
            ? zip(old.runs, new.runs).enumerated().map { index, runs in
                SeedPair(seed: runs.1.seed, before: index, after: index)
            } : common
        let isSame =
            !isUnpaired && seeds.count == old.runs.count && seeds.count == new.runs.count
        pairedSeeds = seeds.count
        seedsOnlyBefore = old.runs.count - seeds.count
        seedsOnlyAfter = new.runs.count - seeds.count
        sameTraces = seeds.filter { old.runs[$0.before].digest == new.runs[$0.after].digest }.count
        let settings = (Self.settings(of: old), Self.settings(of: new))
        settingsBefore = settings.0.filter { !settings.1.contains($0) }
        settingsAfter = settings.1.filter { !settings.0.contains($0) }
        isOtherScenario = settings.0 == settings.1 && old.about.digest != new.about.digest
        gateChanges = Self.gateChanges(old, new)
        lostInvariants = Self.lostInvariants(old, new)
        lostCovers = Self.lostCovers(old, new)
        silenced = Self.silenced(old, new, isUnpaired ? 0 : seeds.count)
        let pairs = FigurePair.all(old, new)
        let all = pairs.map { $0.change(seeds, isSame: isSame) }
        let differing = all.indices.filter { all[$0].judgement != .same }
        changes = differing.map { all[$0] }
        shifts = differing.map { pairs[$0].shift(seeds) }
        sameFigures = all.count - changes.count
        invariants = Self.invariants(old, new, seeds, isUnpaired: isUnpaired)
    }

    private static func settings(of point: PointReport) -> [String] {
        (point.about.preset.map { ["preset=\($0)"] } ?? [])
            + point.about.settings.filter { !$0.isOfPreset }.map(\.description)
    }

    private static func gateChanges(_ old: PointReport, _ new: PointReport) -> [GateChange] {
        func lacking(_ gates: [GateReport], in others: [GateReport]) -> [GateReport] {
            gates.filter { gate in !others.contains { $0.demandsTheSame(as: gate) } }
        }
        var gone = lacking(old.gates, in: new.gates)
        let changed = lacking(new.gates, in: old.gates).map { gate -> GateChange in
            // Two gates may bound one figure, from below and from above.
            let index =
                gone.firstIndex { $0.metric == gate.metric && $0.rule == gate.rule }
                ?? gone.firstIndex { $0.isOfSameFigure(as: gate) }
            guard let index else { return GateChange(metric: gate.metric, after: gate.rule) }
            let other = gone.remove(at: index)
            return GateChange(
                metric: gate.metric,
                before: other.terms(beside: gate),
                after: gate.terms(beside: other)
            )
        }
        return changed + gone.map { GateChange(metric: $0.metric, before: $0.rule) }
    }

    /// The invariants that only the side before is judged by.
    ///
    /// One that was broken before may be there for that alone; that none breaks it now is a mend.
    private static func lostInvariants(_ old: PointReport, _ new: PointReport) -> [String] {
        old.invariants.filter { $0.verdict != .fail && new.invariant(named: $0.name) == nil }
            .map(\.name)
    }

    private static func lostCovers(_ old: PointReport, _ new: PointReport) -> [LostCovers] {
        let ofInvariants = old.invariants.compactMap { invariant -> LostCovers? in
            let now = new.invariant(named: invariant.name).map { $0.covers ?? [] } ?? new.covers
            let ids = (invariant.covers ?? []).filter { !now.contains($0) }
            guard !ids.isEmpty else { return nil }
            return LostCovers(metric: invariant.name, rule: "always", ids: ids)
        }
        return lostGateCovers(old, new) + ofInvariants
    }

    private static func lostGateCovers(_ old: PointReport, _ new: PointReport) -> [LostCovers] {
        old.gates.compactMap { gate in
            let others = new.gates.filter { $0.isOfSameFigure(as: gate) }
            let ids = gate.covers.filter { id in !others.contains { $0.covers.contains(id) } }
            // A gate that is gone is told of as such.
            guard !others.isEmpty, !ids.isEmpty else { return nil }
            return LostCovers(metric: gate.metric, rule: gate.rule, ids: ids)
        }
    }

    private static func invariants(
        _ old: PointReport,
        _ new: PointReport,
        _ seeds: [SeedPair],
        isUnpaired: Bool
    ) -> [InvariantChange] {
        let names = (old.runs + new.runs).flatMap(\.broken).distinct
        return names.compactMap { name in
            let before = seeds.filter { old.runs[$0.before].broken.contains(name) }
            let after = seeds.filter { new.runs[$0.after].broken.contains(name) }
            let fresh = after.first { pair in
                isUnpaired ? before.isEmpty : !before.contains { $0.seed == pair.seed }
            }
            let isSame =
                isUnpaired ? before.count == after.count : before.map(\.seed) == after.map(\.seed)
            guard !isSame else { return nil }
            return InvariantChange(
                name: name,
                brokenBefore: before.count,
                brokenAfter: after.count,
                seed: fresh?.seed
            )
        }
    }

    /// Judges what moved in all points together, so that many comparisons raise no more alarms than one.
    ///
    /// - Parameters:
    ///   - points: The points.
    ///   - marginPartsPerMillion: How much of the distance to its limit is no regression.
    /// - Returns: How many seeds a point needs for a figure to be significant that is worse in all of them.
    static func settle(_ points: inout [PointComparison], marginPartsPerMillion: Int64) -> Int {
        let changes = points.flatMap(\.changes).filter(\.isTested)
        let needed = PairedSignificance.seedsNeeded(comparisons: changes.count)
        let worse = PairedSignificance(
            changes.map { .init(worse: $0.worseSeeds, better: $0.betterSeeds) }
        ).isSignificant
        let better = PairedSignificance(
            changes.map { .init(worse: $0.betterSeeds, better: $0.worseSeeds) }
        ).isSignificant
        var next = 0
        for point in points.indices {
            for change in points[point].changes.indices
            where points[point].changes[change].isTested {
                points[point].changes[change].settle(
                    isWorse: worse[next],
                    isBetter: better[next],
                    isShort: points[point].pairedSeeds < needed,
                    marginPartsPerMillion: marginPartsPerMillion
                )
                next += 1
            }
        }
        return needed
    }

    /// Whether a gated figure is worse over too few seeds to tell that from chance, or its gate is
    /// undecided only now.
    public var isUndecided: Bool { changes.contains { $0.judgement == .undecided } }

    /// Whether a gate is undecided only now.
    var isTurnedOpen: Bool { changes.contains(where: \.isTurnedOpen) }

    /// Whether a gated figure, a gate or an invariant got worse.
    public var isRegression: Bool {
        changes.contains { $0.judgement == .regression }
            || invariants.contains(where: \.isRegression) || !missedGates.isEmpty
            || !missedInvariants.isEmpty || !silenced.isEmpty
    }

    /// The gates that are gone, if a missing one counts (`wantsAll`).
    var missedGates: [GateChange] { wantsAll ? gateChanges.filter { $0.after == nil } : [] }

    /// The invariants that are gone, if a missing one counts (`wantsAll`).
    var missedInvariants: [String] { wantsAll ? lostInvariants : [] }

    /// Whether nothing differs at all; false if no runs are paired.
    public var isEqual: Bool {
        pairedSeeds > 0 && changes.isEmpty && invariants.isEmpty && gateChanges.isEmpty
            && lostInvariants.isEmpty && lostCovers.isEmpty && silenced.isEmpty
            && sameTraces == pairedSeeds
    }

    /// How many runs are compared, in words.
    var runsText: String {
        isUnpaired
            ? "\(counted(pairedSeeds, "run")) of each side"
            : "\(counted(pairedSeeds, "seed")) in common"
    }

    /// The changes of gated figures.
    var gated: [FigureChange] { changes.filter { $0.rule != nil } }

    /// What differs besides figures, in words.
    var remarks: [String] {
        var lines = pairedSeeds == 0 ? ["no run in common: nothing is compared"] : []
        if isUnpaired {
            lines.append(
                "other seeds on either side: unpaired, so that only great differences show"
            )
        }
        if !settingsBefore.isEmpty || !settingsAfter.isEmpty {
            let old = settingsBefore.isEmpty ? "defaults" : settingsBefore.joined(separator: ", ")
            let new = settingsAfter.isEmpty ? "defaults" : settingsAfter.joined(separator: ", ")
            lines.append("before with \(old); after with \(new)")
        }
        if isOtherScenario, gateChanges.isEmpty, !changes.isEmpty || !invariants.isEmpty {
            lines.append("the scenario itself is not the same: its file differs, or a default")
        }
        lines += gateChanges.map { gate in
            (missedGates.contains(gate) ? "regression: " : "") + gate.line
        }
        lines += lostInvariants.map { name in
            (wantsAll ? "regression: " : "") + "invariant gone: \(name)"
        }
        lines += lostCovers.map(\.line)
        lines += silenced.map { "regression: \(Self.silence): \($0)" }
        if !isUnpaired, changes.isEmpty, invariants.isEmpty, sameTraces < pairedSeeds {
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
        case name, pairedSeeds, isUnpaired, seedsOnlyBefore, seedsOnlyAfter, sameTraces
        case settingsBefore, settingsAfter, changes, sameFigures, invariants, gateChanges
        case lostInvariants, lostCovers, silenced
    }

    /// Writes everything but where the point stands in the reports.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(name, forKey: .name)
        try container.encode(pairedSeeds, forKey: .pairedSeeds)
        if isUnpaired { try container.encode(true, forKey: .isUnpaired) }
        if seedsOnlyBefore > 0 { try container.encode(seedsOnlyBefore, forKey: .seedsOnlyBefore) }
        if seedsOnlyAfter > 0 { try container.encode(seedsOnlyAfter, forKey: .seedsOnlyAfter) }
        try container.encode(sameTraces, forKey: .sameTraces)
        try container.encode(settingsBefore, forKey: .settingsBefore)
        try container.encode(settingsAfter, forKey: .settingsAfter)
        try container.encode(changes, forKey: .changes)
        try container.encode(sameFigures, forKey: .sameFigures)
        try container.encode(invariants, forKey: .invariants)
        if !gateChanges.isEmpty { try container.encode(gateChanges, forKey: .gateChanges) }
        if !lostInvariants.isEmpty { try container.encode(lostInvariants, forKey: .lostInvariants) }
        if !lostCovers.isEmpty { try container.encode(lostCovers, forKey: .lostCovers) }
        if !silenced.isEmpty { try container.encode(silenced, forKey: .silenced) }
    }
}
