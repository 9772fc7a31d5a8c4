import KodamaEvidence
import KodamaHarness
import KodamaLanguage
import KodamaShipped
import KodamaSwarm
import Testing

@Suite("HN-06: a failing run is shrunk to the smallest scenario that still fails")
struct ShrinkTests {
    private static let loader = ScenarioLoader(
        vocabulary: ScenarioVocabulary(systems: .shipped, voices: ["en-f", "it-m"])
    )

    private func shrink(
        _ text: String,
        jobs: Int = 1,
        runsMax: Int = 600
    ) async throws -> Shrinker.Shrunk {
        let document = try Self.loader.documents(text: text, file: "planted.yaml")[0]
        var shrinker = try Shrinker(
            document,
            loader: Self.loader,
            file: "planted.yaml",
            seed: 3,
            runsMax: runsMax,
            jobs: jobs
        )
        return try await shrinker.shrink()
    }

    /// Two phones with two apps each; of all that happens only the outage costs what the gate bounds.
    private static let planted = """
        version: 2
        scenario: planted
        duration: 300s
        voice: reachability
        phones:
          - name: ann-phone
            radios: { wifi: wifi-internet, cellular: none }
            apps: { session: {}, replica: { user: ann } }
          - name: ben-phone
            radios: { wifi: wifi-internet, cellular: lte-good }
            apps: { replica: { user: ben } }
        parameters: { session.retry_timeout: 7s }
        timeline:
          - { at: 20s, do: { user: { of: ann-phone, does: mute, app: session } } }
          - { at: 25s, do: { write: { on: ben-phone, rows: 3 } } }
          - { at: 30s, do: { user: { of: ann-phone, does: unmute, app: session } } }
          - { at: 100s, do: { outage: { of: ann-phone, for: 40s } } }
          - { at: 200s, do: { block: { of: ben-phone, for: 20s, ways: forward } } }
        faults:
          - { of: ben-phone, every: 30s, until: 200s, kinds: { loss: 3, outage: 1 } }
        expect:
          - metric: session.audio.lost.time
            max: "<= 10s"
            p50: "<= 500s"
          - metric: replica.writes.lost
            value: "== 0"
        """

    @Test("What has nothing to do with the failure goes, and the failing act stays with its range")
    func plantedOutage() async throws {
        let shrunk = try await shrink(Self.planted)
        let text = shrunk.document.yaml(remarks: shrunk.remarks)
        #expect(shrunk.failure == FailureName("session.audio.lost.time", rule: "max <= 10s"))
        #expect(!shrunk.isUnfinished)
        #expect(!text.contains("ben"), "\(text)")
        #expect(!text.contains("mute"), "\(text)")
        #expect(!text.contains("replica"), "\(text)")
        #expect(!text.contains("retry_timeout"), "\(text)")
        #expect(text.contains("outage"), "\(text)")
        #expect(text.contains("fails only from"), "\(text)")
        #expect(text.split(separator: "\n").count <= 25, "\(text)")
        // What is left loads, and fails alike.
        let again = try await shrink(text)
        #expect(again.failure == shrunk.failure)
    }

    @Test("One worker or two: the same bytes and the same number of runs")
    func anyNumberOfWorkers() async throws {
        let one = try await shrink(Self.planted, jobs: 1, runsMax: 120)
        let two = try await shrink(Self.planted, jobs: 2, runsMax: 120)
        let three = try await shrink(Self.planted, jobs: 3, runsMax: 120)
        #expect(one.document == two.document)
        #expect(
            one.document.yaml(remarks: one.remarks) == three.document.yaml(remarks: three.remarks)
        )
        #expect([two.runCount, three.runCount] == [one.runCount, one.runCount])
    }

    @Test("A run that does not fail is refused, with the failures that there are")
    func greenIsRefused() async throws {
        let text = Self.planted.replacing("<= 10s", with: "<= 290s")
        await #expect(throws: Shrinker.Refusal.self) { try await shrink(text) }
    }

    @Test("A document is written as it is read: text, tree and text again")
    func documentsRoundTrip() throws {
        let document = try Self.loader.documents(text: Self.planted, file: "planted.yaml")[0]
        let again = try Self.loader.documents(text: document.yaml(), file: "planted.yaml")[0]
        #expect(document == again)
        #expect(document.yaml() == again.yaml())
    }
}
