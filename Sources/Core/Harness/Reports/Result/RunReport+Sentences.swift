import KodamaEvidence
import KodamaLanguage

// What several renderings say in the same words.

extension RunReport {
    /// The names of its scenarios.
    var titles: [String] { Self.titles(scenarios.map { ($0.about.name, $0.about.file) }) }

    /// What each scenario is called: its name, and its file too where another has the same name.
    ///
    /// - Parameter scenarios: Their names and files.
    /// - Returns: The titles, in the same order.
    public static func titles(_ scenarios: [(name: String, file: String)]) -> [String] {
        let counts = Dictionary(scenarios.map { ($0.name, 1) }, uniquingKeysWith: +)
        return scenarios.map { name, file in
            counts[name] ?? 0 > 1 ? "\(name) (\(file))" : name
        }
    }

    /// The title of a scenario of which an interruption left points undone.
    ///
    /// - Parameters:
    ///   - title: What the scenario is called.
    ///   - points: The labels of those points; at least one.
    /// - Returns: The title, with the first of them and how many others there are.
    public static func title(_ title: String, without points: [String]) -> String {
        let rest = points.count - 1
        return "\(title) at \(points.first ?? "")" + (rest > 0 ? " and \(rest) more" : "")
    }

    /// The titles of the scenarios of which something holds.
    private func titlesWhere(_ holds: (ScenarioReport) -> Bool) -> [String] {
        zip(scenarios, titles).filter { holds($0.0) }.map(\.1)
    }

    /// What is said of a scenario that an interruption left undone.
    static let notRunSentence = "not run: the run was interrupted"

    /// The verdict in one line.
    public var verdictLine: String {
        let red = titlesWhere(\.ending.isFailure)
        let open = titlesWhere { $0.ending == .undecided }
        let runs = counted(runCount, "run")
        var line: String
        if tier == .explored, notRun == nil {
            return "EXPLORED: \(counted(scenarios.count, "scenario")), \(runs); no miss counts"
        } else if tier == .quick, notRun == nil, red.isEmpty {
            let points = scenarios.flatMap(\.points)
            let all = points.map(\.about.plannedSeeds).heldSum
            line = "NO FAILURE: \(counted(scenarios.count, "scenario")), \(runCount) of "
            line += "\(counted(all, "run"))"
            line += open.isEmpty ? "" : "; undecided so far: \(open.joined(separator: ", "))"
            line += "; a quick run promises nothing"
        } else if let notRun {
            let done = scenarios.filter { $0.isPartial != true }.count
            let all = counted(done + notRun.count, "scenario")
            let over = titlesWhere { $0.ending.isFailure && $0.isPartial != true }
            let already = titlesWhere { $0.ending.isFailure && $0.isPartial == true }
            line = "INTERRUPTED: \(done) of \(all) done"
            line += over.isEmpty ? "" : ", of which fail: \(over.joined(separator: ", "))"
            line += "; not done: \(notRun.joined(separator: ", "))"
            line += already.isEmpty ? "" : "; fails already: \(already.joined(separator: ", "))"
        } else if red.isEmpty, !open.isEmpty {
            line = "UNDECIDED: \(open.joined(separator: ", "))"
            line += " (\(open.count) of \(counted(scenarios.count, "scenario")), \(runs))"
        } else if red.isEmpty {
            let expected = titlesWhere { $0.ending == .failedAsExpected }
            let aside =
                expected.isEmpty
                ? "" : " (failing as expected: \(expected.joined(separator: ", ")))"
            line = "PASS: \(counted(scenarios.count, "scenario"))\(aside), \(runs)"
        } else {
            line = "FAIL: \(red.joined(separator: ", "))"
            line += " (\(red.count) of \(counted(scenarios.count, "scenario")), \(runs))"
            if !open.isEmpty { line += "; undecided: \(open.joined(separator: ", "))" }
        }
        let ungated = titlesWhere { !$0.isGated }
        if !ungated.isEmpty {
            line += "; nothing is expected of \(ungated.joined(separator: ", "))"
        }
        return line
    }
}

extension ScenarioReport {
    /// What was run, in a few words: points, seeds, duration, how much is real.
    public var headline: String {
        var parts: [String] = []
        if let sweep = about.sweep {
            let joined = sweep.names.joined(separator: sweep.isGrid ? " by " : ", ")
            parts.append("\(counted(points.count, "point")) of \(joined)")
        } else if let label = points.first?.about.label, !label.isEmpty {
            parts.append("at \(label)")
        }
        parts.append(seedsText)
        let durations = points.map(\.about.durationNanoseconds)
        let texts = [durations.min(), durations.max()].compactMap(\.self).map {
            MetricUnit.nanoseconds.text($0)
        }
        let isOne = texts.first == texts.last
        parts.append((isOne ? texts.first ?? "" : texts.joined(separator: " to ")) + " each")
        for (modes, noun) in [
            (points.compactMap(\.about.audio), "audio"),
            (points.compactMap(\.about.media), "media"),
        ] {
            let distinct = modes.distinct
            if !distinct.isEmpty { parts.append("\(distinct.joined(separator: " and ")) \(noun)") }
        }
        return parts.joined(separator: ", ")
    }

