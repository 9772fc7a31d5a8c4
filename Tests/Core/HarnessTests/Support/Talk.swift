@testable import KodamaHarness
@testable import KodamaLanguage
import KodamaShipped
import Testing

/// Two phones within reach of each other, at the left one of which somebody talks from 3 s on, in real sound.
enum Talk {
    /// Makes its first run.
    ///
    /// - Parameters:
    ///   - seconds: How long it runs.
    ///   - stop: For how long nothing passes from 6.1 s on, if it stops.
    /// - Returns: The run of seed 1.
    /// - Throws: What is wrong with the scenario or its sound.
    static func run(seconds: Int, stop: String? = nil) throws -> SingleRun {
        let timeline = stop.map { stop in
            "timeline:\n  - { at: 6100ms, do: { stop: { link: left/right, for: \(stop) } } }"
        }
        let text = """
            version: 2
            scenario: talk
            duration: \(seconds)s
            voice: real
            phones:
              - { name: left, apps: { intercom: { group: ridge } } }
              - { name: right, apps: { intercom: { group: ridge } } }
            links:
              - { between: [left, right], profile: local-clean }
            people:
              - { name: lefty, holds: left }
            talk:
              - { monologue: lefty, at: 3s, for: \(seconds - 3)s }
            \(timeline ?? "")
            expect:
              - { metric: voice.duplicates.played, value: "== 0" }
            """
        let loader = ScenarioLoader(vocabulary: ScenarioVocabulary(systems: .shipped))
        let scenario = try loader.load(text: text, file: "talk.yaml")
        let plan = try #require(scenario.points.first?.plan)
        let material = try #require(try Voices(needsSound: true, isSynthetic: true).material)
        return SingleRun(plan: plan, seed: 1, material: material)
    }
}
