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
            ["run", "talk.yaml", "--json", "--junit", "/dev/stdout"],
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

    @Test("A rendering into where stdout leads, or into a pipe, costs nothing that was printed")
    func streams() throws {
        try workshop.write(ScenarioText.talk(), to: "talk.yaml")
        let run = "\"$KODAMA\" run talk.yaml -q -j1"
        // A file, a pipe, and a pipe that is none of its own.
        for line in [
            "\(run) --junit /dev/stdout >shown", "\(run) --junit /dev/stdout | cat >shown",
            "\(run) --junit /dev/fd/3 3>&1 >own | cat >shown; cat own >>shown",
        ] {
            let end = try Kodama.shell(line, in: workshop.folder)
            #expect(end.status == 0, "\(line): \(end.stderr)")
            let shown = try workshop.read("shown")
            #expect(shown.contains("PASS: 1 scenario"), "\(line)")
            #expect(shown.contains("<testsuites name=\"kodama\""), "\(line)")
        }
    }

    @Test("64, 73: no rendering lands on a file of --output, and none of those on a folder")
    func besideOutput() throws {
        try workshop.write(ScenarioText.talk(), to: "talk.yaml")
        func refusal(_ arguments: String..., status: Int32) throws -> String {
            let end = try Kodama.run(["run", "talk.yaml", "-q"] + arguments, in: workshop.folder)
            #expect(end.status == status, "\(end.stderr)")
            #expect(end.stdout.isEmpty)
            return end.stderr
        }
        #expect(
            try refusal("-o", "out", "--html", "./out/report.json", status: 64)
                == "error: --html and --output would both be written to 'out/report.json'\n"
        )
        try workshop.write("", to: "held/report.md/x")
        #expect(
            try refusal("-o", "held", status: 73)
                == "error: cannot write held/report.md: it is a folder\n"
        )
        try FileManager.default.createSymbolicLink(
            atPath: workshop.url("link").path,
            withDestinationPath: "nowhere"
        )
        #expect(
            try refusal("-o", "link", status: 73)
                == "error: cannot write link: No such file or directory\n"
        )
    }
}
