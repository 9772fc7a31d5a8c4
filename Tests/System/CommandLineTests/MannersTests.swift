import Foundation
import Testing

@Suite("The command line takes what people type (HN-03)")
struct MannersTests {
    private let workshop = Workshop()

    @Test(
        "Short options may stand together and touch their values",
        arguments: [
            ["-j1", "-q", "-oout"], ["-qj1", "-o", "out"], ["-qj=1", "-o=out"], ["-vqoout"],
        ]
    )
    func shortOptions(options: [String]) throws {
        try workshop.write(ScenarioText.talk(duration: "4s"), to: "talk.yaml")
        let end = try Kodama.run(["run", "talk.yaml"] + options, in: workshop.folder)
        #expect(end.status <= 1, "\(end.stderr)")
        #expect(end.stderr.isEmpty)
        #expect(try workshop.names(in: "out").contains("report.json"))
    }

    @Test("A list that there is not is answered with the one that was meant, and with all")
    func list() throws {
        let end = try Kodama.run("list", "metrcis")
        #expect(end.status == 64)
        #expect(end.stderr.contains("there is no list of 'metrcis'; did you mean 'metrics'?"))
        #expect(end.stderr.contains("Lists: scenarios, requirements, metrics"))
    }

    @Test("Another program is refused by verify before anything is run")
    func otherProgram() throws {
        try workshop.write(ScenarioText.talk(), to: "talk.yaml")
        for program in ["/bin/true", "/bin/cat"] {
            let end = try Kodama.run("verify", "talk.yaml", "--also", program, in: workshop.folder)
            #expect(end.status == 66)
            #expect(end.stderr.hasPrefix("error: --also \(program): this is no build of kodama"))
        }
    }

    @Test("verify says nothing but its result if asked to, and jobs are counted alike everywhere")
    func quietAndJobs() throws {
        try workshop.write(ScenarioText.talk(duration: "4s"), to: "talk.yaml")
        let end = try Kodama.run("verify", "talk.yaml", "--seed", "1", "-q", in: workshop.folder)
        #expect(end.status == 0, "\(end.stderr)")
        #expect(end.stderr.isEmpty)
        #expect(end.stdout.hasPrefix("EQUAL: 1 run gave the same bytes in 2 processes"))
        let comparison = ["compare", "talk.yaml", "--before", "jitter.floor=20ms"]
        for command in [["run", "talk.yaml"], ["why", "talk.yaml"], comparison] {
            let end = try Kodama.run(command + ["-j0"], in: workshop.folder)
            #expect(end.status == 64, "\(command)")
            #expect(end.stderr.contains("--jobs 0: at least 1 is needed"), "\(end.stderr)")
        }
    }

    @Test("Stdin is read once: two files cannot both come from it")
    func sharedStdin() throws {
        for command in [["trace", "diff"], ["merge"]] {
            let end = try Kodama.run(command + ["-", "/dev/stdin"], in: workshop.folder)
            #expect(end.status == 64, "\(command): \(end.stderr)")
            #expect(end.stderr == "error: - and /dev/stdin: only one file can come from stdin\n")
        }
    }

