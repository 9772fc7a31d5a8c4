import KodamaEvidence

extension RunStory {
    /// What went on around a moment that may have caused it: faults, links, and acts of users, in words and in the
    /// order in which they began; the nearest where there are many.
    ///
    /// - Parameters:
    ///   - moment: The moment.
    ///   - reach: What ended longer before it, in nanoseconds, is not told.
    ///   - countMax: As many are told.
    /// - Returns: A phrase for each.
    func surroundings(
        of moment: Moment,
        reach: Int64 = 30_000_000_000,
        countMax: Int = 6
    ) -> [String] {
        let known = lanes.flatMap { lane in
            lane.rows.flatMap { row -> [Surrounding] in
                switch row.label {
                case "faults", "link":
                    row.bands.map {
                        Surrounding(lane.name, $0.label, from: $0.from, until: $0.until)
                    }
                case "user":
                    row.marks.map { Surrounding(lane.name, $0.label, from: $0.at, until: $0.at) }
                default: []
                }
            }
        }
        let near = known.filter { $0.from <= moment.until && $0.until >= moment.from.minus(reach) }
        let latest = near.sorted { ($1.until, $0.from, $0.words) < ($0.until, $1.from, $1.words) }
        return latest.prefix(countMax).sorted { ($0.from, $0.words) < ($1.from, $1.words) }.map(
            \.words
        )
    }

    private struct Surrounding {
        var from: Int64
        var until: Int64
        var words: String

        init(_ component: String, _ label: String, from: Int64, until: Int64) {
            self.from = from
            self.until = until
            let unit = MetricUnit.nanoseconds
            let time =
                from == until
                ? "at \(unit.text(from))" : "from \(unit.text(from)) to \(unit.text(until))"
            words = "\(label) of \(component) \(time)"
        }
    }
}
