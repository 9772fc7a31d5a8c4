import ArgumentParser
import Foundation
import KodamaHarness

/// Joins shards into the result of one run.
struct MergeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "merge",
        abstract:
            "Joins what 'run --shard' left into the result that a single run would have given.",
        discussion: """
            Prints, writes and ends as 'run' does, to the byte. Shards may come in any order, and one may \
            be given twice if both copies are equal. Ends with 3 if runs are missing or two results of one \
            shard differ, with 64 if shards are of different plans.
            """
    )

    @Argument(help: "The shards, or folders of them.", completion: .file(extensions: ["json"]))
    var shards: [String]

    @Flag(help: "Print the report as JSON.")
    var json = false

    @Option(
        name: .shortAndLong,
        help: .init(
            "Also write every rendering into this folder, in place of an earlier result's.",
            valueName: "folder"
        ),
        completion: .directory
    )
    var output: String?

    @OptionGroup var undecided: UndecidedOptions

    @OptionGroup var renderings: RenderingOptions

    @Flag(help: "Also show every metric, gated or not.")
    var metrics = false

    @Flag(name: .shortAndLong, help: "Show the figures of every scenario, of several too.")
    var verbose = false

    func run() throws {
        let files = try shards.flatMap(Self.files)
        try Inputs.refuseSharedStdin(files)
        try renderings.prepare(inputs: files, output: output, json: json)
        let folder = try output.map { try ReportFolder($0) }
        let report = try merged(files)
        let text = ConsoleReport(report, showsMetrics: metrics).text + "\n"
        let isFolded = report.scenarios.count > 1 && !metrics && !verbose
        let console = isFolded ? ConsoleReport(report, isFolded: true).text + "\n" : text
        let shown = json ? String(decoding: try report.json, as: UTF8.self) : console
        try Terminal.say(shown, isPainted: !json)
        try Interruption.hold {
            try renderings.write(report, nil, in: folder.map { ($0, text) })
            try folder?.removeEarlierCapsules()
        }
        try undecided.end(report)
    }

    private func merged(_ files: [String]) throws -> RunReport {
        let sources = try files.map { file -> ShardMerge.Source in
            let data = try Inputs.read(file)
            do throws(ReportError) {
                return (file, try ShardResult(json: data))
            } catch {
                throw Failure(.inputMissing, "\(file): \(error)")
            }
        }
        do {
            return try ShardMerge(sources).report
        } catch let fault as ShardMerge.Fault {
            switch fault {
            case .foreign: throw Failure(.usage, "\(fault)")
            case .tooGreat: throw Failure(.inputMissing, "\(fault)")
            case .incomplete, .notDeterministic: throw Failure(.notDeterministic, "\(fault)")
            }
        }
    }

    /// The shards that a name means: of a folder all that lie in it.
    private static func files(_ path: String) throws -> [String] {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder),
            isFolder.boolValue
        else { return [path] }
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        let shards = names.filter { $0.hasPrefix("shard-") && $0.hasSuffix(".json") }.sorted()
        guard !shards.isEmpty else {
            throw Failure(.inputMissing, "there is no shard-*.json in '\(path)'")
        }
        return shards.map { Outputs.path($0, in: path) }
    }
}
