import KodamaEvidence

extension ScenarioReport {
    /// Seeds of one point that fail for the same cause.
    struct SeedGroup: Equatable {
        var point: Int
        /// The first rule that they broke, or the gate that they miss alone, and the part of the time of
        /// reconnects that dominates.
        var cause: String
        var seeds: [UInt64]
        /// The rules that the first of them broke, in the order in which it broke them.
        var breaks: [RuleBreak]
    }

    /// The seeds that fail by themselves where something is missed, grouped by cause, most seeds first.
    var failingSeeds: [SeedGroup] {
        var groups: [SeedGroup] = []
        for (index, point) in points.enumerated() {
            for (run, entry) in point.runs.enumerated() {
                guard let cause = point.cause(ofRun: run) else { continue }
                let group = groups.firstIndex { $0.point == index && $0.cause == cause }
                if let group {
                    groups[group].seeds.append(entry.seed)
                } else {
                    groups.append(
                        SeedGroup(
                            point: index,
                            cause: cause,
                            seeds: [entry.seed],
                            breaks: entry.breaks ?? []
                        )
                    )
                }
            }
        }
        // Groups of one size stay in the order in which they were found.
        return groups.enumerated().sorted {
            ($1.element.seeds.count, $0.offset) < ($0.element.seeds.count, $1.offset)
        }.map(\.element)
    }
}

extension PointReport {
    /// Why a run fails by itself, if it does.
    fileprivate func cause(ofRun run: Int) -> String? {
        if let first = runs[run].breaks?.first { return "\(first.rule) broken" }
        if let broken = runs[run].broken.first { return "\(broken) broken" }
        let missed = gates.first { gate in
            guard !gate.isGreen, let figure = gate.bySeed[run] else { return false }
            return !gate.comparison.holds(gate.figure(ofRunsLike: figure, runs.count), gate.limit)
        }
        guard let missed else { return nil }
        let rule = "\(missed.metric) \(missed.rule) missed"
        guard let part = dominatingPart(ofRun: run) else { return rule }
        return "\(rule), most of the time of reconnects in \(part)"
    }

    private func dominatingPart(ofRun run: Int) -> String? {
        let parts = reconnectParts.filter { !$0.isWhole }
        let sums = parts.map { $0.sums[run] ?? 0 }
        guard let most = sums.max(), most > 0, let index = sums.firstIndex(of: most) else {
            return nil
        }
        return parts[index].name
    }
}
