import ArgumentParser
import Foundation
import KodamaLanguage

/// Prints the guide to the scenario language.
struct GuideCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "guide",
        abstract: "Prints the guide to the scenario language, as Markdown.",
        discussion: """
            One page from nothing to a failing gate, then every key, verb, fault, unit, metric and \
            parameter, made from the tables by which scenarios are checked.
            """
    )

    @Option(
        name: .shortAndLong,
        help: .init("The file to write; stdout if not given.", valueName: "file")
    )
    var output: String?

    func run() throws {
        let vocabulary = ScenarioVocabulary(systems: CommandLineTool.systems)
        let text = ScenarioGuide.markdown(vocabulary: vocabulary)
        try Outputs.deliver(Data(text.utf8), to: output)
    }
}
