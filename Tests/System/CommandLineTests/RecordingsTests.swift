import Foundation
import Testing

@Suite("Which recordings voices speak, and where they are looked for")
struct RecordingsTests {
    private let workshop = Workshop()

    @Test("A program beside recordings speaks these alone, with the versions that stand there")
    func archive() throws {
        let listed = try Kodama.run("list", "recordings", "--json", in: workshop.folder)
        #expect(listed.status == 0, "\(listed.stderr)")
        let rows = try #require(try listed.json()["rows"] as? [[String: String]])
        #expect(Set(rows.compactMap { $0["name"] }) == ["en-f", "it-m"])
        let manager = FileManager.default
        let sounds = workshop.url("archive/share/kodama/sounds")
        for row in rows {
            let name = try #require(row["recording"])
            let target = sounds.appendingPathComponent(name)
            try manager.createDirectory(
                at: target.deletingLastPathComponent(),
                withIntermediateDirectories: true
            )
            try manager.copyItem(
                at: URL(fileURLWithPath: "/usr/share/asterisk/sounds/\(name)"),
                to: target
            )
        }
        let status = ["en", "it"].map { language in
            "Package: asterisk-core-sounds-\(language)-g722\nVersion: 9.9\n\n"
        }
        try workshop.write(status.joined(), to: "archive/share/kodama/sounds/packages")
        let program = workshop.url("archive/bin/kodama")
        try manager.createDirectory(
            at: program.deletingLastPathComponent(),
            withIntermediateDirectories: true
        )
        try manager.copyItem(at: Kodama.binary, to: program)
        let own = try Running(
            program,
            ["list", "recordings", "--json"],
            in: workshop.folder,
            stdin: ""
        ).wait()
        let theirs = try #require(try own.json()["rows"] as? [[String: String]])
        #expect(theirs.map { $0["recording"] } == rows.map { $0["recording"] })
        #expect(theirs.allSatisfy { $0["package"]?.hasSuffix(" 9.9") ?? false }, "\(theirs)")
        // What is there is all that is spoken, and what lacks is said.
        let first = try #require(rows.first?["recording"]?.split(separator: "/").first)
        try manager.removeItem(at: sounds.appendingPathComponent(String(first)))
        let none = try Running(program, ["list", "recordings"], in: workshop.folder, stdin: "")
            .wait()
        #expect(none.status == 66)
        #expect(none.stderr.contains("\(first)"), "\(none.stderr)")
    }
}
