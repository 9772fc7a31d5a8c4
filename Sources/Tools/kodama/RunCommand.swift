import ArgumentParser
import Evidence
import Foundation
import Harness
import Scenarios
import Speech

/// Runs scenarios and judges them.
struct RunCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Runs scenarios over their seeds and holds the figures against their gates.",
        discussion: """
            The result goes to stdout and is the same for the same scenarios, parameters and seeds; \
            progress and speed go to stderr. Ends with 1 if a gate failed or has no data.
            """
    )

    @OptionGroup var selection: Selection

    @Option(
        name: .shortAndLong,
        parsing: .unconditional,
        help: .init(
            "How many runs go on at a time; one per core if not given.",
            valueName: "count"
        )
    )
    var jobs: Int?

    @Flag(help: "Print the report as JSON.")
    var json = false

    @Option(
        name: .shortAndLong,
        help: .init("Also write report.json and report.txt into this folder.", valueName: "folder"),
        completion: .directory
    )
    var output: String?

    @Option(
        help: .init(
            "Also write what each phone's speaker plays, as WAV, into this folder; first seed only.",
            valueName: "folder"
        ),
        completion: .directory
    )
    var wav: String?

    @Flag(help: "Also show every metric, gated or not.")
    var metrics = false

    @OptionGroup var ties: TieOptions

    @Flag(help: "Let warnings fail.")
    var strict = false

    @Flag(name: .shortAndLong, help: "Say nothing on stderr but errors.")
    var quiet = false

    @Flag(name: .shortAndLong, help: "Say how fast each scenario was.")
    var verbose = false

    func validate() throws {
        if let jobs, jobs < 1 { throw ValidationError("--jobs \(jobs): at least 1 is needed") }
    }

    func run() async throws {
        let loaded = try selection.load()
        let sounds = try wav.map { try SpeakerFiles(folder: $0, of: loaded) }
        if let output { try Outputs.makeFolder(output, option: "--output") }
        let progress = ProgressLine(loaded, isQuiet: quiet)
        let voices = try loaded.voices()
        let width = jobs ?? ProcessInfo.processInfo.activeProcessorCount
        var outcomes: [ScenarioOutcome] = []
        var speed = RunSpeed()
        for (file, scenario) in loaded.scenarios {
            let run = ScenarioRun(
                scenario: scenario,
                file: file,
                seeds: scenario.points.map(loaded.seeds),
                material: voices.material,
                tieShuffleSeed: ties.shuffleTies
            )
            progress.begin(scenario.name)
            let outcome = try await Failure.describing {
                try await run.judge(jobs: width, progress: progress.show)
            }
            speed.add(outcome.speed)
            if verbose, !quiet { Terminal.remark("\(scenario.name): \(outcome.speed.line)") }
            outcomes.append(outcome)
        }
        try report(outcomes, voices.description)
        try sounds?.write(voices.material, isQuiet: quiet)
        if !quiet { Terminal.remark(speed.line) }
        guard text(outcomes, voices.description).isGreen else {
            throw ExitCode(ExitStatus.gateFailed.rawValue)
        }
    }

    private func report(_ outcomes: [ScenarioOutcome], _ material: String) throws {
        let data = try JSONReport(outcomes, material: material, isStrict: strict).data
        let text = text(outcomes, material).text + "\n"
        // stdout first: a full disk then costs the files, but not the result.
        try Terminal.say(json ? String(decoding: data, as: UTF8.self) : text)
        if let output {
            try Outputs.write(data, to: Outputs.path("report.json", in: output))
            try Outputs.write(text, to: Outputs.path("report.txt", in: output))
        }
    }

    private func text(_ outcomes: [ScenarioOutcome], _ material: String) -> ConsoleReport {
        ConsoleReport(
            outcomes,
            material: material,
            options: selection.options + ties.options,
            isStrict: strict,
            showsMetrics: metrics
        )
    }
}

/// Lets people hear runs: one WAV file for each phone of each scenario that makes sound.
private struct SpeakerFiles {
    private let folder: String
    private var runs: [(name: String, plan: WorldPlan, seed: UInt64)] = []

    /// The longest run that is kept as sound: 350 MB for each phone.
    private static let longest: Duration = .seconds(3_600)

    /// Makes the folder and sees what there is to write, before anything is run.
    init(folder: String, of loaded: LoadedScenarios) throws {
        self.folder = folder
        var sources: [String: String] = [:]
        for (file, scenario) in loaded.scenarios {
            for point in scenario.points where point.plan.audio == .real {
                guard point.plan.duration <= Self.longest else {
                    throw Failure(.usage, "--wav: \(file) is longer than an hour")
                }
                guard let seed = loaded.seeds(of: point).first else { continue }
                // What is swept may be the path of a trace.
                let values = point.values.map { $0.text.replacing("/", with: "-") }
                let name = ([scenario.name] + values).joined(separator: "-")
                for device in point.plan.devices {
                    let sound = Self.fileName(name, device.name)
                    let other = sources.updateValue(file, forKey: sound)
                    if let other { throw Self.clash(of: other, and: file, over: sound) }
                }
                runs.append((name, point.plan, seed))
            }
        }
        guard !runs.isEmpty else {
            throw Failure(.usage, "--wav: no scenario makes sound; choose one with audio: real")
        }
        try Outputs.makeFolder(folder, option: "--wav")
    }

    private static func fileName(_ run: String, _ device: String) -> String {
        "\(run)-\(device).wav"
    }

    private static func clash(of one: String, and other: String, over sound: String) -> Failure {
        let fault =
            one == other
            ? "two points of \(one) would both write \(sound); choose one of them with --only"
            : "\(one) and \(other) would both write \(sound); run them into two folders"
        return Failure(.usage, "--wav: \(fault)")
    }

    func write(_ material: SpeechMaterial?, isQuiet: Bool) throws {
        for (name, plan, seed) in runs {
            let run = SingleRun(plan: plan, seed: seed, material: material)
            for (device, sound) in try Failure.describing({ try run.speakerSounds() }) {
                let path = Outputs.path(Self.fileName(name, device), in: folder)
                try Outputs.write(sound.data, to: path)
                if !isQuiet { Terminal.remark("wrote \(path) (seed \(seed))") }
            }
        }
    }
}
