import Foundation
import Testing

@Suite("Every end has the exit code of the table (HN-03)")
struct ExitCodeTests {
    private let workshop = Workshop()

    @Test("0: all gates pass, and the verdict is the last line of stdout")
    func pass() throws {
        try workshop.write(ScenarioText.talk(), to: "talk.yaml")
        let end = try Kodama.run("run", "talk.yaml", in: workshop.folder)
        #expect(end.status == 0, "\(end.stderr)")
        #expect(end.stdout.hasSuffix("\nPASS: 1 scenario, 1 run\n"))
        #expect(end.stderr.hasPrefix("1 run to go\n"))
        #expect(end.stderr.contains(" events/s, "))
        #expect(end.stderr.contains(" simulated s per s, "))
        #expect(end.stderr.contains(" events per simulated s"))
    }

    @Test("A refused run leaves no folder for its report")
    func noFolder() throws {
        try workshop.write(ScenarioText.talk(), to: "talk.yaml")
        let end = try Kodama.run(
            ["run", "talk.yaml", "--wav", "sounds", "--output", "report"],
            in: workshop.folder
        )
        #expect(end.status == 64)
        #expect(try workshop.names() == ["talk.yaml"])
    }

    @Test("A single long run says how far it is")
    func progress() throws {
        try workshop.write(ScenarioText.talk(duration: "400s"), to: "long.yaml")
        let end = try Kodama.run("run", "long.yaml", in: workshop.folder)
        let tenths = (1...9).map { "0/1 runs, \($0)0 %\n" }.joined()
        #expect(end.stderr.hasPrefix("1 run to go\n\(tenths)1/1 runs, 100 %\n"), "\(end.stderr)")
    }

