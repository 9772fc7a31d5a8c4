import ArgumentParser
import Foundation
import KodamaHarness
import KodamaLanguage
import KodamaSwarm

/// Runs worlds that nobody wrote, and says what fails in them.
struct SwarmCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "swarm",
        abstract: "Draws whole worlds from seeds, runs them and groups what fails by its cause.",
        discussion: """
            Each seed draws phones, apps, links, people, acts and a random subset of faults; then faults end, users \
            come back to their apps, and within a bound everything promised must hold again. Worlds are judged by all \
            invariants and by bounds that hold in any world. The first world of each cause is written as a scenario, \
            which 'run', 'replay', 'explain', 'why' and 'shrink' take. The folder keeps what has been run: the same \
            command goes on where it ended. Ends with 1 if something fails.

              kodama swarm --minutes 10
              kodama swarm --seeds 1000 --systems NAME,NAME --folder night
            """
    )

    @Option(
        parsing: .unconditional,
        help: .init(
            "How many worlds there are in all; 100 if nothing else is said.",
            valueName: "count"
        )
    )
    var seeds: Int?

    @Option(
        parsing: .unconditional,
        help: .init("Begin no more worlds after so many minutes.", valueName: "count")
    )
    var minutes: Int?

    @Option(
        parsing: .unconditional,
        help: .init("The first world's seed; the others follow it.", valueName: "number")
    )
    var firstSeed: UInt64 = 1

    @Option(
        help: .init("The systems whose apps are drawn; all if not given.", valueName: "name,name")
    )
    var systems: String?

    @Option(
        help: .init("Where worlds, findings and what has been run are kept.", valueName: "folder")
    )
    var folder = "swarm"

    @Option(
        parsing: .unconditional,
        help: .init(
            "How many runs shrinking each finding may take; 0 to shrink none.",
            valueName: "count"
        )
    )
    var shrinkRuns = 400

    @OptionGroup var jobOptions: JobOptions

    @Flag(help: "Print the findings as JSON.")
    var json = false

    @Flag(name: .shortAndLong, help: "Say nothing on stderr but errors.")
    var quiet = false

    func validate() throws {
        if let seeds, seeds < 1 { throw ValidationError("--seeds \(seeds): at least 1 is needed") }
        if let minutes, minutes < 1 {
            throw ValidationError("--minutes \(minutes): at least 1 is needed")
        }
        if shrinkRuns < 0 {
            throw ValidationError("--shrink-runs \(shrinkRuns): at least 0 is needed")
        }
    }

    func run() async throws {
        let world = try world()
        let loader = ScenarioLoader(vocabulary: try vocabulary(), folder: "/")
        let swarm = SwarmRun(world, loader: loader)
        var kept = try SwarmFolder(folder, systems: world.names)
        try await runWorlds(swarm, &kept)
        var findings = kept.ledger.findings
        for index in findings.indices {
            try kept.write(&findings[index], from: swarm)
        }
        try await shrink(&findings, kept, swarm, loader)
        try kept.removeOthers(findings)
        let summary = SwarmSummary(kept.ledger, findings)
        try Terminal.say(json ? String(decoding: try summary.json, as: UTF8.self) : summary.text)
        if !findings.isEmpty { throw ExitCode(ExitStatus.gateFailed.rawValue) }
    }

    private func vocabulary() throws -> ScenarioVocabulary {
        do throws(InvalidScenario) {
            return try ScenarioVocabulary(for: folder, systems: CommandLineTool.systems)
        } catch {
            throw Failure(.scenarioInvalid, "\(error)")
        }
    }

    private func world() throws -> SwarmWorld {
        let all = SwarmWorld(CommandLineTool.systems).names
        guard !all.isEmpty else {
            throw Failure(.usage, "no system of this program says how its worlds are drawn")
        }
        let named = (systems ?? "").split(separator: ",").map(String.init)
        for name in named where !all.contains(name) {
            let hint = Suggestion.nearest(to: name, among: all).map { "; did you mean '\($0)'?" }
            throw Failure(
                .usage,
                "--systems: no worlds are drawn of '\(name)'\(hint ?? "")\n"
                    + "Systems: \(all.joined(separator: ", "))"
            )
        }
        return SwarmWorld(CommandLineTool.systems, only: named)
    }

    /// How many worlds are run between two looks at the clock, for each job.
    private static let worldsPerLook = 4

    private func runWorlds(_ swarm: SwarmRun, _ kept: inout SwarmFolder) async throws {
        let total = seeds ?? (minutes == nil ? 100 : Int.max)
        let end = minutes.map { ContinuousClock.now.advanced(by: .seconds(60 * $0)) }
        let news = CountedProgress("worlds", isQuiet: quiet || total == .max)
        try kept.refuseOther(firstSeed)
        while kept.ledger.rows.count < total, end.map({ ContinuousClock.now < $0 }) ?? true {
            let done = kept.ledger.rows.count
            let count = min(total - done, jobOptions.count * Self.worldsPerLook)
            let batch = (0..<count).map { firstSeed + UInt64(done + $0) }
            var more = 0
            do {
                try await swarm.add(batch, to: &kept.ledger, jobs: jobOptions.count) {
                    more += 1
                    if total < .max { news.show(done + more, of: total) }
                }
            } catch let error as SwarmRun.Unsound {
                throw Failure(.internalError, "\(error)")
            }
            try kept.save()
            if total == .max, !quiet { remark(kept.ledger) }
        }
        news.end()
    }

    private func remark(_ ledger: SwarmLedger) {
        let failing = ledger.rows.count { !$0.failures.isEmpty }
        Terminal.remark("\(counted(ledger.rows.count, "world")), \(failing) of them failing")
    }

    /// Shrinks the first world of each finding, if that has not been done.
    private func shrink(
        _ findings: inout [SwarmFinding],
        _ kept: SwarmFolder,
        _ swarm: SwarmRun,
        _ loader: ScenarioLoader
    ) async throws {
        guard shrinkRuns > 0 else { return }
        for index in findings.indices {
            let finding = findings[index]
            let path = kept.shrunkPath(of: finding)
            findings[index].shrunk = path
            guard !FileManager.default.fileExists(atPath: path) else { continue }
            if !quiet { Terminal.remark("shrinking \(finding.failure)") }
            let news = CountedProgress("runs", isQuiet: quiet)
            let shrunk = try await Shrinking.shrink(
                try swarm.document(seed: finding.seeds[0]),
                loader: loader,
                file: path,
                seed: finding.seeds[0],
                about: finding.failure.name,
                runs: shrinkRuns,
                jobs: jobOptions.count,
                news: news
            )
            news.end()
            try Outputs.write(Shrinking.text(shrunk), to: path)
        }
    }
}
