import Foundation
import Testing

@Suite("Guests: programs beside the simulator, in any language")
struct GuestTests {
    private let workshop = Workshop()

    /// A guest that asks for a timer each second and marks a delay; `body` may do more in each turn.
    private func writeGuest(_ body: String = "") throws {
        let text = """
            import json, sys, time
            for line in sys.stdin:
                event = json.loads(line)
                orders = [{"timer": "tick", "at": event["now"] + 1000000000}, {"mark": "delay", "amount": 5000000}]
                \(body)
                print(json.dumps({"turn": event["turn"], "do": orders}), flush=True)
            """
        try workshop.write(text, to: "guest.py")
    }

    private func writeScenario(limit: String = "10ms") throws {
        let text = """
            version: 2
            scenario: guests
            duration: 10s
            phones:
              - { name: mika, apps: { guest: { program: pigeon, opens: already } } }
            expect:
              - { metric: guest.delay, max: "<= \(limit)", samples: 9 }
            """
        try workshop.write(text, to: "guests.yaml")
    }

    private static let guest = ["--guest", "pigeon=python3 guest.py"]

    private func kodama(_ arguments: String...) throws -> Kodama.End {
        try Kodama.run(arguments, in: workshop.folder)
    }

    @Test("A guest's marks are gated, with the same bytes in every process (HN-01, HN-07)")
    func passes() throws {
        try writeGuest()
        try writeScenario()
        for _ in 0..<2 {
            let run = try Kodama.run(["run", "guests.yaml"] + Self.guest, in: workshop.folder)
            #expect(run.status == 0, "\(run.stderr)")
        }
        let verify = try Kodama.run(["verify", "guests.yaml"] + Self.guest, in: workshop.folder)
        #expect(verify.status == 0, "\(verify.stderr)")
    }

    @Test("A scenario alone starts no program; its labels must be said (HN-03, HN-07)")
    func labels() throws {
        try writeGuest()
        try writeScenario()
        let missing = try kodama("run", "guests.yaml")
        #expect(missing.status == 64)
        #expect(missing.stderr.contains("--guest pigeon=\"COMMAND\""))
        let check = try kodama("check", "guests.yaml")
        #expect(check.status == 0, "\(check.stderr)")
        let idle = try Kodama.run(
            ["run", "guests.yaml"] + Self.guest + ["--guest", "dove=true"],
            in: workshop.folder
        )
        #expect(idle.status == 64)
        #expect(idle.stderr.contains("no scenario names this program; they name pigeon"))
        for wrong in ["pigeon", "=x", "pigeon="] {
            let run = try kodama("run", "guests.yaml", "--guest", wrong)
            #expect(run.status == 64)
            #expect(run.stderr.contains("write a label, '=' and a command"))
        }
    }

    @Test("A guest's fault has a code of its own and no verdict (HN-03, HN-07)")
    func fault() throws {
        try writeGuest("if event['turn'] == 5: sys.exit('my heart is broken')")
        try writeScenario()
        let run = try Kodama.run(["run", "guests.yaml"] + Self.guest, in: workshop.folder)
        #expect(run.status == 69)
        #expect(run.stderr.contains("the guest 'pigeon' on mika is at fault"))
        #expect(run.stderr.contains("> {\"turn\":5"))
        #expect(run.stderr.contains("stderr: my heart is broken"))
        for word in ["PASS", "FAIL"] { #expect(!run.stdout.contains(word)) }
    }

    @Test("A capsule of a run with a guest is replayed without it (HN-06, HN-07)")
    func capsule() throws {
        try writeGuest()
        try writeScenario(limit: "1ms")
        let run = try Kodama.run(
            ["run", "guests.yaml", "--capsules", "out"] + Self.guest,
            in: workshop.folder
        )
        #expect(run.status == 1)
        let name = try #require(try workshop.names(in: "out").first)
        try workshop.write("raise SystemExit('nobody is to start me')", to: "guest.py")
        for _ in 0..<2 {
            let replay = try kodama("replay", "out/\(name)")
            #expect(replay.status == 1)
            let isSame = replay.stderr.contains("the run of the capsule to the byte")
            #expect(isSame, "\(replay.stderr)")
        }
    }

    @Test("The shipped guest in Python passes the check, twice alike (HN-01, HN-07)")
    func check() throws {
        let pigeon = Kodama.root.appending(path: "Sources/Systems/Guest/Examples/pigeon.py").path
        let ends = try (0..<2).map { _ in
            try kodama("guest", "check", "python3 '\(pigeon)'", "--seeds", "1")
        }
        #expect(ends[0].status == 0, "\(ends[0].stderr)")
        #expect(ends[0].stdout.hasPrefix("SAME: "))
        #expect(ends[0].stdout == ends[1].stdout)
    }

    @Test(
        "Requests, notifications and streams through the Internet pass the check too (HN-01, HN-07)"
    )
    func checkEverything() throws {
        let odd = Kodama.root.appending(path: "Tests/Systems/GuestTests/Guests/odd.py").path
        let end = try kodama("guest", "check", "python3 '\(odd)' everything", "--seeds", "1")
        #expect(end.status == 0, "\(end.stdout) \(end.stderr)")
        #expect(end.stdout.hasPrefix("SAME: "))
    }

    @Test("A guest that looks at the clock is found by its first line (HN-01, HN-07)")
    func checkFinds() throws {
        try writeGuest("if event['turn'] > 3: orders.append({'log': str(time.time_ns())})")
        let check = try kodama("guest", "check", "python3 guest.py")
        #expect(check.status == 3)
        #expect(check.stdout.contains("DIFFERENT: seed 1, bo.guest, line 8"))
        #expect(check.stdout.contains("second run: < {\"turn\": 4"))
    }
}
