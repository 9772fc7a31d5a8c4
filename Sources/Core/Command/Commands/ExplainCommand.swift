import ArgumentParser
import KodamaEvidence
import KodamaHarness
import KodamaLanguage
import SansIO

/// Says in sentences what happened in one run.
struct ExplainCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain",
        abstract: "Says in sentences what happened in one run, cause before effect.",
        discussion: """
            Runs one seed, or a capsule, and says what its records mean: when, to whom, how long after \
            what led to it. Ends with 0 whatever the run shows; 'replay' judges it, 'why' finds the moment \
            at which a failure became certain.
            """
    )

    @OptionGroup var choice: OneRunOptions

    @Option(
        help: .init(
            "Only what befalls this component, with * for any letters; repeatable.",
            valueName: "name"
        )
    )
    var component: [String] = []

    @Option(help: .init("The earliest instant, such as 1.5s.", valueName: "time"))
    var from: String?

    @Option(help: .init("The instant to stop before, such as 2s.", valueName: "time"))
    var until: String?

    @Option(
        help: .init(
            "Only each sample of this metric beyond a gate's limit, with what led to it; without a gate the "
                + "greatest, or the least where more is better.",
            valueName: "metric"
        )
    )
    var about: String?

    @Flag(help: "Print every sentence; runs of like ones are folded otherwise.")
    var all = false

    @Flag(help: "Print the sentences as JSON.")
    var json = false

    func run() throws {
        let window = try window()
        let metric = try metric()
        let run = try choice.load()
        let voices = try run.loaded.voices()
        var explanation = try Failure.describing {
            try Explanation(
                of: run.single(voices),
                scenario: run.scenario.name,
                about: about,
                beyond: run.point.expectations.gates
            )
        }
        try refuseUnknown(among: explanation)
        if let metric {
            explanation.tellSamples(beyond: run.point.alone.expectations.gates, metric) {
                keeps($0, window)
            }
        }
        explanation.sentences.removeAll { !keeps($0, window) }
        if json {
            try Terminal.say(String(decoding: try explanation.json, as: UTF8.self))
        } else {
            try Terminal.say(explanation.text(isWhole: all))
        }
    }

    private func window() throws -> Range<Instant> {
        let first = try from.map { try Settings.instant($0, option: "--from") } ?? .zero
        let last = Instant(nanoseconds: .max)
        let end = try until.map { try Settings.instant($0, option: "--until") } ?? last
        guard first < end else {
            let texts = [from.map { "--from \($0)" }, until.map { "--until \($0)" }]
            throw Failure(
                .usage,
                texts.compactMap(\.self).joined(separator: " ") + ": nothing lies between them"
            )
        }
        return first..<end
    }

    /// The metric that is asked about.
    private func metric() throws -> MetricDescription? {
        guard let about else { return nil }
        let metrics = CommandLineTool.systems.evidence.metrics
        if let metric = metrics.first(where: { $0.name == about }) { return metric }
        let hint = Suggestion.nearest(to: about, among: metrics.map(\.name))
            .map { "; did you mean '\($0)'?" }
        throw Failure(.usage, "--about \(about): there is no such metric\(hint ?? "")")
    }

    private func keeps(_ sentence: Sentence, _ window: Range<Instant>) -> Bool {
        window.contains(sentence.at) && isChosen(sentence.component)
    }

    /// Whether a sample lies in the stretch, at least in part, and befell a component that is asked for.
    private func keeps(_ sample: LocatedSample, _ window: Range<Instant>) -> Bool {
        sample.from < window.upperBound.nanoseconds && sample.until >= window.lowerBound.nanoseconds
            && (isChosen(sample.component)
                || isChosen(sample.component.flatMap(TraceDirectory.owner)))
    }

    private func isChosen(_ name: String?) -> Bool {
        component.isEmpty || component.contains { NamePattern($0).matches(name ?? "-") }
    }

    private func refuseUnknown(among explanation: Explanation) throws {
        var names: [String] = []
        for case let name? in explanation.sentences.map(\.component) where !names.contains(name) {
            names.append(name)
        }
        for pattern in component where !names.contains(where: NamePattern(pattern).matches) {
            let hint = Suggestion.nearest(to: pattern, among: names)
                .map { "; did you mean '\($0)'?" }
            throw Failure(
                .usage,
                "--component \(pattern): no sentence is about such a component\(hint ?? "")\n"
                    + "Known: \(names.joined(separator: ", "))"
            )
        }
    }
}
