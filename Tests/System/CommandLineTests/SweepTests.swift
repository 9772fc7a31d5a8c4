import Foundation
import Testing

@Suite("Sweeps, expected failures and replays")
struct SweepTests {
    private let workshop = Workshop()

    @Test("A sweep is judged at each point, shown as a table, and one point can be chosen (HN-05)")
    func sweep() throws {
        try workshop.write(ScenarioText.sweep(head: ScenarioText.grid), to: "sweep.yaml")
        let all = try Kodama.run("run", "sweep.yaml", "--seeds", "2", in: workshop.folder)
        #expect(all.status == 0, "\(all.stderr)")
        #expect(all.stdout.contains("sweep: 4 points of jitter by preset, seeds 1 to 2 each"))
        #expect(all.stdout.contains("  jitter  preset default  preset as-specified\n"))
        #expect(all.stdout.hasSuffix("\nPASS: 1 scenario, 8 runs\n"))
        let one = try Kodama.run(
            ["run", "sweep.yaml", "--only", "jitter=120ms", "--only", "preset=default", "--json"],
            in: workshop.folder
        )
        let scenario = try #require((try one.json()["scenarios"] as? [[String: Any]])?.first)
        let sweep = try #require(scenario["sweep"] as? [String: Any])
        #expect(sweep["names"] as? [String] == ["jitter", "preset"])
        let points = try #require(scenario["points"] as? [[String: Any]])
        #expect(points.count == 1)
        let values = try #require(points[0]["values"] as? [[String: String]])
        #expect(values.map { $0["name"] } == ["jitter", "preset"])
        #expect(values.map { $0["value"] } == ["120ms", "default"])
    }

    @Test("A point has the same digests alone, among others, and as a resolved scenario (HN-01)")
    func samePoint() throws {
        try workshop.write(ScenarioText.sweep(head: ScenarioText.grid), to: "sweep.yaml")
        let choice = ["--only", "jitter=120ms", "--only", "preset=as-specified"]
        let resolved = try Kodama.run(["resolve", "sweep.yaml"] + choice, in: workshop.folder)
        #expect(resolved.status == 0, "\(resolved.stderr)")
        try workshop.write(resolved.stdout, to: "resolved.yaml")
        func digests(_ arguments: String...) throws -> [String] {
            let end = try Kodama.run(["run", "--json", "-q"] + arguments, in: workshop.folder)
            let scenario = try #require((try end.json()["scenarios"] as? [[String: Any]])?.first)
            let points = try #require(scenario["points"] as? [[String: Any]])
            let runs = try #require(points.last?["runs"] as? [[String: Any]])
            return runs.compactMap { $0["digest"] as? String }
        }
        let among = try digests("sweep.yaml")
        #expect(among.count == 1)
        #expect(try digests("sweep.yaml", choice[0], choice[1], choice[2], choice[3]) == among)
        #expect(try digests("resolved.yaml") == among)
        let verified = try Kodama.run("verify", "sweep.yaml", in: workshop.folder)
        #expect(verified.status == 0, "\(verified.stdout)")
    }

