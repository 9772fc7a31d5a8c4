import KodamaHarness
import KodamaLanguage
import KodamaShipped
import KodamaSwarm
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
        #expect(try whole.json == parts.json)
        #expect(whole.curve.last?.pairCount == whole.rows.reduce(0) { $0 + $1.newPairs.count })
    }

    @Test("Failing worlds are grouped by what failed first and by what sets them apart")
    func findingsAreGrouped() {
        var ledger = SwarmLedger(systems: [], build: "")
        func add(_ seed: UInt64, _ failure: String?, _ conditions: [String]) {
            let failures = failure.map {
                [RunFailure(name: FailureName($0), instant: 1, finding: "f")]
            }
            ledger.rows.append(
                .init(
                    seed: seed,
                    digest: "",
                    failures: failures ?? [],
                    conditions: conditions,
                    newPairs: []
                )
            )
        }
        add(1, "x", ["faults loss", "outage"])
        add(2, nil, ["outage"])
        add(3, "x", ["faults loss"])
        add(4, "y", ["write"])
        add(5, nil, ["write"])
        let findings = ledger.findings
        #expect(findings.map(\.failure.name) == ["x", "y"])
        #expect(findings[0].seeds == [1, 3])
        #expect(findings[0].condition == "faults loss")
        #expect(findings[0].elsewhereCount == 0)
    }
}
