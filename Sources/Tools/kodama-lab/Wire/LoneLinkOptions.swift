import ArgumentParser
import KodamaCommand
import KodamaLanguage

/// The options by which one link of a scenario is chosen.
struct LoneLinkOptions: ParsableArguments {
    @Argument(help: "The scenario file.", completion: .file(extensions: ["yaml"]))
    var file: String

    @Option(help: .init("The link: PHONE/INTERFACE or PHONE/PHONE.", valueName: "name"))
    var link: String

    @Option(parsing: .unconditional, help: .init("The seed.", valueName: "number"))
    var seed: UInt64 = 1

    @OptionGroup var parameters: ParameterOptions

    @OptionGroup var sweeping: SweepOptions

    func validate() throws {
        // As 'first_seed' of a scenario.
        guard seed <= 1_000_000_000_000 else {
            throw ValidationError("--seed \(seed): at most 1000000000000")
        }
    }

    /// Loads the scenario, of which one point must be chosen.
    func load() throws -> WorldPlan {
        try LoadedScenarios.plan(of: file, settings: parameters.settings, sweeping: sweeping)
    }
}

/// Where one end of a wire is: a network namespace that `ip netns` made, and an IPv4 address.
struct WireEnd: ExpressibleByArgument {
    /// Empty for this process's own.
    var space: String
    var address: String

    /// Reads `SPACE=ADDRESS`.
    init?(argument text: String) {
        let parts = text.split(separator: "=", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2, !parts[1].isEmpty else { return nil }
        (space, address) = (parts[0], parts[1])
    }
}
