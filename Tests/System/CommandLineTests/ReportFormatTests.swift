import Foundation
import Testing

@Suite("Reports as other programs read them")
struct ReportFormatTests {
    private let workshop = Workshop()

    static let python = PythonEnvironment(
        "report-readers",
        ["jsonschema==4.26.0", "junitparser==5.0.3", "xunitparser==1.3.4", "junit2html==31.1.4"]
    )

    /// Runs scenarios that pass, fail, have no data, are swept, and fail as documented.
    private func everything(_ options: String...) throws -> Kodama.End {
        try workshop.write(ScenarioText.talk(), to: "all/talk.yaml")
        try workshop.write(ScenarioText.impossible, to: "all/impossible <&>.yaml")
        try workshop.write(ScenarioText.silent, to: "all/silent.yaml")
        try workshop.write(ScenarioText.sweep(head: ScenarioText.grid), to: "all/sweep.yaml")
        try workshop.write(
            ScenarioText.impossible.replacing("scenario: impossible", with: "scenario: documented")
                + "outcome: fail\nbecause: No link is that fast.\n",
            to: "all/documented.yaml"
        )
        return try Kodama.run(
            ["run", "all", "--seeds", "3", "-q", "-o", "out"] + options,
            in: workshop.folder
        )
    }

    @Test("The JSON keeps its published schema, which refuses other keys (HN-04)")
    func schema() throws {
        let end = try everything()
        #expect(end.status == 1, "\(end.stderr)")
        let schema = try Kodama.run("schema", "report")
        try workshop.write(schema.stdout, to: "schema.json")
        let answer = try Self.python.run(
            Self.schemaExam,
            "schema.json",
            "out/report.json",
            in: workshop.folder
        )
        #expect(answer == "0\n0 True")
        let report = try JSONSerialization.jsonObject(
            with: Data(contentsOf: workshop.url("out/report.json"))
        )
        #expect(((report as? [String: Any])?["scenarios"] as? [Any])?.count == 5)
    }

    /// Prints how many mistakes a schema finds in a JSON file, and how many objects it lets have any key, of those
    /// that stand first at their place, and whether there are enough of these for that to mean something.
    static let schemaExam = """
        import json, sys, jsonschema
        schema, report = (json.load(open(name)) for name in sys.argv[1:])
        jsonschema.Draft7Validator.check_schema(schema)
        validator = jsonschema.Draft7Validator(schema)
        print(len(list(validator.iter_errors(report))))
        objects = {}
        def walk(value, path):
            if isinstance(value, dict):
                objects.setdefault(path, value)
                for key, inner in value.items(): walk(inner, path + (key,))
            elif isinstance(value, list):
                for inner in value: walk(inner, path + ("[]",))
        walk(report, ())
        unseen = 0
        for o in objects.values():
            o["no such key"] = []
            unseen += validator.is_valid(report)
            del o["no such key"]
        print(unseen, len(objects) > 2)
        """

    @Test("Three readers of JUnit XML find each gate and each failure (HN-04)")
    func junit() throws {
        _ = try everything()
        let script = """
            import sys, junitparser, xunitparser
            from junit2htmlreport import parser
            name = sys.argv[1]
            one = junitparser.JUnitXml.fromfile(name)
            cases = [case for suite in one for case in suite]
            bad = [c for c in cases if any(isinstance(r, junitparser.Failure) for r in c.result)]
            print(len(list(one)), len(cases), len(bad), one.tests, one.failures, one.skipped)
            two, result = xunitparser.parse(open(name))
            found = list(two)
            print(len(found), sum(c.failed for c in found), sum(c.skipped for c in found))
            three = parser.Junit(name)
            print(len(three.suites), sum(len(s.all()) for s in three.suites),
                  sum(len(s.failed()) for s in three.suites))
            print([c.result[0].text for c in bad][0].split(chr(10))[-1])
            """
        let lines = try Self.python.run(script, "out/junit.xml", in: workshop.folder)
            .split(separator: "\n").map(String.init)
        #expect(lines.count == 4)
        // Eight points; two gates and an invariant for each of the sweep's four.
        #expect(lines[0] == "8 17 1 17 1 2")
        #expect(lines[1] == "17 1 2")
        #expect(lines[2] == "8 17 1")
        #expect(lines[3].hasPrefix("replay with: kodama replay 'all/impossible <&>.yaml' --seed "))
    }