    @Test("A fixed seed of hashing does not reach the processes that verify compares")
    func hashing() throws {
        try workshop.write(ScenarioText.talk(duration: "4s"), to: "talk.yaml")
        let spy = try workshop.write(
            "#!/bin/sh\necho \"${SWIFT_DETERMINISTIC_HASHING-none}\" >> seen\nexec \"$KODAMA\" \"$@\"\n",
            to: "spy"
        )
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: spy.path)
        let end = try Kodama.shell(
            "SWIFT_DETERMINISTIC_HASHING=1 \"$KODAMA\" verify talk.yaml --seed 1 --also ./spy",
            in: workshop.folder
        )
        #expect(end.status == 0, "\(end.stderr)")
        let seen = try workshop.read("seen").split(separator: "\n")
        #expect(!seen.isEmpty && seen.allSatisfy { $0 == "none" })
    }

    @Test("Whoever only looks is shown what there is, and no miss counts")
    func explore() throws {
        try workshop.write(ScenarioText.silent, to: "silent.yaml")
        let end = try Kodama.run(
            ["run", "silent.yaml", "--explore", "--show", "voice.late", "--quiet"],
            in: workshop.folder
        )
        #expect(end.status == 0, "\(end.stderr)")
        #expect(end.stdout.contains("\n  voice.late "))
        #expect(!end.stdout.contains("no data"))
        #expect(end.stdout.hasSuffix("\nEXPLORED: 1 scenario, 1 run; no miss counts\n"))
        let typo = try Kodama.run("run", "silent.yaml", "--show", "voice.lat", in: workshop.folder)
        #expect(typo.status == 64)
        #expect(typo.stderr.contains("did you mean 'voice.late'?"))
        let none = try Kodama.run(
            ["run", "silent.yaml", "--explore", "--show", "session.recovery.time", "--quiet"],
            in: workshop.folder
        )
        #expect(none.stdout.contains(/\n  session\.recovery\.time +0\n/), "\(none.stdout)")
        try workshop.write(ScenarioText.impossible, to: "impossible.yaml")
        let kept = try Kodama.run(
            ["run", "impossible.yaml", "--explore", "--seeds", "1", "-q", "--output", "o"],
            in: workshop.folder
        )
        #expect(kept.status == 0, "\(kept.stderr)")
        for file in ["report.html", "report.md", "report.txt"] {
            let text = try workshop.read("o/\(file)")
            #expect(text.contains("EXPLORED: 1 scenario, 1 run; no miss counts"), "\(file)")
        }
        let cases = try workshop.read("o/junit.xml")
        #expect(cases.contains("failures=\"0\"") && cases.contains("explored: "), "\(cases)")
        #expect(try workshop.read("o/report.json").contains("\"tier\":\"explored\""))
    }

    @Test("Nothing that a terminal shows is wider than it, and nothing is left out of a pipe")
    func terminalWidth() throws {
        let long = "a-scenario-of-a-name-that-fills-most-of-a-line"
        try workshop.write(ScenarioText.talk(name: long, duration: "4s"), to: "a.yaml")
        let command = "\"$KODAMA\" run a.yaml --verbose"
        let narrow = try Kodama.shell(
            "script --quiet --return --command 'stty cols 60; \(command)' /dev/null",
            in: workshop.folder
        )
        #expect(narrow.status == 0, "\(narrow.stdout) \(narrow.stderr)")
        let shown = narrow.stdout.replacing(/\u{1B}\[[0-9;]*[A-Za-z]/, with: "\n")
        let lines = shown.split { $0.isNewline }
        #expect(lines.contains { $0.contains("voice.mouth_to_ear.time") })
        for line in lines { #expect(line.count <= 60, "\(line)") }
        let piped = try Kodama.shell(command, in: workshop.folder)
        #expect(piped.stdout.split(separator: "\n").contains { $0.count > 60 })
    }

    @Test("A scenario may come on stdin")
    func stdin() throws {
        for arguments in [["check", "-"], ["run", "-", "--quiet"], ["check", "/dev/stdin"]] {
            let end = try Kodama.run(
                arguments,
                in: workshop.folder,
                stdin: ScenarioText.talk(duration: "4s")
            )
            #expect(end.status <= 1, "\(arguments): \(end.stderr)")
            #expect(!end.stdout.isEmpty)
        }
    }

    @Test("What is done when Ctrl-C comes is shown and kept, and what is not is named")
    func interrupted() throws {
        try workshop.write(ScenarioText.talk(name: "first", duration: "4s"), to: "a.yaml")
        try workshop.write(ScenarioText.endless, to: "b.yaml")
        let running = try Running(
            Kodama.binary,
            [
                "run", "a.yaml", "b.yaml", "-v", "-o", "out", "--junit", "j.xml", "--github",
                "g.txt",
            ],
            in: workshop.folder,
            stdin: ""
        )
        try running.waitForStdout()
        running.interrupt()
        let end = try running.wait()
        #expect(end.status == 130)
        #expect(end.stdout.contains("\nfirst: seed 1, "))
        #expect(end.stdout.hasSuffix("\nINTERRUPTED: 1 of 2 scenarios done; not done: endless\n"))
        #expect(try workshop.read("out/report.txt") == end.stdout)
        let report = try workshop.read("out/report.json")
        #expect(report.contains("\"notRun\":[\"endless\"]"))
        #expect(report.contains("\"name\":\"first\""))
        #expect(!report.contains("\"name\":\"endless\""))
        // No rendering passes for that of a whole run.
        let sentence = "not run: the run was interrupted"
        #expect(try workshop.read("j.xml").contains("failures=\"1\""))
        #expect(try workshop.read("out/junit.xml").contains(sentence))
        #expect(try workshop.read("g.txt").hasPrefix("::error title=endless::\(sentence)\n"))
        #expect(try workshop.read("out/report.md").hasPrefix("## Kodama: INTERRUPTED: 1 of 2 "))
        let shown = try Kodama.run("report", "out", in: workshop.folder)
        #expect(shown.stdout == end.stdout)
        // CI ends what it cancels by another signal.
        let cancelled = try Kodama.shell(
            "\"$KODAMA\" run a.yaml b.yaml -qv -o late >shown & "
                + "while kill -0 $! && [ ! -s shown ]; do sleep 0.05; done; kill $!; wait $!",
            in: workshop.folder
        )
        #expect(cancelled.status == 143, "\(cancelled.stderr)")
        #expect(try workshop.read("late/report.txt") == workshop.read("shown"))
    }

    @Test("Ctrl-C keeps the points of a sweep that are done, and names the others")
    func interruptedSweep() throws {
        let text = ScenarioText.talk(name: "lengths", duration: "$lasts")
            .replacing("duration:", with: "sweep: { lasts: [4s, 168h] }\nduration:")
        try workshop.write(text, to: "a.yaml")
        // How long the first point takes is not known.
        var end: Kodama.End?
        for patience in [1, 4, 16, 64] as [UInt32] where end?.stdout.isEmpty ?? true {
            let running = try Running(
                Kodama.binary,
                ["run", "a.yaml", "-o", "out"],
                in: workshop.folder,
                stdin: ""
            )
            try running.waitForFirstSign()
            sleep(patience)
            running.interrupt()
            end = try running.wait()
            #expect(end?.status == 130)
        }
        let stdout = try #require(end?.stdout)
        #expect(stdout.contains("\nlengths: 1 point of lasts, seed 1, 4 s each"))
        let verdict = "\nINTERRUPTED: 0 of 1 scenario done; not done: lengths at lasts=168h\n"
        #expect(stdout.hasSuffix(verdict))
        #expect(try workshop.read("out/report.txt") == stdout)
    }

    @Test("Ctrl-C keeps the runs of a scenario that are done, and says how many are not")
    func interruptedSeeds() throws {
        let text = ScenarioText.talk(name: "many", duration: "4s")
            .replacing("duration:", with: "seeds: 100000\nduration:")
        try workshop.write(text, to: "a.yaml")
        // How long the first run takes is not known.
        var last: Kodama.End?
        for patience in [1, 4, 16, 64] as [UInt32]
        where !(last?.stdout.contains(" runs done)") ?? false) {
            let running = try Running(
                Kodama.binary,
                ["run", "a.yaml", "-o", "out"],
                in: workshop.folder,
                stdin: ""
            )
            try running.waitForFirstSign()
            sleep(patience)
            running.interrupt()
            last = try running.wait()
            #expect(last?.status == 130)
        }
        let end = try #require(last)
        #expect(end.stdout.contains(/\nmany: seeds 1 to \d+, 4 s each/), "\(end.stdout)")
        let verdict =
            /\nINTERRUPTED: 0 of 1 scenario done; not done: many \(\d+ of 100000 runs done\)\n$/
        #expect(end.stdout.contains(verdict), "\(end.stdout)")
        #expect(try workshop.read("out/report.json").contains("\"isPartial\":true"))
    }

    @Test(
        "Runs stand still while what is done is kept after Ctrl-C: no progress beyond what is kept"
    )
    func interruptedStandsStill() throws {
        let text = ScenarioText.talk(name: "many", duration: "4s")
            .replacing("duration:", with: "seeds: 4000\nduration:")
        try workshop.write(text, to: "a.yaml")
        let running = try Running(
            Kodama.binary,
            ["run", "a.yaml", "-o", "out"],
            in: workshop.folder,
            stdin: ""
        )
        try running.waitForStderr(" runs, 10 %\n")
        running.interrupt()
        let end = try running.wait()
        #expect(end.status == 130)
        let kept = try #require(end.stdout.firstMatch(of: /\((\d+) of 4000 runs done\)/))
        let shown = end.stderr.matches(of: /(\d+)\/4000 runs,/).compactMap { Int($0.1) }
        #expect(!shown.isEmpty)
        #expect(shown.allSatisfy { $0 <= Int(kept.1) ?? 0 }, "\(kept.0): \(end.stderr)")
    }

    @Test("Ctrl-C before anything is done leaves no earlier result that passes for the run's")
    func interruptedAtOnce() throws {
        try workshop.write(ScenarioText.talk(name: "endless"), to: "a.yaml")
        try workshop.write(ScenarioText.endless, to: "b.yaml")
        let earlier = try Kodama.run(["run", "a.yaml", "-q", "-o", "out"], in: workshop.folder)
        #expect(earlier.status == 0, "\(earlier.stderr)")
        func interrupted(
            _ files: [String],
            when wait: (Running) throws -> Void
        ) throws -> Kodama.End {
            let running = try Running(
                Kodama.binary,
                ["run"] + files + ["-o", "out"],
                in: workshop.folder,
                stdin: ""
            )
            try wait(running)
            running.interrupt()
            return try running.wait()
        }
        let none = try interrupted(["b.yaml"]) { try $0.waitForFirstSign() }
        #expect(none.status == 130)
        #expect(none.stdout == "INTERRUPTED: 0 of 1 scenario done; not done: endless\n")
        #expect(try workshop.read("out/report.txt").hasSuffix("\n" + none.stdout))
        #expect(try workshop.read("out/report.json").contains("\"notRun\":[\"endless\"]"))
        // Of two of one name it is said which.
        let one = try interrupted(["a.yaml", "b.yaml"]) { try $0.waitForStdout() }
        let line = "\nINTERRUPTED: 1 of 2 scenarios done; not done: endless (b.yaml)\n"
        #expect(one.stdout.hasSuffix(line))
    }

    @Test("Files keep their modes and their links, and nobody's trap is written through")
    func links() throws {
        try workshop.write(ScenarioText.talk(duration: "4s"), to: "talk.yaml")
        let manager = FileManager.default
        let old = try workshop.write("old", to: "private")
        try manager.setAttributes([.posixPermissions: 0o600], ofItemAtPath: old.path)
        try manager.createSymbolicLink(
            atPath: workshop.url("dangling").path,
            withDestinationPath: "elsewhere"
        )
        try workshop.write("old", to: "one")
        try manager.linkItem(at: workshop.url("one"), to: workshop.url("two"))
        for name in ["private", "dangling", "one"] {
            let arguments = ["trace", "record", "talk.yaml", "-o", name]
            #expect(try Kodama.run(arguments, in: workshop.folder).status == 0)
        }
        let mode = try manager.attributesOfItem(atPath: old.path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        let link = try manager.destinationOfSymbolicLink(atPath: workshop.url("dangling").path)
        #expect(link == "elsewhere")
        let trace = try workshop.read("private")
        #expect(trace.utf8.count > 100)
        #expect(try workshop.read("elsewhere") == trace)
        #expect(try workshop.read("two") == trace)
        #expect(try workshop.names().allSatisfy { !$0.hasSuffix(".part") })
    }
}
