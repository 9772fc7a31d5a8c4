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

    @Test("Each point that is done is handed on, judged, while others are to come (HN-03)")
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
        let outcome = try await run.judge(
            in: JobSlots(1),
            pointsDone: { part in
                let done = part.points.map { "\($0.about.label), \($0.judgement.runCount)" }
                parts.withLock { $0.append(done) }
            }
        )
        let labels = outcome.points.map { "\($0.about.label), \($0.judgement.runCount)" }
        #expect(labels == ["lasts=1s, 2", "lasts=2s, 2", "lasts=3s, 2"])
        let told = parts.withLock { $0 }
        #expect(told == [Array(labels[..<1]), Array(labels[..<2])])
    }
}
