import KodamaShipped
import Foundation
@testable import KodamaEvidence
@testable import KodamaHarness
@testable import KodamaLanguage
@testable import KodamaSimulation
import SansIO
import Testing

@Suite("Failure odds: when a failure became certain")
struct FailureOddsTests {
    /// Scenarios that fail by one accident of the weather, which the test finds by itself.
    enum Planted: String, CaseIterable {
        /// One fault out of a mix that mostly brings none.
        case fault
        /// One outage of a radio that is long enough.
        case outage
        /// Somebody who talks when the link stops for a moment.
        case word

        var text: String {
            switch self {
            case .fault:
                """
                duration: 40s
                voice: reachability
                phones:
                  - { name: phone, radios: { wifi: wifi-internet }, apps: { session: {} } }
                faults:
                  - { of: phone, every: 300s, from: 10s, until: 35s, kinds: { black-hole: 1 } }
                expect:
                  - { metric: session.audio.lost.time, max: "<= 1s" }
                """
            case .outage:
                """
                duration: 60s
                voice: reachability
                phones:
                  - name: phone
                    radios: { cellular: { profile: lte-good, outages: driving } }
                    apps: { session: {} }
                expect:
                  - { metric: session.audio.lost.time, max: "<= 1500ms" }
                """
            case .word:
                """
                duration: 12s
                voice: sized
                phones:
                  - { name: left, apps: { intercom: { group: ridge } } }
                  - { name: right, apps: { intercom: { group: ridge } } }
                links:
                  - { between: [left, right], profile: local-clean }
                people:
                  - { name: ann, holds: left }
                  - { name: bob, holds: right }
                talk:
                  - { conversation: p59, between: [ann, bob], from: 1s, until: 12s }
                timeline:
                  - { at: 10s, do: { stop: { link: left/right, for: 100ms } } }
                expect:
                  - { metric: voice.concealed.run.time, max: "<= 60ms" }
                """
            }
        }

