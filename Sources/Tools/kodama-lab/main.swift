import ArgumentParser
import KodamaCommand
import KodamaShipped

await CommandLineTool.main(Laboratory.self, systems: .shipped)

/// Judges parts of the client code alone, where a scenario judges an app in its world.
struct Laboratory: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "kodama-lab",
        abstract: "Judges parts alone: the detector, the jitter buffer, the token endpoint, links.",
        discussion: """
            Scenarios, which judge whole apps, are run by kodama.

            Results go to stdout, everything else to stderr. Exit codes are those of kodama.
            """,
        version: "0.1.0",
        subcommands: [
            VadCommand.self, ScenesCommand.self, JitterCommand.self, DelaysCommand.self,
            CalibrateCommand.self, TokenCommand.self, WireCommand.self, LinkCommand.self,
        ]
    )
}
