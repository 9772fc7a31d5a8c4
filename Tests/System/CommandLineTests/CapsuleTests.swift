import Foundation
import Testing

@Suite("Capsules: a failing run to hand on")
struct CapsuleTests {
    private let workshop = Workshop()

    /// A scenario whose gate and invariant need other files: a base, a trace and a list of requirements.
    private func writeScenario() throws {
        try workshop.write("K-12: Speech is soon heard.\n", to: "base/requirements.yaml")
        try workshop.write(
            "version: 2\nduration: 6s\nvoice: sized\n",
            to: "base/common.yaml"
        )
        let text = ScenarioText.talk(
            name: "slow",
            expect: """
                expect:
                  - metric: voice.mouth_to_ear.onset.time
                    max: "<= $limit"
                    covers: [K-12]
                """
        )
        .replacing("duration: 6s\nvoice: sized\n", with: "extends: common.yaml\n")
        .replacing("phones:", with: "sweep: { limit: [10s, 1ms] }\nphones:")
        .replacing(
            "profile: local-clean }",
            with: "profile: local-clean, trace: opportunities.txt }"
        )
        try workshop.write(text, to: "base/slow.yaml")
        try workshop.write("1\n2\n3\n5\n8\n", to: "base/opportunities.txt")
    }

    @Test("A scenario's very long name leaves a capsule as well (HN-06)")
    func longName() throws {
        let metric = "voice.mouth_to_ear.onset.time"
        let expect = "expect:\n  - { metric: \(metric), max: \"<= 1ms\" }"
        let name = String(repeating: "n", count: 250)
        try workshop.write(ScenarioText.talk(name: name, expect: expect), to: "long.yaml")
        let run = try Kodama.run("run", "long.yaml", "-o", "result", in: workshop.folder)
        #expect(run.status == 1)
        let stem = "\(name.prefix(120))-\(metric)-max-seed-"
        let names = try workshop.names(in: "result/capsules")
        #expect(names.count == 1)
        #expect(names.allSatisfy { $0.hasPrefix(stem) })
    }

    @Test("A failing gate leaves a capsule that repeats its worst run with no other file (HN-06)")
    func repeats() throws {
        try writeScenario()
        let run = try Kodama.run(
            "run",
            "base/slow.yaml",
            "--seeds",
            "3",
            "--set",
            "vad.attack=40ms",
            "--shuffle-ties",
            "4",
            "--output",
            "result",
            in: workshop.folder
        )
        #expect(run.status == 1)
        let names = try workshop.names(in: "result/capsules")
        #expect(names.count == 1)
        let name = try #require(names.first)
        #expect(name.hasPrefix("slow-1ms-voice.mouth_to_ear.onset.time-max-seed-"))
        let capsule = try workshop.read("result/capsules/\(name)")
        #expect(run.stderr.contains("kodama replay result/capsules/\(name)"))

        // Elsewhere, without the base, the list and the folder.
        let elsewhere = Workshop()
        try elsewhere.write(capsule, to: "it.json")
        let again = try Kodama.run("replay", "it.json", in: elsewhere.folder)
        #expect(again.status == 1)
        #expect(again.stderr.contains("the run of the capsule to the byte: digest "))
        #expect(again.stdout.contains("fail: voice.mouth_to_ear.onset.time: "))
        let named = try Kodama.run(
            "replay",
            "base/slow.yaml",
            "--only",
            "limit=1ms",
            "--seed",
            String(name.dropLast(".capsule.json".count).split(separator: "-").last ?? ""),
            "--set",
            "vad.attack=40ms",
            "--shuffle-ties",
            "4",
            "--json",
            in: workshop.folder
        )
        let json = try Kodama.run("replay", "it.json", "--json", in: elsewhere.folder)
        func digest(_ end: Kodama.End) throws -> String? {
            let scenarios = try end.json()["scenarios"] as? [[String: Any]]
            return scenarios?.first?["digest"] as? String
        }
        #expect(try digest(named) == digest(json))
        #expect(try digest(json) != nil)
        #expect(again.stdout.contains("slow: at limit=1ms, seed "))
        #expect(again.stdout.contains("\n  with vad.attack=40ms\n"))
    }

    @Test("Each failing gate has a capsule of its own, and none stays of an earlier result (HN-06)")
    func own() throws {
        let text = ScenarioText.talk(
            name: "same",
            expect: """
                expect:
                  - { metric: voice.mouth_to_ear.time, p50: "<= 1ms" }
                  - { metric: voice.mouth_to_ear.time, p50: "<= 2ms", in: { from: 1s } }
                """
        )
        // Two scenarios of one name, each with two gates on one figure.
        for folder in ["a", "b"] { try workshop.write(text, to: "\(folder)/same.yaml") }
        func run() throws -> Kodama.End {
            try Kodama.run("run", "a", "b", "-o", "result", in: workshop.folder)
        }
        let failing = try run()
        #expect(failing.status == 1)
        let names = try workshop.names(in: "result/capsules")
        #expect(names.count == 4, "\(names)")
        for name in names {
            #expect(failing.stderr.contains("kodama replay result/capsules/\(name)\n"))
        }
        try workshop.write("mine", to: "result/capsules/notes.txt")
        for folder in ["a", "b"] {
            try workshop.write(ScenarioText.talk(name: "same"), to: "\(folder)/same.yaml")
        }
        #expect(try run().status == 0)
        #expect(try workshop.names(in: "result/capsules") == ["notes.txt"])
        // What lies there before any result is somebody's own.
        try workshop.write("{}", to: "first/capsules/mine.capsule.json")
        let first = try Kodama.run("run", "a", "-o", "first", in: workshop.folder)
        #expect(first.status == 0)
        #expect(try workshop.names(in: "first/capsules") == ["mine.capsule.json"])
    }

