import KodamaShipped
import Foundation
@testable import KodamaEvidence
@testable import KodamaHarness
@testable import KodamaLanguage
import SansIO
import Testing

@Suite("Explanations: a run in sentences")
struct ExplanationTests {
    /// Five runs whose sentences were read before they became golden.
    enum Run: String, CaseIterable {
        case outage, agent, interruption, call, handover

        /// The scenario; what is the same in each is added.
        var text: String {
            switch self {
            case .outage:
                "preset: as-specified\n"
                    + Self.session("{ outage: { of: ann-phone, for: 26s, notice: never } }")
            case .agent: Self.session("{ agent: { does: leave, of: ann-phone } }")
            case .interruption:
                Self.session("{ user: { of: ann-phone, does: phone-call-begins } }") + """

                      - { at: 30s, do: { user: { of: ann-phone, does: phone-call-ends } } }
                    """
            case .call:
                """
                duration: 60s
                voice: reachability
                phones:
                  - name: ann-phone
                    radios: { wifi: wifi-internet }
                    apps: { calls: { user: ann } }
                  - name: bob-phone
                    radios: { cellular: lte-good }
                    apps: { calls: { user: bob, answers: 3s, hangs_up: 10s } }
                people:
                  - { name: ann, holds: ann-phone }
                  - { name: bob, holds: bob-phone }
                timeline:
                  - { at: 5s, do: { user: { of: bob-phone, does: kill-app } } }
                  - { at: 6s, do: { user: { of: bob-phone, does: lock } } }
                  - { at: 20s, do: { call: { from: ann-phone, to: bob } } }
                """
            case .handover: Self.twoWays
            }
        }

        private static func session(_ event: String) -> String {
            """
            duration: 70s
            voice: reachability
            phones:
              - name: ann-phone
                radios: { wifi: wifi-internet, cellular: lte-good }
                apps: { session: {} }
            timeline:
              - { at: 20s, do: \(event) }
            """
        }

        private static let twoWays = """
            duration: 50s
            voice: sized
            parameters:
              handover.standby_time: 1h
              nearby.cold_least: 1s
              nearby.cold_most: 1s
            phones:
              - name: ann-phone
                radios: { cellular: { profile: internet-60, delay: 30ms } }
                apps: { intercom: { group: ridge, secured: true } }
              - name: bob-phone
                radios: { cellular: { profile: internet-60, delay: 30ms } }
                apps: { intercom: { group: ridge, secured: true } }
            links:
              - { between: [ann-phone, bob-phone], profile: local-clean }
            people:
              - { name: ann, holds: ann-phone }
              - { name: bob, holds: bob-phone }
            talk:
              - { monologue: ann, at: 1s, for: 45s }
              - { monologue: bob, at: 1s, for: 45s }
            timeline:
              # A slow radio makes the phones bring the Internet up, which then stands by.
              - { at: 6s, do: { slow: { link: ann-phone/bob-phone, by: 500ms, for: 3s } } }
              - { at: 30s, do: { stop: { link: ann-phone/bob-phone, for: 4s } } }
            """

        func plan(of text: String? = nil) throws -> WorldPlan {
            let loader = ScenarioLoader(vocabulary: ScenarioVocabulary(systems: .shipped))
            let scenario = try loader.load(
                text: "version: 2\nscenario: \(rawValue)\n\(text ?? self.text)\n",
                file: "\(rawValue).yaml"
            )
            return scenario.points[0].plan
        }

        func explanation(of text: String? = nil, seed: UInt64 = 1) throws -> Explanation {
            let run = SingleRun(plan: try plan(of: text), seed: seed, material: nil)
            return try Explanation(of: run, scenario: rawValue)
        }
    }

    @Test("A run is told in sentences, cause before effect (HN-06)", arguments: Run.allCases)
    func texts(_ run: Run) throws {
        try Golden.check(try run.explanation().text + "\n", "Golden/explain.\(run.rawValue).txt")
    }

