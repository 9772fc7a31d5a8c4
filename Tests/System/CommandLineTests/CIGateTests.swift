import Foundation
import Testing

@Suite("What a team's CI calls")
struct CIGateTests {
    private let workshop = Workshop()

    /// A repository of its own with the script, one scenario and a baseline of it.
    private func prepare() throws {
        let script = try String(
            contentsOf: Kodama.root.appendingPathComponent("Scripts/ci-gate"),
            encoding: .utf8
        )
        let url = try workshop.write(script, to: "Scripts/ci-gate")
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: url.path)
        try workshop.write(ScenarioText.talk(), to: "Scenarios/talk.yaml")
        let end = try gate("--renew")
        #expect(end.status == 0, "\(end.stderr)")
    }

    private func gate(_ arguments: String) throws -> Kodama.End {
        try Kodama.shell("Scripts/ci-gate \(arguments)", in: workshop.folder)
    }

    @Test(
        "It passes, finds a regression, finds a missed gate, and leaves Markdown and JUnit (HN-03)"
    )
    func codes() throws {
        try prepare()
        #expect(try workshop.names(in: "Reports/baseline") == ["report.json"])
        let same = try gate("")
        #expect(same.status == 0, "\(same.stderr)")
        #expect(same.stdout.contains("\nPASS: 1 scenario, 1 run\n"))
        #expect(
            same.stdout.hasSuffix(
                "EQUAL: no difference at all (1 point, 1 run in common; 19 runs only before)\n"
            ),
            "\(same.stdout)"
        )
        let names = try workshop.names(in: "Reports/latest")
        for name in ["comparison.md", "comparison.junit.xml", "junit.xml", "report.md"] {
            #expect(names.contains(name))
        }

        let slower = ScenarioText.talk().replacing(
            "duration:",
            with: "parameters: { jitter.floor: 30ms }\nduration:"
        )
        try workshop.write(slower, to: "Scenarios/talk.yaml")
        let worse = try gate("--seeds 20")
        #expect(worse.status == 2, "\(worse.stdout)")
        #expect(worse.stdout.contains("\nREGRESSION: talk ("))
        #expect(try gate("--seeds 20 --margin 90%").status == 0)
        let few = try gate("")
        #expect(few.status == 0, "\(few.stdout)")
        #expect(few.stdout.contains("\nUNDECIDED: talk ("))
        #expect(try gate("--undecided fail").status == 2)
        #expect(try gate("--undecided perhaps").status == 64)

        try workshop.write(ScenarioText.impossible, to: "Scenarios/talk.yaml")
        #expect(try gate("").status == 1)
        #expect(try gate("--no-such-option").status == 64)
    }

    @Test(
        "Baseline, output, parameters, seeds and shards are options; what is new alone passes (HN-03)"
    )
    func options() throws {
        try prepare()
        let renewed = try gate("--renew --baseline kept")
        #expect(renewed.status == 0, "\(renewed.stderr)")
        #expect(try workshop.names(in: "kept") == ["report.json"])
        let set = try gate("--baseline kept --output out --seeds 20 --set jitter.floor=30ms")
        #expect(set.status == 2, "\(set.stdout)")
        #expect(try workshop.names(in: "out").contains("comparison.html"))
        try workshop.write(ScenarioText.talk(name: "new"), to: "Scenarios/new.yaml")
        let new = try gate("--output out Scenarios/new.yaml")
        #expect(new.status == 0, "\(new.stdout)\(new.stderr)")
        #expect(new.stdout.hasSuffix("NOTHING TO COMPARE: 1 point only after\n"), "\(new.stdout)")
        for index in 1...2 {
            let part = "--seeds 4 --shard \(index)/2 --output parts Scenarios/talk.yaml"
            #expect(try gate(part).status == 0)
        }
        let merged = try gate("--parts parts --output out Scenarios/talk.yaml")
        #expect(merged.status == 0, "\(merged.stdout)")
        #expect(merged.stdout.contains("4 runs in common; 16 runs only before"))
    }

    @Test("What is wrong with the words or the baseline is said before the suite is run (HN-03)")
    func wrongWords() throws {
        try prepare()
        for (words, status, complaint) in [
            ("--margin banana", 64, "--margin banana: write a share"),
            ("--time-limit soon", 64, "--time-limit soon: write a time, such as 90s"),
            ("--baseline nowhere", 66, "there is no file 'nowhere'"),
        ] {
            let end = try gate(words)
            #expect(end.status == status, "\(words)")
            #expect(end.stdout.isEmpty, "\(words): \(end.stdout)")
            #expect(end.stderr.contains(complaint), "\(end.stderr)")
        }
    }

    @Test("Interrupted before a run is done, it compares nothing that an earlier gate left (HN-03)")
    func nothingDone() throws {
        try prepare()
        #expect(try gate("").status == 0)
        let end = try gate("--time-limit 0.001s")
        #expect(end.status == 130, "\(end.stdout)\(end.stderr)")
        #expect(!end.stdout.contains("in common"), "\(end.stdout)")
        #expect(try !workshop.names(in: "Reports/latest").contains("comparison.md"))
    }

    @Test("A comparison that comes to nothing leaves no page of the one before (HN-03)")
    func stale() throws {
        try prepare()
        #expect(try gate("").status == 0)
        try workshop.write("broken", to: "Reports/baseline/report.json")
        #expect(try gate("").status == 66)
        let left = try workshop.names(in: "Reports/latest").filter { $0.hasPrefix("comparison") }
        #expect(left.isEmpty, "\(left)")
    }
}