    @Test("No earlier result's capsule stays beside a merged result, or one with its own elsewhere")
    func replaced() throws {
        try workshop.write(ScenarioText.impossible, to: "impossible.yaml")
        try workshop.write(ScenarioText.talk(duration: "4s"), to: "talk.yaml")
        func kodama(_ arguments: String...) throws {
            let end = try Kodama.run(arguments, in: workshop.folder)
            #expect(end.status <= 1, "\(end.stderr)")
        }
        try kodama("run", "talk.yaml", "-q", "--shard", "1/1", "-o", "parts")
        for later in [["merge", "parts"], ["run", "talk.yaml", "-q", "--capsules", "own"]] {
            try kodama("run", "impossible.yaml", "-q", "-o", "out")
            #expect(try workshop.names(in: "out/capsules").count == 1)
            let end = try Kodama.run(later + ["-o", "out"], in: workshop.folder)
            #expect(end.status == 0, "\(end.stderr)")
            #expect(try workshop.names(in: "out/capsules").isEmpty, "\(later)")
        }
        // Where the folder is named, it is the result's own all the same.
        try kodama("run", "impossible.yaml", "-q", "-o", "out", "--capsules", "./out/capsules/")
        #expect(try workshop.names(in: "out/capsules").count == 1)
    }

    @Test("Another run than the capsule's is said to be one, with the builds or the fault (HN-01)")
    func differs() throws {
        try workshop.write(ScenarioText.impossible, to: "impossible.yaml")
        let run = try Kodama.run(
            "run",
            "impossible.yaml",
            "--capsules",
            "kept",
            in: workshop.folder
        )
        #expect(run.status == 1)
        let name = try #require(try workshop.names(in: "kept").first)
        let text = try workshop.read("kept/\(name)")
        let digest = try #require(text.firstMatch(of: /"digest" : "([0-9a-f]{16})"/)?.1)
        let other = text.replacing(digest, with: "0000000000000001")
        try workshop.write(other, to: "same-build.json")
        let same = try Kodama.run("replay", "same-build.json", in: workshop.folder)
        #expect(same.status == 3)
        #expect(same.stderr.contains("by the same build: this is a fault of determinism"))
        let build = try #require(text.firstMatch(of: /"build" : "([0-9a-f]{16})"/)?.1)
        try workshop.write(
            other.replacing(build, with: "00000000000000ab"),
            to: "other-build.json"
        )
        let differing = try Kodama.run("replay", "other-build.json", in: workshop.folder)
        #expect(differing.status == 3)
        #expect(differing.stderr.contains("made by:  kodama "))
        #expect(differing.stderr.contains(" build 00000000000000ab"))
        #expect(differing.stderr.contains("this is:  kodama "))
    }

    @Test("What is no capsule, of another version or cannot be understood ends with a sentence")
    func refusals() throws {
        try workshop.write("{}", to: "empty.json")
        let empty = try Kodama.run("replay", "empty.json", in: workshop.folder)
        #expect(empty.status == 66)
        #expect(empty.stderr.contains("this is no capsule of 'kodama run --capsules'"))
        try workshop.write("{\"capsule\": 9}", to: "later.json")
        let later = try Kodama.run("replay", "later.json", in: workshop.folder)
        #expect(later.status == 66)
        #expect(later.stderr.contains("the capsule has version 9; this build reads 1"))
        let set = try Kodama.run(
            "replay",
            "empty.json",
            "--set",
            "vad.attack=40ms",
            in: workshop.folder
        )
        #expect(set.status == 64)
        try workshop.write(ScenarioText.impossible, to: "impossible.yaml")
        _ = try Kodama.run("run", "impossible.yaml", "--capsules", "kept", in: workshop.folder)
        let name = try #require(try workshop.names(in: "kept").first)
        let text = try workshop.read("kept/\(name)")
        try workshop.write(
            text.replacing("voice.mouth_to_ear.time  #", with: "voice.gone  #"),
            to: "strange.json"
        )
        let strange = try Kodama.run("replay", "strange.json", in: workshop.folder)
        #expect(strange.status == 65)
        #expect(strange.stderr.contains("this build does not understand the capsule's scenario"))
    }

    @Test("--around keeps what is near records of a kind, whatever level they have (HN-06)")
    func around() throws {
        try workshop.write(ScenarioText.talk(), to: "talk.yaml")
        let near = try Kodama.run(
            "replay",
            "talk.yaml",
            "--level",
            "milestone",
            "--around",
            "gate.changed",
            "--margin",
            "10ms",
            in: workshop.folder
        )
        #expect(near.status == 0)
        let whole = try Kodama.run("replay", "talk.yaml", in: workshop.folder)
        #expect(whole.stdout.contains("run.ended"))
        #expect(!near.stdout.contains("run.ended"))
        #expect(near.stdout.contains("digest"))
        let finest = try Kodama.run(
            "replay",
            "talk.yaml",
            "--level",
            "media",
            "--around",
            "speech.began",
            "--margin",
            "20ms",
            in: workshop.folder
        )
        #expect(finest.stdout.contains("frame.captured"))
        let none = try Kodama.run(
            "replay",
            "talk.yaml",
            "--around",
            "path.lots",
            in: workshop.folder
        )
        #expect(none.status == 64)
        #expect(none.stderr.contains("there is no such kind; did you mean 'path.lost'?"))
    }
}
