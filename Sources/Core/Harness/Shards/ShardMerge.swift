import KodamaEvidence

/// Shards joined into the result that one process would have given, to the byte.
public struct ShardMerge {
    /// Why shards cannot be joined.
    public enum Fault: Error, Equatable, CustomStringConvertible {
        /// They are not of one plan; the words say which file differs in what.
        case foreign(String)
        /// Runs are missing; the words name them.
        case incomplete(String)
        /// Together their figures are greater than any that runs give; the words say which.
        case tooGreat(String)
        /// Two results of one shard differ; the words say where first.
        case notDeterministic(String)

        /// The fault in a sentence.
        public var description: String {
            switch self {
            case .foreign(let words), .incomplete(let words), .tooGreat(let words),
                .notDeterministic(let words):
                words
            }
        }
    }

    /// A shard and the file that it comes from.
    public typealias Source = (file: String, shard: ShardResult)

    /// The report of all runs.
    public let report: RunReport

    /// Joins shards, in whatever order they come; one that is there twice must be the same twice.
    ///
    /// - Parameter sources: The shards with their files; at least one.
    /// - Throws: `Fault`.
    public init(_ sources: [Source]) throws {
        guard let first = sources.first else { throw Fault.incomplete("there is no shard") }
        try Self.refuseForeign(sources, first)
        var byIndex: [Int: Source] = [:]
        for source in sources {
            if let other = byIndex[source.shard.shard.index] {
                try Self.refuseUnequal(other, source)
            } else {
                byIndex[source.shard.shard.index] = source
            }
        }
        let count = first.shard.shard.count
        let missing = (1...count).filter { byIndex[$0] == nil }
        let plan = first.shard.plan
        let lost = missing.compactMap { RunShard(index: $0, count: count) }
            .filter { plan.seeds(of: $0).joined().contains { !$0.isEmpty } }
        guard lost.isEmpty else { throw Fault.incomplete(Self.names(of: lost, in: plan)) }
        var outcomes = plan.scenarios
        for index in 1...count {
            guard let source = byIndex[index] else { continue }
            try Self.add(source, to: &outcomes)
        }
        for index in outcomes.indices { outcomes[index].order(by: plan.seeds[index]) }
        report = RunReport(
            outcomes,
            material: plan.material,
            options: plan.options,
            isStrict: plan.isStrict
        )
    }

    private static func refuseForeign(_ sources: [Source], _ first: Source) throws {
        let digest = try first.shard.plan.digest
        for source in sources.dropFirst() {
            if try source.shard.plan.digest != digest {
                let what = difference(first.shard.plan, source.shard.plan)
                throw Fault.foreign(
                    "\(source.file) is of another plan than \(first.file): it has other \(what)"
                )
            }
            guard source.shard.shard.count == first.shard.shard.count else {
                throw Fault.foreign(
                    "\(source.file) is shard \(source.shard.shard) and \(first.file) is shard "
                        + "\(first.shard.shard): runs would count twice"
                )
            }
        }
    }

    /// What is different first between two plans.
    private static func difference(_ left: RunPlan, _ right: RunPlan) -> String {
        if left.material != right.material { return "voices or another codec" }
        if left.options != right.options { return "settings" }
        if left.isStrict != right.isStrict { return "strictness" }
        if left.scenarios.map(\.about) != right.scenarios.map(\.about) { return "scenarios" }
        if left.seeds != right.seeds { return "seeds or points" }
        for (mine, theirs) in zip(left.scenarios, right.scenarios)
        where mine.points.map(\.about) != theirs.points.map(\.about) {
            return "values in \(mine.about.name)"
        }
        return "gates"
    }

    private static func refuseUnequal(_ one: Source, _ other: Source) throws {
        for (mine, theirs) in zip(one.shard.outcomes, other.shard.outcomes) {
            for (left, right) in zip(mine.points, theirs.points) {
                for (row, twin) in zip(left.rows, right.rows) where row != twin {
                    let components = zip(row.components, twin.components)
                        .filter { $0 != $1 }.map(\.0.name)
                    let label = left.about.label.isEmpty ? "" : " at \(left.about.label)"
                    let position =
                        components.isEmpty ? "" : ", in \(components.joined(separator: ", "))"
                    throw Fault.notDeterministic(
                        "\(one.file) and \(other.file) are both shard \(one.shard.shard), and differ "
                            + "first in \(mine.about.name)\(label), seed \(row.seed)\(position)"
                    )
                }
            }
        }
        guard try one.shard.json == other.shard.json else {
            throw Fault.notDeterministic(
                "\(one.file) and \(other.file) are both shard \(one.shard.shard), and pool other "
                    + "figures of equal runs"
            )
        }
    }

    private static let namedSeedCountMax = 8

    private static func names(of shards: [RunShard], in plan: RunPlan) -> String {
        var lines: [String] = []
        for shard in shards {
            let seeds = plan.seeds(of: shard)
            lines.append(
                "missing: shard \(shard), \(counted(seeds.joined().joined().count, "run")):"
            )
            for (scenario, points) in zip(plan.scenarios, seeds) {
                for (point, seeds) in zip(scenario.points, points) where !seeds.isEmpty {
                    let label = point.about.label.isEmpty ? "" : " \(point.about.label)"
                    let named = seeds.prefix(namedSeedCountMax).map { "\($0)" }
                    let rest = seeds.count - named.count
                    lines.append(
                        "  \(scenario.about.name)\(label): seed \(named.joined(separator: ", "))"
                            + (rest > 0 ? " and \(rest) more" : "")
                    )
                }
            }
        }
        return lines.joined(separator: "\n")
    }

    private static func add(_ source: Source, to outcomes: inout [ScenarioOutcome]) throws {
        for (scenario, outcome) in source.shard.outcomes.enumerated() {
            for (point, more) in outcome.points.enumerated() where !more.rows.isEmpty {
                guard outcomes[scenario].points[point].pool(more) else {
                    throw Fault.foreign("\(source.file) was measured by another build")
                }
                if let fault = outcomes[scenario].points[point].pooled.fault {
                    let name = outcomes[scenario].about.name
                    throw Fault.tooGreat("\(source.file), with those before it: \(name): \(fault)")
                }
            }
        }
    }
}

extension ScenarioOutcome {
    /// Brings the runs of each point into the order of the plan, and judges.
    fileprivate mutating func order(by seeds: [SeedRange]) {
        for (index, range) in seeds.enumerated() {
            points[index].rows.sort { $0.seed &- range.first < $1.seed &- range.first }
            points[index].judge()
        }
    }
}

extension PointOutcome {
    /// Pools the runs of another process.
    ///
    /// - Returns: Whether they were measured alike.
    mutating func pool(_ other: PointOutcome) -> Bool {
        guard pooled.canMerge(other.pooled), columns.isEmpty || columns == other.columns else {
            return false
        }
        pooled.merge(other.pooled)
        columns = other.columns
        rows += other.rows
        return true
    }
}
