@testable import KodamaEvidence
@testable import KodamaHarness
import KodamaLanguage
import KodamaShipped
import Testing

@Suite("A run that is shown for a gate opens at the worst sample (HN-06)")
struct StoryOpeningTests {
    private static let second: Int64 = 1_000_000_000

    /// A session that loses its path twice, for 3 and for 8 s, and a gate on how long that lasts.
    private func story(_ rule: String) throws -> RunStory {
        let text = """
            version: 2
            scenario: twice
            duration: 120s
            voice: reachability
            phones:
              - { name: phone, radios: { wifi: wifi-internet }, apps: { session: {} } }
            timeline:
              - { at: 20s, do: { block: { of: phone, for: 3s } } }
              - { at: 60s, do: { block: { of: phone, for: 8s } } }
            expect:
              - { metric: session.recovery.time, \(rule) }
            """
        let loader = ScenarioLoader(vocabulary: ScenarioVocabulary(systems: .shipped))
        let point = try loader.load(text: text, file: "twice.yaml").points[0]
        return try RunStory(
            point.plan,
            point: 0,
            seed: 1,
            reason: "",
            gate: point.expectations.gates[0],
            material: nil
        )
    }

    @Test("Every sample beyond the limit is a band of a lane of its own, and no other")
    func beyond() throws {
        let none = try #require(try story("max: '<= 60s'").samples)
        #expect(none.rows.map(\.label) == ["worst"])
        #expect(none.name.hasSuffix(": 0 of 2 samples beyond it"))
        #expect(none.rows[0].bands.map(\.tone) == [.neutral])
        let all = try #require(try story("max: '<= 1ms'").samples)
        #expect(
            all.name.hasPrefix("session.recovery.time max <= 1ms: 2 of 2 samples"),
            "\(all.name)"
        )
        let bands = all.rows[0].bands
        #expect(bands.map(\.tone) == [.bad, .bad])
        #expect(bands.map { $0.from / Self.second } == [23, 68])
    }

    @Test("What was done before a moment and meanwhile is told, the nearest first (HN-06)")
    func surroundings() throws {
        let story = try story("max: '<= 1ms'")
        let second = Self.second
        let late = story.surroundings(of: Moment(from: 68 * second, until: 69 * second))
        #expect(late == ["black-hole of phone from 60 s to 68 s"])
        let both = story.surroundings(of: Moment(from: 50 * second, until: 61 * second))
        #expect(
            both == [
                "black-hole of phone from 20 s to 23 s", "black-hole of phone from 60 s to 68 s",
            ]
        )
    }

    @Test("The picture opens around the sample, unless that is most of the run")
    func opening() throws {
        let story = try story("max: '<= 1ms'")
        let second = Self.second
        let late = story.opening(at: Moment(from: 68 * second, until: 69 * second))
        #expect(late == RunStory.Opening(from: 66 * second, until: 71 * second))
        let early = story.opening(at: Moment(from: 0, until: 5 * second))
        #expect(early == RunStory.Opening(from: 0, until: 10 * second))
        #expect(story.opening(at: Moment(from: 10 * second, until: 40 * second)) == nil)
    }
}
