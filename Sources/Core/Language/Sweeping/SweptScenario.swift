/// A scenario file with what it sweeps, and each of its points as a file of its own.
struct SweptScenario {
    /// How many values a file may have at all its points together.
    static let valuesMax = 2_000_000

    /// What is swept.
    let sweep: Sweep
    /// The points.
    let points: [[SweepBinding]]
    /// What has been found wrong.
    private(set) var reports: [Report]

    private let root: SyntaxNode
    private let parameters: ParameterCatalog
    private let places: [String: Place]
    /// The names whose values stand somewhere.
    private var used: Set<String> = []

    /// Takes a file's root and the arguments of the command line.
    init(_ root: SyntaxNode, arguments: [String], parameters: ParameterCatalog) {
        let node = root.entries?.first { $0.key == "sweep" }?.value
        let reader = SweepReader(node, arguments: arguments)
        self.root = root
        self.parameters = parameters
        sweep = reader.sweep
        points = reader.points
        reports = reader.reports
        places = reader.places
        // Every point is checked as a file of its own.
        let count = points.count * root.count
        if count > Self.valuesMax, let name = sweep.names.first, let place = places[name] {
            reports.append(
                Report(problem: .tooLarge("\(Self.valuesMax) values at all points"), place: place)
            )
        }
    }

    /// Every value that some point has, once each, in the order of the points.
    var values: [SweepValue] {
        var values: [SweepValue] = []
        for value in points.joined().map(\.value) where !values.contains(value) {
            values.append(value)
        }
        return values
    }

    /// The file as it reads at a point, without the key `sweep`.
    mutating func root(at point: [SweepBinding]) -> SyntaxNode {
        var entries: [SyntaxNode.Entry] = []
        for entry in root.entries ?? [] where entry.key != "sweep" {
            var entry = entry
            if !SweepReader.fixedKeys.contains(entry.key), !entry.key.hasPrefix("x-") {
                entry.value = replaced(entry.value, point)
            }
            entries.append(entry)
        }
        for binding in point where isKey(binding) {
            used.insert(binding.name)
            let value = SyntaxNode(content: .scalar(binding.scalar), place: binding.place)
            entries.removeAll { $0.key == binding.name }
            entries.append(.init(key: binding.name, keyPlace: binding.place, value: value))
        }
        for binding in point where binding.place.location.line == nil {
            let value = SyntaxNode(content: .scalar(binding.scalar), place: binding.place)
            let keyPlace = places[binding.name] ?? binding.place
            guard let link = SweptLink(binding.name),
                let written = link.written(value, keyPlace: keyPlace, in: entries)
            else { continue }
            used.insert(binding.name)
            if link.kinds.isEmpty {
                entries = written
            } else {
                refuse(binding.name, for: link.kinds, at: keyPlace)
            }
        }
        return SyntaxNode(content: .mapping(entries), place: root.place)
    }

    /// Reports the name of a key behind which no single value can stand.
    private mutating func refuse(_ name: String, for kinds: [String], at place: Place) {
        let problem = Problem.ofSystem(
            code: "wrong-kind",
            "'\(name)' takes no single value",
            hint: "write \(kinds.joined(separator: " or "))"
        )
        let report = Report(problem: problem, place: place)
        if !reports.contains(report) { reports.append(report) }
    }

    /// The settings that the command line sweeps at a point.
    mutating func settings(at point: [SweepBinding]) -> [ParameterSetting] {
        var settings: [ParameterSetting] = []
        for binding in point where binding.place.location.line == nil {
            guard let parameter = parameters[binding.name], !used.contains(binding.name) else {
                continue
            }
            let node = SyntaxNode(content: .scalar(binding.scalar), place: binding.place)
            var checker = ShapeChecker()
            let amount = checker.check(node, as: parameter.shape).flatMap(parameter.amount)
            reports += checker.reports
            guard let amount else { continue }
            settings.append(
                ParameterSetting(
                    name: binding.name,
                    value: amount,
                    written: binding.scalar.text,
                    place: binding.place
                )
            )
        }
        return settings
    }

    /// Reports names whose values are used nowhere; called after all points.
    mutating func checkUse() {
        for name in sweep.names where !used.contains(name) && parameters[name] == nil {
            guard let place = places[name] else { continue }
            let isArgument = place.location.line == nil
            if !isArgument, place.location.file != root.place.location.file {
                let heir = root.entries?.first { $0.key == "extends" }
                reports.append(
                    Report(
                        problem: .inheritedForNothing(name, from: place.location),
                        place: heir?.keyPlace ?? root.place
                    )
                )
                continue
            }
            if isArgument, let link = SweptLink(name) {
                let words = "'\(name)' is swept, but \(link.lack)"
                let problem = Problem.ofSystem(code: "swept-for-nothing", words, hint: nil)
                reports.append(Report(problem: problem, place: place))
                continue
            }
            let known = isArgument ? sweep.names.filter { used.contains($0) } : []
            let keys = SweepReader.plainKeys + parameters.nearby(name)
            reports.append(
                Report(
                    problem: isArgument
                        ? .noSuch(.sweptValue, name, known: known + keys) : .sweptForNothing(name),
                    place: place
                )
            )
        }
    }

    /// Whether the command line sweeps a key of the file itself.
    private func isKey(_ binding: SweepBinding) -> Bool {
        binding.place.location.line == nil && SweepReader.plainKeys.contains(binding.name)
    }

    // MARK: - Uses

    /// A value with all uses below it replaced.
    private mutating func replaced(_ node: SyntaxNode, _ point: [SweepBinding]) -> SyntaxNode {
        var node = node
        switch node.content {
        case .scalar(let scalar):
            guard let use = Self.use(in: scalar.text) else { return node }
            if !sweep.names.contains(use.name) { report(use.name, at: node.place) }
            // After a slip of the keyboard the rest is still worth checking.
            let meant = Suggestion.nearest(to: use.name, among: sweep.names)
            let name = sweep.names.contains(use.name) ? use.name : meant
            guard let name, let binding = point.first(where: { $0.name == name }) else {
                return node
            }
            used.insert(name)
            let text = use.lead + binding.scalar.text
            let isPlain = use.lead.isEmpty ? binding.scalar.isPlain : scalar.isPlain
            node.content = .scalar(ScalarText(text: text, isPlain: isPlain))
            node.place.sweep = SweepUse(value: binding.value, location: binding.place.location)
        case .sequence(let nodes):
            node.content = .sequence(nodes.map { replaced($0, point) })
        case .mapping(let entries):
            node.content = .mapping(
                entries.map { entry in
                    var entry = entry
                    entry.value = replaced(entry.value, point)
                    return entry
                }
            )
        }
        return node
    }

    private mutating func report(_ name: String, at place: Place) {
        let report = Report(
            problem: .noSuch(.sweptValue, name, known: sweep.names),
            place: place
        )
        if !reports.contains(report) { reports.append(report) }
    }

    /// The name behind `$`, and the comparison before it, if that is all that is written.
    private static func use(in text: String) -> (lead: String, name: String)? {
        guard let sign = text.firstIndex(of: "$") else { return nil }
        let lead = text[..<sign]
        let name = text[text.index(after: sign)...]
        guard lead.allSatisfy({ "<>= ".contains($0) }), SweepName.isValid(String(name)) else {
            return nil
        }
        return (String(lead), String(name))
    }
}
