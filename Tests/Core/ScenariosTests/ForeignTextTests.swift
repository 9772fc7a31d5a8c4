import SansIO
import Testing

@testable import KodamaLanguage

@Suite("What others wrote ends no line of a scenario that is made of it")
struct ForeignTextTests {
    /// All that ends a line (YAML 1.1, 5.4).
    static let breaks = ["\n", "\r\n", "\r", "\u{85}", "\u{2028}", "\u{2029}", "\n\u{301}"]

    private func lines(_ text: String) -> [String] {
        text.unicodeScalars.split(omittingEmptySubsequences: false) { SourceText.isBreak($0) }
            .map { String($0) }
    }

    @Test("A log's name, a note and a remark stay in their comments (RS-10)", arguments: breaks)
    func log(end: String) {
        for _ in 0..<2 {
            var scenario = LoggedScenario()
            scenario.notes = ["a note\(end)seeds: 1"]
            scenario.add("duration", "5s", "a remark\(end)seeds: 2")
            let text = scenario.yaml(name: "made", files: ["a.csv\(end)seeds: 3\(end)#", "b.csv"])
            let lines = lines(text)
            #expect(lines.count == 6 && lines[5].isEmpty, "\(lines)")
            #expect(lines[0].hasPrefix("# Made by") && lines[0].hasSuffix("#, b.csv."))
            #expect(lines[1].hasPrefix("# a note") && lines[1].hasSuffix("seeds: 1"))
            #expect(lines[2...3] == ["version: 2", "scenario: made"])
            #expect(lines[4].hasPrefix("duration: 5s  # a remark"))
        }
    }

    @Test("The remarks on a shrunk document stay in their comments", arguments: breaks)
    func remarks(end: String) {
        let document = DocumentNode.mapping([.init("seeds", .plain("1"))])
        let text = document.yaml(remarks: [[.key("seeds")]: "was 2\(end)duration: 1s"])
        #expect(lines(text).count == 2)
    }

    @Test("A text in quotes is read back as it is, whatever it holds")
    func quotes() throws {
        let scalars: [Unicode.Scalar] =
            (1...0x9F).compactMap(Unicode.Scalar.init) + ["\u{2028}", "\u{2029}", "\u{FEFF}", "é"]
        for scalar in scalars {
            let text = "a\(scalar)1\r\nb\"\u{301}\\"
            let flow = DocumentNode.value(text, isQuoted: true).flow
            #expect(lines(flow).count == 1, "\(flow)")
            let summary = "version: 2\nsummary: \(flow)\n"
            let file = Fixture.valid.replacing("version: 2\n", with: summary)
            let read = try Fixture.loader.load(text: file, file: "story.yaml").summary
            #expect(read?.unicodeScalars.elementsEqual(text.unicodeScalars) == true, "\(flow)")
        }
    }
}
