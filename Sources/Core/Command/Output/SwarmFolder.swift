import Foundation
import KodamaHarness
import KodamaLanguage
import KodamaSwarm

/// The folder of a swarm: what has been run, and a scenario for each finding.
struct SwarmFolder {
    /// What has been run.
    var ledger: SwarmLedger
    private let folder: String
    private static let ledgerName = "worlds.json"

    /// Opens a folder, and makes it if there is none.
    ///
    /// - Throws: An end if it holds another swarm.
    init(_ folder: String, systems: [String]) throws {
        self.folder = folder
        try Outputs.makeFolder(folder, option: "--folder")
        ledger = SwarmLedger(systems: systems, build: RunManifest.current.build)
        let path = Outputs.path(Self.ledgerName, in: folder)
        guard FileManager.default.fileExists(atPath: path) else { return }
        let data = try Inputs.read(path)
        guard let kept = try? JSONDecoder().decode(SwarmLedger.self, from: data),
            kept.swarm == SwarmLedger.currentVersion
        else {
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

    /// Writes what has been run.
    func save() throws {
        try Outputs.write(try ledger.json, to: Outputs.path(Self.ledgerName, in: folder))
    }

    /// Writes a finding's first world.
    func write(_ finding: inout SwarmFinding, from swarm: SwarmRun) throws {
        let document = try swarm.document(seed: finding.seeds[0])
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