    private var seedsText: String {
        let seeds = points.map { $0.runs.map(\.seed) }
        let isOne = seeds.allSatisfy { $0 == seeds.first }
        guard isOne, let all = seeds.first, let first = all.first, let last = all.last else {
            return counted(seeds.joined().count, "run")
        }
        let each = seeds.count > 1 ? " each" : ""
        return (first == last ? "seed \(first)" : "seeds \(first) to \(last)") + each
    }

    /// The preset and the settings that all points share, those of the preset left out.
    public var settingsLine: String? {
        guard let first = points.first?.about else { return nil }
        let swept = Set(about.sweep?.names ?? [])
        var words: [String] = []
        if let preset = first.preset, preset != "default", !swept.contains("preset"),
            points.allSatisfy({ $0.about.preset == preset })
        {
            words.append("preset \(preset)")
        }
        let shared = first.settings.filter { setting in
            !setting.isOfPreset && points.allSatisfy { $0.about.settings.contains(setting) }
        }
        words += shared.map(\.description)
        return words.isEmpty ? nil : words.joined(separator: ", ")
    }

    private static let presetSettingCountMax = 8

    /// What the preset sets, of the point that is missed first.
    var presetLine: String? {
        guard let about = misses.first.map({ points[$0.point].about }), let preset = about.preset
        else { return nil }
        let set = about.settings.filter(\.isOfPreset).map(\.description)
        guard !set.isEmpty else { return nil }
        let left = set.count - Self.presetSettingCountMax
        let more = left > 0 ? " and \(left) more" : ""
        let shown = set.prefix(Self.presetSettingCountMax).joined(separator: ", ")
        return "preset \(preset) sets \(shown)\(more)"
    }

    /// At which points a sweep passes; `nil` if at all, and of one that is documented to fail.
    public var passingSentence: String? {
        guard about.sweep != nil, about.expected == .pass, isGated, points.count > 1 else {
            return nil
        }
        let passing = points.indices.filter { points[$0].verdict <= .warn }
        guard passing.count < points.count else { return nil }
        guard !passing.isEmpty else { return "passes at no point" }
        var texts: [String] = []
        var (width, rest) = (0, passing.count)
        for row in neighbours(of: passing) {
            var text = points[row.lowerBound].about.label
            if row.count > 1 {
                text += " to \(points[row.upperBound].about.values.last?.value ?? "")"
            }
            width += text.count
            guard texts.isEmpty || width <= Self.namesWidthMax else { break }
            texts.append(text)
            rest -= row.count
        }
        return "passes at \(passing.count) of \(counted(points.count, "point")): "
            + texts.joined(separator: "; ") + (rest > 0 ? " and \(rest) more" : "")
    }

    /// No list of points gets longer by choice.
    private static let namesWidthMax = 120

    /// Of one swept amount, three and more points next to each other are a row, others are alone.
    private func neighbours(of passing: [Int]) -> [ClosedRange<Int>] {
        let isInOrder = sweepsInOrder
        var rows: [ClosedRange<Int>] = []
        for index in passing {
            if isInOrder, let row = rows.last, row.upperBound + 1 == index {
                rows[rows.count - 1] = row.lowerBound...index
            } else {
                rows.append(index...index)
            }
        }
        return rows.flatMap { row in row.count > 2 ? [row] : row.map { $0...$0 } }
    }

    /// Whether one amount is swept that only rises or only falls.
    ///
    /// Of words, and of amounts in another order, two ends do not say what lies between them.
    private var sweepsInOrder: Bool {
        guard about.sweep?.names.count == 1 else { return false }
        let texts = points.map { $0.about.values.last?.value ?? "" }
        var readings: [[Int64]] = [texts.compactMap { Int64($0) }]
        for kind in QuantityKind.allCases {
            readings.append(texts.compactMap { kind.amount(of: $0) })
        }
        return readings.contains { amounts in
            guard amounts.count == texts.count else { return false }
            let steps = zip(amounts, amounts.dropFirst())
            return steps.allSatisfy { $0 < $1 } || steps.allSatisfy { $0 > $1 }
        }
    }

    /// What there is to say where a scenario says that it fails, a line each.
    public var endingRemarks: [String] {
        guard about.expected == .fail, let because = about.because else { return [] }
        switch ending {
        case .failedAsExpected:
            let labels = missedPoints.map(\.about.label).filter { !$0.isEmpty }
            let position = labels.isEmpty ? "" : " at \(labels.joined(separator: "; "))"
            return ["fails as expected\(position)", "  because: \(because)"]
        case .passedUnexpectedly:
            return [
                "passes, but is documented to fail: remove 'outcome: fail', or find out what changed",
                "  because: \(because)",
            ]
        case .failed:
            return [
                "documented to fail, but not like this: only gates may, and only where it says"
            ]
        case .undecided:
            return ["documented to fail, and undecided: more runs or longer ones must tell"]
        case .passed:
            return ["documented to fail elsewhere; what was run here had to pass"]
        }
    }
}

extension Array where Element: Equatable {
    /// Each element once, in the order in which they first come.
    var distinct: [Element] {
        reduce(into: []) { elements, element in
            if !elements.contains(element) { elements.append(element) }
        }
    }
}