    @Test("Renderings made later from the JSON alone are those of the run (HN-04)")
    func later() throws {
        // The console folds what passes unless it is asked not to.
        let end = try everything(
            "--verbose",
            "--markdown",
            "a.md",
            "--junit",
            "a.xml",
            "--github",
            "a.txt"
        )
        let later = try Kodama.run(
            ["report", "out", "--markdown", "b.md", "--junit", "b.xml", "--github", "b.txt"],
            in: workshop.folder
        )
        #expect(later.status == 0, "\(later.stderr)")
        #expect(later.stdout == end.stdout)
        for kind in ["md", "xml", "txt"] {
            #expect(try workshop.read("a.\(kind)") == workshop.read("b.\(kind)"), "\(kind)")
        }
        #expect(try workshop.read("a.md") == workshop.read("out/report.md"))
        let json = try Kodama.run("report", "out/report.json", "--json", in: workshop.folder)
        #expect(try json.stdout == workshop.read("out/report.json"))
        let piped = try Kodama.shell(
            "\"$KODAMA\" report - --github - < out/report.json",
            in: workshop.folder
        )
        #expect(try piped.stdout == end.stdout + workshop.read("a.txt"))
        #expect(
            piped.stdout.contains("\n::error file=all/impossible <&>.yaml,line=17,title=imposs")
        )
    }

    @Test("What made a result is said in a file of its own, and in no other")
    func manifest() throws {
        _ = try everything()
        let data = try Data(contentsOf: workshop.url("out/manifest.json"))
        let manifest = try #require(
            try JSONSerialization.jsonObject(with: data) as? [String: Any]
        )
        #expect(manifest["command"] as? String == "kodama run all --seeds 3 -q -o out")
        #expect(manifest["version"] as? String == "0.1.0")
        #expect((manifest["build"] as? String)?.count == 16)
        let commit = try #require(manifest["commit"] as? String)
        let head = try Kodama.shell("git rev-parse HEAD", in: Kodama.root)
        #expect(head.stdout == commit + "\n")
        #expect(manifest["isModified"] is Bool)
        let texts = try workshop.names(in: "out").filter { $0.contains(".") }
        for name in texts where name != "manifest.json" {
            let text = try workshop.read("out/\(name)")
            #expect(!text.contains(commit), "\(name)")
            #expect(!text.contains(workshop.folder.path), "\(name)")
        }
    }

    @Test("64, 66, 73: a report that is none, is not there, or cannot be written is said so")
    func refusals() throws {
        try workshop.write("{}", to: "none.json")
        try workshop.write("{}", to: "out/report.json")
        func end(_ arguments: String...) throws -> Kodama.End {
            try Kodama.run(["report"] + arguments, in: workshop.folder)
        }
        let none = try end("none.json")
        #expect(none.status == 66)
        #expect(none.stderr == "error: none.json: this is no report of 'kodama run --json'\n")
        let manifest = #"{"schemaVersion":1,"build":"b","command":"c","configuration":"d"}"#
        try workshop.write(manifest, to: "manifest.json")
        #expect(
            try end("manifest.json").stderr
                == "error: manifest.json: this is no report of 'kodama run --json', but a manifest "
                + "of 'kodama run --output'; the report lies beside it, in report.json\n"
        )
        #expect(try end("away.json").status == 66)
        #expect(try end("out", "--junit", "out/report.json").status == 64)
        #expect(try end("none.json", "--junit", "a", "--markdown", "./a").status == 64)
        #expect(try end("none.json", "--junit", "out").status == 73)
        #expect(try end("none.json", "--junit", "none.json/x").status == 73)
    }

    @Test("replay prints the report of its run as JSON, every metric, and lets it be heard (HN-06)")
    func replay() throws {
        try workshop.write(ScenarioText.impossible, to: "talk.yaml")
        let json = try Kodama.run(
            "replay",
            "talk.yaml",
            "--seed",
            "4",
            "--json",
            in: workshop.folder
        )
        #expect(json.status == 1)
        let scenario = try #require((try json.json()["scenarios"] as? [[String: Any]])?.first)
        let point = try #require((scenario["points"] as? [[String: Any]])?.first)
        let runs = try #require(point["runs"] as? [[String: Any]])
        #expect(runs.map { $0["seed"] as? Int } == [4])
        let all = try Kodama.run("replay", "talk.yaml", "--metrics", in: workshop.folder)
        #expect(all.stdout.contains("\n  measured "))
        try workshop.write(
            ScenarioText.talk(duration: "2s", voice: "real").replacing("for: 3s", with: "for: 1s"),
            to: "sound.yaml"
        )
        let heard = try Kodama.run(
            ["replay", "sound.yaml", "--seed", "3", "--synthetic", "--wav", "sounds"],
            in: workshop.folder
        )
        #expect(heard.stderr.contains("wrote sounds/talk-right.wav (seed 3)"), "\(heard.stderr)")
        let names = [
            "sounds.html", "talk-left-said.wav", "talk-left.wav", "talk-right-said.wav",
            "talk-right.wav",
        ]
        #expect(try workshop.names(in: "sounds") == names)
    }
}
