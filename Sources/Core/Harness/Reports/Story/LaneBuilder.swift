import KodamaEvidence

/// Turns the records about one component into the rows of its lane.
struct LaneBuilder {
    private struct Open {
        var row: String
        var from: Int64
        var label: String
        var tone: RunStory.Tone
    }

    let name: String
    /// Rows by label, in the order of `Self.order`.
    private var rows: [String: RunStory.Row] = [:]
    /// By row, or by what may go on beside others of its row.
    private var open: [String: Open] = [:]

    /// The rows from top to bottom; rows with other labels follow in the order of their names.
    private static let order = [
        "user", "app", "attempts", "interface", "path", "link", "faults", "speaks", "muted",
        "sends", "plays", "made up", "agent hears", "phone hears", "music", "packets", "events",
    ]
    /// Sound with a smaller gap between is one stretch, in nanoseconds: three frames, or what a picture of
    /// the whole run hardly shows.
    private static let joinableGap: Int64 = 60_000_000
    /// How many of the latest stretches are looked at: as many may sound at once.
    private static let joinableCount = 8

    init(_ name: String) {
        self.name = name
    }

    /// A row shows a state from now on, until `end` or another one.
    mutating func begin(_ row: String, at instant: Int64, _ label: String, _ tone: RunStory.Tone) {
        if let open = open[row], open.label == label, open.tone == tone { return }
        end(row, at: instant)
        open[row] = Open(row: row, from: instant, label: label, tone: tone)
    }

    /// A row shows something from now on, beside whatever else it shows, until `end` of it.
    mutating func begin(_ label: String, in row: String, at instant: Int64) {
        guard open[label] == nil else { return }
        open[label] = Open(row: row, from: instant, label: label, tone: .bad)
    }

    /// A row's state ends, or one beside others; how it ended may change what is said of it.
    mutating func end(
        _ key: String,
        at instant: Int64,
        with suffix: String? = nil,
        _ tone: RunStory.Tone? = nil
    ) {
        guard let open = open.removeValue(forKey: key), instant > open.from else { return }
        let label = suffix.map { "\(open.label): \($0)" } ?? open.label
        add(
            RunStory.Band(from: open.from, until: instant, label: label, tone: tone ?? open.tone),
            to: open.row
        )
    }

    /// A stretch that is known whole; joined with the last one of its label if hardly anything, or less than
    /// `gap`, lies between.
    mutating func sound(
        _ row: String,
        from: Int64,
        until: Int64,
        _ label: String,
        gap: Int64 = 0
    ) {
        if let latest = latest(label, in: row),
            from.minus(latest.until) <= max(gap, Self.joinableGap)
        {
            rows[row]?.bands[latest.index].until = max(latest.until, until)
        } else {
            add(RunStory.Band(from: from, until: until, label: label, tone: .speech), to: row)
        }
    }

    /// The last stretch of a label among the latest of a row, and when it ends.
    private func latest(_ label: String, in row: String) -> (index: Int, until: Int64)? {
        guard let bands = rows[row]?.bands else { return nil }
        let index = bands.indices.suffix(Self.joinableCount).last { bands[$0].label == label }
        return index.map { ($0, bands[$0].until) }
    }

    mutating func mark(_ row: String, at instant: Int64, _ label: String) {
        rows[row, default: Self.empty(row)].marks.append(RunStory.Mark(at: instant, label: label))
    }

    mutating func count(
        _ row: String,
        _ label: String,
        at instant: Int64,
        step: Int64,
        of total: Int
    ) {
        let bin = min(total - 1, Int(max(0, instant) / step))
        let known = rows[row]?.counts.firstIndex { $0.label == label }
        if let known {
            rows[row]?.counts[known].counts[bin] += 1
        } else {
            var counts = Array(repeating: 0, count: total)
            counts[bin] = 1
            rows[row, default: Self.empty(row)].counts.append(
                RunStory.Counts(label: label, stepNanoseconds: step, counts: counts)
            )
        }
    }

    /// The lane when the run has ended, and for how long it was in trouble.
    mutating func finish(at end: Int64) -> (lane: RunStory.Lane, trouble: Int64) {
        for key in open.keys.sorted() { self.end(key, at: end) }
        let known = Self.order.compactMap { rows[$0] }
        let others = rows.keys.filter { !Self.order.contains($0) }.sorted().compactMap { rows[$0] }
        var all = known + others
        for index in all.indices {
            all[index].counts.sort { $0.label < $1.label }
            all[index].bands.sort { $0.from < $1.from }
        }
        let trouble = all.flatMap(\.bands).filter { $0.tone == .bad || $0.tone == .busy }
            .map(\.length).heldSum
        return (RunStory.Lane(name: name, rows: all), trouble)
    }

    private mutating func add(_ band: RunStory.Band, to row: String) {
        rows[row, default: Self.empty(row)].bands.append(band)
    }

    private static func empty(_ label: String) -> RunStory.Row {
        RunStory.Row(label: label, bands: [], marks: [], counts: [])
    }
}
