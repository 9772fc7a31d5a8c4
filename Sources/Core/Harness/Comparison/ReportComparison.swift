public import Foundation
import KodamaEvidence

/// Two reports, paired scenario by scenario, point by point and seed by seed.
///
/// Runs are repeatable, so a difference between equal seeds is exact: nothing but the change caused it.
/// Whether other seeds would show it as well is tested over all figures together; a regression is
/// both significant and material.
public struct ReportComparison: Sendable {
    /// The report before.
    public let before: RunReport
    /// The report after.
    public let after: RunReport
    /// How much of the distance between the figure before and its limit is no regression, in parts per
    /// million.
    public let marginPartsPerMillion: Int64
    /// Whether what is missing after is a regression.
    public let wantsAll: Bool
    /// The points that both have.
    public let points: [PointComparison]
    /// How many seeds a point needs for a figure to be significant that is worse in all of them.
    public let seedsNeeded: Int
    /// The points that only the report before has: scenario, and values if it is swept.
    public let missing: [String]
    /// The points that only the report after has.
    public let added: [String]
    /// Runs looked at closely on both sides, one above the other.
    public var stories: [StoryPair] = []

    /// One run before and after.
    public struct StoryPair: Sendable, Equatable {
        /// The name of its scenario and point.
        public var name: String
        /// The run before.
        public var before: RunStory
        /// The run after.
        public var after: RunStory
        /// What is heard in both, if the run makes sound and was listened to.
        public var heard: HeardPair?
    }

    /// Compares two reports.
    ///
    /// - Parameters:
    ///   - before: The report before.
    ///   - after: The report after.
    ///   - marginPartsPerMillion: How much of the distance to its limit is no regression.
    ///   - wantsAll: Whether what is missing after is a regression.
    public init(
        _ before: RunReport,
        _ after: RunReport,
        marginPartsPerMillion: Int64 = Self.usualMarginPartsPerMillion,
        wantsAll: Bool = false
    ) {
        self.before = before
        self.after = after
        self.marginPartsPerMillion = marginPartsPerMillion
        self.wantsAll = wantsAll
        let shared = Self.sharedNames(before).union(Self.sharedNames(after))
        let (old, new) = (Self.keys(of: before, shared), Self.keys(of: after, shared))
        let positions = Dictionary(old.enumerated().map { ($1.name, $0) }) { first, _ in first }
        var points = new.compactMap { key -> PointComparison? in
            guard let position = positions[key.name] else { return nil }
            return PointComparison(
                name: key.name,
                old[position],
                in: before,
                key,
                in: after,
                wantsAll: wantsAll
            )
        }
        seedsNeeded = PointComparison.settle(&points, marginPartsPerMillion: marginPartsPerMillion)
        self.points = points
        let (oldNames, newNames) = (Set(old.map(\.name)), Set(new.map(\.name)))
        missing = old.map(\.name).filter { !newNames.contains($0) }
        added = new.map(\.name).filter { !oldNames.contains($0) }
        stories = commonStories
    }

    /// A tenth of the distance to its limit: what a gate's author hardly means to forbid.
    public static var usualMarginPartsPerMillion: Int64 { 100_000 }

    /// A point's name and indices.
    struct Key {
        var name: String
        var scenario: Int
        var point: Int
    }

    /// The names that several scenarios of a report have; their files tell them apart.
    static func sharedNames(_ report: RunReport) -> Set<String> {
        let names = report.scenarios.map(\.about.name)
        return Set(
            names.enumerated().filter { names[..<$0.offset].contains($0.element) }.map(\.element)
        )
    }

    private static func keys(of report: RunReport, _ shared: Set<String>) -> [Key] {
        report.scenarios.enumerated().flatMap { index, scenario in
            scenario.points.enumerated().map { point, entry in
                let label = entry.about.label.isEmpty ? "" : " at \(entry.about.label)"
                let isShared = shared.contains(scenario.about.name)
                let file = isShared ? " (\(scenario.about.file))" : ""
                return Key(name: scenario.about.name + file + label, scenario: index, point: point)
            }
        }
    }

    /// Whether a gated figure, a gate or an invariant got worse.
    public var isRegression: Bool {
        points.contains(where: \.isRegression) || wantsAll && !missing.isEmpty
    }

    /// Whether nothing regressed that can be told, and a gate is undecided only now, or something is worse
    /// and no point has seeds enough to tell that from chance.
    ///
    /// Where some points have enough, the comparison says something: of the others it is told that they moved.
    public var isUndecided: Bool {
        guard !isRegression else { return false }
        return points.contains(where: \.isTurnedOpen)
            || points.contains(where: \.isUndecided)
                && !points.contains { $0.pairedSeeds >= seedsNeeded }
    }

    /// Whether nothing differs at all; false if a point was never run.
    public var isEqual: Bool {
        points.allSatisfy(\.isEqual) && missing.isEmpty && added.isEmpty
            && before.notRun == nil && after.notRun == nil
    }

