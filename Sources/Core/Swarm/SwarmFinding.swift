/// Worlds that failed for what is probably one cause.
public struct SwarmFinding: Sendable, Codable {
    /// What failed first in them.
    public var failure: FailureName
    /// The condition that most sets them apart from all other worlds; `nil` if nothing does.
    public var condition: String?
    /// In how many of all other worlds it is.
    public var elsewhereCount: Int
    /// How many other worlds there are.
    public var otherCount: Int
    /// Their seeds.
    public var seeds: [UInt64]
    /// What was found in the first of them.
    public var finding: String
    /// The file of the first of them, and the smallest that still fails, where they are written.
    public var file: String?
    /// The smallest world that still fails, where one was looked for.
    public var shrunk: String?

    /// In one line.
    public var line: String {
        let worlds = seeds.count == 1 ? "1 world" : "\(seeds.count) worlds"
        let with = condition.map { ", with \($0) (in \(elsewhereCount) of \(otherCount) others)" }
        let file = (shrunk ?? file).map { ": \($0)" } ?? ""
        return "\(failure): \(worlds), first seed \(seeds[0])\(with ?? "")\(file)"
    }
}

extension SwarmLedger {
    /// The failing worlds by cause: what failed first, and what sets these worlds apart from all others.
    ///
    /// Which condition that is follows from how often it is there: in the failing worlds more than in the others by
    /// the greatest difference of shares. Worlds of the same failure without it are asked the same again.
    public var findings: [SwarmFinding] {
        var findings: [SwarmFinding] = []
        let names = Set(rows.compactMap { $0.failures.first?.name }).sorted()
        for name in names {
            var open = rows.filter { $0.failures.first?.name == name }
            while let first = open.first {
                let rest = rows.filter { row in row.failures.first?.name != name }
                let condition = Self.dominating(open, against: rest)
                let own = open.filter { row in condition.map(row.conditions.contains) ?? true }
                findings.append(
                    SwarmFinding(
                        failure: name,
                        condition: condition,
                        elsewhereCount: rest.count { row in
                            condition.map(row.conditions.contains) ?? false
                        },
                        otherCount: rest.count,
                        seeds: own.map(\.seed),
                        finding: own.first?.failures.first?.finding
                            ?? first.failures.first?.finding ?? ""
                    )
                )
                let seeds = Set(own.map(\.seed))
                open.removeAll { seeds.contains($0.seed) }
            }
        }
        return findings
    }

    private static func dominating(_ failing: [Row], against others: [Row]) -> String? {
        let conditions = Set(failing.flatMap(\.conditions)).sorted()
        func excess(_ condition: String) -> Int {
            let here = failing.count { $0.conditions.contains(condition) }
            let there = others.count { $0.conditions.contains(condition) }
            return here * max(1, others.count) - there * failing.count
        }
        // The first of equals, by name.
        return conditions.reduce(nil as String?) { best, next in
            guard let best else { return excess(next) > 0 ? next : nil }
            return excess(next) > excess(best) ? next : best
        }
    }
}
