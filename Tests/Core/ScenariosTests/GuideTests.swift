import Foundation
@testable import KodamaEvidence
@testable import KodamaLanguage
@testable import KodamaShipped
import Testing

@Suite("The guide to the scenario language")
struct GuideTests {
    private static let guide = ScenarioGuide.markdown(vocabulary: Fixture.vocabulary)

    @Test("The guide names every key, verb, fault, word of a user, unit and parameter (HN-02)")
    func complete() throws {
        let systems = Vocabularies.shipped
        let words =
            systems.verbs.map { "| `\($0.key)` | " }
            + systems.apps.map { "| `\($0.system)` | " }
            + systems.chances.map { "| `\($0.name)` | 1 to 1000 | – | \($0.meaning) |" }
            + systems.userWords.choices.map { "- `does: \($0.word)`: \($0.summary)" }
            + systems.parameters.parameters.map { "| `\($0.name)` | " }
            + QuantityKind.allCases.flatMap { $0.units.map { "`\($0.symbol)`" } }
            + Fixture.vocabulary.metrics.map { "| `\($0.name)` | " }
            + Fixture.vocabulary.invariants.map { "| `\($0)` | " }
            + ScenarioLanguage.root(systems).fields.map { "| `\($0.key)` | " }
        for word in words { #expect(Self.guide.contains(word), "\(word)") }
    }

    @Test("The guide says an before a noun that begins with a vowel (HN-02)")
    func articles() {
        #expect(Self.guide.contains("| `event` | an event kind, see `kodama list records` |"))
        #expect(Self.guide.contains("| a phone, app, person, link or server |"))
    }

    @Test("The guide's examples are valid, alone and added to one another (HN-02)")
    func examples() throws {
        let loader = try Fixture.standardLoader()
        let blocks = Self.guide.components(separatedBy: "```yaml\n").dropFirst().map {
            $0.components(separatedBy: "```")[0]
        }
        #expect(blocks.count == 2)
        var text = ""
        for block in blocks {
            text += block
            #expect(try loader.load(text: text, file: "first.yaml").warnings.isEmpty)
        }
    }

    @Test("A system's own words are in the guide, those of no system are not (HN-02)")
    func composed() {
        var vocabulary = Fixture.vocabulary
        vocabulary.systems = SystemRegistry(.shipped + [.ping])
        let guide = ScenarioGuide.markdown(vocabulary: vocabulary)
        #expect(guide.contains("| `burst` | `burst` | – | Many pings go out at once. |"))
        #expect(guide.contains("| `ping.interval` | the ping app | `1s` |"))
        #expect(!Self.guide.contains("`burst`"))
    }

    @Test("A fault or an act that needs a system's app says which (HN-02)")
    func needs() {
        let words = [
            "whatever rings then. Needs the calls app. |",
            "- `does: hold-call`: Puts the call that is going on on hold. Needs the calls app.",
            "- `does: unmute`: Unmutes the microphone. Needs the intercom or session app.",
            "- `does: connect`: Asks for the conversation. Needs the session app.",
            "| `kill-app` | 1 to 1000 | – | The user throws the app out of the app switcher. |",
        ]
        for word in words { #expect(Self.guide.contains(word), "\(word)") }
    }

    @Test("Every row of a table has as many cells as its heading (HN-02)")
    func tables() {
        var columns: Int?
        for line in Self.guide.split(separator: "\n", omittingEmptySubsequences: false) {
            guard line.hasPrefix("|") else {
                columns = nil
                continue
            }
            let count = line.count(where: { $0 == "|" })
            #expect(columns ?? count == count, "\(line)")
            columns = count
        }
    }
}
