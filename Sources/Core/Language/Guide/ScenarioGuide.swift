import KodamaEvidence

/// The guide to the scenario language, as Markdown: what systems bring to begin with, then everything
/// that can be written.
///
/// All but the beginning is made from the tables by which files are checked, so it cannot go stale.
public enum ScenarioGuide {
    /// The guide with the words of `vocabulary`, a line break at the end.
    ///
    /// What depends on the installation (requirements, recorded voices) is not in it.
    public static func markdown(vocabulary: ScenarioVocabulary) -> String {
        var tables = GuideTables()
        let root = ScenarioLanguage.root(vocabulary.language)
        tables.add(root)
        let parts: [[String]] = [
            [opening], vocabulary.language.tours, [rules], ["## Every key"], tables.sections,
            ["## Units"], [units],
            ["## Expectations"], [expectations(vocabulary)], ["## Parameters"],
            [parameters(vocabulary.parameters)],
        ]
        return parts.joined().joined(separator: "\n\n") + "\n"
    }

    private static var units: String {
        """
        A quantity is a number with its unit behind it, with or without one space: `150ms`, `1.5 s`.

        | quantity | units | such as |
        |---|---|---|

        """
            + QuantityKind.allCases.map { kind in
                let symbols = kind.units.map { "`\($0.symbol)`" }.joined(separator: ", ")
                return "| \(kind.noun) | \(symbols) | \(kind.example) |"
            }.joined(separator: "\n")
    }

    private static func expectations(_ vocabulary: ScenarioVocabulary) -> String {
        let statistics = StatisticName.common.map { "`\($0)`" }.joined(separator: ", ")
        let comparisons = Comparison.allCases.map { "`\($0.rawValue)`" }.joined(separator: ", ")
        let metrics = vocabulary.metrics.map { metric in
            "| `\(metric.name)` | \(metric.unit.written) | \(metric.meaning) |"
        }
        let meanings = vocabulary.systems.evidence.invariants
        let invariants = vocabulary.invariants.map { name in
            "| `\(name)` | \(meanings.first { $0.name == name }?.meaning ?? "") |"
        }
        return """
            A limit is a comparison and a value, in quotes: `"<= 90ms"`. Comparisons are \
            \(comparisons); statistics are \(statistics), any other quantile such as `p99.5`, and \
            `share_above` with any threshold.

            | metric | unit | meaning |
            |---|---|---|
            \(metrics.joined(separator: "\n"))

            | invariant | meaning |
            |---|---|
            \(invariants.joined(separator: "\n"))
            """
    }

    private static func parameters(_ catalog: ParameterCatalog) -> String {
        let rows = catalog.parameters.map { parameter in
            "| `\(parameter.name)` | \(parameter.scope.words) | `\(parameter.defaultText)` "
                + "| \(parameter.rangeText) | \(parameter.meaning) |"
        }
        return """
            Figures of the apps, phones and servers, by dotted name or nested; the command line sets \
            them with `--set name=value`.

            | parameter | of | default | range | meaning |
            |---|---|---|---|---|
            \(rows.joined(separator: "\n"))
            """
    }
}

extension ParameterScope {
    /// Whose figure it is, in a few words.
    fileprivate var words: String {
        switch self {
        case .app(let system): "the \(system) app"
        case .phones: "phones"
        case .servers(of: let system): "the \(system) app's servers"
        }
    }
}
