import Foundation
import KodamaHarness
import KodamaLanguage
import KodamaSwarm

/// The folder of a swarm: what has been run, and a scenario for each finding.
struct SwarmFolder {
    /// What has been run.
    var ledger: SwarmLedger
    private let folder: String
    private static let ledgerName = "worlds.jsonl"
    private static let runningPrefix = "running-"
    private static let deadPrefix = "dead-"

    /// Opens a folder, and makes it if there is none.
    ///
    /// - Throws: An end if it holds another swarm.
    init(_ folder: String, systems: [String]) throws {
        self.folder = folder
        try Outputs.makeFolder(folder, option: "--folder")
        ledger = SwarmLedger(systems: systems, build: RunManifest.current.build)
        let path = Outputs.path(Self.ledgerName, in: folder)
        guard FileManager.default.fileExists(atPath: path) else { return }
        guard let kept = SwarmLedger(lines: try Inputs.read(path)) else {
            throw Failure(
                .inputMissing,
                "\(path) is no swarm of this version; name another --folder"
            )
        }
        guard kept.systems == systems, kept.build == ledger.build else {
            let what = kept.build == ledger.build ? "other systems" : "another build"
            throw Failure(.usage, "\(path) is of \(what); name another --folder, or remove it")
        }
        ledger = kept
    }

    /// Refuses a swarm that began with another seed.
    func refuseOther(_ firstSeed: UInt64) throws {
        guard let first = ledger.rows.first?.seed, first != firstSeed else { return }
        throw Failure(
            .usage,
            "the swarm in \(folder) began with seed \(first); say --first-seed \(first), or name another --folder"
        )
    }

    /// Writes what has been run, and opens the file for what is run next.
    func open() throws -> FileHandle {
        let path = Outputs.path(Self.ledgerName, in: folder)
        try Outputs.write(try ledger.lines, to: path)
        guard let handle = FileHandle(forWritingAtPath: path) else {
            throw Failure(.cannotWrite, "cannot write \(path)")
        }
        try handle.seekToEnd()
        return handle
    }

    /// Notes that a world begins to run, for the case that it ends the program.
    func begin(_ seed: UInt64) {
        let path = Outputs.path(Self.runningPrefix + "\(seed)", in: folder)
        _ = FileManager.default.createFile(atPath: path, contents: nil)
    }

    /// Keeps a world that was run.
    func keep(_ row: SwarmLedger.Row, in handle: FileHandle) throws {
        do {
            try handle.write(contentsOf: try row.line)
        } catch {
            throw Failure(.cannotWrite, "cannot write \(folder)/\(Self.ledgerName): \(error)")
        }
        forget(Self.runningPrefix, row.seed)
    }

    private func forget(_ prefix: String, _ seed: UInt64) {
        let path = Outputs.path(prefix + "\(seed)", in: folder)
        try? FileManager.default.removeItem(atPath: path)
    }

    private func seeds(_ prefix: String) -> [UInt64] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.filter { $0.hasPrefix(prefix) }
            .compactMap { UInt64($0.dropFirst(prefix.count)) }.sorted()
    }

    /// The worlds that end the program or never end: of those that were running when it ended, each that does so
    /// again in a program of its own.
    func dead(_ swarm: SwarmRun, say: (String) -> Void) throws -> [UInt64: RunFailure] {
        let done = Set(ledger.rows.map(\.seed))
        for seed in seeds(Self.runningPrefix) where !done.contains(seed) {
            say("world \(seed) was running when the program ended; trying it by itself")
            if let name = try ChildRun.end(of: try swarm.document(seed: seed).yaml(), seed: seed) {
                try Outputs.write(
                    name.name,
                    to: Outputs.path("\(Self.deadPrefix)\(seed)", in: folder)
                )
            }
            forget(Self.runningPrefix, seed)
        }
        return seeds(Self.deadPrefix).reduce(into: [:]) { dead, seed in
            let path = Outputs.path("\(Self.deadPrefix)\(seed)", in: folder)
            let name = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
            dead[seed] = RunFailure(of: FailureName(name), "in a program of its own as well")
        }
    }

    /// Writes a finding's first world.
    func write(_ finding: inout SwarmFinding, from swarm: SwarmRun) throws {
        let seed = finding.seeds[0]
        let document = (try? swarm.document(seed: seed)) ?? swarm.draft(seed: seed)
        let path = Outputs.path("\(finding.stem).yaml", in: folder)
        try Outputs.write(document.yaml(), to: path)
        finding.file = path
    }

    /// Where the smallest world of a finding is kept.
    func shrunkPath(of finding: SwarmFinding) -> String {
        Outputs.path("\(finding.stem).shrunk.yaml", in: folder)
    }

    /// Removes the worlds of findings that are none any more: more worlds may make one of two.
    func removeOthers(_ findings: [SwarmFinding]) throws {
        let own = Set(findings.flatMap { ["\($0.stem).yaml", "\($0.stem).shrunk.yaml"] })
        let found = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        for name in found.sorted() where name.hasSuffix(".yaml") && !own.contains(name) {
            guard name.hasPrefix("finding-") else { continue }
            try? FileManager.default.removeItem(atPath: Outputs.path(name, in: folder))
        }
    }
}

extension SwarmFinding {
    /// What its files are called, without their ends.
    fileprivate var stem: String { "finding-\(failure.name)-\(seeds[0])" }
}

/// What a swarm found, for people and programs.
struct SwarmSummary: Encodable {
    private struct Coverage: Encodable {
        var worlds: Int
        var pairs: Int
    }

    private var schemaVersion = 1
    private let worlds: Int
    private let failing: Int
    private let systems: [String]
    private let findings: [SwarmFinding]
    private let coverage: [Coverage]

    init(_ ledger: SwarmLedger, _ findings: [SwarmFinding]) {
        worlds = ledger.rows.count
        failing = ledger.rows.count { !$0.failures.isEmpty }
        systems = ledger.systems
        self.findings = findings
        coverage = ledger.curve.map { Coverage(worlds: $0.worldCount, pairs: $0.pairCount) }
    }

    /// As JSON.
    var json: Data {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes, .prettyPrinted]
            return try encoder.encode(self)
        }
    }

    /// The findings, one line each, and how much behaviour so many worlds showed.
    var text: String {
        let curve = coverage.map { "\($0.pairs) after \($0.worlds)" }.joined(separator: ", ")
        var lines = findings.map(\.line)
        if coverage.count > 1, let last = coverage.last {
            let before = coverage[coverage.count - 2]
            lines.append("pairs of records that followed each other: \(curve)")
            lines.append(
                "the last \(counted(last.worlds - before.worlds, "world")) added \(last.pairs - before.pairs)"
            )
        }
        let found = findings.isEmpty ? "nothing failed" : counted(findings.count, "finding")
        lines.append("\(counted(worlds, "world")), \(failing) failing: \(found)")
        return lines.joined(separator: "\n")
    }
}