    /// The points that only one side has, and what an interruption left undone.
    ///
    /// A line for each side; only the first of many are named.
    var loneLines: [String] {
        let sides = [
            ("before interrupted, not done", before.notRun ?? []),
            ("after interrupted, not done", after.notRun ?? []),
            ("only before", missing), ("only after", added),
        ]
        return sides.filter { !$0.1.isEmpty }.map { words, names in
            let shown = names.prefix(Self.loneNameCountMax).joined(separator: ", ")
            let rest = names.count - Self.loneNameCountMax
            return "\(words): \(shown)" + (rest > 0 ? " and \(rest) more" : "")
        }
    }

    private static let loneNameCountMax = 10

    /// How many seeds were paired.
    public var pairedCount: Int { points.reduce(0) { $0 + $1.pairedSeeds } }

    /// What was paired, in words, and how many runs of shared points only one side has.
    private var pairedText: String {
        let isUnpaired = points.contains(where: \.isUnpaired)
        let runs = "\(counted(pairedCount, "run")) \(isUnpaired ? "compared" : "in common")"
        let paired = "\(counted(points.count, "point")), \(runs)"
        let lone = [
            (points.reduce(0) { $0 + $1.seedsOnlyBefore }, "before"),
            (points.reduce(0) { $0 + $1.seedsOnlyAfter }, "after"),
        ].filter { $0.0 > 0 }.map { "; \(counted($0.0, "run")) only \($0.1)" }
        return paired + lone.joined()
    }

    /// Runs that both reports look at closely.
    private var commonStories: [StoryPair] {
        points.flatMap { point -> [StoryPair] in
            let old = before.scenarios[point.keyBefore.scenario].stories ?? []
            let new = after.scenarios[point.keyAfter.scenario].stories ?? []
            return new.filter { $0.point == point.keyAfter.point }.compactMap { story in
                old.first { $0.point == point.keyBefore.point && $0.seed == story.seed }
                    .map { StoryPair(name: point.name, before: $0, after: story) }
            }
        }
    }

    /// The command that repeats a run of the report after.
    func replay(_ seed: UInt64, of point: PointComparison) -> String? {
        let scenario = after.scenarios[point.keyAfter.scenario]
        let about = scenario.points[point.keyAfter.point].about
        return after.replay(seed, of: about, in: scenario.about)
    }

    /// The verdict in one line.
    public var verdictLine: String {
        if points.isEmpty {
            return "NOTHING TO COMPARE: \(counted(added.count, "point")) only after"
        }
        if isEqual { return "EQUAL: no difference at all (\(pairedText))" }
        let worse = points.filter(\.isRegression).map(\.name)
        var line: String
        if isRegression {
            let names = worse.isEmpty ? missing.map { "\($0) is missing" } : worse
            line = "REGRESSION: \(names.joined(separator: "; "))"
        } else if isUndecided {
            let names = points.filter(\.isUndecided).map(\.name)
            line = "UNDECIDED: \(names.joined(separator: "; "))"
        } else {
            line = "NO REGRESSION"
        }
        line += " (\(pairedText))"
        let worseCount = isUndecided ? 0 : points.filter(\.isUndecided).count
        if worseCount > 0 {
            line += "; \(counted(worseCount, "point")) worse over too few seeds to tell"
        }
        let short = points.filter { point in
            // One that is found worse by its verdict needs no more seeds.
            point.pairedSeeds < seedsNeeded && !point.isRegression
                && point.changes.contains(where: \.isTested)
        }
        if let least = short.map(\.pairedSeeds).min() {
            line += "; \(counted(least, "seed")) in common can show none, \(seedsNeeded) can"
        }
        if !missing.isEmpty { line += "; \(counted(missing.count, "point")) only before" }
        if !added.isEmpty { line += "; \(counted(added.count, "point")) only after" }
        let interrupted = [(before, "before"), (after, "after")].filter { $0.0.notRun != nil }
        if !interrupted.isEmpty {
            line += "; interrupted \(interrupted.map(\.1).joined(separator: " and "))"
        }
        return line
    }
}

extension ReportComparison: Encodable {
    private enum CodingKeys: String, CodingKey {
        case schemaVersion, verdict, marginPartsPerMillion, seedsNeeded, points, missing, added
        case notRunBefore, notRunAfter
    }

    /// Writes what differs; figures without a difference are left out.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(1, forKey: .schemaVersion)
        let verdict =
            isRegression
            ? "regression" : isUndecided ? "undecided" : isEqual ? "equal" : "no-regression"
        try container.encode(verdict, forKey: .verdict)
        try container.encode(marginPartsPerMillion, forKey: .marginPartsPerMillion)
        try container.encode(seedsNeeded, forKey: .seedsNeeded)
        try container.encode(points, forKey: .points)
        try container.encode(missing, forKey: .missing)
        try container.encode(added, forKey: .added)
        try container.encodeIfPresent(before.notRun, forKey: .notRunBefore)
        try container.encodeIfPresent(after.notRun, forKey: .notRunAfter)
    }

    /// The comparison's bytes, the same for equal pairs of reports, with a line feed at the end.
    public var json: Data {
        get throws { try JSONEncoder.repeatable.encode(self) + Data("\n".utf8) }
    }
}
