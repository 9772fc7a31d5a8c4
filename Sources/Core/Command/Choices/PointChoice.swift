import KodamaLanguage

/// Which points of sweeps are run, from arguments such as `--only outage=5s`.
///
/// Values of one name widen the choice, names narrow it.
struct PointChoice {
    private var conditions: [SweepCondition] = []

    /// Reads `name=value` arguments.
    init(_ arguments: [String]) throws {
        for argument in arguments {
            guard let sign = argument.firstIndex(of: "="), sign > argument.startIndex else {
                throw Failure(.usage, "--only \(argument): write name=value, such as outage=5s")
            }
            let name = String(argument[..<sign])
            let value = String(argument[argument.index(after: sign)...])
            if let index = conditions.firstIndex(where: { $0.name == name }) {
                conditions[index].values.append(value)
            } else {
                conditions.append(SweepCondition(name: name, values: [value]))
            }
        }
    }

    /// The chosen points; a scenario without any is left out.
    ///
    /// - Throws: An end, if nothing of that name is swept or it never has that value.
    func apply(
        to scenarios: [(file: String, scenario: Scenario)]
    ) throws -> [(file: String, scenario: Scenario)] {
        guard !conditions.isEmpty else { return scenarios }
        let known = scenarios.flatMap(\.scenario.points).flatMap(\.values)
        for condition in conditions {
            for value in condition.values {
                try check(SweepValue(condition.name, value), among: known)
            }
        }
        let chosen = scenarios.compactMap { file, scenario -> (file: String, scenario: Scenario)? in
            var chosen = scenario
            chosen.points = scenario.points.filter(isChosen)
            return chosen.points.isEmpty ? nil : (file, chosen)
        }
        guard !chosen.isEmpty else {
            throw Failure(.usage, "--only: no point of a sweep has all of these values")
        }
        return chosen
    }

    private func isChosen(_ point: ScenarioPoint) -> Bool {
        conditions.allSatisfy { $0.holds(at: point) }
    }

    private func check(_ wanted: SweepValue, among known: [SweepValue]) throws {
        guard !known.contains(where: wanted.isSame) else { return }
        let (name, value) = (wanted.name, wanted.text)
        let values = known.filter { $0.name == name }.map(\.text)
        let isName = values.isEmpty
        let words = Self.distinct(isName ? known.map(\.name) : values)
        let hint = Suggestion.nearest(to: isName ? name : value, among: words)
            .map { "; did you mean '\($0)'?" }
        let fault = isName ? "nothing of that name is swept" : "it never has that value"
        let list =
            words.isEmpty
            ? "; a file's 'sweep', or '--sweep', gives it values"
            : "\nKnown: \(words.joined(separator: ", "))"
        throw Failure(.usage, "--only \(name)=\(value): \(fault)\(hint ?? "")\(list)")
    }

    private static func distinct(_ words: [String]) -> [String] {
        var distinct: [String] = []
        for word in words where !distinct.contains(word) { distinct.append(word) }
        return distinct
    }
}
