import Foundation
import Testing

@Suite("What a run reports")
struct RunReportTests {
    private let workshop = Workshop()

    private func report(_ arguments: String...) throws -> [String: Any] {
        let end = try Kodama.run(
            ["run", "--json", "--quiet"] + arguments,
            in: workshop.folder
        )
        #expect(end.stderr.isEmpty, "\(end.stderr)")
        return try end.json()
    }

    @Test("The JSON report names the run: plan, settings, gates and each seed (HN-04)")
    func content() throws {
        try workshop.write(ScenarioText.talk(), to: "talk.yaml")
        let report = try report("talk.yaml", "--seeds", "2", "--set", "vad.attack=60ms")
        #expect(report["schemaVersion"] as? Int == 2)
        #expect(report["options"] as? [String] == ["--set", "vad.attack=60ms"])
        let scenario = try #require((report["scenarios"] as? [[String: Any]])?.first)
        #expect(scenario["name"] as? String == "talk")
        #expect(scenario["expected"] as? String == "pass")
        #expect(scenario["ending"] as? String == "passed")
        let point = try #require((scenario["points"] as? [[String: Any]])?.first)
        let settings = try #require(point["settings"] as? [[String: Any]])
        #expect(settings.map { $0["name"] as? String } == ["vad.attack"])
        #expect(settings.map { $0["value"] as? String } == ["60ms"])
        let gate = try #require((point["gates"] as? [[String: Any]])?.first)
        #expect(gate["limit"] as? Int == 90_000_000)
        #expect(gate["unit"] as? String == "ns")
        #expect(gate["rule"] as? String == "p50 <= 90ms")
        #expect(gate["covers"] as? [String] == ["K-12"])
        #expect((gate["bySeed"] as? [Any])?.count == 2)
        let runs = try #require(point["runs"] as? [[String: Any]])
        #expect(runs.map { $0["seed"] as? Int } == [1, 2])
        for run in runs {
            let components = try #require(run["components"] as? [String: String])
            let names = [
                "ann", "ben", "left", "left.intercom", "left/right", "right", "right.intercom",
            ]
            #expect(components.keys.sorted() == names)
        }
        let metrics = try #require(point["metrics"] as? [[String: Any]])
        let time = try #require(
            metrics.first { $0["name"] as? String == "voice.mouth_to_ear.time" }
        )
        let rows = try #require(time["bySeed"] as? [String: [Any]])
        #expect(rows.keys.sorted() == ["max", "p50", "p95"])
    }

    @Test("A gate without data has no value, and says why")
    func noData() throws {
        let text = ScenarioText.silent.replacing("people:", with: "x-people:")
            .replacing("talk:", with: "x-talk:")
        try workshop.write(text, to: "empty.yaml")
        let report = try report("empty.yaml")
        let scenario = try #require((report["scenarios"] as? [[String: Any]])?.first)
        #expect(scenario["verdict"] as? String == "no-data")
        let point = try #require((scenario["points"] as? [[String: Any]])?.first)
        let gate = try #require((point["gates"] as? [[String: Any]])?.first)
        #expect(gate["value"] == nil)
        #expect(gate["noDataReason"] as? String == "too few samples")
        #expect(gate["samples"] as? Int == 0)
    }

    @Test("One job and two report the same bytes, in files as on stdout (HN-01)")
    func sameBytes() throws {
        try workshop.write(ScenarioText.talk(), to: "talk.yaml")
        try workshop.write(ScenarioText.impossible, to: "impossible.yaml")
        let ends = try ["1", "2"].map { jobs in
            try Kodama.run(
                "run",
                ".",
                "--seeds",
                "4",
                "--json",
                "--jobs",
                jobs,
                "--output",
                "out\(jobs)",
                in: workshop.folder
            )
        }
        #expect(ends.map(\.status) == [1, 1])
        #expect(ends[0].stdout == ends[1].stdout)
        #expect(try workshop.read("out1/report.json") == ends[0].stdout)
        #expect(
            try workshop.names(in: "out1")
                == [
                    "capsules", "junit.xml", "manifest.json", "report.html", "report.json",
                    "report.md", "report.txt",
                ]
        )
        #expect(try workshop.read("out1/report.txt") == workshop.read("out2/report.txt"))
    }

    @Test("Another seed gives another digest, and the same seed alone gives the same one")
    func seeds() throws {
        try workshop.write(ScenarioText.talk(), to: "talk.yaml")
        func digests(_ report: [String: Any]) throws -> [String] {
            let scenario = try #require((report["scenarios"] as? [[String: Any]])?.first)
            let points = try #require(scenario["points"] as? [[String: Any]])
            let runs = points.flatMap { $0["runs"] as? [[String: Any]] ?? [] }
            return runs.compactMap { $0["digest"] as? String }
        }
        let both = try digests(try report("talk.yaml", "--seeds", "2"))
        #expect(Set(both).count == 2)
        #expect(try digests(try report("talk.yaml", "--seed", "2")) == [both[1]])
    }

    @Test("A file that is named twice runs once, whether by itself or by its folder")
    func namedTwice() throws {
        try workshop.write(ScenarioText.talk(), to: "some/talk.yaml")
        let end = try Kodama.run(
            "run",
            "some/talk.yaml",
            "some",
            "some/talk.yaml",
            in: workshop.folder
        )
        #expect(end.stdout.hasSuffix("\nPASS: 1 scenario, 1 run\n"))
    }

    @Test("Progress and speed go to stderr, and --quiet leaves nothing there")
    func quiet() throws {
        try workshop.write(ScenarioText.talk(), to: "talk.yaml")
        let loud = try Kodama.run("run", "talk.yaml", in: workshop.folder)
        let quiet = try Kodama.run("run", "talk.yaml", "--quiet", in: workshop.folder)
        #expect(quiet.stderr.isEmpty)
        #expect(quiet.stdout == loud.stdout)
        #expect(!loud.stderr.contains("\u{1B}"))
    }

    @Test("--wav writes what each phone plays: the listener hears the voice, the talker nothing")
    func wav() throws {
        try workshop.write(ScenarioText.talk(duration: "2s", voice: "real"), to: "talk.yaml")
        let text = try workshop.read("talk.yaml").replacing("for: 3s", with: "for: 1s")
        try workshop.write(text, to: "talk.yaml")
        let end = try Kodama.run(
            "run",
            "talk.yaml",
            "--synthetic",
            "--wav",
            "sounds",
            "--seed",
            "3",
            "--html",
            "pages/report.html",
            in: workshop.folder
        )
        #expect(end.stderr.contains("wrote sounds/talk-right.wav (seed 3)"), "\(end.stderr)")
        // The report is one file; what plays the sounds is another, to which it links.
        let report = try workshop.read("pages/report.html")
        #expect(report.contains("<a href=\"../sounds/sounds.html\">Hear the phones</a>"))
        #expect(!report.contains("<audio"))
        let players = try workshop.read("sounds/sounds.html")
        #expect(players.contains("<h2>talk, seed 3</h2>"))
        #expect(players.contains("preload=\"none\" src=\"talk-left.wav\""))
        #expect(players.contains("preload=\"none\" src=\"talk-right.wav\""))
        #expect(end.stdout.hasPrefix("SYNTHETIC speech"))
        let names = [
            "sounds.html", "talk-left-said.wav", "talk-left.wav", "talk-right-said.wav",
            "talk-right.wav",
        ]
        #expect(try workshop.names(in: "sounds") == names)
        let loudest = try ["left", "right"].map { device in
            let bytes = [UInt8](try Data(contentsOf: workshop.url("sounds/talk-\(device).wav")))
            #expect(bytes.count == 192_044, "2 s and the header, so that all lie side by side")
            return stride(from: 44, to: bytes.count - 1, by: 2).map { place in
                Int(Int16(bitPattern: UInt16(bytes[place]) | UInt16(bytes[place + 1]) << 8))
                    .magnitude
            }.max() ?? 0
        }
        #expect(loudest[0] == 0)
        #expect(loudest[1] > 1_000)
    }

    @Test("--wav overwrites no sound with another's: that both would be one file is said at once")
    func soundsOfOneName() throws {
        let talk = ScenarioText.talk(duration: "2s", voice: "real")
            .replacing("for: 3s", with: "for: 1s")
        try workshop.write(talk, to: "a.yaml")
        try workshop.write(talk, to: "b.yaml")
        let swept = talk.replacing("at: 500ms", with: "at: $at")
        try workshop.write(swept + "sweep: { at: [500ms] }\n", to: "c.yaml")
        let arguments = ["--synthetic", "--wav", "sounds"]
        let end = try Kodama.run(["run", "a.yaml", "b.yaml"] + arguments, in: workshop.folder)
        #expect(end.status == 64)
        #expect(
            end.stderr.contains(
                "--wav: a.yaml and b.yaml would both write talk-left.wav; run them into two folders"
            ),
            "\(end.stderr)"
        )
        #expect(try !workshop.names().contains("sounds"))
        let two = try Kodama.run(["run", "a.yaml", "c.yaml"] + arguments, in: workshop.folder)
        #expect(two.stderr.contains("wrote sounds/talk-500ms-right.wav"), "\(two.stderr)")
    }

    @Test("A scenario's very long name leaves sounds as well, and two are not made one")
    func soundsOfLongName() throws {
        let name = String(repeating: "n", count: 250)
        let talk = ScenarioText.talk(name: name, duration: "2s", voice: "real")
            .replacing("for: 3s", with: "for: 1s")
        try workshop.write(talk, to: "long.yaml")
        let arguments = ["--synthetic", "--wav", "sounds"]
        let end = try Kodama.run(["run", "long.yaml"] + arguments, in: workshop.folder)
        let files = ["left-said.wav", "left.wav", "right-said.wav", "right.wav"].map {
            "\(name.prefix(239 - $0.utf8.count))-\($0)"
        }
        let names = try workshop.names(in: "sounds").filter { $0.hasSuffix(".wav") }
        #expect(Set(names) == Set(files), "\(end.stderr)")
        let swept = talk.replacing("at: 500ms", with: "at: $at") + "sweep: { at: [500ms, 1s] }\n"
        try workshop.write(swept, to: "swept.yaml")
        let both = try Kodama.run(["run", "swept.yaml"] + arguments, in: workshop.folder)
        #expect(both.status == 64)
        #expect(both.stderr.contains("two points of swept.yaml would both write n"))
    }

    @Test("A swept path is part of a sound's name, not a folder")
    func soundOfSweptPath() throws {
        try workshop.write("0\n20\n40\n", to: "traces/even.up")
        let text = ScenarioText.talk(duration: "2s", voice: "real")
            .replacing("for: 3s", with: "for: 1s")
            .replacing("profile: local-clean", with: "profile: local-clean, trace: $trace")
        try workshop.write(text + "sweep: { trace: [traces/even.up] }\n", to: "talk.yaml")
        let end = try Kodama.run(
            ["run", "talk.yaml", "--synthetic", "--wav", "sounds"],
            in: workshop.folder
        )
        #expect(end.stderr.contains("wrote sounds/talk-traces-even.up-left.wav"), "\(end.stderr)")
    }
}
