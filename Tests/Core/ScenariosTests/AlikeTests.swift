@testable import KodamaEvidence
@testable import KodamaLanguage
@testable import KodamaPhone
@testable import KodamaSession
@testable import KodamaSimulation
import SansIO
import Testing

/// What the timeline and faults do to the name of an entry with a `count`.
@Suite("From scenario to plan: phones alike")
struct AlikeTests {
    private static let text = """
        version: 2
        scenario: alike
        duration: 180s
        phones:
          - { name: phone, count: 3, radios: { wifi: lte-good, cellular: lte-good }, apps: { session: {} } }
          - { name: other, radios: { wifi: lte-good }, apps: { session: {} } }
        timeline:
          - TIMELINE
        expect:
          - { metric: voice.late, value: "<= 1%" }

        """

    private func scenario(_ timeline: String, _ changes: (String, String)...) throws -> Scenario {
        var text = Self.text.replacing("TIMELINE", with: timeline)
        for (old, new) in changes { text = text.replacing(old, with: new) }
        return try Fixture.loader.load(text: text, file: "alike.yaml")
    }

    private func found(_ timeline: String, _ changes: (String, String)...) -> [Diagnostic] {
        var text = Self.text.replacing("TIMELINE", with: timeline)
        for (old, new) in changes { text = text.replacing(old, with: new) }
        do {
            return try Fixture.loader.load(text: text, file: "alike.yaml").warnings
        } catch {
            return error.diagnostics
        }
    }

    @Test(
        "An act on their name is the same as one on each, in their order (HN-02)",
        arguments: [
            "{ at: 20s, do: { user: { of: phone, does: mute } } }",
            "{ at: 20s, do: { outage: { of: phone, for: 10s } } }",
            "{ at: 20s, do: { outage: { of: phone/cellular, for: 10s } } }",
            "{ at: 20s, do: { change: { link: phone/wifi, profile: lte-good, loss: 3% } } }",
            "{ at: 20s, do: { agent: { does: leave, of: phone } } }",
            "{ after: { event: speech.began, of: phone, delay: 1s }, do: { user: { of: phone, does: mute } } }",
            "{ after: { event: speech.began, of: phone.session }, do: { user: { of: phone, does: mute } } }",
            "{ after: { event: speech.began, of: other }, do: { user: { of: phone, does: mute } } }",
        ]
    )
    func each(_ entry: String) throws {
        let singly = (1...3).map { number in
            entry.replacing("of: phone", with: "of: phone-\(number)")
                .replacing("link: phone", with: "link: phone-\(number)")
        }
        let alike = try scenario(entry)
        #expect(
            alike.plan.timeline == (try scenario(singly.joined(separator: "\n  - "))).plan.timeline
        )
        #expect(alike.plan.timeline.count >= 3)
        let plain = try scenario("{ at: 20s, do: { user: { of: other, does: mute } } }")
        #expect(alike.warnings.count == plain.warnings.count)
    }

    @Test("What is resolved does the same again, to all of them (HN-02)")
    func resolved() throws {
        let entry = "{ at: 20s, do: { change: { link: phone/wifi, profile: lte-good, loss: 3% } } }"
        let scenario = try scenario(entry)
        let again = try Fixture.loader.load(text: scenario.resolved.yaml, file: "resolved.yaml")
        #expect(again.plan.timeline == scenario.plan.timeline)
    }

    @Test("Faults of their name are drawn for each (HN-02)")
    func faults() throws {
        let entry = "{ at: 20s, do: { user: { of: other, does: mute } } }"
        let mix = "faults:\n  - { of: phone, kinds: { outage: 1 }, every: 60s }\nexpect:"
        let plan = try scenario(entry, ("expect:", mix)).plan
        #expect(plan.faults.map(\.phone) == ["phone-1", "phone-2", "phone-3"])
    }

    @Test("A phone of that name is that phone alone (HN-02)")
    func taken() throws {
        let entry = "{ at: 20s, do: { user: { of: phone, does: mute } } }"
        let plan = try scenario(entry, ("name: other", "name: phone")).plan
        #expect(plan.timeline.map(\.target) == ["phone.session"])
    }

    @Test(
        "What is wrong with it is said once (HN-02)",
        arguments: [
            ("{ at: 20s, do: { user: { of: phone, does: leave-group } } }", "other-app"),
            ("{ at: 20s, do: { outage: { of: phone/wifi, for: 400s } } }", "outside-run"),
            (
                "{ after: { event: speech.began, of: phone }, do: { user: { of: other, does: mute } } }",
                "unknown-component"
            ),
            ("{ at: 20s, do: { user: { of: phones, does: mute } } }", "unknown-phone"),
        ]
    )
    func wrong(_ entry: String, _ code: String) {
        let errors = found(entry).filter { $0.severity == .error }
        #expect(errors.map(\.code) == [code], "\(errors.map(\.message))")
    }

    @Test("An act in the way of one of them is said once, with the other's place (HN-02)")
    func inTheWay() {
        let entries = """
            { at: 20s, do: { server: { does: dark, for: 60s } } }
              - { at: 30s, do: { server: { does: join-elsewhere, of: phone } } }
            """
        let warnings = found(entries).filter { $0.code == "order-in-vain" }
        #expect(warnings.count == 1, "\(warnings.map(\.message))")
    }

    @Test("What acts on phones alike come to is counted before it is laid out (HN-02)")
    func many() {
        let entry = "{ at: 20s, do: { user: { of: phone, does: mute } } }"
        let eleven = Array(repeating: entry, count: 11).joined(separator: "\n  - ")
        let found = found(eleven, ("count: 3", "count: 99000"))
        #expect(found.map(\.code) == ["too-many"])
    }
}
