import ArgumentParser
import Foundation
import KodamaHarness

/// The files that a report is written to besides stdout; shared by the commands that make reports.
struct RenderingOptions: ParsableArguments {
    @Option(
        help: .init(
            "Write the report as a page with pictures, one file that opens anywhere.",
            valueName: "file"
        ),
        completion: .file()
    )
    var html: String?

    @Option(
        help: .init("Write the report as Markdown, for pull requests.", valueName: "file"),
        completion: .file()
    )
    var markdown: String?

    @Option(
        help: .init("Write the report as JUnit XML, a case per gate.", valueName: "file"),
        completion: .file()
    )
    var junit: String?

    @Option(
        help: .init(
            "Write annotations for GitHub Actions; - prints them after the report.",
            valueName: "file"
        ),
        completion: .file()
    )
    var github: String?

    /// The files with their options, those that are wanted.
    private var files: [(option: String, path: String)] {
        [("--html", html), ("--markdown", markdown), ("--junit", junit), ("--github", github)]
            .compactMap {
                option,
                path in path.map { (option, $0) }
            }
    }

    /// Whether any rendering is wanted.
    var isEmpty: Bool { files.isEmpty }

    /// Refuses what cannot be written, before work whose result would be lost.
    ///
    /// - Parameters:
    ///   - inputs: What is read, and must not be written over.
    ///   - others: Other results that go to files, with their options.
    ///   - output: A folder whose files are no place for them.
    ///   - json: Whether stdout carries the result as JSON besides.
    /// - Throws: An end with the option and the file.
    func prepare(
        inputs: [String],
        besides others: [(option: String, path: String)] = [],
        output: String? = nil,
        json: Bool
    ) throws {
        let files = files + others
        let held = output.map { ReportFolder.files(in: $0) } ?? []
        try Outputs.refuseShared(files + held, json: json)
        for (option, path) in files {
            try Outputs.prepare(path, option: option, over: inputs)
        }
    }

    /// Removes what an earlier call wrote where this one comes to nothing.
    func removeEarlier() {
        for (_, path) in files {
            let kind = try? FileManager.default.attributesOfItem(atPath: path)[.type]
            guard kind as? FileAttributeType == .typeRegular else { continue }
            try? FileManager.default.removeItem(atPath: path)
        }
    }

    /// Writes what is wanted, and what goes into a folder, as one set.
    ///
    /// - Parameters:
    ///   - report: The report.
    ///   - manifest: What made it, if that is known.
    ///   - sounds: The page with the run's sounds, if there is one.
    ///   - folder: The folder, and the report as its text has it.
    /// - Throws: An end with the file that cannot be written.
    func write(
        _ report: RunReport,
        _ manifest: RunManifest?,
        sounds: String? = nil,
        in folder: (folder: ReportFolder, text: String)? = nil
    ) throws {
        var texts: [(path: String, text: String)] = []
        if let html {
            let sounds = sounds.map { Outputs.reference(to: $0, from: html) }
            let page = HTMLReport(report, manifest: manifest, sounds: sounds)
            texts.append((html, page.text))
        }
        if let markdown { texts.append((markdown, MarkdownReport(report).text)) }
        if let junit { texts.append((junit, JUnitReport(report).text)) }
        if let github { texts.append((github, GitHubAnnotations(report).text)) }
        let held = try folder.map {
            try $0.folder.contents(report, text: $0.text, manifest ?? .current, sounds: sounds)
        }
        try Outputs.write(Self.data(texts) + (held ?? []), seal: folder?.folder.seal)
    }

    /// Writes what is wanted.
    func write(_ comparison: ReportComparison) throws {
        var texts: [(path: String, text: String)] = []
        if let html { texts.append((html, HTMLComparison(comparison).text)) }
        if let markdown { texts.append((markdown, ComparisonMarkdown(comparison).text)) }
        if let junit { texts.append((junit, ComparisonJUnit(comparison).text)) }
        if let github { texts.append((github, ComparisonAnnotations(comparison).text)) }
        try Outputs.write(Self.data(texts))
    }

    private static func data(
        _ texts: [(path: String, text: String)]
    ) -> [(path: String, data: Data)] {
        texts.map { ($0.path, Data($0.text.utf8)) }
    }
}

