/// Worlds that failed for what is probably one cause.
public struct SwarmFinding: Sendable, Codable {
    /// What failed in them.
    public var failure: FailureName
    /// What failed in each of them as well, and in others: the most frequent, if there is any.
    public var beside: FailureName?
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
        let beside = beside.map { ", always beside \($0)" } ?? ""
        let file = (shrunk ?? file).map { ": \($0)" } ?? ""
        return "\(failure): \(worlds), first seed \(seeds[0])\(with ?? "")\(beside)\(file)"
    }
}

extension SwarmLedger {
    /// The failing worlds by cause: each thing that failed, and what sets these worlds apart from all others.
    ///
    /// Whatever failed in a world counts, not only what failed first: something frequent would hide the rest.
    /// Which condition that is follows from how often it is there: in the failing worlds more than in the others by
    /// the greatest difference of shares. Worlds of the same failure without it are asked the same again.
    public var findings: [SwarmFinding] {
        let names = rows.map { Set($0.failures.map(\.name)) }
        let counts = names.joined().reduce(into: [FailureName: Int]()) { $0[$1, default: 0] += 1 }
        return counts.keys.sorted().flatMap { name -> [SwarmFinding] in
            var open = rows.indices.filter { names[$0].contains(name) }
            let rest = rows.indices.filter { !names[$0].contains(name) }.map { rows[$0] }
            var findings: [SwarmFinding] = []
            while !open.isEmpty {
                let condition = Self.dominating(open.map { rows[$0] }, against: rest)
                let own = open.filter { index in
                    condition.map(rows[index].conditions.contains) ?? true
                }
                let shared = own.reduce(names[own[0]].subtracting([name])) {
                    $0.intersection(names[$1])
                }
                let beside = shared.filter { counts[$0, default: 0] > own.count }.sorted()
                    .max { counts[$0, default: 0] < counts[$1, default: 0] }
                let first = rows[own[0]]
                findings.append(
                    SwarmFinding(
                        failure: name,
                        beside: beside,
                        condition: condition,
                        elsewhereCount: rest.count { row in
                            condition.map(row.conditions.contains) ?? false
                        },
                        otherCount: rest.count,
                        seeds: own.map { rows[$0].seed },
                        finding: first.failures.first { $0.name == name }?.finding ?? ""
                    )
                )
                open.removeAll(where: own.contains)
            }
            return findings
        }
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
