/// A value of something swept, with the place where it was given.
struct SweepBinding: Sendable, Equatable {
    /// What is swept.
    var name: String
    /// The value, still text.
    var scalar: ScalarText
    /// Where the value stands.
    var place: Place

    /// The value as reports name it.
    var value: SweepValue { SweepValue(name, scalar.text) }
}

/// What a scenario and the command line sweep, before it is known where the values are used.
struct SweepReader {
    /// How many points a sweep may have.
    static let pointsMax = 1_000
    /// Keys that a swept value cannot stand behind: they are of the file and not of a point.
    static let fixedKeys = [
        "version", "scenario", "summary", "extends", "outcome", "because", "where",
        "sweep",
    ]
    /// Keys that the command line may sweep by their names.
    static let plainKeys = ["preset", "duration", "voice"]

    /// What is swept.
    private(set) var sweep = Sweep()
    /// The points, each with a value of everything that is swept; one without any if nothing is.
    private(set) var points: [[SweepBinding]] = [[]]
    /// Where each name is given.
    private(set) var places: [String: Place] = [:]
    /// What has been found wrong.
    private(set) var reports: [Report] = []

    /// Reads the key `sweep` and arguments such as `--sweep outage=1s,2s`.
    init(_ node: SyntaxNode?, arguments: [String]) {
        let overriding = arguments.compactMap { argument($0) }
        refuseRepetition(in: overriding)
        if case .sequence(let nodes) = node?.content {
            list(nodes)
            refuseOverriding(overriding)
        }
        var dimensions: [[SweepBinding]] = []
        if let entries = node?.entries {
            for entry in entries where !entry.key.hasPrefix("x-") {
                guard checkName(entry.key, at: entry.keyPlace) else { continue }
                let replacement = overriding.last { $0.first?.name == entry.key }
                dimensions.append(replacement ?? values(of: entry))
            }
        } else if let node, node.content.isScalar {
            reports.append(
                Report(
                    problem: .wrongKind(
                        expected: "a mapping of names to lists, or a list of points",
                        found: node.kindName
                    ),
                    place: node.place
                )
            )
        }
        for dimension in overriding
        where !dimensions.contains(where: { $0.first?.name == dimension.first?.name }) {
            dimensions.append(dimension)
        }
        multiply(dimensions.filter { !$0.isEmpty })
    }

    /// The values behind a name of a grid.
    private mutating func values(of entry: SyntaxNode.Entry) -> [SweepBinding] {
        guard case .sequence(let nodes) = entry.value.content, !nodes.isEmpty else {
            var found = entry.value.kindName
            if case .sequence = entry.value.content { found = "an empty list" }
            reports.append(
                Report(
                    problem: .wrongKind(expected: "a list of values", found: found),
                    place: entry.value.place
                )
            )
            return []
        }
        var bindings: [SweepBinding] = []
        var known: Set<String> = []
        for node in nodes.prefix(Self.pointsMax + 1) {
            guard let binding = binding(entry.key, node) else { continue }
            let identities = binding.value.identities
            defer { known.formUnion(identities) }
            if identities.contains(where: known.contains) {
                let problem = Problem.sameTwice(binding.scalar.text, inside: "'\(entry.key)'")
                reports.append(Report(problem: problem, place: node.place))
            } else {
                bindings.append(binding)
            }
        }
        return bindings
    }

    private mutating func binding(_ name: String, _ node: SyntaxNode) -> SweepBinding? {
        guard case .scalar(let scalar) = node.content, !scalar.isNull else {
            let problem = Problem.wrongKind(expected: "a single value", found: node.kindName)
            reports.append(Report(problem: problem, place: node.place))
            return nil
        }
        return SweepBinding(name: name, scalar: scalar, place: node.place)
    }

    /// The points of a list, which all have the same names.
    private mutating func list(_ nodes: [SyntaxNode]) {
        sweep.isGrid = false
        points = []
        for node in nodes {
            guard let entries = node.entries, !entries.isEmpty else {
                let problem = Problem.wrongKind(
                    expected: "a point: names with values",
                    found: node.kindName
                )
                reports.append(Report(problem: problem, place: node.place))
                continue
            }
            var bindings: [SweepBinding] = []
            for entry in entries where checkName(entry.key, at: entry.keyPlace) {
                if let binding = binding(entry.key, entry.value) { bindings.append(binding) }
            }
            if sweep.names.isEmpty { sweep.names = bindings.map(\.name) }
            let ordered = sweep.names.compactMap { name in bindings.first { $0.name == name } }
            guard ordered.count == sweep.names.count, bindings.count == ordered.count else {
                let problem = Problem.unlikePoints(sweep.names)
                reports.append(Report(problem: problem, place: node.place))
                continue
            }
            points.append(ordered)
        }
        if points.count > Self.pointsMax { refuseSize(points.count) }
    }

