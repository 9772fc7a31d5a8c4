import Foundation
import KodamaHarness
import KodamaLanguage
import KodamaShipped
@testable import KodamaSwarm
import Synchronization
import Testing

@Suite("HN-10: swarms run worlds and group what fails")
struct SwarmRunTests {
    private let swarm = SwarmRun(
        SwarmWorld(.shipped),
        loader: ScenarioLoader(
            vocabulary: ScenarioVocabulary(systems: .shipped, voices: ["en-f", "it-m"])
        )
    )

    @Test("Every drawn world loads once what makes no sense in it is left out")
    func worldsLoad() throws {
        for seed in UInt64(1)...60 {
            let document = try swarm.document(seed: seed)
            #expect(document[key: "phones"]?.elements.isEmpty == false)
            #expect(document[key: "expect"]?.elements.isEmpty == false)
        }
    }

    @Test(
        "Worlds give the same whatever the number of jobs, and a swarm that goes on gives what one run gives"
    )
    func jobsAndResuming() async throws {
        var whole = SwarmLedger(systems: [], build: "")
        try await swarm.add([1, 2, 3, 4], to: &whole, jobs: 2)
        var parts = SwarmLedger(systems: [], build: "")
        try await swarm.add([1, 2], to: &parts, jobs: 1)
        try await swarm.add([3, 4], to: &parts, jobs: 1)
        #expect(try whole.lines == parts.lines)
        #expect(whole.curve.last?.pairCount == whole.rows.reduce(0) { $0 + $1.newPairs.count })
    }

    @Test("A ledger is read back from its lines; one that was not written whole is left out")
    func ledgerLines() throws {
        var ledger = SwarmLedger(systems: ["calls"], build: "b")
        for seed in UInt64(1)...3 { ledger.rows.append(row(seed, ["x"], ["outage"])) }
        let lines = try ledger.lines
        #expect(try SwarmLedger(lines: lines)?.lines == lines)
        #expect(SwarmLedger(lines: lines.dropLast(9))?.rows.map(\.seed) == [1, 2])
        #expect(
            try lines
                == ledger.rows.reduce(SwarmLedger(systems: ["calls"], build: "b").lines) {
                    try $0 + $1.line
                }
        )
        #expect(SwarmLedger(lines: Data("{}\n".utf8)) == nil)
    }

    @Test("A world that ended the program is a finding and is not run again; those behind it are")
    func deadWorlds() async throws {
        var swarm = swarm
        swarm.dead = [2: RunFailure(of: .crash, "signal")]
        let begun = Mutex<[UInt64]>([])
        let note: @Sendable (UInt64) -> Void = { seed in begun.withLock { $0.append(seed) } }
        var ledger = SwarmLedger(systems: [], build: "")
        try await swarm.add([1, 2, 3], to: &ledger, jobs: 1, begin: note)
        #expect(ledger.rows.map(\.seed) == [1, 2, 3])
        #expect(ledger.rows[1].failures.map(\.name) == [.crash])
        #expect(!ledger.rows[1].conditions.isEmpty)
        #expect(begun.withLock { $0 } == [1, 3])
        #expect(ledger.findings.contains { $0.failure == .crash && $0.seeds == [2] })
    }

    @Test("A world that does not load is a finding, and the swarm goes on behind it")
    func unsoundWorlds() async throws {
        let blind = SwarmRun(
            SwarmWorld(.shipped),
            loader: ScenarioLoader(vocabulary: ScenarioVocabulary(systems: .core, voices: []))
        )
        var ledger = SwarmLedger(systems: [], build: "")
        try await blind.add([1, 2], to: &ledger, jobs: 1)
        #expect(ledger.rows.map { $0.failures.map(\.name) } == [[.unsound], [.unsound]])
        #expect(ledger.rows[0].failures[0].finding.contains("apps"))
    }

    @Test("A world in which something answers itself without end fails for that")
    func livelock() throws {
        let text = """
            version: 2
            scenario: endless
            duration: 10s
            phones:
              - { name: ann-phone, radios: { wifi: wifi-internet }, apps: { replica: { user: ann } } }
            timeline:
              - { at: 5s, do: { change: { link: ann-phone/wifi, profile: ideal } } }
            """
        var point = try swarm.loader.load(text: text, file: "endless.yaml").points[0]
        point.plan.timeline = Array(repeating: point.plan.timeline[0], count: 20_000)
        let run = try WorldRun(point, seed: 1, material: nil)
        #expect(run.failures.map(\.name) == [.livelock])
        #expect(run.failures[0].instant == 5_000_000_000)
        #expect(run.failures[0].name.description == "livelock")
    }

    private func row(
        _ seed: UInt64,
        _ failures: [String],
        _ conditions: [String]
    ) -> SwarmLedger.Row {
        .init(
            seed: seed,
            digest: "",
            failures: failures.map {
                RunFailure(name: FailureName($0), instant: 1, finding: "f")
            },
            conditions: conditions,
            newPairs: []
        )
    }

    @Test("Failing worlds are grouped by what failed and by what sets them apart")
    func findingsAreGrouped() {
        var ledger = SwarmLedger(systems: [], build: "")
        ledger.rows = [
            row(1, ["x"], ["faults loss", "outage"]), row(2, [], ["outage"]),
            row(3, ["x"], ["faults loss"]), row(4, ["y"], ["write"]), row(5, [], ["write"]),
        ]
        let findings = ledger.findings
        #expect(findings.map(\.failure.name) == ["x", "y"])
        #expect(findings[0].seeds == [1, 3])
        #expect(findings[0].condition == "faults loss")
        #expect(findings[0].elsewhereCount == 0)
        #expect(findings.allSatisfy { $0.beside == nil })
    }

    @Test("What fails in every other world hides nothing that fails behind it")
    func frequentFailures() {
        var ledger = SwarmLedger(systems: [], build: "")
        ledger.rows = [
            row(1, ["x"], ["a"]), row(2, ["x", "y"], ["a", "b"]), row(3, ["x"], ["a"]),
            row(4, ["x", "y"], ["a", "b"]), row(5, [], ["c"]),
        ]
        let findings = ledger.findings
        #expect(findings.map(\.failure.name) == ["x", "y"])
        #expect(findings[1].seeds == [2, 4])
        #expect(findings[1].condition == "b")
        #expect(findings[1].beside?.name == "x")
        #expect(findings[1].line.contains("always beside x"))
    }

    @Test("A duration is no condition of a world, a word is")
    func conditions() {
        let document: DocumentNode = [
            "timeline": [
                ["at": "5s", "do": ["slow": ["link": "a/wifi", "by": "56ms"]]],
                ["at": "6s", "do": ["server": ["does": "crash"]]],
            ]
        ]
        #expect(document.conditions == ["server crash", "slow"])
    }
}
