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
            command goes on where it ended. If a world ended the program, or kept it from ending, that command names \
            it and goes on behind it. Ends with 1 if something fails.

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
        help: .init(
            "How many minutes it may take: three quarters for worlds, the rest for shrinking; what is not shrunk "
                + "then, the next call shrinks.",
            valueName: "count"
        )
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
        if let minutes, minutes > 1_000_000 {
            throw ValidationError("--minutes \(minutes): at most 1000000 are possible")
        }
        if firstSeed > 1_000_000_000_000 {
            throw ValidationError("--first-seed \(firstSeed): at most 1000000000000")
        }
        if shrinkRuns < 0 {
            throw ValidationError("--shrink-runs \(shrinkRuns): at least 0 is needed")
        }
    }

    func run() async throws {
        let begin = ContinuousClock.now
        let world = try world()
        let loader = ScenarioLoader(vocabulary: try vocabulary(), folder: "/")
        var swarm = SwarmRun(world, loader: loader)
        var kept = try SwarmFolder(folder, systems: world.names)
        swarm.dead = try kept.dead(swarm) { if !quiet { Terminal.remark($0) } }
        try await runWorlds(swarm, &kept, until: minutes.map { begin + .seconds(45 * $0) })
        var findings = kept.ledger.findings
        for index in findings.indices {
            try kept.write(&findings[index], from: swarm)
        }
        let end = minutes.map { begin + .seconds(60 * $0) }
        for index in findings.indices where shrinkRuns > 0 {
            try await shrink(&findings[index], kept, swarm, loader, until: end)
        }
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

    private func runWorlds(
        _ swarm: SwarmRun,
        _ kept: inout SwarmFolder,
        until end: ContinuousClock.Instant?
    ) async throws {
        let total = seeds ?? (minutes == nil ? 100 : Int.max)
        let news = CountedProgress("worlds", isQuiet: quiet || total == .max)
        try kept.refuseOther(firstSeed)
        let file = try kept.open()
        while kept.ledger.rows.count < total, end.map({ ContinuousClock.now < $0 }) ?? true {
            let done = kept.ledger.rows.count
            let count = min(total - done, jobOptions.count * Self.worldsPerLook)
            let batch = (0..<count).map { firstSeed + UInt64(done + $0) }
            var more = 0
            let folder = kept
            try await Failure.describing {
                try await swarm.add(
                    batch,
                    to: &kept.ledger,
                    jobs: jobOptions.count,
                    begin: { folder.begin($0) },
                    done: { row in
                        try folder.keep(row, in: file)
                        more += 1
                        if total < .max { news.show(done + more, of: total) }
                    }
                )
            }
            if total == .max, !quiet { remark(kept.ledger) }
        }
        news.end()
    }

    private func remark(_ ledger: SwarmLedger) {
        let failing = ledger.rows.count { !$0.failures.isEmpty }
        Terminal.remark("\(counted(ledger.rows.count, "world")), \(failing) of them failing")
    }

    /// No more time is left.
    private struct TimeIsUp: Error {}

    /// Shrinks the first world of a finding, if that has not been done and there is time.
    private func shrink(
        _ finding: inout SwarmFinding,
        _ kept: SwarmFolder,
        _ swarm: SwarmRun,
        _ loader: ScenarioLoader,
        until end: ContinuousClock.Instant?
    ) async throws {
        let path = kept.shrunkPath(of: finding)
        let seed = finding.seeds[0]
        guard !FileManager.default.fileExists(atPath: path) else { return finding.shrunk = path }
        // What never ends, or does not load, is not tried some hundred times.
        guard finding.failure != .endless, let document = try? swarm.document(seed: seed) else {
            return
        }
        if !quiet { Terminal.remark("shrinking \(finding.failure)") }
        let news = CountedProgress("runs", isQuiet: quiet)
        do {
            let shrunk = try await Shrinking.shrink(
                document,
                loader: loader,
                file: path,
                seed: seed,
                about: finding.failure.description,
                runs: shrinkRuns,
                jobs: jobOptions.count,
                progress: { done, runs in
                    news.show(done, of: runs)
                    if let end, ContinuousClock.now > end { throw TimeIsUp() }
                }
            )
            try Outputs.write(Shrinking.text(shrunk), to: path)
            finding.shrunk = path
        } catch is TimeIsUp {
        } catch let failure as Failure where failure.status == .usage {
            // A world that ended the program for want of memory does not do so by itself.
            Terminal.remark(failure.message)
        }
        news.end()
    }
}
