import Foundation
import KodamaHarness
import KodamaLanguage
import TextFormats
import Testing

@testable import KodamaGuest

@Suite("The protocol's page tells what guests can order and are told (HN-07)")
struct GuestPageTests {
    private let page: String

    init() throws {
        let path = GuestStory.examples + "/../../../Core/Command/Kodama.docc/Guests.md"
        page = try String(contentsOfFile: path, encoding: .utf8)
    }

    @Test("The lines of its example are an event and an answer that is taken, turn by turn")
    func example() throws {
        let lines = page.split(separator: "\n").filter { $0.hasPrefix("> ") || $0.hasPrefix("< ") }
        #expect(lines.count == 8)
        for pair in stride(from: 0, to: lines.count, by: 2) {
            let told = try JSONReader.read(lines[pair].dropFirst(2).utf8)
            let turn = try #require(told["turn"]?.integer)
            #expect(told["now"]?.integer != nil && told["event"]?.string != nil)
            _ = try GuestEffect.read(String(lines[pair + 1].dropFirst(2)), turn: turn)
        }
    }

    @Test("Each order and each member of it has its row")
    func orders() {
        for word in GuestEffect.words {
            #expect(page.contains("\n| `\"\(word)\":"), "no row of \(word)")
        }
    }

    @Test("The guest of the check meets each event of the page, and none that is not there")
    func events() throws {
        var met: Set<String> = []
        let checked = GuestConformance.scenario
        let loader = ScenarioLoader(vocabulary: ScenarioVocabulary(systems: GuestStory.registry))
        for word in ["everything", "caller", "answerer"] {
            met.formUnion(try GuestStory.events(of: GuestStory.odd(word), in: checked, loader))
        }
        met.formUnion(try GuestStory.events(of: GuestStory.pigeon, in: checked, loader))
        let table = page.components(separatedBy: "## Events")[1]
            .components(separatedBy: "## Orders")[0]
        let rows = table.split(separator: "\n").filter { $0.hasPrefix("| `") }
            .map { String($0.dropFirst(3).prefix { $0 != "`" }) }
        #expect(met == Set(rows))
    }
}

extension GuestStory {
    /// The events that guests of a program are told in a scenario whose label is `checked`.
    fileprivate static func events(
        of command: String,
        in scenario: String,
        _ loader: ScenarioLoader
    ) throws -> Set<String> {
        var plan = try loader.load(text: scenario, file: "checked.yaml").points[0].plan
        plan.systems = registry.with(Programs(commands: ["checked": command]))
        let transcripts = try SingleRun(plan: plan, seed: 1, material: nil).measure().transcripts
        let lines = transcripts.values.joined().filter { $0.hasPrefix("> ") }
        return Set(
            try lines.compactMap { try JSONReader.read($0.dropFirst(2).utf8)["event"]?.string }
        )
    }
}
