import Foundation
import Testing

@Suite("kodama evaluate, and Scripts/tune that calls it")
struct EvaluateTests {
    private let workshop = Workshop()
    private static let weighed = [
        "--objective", "session.recovery.time:p95", "--objective", "session.probe.packets.rate:max",
    ]

    /// A session that loses its path for drawn times.
    private func write() throws {
        let text = """
            version: 2
            scenario: outages
            duration: 120s
            seeds: 20
            voice: reachability
            phones:
              - name: phone
                radios: { cellular: lte-good }
                apps: { session: {} }
            faults:
              - { of: phone, every: 20s, from: 20s, until: 100s, kinds: { outage: 1, black-hole: 1 } }
            expect:
              - { metric: session.recovery.time, p95: "<= 10s" }
              - { invariant: session.one-connect-in-flight }
            """
        try workshop.write(text, to: "outages.yaml")
    }

    private func kodama(_ arguments: [String], stdin: String = "") throws -> Kodama.End {
        try Kodama.run(arguments, in: workshop.folder, stdin: stdin)
    }

    private func evaluate(_ more: String..., stdin: String = "") throws -> Kodama.End {
        try kodama(["evaluate", "outages.yaml", "--quiet"] + Self.weighed + more, stdin: stdin)
    }

    @Test(
        "A setting's figures, gates and run values are those of run, and keep their schema (HN-05)"
    )
    func figures() throws {
        try write()
        let setting = ["--set", "session.retry_timeout=4s", "--seeds", "10"]
        let end = try evaluate("--set", "session.retry_timeout=4s", "--seeds", "10", "--json")
        #expect(end.status == 0, "\(end.stderr)")
        let value = try end.json()
        let report = try kodama(["run", "outages.yaml", "--json", "--quiet"] + setting).json()
        let scenario = try #require((report["scenarios"] as? [[String: Any]])?.first)
        let point = try #require((scenario["points"] as? [[String: Any]])?.first)
        let metrics = try #require(point["metrics"] as? [[String: Any]])
        let recovery = try #require(
            metrics.first { $0["name"] as? String == "session.recovery.time" }
        )
        let objectives = try #require(value["objectives"] as? [[String: Any]])
        #expect(objectives.map { $0["figure"] as? String } == ["p95", "max"])
        let figures = try #require(recovery["figures"] as? [String: Int])
        #expect(objectives[0]["value"] as? Int == figures["p95"])
        #expect(objectives[0]["samples"] as? Int == recovery["samples"] as? Int)
        let rows = try #require(recovery["bySeed"] as? [String: [Any]])
        let own = try #require(objectives[0]["bySeed"] as? [Any])
        #expect(own.map { $0 as? Int } == rows["p95"]?.map { $0 as? Int })
        #expect(value["runsDigest"] as? String == scenario["digest"] as? String)
        #expect(value["digest"] as? String == point["digest"] as? String)
        #expect(value["verdict"] as? String == point["verdict"] as? String)
        let gates = try #require(value["gates"] as? [[String: Any]])
        #expect(gates.count == 1)
        let slack = try #require(gates.first?["slackPerMille"] as? Int)
        let gate = try #require(gates.first?["gate"] as? [String: Any])
        let found = try #require(gate["value"] as? Int)
        let thousandths = (Double(10_000_000_000 - found) / 1e7).rounded(.down)
        #expect(slack == Int(thousandths))
        try workshop.write(end.stdout, to: "evaluate.json")
        try workshop.write(try kodama(["schema", "evaluate"]).stdout, to: "evaluate.schema.json")
        let answer = try ReportFormatTests.python.run(
            ReportFormatTests.schemaExam,
            "evaluate.schema.json",
            "evaluate.json",
            in: workshop.folder
        )
        #expect(answer == "0\n0 True")
        let text = try evaluate("--seeds", "10").stdout
        #expect(text.contains("session.recovery.time") && text.contains("slack"), "\(text)")
    }

    @Test(
        "A look shows the first seeds, and all of them after a line are what they are without (HN-08)"
    )
    func looks() throws {
        try write()
        let whole = try evaluate("--seeds", "10", "--json").stdout
        let looks = try evaluate("--seeds", "10", "--json", "--look", "4", stdin: "\n\n").stdout
            .split(separator: "\n")
        #expect(looks.count == 3)
        #expect(looks.last.map { $0 + "\n" } == whole[...])
        let first = try evaluate("--seeds", "4", "--json").stdout
        #expect(try evaluate("--seeds", "10", "--json", "--look", "4").stdout == first)
    }

    @Test("The points of a sweep are shown without a run")
    func points() throws {
        try write()
        let end = try kodama([
            "evaluate", "outages.yaml", "--points", "--sweep", "session.retry_timeout=2s..10s/3",
        ])
        let points = try #require(try end.json()["points"] as? [[String: Any]])
        let values = points.compactMap { ($0["values"] as? [[String: String]])?.first?["value"] }
        #expect(values == ["2s", "6s", "10s"])
    }

    @Test(
        "64: what is no objective is refused with what to write",
        arguments: [
            ([], "name what is measured"),
            (["--objective", "session.recovery.time"], "such as session.recovery.time:p95"),
            (["--objective", "session.recovery.tim:p95"], "did you mean 'session.recovery.time'?"),
            (["--objective", "session.recovery.time:value"], "it has p50, p95"),
            (["--objective", "session.recovery.time:share_above 3"], "has no figure"),
            (weighed + ["--objective", "session.recovery.time:p95"], "it is given twice"),
            (weighed + ["--seeds", "auto"], "their number must be given"),
            (weighed + ["--seeds", "8", "--look", "8"], "write fewer than the 8 seeds"),
            (weighed + ["--set", "session.retry_timeout=1ms"], "session.retry_timeout=1ms"),
            (weighed + ["--sweep", "session.retry_timeout=2s,3s"], "has 2 points; choose one"),
            (["--points", "--seeds", "3"], "--points runs nothing"),
            (
                ["--points", "--objective", "session.recovery.tim:p95"],
                "did you mean 'session.recovery.time'?"
            ),
        ]
    )
    func refusals(arguments: [String], words: String) throws {
        try write()
        let end = try kodama(["evaluate", "outages.yaml"] + arguments)
        #expect(end.status == 64)
        #expect(end.stdout.isEmpty)
        #expect(end.stderr.contains(words), "\(end.stderr)")
    }

    @Test("Scripts/tune keeps its own tests, with a stand-in of kodama (HN-08)")
    func script() throws {
        let end = try Kodama.shell("python3 -B Scripts/tune.d/test_tune.py", in: Kodama.root)
        #expect(end.status == 0, "\(end.stderr)")
        #expect(end.stderr.hasSuffix("\nOK\n"), "\(end.stderr)")
    }

    @Test(
        "kodama tune starts the script with this program, wherever it is called, and ends as it does"
    )
    func tuneCommand() throws {
        let help = try kodama(["tune", "--help"])
        #expect(help.status == 0, "\(help.stderr)")
        #expect(help.stdout.hasPrefix("usage: Scripts/tune FILE --vary NAME=VALUES..."))
        // Its own options, and a refusal of the program that it starts.
        let end = try kodama([
            "tune", "nowhere.yaml", "--vary", "a=1..2", "--minimize", "b:p95", "--quiet",
        ])
        #expect(end.status == 66 && end.stdout.isEmpty)
        #expect(
            end.stderr.hasPrefix("error: ") && end.stderr.contains("nowhere.yaml"),
            "\(end.stderr)"
        )
    }

    @Test(
        "Scripts/tune finds a front of this program whose result keeps its schema and whose presets run (HN-08)"
    )
    func tunes() throws {
        try write()
        let end = try Kodama.shell(
            """
            '\(Kodama.root.path)'/Scripts/tune outages.yaml --vary session.retry_timeout=2s..8s/3 \
            --vary session.probe.interval=500ms,4s --minimize session.recovery.time:p95 \
            --minimize session.probe.packets.rate:max --keep-gates --seeds 8 --quiet --kodama "$KODAMA"
            """,
            in: workshop.folder
        )
        #expect(end.status == 0, "\(end.stderr)")
        try FileManager.default.copyItem(
            at: Kodama.root.appendingPathComponent("Scripts/tune.d/tune.schema.json"),
            to: workshop.url("tune.schema.json")
        )
        let answer = try ReportFormatTests.python.run(
            ReportFormatTests.schemaExam,
            "tune.schema.json",
            "tuned/tune.json",
            in: workshop.folder
        )
        #expect(answer == "0\n0 True")
        // It runs where it lies.
        let run = try kodama(
            ["evaluate", "tuned/preset-1.yaml", "--seeds", "8", "--json", "--quiet"] + Self.weighed
        )
        let result = try JSONSerialization.jsonObject(
            with: Data(contentsOf: workshop.url("tuned/tune.json"))
        )
        let tuned = try #require(result as? [String: Any])
        let front = try #require(tuned["front"] as? [[String: Any]])
        let trials = try #require(tuned["trials"] as? [[String: Any]])
        let first = trials[try #require(front.first?["trial"] as? Int)]
        #expect(try run.json()["runsDigest"] as? String == first["runsDigest"] as? String)
    }
}