        /// The record to blame, of all of a run's.
        func culprit(_ trace: RecordedTrace) throws -> TraceRecord {
            let second: Int64 = 1_000_000_000
            switch self {
            case .fault:
                return try #require(trace.records.first { $0.kind == FaultBegan.kind })
            case .outage:
                return try #require(
                    trace.records.first { record in
                        record.kind == LinkChanged.kind
                            && LinkChanged(record).parameter > second * 3 / 2
                    }
                )
            case .word:
                // Of the spurts under way at 10 s the one that began first.
                var open: [ComponentIndex: TraceRecord] = [:]
                for record in trace.records where record.instant.nanoseconds < 10 * second {
                    if record.kind == SpeechBegan.kind { open[record.component] = record }
                    if record.kind == SpeechEnded.kind { open[record.component] = nil }
                }
                return try #require(open.values.min { $0.instant < $1.instant })
            }
        }
    }

    @Test("The record that made the failure certain is named (HN-06)", arguments: Planted.allCases)
    func names(_ planted: Planted) async throws {
        let scenario = try Self.scenario(planted.text)
        let seed = try Self.failingSeed(of: scenario)
        let question = try FailureQuestion(scenario, seed: seed, material: nil)
        // Where chance brings the failure about in most forks, fewer do not tell.
        let forkCount = planted == .word ? 16 : 8
        let odds = try await FailureOdds(question, forkCount: forkCount, jobs: 2)
        let turn = try #require(odds.turn)
        let run = SingleRun(plan: scenario.points[0].plan, seed: seed, material: nil)
        let trace = try run.measure(keepingTraceOf: "planted", level: .control).trace
        let culprit = try planted.culprit(trace)
        #expect(turn.instant == culprit.instant)
        #expect(
            turn.record == TraceText.squeezed(TraceText.line(culprit, trace.directory)),
            "\(odds.text)"
        )
        #expect(turn.after.failureCount == forkCount)
        #expect((10...60).contains(odds.points.count))
    }

    @Test("The odds are the same for any number of jobs, and as JSON (HN-01, HN-06)")
    func deterministic() async throws {
        let scenario = try Self.scenario(Planted.outage.text)
        let seed = try Self.failingSeed(of: scenario)
        let question = try FailureQuestion(scenario, seed: seed, material: nil)
        let one = try await FailureOdds(question, forkCount: 4, jobs: 1)
        let three = try await FailureOdds(question, forkCount: 4, jobs: 3)
        #expect(one == three)
        let object = try JSONSerialization.jsonObject(with: try one.json) as? [String: Any]
        let points = try #require(object?["points"] as? [[String: Any]])
        #expect(points.compactMap { $0["failureCount"] as? Int } == one.points.map(\.failureCount))
        #expect(
            points.compactMap { $0["atNanoseconds"] as? Int64 }
                == one.points.map(\.instant.nanoseconds)
        )
        #expect(object?["forkCount"] as? Int == 4)
    }

    @Test("A failure that the scenario itself brings about is not blamed on the weather (HN-06)")
    func certain() async throws {
        let text = Planted.outage.text.replacing(", outages: driving", with: "")
            .replacing(
                "expect:",
                with: """
                    timeline:
                      - { at: 20s, do: { outage: { of: phone, for: 5s, notice: never } } }
                    expect:
                    """
            )
        let question = try FailureQuestion(try Self.scenario(text), seed: 2, material: nil)
        let odds = try await FailureOdds(question, forkCount: 4, jobs: 2)
        #expect(odds.turn == nil)
        #expect(odds.text.contains("Weather does not decide it"))
        // One row says it; then what does is found by leaving each thing out.
        #expect(odds.points.count == 1)
        let entry = try #require(odds.leftOut.first { $0.words.contains("entry at 20.000 s") })
        #expect(entry.failureCount == 0)
        #expect(odds.text.contains("It fails in 0 of 8 without the entry at 20.000 s for phone"))
    }

    @Test("Where no one entry decides, those that suffice together are named (HN-06)")
    func together() async throws {
        func text(_ limit: String) -> String {
            Planted.outage.text.replacing(", outages: driving", with: "")
                .replacing(
                    "expect:",
                    with: """
                        timeline:
                          - { at: 5s, do: { user: { of: phone, does: mute } } }
                          - { at: 8s, do: { user: { of: phone, does: unmute } } }
                          - { at: 12s, do: { block: { of: phone, for: 5s } } }
                          - { at: 25s, do: { block: { of: phone, for: 5s } } }
                          - { at: 40s, do: { block: { of: phone, for: 5s } } }
                        expect:
                        """
                ).replacing("1500ms", with: limit)
        }
        // Any two of three come to over 9 s, and none of them alone.
        let question = try FailureQuestion(try Self.scenario(text("9s")), seed: 2, material: nil)
        let odds = try await FailureOdds(question, forkCount: 4, jobs: 2)
        #expect(odds.leftOut.allSatisfy { $0.failureCount == 8 })
        #expect(odds.sufficing?.count == 2, "\(odds.text)")
        #expect(odds.text.contains(". Of its entries and faults these suffice:\n"), "\(odds.text)")
        #expect(odds.sufficing?.allSatisfy { $0.contains("for phone") } == true, "\(odds.text)")
        let object = try JSONSerialization.jsonObject(with: try odds.json) as? [String: Any]
        #expect(object?["sufficing"] as? [String] == odds.sufficing)
        let one = try FailureQuestion(try Self.scenario(text("1s")), seed: 2, material: nil)
        let alone = try await FailureOdds(one, forkCount: 4, jobs: 1)
        #expect(alone.sufficing?.count == 1, "\(alone.text)")
    }

    @Test("What fails in nine of ten forks from the beginning is asked no further (HN-06)")
    func nearlyCertain() async throws {
        let forkCount = 40
        func candidate(_ length: Int) throws -> FailureQuestion? {
            let text = Planted.outage.text.replacing("60s", with: "\(length)s")
                .replacing("1500ms", with: "500ms")
            let scenario = try Self.scenario(text)
            let question = try FailureQuestion(
                scenario,
                seed: try Self.failingSeed(of: scenario),
                material: nil
            )
            let failures = try (0..<forkCount).filter { number in
                try question.fails(
                    WeatherFork(at: .zero, of: question.run.seed, number: number)
                )
            }
            return (36..<forkCount).contains(failures.count) ? question : nil
        }
        var found: FailureQuestion?
        for length in [900, 1_100, 1_300, 1_500] where found == nil {
            found = try candidate(length)
        }
        let odds = try await FailureOdds(try #require(found), forkCount: forkCount, jobs: 2)
        #expect(odds.points.count == 1)
        #expect(odds.isCertainFromTheBeginning)
        #expect(odds.text.contains("of 40 runs fail too."))
        #expect(!odds.text.contains("little by little"))
    }

    /// Four seeds that lose their sound once each.
    private static let onceInEach = """
        duration: 60s
        seeds: 4
        voice: reachability
        phones:
          - { name: phone, radios: { cellular: lte-good }, apps: { session: {} } }
        timeline:
          - { at: 20s, do: { outage: { of: phone, for: 5s, notice: never } } }
        expect:
          - { metric: session.audio.lost.time, count: "== 4" }
        """

    @Test("A run that adds its share to a sum of all seeds keeps the sum (HN-03, HN-06)")
    func share() throws {
        let scenario = try Self.scenario(Self.onceInEach)
        #expect(Self.isGreen(scenario, 2))
        #expect(throws: FailureQuestion.Refusal.green(["session.audio.lost.time"])) {
            try FailureQuestion(scenario, seed: 2, material: nil)
        }
        let text = Self.onceInEach + "\n  - { metric: session.audio.lost.time, max: \"<= 1500ms\" }"
        let question = try FailureQuestion(try Self.scenario(text), seed: 2, material: nil)
        #expect(question.failure.hasPrefix("session.audio.lost.time max <= 1.5s"))
    }

    @Test("Of a run that adds less than its share to a sum it is asked why (HN-06)")
    func lessThanShare() throws {
        let scenario = try Self.scenario(Self.onceInEach.replacing("== 4", with: "== 8"))
        let replay = try Replay(
            scenario,
            file: "planted.yaml",
            seed: 2,
            material: nil,
            level: .milestone
        )
        // One run of four proves nothing against their sum.
        #expect(replay.isUndecided)
        let question = try FailureQuestion(scenario, seed: 2, material: nil)
        #expect(question.failure == "session.audio.lost.time count == 8 (1 in one run of 4)")
        #expect(try question.fails(WeatherFork(at: .zero, of: 2, number: 0)))
    }

    @Test("Of a run that is undecided it is said why, and not that it has no data (HN-06)")
    func undecided() throws {
        let text = Self.onceInEach.replacing("for: 5s", with: "for: 39900ms")
            .replacing(
                "session.audio.lost.time, count: \"== 4\"",
                with: "session.recovery.time, max: \"<= 100s\""
            )
        let reason = "session.recovery.time max <= 100s: what was open at the end could turn it"
        #expect(throws: FailureQuestion.Refusal.undecided([reason])) {
            try FailureQuestion(try Self.scenario(text), seed: 2, material: nil)
        }
    }

    @Test("Nothing is asked about a run that does not fail, or not of that name (HN-06)")
    func refusals() throws {
        let scenario = try Self.scenario(Planted.outage.text)
        let failing = try Self.failingSeed(of: scenario)
        let green = try #require((1...20).first { $0 != failing && Self.isGreen(scenario, $0) })
        #expect(throws: FailureQuestion.Refusal.green(["session.audio.lost.time"])) {
            try FailureQuestion(scenario, seed: green, material: nil)
        }
        #expect(throws: FailureQuestion.Refusal.otherMiss(["session.audio.lost.time"])) {
            try FailureQuestion(scenario, seed: failing, material: nil, about: "voice.late")
        }
    }

    @Test("Of a run that only lacks data it is said what has none (HN-06)")
    func lacksData() throws {
        let text = Planted.outage.text.replacing(", outages: driving", with: "")
            .replacing(
                "expect:",
                with: """
                    timeline:
                      - after: { event: path.lost, of: phone }
                        do: { outage: { of: phone, for: 1s } }
                    expect:
                    """
            )
        let never = FailureQuestion.Refusal.noData(["after path.lost of phone"])
        #expect(throws: never) {
            try FailureQuestion(try Self.scenario(text), seed: 2, material: nil)
        }
    }

    @Test(
        "A forked run is the same to the record up to the fork, and another one after it (HN-01)",
        arguments: Planted.allCases
    )
    func keepsHistory(_ planted: Planted) throws {
        let plan = try Self.scenario(planted.text).points[0].plan
        let run = SingleRun(plan: plan, seed: 5, material: nil)
        try Self.checkForks(run, varies: planted != .fault)
    }

    @Test("With real audio and noise a fork keeps what was said and heard before it (HN-01)")
    func keepsSound() throws {
        let text = Planted.word.text
            .replacing("voice: sized", with: "voice: real")
            .replacing("duration: 12s", with: "duration: 8s")
            .replacing("until: 12s", with: "until: 8s")
            .replacing("at: 10s", with: "at: 5s")
        let material = try Voices(needsSound: true, isSynthetic: true).material
        let plan = try Self.scenario(text).points[0].plan
        try Self.checkForks(SingleRun(plan: plan, seed: 5, material: material), varies: true)
    }

    // MARK: Support

    private static func scenario(_ text: String) throws -> Scenario {
        let loader = ScenarioLoader(vocabulary: ScenarioVocabulary(systems: .shipped))
        return try loader.load(
            text: "version: 2\nscenario: planted\n\(text)\n",
            file: "planted.yaml"
        )
    }

    private static func isGreen(_ scenario: Scenario, _ seed: UInt64) -> Bool {
        let replay = try? Replay(
            scenario,
            file: "planted.yaml",
            seed: seed,
            material: nil,
            level: .milestone
        )
        return replay?.isGreen ?? false
    }

    private static func failingSeed(of scenario: Scenario) throws -> UInt64 {
        try #require((1...100).first { !isGreen(scenario, $0) }, "no seed fails")
    }

    /// Forks a run at several of its instants, and just after them.
    private static func checkForks(_ run: SingleRun, varies: Bool) throws {
        func records(_ fork: WeatherFork?) throws -> [TraceRecord] {
            var run = run
            run.fork = fork
            return try run.measure(keepingTraceOf: "run", level: .media).trace.records
        }
        let whole = try records(nil)
        var changedCount = 0
        for share in 1..<8 {
            let instant = whole[whole.count * share / 8].instant.advanced(by: .nanoseconds(1))
            let fork = WeatherFork(at: instant, of: run.seed, number: share)
            let forked = try records(fork)
            let before = whole.prefix { $0.instant < instant }
            #expect(Array(forked.prefix { $0.instant < instant }) == Array(before))
            #expect(try records(fork) == forked)
            changedCount += forked == whole ? 0 : 1
        }
        if varies { #expect(changedCount > 3) }
    }
}