    @Test("A fault of one radio begins and ends at that radio (HN-06)")
    func oneRadio() throws {
        let text = Run.outage.text.replacingOccurrences(
            of: "of: ann-phone,",
            with: "of: ann-phone/wifi,"
        )
        let told = try Run.outage.explanation(of: text).sentences.filter {
            $0.component == "ann-phone/wifi"
        }
        #expect(
            told.map(\.text) == [
                "nothing passes over the radio any more, for 26 s",
                "packets pass over the radio again",
            ]
        )
        #expect(told.last?.cause?.text == "it began")
    }

    @Test("A slowed link takes so much longer, each time by an amount of its own (HN-06)")
    func slowed() throws {
        let text =
            Run.handover.text + """

                  - { at: 12s, do: { slow: { link: ann-phone/bob-phone, by: 40ms, for: 3s } } }
                """
        let told = try Run.handover.explanation(of: text).sentences.filter {
            $0.component == "ann-phone/bob-phone" && $0.text.contains("longer")
        }
        #expect(
            told.map(\.text) == [
                "the link takes 500 ms longer for 3 s", "the link takes 40 ms longer for 3 s",
            ]
        )
    }

    @Test("What disrupts a link at another time than planned is not told as planned (HN-06)")
    func unplanned() throws {
        let text =
            Run.handover.text + """

                  - { at: 12s, do: { slow: { link: ann-phone/bob-phone, by: 40ms, for: 2s } } }
                """
        let plan = try Run.handover.plan(of: text)
        func completed(_ seconds: Int64) -> String {
            let instant = Instant(nanoseconds: seconds * 1_000_000_000)
            let slowed = "the link takes longer for 2 s"
            return plan.completed(Sentence(at: instant, of: "ann-phone/bob-phone", slowed)).text
        }
        #expect(completed(12) == "the link takes 40 ms longer for 2 s")
        #expect(completed(13) == "the link takes longer for 2 s")
    }

    @Test("Where one way of a link is disrupted, the sentence says which (HN-06)")
    func oneWay() throws {
        let phones = "link: ann-phone/bob-phone"
        let text =
            Run.handover.text + """

                  - { at: 12s, do: { stop: { \(phones), ways: backward, for: 1s } } }
                  - { at: 14s, do: { jam: { \(phones), ways: forward, for: 1s } } }
                  - { at: 16s, do: { slow: { \(phones), ways: forward, by: 40ms, for: 1s } } }
                  - { at: 18s, do: { stop: { link: ann-phone/cellular, ways: forward, for: 1s } } }
                  - { at: 20s, do: { stop: { link: ann-phone/cellular, ways: backward, for: 1s } } }
                """
        let told = try Run.handover.explanation(of: text).sentences.filter {
            $0.text.hasPrefix("nothing passes") || $0.text.hasPrefix("the link ")
        }
        let texts = told.map(\.text).filter { $0 != "the link is as before" }
        #expect(
            texts == [
                "the link takes 500 ms longer for 3 s",
                "nothing passes over the link from bob-phone to ann-phone any more for 1 s",
                "the link holds everything back from ann-phone to bob-phone for 1 s, "
                    + "to hand it on all at once",
                "the link takes 40 ms longer from ann-phone to bob-phone for 1 s",
                "nothing passes over the link from the phone any more for 1 s",
                "nothing passes over the link to the phone any more for 1 s",
                "nothing passes over the link any more for 4 s",
            ]
        )
    }

    @Test("The JSON says the same, with instants and causes as numbers (HN-06)")
    func json() throws {
        let explanation = try Run.outage.explanation()
        let data = try explanation.json
        let object = try #require(
            try JSONSerialization.jsonObject(with: data) as? [String: Any]
        )
        #expect(object["schemaVersion"] as? Int == 1)
        #expect(object["digest"] as? String == explanation.digest.description)
        let sentences = try #require(object["sentences"] as? [[String: Any]])
        #expect(sentences.compactMap { $0["text"] as? String } == explanation.sentences.map(\.text))
        for (line, sentence) in zip(sentences, explanation.sentences) {
            #expect(line["atNanoseconds"] as? Int64 == sentence.at.nanoseconds)
            let cause = line["cause"] as? [String: Any]
            #expect(cause?["text"] as? String == sentence.cause?.text)
            #expect(line["sinceCauseNanoseconds"] as? Int64 == sentence.sinceCause)
        }
    }

    @Test(
        "No effect comes before its cause, and sentences come in the order of time (HN-06)",
        arguments: Run.allCases
    )
    func order(_ run: Run) throws {
        for seed in UInt64(1)...3 {
            let sentences = try run.explanation(seed: seed).sentences
            #expect(sentences.count > 3)
            #expect(zip(sentences, sentences.dropFirst()).allSatisfy { $0.at <= $1.at })
            for sentence in sentences {
                #expect(sentence.sinceCause.map { $0 >= 0 } ?? true, "\(sentence.line)")
            }
        }
    }

    @Test("An attempt that began before the path was back is said to have begun too early (HN-06)")
    func tooEarly() throws {
        let text = """
            kodama-trace 2 scenario=early seed=1 components=phone
            0 phone app.launched -
            5000000000 phone path.lost - cause=link
            12000000000 phone attempt.began - room=1 number=3 kind=quick
            15000000000 phone path.usable -
            18500000000 phone attempt.ended - room=1 failure=socket-timeout

            """
        let trace = try TraceText.parse(Array(text.utf8), systems: .shipped)
        var narrator = RunNarrator()
        narrator.begin(trace.directory)
        narrator.record(contentsOf: trace.records)
        #expect(
            narrator.sentences.last?.line
                == "3.5 s after the path was back: attempt 3 had begun 3 s too early and waited out "
                + "its 6.5 s: the socket does not open in time."
        )
    }

    @Test("A system that is added brings its own sentences (HN-06)")
    func plugsIn() throws {
        struct Sneezed: TraceForm {
            static let kind = TraceKind(SystemID(200), 1)
            static let text = TraceFormText("nose.sneezed", .milestone, "Somebody sneezed.")
        }
        struct NoseNarrator: SystemNarrator {
            init(_ directory: TraceDirectory) {}
            mutating func follow(_ record: TraceRecord, in narration: inout Narration) {
                guard record.kind == Sneezed.kind else { return }
                narration.say("somebody sneezes", of: record.component, at: record.instant)
            }
        }
        let noses = EvidenceSystem(
            SystemID(200),
            forms: [Sneezed.self],
            narrator: NoseNarrator.self
        )
        var narrator = RunNarrator()
        narrator.begin(TraceDirectory(names: ["phone"], systems: .shipped + [noses]))
        narrator.record(TraceRecord(Sneezed(), at: .zero, of: ComponentIndex(0)))
        let sentences = narrator.sentences
        #expect(sentences.map(\.line) == ["Somebody sneezes."])
        #expect(sentences.map(\.component) == ["phone"])
    }
}