    private mutating func checkName(_ name: String, at place: Place) -> Bool {
        guard SweepName.isValid(name) else {
            reports.append(Report(problem: .badName(name), place: place))
            return false
        }
        if places[name] == nil { places[name] = place }
        return true
    }

    /// All combinations, the first name changing slowest.
    private mutating func multiply(_ dimensions: [[SweepBinding]]) {
        sweep.names += dimensions.compactMap { $0.first?.name }
        let count = dimensions.reduce(points.count) { count, values in
            min(count * values.count, Int(Int32.max))
        }
        guard count <= Self.pointsMax else { return refuseSize(count) }
        for dimension in dimensions {
            points = points.flatMap { point in dimension.map { point + [$0] } }
        }
    }

    private mutating func refuseSize(_ count: Int) {
        let place = sweep.names.first.flatMap { places[$0] }
        points = [[]]
        guard let place else { return }
        reports.append(
            Report(problem: .tooManyPoints(count, most: Self.pointsMax), place: place)
        )
    }
}

// MARK: - The command line

extension SweepReader {
    /// Reads `name=value,value`, where `from..to/count` stands for as many values.
    private mutating func argument(_ argument: String) -> [SweepBinding]? {
        let location = SourceLocation(file: "--sweep \(argument)", line: nil, column: 1)
        let whole = Place(location: location, length: argument.unicodeScalars.count)
        guard let sign = argument.firstIndex(of: "="), sign > argument.startIndex else {
            reports.append(Report(problem: .notASweep(argument), place: whole))
            return nil
        }
        let name = String(argument[..<sign])
        places[name] = whole.advanced(by: 0, length: name.unicodeScalars.count)
        var bindings: [SweepBinding] = []
        var known: Set<String> = []
        var offset = name.unicodeScalars.count + 1
        let texts = argument[argument.index(after: sign)...]
            .split(separator: ",", omittingEmptySubsequences: false)
        for text in texts {
            let length = text.unicodeScalars.count
            let place = whole.advanced(by: offset, length: length)
            offset += length + 1
            if let problem = SweepRange.problem(in: text) {
                reports.append(Report(problem: problem, place: place))
                return nil
            }
            let range = SweepRange(text)
            if let count = range?.count, count > Self.pointsMax {
                let problem = Problem.tooManyPoints(count, most: Self.pointsMax)
                reports.append(Report(problem: problem, place: place))
                return nil
            }
            for text in range?.texts ?? [String(text)] {
                let identities = SweepValue(name, text).identities
                guard !text.isEmpty, !identities.contains(where: known.contains) else {
                    let problem =
                        text.isEmpty
                        ? Problem.notASweep(argument) : .sameTwice(text, inside: "'\(name)'")
                    reports.append(Report(problem: problem, place: place))
                    return nil
                }
                known.formUnion(identities)
                let scalar = ScalarText(text: text, isPlain: true)
                bindings.append(SweepBinding(name: name, scalar: scalar, place: place))
            }
        }
        return bindings
    }

    /// All values of a name stand in one argument: of two, one would be in vain.
    private mutating func refuseRepetition(in dimensions: [[SweepBinding]]) {
        var names: [String] = []
        for binding in dimensions.compactMap(\.first) {
            if names.contains(binding.name) {
                let problem = Problem.sameTwice(binding.name, inside: "the --sweep arguments")
                reports.append(Report(problem: problem, place: binding.place))
            }
            names.append(binding.name)
        }
    }

    /// A list of points has no values of its own that another list could replace.
    private mutating func refuseOverriding(_ dimensions: [[SweepBinding]]) {
        for dimension in dimensions {
            guard let name = dimension.first?.name, sweep.names.contains(name),
                let place = dimension.first?.place
            else { continue }
            reports.append(Report(problem: .sweptInPoints(name), place: place))
        }
    }
}

extension SyntaxNode.Content {
    fileprivate var isScalar: Bool {
        if case .scalar = self { true } else { false }
    }
}
