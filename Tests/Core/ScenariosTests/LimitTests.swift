import Foundation
@testable import KodamaLanguage
import Testing

/// What checking a file costs is bounded by counts; how long it takes is a benchmark's business.
@Suite("Any file is checked or refused, whatever it holds (HN-02)")
struct LimitTests {
    private static let head = """
        version: 2
        scenario: limits
        duration: 168h
        phones:
          - { name: left, radios: { wifi: lte-good }, apps: { session: {} } }
        people:
          - { name: ann, holds: left }

        """

    private func codes(_ text: String) -> [String] {
        do throws(InvalidScenario) {
            _ = try Fixture.loader.load(text: text, file: "limits.yaml")
            return []
        } catch {
            return error.diagnostics.filter { $0.severity == .error }.map(\.code)
        }
    }

    @Test("As many keys as fit into a file are counted, not compared with each other")
    func keys() {
        for lead in ["", "x-"] {
            let keys = (0..<90_000).map { "\(lead)k\($0): 1\n" }.joined()
            #expect(codes(Self.head + keys) == ["too-large"])
        }
    }

    @Test("Aliases that stand for one another in keys are refused before anybody compares keys")
    func aliasKeys() {
        var text = "? &k0 [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]\n: 1\n"
        for level in 1...30 {
            let uses = Array(repeating: "*k\(level - 1)", count: 10).joined(separator: ", ")
            text += "? &k\(level) [\(uses)]\n: 1\n"
        }
        #expect(codes(text + Self.head) == ["too-large"])
        let flow = (1...30).map { level in
            "x\(level): { &f\(level) [*f\(level - 1), *f\(level - 1)]: 1 }\n"
        }
        #expect(codes(Self.head + "x0: { &f0 [1, 1]: 1 }\n" + flow.joined()) == ["too-large"])
    }

    @Test("Aliases that stand for one another in values are counted as they are used")
    func aliasValues() {
        var text = "x-a0: &a0 [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]\n"
        for level in 1...20 {
            let uses = Array(repeating: "*a\(level - 1)", count: 10).joined(separator: ", ")
            text += "x-a\(level): &a\(level) [\(uses)]\n"
        }
        #expect(codes(Self.head + text) == ["too-large"])
    }

    @Test("A file of more than a mebicharacter is refused")
    func size() {
        let text = Self.head + "summary: " + String(repeating: "a", count: 1 << 20) + "\n"
        #expect(codes(text) == ["too-large"])
    }

    @Test(
        "Turns without end are counted before they are laid out",
        arguments: ["every: 2ns, for: 1ns", "every: 2ms, for: 1ms", "every: 6s, for: 1s"]
    )
    func turns(rhythm: String) {
        #expect(codes(Self.head + "talk:\n  - { turns: ann, \(rhythm) }\n") == ["too-many"])
    }

    @Test("A week of turns, each of ten seconds, is laid out; two people's entries clash once each")
    func manyTurns() {
        let entry = "  - { turns: ann, every: 10s, for: 1s }\n"
        #expect(codes(Self.head + "talk:\n" + entry) == [])
        #expect(
            codes(
                Self.head + "talk:\n" + entry.replacing("10s", with: "20s")
                    + entry.replacing("10s", with: "20s")
            ).contains("already-talks")
        )
    }

    @Test("Faults without a pause are refused by their number")
    func faults() {
        let mix = "faults:\n  - { of: left, every: 1ns, kinds: { outage: 1 } }\n"
        #expect(codes(Self.head + mix) == ["too-many"])
        let often = mix.replacing("1ns", with: "1s")
        #expect(codes(Self.head + often) == [])
    }

    @Test(
        "What many lines ask for together is counted before it is laid out, and refused with a hint"
    )
    func together() throws {
        func phones(_ count: Int) -> String {
            let lines = (1...2).map {
                "  - { name: p\($0), count: \(count), apps: { session: {} } }\n"
            }
            return Self.head.replacing(
                "people:\n",
                with: lines.joined().replacing("apps", with: "radios: { wifi: lte-good }, apps")
                    + "people:\n"
            )
        }
        #expect(codes(phones(50)) == [])
        for count in [50_001, 1_000_000] { #expect(codes(phones(count)).contains("too-many")) }
        func faults(_ count: Int) -> String {
            "faults:\n"
                + (0..<count).map { _ in "  - { of: left, every: 1s, kinds: { outage: 1 } }\n" }
                .joined()
        }
        #expect(codes(Self.head + faults(1)) == [])
        #expect(codes(Self.head + faults(2)) == ["too-many"])
    }

    @Test("Writes are counted over all entries")
    func writes() throws {
        let head = """
            version: 2
            scenario: limits
            duration: 168h
            phones:
              - { name: left, radios: { wifi: lte-good }, apps: { replica: { user: ann } } }
            timeline:

            """
        let entry = "  - { at: 1s, do: { write: { on: left, rows: 10000 } } }\n"
        #expect(codes(head + String(repeating: entry, count: 10)) == [])
        #expect(codes(head + String(repeating: entry, count: 11)) == ["too-many"])
    }

    @Test("A sweep of a large file is refused by the values of all its points")
    func sweep() {
        let points = (1...1_000).map { "\($0)s" }.joined(separator: ", ")
        let talk = (0..<900).map { "  - { monologue: ann, at: \($0)s, for: 100ms }\n" }.joined()
        let text = Self.head + "sweep: { length: [\(points)] }\ntalk:\n" + talk
        #expect(codes(text) == ["too-large"])
    }

    @Test("What is kept of a sweep's points is counted over all of them, and refused once (HN-02)")
    func allPoints() {
        func codes(points: Int) -> [String] {
            let lengths = (1...points).map { "\(160 + $0)h" }.joined(separator: ", ")
            let sweep = "duration: $length\nsweep: { length: [\(lengths)] }"
            let turns = "talk:\n  - { turns: ann, every: 7s, for: 1s }\n"
            return self.codes(Self.head.replacing("duration: 168h", with: sweep) + turns)
        }
        // 82,800 turns and more at each point, of half a million.
        #expect(codes(points: 5) == [])
        #expect(codes(points: 6) == ["too-many"])
    }

    @Test("Of thousands of mistakes the first five hundred are looked at")
    func mistakes() {
        let lines = (0..<9_000).map {
            "  - { at: 1s, do: { outage: { of: right\($0), for: 1s } } }\n"
        }
        let found = codes(Self.head + "timeline:\n" + lines.joined())
        #expect((1...501).contains(found.count))
    }

    @Test("A link is slowed by a day at most, and the limit is said where it is passed")
    func slow() {
        for (by, found) in [("24h", []), ("25h", ["out-of-range"]), ("168h", ["out-of-range"])] {
            let verb = "{ slow: { link: left/wifi, by: \(by), for: 1s } }"
            #expect(codes(Self.head + "timeline:\n  - { at: 5s, do: \(verb) }\n") == found)
        }
    }
}

