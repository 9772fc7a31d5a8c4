import Foundation
import KodamaEvidence
@testable import KodamaLanguage
import Testing

@Suite("Diagnostics")
struct DiagnosticTests {
    @Test("A mistake is printed as compilers do: place, line, caret, suggestion (HN-02)")
    func form() {
        let printed = Fixture.diagnostics(
            replacing: "profile: local-clean",
            with: "profile: lte-god"
        )
        .map(\.description)
        #expect(
            printed == [
                """
                story.yaml:8:51: error: no link profile 'lte-god'
                  - { between: [mika-phone, taro-phone], profile: lte-god }
                                                                  ^~~~~~~
                note: did you mean 'lte-good'?
                note: known: local-clean, internet-60, lte-good
                """
            ]
        )
    }

    @Test("All mistakes are found, twenty are printed, and the rest is counted (HN-02)")
    func limit() throws {
        let text = try Fixture.files.read("Broken/many-mistakes.yaml").get()
        let error = #expect(throws: InvalidScenario.self) {
            try Fixture.loader.load(text: text, file: "many.yaml")
        }
        #expect(error?.diagnostics.count == 28)
        let printed = try #require(error?.description)
        #expect(printed.split(separator: "\n").count { $0.hasPrefix("many.yaml:") } == 20)
        #expect(printed.hasSuffix("… and 8 more"))
    }

    @Test("Where there is no list of requirements, that is said once and not of each name (HN-02)")
    func noRequirements() {
        let text =
            Fixture.valid + """
                    covers: [K-12, K-14]
                  - { invariant: voice.order-kept, covers: [K-12] }

                """
        var vocabulary = Fixture.vocabulary
        vocabulary.requirements = []
        let error = #expect(throws: InvalidScenario.self) {
            try ScenarioLoader(vocabulary: vocabulary, files: Fixture.files)
                .load(text: text, file: "story.yaml")
        }
        #expect(error?.diagnostics.map(\.code) == ["no-requirements"])
        #expect(error?.diagnostics.first?.notes.count == 1)
    }

    @Test("A share without its threshold is told where the threshold goes (HN-02)")
    func threshold() {
        let printed = Fixture.diagnostics(
            replacing: "p95: \"<= 120ms\"",
            with: "share_above: \"<= 1%\""
        ).map(\.description)
        let note =
            "note: write the threshold behind it, in the metric's unit, such as 'share_above 20ms'"
        #expect(printed.contains { $0.contains(note) }, "\(printed)")
    }

    @Test("Each figure that a metric is said to have can be written for it (HN-02)")
    func offeredFigures() throws {
        for metric in Fixture.vocabulary.metrics {
            for figure in StatisticName.offered(by: metric) {
                _ = try Objective("\(metric.name):\(figure)", among: [metric])
            }
        }
    }

    @Test(
        "Who sets what is only swept is told how (HN-02)",
        arguments: ["link.loss=1%", "voice=real"]
    )
    func sweepable(setting: String) {
        let name = setting.prefix { $0 != "=" }
        let notes = Fixture.diagnostics(settings: [setting]).flatMap(\.notes).map(\.message)
        #expect(notes.first?.contains("write '--sweep \(name)=VALUE'") == true, "\(notes)")
    }

    @Test("A setting's mistake is placed in the argument (HN-02, HN-05)")
    func settings() {
        let printed = Fixture.diagnostics(settings: [
            "vad.attack=60", "vad.atack=60ms", "vad.attack", "opus.complexity=11",
        ]).map { $0.description.split(separator: "\n").prefix(3).joined(separator: "\n") }
        #expect(
            printed == [
                """
                --set opus.complexity=11:17: error: '11' is out of range
                opus.complexity=11
                                ^~
                """,
                """
                --set vad.atack=60ms:1: error: no parameter 'vad.atack'
                vad.atack=60ms
                ^~~~~~~~~
                """,
                """
                --set vad.attack:1: error: 'vad.attack' is not name=value
                vad.attack
                ^~~~~~~~~~
                """,
                """
                --set vad.attack=60:12: error: '60' has no unit
                vad.attack=60
                           ^~
                """,
            ]
        )
    }

    @Test("A scenario that expects nothing loads with a warning (HN-03)")
    func nothingGated() throws {
        let scenario = try Fixture.load(
            replacing: "expect:\n  - metric: voice.mouth_to_ear.time\n    p95: \"<= 120ms\"\n",
            with: ""
        )
        #expect(scenario.warnings.map(\.code) == ["nothing-gated"])
        #expect(scenario.warnings.map(\.severity) == [.warning])
    }

    @Test("People without a link between their phones give a warning (HN-02)")
    func noPath() throws {
        let scenario = try Fixture.load(
            replacing: "links:\n  - { between: [mika-phone, taro-phone], profile: local-clean }\n",
            with: ""
        )
        #expect(scenario.warnings.map(\.code) == ["no-path", "no-data"])
    }

    @Test(
        "Diagnostics are the same with line feeds, carriage returns and a byte-order mark (HN-02)"
    )
    func lineEnds() {
        func printed(_ text: String) -> String {
            do throws(InvalidScenario) {
                _ = try Fixture.loader.load(text: text, file: "story.yaml")
                return ""
            } catch {
                return error.description
            }
        }
        let text = Fixture.valid.replacing("60s", with: "60")
        let plain = printed(text)
        #expect(plain.hasPrefix("story.yaml:3:11: error: "))
        #expect(printed(text.replacing("\n", with: "\r\n")) == plain)
        #expect(printed(text.replacing("\n", with: "\r")) == plain)
        #expect(printed("\u{FEFF}" + text) == plain)
    }

    @Test("YAML 1.2 words keep their meaning: no, on and y are names, not truth values (HN-02)")
    func words() throws {
        let text = Fixture.valid.replacing("taro,", with: "no,").replacing("taro]", with: "no]")
        let scenario = try Fixture.loader.load(text: text, file: "story.yaml")
        #expect(scenario.plan.people.map(\.name) == ["mika", "no"])
    }

    @Test("An aliased value is accepted, and a mistake in it names both places (HN-02)")
    func aliases() throws {
        let scenario = try Fixture.load(
            replacing: "duration: 60s",
            with: "x-length: &length 90s # not *length yet\nduration: *length"
        )
        #expect(scenario.plan.duration == .seconds(90))
        let diagnostics = Fixture.diagnostics(
            replacing: "duration: 60s",
            with: "x-length: &length 90 # not *length yet\nduration: *length"
        )
        #expect(diagnostics.map(\.location.description) == ["story.yaml:3:19"])
        #expect(
            diagnostics.first?.notes.last
                == .init(
                    "this is in anchor 'length', used here",
                    at: SourceLocation(file: "story.yaml", line: 4, column: 11)
                )
        )
    }

    @Test("Diagnostics survive a round trip through JSON (HN-02)")
    func json() throws {
        let diagnostics = Fixture.diagnostics(replacing: "60s", with: "60")
        let data = try JSONEncoder().encode(diagnostics)
        #expect(try JSONDecoder().decode([Diagnostic].self, from: data) == diagnostics)
    }
}
