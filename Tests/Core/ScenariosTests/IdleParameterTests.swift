@testable import KodamaLanguage
import Testing

@Suite("Figures that change nothing are said before anything runs (HN-05)")
struct IdleParameterTests {
    /// Two phones with the intercom, and what stands in the place of `keys`.
    private static func text(
        _ keys: String,
        left: String = "group: ridge",
        own: String = "",
        right: String = "group: ridge"
    ) -> String {
        """
        version: 2
        scenario: story
        duration: 60s
        voice: sized
        \(keys)
        phones:
          - { name: left, apps: { intercom: { \(left) } }\(own) }
          - { name: right, apps: { intercom: { \(right) } } }
        links:
          - { between: [left, right], profile: local-clean }
        people:
          - { name: ann, holds: left }
          - { name: ben, holds: right }
        talk:
          - { conversation: p59, between: [ann, ben] }
        expect:
          - { metric: voice.duplicates.played, value: "== 0" }

        """
    }

    private static let secured = "group: ridge, secured: true"

    private func load(_ text: String, settings: [String] = []) throws -> Scenario {
        try Fixture.loader.load(text: text, file: "story.yaml", settings: settings)
    }

    /// What is remarked, but for phones that are secured beside others that are not.
    private static func remarks(_ scenario: Scenario) -> [String] {
        scenario.warnings.map(\.code).filter { $0 != "unlike-seals" }
    }

    @Test(
        "What groups need is idle where no intercom is secured",
        arguments: ["handover.standby_time: 1h", "nearby.cold_most: 30s", "match.message_bytes: 9"]
    )
    func unsecured(setting: String) throws {
        let name = try #require(setting.split(separator: ":").first)
        let keys = "parameters: { \(setting) }"
        let idle = try load(Self.text(keys))
        #expect(
            idle.warnings.map(\.message) == [
                "'\(name)' does nothing: no phone has the intercom with 'secured: true'"
            ]
        )
        #expect(idle.warnings.map(\.code) == ["parameter-for-nothing"])
        #expect(!idle.resolved.yaml.contains("\(name):"))
        let half = try load(Self.text(keys, right: Self.secured))
        #expect(Self.remarks(half).isEmpty)
        #expect(half.resolved.yaml.contains("\(name):"))
    }

    @Test("The radio's figures are idle where nobody walks")
    func walks() throws {
        let keys = "parameters: { nearby.radio_budget: 100dB, nearby.radio_shadowing: 1dB }"
        let idle = try load(Self.text(keys, left: Self.secured, right: Self.secured))
        #expect(
            idle.warnings.map(\.message) == [
                "'nearby.radio_budget' does nothing: nobody walks",
                "'nearby.radio_shadowing' does nothing: nobody walks",
            ]
        )
        let walk = "\nwalks:\n  - { person: ann, speed: 1m/s, way: [{}, { east: 90m }] }"
        #expect(try load(Self.text(keys + walk)).warnings.isEmpty)
    }

    @Test("A phone's own figure is idle by its own app, whatever others have")
    func ownParameters() throws {
        let own = ", parameters: { handover.standby_time: 1h }"
        let idle = try load(Self.text("", own: own, right: Self.secured))
        #expect(Self.remarks(idle) == ["parameter-for-nothing"])
        #expect(Self.remarks(try load(Self.text("", left: Self.secured, own: own))).isEmpty)
    }

    @Test("A figure that acts at one point of a sweep is not idle")
    func swept() throws {
        let keys = "sweep: { safe: [false, true] }\nparameters: { handover.standby_time: 1h }"
        let scenario = try load(Self.text(keys, left: "group: ridge, secured: $safe"))
        #expect(scenario.points.count == 2)
        #expect(Self.remarks(scenario).isEmpty)
        let voices = "sweep: { how: [sized, real] }\nparameters: { vad.threshold: 700 }"
        let text = Self.text(voices).replacing("voice: sized", with: "voice: $how")
        #expect(try load(text).warnings.isEmpty)
        #expect(try load(text.replacing("[sized, real]", with: "[sized]")).warnings.count == 1)
    }

    @Test("What the command line sets is held against the same")
    func settings() throws {
        let settings = ["handover.standby_time=1h", "nearby.radio_budget=100dB", "vad.attack=40ms"]
        let idle = try load(Self.text(""), settings: settings).idleSettings
        #expect(idle.map(\.location.file) == settings.prefix(2).map { "--set \($0)" })
        let secured = try load(Self.text("", left: Self.secured), settings: settings).idleSettings
        #expect(secured.map(\.location.file) == ["--set nearby.radio_budget=100dB"])
    }

    @Test("Of a scenario in which something is wrong it is not said")
    func broken() {
        let keys = "clok: 1s\nparameters: { handover.standby_time: 1h }"
        let error = #expect(throws: InvalidScenario.self) { try load(Self.text(keys)) }
        #expect(error?.diagnostics.map(\.code) == ["unknown-key"])
    }
}
