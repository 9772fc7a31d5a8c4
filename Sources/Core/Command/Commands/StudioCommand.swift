import ArgumentParser
import Foundation
import KodamaEvidence
import KodamaHarness
import KodamaLanguage
import KodamaStudio

/// Serves a page for designers, on this machine.
struct StudioCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "studio",
        abstract: "Serves a page that runs a scenario while a parameter is moved.",
        discussion: """
            Two settings side by side under the same weather: gates with their slack, curves, the worst seed. \
            Prints the page's address, which holds a key, and serves it until Ctrl-C. Its figures are those of \
            'kodama evaluate', whose command the page shows.

              kodama studio my-scenario.yaml --seeds 100
            """
    )

    @Argument(
        help: "The scenario file; the only one in Scenarios if none is given.",
        completion: .file(extensions: ["yaml"])
    )
    var file: String?

    @OptionGroup var parameters: ParameterOptions

    @OptionGroup var sweeping: SweepOptions

    @OptionGroup var programs: ProgramOptions

    @Option(
        parsing: .unconditionalSingleValue,
        help: .init(
            "A metric and its figure to measure besides the gates; repeatable.",
            valueName: "metric:figure"
        )
    )
    var objective: [String] = []

    @Option(parsing: .unconditional, help: SeedCount.help, transform: SeedCount.read)
    var seeds: SeedCount?

    @Flag(help: "Use the built-in synthetic voice instead of recordings.")
    var synthetic = false

    @OptionGroup var jobOptions: JobOptions

    @Option(help: .init("The port; 0 for any that is free.", valueName: "number"))
    var port: UInt16 = 0

    @Option(
        help: .init(
            "The IPv4 address to listen at; any but this machine's own needs --allow.",
            valueName: "address"
        )
    )
    var address = "127.0.0.1"

    @Flag(help: "Let other machines that know the page's address open it.")
    var allow = false

    func validate() throws {
        if seeds == .auto {
            throw ValidationError(
                "--seeds auto: both settings run the same seeds; write their number"
            )
        }
    }

    func run() async throws {
        guard allow || StudioServer.isLoopback(address) else {
            throw Failure(
                .usage,
                "--address \(address): other machines could open the page, run the scenario and save files "
                    + "beside it; write --allow if they may"
            )
        }
        let subject = try subject()
        let server: StudioServer
        do throws(StudioRefusal) {
            server = try StudioServer(subject, address: address, port: port)
        } catch {
            throw Failure(.usage, "\(error)")
        }
        do {
            try await server.run { place in
                try? Terminal.say(place)
                Terminal.remark("Open this address; Ctrl-C ends the studio.")
            }
        } catch {
            throw Failure(
                .cannotWrite,
                "cannot listen at \(address):\(port): \(error.localizedDescription)"
            )
        }
    }

    private func subject() throws -> StudioSubject {
        let file = try self.file ?? Self.onlyScenario()
        let objectives = try objective.map { text throws -> Objective in
            do throws(Objective.Mistake) {
                return try Objective(text, among: CommandLineTool.systems.evidence.metrics)
            } catch {
                throw Failure(.usage, "--objective \(text): \(error)")
            }
        }
        programs.use()
        var loaded = try LoadedScenarios(
            one: file,
            settings: parameters.settings,
            sweeping: sweeping
        )
        try programs.check(loaded)
        if synthetic { try loaded.useSyntheticVoice() }
        let planned = loaded.one?.point.seeds ?? 1
        let choice = (shared: parameters.settings, sweeps: sweeping.sweeps, only: sweeping.only)
        return StudioSubject(
            file: file,
            catalog: CommandLineTool.systems.language.parameters,
            metrics: CommandLineTool.systems.evidence.metrics,
            objectives: objectives,
            seedCount: seeds.map { $0.count(planned) },
            material: try loaded.voices().material,
            shared: parameters.settings,
            options: options,
            build: RunManifest.current.line,
            jobCount: jobOptions.count
        ) { text, settings throws(StudioRefusal) in
            try Self.scenario(text, of: file, choice.shared + settings, choice.sweeps, choice.only)
        }
    }

    /// The one scenario of the usual folder.
    private static func onlyScenario() throws -> String {
        let found = try ScenarioPaths.find([ScenarioPaths.defaultFolder]).map(\.file)
        guard found.count == 1 else {
            throw Failure(
                .usage,
                "name the scenario: there are \(found.count) in \(ScenarioPaths.defaultFolder), such as \(found[0])"
            )
        }
        return found[0]
    }

    /// Reads a text as a scenario's file, and takes the chosen point of it.
    private static func scenario(
        _ text: String,
        of file: String,
        _ settings: [String],
        _ sweeps: [String],
        _ only: [String]
    ) throws(StudioRefusal) -> Scenario {
        var scenario: Scenario
        do {
            let loader = ScenarioLoader(
                vocabulary: try ScenarioVocabulary(for: file, systems: CommandLineTool.systems)
            )
            let whole = try loader.load(text: text, file: file, settings: settings, sweeps: sweeps)
            scenario = try PointChoice(only).apply(to: [(file, whole)]).first?.scenario ?? whole
        } catch let error as Failure {
            throw StudioRefusal(error.message)
        } catch {
            throw StudioRefusal("\(error)")
        }
        guard scenario.points.count == 1 else {
            throw StudioRefusal(
                "\(file) has \(scenario.points.count) points; the studio needs --only for one of them"
            )
        }
        if let idle = scenario.idleSettings.first { throw StudioRefusal(idle.message) }
        return scenario
    }

    private var options: [String] {
        sweeping.sweeps.flatMap { ["--sweep", $0] } + sweeping.only.flatMap { ["--only", $0] }
            + programs.arguments
            + (synthetic ? ["--synthetic"] : [])
    }
}
