import Foundation
@testable import KodamaLanguage
import Testing

@Suite("Noises around a person in a scenario")
struct SurroundingsTests {
    private func load(_ surroundings: String, voice: String = "real") throws -> Scenario {
        try Fixture.loader.load(
            text: Fixture.valid.replacingOccurrences(
                of: "  - { name: mika, holds: mika-phone }",
                with: "  - { name: mika, holds: mika-phone, surroundings: \(surroundings) }"
            ).replacingOccurrences(of: "phones:", with: "voice: \(voice)\nphones:"),
            file: "story.yaml"
        )
    }

    @Test("Noises become typed plans, in the order of the file (HN-02)")
    func plans() throws {
        let scenario = try load("[{ noise: wind, snr: -2.5dB }, { noise: rain, level: -45dBov }]")
        let mika = scenario.plan.people[0]
        #expect(
            mika.surroundings == [
                SurroundingPlan(.wind, .signalToNoise(milliDecibels: -2_500)),
                SurroundingPlan(.rain, .absolute(milliDecibels: -45_000)),
            ]
        )
        #expect(scenario.plan.people[1].surroundings == [])
    }

    @Test("Every noise can be named (HN-02)", arguments: SurroundingPlan.Noise.allCases)
    func names(noise: SurroundingPlan.Noise) throws {
        let scenario = try load("[{ noise: \(noise.rawValue), snr: 5dB }]")
        #expect(scenario.plan.people[0].surroundings.map(\.noise) == [noise])
    }

    @Test("An empty list is silence, with a sized voice too (HN-02)")
    func none() throws {
        #expect(try load("[]", voice: "sized").plan.people[0].surroundings == [])
    }

    @Test("A resolved scenario shows noises with their origins, and loads again (HN-02)")
    func resolved() throws {
        let scenario = try load("[{ noise: wind, snr: 5dB }]")
        let rows = scenario.resolved.values.filter { $0.path.contains("surroundings") }
        #expect(
            rows.map { "\($0.path) \($0.value) \($0.origin)" } == [
                "people[0].surroundings[0].noise wind story.yaml:11",
                "people[0].surroundings[0].snr 5dB story.yaml:11",
            ]
        )
        let again = try Fixture.loader.load(text: scenario.resolved.yaml, file: "again.yaml")
        #expect(again.plan == scenario.plan)
    }
}
