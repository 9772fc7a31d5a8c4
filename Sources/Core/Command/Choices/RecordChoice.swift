import ArgumentParser
import KodamaEvidence
import KodamaLanguage
import SansIO

/// The options by which records of a trace are chosen.
struct RecordChoice: ParsableArguments {
    @Option(
        help: .init(
            "A component's name, with * for any letters; repeatable.",
            valueName: "name"
        )
    )
    var component: [String] = []

    @Option(help: .init("A kind, such as frame.*; repeatable.", valueName: "name"))
    var kind: [String] = []

    @Option(help: .init("The earliest instant, such as 1.5s.", valueName: "time"))
    var from: String?

    @Option(help: .init("The instant to stop before, such as 2s.", valueName: "time"))
    var until: String?

    @Option(
        help: .init(
            "Only what is near a record of this kind, such as path.lost; repeatable.",
            valueName: "kind"
        )
    )
    var around: [String] = []

    @Option(help: .init("How near, before and after; 1s if not given.", valueName: "time"))
    var margin: String?

    /// What is chosen.
    ///
    /// - Throws: An end, if a time is none.
    func filter(level: TraceLevel) throws -> TraceFilter {
        var filter = TraceFilter()
        filter.components = component.map { NamePattern($0) }
        filter.kinds = kind.map { NamePattern($0) }
        filter.level = level
        filter.from = try from.map { try Settings.instant($0, option: "--from") }
        filter.until = try until.map { try Settings.instant($0, option: "--until") }
        filter.around = around.map { NamePattern($0) }
        if let margin {
            guard !around.isEmpty else {
                throw Failure(.usage, "--margin \(margin): it says how near to --around")
            }
            let reach = try Settings.instant(margin, option: "--margin")
            filter.margin = .nanoseconds(reach.nanoseconds)
        }
        if let from, let until, let first = filter.from, let end = filter.until, first >= end {
            throw Failure(.usage, "--from \(from) --until \(until): nothing lies between them")
        }
        return filter
    }
}

extension TraceFilter {
    /// Throws an end if a name fits nothing: an empty trace would look like a finding.
    func refuseUnknownNames(in trace: RecordedTrace) throws {
        let kinds = CommandLineTool.systems.evidence.forms.entries.map(\.text.name).sorted()
        for (patterns, names, option, noun) in [
            (components, trace.directory.names, "component", "component"),
            (self.kinds, kinds, "kind", "kind"), (around, kinds, "around", "kind"),
        ] {
            for pattern in patterns where !names.contains(where: pattern.matches) {
                let hint = Suggestion.nearest(to: pattern.text, among: names)
                    .map { "; did you mean '\($0)'?" }
                throw Failure(
                    .usage,
                    "--\(option) \(pattern.text): there is no such \(noun)\(hint ?? "")\n"
                        + "Known: \(names.joined(separator: ", "))"
                )
            }
        }
    }
}
