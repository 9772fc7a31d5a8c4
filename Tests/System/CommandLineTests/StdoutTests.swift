import Foundation
import Testing

@Suite("Stdout carries one document, and no file two results")
struct StdoutTests {
    private let workshop = Workshop()

    private func record() throws {
        try workshop.write(ScenarioText.talk(), to: "talk.yaml")
        let end = try Kodama.run(
            ["trace", "record", "talk.yaml", "--level", "media", "--output", "trace"],
            in: workshop.folder
        )
        #expect(end.status == 0, "\(end.stderr)")
    }

    @Test("64: two forms of a trace go neither into one file nor both to stdout")
    func exportedTwice() throws {
        try record()
        for (arguments, words) in [
            (
                ["--perfetto", "x", "--pcapng", "./x"],
                "--perfetto and --pcapng would both be written to './x'"
            ),
            (["--perfetto", "-", "--pcapng", "-"], "--perfetto - and --pcapng -: only one of"),
            (["--json", "--pcapng", "-"], "--json and --pcapng -: only one of"),
        ] {
            let end = try Kodama.run(["trace", "export", "trace"] + arguments, in: workshop.folder)
            #expect(end.status == 64, "\(arguments)")
            #expect(end.stderr.contains(words), "\(end.stderr)")
            #expect(end.stdout.isEmpty)
        }
        #expect(try workshop.names() == ["talk.yaml", "trace"])
    }

    @Test("A form of a trace goes to stdout byte by byte, without the list")
    func exported() throws {
        try record()
        let files = try Kodama.run(
            ["trace", "export", "trace", "--perfetto", "a.json", "--pcapng", "a.pcapng"],
            in: workshop.folder
        )
        #expect(files.status == 0, "\(files.stderr)")
        for (option, name) in [("--perfetto", "a.json"), ("--pcapng", "a.pcapng")] {
            let end = try Kodama.shell(
                "\"$KODAMA\" trace export trace \(option) - > shown",
                in: workshop.folder
            )
            #expect(end.status == 0, "\(end.stderr)")
            let shown = try Data(contentsOf: workshop.url("shown"))
            let written = try Data(contentsOf: workshop.url(name))
            #expect(shown == written, "\(option)")
        }
        #expect(try workshop.names() == ["a.json", "a.pcapng", "shown", "talk.yaml", "trace"])
    }

    @Test(
        "64: of the JSON and the renderings one goes to stdout at most",
        arguments: [
            ["run", "talk.yaml", "--json", "--html", "-", "--output", "out"],
            ["run", "talk.yaml", "--junit", "-", "--markdown", "-"],
            ["report", "none", "--json", "--github", "-"],
            ["report", "none", "--markdown", "-", "--baseline", "-"],
            ["merge", "none", "--json", "--junit", "-"],
            ["compare", "none", "none", "--json", "--html", "-"],
        ]
    )
    func documents(arguments: [String]) throws {
        try workshop.write(ScenarioText.talk(), to: "talk.yaml")
        let end = try Kodama.run(arguments, in: workshop.folder)
        #expect(end.status == 64, "\(end.stderr)")
        #expect(
            end.stderr.contains(": only one of them can go to stdout; write the others to files"),
            "\(end.stderr)"
        )
        #expect(end.stdout.isEmpty)
        #expect(try workshop.names() == ["talk.yaml"])
    }

    @Test("A rendering may go to stdout, and a baseline too")
    func rendering() throws {
        try workshop.write(ScenarioText.talk(), to: "talk.yaml")
        let end = try Kodama.run(
            ["run", "talk.yaml", "--quiet", "--output", "out", "--markdown", "-"],
            in: workshop.folder
        )
        #expect(end.status == 0, "\(end.stderr)")
        #expect(end.stdout.contains("\n## Kodama: "), "\(end.stdout)")
        let baseline = try Kodama.run(
            ["report", "out", "--baseline", "-"],
            in: workshop.folder
        )
        #expect(baseline.status == 0, "\(baseline.stderr)")
        #expect(baseline.stdout.contains("\"schemaVersion\""), "\(baseline.stdout)")
        #expect(try workshop.names() == ["out", "talk.yaml"])
    }
}
