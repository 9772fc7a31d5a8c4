@testable import KodamaEvidence
@testable import KodamaHarness
@testable import KodamaLanguage
import KodamaShipped
import Synchronization
import Testing

@Suite("The runs of a scenario")
struct ScenarioRunTests {
    private static let text = """
        version: 2
        scenario: waits
        sweep: { lasts: [1s, 2s, 3s] }
        seeds: 2
        duration: $lasts
        phones:
          - { name: phone, radios: { wifi: local-clean }, apps: { session: {} } }
        """

    @Test(
        "Every run that is done is kept, judged, while others are to come, of a point too (HN-03)"
    )
    func points() async throws {
        let loader = ScenarioLoader(vocabulary: ScenarioVocabulary(systems: .shipped))
        let scenario = try loader.load(text: Self.text, file: "waits.yaml")
        let run = ScenarioRun(
            scenario: scenario,
            file: "waits.yaml",
            seeds: [[1, 2], [1, 2], [1, 2]],
            material: nil
        )
        let parts = Mutex<[[String]]>([])
        let results = RunsSoFar()
        #expect(results.part == nil)
        let outcome = try await run.judge(
            in: JobSlots(1),
            progress: { progress in
                guard case .done = progress else { return }
                let done = (results.part?.points ?? []).map {
                    "\($0.about.label), \($0.judgement.runCount)"
                }
                parts.withLock { $0.append(done) }
            },
            results: results
        )
        let labels = outcome.points.map { "\($0.about.label), \($0.judgement.runCount)" }
        #expect(labels == ["lasts=1s, 2", "lasts=2s, 2", "lasts=3s, 2"])
        let told = parts.withLock { $0 }
        let half = (1...3).map { "lasts=\($0)s, 1" }
        #expect(told.count == 6)
        for point in 0..<3 {
            let before = Array(labels[..<point])
            #expect(told[2 * point] == before + [half[point]])
            #expect(told[2 * point + 1] == before + [labels[point]])
        }
    }
}
