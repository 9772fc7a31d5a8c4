import ArgumentParser
import Foundation
import KodamaHarness

/// Runs the same scenarios in several processes and compares every byte of their reports.
struct VerifyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract:
            "Shows that runs are repeatable: same bytes in every process, on one core or more.",
        discussion: """
            Each process hashes with another seed, so code that depends on the order of a set is caught. \
            A difference is reported with the first run and the components that differ; \
            `kodama trace diff` then shows the first record. Ends with 3 on a difference.
            """
    )

    @OptionGroup var selection: Selection

    @Option(help: "Another build of kodama to compare with, such as the debug one; repeatable.")
    var also: [String] = []

    @Flag(help: "Print the comparison as JSON.")
    var json = false

    @Flag(name: .shortAndLong, help: "Say nothing on stderr but errors.")
    var quiet = false

    func run() throws {
        let scenarios = try selection.load()
        for path in also where !FileManager.default.isExecutableFile(atPath: path) {
            throw Failure(.inputMissing, "--also \(path): there is no program of that name")
        }
        for path in also { try Subject.checkIsKodama(path) }
        let own = Bundle.main.executablePath ?? CommandLine.arguments[0]
        var subjects = [
            Subject(name: "one job", binary: own, jobs: 1),
            Subject(name: "two jobs, another process", binary: own, jobs: 2),
        ]
        subjects += also.map { Subject(name: $0, binary: $0, jobs: 1) }
        let reports = try subjects.map { subject in
            if !quiet {
                let runs = counted(scenarios.runCount, "run")
                Terminal.remark("running \(runs) with \(subject.name)")
            }
            return try subject.report(selection.arguments)
        }
        let differences = zip(subjects, reports).dropFirst().compactMap { subject, report in
            report == reports[0] ? nil : Difference(of: subject.name, reports[0], report)
        }
        try print(subjects, scenarios.runCount, differences)
        guard differences.isEmpty else { throw ExitCode(ExitStatus.notDeterministic.rawValue) }
    }

    private func print(_ subjects: [Subject], _ runCount: Int, _ differences: [Difference]) throws {
        if json {
            struct Result: Encodable {
                var schemaVersion = 1
                var verdict: String
                var processes: [String]
                var runs: Int
                var differences: [Difference]
            }
            let result = Result(
                verdict: differences.isEmpty ? "equal" : "different",
                processes: subjects.map(\.name),
                runs: runCount,
                differences: differences
            )
            try Terminal.say(try Outputs.json(result))
            return
        }
        for difference in differences {
            try Terminal.say(difference.text(against: subjects[0].name))
        }
        guard differences.isEmpty else { return }
        try Terminal.say(
            "EQUAL: \(counted(runCount, "run")) gave the same bytes in \(subjects.count) processes "
                + "(\(subjects.map(\.name).joined(separator: "; ")))"
        )
    }
}

/// A process whose report is compared.
private struct Subject {
    var name: String
    var binary: String
    var jobs: Int

    func report(_ arguments: [String]) throws -> Data {
        let arguments = ["run", "--json", "--quiet", "--jobs", "\(jobs)"] + arguments
        let (data, status) = try Self.run(binary, arguments)
        let judged = [0, ExitStatus.gateFailed.rawValue, ExitStatus.undecided.rawValue]
        guard judged.contains(status), !data.isEmpty else {
            throw Failure(.notDeterministic, "\(binary) ended with \(status) and gave no report")
        }
        return data
    }

    /// Refuses what is no build of this program before anything is run for comparison.
    static func checkIsKodama(_ binary: String) throws {
        let (data, status) = try run(binary, ["--version"], isQuiet: true)
        let text = String(decoding: data.prefix(100), as: UTF8.self)
        guard status == 0, text.wholeMatch(of: /[0-9]+\.[0-9]+\.[0-9]+\n?/) != nil else {
            throw Failure(
                .inputMissing,
                "--also \(binary): this is no build of kodama; '--version' gave no version of it"
            )
        }
    }

    private static func run(
        _ binary: String,
        _ arguments: [String],
        isQuiet: Bool = false
    ) throws -> (stdout: Data, status: Int32) {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: binary)
        process.arguments = arguments
        process.standardOutput = output
        if isQuiet { process.standardError = FileHandle.nullDevice }
        // A fixed seed of hashing would make all processes alike, and hide what is looked for here.
        process.environment = ProcessInfo.processInfo.environment.filter {
            $0.key != "SWIFT_DETERMINISTIC_HASHING"
        }
        do {
            try Interruption.start(process)
        } catch {
            throw Failure(.inputMissing, "cannot start \(binary): \(error.localizedDescription)")
        }
        defer { Interruption.forgetChild() }
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return (data, process.terminationStatus)
    }
}

/// The first run in which two reports differ.
private struct Difference: Encodable {
    var process: String
    var scenario: String?
    var seed: UInt64?
    var components: [String]

    private struct Report: Decodable {
        struct Scenario: Decodable {
            var name: String
            var points: [Point]

            /// The runs of all points.
            var runs: [Run] { points.flatMap(\.runs) }
        }
        struct Point: Decodable {
            var runs: [Run]
        }
        struct Run: Decodable {
            var seed: UInt64
            var digest: String
            var components: [String: String]
        }
        var scenarios: [Scenario]
    }

    init(of process: String, _ left: Data, _ right: Data) {
        self.process = process
        components = []
        guard let left = try? JSONDecoder().decode(Report.self, from: left),
            let right = try? JSONDecoder().decode(Report.self, from: right)
        else { return }
        for (mine, theirs) in zip(left.scenarios, right.scenarios) {
            for (run, other) in zip(mine.runs, theirs.runs) where run.digest != other.digest {
                scenario = mine.name
                seed = run.seed
                components = run.components.keys.sorted().filter {
                    run.components[$0] != other.components[$0]
                }
                return
            }
        }
    }

    func text(against first: String) -> String {
        guard let scenario, let seed else {
            return "DIFFERENT: '\(process)' and '\(first)' report other figures of equal traces"
        }
        return "DIFFERENT: '\(process)' and '\(first)' differ first in \(scenario), seed \(seed), "
            + "in \(components.joined(separator: ", "))"
    }
}
