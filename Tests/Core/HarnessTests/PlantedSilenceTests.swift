@testable import KodamaEvidence
@testable import KodamaHarness
@testable import KodamaLanguage
import KodamaShipped
import Testing

/// Two sides that hear each other, judged as a shipped scenario is, and what silences one of them.
private enum Conversation: String, CaseIterable {
    case session, call, intercom

    /// The scenario, in which nobody is silenced.
    var text: String {
        switch self {
        case .session:
            """
            version: 2
            scenario: session
            seeds: 3
            duration: 120s
            voice: sized
            phones:
              - { name: mika-phone, radios: { wifi: wifi-internet }, apps: { session: {} } }
            people: [{ name: mika, holds: mika-phone }]
            talk: [{ turns: mika, every: 10s, for: 3s }]
            expect:
              - { metric: session.connect.time, p95: "<= 3s", samples: 3 }
              - { metric: voice.turns.unanswered, value: "== 0%" }
              - { metric: voice.answers.unheard, value: "== 0%", samples: 10 }
              - { metric: session.unrecovered, value: "== 0" }
            """
        case .call:
            """
            version: 2
            scenario: call
            seeds: 3
            duration: 150s
            voice: reachability
            parameters: { push.stragglers: 0% }
            phones:
              - name: mika-phone
                radios: { wifi: wifi-internet }
                apps: { calls: { user: mika } }
              - name: taro-phone
                radios: { cellular: lte-good }
                apps: { calls: { user: taro, answers: 3s, hangs_up: 60s } }
            people: [{ name: mika, holds: mika-phone }, { name: taro, holds: taro-phone }]
            expect:
              - { metric: call.ring.time, p95: "<= 3s", samples: 3 }
              - { metric: call.one_way.time, max: "<= 2s", samples: 3 }
              - { metric: call.silent, value: "== 0" }
              - { metric: call.unheard.time, max: "<= 1500ms", samples: 3 }
            timeline:
              - { at: 10s, do: { call: { from: mika-phone, to: taro } } }
            """
        case .intercom:
            """
            version: 2
            scenario: intercom
            seeds: 3
            duration: 120s
            voice: sized
            phones:
              - { name: mika-phone, apps: { intercom: { group: ridge } } }
              - { name: taro-phone, apps: { intercom: { group: ridge } } }
            links: [{ between: [mika-phone, taro-phone], profile: local-clean }]
            people:
              - { name: mika, holds: mika-phone }
              - { name: taro, holds: taro-phone }
            talk:
              - { monologue: mika, at: 1s, for: 110s }
              - { monologue: taro, at: 1s, for: 110s }
            expect:
              - { metric: voice.speech.gap.time, max: "<= 160ms", allow_no_data: true }
              - { metric: voice.speech.not_played, value: "<= 0.1%", samples: 1000 }
            """
        }
    }

    /// What takes the voice away for so long, of which nobody is told.
    func silence(of length: Int, at second: Int) -> String {
        let fault =
            switch self {
            case .session, .call: "outage: { of: mika-phone, for: \(length)s, notice: never }"
            case .intercom: "stop: { link: mika-phone/taro-phone, for: \(length)s }"
            }
        return "  - { at: \(second)s, do: { \(fault) } }"
    }

    /// How its runs end with these entries of the timeline.
    func ending(with entries: [String]) async throws -> ScenarioEnding {
        var text = text
        if !text.contains("timeline:"), !entries.isEmpty { text += "\ntimeline:" }
        text = ([text] + entries).joined(separator: "\n")
        let file = "\(rawValue).yaml"
        let loader = ScenarioLoader(vocabulary: ScenarioVocabulary(systems: .shipped))
        let scenario = try loader.load(text: text, file: file)
        let run = ScenarioRun(scenario: scenario, file: file, seeds: [[1, 2, 3]], material: nil)
        return try await run.judge(in: JobSlots(2)).ending(isStrict: false)
    }
}

@Suite("Silences that were planted")
struct PlantedSilenceTests {
    private static let lengths = [2, 3, 4, 7, 10, 15, 20, 30]

    @Test("Without one each conversation passes", arguments: Conversation.allCases)
    private func control(_ conversation: Conversation) async throws {
        #expect(try await conversation.ending(with: []) == .passed)
    }

    @Test(
        "One of 2 to 30 s fails or leaves undecided what is gated as shipped scenarios are (HN-04)",
        arguments: Conversation.allCases,
        lengths
    )
    private func planted(_ conversation: Conversation, length: Int) async throws {
        let entry = conversation.silence(of: length, at: 42)
        let ending = try await conversation.ending(with: [entry])
        #expect(ending == .failed || ending == .undecided)
    }
}
