import ArgumentParser
import KodamaEvidence
import KodamaHarness
import KodamaLanguage

/// What concerns programs beside the simulator, in whatever language they are written.
struct GuestCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "guest",
        abstract: "Checks a program that runs as a guest of a scenario, in any language.",
        subcommands: [GuestCheckCommand.self]
    )
}

/// Shows whether a guest answers the same each time it is told the same.
struct GuestCheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract:
            "Runs a guest's seeds three times, once with pauses in real time, and compares all lines.",
        discussion: """
            A guest that looks at a clock, draws its own randomness or depends on the order of a set differs; \
            the first line that does is shown, and it ends with 3. A guest that hangs, ends or does not keep \
            to the protocol ends it with 69.
            """
    )

    @Argument(help: "The shell command of the guest, such as \"python3 pigeon.py\".")
    var command: String

    @Option(
        help: .init(
            "The scenario, all of whose guests are this program; one that lets two of them talk over a lossy "
                + "link, be killed and suspended, if none is given.",
            valueName: "file"
        ),
        completion: .file(extensions: ["yaml"])
    )
    var scenario: String?

    @Option(help: .init("How many seeds are run.", valueName: "number"))
    var seeds = 3

    @Flag(help: "Print the result as JSON.")
    var json = false

    func validate() throws {
        guard (1...1_000).contains(seeds) else {
            throw ValidationError("--seeds \(seeds): write a number from 1 to 1000")
        }
    }

    func run() async throws {
        let (file, loaded) = try load()
        guard let point = loaded.points.first, loaded.points.count == 1 else {
            throw Failure(
                .usage,
                "\(file) has \(loaded.points.count) points; name a scenario without a sweep"
            )
        }
        let labels = point.plan.phones.flatMap(\.apps).compactMap(\.settings.program)
        guard !labels.isEmpty else {
            throw Failure(.usage, "\(file): no phone has a guest that could be checked")
        }
        var result = Result(command: command, seeds: seeds)
        for seed in 0..<UInt64(seeds) {
            let number = point.firstSeed &+ seed
            result.difference = try compare(point.plan, labels, seed: number, &result)
            guard result.difference == nil else { break }
        }
        try Terminal.say(json ? try Outputs.json(result) : result.text)
        guard result.difference == nil else {
            throw ExitCode(ExitStatus.notDeterministic.rawValue)
        }
    }

    /// The scenario that was named, or the one that its system brings.
    private func load() throws -> (file: String, Scenario) {
        if let scenario {
            let loaded = try LoadedScenarios(
                one: scenario,
                settings: [],
                sweeping: SweepOptions.parse([])
            )
            return (scenario, loaded.scenarios[0].scenario)
        }
        let file = "the conformance scenario"
        guard let text = CommandLineTool.systems.systems.compactMap(\.conformance).first else {
            throw Failure(.usage, "no system of this command runs guests")
        }
        return try Failure.describing(file) {
            let vocabulary = ScenarioVocabulary(systems: CommandLineTool.systems)
            let loader = ScenarioLoader(vocabulary: vocabulary, folder: ".")
            return (file, try loader.load(text: text, file: file))
        }
    }

    /// Runs a seed three times; the first difference, if there is one.
    private func compare(
        _ plan: WorldPlan,
        _ labels: [String],
        seed: UInt64,
        _ result: inout Result
    ) throws -> Difference? {
        var first: [String: [String]] = [:]
        for (number, name) in ["first", "second", "paused"].enumerated() {
            var programs = Programs(
                commands: Dictionary(labels.map { ($0, command) }) { one, _ in one }
            )
            programs.pauseSeed = name == "paused" ? seed : nil
            var plan = plan
            plan.systems = CommandLineTool.systems.with(programs)
            let run = SingleRun(plan: plan, seed: seed, material: nil)
            let transcripts = try Failure.describing { try run.measure().transcripts }
            guard number > 0 else {
                first = transcripts
                result.lines += transcripts.values.reduce(0) { $0 + $1.count }
                continue
            }
            if let difference = Difference(first, transcripts, seed: seed, run: name) {
                return difference
            }
        }
        return nil
    }

    private struct Result: Encodable {
        var schemaVersion = 1
        var command: String
        var seeds: Int
        /// How many lines the first runs had, to and from the guests.
        var lines = 0
        var difference: Difference?

        var text: String {
            difference?.text
                ?? "SAME: \(counted(lines, "line")) of \(counted(seeds, "seed")) were the same in three runs "
                + "each, one of them with pauses"
        }
    }

    /// The first line in which two runs differ.
    private struct Difference: Encodable {
        var seed: UInt64
        var component: String
        var run: String
        /// From 1.
        var line: Int
        var expected: String
        var found: String

        init?(
            _ first: [String: [String]],
            _ other: [String: [String]],
            seed: UInt64,
            run: String
        ) {
            for component in first.keys.sorted() {
                let (one, two) = (first[component] ?? [], other[component] ?? [])
                for index in 0..<max(one.count, two.count) {
                    let left = index < one.count ? one[index] : "nothing"
                    let right = index < two.count ? two[index] : "nothing"
                    guard left != right else { continue }
                    (self.seed, self.component, self.run) = (seed, component, run)
                    (line, expected, found) = (index + 1, left, right)
                    return
                }
            }
            return nil
        }

        var text: String {
            "DIFFERENT: seed \(seed), \(component), line \(line) of its transcript ('>' to it, '<' from it)\n"
                + "  first run:  \(expected)\n  \(run) run: \(found)"
        }
    }
}
