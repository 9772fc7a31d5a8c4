import KodamaHarness
import KodamaLanguage
import Testing

@testable import KodamaGuest

@Suite("Silences that were planted between guests")
struct GuestSilenceTests {
    /// How two guests that tell each other a reading a second end, with a link that is dead for so many seconds.
    private func ending(
        silence: Int? = nil,
        untilTheEnd: Bool = false
    ) async throws
        -> ScenarioEnding
    {
        let duration = 60
        let start = untilTheEnd ? duration - (silence ?? 0) : 20
        let stop = silence.map {
            "timeline: [{ at: \(start)s, do: { stop: { link: mika/bo, for: \($0)s } } }]"
        }
        let text = """
            version: 2
            scenario: silence
            seeds: 3
            duration: \(duration)s
            phones:
              - { name: mika, apps: { guest: { program: one, opens: already } } }
              - { name: bo, apps: { guest: { program: one, opens: already } } }
            links: [{ between: [mika, bo], profile: local-clean }]
            expect:
              - { metric: guest.delay, max: "<= 1500ms", samples: 100 }
              - { metric: guest.received, value: ">= 350" }
            \(stop ?? "")
            """
        let systems = GuestStory.registry
        let loader = ScenarioLoader(vocabulary: ScenarioVocabulary(systems: systems))
        var scenario = try loader.load(text: text, file: "silence.yaml")
        scenario.points[0].plan.systems = systems.with(
            Programs(commands: ["one": GuestStory.pigeon])
        )
        let run = ScenarioRun(
            scenario: scenario,
            file: "silence.yaml",
            seeds: [[1, 2, 3]],
            material: nil
        )
        return try await run.judge(in: JobSlots(2)).ending(isStrict: false)
    }

    @Test("Without one the guests pass")
    func control() async throws {
        #expect(try await ending() == .passed)
    }

    @Test(
        "One of 2 to 30 s fails what is gated as the examples are (HN-04)",
        arguments: [2, 3, 4, 7, 10, 15, 20, 30]
    )
    func planted(length: Int) async throws {
        #expect(try await ending(silence: length) == .failed)
    }

    @Test("So does one that lasts to the run's end", arguments: [2, 5, 10, 30])
    func untilTheEnd(length: Int) async throws {
        #expect(try await ending(silence: length, untilTheEnd: true) == .failed)
    }
}
