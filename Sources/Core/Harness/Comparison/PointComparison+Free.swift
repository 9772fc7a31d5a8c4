extension PointComparison {
    /// The most changes without a gate that are shown of each point.
    private static let freeCountMax = 6
    /// The most metrics of the other changes that are named.
    private static let namesMax = 3

    /// The changes of figures without a gate that are shown.
    var shownFree: [FigureChange] { Array(free.prefix(Self.freeCountMax)) }

    /// The number of other changes, and of those that are worse, so that what is shown hides no cost.
    var freeRest: String? {
        let rest = free.dropFirst(Self.freeCountMax)
        guard !rest.isEmpty else { return nil }
        let verb = rest.count == 1 ? "differs" : "differ"
        var line = "\(counted(rest.count, "more figure")) without a gate \(verb)"
        let worse = rest.filter { $0.judgement == .worse }
        if !worse.isEmpty { line += ", \(worse.count) of them worse" }
        let shown = shownFree.map(\.metric)
        let others = worse.map(\.metric).distinct.filter { !shown.contains($0) }
        if !others.isEmpty {
            line += ", such as of \(others.prefix(Self.namesMax).joined(separator: ", "))"
        }
        return line + "; --json has them"
    }

    /// The changes of figures that no gate bounds, those first that moved furthest by their spread.
    ///
    /// One of each metric, then the others of the same metrics; last what shows in no digit. As
    /// shares of themselves small figures move far, and what matters may be a tenth of a great one.
    private var free: [FigureChange] {
        let ranked = changes.indices.filter { changes[$0].rule == nil }.sorted { one, other in
            if isSeen(one) != isSeen(other) { return isSeen(one) }
            if shifts[one] != shifts[other] { return shifts[one] > shifts[other] }
            let (left, right) = (changes[one].relativeDifference, changes[other].relativeDifference)
            return left == right ? one < other : left > right
        }
        var metrics: Set<String> = []
        var (first, others): ([FigureChange], [FigureChange]) = ([], [])
        for index in ranked {
            let change = changes[index]
            if isSeen(index), metrics.insert(change.metric).inserted {
                first.append(change)
            } else {
                others.append(change)
            }
        }
        return first + others
    }

    /// Whether people read another figure after than before.
    private func isSeen(_ index: Int) -> Bool {
        changes[index].texts.before != changes[index].texts.after
    }
}

extension FigurePair {
    /// How far the seeds' mean moved by the standard deviation of their figures on both sides.
    ///
    /// - Parameter seeds: The seeds of both sides.
    /// - Returns: In thousandths, from 0 to 2,000, which means that neither side has a spread.
    func shift(_ seeds: [PointComparison.SeedPair]) -> Int {
        let before = seeds.compactMap { rowBefore[$0.before] }.map { Double($0) }
        let after = seeds.compactMap { rowAfter[$0.after] }.map { Double($0) }
        guard !before.isEmpty, !after.isEmpty else {
            return before.isEmpty == after.isEmpty ? 0 : Self.shiftMax
        }
        let mean = Self.mean(before + after)
        let variance = Self.mean((before + after).map { ($0 - mean) * ($0 - mean) })
        guard variance > 0 else { return 0 }
        let shift = abs(Self.mean(after) - Self.mean(before)) / variance.squareRoot()
        return min(Self.shiftMax, Int((shift * 1_000).rounded()))
    }

    private static let shiftMax = 2_000

    private static func mean(_ values: [Double]) -> Double {
        values.reduce(0, +) / Double(values.count)
    }
}
