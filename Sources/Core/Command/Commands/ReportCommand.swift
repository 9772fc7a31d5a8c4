import ArgumentParser
import Foundation
import KodamaHarness

/// Renders a report that was made before.
struct ReportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "report",
        abstract: "Renders a report that 'run --json' or 'run --output' left.",
        discussion: """
            Prints the table that 'run' printed; the options write other renderings, made from the JSON \
            alone. Ends with 0 whatever the report says.
            """
    )

    @Argument(help: "A report.json, or a folder that holds one; - for stdin.", completion: .file())
    var result: String?

    @Option(
        help: .init(
            "Instead of one report show each gate over the builds whose reports lie in this folder: a folder "
                + "or a JSON file each, in the order of their names; --html makes a page of lines.",
            valueName: "folder"
        ),
        completion: .directory
    )
    var history: String?

    @OptionGroup var renderings: RenderingOptions

    @Option(
        help: .init(
            "Write what comparisons need of the report, and no more: a baseline to keep.",
            valueName: "file"
        ),
        completion: .file()
    )
    var baseline: String?

    @Flag(help: "Also show every metric, gated or not.")
    var metrics = false

    @Flag(help: "List every gate by how far its value is from its limit, instead of the table.")
    var slack = false

    @Flag(help: "Print the report as JSON again, instead of the table.")
    var json = false

    func validate() throws {
        if (result == nil) == (history == nil) {
            throw ValidationError("name a report, or a folder of reports with --history")
        }
        let others = renderings.markdown ?? renderings.junit ?? renderings.github ?? baseline
        if history != nil, slack || json || metrics || others != nil {
            throw ValidationError("--history is shown as a table and as --html alone")
        }
        if slack, json || metrics {
            throw ValidationError(
                "--slack prints a list of its own; leave --json and --metrics out"
            )
        }
    }

    func run() throws {
        if let history { return try show(history: history) }
        guard let result else { return }
        let input = ReportFiles.file(result)
        let others = baseline.map { [(option: "--baseline", path: $0)] } ?? []
        try renderings.prepare(inputs: [input], besides: others, json: json)
        let report = try ReportFiles.read(result)
        if slack {
            try Terminal.say(SlackTable(report).text, isPainted: true)
        } else if json {
            try Terminal.say(String(decoding: try report.json, as: UTF8.self))
        } else {
            let console = ConsoleReport(report, showsMetrics: metrics)
            try Terminal.say(console.text, isPainted: true)
        }
        try renderings.write(report, ReportFiles.manifest(beside: input))
        if let baseline { try Outputs.deliver(try report.asBaseline.json, to: baseline) }
    }
}

extension ReportCommand {
    /// Shows the gates over the reports in a folder.
    private func show(history folder: String) throws {
        guard let found = try? FileManager.default.contentsOfDirectory(atPath: folder) else {
            throw Failure(.inputMissing, "--history \(folder): this is no folder")
        }
        // Build 9 comes before build 10.
        let names = found.sorted().sorted {
            $0.compare($1, options: .numeric) == .orderedAscending
        }
        let files = names.map { (name: $0, file: ReportFiles.file(Outputs.path($0, in: folder))) }
            .filter {
                $0.file.hasSuffix(".json") && FileManager.default.fileExists(atPath: $0.file)
            }
        guard files.count > 1 else {
            throw Failure(
                .inputMissing,
                "--history \(folder): it takes two reports at least, and there "
                    + (files.count == 1 ? "is 1" : "is none")
            )
        }
        try renderings.prepare(inputs: files.map(\.file), json: false)
        let history = ReportHistory(
            try files.map { (name: $0.name, report: try ReportFiles.read($0.file)) }
        )
        try Terminal.say(history.text, isPainted: true)
        if let html = renderings.html { try Outputs.deliver(Data(history.html.utf8), to: html) }
    }
}

/// Reads reports that the user names.
enum ReportFiles {
    /// The file that a name means: of a folder, the report in it.
    static func file(_ path: String) -> String {
        var isFolder: ObjCBool = false
        let exists = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
        return exists && isFolder.boolValue ? Outputs.path("report.json", in: path) : path
    }

    /// What made a report, if that is said beside it.
    static func manifest(beside file: String) -> RunManifest? {
        let folder = URL(fileURLWithPath: file).deletingLastPathComponent()
        let data = try? Inputs.read(folder.appendingPathComponent("manifest.json").path)
        return data.flatMap { try? JSONDecoder().decode(RunManifest.self, from: $0) }
    }

    static func read(_ path: String) throws -> RunReport {
        let file = file(path)
        let place = URL(fileURLWithPath: file)
        if place.lastPathComponent == "report.json" {
            try ReportFolder.finishIfIdle(place.deletingLastPathComponent().path)
        }
        let data = try Inputs.read(file)
        do {
            return try RunReport(json: data)
        } catch {
            throw Failure(.inputMissing, "\(file): \(error)")
        }
    }
}