@Suite("What a scenario names must lie in its folder, and is shown so that it does no harm")
struct ForeignFileTests {
    private let folder = FileManager.default.temporaryDirectory
        .appendingPathComponent("kodama-foreign-\(UUID().uuidString)")

    private func load(_ text: String, folder allowed: String? = nil) throws -> [Diagnostic] {
        let inner = folder.appendingPathComponent("inner")
        try FileManager.default.createDirectory(at: inner, withIntermediateDirectories: true)
        let file = inner.appendingPathComponent("one.yaml").path
        try Data(text.utf8).write(to: URL(fileURLWithPath: file))
        let loader = ScenarioLoader(vocabulary: Fixture.vocabulary, folder: allowed)
        do throws(InvalidScenario) {
            _ = try loader.load(file: file)
            return []
        } catch {
            return error.diagnostics.filter { $0.severity == .error }
        }
    }

    private func traced(_ path: String) -> String {
        """
        version: 2
        scenario: traced
        duration: 1s
        phones:
          - { name: left, apps: { intercom: { group: hill } } }
          - { name: right, apps: { intercom: { group: hill } } }
        links:
          - { between: [left, right], profile: lte-good, trace: \(path) }

        """
    }

    @Test(
        "Neither '..' nor an absolute path nor a link leads out of it, unless a folder above is named"
    )
    func outside() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let secret = folder.appendingPathComponent("secret")
        try Data("password\n".utf8).write(to: secret)
        let inner = folder.appendingPathComponent("inner")
        try FileManager.default.createDirectory(at: inner, withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(
            at: inner.appendingPathComponent("link"),
            withDestinationURL: secret
        )
        for text in ["../secret", "link", secret.path].flatMap({
            [traced($0), "version: 2\nscenario: heir\nextends: \($0)\n"]
        }) {
            let found = try load(text)
            #expect(found.map(\.code) == ["unreadable-file"])
            #expect(
                found.allSatisfy { $0.message.contains("it lies outside the scenario's folder") }
            )
            #expect(!"\(InvalidScenario(diagnostics: found))".contains("password"))
        }
        let allowed = try load(traced("../secret"), folder: folder.path)
        #expect(allowed.map(\.code) == ["faulty-trace"])
    }

    @Test("The folder of a file is that of its path, and the working folder if it names none")
    func folders() {
        let folders = ["one.yaml", "a/one.yaml", "./a/b/one.yaml", "../one.yaml", "/one.yaml"]
            .map(FileReader.folder)
        #expect(folders == ["", "a", "a/b", "..", "/"])
        let files = FileReader { _ in .success("") }
        for path in ["../secret-\(UUID())", "/secret-\(UUID())"] {
            #expect(files.within("").read(path) == .failure(FileReadError(.outside)))
        }
    }

    @Test("A file without end is read no further than any trace is long")
    func endless() {
        #expect(FileReader.disk.read("/dev/zero") == .failure(FileReadError(.tooLarge)))
    }

    @Test(
        "Control characters of a file reach no terminal, and long lines are cut around the mistake"
    )
    func shown() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let padding = String(repeating: "a", count: 100_000)
        let found = try load(
            "version: 2\nscenario: \"\\e[2J\(padding)\\u202E\"\nduration: 1s\nphnoes: []\n"
        )
        let text = InvalidScenario(diagnostics: found).description
        #expect(found.count > 1)
        #expect(text.utf8.count < 5_000)
        #expect(!text.contains("\u{1B}") && !text.contains("\u{202E}"))
        #expect(
            ShownText.escaped("a\u{1B}[2Jb\tc\n\u{85}\u{202E}") == "a␛[2Jb\tc\n\u{FFFD}\u{FFFD}"
        )
    }

    @Test("The caret stands under its place in a line that was cut")
    func caret() throws {
        let error = #expect(throws: InvalidScenario.self) {
            try Fixture.loader.load(text: "", file: "a")
        }
        var diagnostic = try #require(error?.diagnostics.first)
        diagnostic.location.column = 5_001
        diagnostic.length = 3
        diagnostic.sourceLine =
            String(repeating: "a", count: 5_000) + "bcd"
            + String(repeating: "e", count: 900)
        diagnostic.notes = []
        let lines = diagnostic.description.split(separator: "\n")
        #expect(lines.count == 3)
        let caret = lines[2].firstIndex(of: "^").map {
            lines[2].distance(from: lines[2].startIndex, to: $0)
        }
        #expect(Array(lines[1])[caret ?? 0] == "b")
        #expect(lines[2].hasSuffix("^~~"))
    }
}