    @Test("The command line sweeps parameters, and a failing report's command replays the point")
    func parameterSweep() throws {
        try workshop.write(
            ScenarioText.sweep(head: "sweep: { jitter: [0ms] }", late: "<= 0.001%"),
            to: "sweep.yaml"
        )
        let end = try Kodama.run(
            [
                "run", "sweep.yaml", "--sweep", "jitter.ceiling=20ms,600ms", "--sweep",
                "jitter=0ms,120ms",
            ],
            in: workshop.folder
        )
        #expect(end.status == 1, "\(end.stderr)")
        #expect(end.stdout.contains("  jitter  jitter.ceiling 20ms  jitter.ceiling 600ms\n"))
        let line = try #require(
            end.stdout.split(separator: "\n").first { $0.contains("replay with: ") }
        )
        #expect(line.contains(" --only jitter=120ms --only jitter.ceiling=20ms "))
        let command = line.replacing(/.*replay with: kodama/, with: "\"$KODAMA\"")
        let again = try Kodama.shell(String(command), in: workshop.folder)
        #expect(again.status == 1, "\(again.stderr)")
        #expect(again.stdout.hasPrefix("kodama-trace 3 scenario=sweep seed=1 "))
        #expect(
            again.stdout.contains("sweep: at jitter=120ms jitter.ceiling=20ms, seed 1, 6 s each")
        )
        #expect(again.stdout.contains("  fail  voice.late"))
    }

    @Test("What is asked for has a row per point, and looking shows what else differs (HN-05)")
    func trades() throws {
        try workshop.write(ScenarioText.talk(), to: "talk.yaml")
        let floors = ["--sweep", "jitter.floor=20ms,60ms"]
        let end = try Kodama.run(
            ["run", "talk.yaml", "-q", "--explore", "--show", "voice.bytes"] + floors,
            in: workshop.folder
        )
        #expect(end.status == 0, "\(end.stderr)")
        let head = /\n  voice\.bytes\n  jitter\.floor +value +p50 +p95 +max +samples\n/
        #expect(end.stdout.contains(head), "\(end.stdout)")
        #expect(end.stdout.contains(/\n  60ms +[0-9,]+ B +[0-9]+\n/), "\(end.stdout)")
        #expect(end.stdout.contains(/\n  differs too +20ms +60ms\n/), "\(end.stdout)")
        #expect(end.stdout.contains(/\n  voice\.mouth_to_ear\.time +p95\s/), "\(end.stdout)")
        // What reads the same at both would be no difference.
        #expect(!end.stdout.contains(/\n  voice\.\S+ +\w+ +(\S+ \S+) +\1\n/), "\(end.stdout)")
        let judged = try Kodama.run(["run", "talk.yaml", "-q"] + floors, in: workshop.folder)
        #expect(!judged.stdout.contains("differs too"))
        let many = try Kodama.run(
            ["run", "talk.yaml", "-q", "--explore", "--sweep", "jitter.floor=10ms..70ms/7"],
            in: workshop.folder
        )
        #expect(many.stdout.contains(/\n  differs too +least +greatest\n/), "\(many.stdout)")
        #expect(many.stdout.contains(/\n  voice\.mouth_to_ear\.time +p95 .* at 10ms .* at 70ms\n/))
    }

    @Test("A value is the same in every unit: to choose a point, and to sweep it twice")
    func units() throws {
        try workshop.write(ScenarioText.sweep(head: ScenarioText.grid), to: "sweep.yaml")
        let one = try Kodama.run(
            ["run", "sweep.yaml", "--only", "jitter=0.12s", "--only", "preset=default", "-q"],
            in: workshop.folder
        )
        #expect(one.status == 0, "\(one.stderr)")
        #expect(one.stdout.contains(", 1 run"), "\(one.stdout)")
        let twice = try Kodama.run(
            ["run", "sweep.yaml", "--sweep", "jitter=20ms,0.02s"],
            in: workshop.folder
        )
        #expect(twice.status == 64)
        #expect(twice.stderr.contains("'0.02s' appears twice in 'jitter'"), "\(twice.stderr)")
    }

    @Test("A sum over fewer seeds is held to their share, and is undecided where it misses that")
    func fewerSeeds() throws {
        // 20 seeds report 20 ends.
        let kept = try Kodama.run("run", "Scenarios/session/removed.yaml", "--seeds", "2", "-q")
        #expect(kept.status == 0, "\(kept.stderr)")
        for name in ["standing-by", "removed"] {
            let file = Kodama.root.appending(path: "Scenarios/session/\(name).yaml")
            let text = try String(contentsOf: file, encoding: .utf8)
            try workshop.write(text.replacing("== 20", with: "== 60"), to: "\(name).yaml")
        }
        let missed = try Kodama.run(
            ["run", "removed.yaml", "--seeds", "2", "-q"],
            in: workshop.folder
        )
        #expect(missed.status == 4, "\(missed.stderr)")
        #expect(missed.stdout.contains("    counted over 2 seeds, where the scenario has 20\n"))
    }

    @Test("A documented failure ends with 0, and with 1 once it passes (HN-03)")
    func expectedFailure() throws {
        let head = "outcome: fail\nbecause: Sixty milliseconds are too few.\n"
        // Far more jitter than the ceiling, so that some frames are late whatever the seed.
        let grid =
            head + "where: { preset: as-specified }\n"
            + ScenarioText.grid.replacing("120ms", with: "240ms")
        try workshop.write(ScenarioText.sweep(head: grid, late: "<= 0.001%"), to: "sweep.yaml")
        let expected = try Kodama.run("run", "sweep.yaml", "-q", in: workshop.folder)
        #expect(expected.status == 0, "\(expected.stdout)")
        #expect(
            expected.stdout.contains("  fails as expected at jitter=240ms preset=as-specified\n")
        )
        #expect(expected.stdout.contains("    because: Sixty milliseconds are too few.\n"))
        #expect(
            expected.stdout.hasSuffix("\nPASS: 1 scenario (failing as expected: sweep), 4 runs\n")
        )
        try workshop.write(ScenarioText.sweep(head: grid), to: "sweep.yaml")
        let passing = try Kodama.run("run", "sweep.yaml", "-q", in: workshop.folder)
        #expect(passing.status == 1)
        #expect(passing.stdout.contains("passes, but is documented to fail"))
        #expect(passing.stdout.hasSuffix("\nFAIL: sweep (1 of 1 scenario, 4 runs)\n"))
    }

    @Test("Replay shows the milestones and the judgement of one seed, filtered as asked (HN-06)")
    func replay() throws {
        try workshop.write(ScenarioText.talk(), to: "talk.yaml")
        let end = try Kodama.run("replay", "talk.yaml", "--seed", "3", in: workshop.folder)
        #expect(end.status == 0, "\(end.stderr)")
        let parts = end.stdout.components(separatedBy: "\n\n")
        #expect(parts.count == 2)
        #expect(parts[0].hasPrefix("kodama-trace 3 scenario=talk seed=3 "))
        #expect(parts[0].contains(" speech.began "))
        #expect(!parts[0].contains(" frame."))
        #expect(parts[1].hasPrefix("talk: seed 3, 6 s each, sized audio, digest "))
        #expect(parts[1].contains("  pass  voice.mouth_to_ear.time"))
        let filed = try Kodama.run(
            [
                "replay", "talk.yaml", "--level", "media", "--component", "left", "--from", "1s",
                "--until", "2s", "--trace", "left.trace",
            ],
            in: workshop.folder
        )
        #expect(filed.status == 0, "\(filed.stderr)")
        #expect(filed.stdout.hasPrefix("talk: seed 1, "))
        let lines = try workshop.read("left.trace").split(separator: "\n").dropFirst()
        #expect(lines.contains { $0.contains(" frame.") })
        for line in lines {
            let words = line.split(separator: " ")
            let names = [words[2], words[4]]
            #expect(names.contains { $0 == "left" || $0 == "left.intercom" }, "\(line)")
            #expect(words[0].hasPrefix("1.") && words[1] == "s", "\(line)")
        }
    }

    @Test("Replay ends with 1 where this seed misses a gate, documented or not (HN-06)")
    func replayFails() throws {
        let text = ScenarioText.impossible.replacing(
            "duration:",
            with: "outcome: fail\nbecause: Nobody can.\nduration:"
        )
        try workshop.write(text, to: "impossible.yaml")
        #expect(try Kodama.run("run", "impossible.yaml", in: workshop.folder).status == 0)
        let end = try Kodama.run("replay", "impossible.yaml", in: workshop.folder)
        #expect(end.status == 1)
        #expect(end.stdout.contains("  fail  voice.mouth_to_ear.time"))
    }

    @Test(
        "64: a mistake in the choice of points is named with what to write instead",
        arguments: [
            (["run", "sweep.yaml", "--only", "jiter=0ms"], "did you mean 'jitter'?"),
            (["run", "sweep.yaml", "--only", "jitter=1ms"], "Known: 0ms, 120ms"),
            (["run", "sweep.yaml", "--only", "jitter"], "write name=value, such as outage=5s"),
            (["run", "sweep.yaml", "--sweep", "jiter=0ms"], "did you mean 'jitter'?"),
            (["run", "sweep.yaml", "--sweep", "jitter"], "'jitter' is not name=value,value"),
            (
                ["resolve", "sweep.yaml"],
                "has 4 points; choose one: --only jitter=0ms --only preset="
            ),
            (["replay", "sweep.yaml", "--only", "jitter=0ms"], "has 2 points; choose one"),
            (["trace", "record", "sweep.yaml"], "has 4 points; choose one"),
        ]
    )
    func usage(arguments: [String], message: String) throws {
        try workshop.write(ScenarioText.sweep(head: ScenarioText.grid), to: "sweep.yaml")
        let end = try Kodama.run(arguments, in: workshop.folder)
        #expect(end.status == 64, "\(end.stderr)")
        #expect(end.stderr.contains(message), "\(end.stderr)")
        #expect(end.stdout.isEmpty)
    }
}