/// A folder with everything that a run leaves.
struct ReportFolder {
    /// The folder, as the user named it.
    let path: String
    /// Whether a result was in it before.
    let heldResult: Bool

    private static let sealName = "manifest.json"
    /// What is written into it.
    private static let names = [
        "report.json", "report.txt", "report.md", "junit.xml", "report.html", sealName,
    ]

    /// The files of a result in a folder.
    static func files(in folder: String) -> [(option: String, path: String)] {
        names.map { ("--output", Outputs.path($0, in: folder)) }
    }

    /// Makes the folder and, unless it is shared, keeps it for this process until it ends.
    ///
    /// - Parameters:
    ///   - path: The folder, as the user named it.
    ///   - isShared: Whether others may write into it at the same time, as shards do.
    /// - Throws: An end that says why it cannot be written into.
    init(_ path: String, isShared: Bool = false) throws {
        self.path = path
        try Outputs.makeFolder(path, option: "--output")
        for (option, file) in Self.files(in: path) { try Outputs.prepare(file, option: option) }
        if !isShared {
            try Self.claim(path)
            try Self.finish(path)
        }
        // Only now: whoever had the folder until a moment ago may have left a result in it.
        let report = Outputs.path("report.json", in: path)
        heldResult = FileManager.default.fileExists(atPath: report)
    }

    /// Keeps a folder for this process until it ends.
    ///
    /// Of two that write into one at a time each would leave some files, and no result were whole.
    ///
    /// - Throws: An end that says that another process has it.
    private static func claim(_ path: String) throws {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        // Where the file system knows no locks, there is none.
        guard flock(descriptor, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK else { return }
        close(descriptor)
        throw Failure(
            .cannotWrite,
            "cannot write into \(path): another kodama writes its result there"
        )
    }

    /// Finishes a result whose process was killed while its files took their names.
    ///
    /// - Throws: An end that says that the folder holds files of two results.
    static func finish(_ path: String) throws {
        do {
            try WholeFile.finish(names, seal: sealName, in: path)
        } catch {
            throw Failure(
                .cannotWrite,
                "\(path) holds files of two results, since a kodama was killed there: \(error); "
                    + "run the scenarios again"
            )
        }
    }

    /// Finishes one before it is read, unless a process writes a result there.
    ///
    /// - Throws: An end that says that the folder holds files of two results.
    static func finishIfIdle(_ path: String) throws {
        guard !FileManager.default.fileExists(atPath: Outputs.path(sealName, in: path)) else {
            return
        }
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK else { return }
        try finish(path)
    }

    /// The folder in it for capsules of its result.
    var capsules: String { Outputs.path("capsules", in: path) }

    /// Removes the capsules of an earlier result, which would pass for this one's beside it.
    func removeEarlierCapsules() throws {
        if heldResult { try CapsuleFolder(folder: capsules).removeOthers() }
    }

    /// The file that says that all others are there: the last to take its name.
    var seal: String { Outputs.path(Self.sealName, in: path) }

    /// Every rendering, and what made them, by the file that each goes to.
    func contents(
        _ report: RunReport,
        text: String,
        _ manifest: RunManifest,
        sounds: String? = nil
    ) throws -> [(path: String, data: Data)] {
        let page = Outputs.path("report.html", in: path)
        let sounds = sounds.map { Outputs.reference(to: $0, from: page) }
        let html = HTMLReport(report, manifest: manifest, sounds: sounds).text
        let contents = [
            try report.json, Data(text.utf8), Data(MarkdownReport(report).text.utf8),
            Data(JUnitReport(report).text.utf8), Data(html.utf8), try manifest.json,
        ]
        return zip(Self.names, contents).map { (Outputs.path($0, in: path), $1) }
    }
}

extension RunManifest {
    /// This program and what it was asked for.
    static let current: RunManifest = {
        let program = Bundle.main.executableURL?.resolvingSymlinksInPath()
        var manifest = RunManifest(
            version: Kodama.configuration.version,
            program: program,
            arguments: Array(CommandLine.arguments.dropFirst())
        )
        manifest.isModified = program.flatMap { Checkout(above: $0)?.isModified(since: $0) }
        return manifest
    }()
}
