@testable import KodamaLanguage
import Testing

@Suite("One mistake of YAML hides no other")
struct GapTests {
    /// Where what is found, and what it is, of the valid scenario with pieces of text replaced.
    private func found(_ changes: (String, String)...) -> [String] {
        let text = changes.reduce(Fixture.valid) { $0.replacing($1.0, with: $1.1) }
        do throws(InvalidScenario) {
            _ = try Fixture.loader.load(text: text, file: "story.yaml")
            return []
        } catch {
            return error.diagnostics.map { "\($0.location.line ?? 0) \($0.code)" }
        }
    }

    @Test("A brace that is not closed hides no unit, no profile and no metric (HN-02)")
    func brace() {
        #expect(
            found(
                ("mika-phone, apps: { intercom: {} } }", "mika-phone, apps: { intercom: {} }"),
                ("60s", "60"),
                ("profile: local-clean", "profile: local-cleen"),
                ("voice.mouth_to_ear.time", "voice.mouth_to_eye.time")
            ) == [
                "3 missing-unit", "6 unfinished-mapping", "8 unknown-profile", "15 unknown-metric",
            ]
        )
    }

    @Test("Mistakes of YAML in several parts are all found, each once (HN-02)")
    func several() {
        #expect(
            found(
                ("between: [mika-phone, taro-phone], ", "between: [mika-phone, taro-phone, "),
                ("{ name: taro, holds: taro-phone }", "{ name: *taro, holds: taro-phone }"),
                ("conversation: p59,", "conversation: p59, between: [mika, taro], x: 1,"),
                ("\"<= 120ms\"", "\"<= 120ms")
            ) == [
                "8 unfinished-list", "11 undefined-alias", "13 unknown-key", "13 duplicate-key",
                "16 unfinished-text",
            ]
        )
    }

    @Test(
        "A quote that is not closed is one mistake, though all that follows reads inside out (HN-02)"
    )
    func quote() {
        let found = found(
            ("scenario: story", "scenario: story\nsummary: \"A story."),
            ("60s", "60"),
            ("p95:", "p95x:")
        )
        #expect(found == ["3 unfinished-text", "4 missing-unit", "17 unknown-key"])
    }

    @Test("Tabs, forgotten colons and block text hide nothing of other keys (HN-02)")
    func blocks() {
        #expect(
            found(("  - { name: taro-phone", "\t- { name: taro-phone"), ("60s", "60"))
                == ["3 missing-unit", "6 tab-indentation"]
        )
        #expect(
            found(("scenario: story", "scenario story"), ("60s", "60"))
                .contains("3 missing-unit")
        )
        #expect(
            found(("p95: \"<= 120ms\"", "p95: >= 120ms"), ("60s", "60"))
                .contains("3 missing-unit")
        )
    }

    @Test("What only follows from a part that could not be read is not said (HN-02)")
    func consequences() {
        // No phone, no link, no person, no talk and no gate are missed, nor are their names unknown.
        for line in Fixture.valid.split(separator: "\n") where line.hasPrefix("  - {") {
            let found = found((String(line), String(line.dropLast(2))))
            #expect(found.count == 1, "\(line): \(found)")
        }
        #expect(found(("60s", "&long 60s"), ("taro-phone }", "taro-phone, <<: *long }")).count == 1)
    }

    @Test("A text that is no YAML at all ends, with few words (HN-02)")
    func rubbish() {
        let loader = Fixture.loader
        for text in [
            String(repeating: "a: [\n", count: 300), String(repeating: "- {\n", count: 300),
            String(repeating: "x: \"\n", count: 301), String(repeating: "?: *a\n", count: 300),
            String(repeating: "\t:\n", count: 300), "{", "}", "[", "]", "\"", "a: b: c", ":",
        ] {
            #expect(throws: InvalidScenario.self) {
                try loader.load(text: text, file: "rubbish.yaml")
            }
        }
    }
}
