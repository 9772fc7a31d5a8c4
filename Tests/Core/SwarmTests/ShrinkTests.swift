import KodamaEvidence
import KodamaHarness
import KodamaLanguage
import KodamaShipped
@testable import KodamaSwarm
import Testing

@Suite("HN-06: a failing run is shrunk to the smallest scenario that still fails")
struct ShrinkTests {
    private static let loader = ScenarioLoader(
        vocabulary: ScenarioVocabulary(systems: .shipped, voices: ["en-f", "it-m"])
    )

    private func shrink(
        _ text: String,
        jobs: Int = 1,
        runsMax: Int = 600,
        isFatal: (@Sendable (String, UInt64) -> Bool)? = nil
    ) async throws -> Shrinker.Shrunk {
        let document = try Self.loader.documents(text: text, file: "planted.yaml")[0]
        var shrinker = try Shrinker(
            document,
            loader: Self.loader,
            file: "planted.yaml",
            seed: 3,
            runsMax: runsMax,
            jobs: jobs,
            isFatal: isFatal
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
        #expect(text.contains("fails from"), "\(text)")
        #expect(shrunk.remarks.keys.contains { $0.last == .key("at") }, "\(text)")
        #expect(text.split(separator: "\n").count <= 25, "\(text)")
        // What is left loads, and fails alike.
        let again = try await shrink(text)
        #expect(again.failure == shrunk.failure)
    }

    @Test(
        "A remark says what was tried and no more: nothing fails that it calls sound, nor the other way"
    )
    func remarksHold() async throws {
        let early = """
            version: 2
            scenario: early
            duration: 120s
            voice: reachability
            phones:
              - { name: ann-phone, radios: { wifi: wifi-internet }, apps: { session: {} } }
            timeline:
              - { at: 0s, do: { outage: { of: ann-phone, for: 40s } } }
            expect:
              - { metric: session.connect.time, max: "<= 3s" }
            """
        let shrunk = try await shrink(early)
        let text = shrunk.document.yaml(remarks: shrunk.remarks)
        // The outage matters at the launch alone, and the longer it is, the worse.
        let moment = try #require(shrunk.remarks.first { $0.key.last == .key("at") }, "\(text)")
        let length = try #require(shrunk.remarks.first { $0.key.last == .key("for") }, "\(text)")
        #expect(moment.value.hasPrefix("fails at 0s"), "\(text)")
        #expect(moment.value.contains(", not at "), "\(text)")
        #expect(length.value.hasPrefix("fails from "), "\(text)")
        #expect(length.value.hasSuffix(", nothing greater was tried"), "\(text)")
        for (path, remark) in [moment, length] {
            let sound = try #require(remark.split(separator: "not at ").last?.prefix { $0 != "," })
            for value in sound.split(separator: " and ") {
                var document = shrunk.document
                document[path: path] = .plain(String(value))
                await #expect(throws: Shrinker.Refusal.self, "\(value): \(text)") {
                    _ = try await shrink(document.yaml())
                }
            }
        }
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

    @Test("A run that neither fails nor passes is refused with what keeps it from passing")
    func doubtsAreNamed() async throws {
        let text = Self.planted
            .replacing("<= 10s", with: "<= 290s")
            .replacing(
                "timeline:",
                with: """
                    timeline:
                      - after: { event: app.terminated, of: ben-phone }
                        do: { outage: { of: ben-phone, for: 2s } }
                    """
            )
            .replacing("- metric: replica.writes.lost", with: "- metric: session.resume.time")
            .replacing("value: \"== 0\"", with: "max: \"<= 5s\"")
        do {
            _ = try await shrink(text)
            Issue.record("nothing fails in it")
        } catch Shrinker.Refusal.green(let failures, let doubts) {
            #expect(failures.isEmpty)
            #expect(doubts.contains("session.resume.time max <= 5s (no data)"), "\(doubts)")
            #expect(doubts.contains { $0.contains("app.terminated of ben-phone") }, "\(doubts)")
        }
    }

    @Test("What ends the program is shrunk by running it elsewhere, whatever else fails in it")
    func fatal() async throws {
        let shrunk = try await shrink(Self.planted) { text, _ in text.contains("outage: { of") }
        let text = shrunk.document.yaml()
        #expect(shrunk.failure == .crash)
        #expect(text.contains("outage: { of"), "\(text)")
        #expect(!text.contains("ben"), "\(text)")
        #expect(!text.contains("expect"), "\(text)")
        await #expect(throws: Shrinker.Refusal.self) {
            try await shrink(Self.planted) { _, _ in false }
        }
    }

    @Test("What the swarm keeps in a document for itself is not printed")
    func ownKeys() async throws {
        let text = Self.planted
            .replacing("duration: 300s", with: "duration: 300s\nx-quiet: 210s")
            .replacing(
                "timeline:",
                with: """
                    timeline:
                      - { at: 250s, do: { user: { of: ann-phone, does: unmute, app: session } }, x-ends: [mute] }
                    """
            )
        let shrunk = try await shrink(text, runsMax: 60)
        #expect(!shrunk.document.yaml().contains("x-"), "\(shrunk.document.yaml())")
    }

    @Test("A failure of another kind is another failure, as far as the kind is known")
    func kinds() {
        func failure(_ name: String, _ kind: String?) -> RunFailure {
            RunFailure(name: FailureName(name), instant: nil, finding: "", kind: kind)
        }
        let played = failure("breaches", "session frame.played")
        #expect(played.isLike(failure("breaches", "session frame.played")))
        #expect(!played.isLike(failure("breaches", "session frame.captured")))
        #expect(played.isLike(failure("breaches", nil)))
        #expect(!played.isLike(failure("others", "session frame.played")))
    }

    @Test("A document is written as it is read: text, tree and text again")
    func documentsRoundTrip() throws {
        let document = try Self.loader.documents(text: Self.planted, file: "planted.yaml")[0]
        let again = try Self.loader.documents(text: document.yaml(), file: "planted.yaml")[0]
        #expect(document == again)
        #expect(document.yaml() == again.yaml())
    }
}
