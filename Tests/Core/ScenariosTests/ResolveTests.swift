import Foundation
@testable import KodamaLanguage
import Testing

@Suite("Resolved scenarios")
struct ResolveTests {
    @Test("A resolved scenario loads again as the same plan and expectations (HN-02)")
    func reloads() throws {
        let loader = try Fixture.standardLoader()
        // A swept scenario is resolved one point at a time.
        for file in try Fixture.shipped() {
            let scenario = try loader.load(file: file)
            guard scenario.sweep.names.isEmpty else { continue }
            let again = try loader.load(text: scenario.resolved.yaml, file: file)
            #expect(again.plan == scenario.plan, "\(file)")
            #expect(again.expectations == scenario.expectations, "\(file)")
            #expect(again.seeds == scenario.seeds, "\(file)")
            #expect(again.resolved.values.map(\.path) == scenario.resolved.values.map(\.path))
            #expect(again.resolved.values.map(\.value) == scenario.resolved.values.map(\.value))
        }
    }

    @Test("A quotation mark with an accent on it is doubled too")
    func quotes() throws {
        let sentence = "it'\u{301}s one"
        let scenario = try Fixture.load(
            replacing: "duration: 60s",
            with: "duration: 60s\nsummary: \"\(sentence)\""
        )
        let yaml = scenario.resolved.yaml
        let again = try Fixture.loader.load(text: yaml, file: "story.yaml")
        #expect(again.resolved.values.map(\.value) == scenario.resolved.values.map(\.value))
        #expect(yaml.utf8.contains("'it''\u{301}s one'".utf8))
    }

    @Test("Every value says where it comes from (HN-02)")
    func origins() throws {
        let scenario = try Fixture.load(
            replacing: "profile: local-clean",
            with: "profile: local-clean, forward: { loss: 2% }",
            settings: ["vad.attack=40ms"]
        )
        func row(_ path: String) -> String {
            let value = scenario.resolved.values.first { $0.path == path }
            return value.map { "\($0.value) from \($0.origin)" } ?? "absent"
        }
        #expect(row("duration") == "60s from story.yaml:3")
        #expect(row("seeds") == "1 from default")
        #expect(row("voice") == "real from default")
        #expect(row("parameters.vad.attack") == "40ms from --set vad.attack=40ms")
        #expect(row("parameters.vad.release") == "300ms from default")
        #expect(row("links[0].forward.loss") == "2% from story.yaml:8")
        #expect(row("links[0].backward.loss") == "0% from profile local-clean")
        #expect(row("links[0].forward.delay") == "8ms from profile local-clean")
        #expect(row("talk[0].until") == "60s from default")
        #expect(row("phones[1].clock_drift") == "0% from default")
        #expect(row("phones[1].apps.intercom.opens") == "never from default")
        #expect(row("expect[0].samples") == "1 from default")
    }

    @Test("The resolved text is as kept (HN-02)")
    func text() throws {
        let scenario = try Fixture.load(
            replacing: "expect:",
            with: """
                timeline:
                  - { at: 5s, do: { change: { link: taro-phone/mika-phone, profile: internet-60 } } }
                expect:
                """,
            settings: ["opus.complexity=9"]
        )
        try Golden.check(scenario.resolved.yaml, "Golden/resolved.yaml")
    }
}