    @Test("1: a gate failed, with its figure and the command that repeats the worst run")
    func gateFailed() throws {
        let heard = ScenarioText.impossible.replacing("voice: sized", with: "voice: real")
        try workshop.write(heard, to: "an impossible one.yaml")
        let end = try Kodama.run(
            "run",
            "an impossible one.yaml",
            "--seeds",
            "2",
            "--set",
            "vad.attack=40ms",
            "--synthetic",
            "--shuffle-ties",
            "3",
            in: workshop.folder
        )
        #expect(end.status == 1)
        #expect(end.stdout.contains("fail: voice.mouth_to_ear.time: "))
        #expect(end.stdout.contains(" ms, limit 1 ms; worst in seed "))
        let replay = try #require(
            end.stdout.split(separator: "\n").first { $0.contains("replay with: ") }
        )
        #expect(replay.contains("kodama replay 'an impossible one.yaml' --seed "))
        #expect(replay.contains(" --set vad.attack=40ms --synthetic --shuffle-ties 3 --from "))
        #expect(replay.contains(" --until "))
        let sample = try #require(
            end.stdout.split(separator: "\n").first { $0.contains("worst sample: ") }
        )
        #expect(sample.contains("; record: ") && sample.contains(" frame.played "))
        #expect(end.stdout.hasSuffix("\nFAIL: impossible (1 of 1 scenario, 2 runs)\n"))

        let command = replay.replacing(/.*replay with: kodama/, with: "\"$KODAMA\"")
        let again = try Kodama.shell(String(command), in: workshop.folder)
        #expect(again.status == 1)
        #expect(again.stdout.contains("fail: voice.mouth_to_ear.time: "))
        #expect(!again.stdout.contains("replay with"))
    }

    @Test("4: a gate with too few samples is undecided, which --undecided passes or fails")
    func undecided() throws {
        try workshop.write(ScenarioText.silent, to: "silent.yaml")
        let end = try Kodama.run("run", "silent.yaml", in: workshop.folder)
        #expect(end.status == 4)
        #expect(end.stdout.contains("undecided: voice.mouth_to_ear.time: p50 <= 90ms: p50 was "))
        #expect(end.stdout.contains(", but too few samples ("))
        #expect(end.stdout.contains(" of at least 100000)"))
        #expect(end.stdout.contains("replay with: kodama replay silent.yaml --seed 1"))
        #expect(end.stdout.hasSuffix("\nUNDECIDED: silent (1 of 1 scenario, 1 run)\n"))
        for (word, status) in [("pass", 0), ("fail", 1)] as [(String, Int32)] {
            let end = try Kodama.run(
                "run",
                "silent.yaml",
                "--undecided",
                word,
                in: workshop.folder
            )
            #expect(end.status == status)
        }
    }

    @Test("--quick fails what all seeds fail, promises nothing else, and warns of no thin quantile")
    func quick() throws {
        func run(_ gate: String, _ options: String...) throws -> Kodama.End {
            let expect = "expect:\n  - { metric: voice.mouth_to_ear.onset.time, \(gate) }"
            let text = ScenarioText.talk(expect: expect)
                .replacing("duration:", with: "seeds: 20\nduration:")
            try workshop.write(text, to: "talk.yaml")
            return try Kodama.run(["run", "talk.yaml"] + options, in: workshop.folder)
        }
        let kept = try run("p95: \"<= 10s\"", "--quick")
        #expect(kept.status == 0, "\(kept.stdout)")
        let line = "\nNO FAILURE: 1 scenario, 2 of 20 runs; a quick run promises nothing\n"
        #expect(kept.stdout.hasSuffix(line))
        #expect(!kept.stdout.contains("warning:"))
        #expect(try run("p95: \"<= 10s\"", "--seeds", "2").stdout.contains("warning:") == false)
        // A tenth of the samples suffices, and what is kept so far is no alarm either.
        let few = try run("p95: \"<= 10s\", samples: 20", "--quick", "--undecided", "fail")
        #expect(few.status == 0 && few.stdout.hasSuffix(line), "\(few.stdout)")
        #expect(!few.stdout.contains("undecided"), "\(few.stdout)")
        let open = try run("p95: \"<= 1ms\"", "--quick")
        #expect(open.status == 0, "\(open.stdout)")
        #expect(open.stdout.contains("undecided: voice.mouth_to_ear.onset.time: p95 was "))
        #expect(open.stdout.contains(" so far, limit 1 ms; more seeds could mend it\n"))
        #expect(open.stdout.contains("; undecided so far: talk; a quick run promises nothing\n"))
        #expect(try run("p95: \"<= 1ms\"", "--quick", "--undecided", "fail").status == 1)
        #expect(try run("p95: \"<= 1ms\"", "--seeds", "2").status == 1)
        let failed = try run("max: \"<= 1ms\"", "--quick")
        #expect(failed.status == 1, "\(failed.stdout)")
        #expect(failed.stdout.contains("\nFAIL: talk (1 of 1 scenario, 2 runs)"))
        #expect(try run("max: \"<= 10s\"", "--quick", "--strict").status == 0)
    }

    @Test("1: a gate that has no data is not green")
    func noData() throws {
        let text = ScenarioText.silent.replacing("people:", with: "x-people:")
            .replacing("talk:", with: "x-talk:")
        try workshop.write(text, to: "silent.yaml")
        let end = try Kodama.run("run", "silent.yaml", "--undecided", "pass", in: workshop.folder)
        #expect(end.status == 1)
        #expect(
            end.stdout.contains("no data: voice.mouth_to_ear.time: p50 <= 90ms: too few samples (0")
        )
    }

    @Test("1: a warning fails where --strict is given, and passes where it is not")
    func strict() throws {
        try workshop.write(ScenarioText.talk(expect: ""), to: "ungated.yaml")
        let lenient = try Kodama.run("run", "ungated.yaml", in: workshop.folder)
        #expect(lenient.status == 0)
        #expect(lenient.stdout.contains("warning: nothing is expected"))
        let strict = try Kodama.run("run", "ungated.yaml", "--strict", in: workshop.folder)
        #expect(strict.status == 1)
        #expect(strict.stdout.contains("\nFAIL: talk"))
    }

    @Test(
        "3: another process reports other digests, and the first run that differs is named (HN-01)"
    )
    func notDeterministic() throws {
        try workshop.write(ScenarioText.talk(), to: "talk.yaml")
        let forger = try workshop.write(
            "#!/bin/sh\n\"$KODAMA\" \"$@\" | sed 's/\"ann\":\"./\"ann\":\"x/g; "
                + "s/\"digest\":\"./\"digest\":\"x/g'\n",
            to: "forger"
        )
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: forger.path)
        let honest = try Kodama.run("verify", "talk.yaml", "--seeds", "2", in: workshop.folder)
        #expect(honest.status == 0)
        #expect(honest.stdout.hasPrefix("EQUAL: 2 runs gave the same bytes in 2 processes"))
        let end = try Kodama.run(
            "verify",
            "talk.yaml",
            "--seed",
            "5",
            "--also",
            forger.path,
            in: workshop.folder
        )
        #expect(end.status == 3)
        #expect(end.stdout.contains("differ first in talk, seed 5, in ann"))
    }

    @Test(
        "64: a mistake on the command line is named with what to write instead",
        arguments: [
            (["rnu"], "there is no command 'rnu'; did you mean 'run'?"),
            (
                ["trace", "recrod"],
                "there is no command 'recrod' under 'trace'; did you mean 'record'?"
            ),
            (["run", "--sed", "1"], "Did you mean '--seed'?"),
            (["run", "--seeds", "0"], "--seeds 0: from 1 to 1000000"),
            (["run", "--seeds", "-3"], "--seeds -3: from 1 to 1000000"),
            (["run", "--seeds", "9223372036854775807"], "from 1 to 1000000"),
            (
                ["run", "--seed", "1", "--seeds", "2"],
                "--seeds, --seed and --quick exclude each other"
            ),
            (["run", "--seed", "18446744073709551616"], "is invalid for '--seed <number>'"),
            (["run", "--jobs", "0"], "--jobs 0: at least 1"),
            (["run", "--jobs", "9223372036854775807"], "775807: at most 10000 are possible"),
            (
                ["swarm", "--minutes", "9223372036854775807"],
                "775807: at most 1000000 are possible"
            ),
            (["swarm", "--first-seed", "18446744073709551615"], "551615: at most 1000000000000"),
            (["run", "talk.yaml", "--set", "vad.attak=40ms"], "did you mean 'vad.attack'?"),
            (["run", "talk.yaml", "--set", "vad.attack"], "'vad.attack' is not name=value"),
            (["run", "talk.yaml", "--set", ""], "'' is not name=value"),
            (["run", "talk.yaml", "--set", "vad.attack=9h"], "from 40ms to 60ms"),
            (["run", "talk.yaml", "--wav", "sounds"], "no scenario makes sound"),
            (["list", "metircs"], "did you mean 'metrics'?"),
            (
                ["list", "metrics", "talk.yaml"],
                "only scenarios and requirements are listed by file"
            ),
            (["resolve", "."], "holds 2 scenarios; name one of them"),
            (["trace", "record", "."], "holds 2 scenarios; name one of them"),
            (["trace", "filter", "any", "--from", "3"], "write a time with its unit"),
            (
                ["trace", "filter", "any", "--from", "2s", "--until", "1500ms"],
                "--from 2s --until 1500ms: nothing lies between them"
            ),
        ]
    )
    func usage(arguments: [String], message: String) throws {
        try workshop.write(ScenarioText.talk(), to: "talk.yaml")
        try workshop.write(ScenarioText.silent, to: "silent.yaml")
        let end = try Kodama.run(arguments, in: workshop.folder)
        #expect(end.status == 64, "\(end.stderr)")
        #expect(end.stderr.contains(message), "\(end.stderr)")
        #expect(end.stdout.isEmpty)
    }

    @Test("65: a scenario is invalid, with file, line, column and a suggestion (HN-02)")
    func scenarioInvalid() throws {
        let text = ScenarioText.talk().replacing("mouth_to_ear", with: "mouth_to_er")
        try workshop.write(text, to: "typo.yaml")
        for command in ["run", "check", "resolve", "verify"] {
            let end = try Kodama.run(command, "typo.yaml", in: workshop.folder)
            #expect(end.status == 65)
            #expect(
                end.stderr.hasPrefix("typo.yaml:16:13: error: no metric 'voice.mouth_to_er.time'")
            )
            #expect(end.stderr.contains("did you mean 'voice.mouth_to_ear.time'?"))
            #expect(end.stdout.isEmpty)
        }
    }

    @Test(
        "66: an input is missing, and the message names it",
        arguments: [
            ["run", "none.yaml"], ["run", "empty"], ["check", "none.yaml"],
            ["verify", "none.yaml"],
            ["verify", "talk.yaml", "--also", "none"], ["trace", "record", "none.yaml"],
            ["trace", "diff", "none", "none"], ["trace", "filter", "empty"],
        ]
    )
    func inputMissing(arguments: [String]) throws {
        try workshop.write(ScenarioText.talk(), to: "talk.yaml")
        try workshop.write("no scenario", to: "empty/notes.txt")
        let end = try Kodama.run(arguments, in: workshop.folder)
        #expect(end.status == 66, "\(end.stderr)")
        #expect(end.stderr.hasPrefix("error: "))
        #expect(end.stderr.contains("none") || end.stderr.contains("empty"))
        #expect(end.stdout.isEmpty)
    }

    @Test("66: without arguments and without a folder of scenarios, the folder is named")
    func noScenarios() throws {
        try workshop.write("", to: "notes.txt")
        let end = try Kodama.run("run", in: workshop.folder)
        #expect(end.status == 66)
        #expect(end.stderr.hasPrefix("error: 'Scenarios': there is no such file; name a scenario"))
    }

    @Test(
        "66: a file that is not there is asked for by the name of the one that is meant",
        arguments: [
            ("talk", "talk.yaml"), ("tlak", "talk.yaml"),
            ("tlak.yaml", "talk.yaml"), ("talk.yam", "talk.yaml"),
            ("march", "Scenarios/more/march.yaml"),
            ("Scenarios/more/macrh.yaml", "Scenarios/more/march.yaml"),
        ]
    )
    func misspelt(_ written: String, _ meant: String) throws {
        try workshop.write("", to: "talk.yaml")
        try workshop.write("", to: "Scenarios/more/march.yaml")
        let end = try Kodama.run("run", written, in: workshop.folder)
        #expect(end.status == 66)
        let error = "error: '\(written)': there is no such file; did you mean '\(meant)'?"
        #expect(end.stderr.hasPrefix(error), "\(end.stderr)")
    }

    @Test("A stretch without a record of the level says so, and which levels have more (HN-06)")
    func emptyStretch() throws {
        try workshop.write(ScenarioText.talk(), to: "talk.yaml")
        let end = try Kodama.run(
            ["replay", "talk.yaml", "--from", "2s", "--until", "3s"],
            in: workshop.folder
        )
        let remark = "no record of level milestone lies there; try --level control or --level media"
        #expect(end.stderr.contains(remark), "\(end.stderr)")
        let late = try Kodama.run(["replay", "talk.yaml", "--from", "200s"], in: workshop.folder)
        #expect(late.stderr.contains("no record lies there: the run ends at 6 s"), "\(late.stderr)")
    }

    @Test(
        "73: what cannot be written is said before anything is run",
        arguments: [
            ["run", "talk.yaml", "--output", "file"],
            ["run", "talk.yaml", "--output", "file/deeper"],
            ["run", "talk.yaml", "--output", "/proc/none"],
            ["schema", "--output", "file/deeper"],
            ["trace", "record", "talk.yaml", "--output", "folder"],
        ]
    )
    func cannotWrite(arguments: [String]) throws {
        try workshop.write(ScenarioText.talk(), to: "talk.yaml")
        try workshop.write("precious", to: "file")
        try workshop.write("precious", to: "folder/file")
        let end = try Kodama.run(arguments, in: workshop.folder)
        #expect(end.status == 73, "\(end.stderr)")
        #expect(end.stderr.hasPrefix("error: cannot write "))
        #expect(!end.stderr.contains("to go"))
        #expect(end.stdout.isEmpty)
        #expect(try workshop.read("file") == "precious")
        #expect(try workshop.names(in: "folder") == ["file"])
    }

    @Test("70: an error that nobody could avoid is called internal, and says what failed")
    func internalError() throws {
        // Memory for everything but an encoder.
        try workshop.write(
            """
            #include <stddef.h>
            int opus_encoder_get_size(int channels);
            void *__libc_malloc(size_t size);
            static size_t encoder;
            __attribute__((constructor)) static void start(void) {
                encoder = (size_t)opus_encoder_get_size(1);
            }
            void *malloc(size_t size) {
                return encoder && size == encoder ? 0 : __libc_malloc(size);
            }
            """,
            to: "memory.c"
        )
        let made = try Kodama.shell(
            "cc -shared -fPIC -Wl,-z,now -o memory.so memory.c -lopus",
            in: workshop.folder
        )
        #expect(made.status == 0, "\(made.stderr)")
        try workshop.write(ScenarioText.talk(voice: "real"), to: "talk.yaml")
        let end = try Kodama.shell(
            "LD_PRELOAD=./memory.so \"$KODAMA\" run talk.yaml --synthetic --output out",
            in: workshop.folder
        )
        #expect(end.status == 70, "\(end.stderr)")
        #expect(end.stderr.contains("error: internal error: "), "\(end.stderr)")
        #expect(try workshop.names(in: "out").isEmpty)
    }

    @Test("73: a full or closed stdout is an error; a reader that has gone away is none")
    func stdout() throws {
        try workshop.write(ScenarioText.talk(), to: "talk.yaml")
        let full = try Kodama.shell("\"$KODAMA\" run talk.yaml >/dev/full", in: workshop.folder)
        #expect(full.status == 73)
        #expect(full.stderr.contains("cannot write to stdout"))
        let closed = try Kodama.shell(
            "\"$KODAMA\" run talk.yaml --output out >&-",
            in: workshop.folder
        )
        #expect(closed.status == 73)
        // A stdin that is closed is an empty one, and nothing waits for it.
        let empty = try Kodama.shell("timeout 20 \"$KODAMA\" check - <&-", in: workshop.folder)
        #expect(empty.status == 65)
        #expect(empty.stderr.contains("the file holds no scenario"), "\(empty.stderr)")
        let gone = try Kodama.shell(
            "{ \"$KODAMA\" list metrics; echo $? >status; } | true; cat status",
            in: workshop.folder
        )
        #expect(gone.stdout == "0\n")
        #expect(gone.stderr.isEmpty)
    }

    @Test("130: an interrupted comparison ends the process that it waits for")
    func interruptedComparison() throws {
        try workshop.write(ScenarioText.talk(), to: "talk.yaml")
        let other = try workshop.write(
            "#!/bin/sh\nwhile :; do echo alive >> signs; sleep 0.05; done\n",
            to: "other"
        )
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: other.path)
        let running = try Running(
            Kodama.binary,
            ["verify", "talk.yaml", "--also", other.path],
            in: workshop.folder,
            stdin: ""
        )
        func signs() -> String { (try? workshop.read("signs")) ?? "" }
        var patience = 12_000
        while signs().isEmpty, patience > 0 {
            usleep(5_000)
            patience -= 1
        }
        #expect(!signs().isEmpty, "the other build was never started")
        running.interrupt()
        #expect(try running.wait().status == 130)
        let last = signs()
        usleep(500_000)
        #expect(signs() == last, "the other build goes on")
    }

    @Test("64: nothing is written over what is read")
    func overInput() throws {
        try workshop.write(ScenarioText.talk(), to: "talk.yaml")
        let recorded = try Kodama.run("trace", "record", "talk.yaml", in: workshop.folder)
        try workshop.write(recorded.stdout, to: "trace")
        let link = workshop.url("link.yaml").path
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "talk.yaml")
        for (file, arguments) in [
            ("talk.yaml", ["trace", "record", "talk.yaml", "-o", "./talk.yaml"]),
            ("talk.yaml", ["trace", "record", "talk.yaml", "-o", "link.yaml"]),
            ("trace", ["trace", "filter", "trace", "-o", "trace"]),
            ("talk.yaml", ["replay", "talk.yaml", "--trace", "talk.yaml"]),
        ] {
            let before = try Data(contentsOf: workshop.url(file))
            let end = try Kodama.run(arguments, in: workshop.folder)
            #expect(end.status == 64, "\(arguments)")
            #expect(end.stderr.contains("this would write over '\(file)', which is read"))
            #expect(try Data(contentsOf: workshop.url(file)) == before)
        }
    }

    @Test("73: of two runs into one folder the second is refused, and shards are not")
    func sharedFolder() throws {
        try workshop.write(ScenarioText.endless, to: "endless.yaml")
        try workshop.write(ScenarioText.talk(), to: "talk.yaml")
        let running = try Running(
            Kodama.binary,
            ["run", "endless.yaml", "--output", "out"],
            in: workshop.folder,
            stdin: ""
        )
        try running.waitForFirstSign()
        func run(_ arguments: String...) throws -> Kodama.End {
            let command = ["run", "talk.yaml", "-q", "-o", "out"] + arguments
            return try Kodama.run(command, in: workshop.folder)
        }
        let second = try run()
        let shard = try run("--shard", "1/1")
        running.interrupt()
        #expect(try running.wait().status == 130)
        #expect(second.status == 73)
        #expect(
            second.stderr
                == "error: cannot write into out: another kodama writes its result there\n"
        )
        #expect(second.stdout.isEmpty)
        #expect(shard.status == 0, "\(shard.stderr)")
        #expect(try run().status == 0)
    }

    @Test("130: an interrupted run ends at once and leaves no half-written file")
    func interrupted() throws {
        try workshop.write(ScenarioText.endless, to: "endless.yaml")
        let running = try Running(
            Kodama.binary,
            ["run", "endless.yaml", "--output", "out"],
            in: workshop.folder,
            stdin: ""
        )
        try running.waitForFirstSign()
        running.interrupt()
        let end = try running.wait()
        #expect(end.status == 130)
        #expect(end.stderr == "1 run to go\ninterrupted before anything was done: no result\n")
        #expect(end.stdout.isEmpty)
        #expect(try workshop.names(in: "out").isEmpty)
    }
}
