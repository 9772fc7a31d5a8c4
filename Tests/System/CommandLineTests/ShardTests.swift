import Foundation
import Testing

@Suite("Runs in shards")
struct ShardTests {
    private let workshop = Workshop()

    /// Five scenarios of both kinds: conversations, a sweep, a miss, a documented one, sessions.
    private func prepare() throws {
        try workshop.write(ScenarioText.talk(duration: "4s"), to: "all/talk.yaml")
        try workshop.write(ScenarioText.impossible, to: "all/impossible.yaml")
        try workshop.write(ScenarioText.sweep(head: ScenarioText.grid), to: "all/sweep.yaml")
        try workshop.write(
            ScenarioText.impossible.replacing("scenario: impossible", with: "scenario: documented")
                + "outcome: fail\nbecause: No link is that fast.\n",
            to: "all/documented.yaml"
        )
        try workshop.write(
            """
            version: 2
            scenario: session
            duration: 60s
            voice: reachability
            phones:
              - { name: phone, radios: { wifi: local-clean }, apps: { session: {} } }
            people:
              - { name: ann, holds: phone, voice: en-f }
            timeline:
              - { at: 0s, do: { user: { of: phone, does: open-app } } }
            faults:
              - { of: phone, every: 20s, from: 10s, until: 50s, kinds: { outage: 1 } }
            expect:
              - metric: session.recovery.time
                p95: "<= 10s"
              - invariant: session.parts-sum
            """ + "\n",
            to: "all/session.yaml"
        )
    }

    private func run(_ arguments: [String]) throws -> Kodama.End {
        try Kodama.run(["run", "all", "--seeds", "5", "-q"] + arguments, in: workshop.folder)
    }

    private func merge(_ files: [String], _ options: String...) throws -> Kodama.End {
        try Kodama.run(["merge"] + files + options, in: workshop.folder)
    }

    @Test(
        "Shards merged in shuffled order give the single run's bytes (HN-01)",
        arguments: [1, 2, 3, 7, 40]
    )
    func sameBytes(count: Int) throws {
        try prepare()
        let whole = try run(["--json"])
        #expect(whole.status == 1, "\(whole.stderr)")
        for index in 1...count {
            let end = try run(["--shard", "\(index)/\(count)", "-o", "parts"])
            #expect(end.status == 0, "\(end.stderr)")
            #expect(end.stdout.hasPrefix("shard \(index)/\(count): "))
        }
        // Every seventh, from several ends: an order that has nothing of the plan's.
        let order = (0..<count).map { ($0 * 7 + 3) % max(1, count) }
        let shuffled = Set(order).count == count ? order : Array((0..<count).reversed())
        let files = shuffled.map { "parts/shard-\($0 + 1)-of-\(count).json" }
        let merged = try merge(files, "--json", "-o", "out")
        #expect(merged.status == 1, "\(merged.stderr)")
        #expect(merged.stdout == whole.stdout)
        let table = try run(["--verbose"])
        #expect(try workshop.read("out/report.txt") == table.stdout)
        #expect(try merge(["parts"], "--verbose").stdout == table.stdout)
        let folded = try run([])
        #expect(folded.stdout != table.stdout)
        #expect(try merge(["parts"]).stdout == folded.stdout)
    }

    @Test("3: missing runs are named, and unequal twins are a fault of determinism (HN-01)")
    func faults() throws {
        try prepare()
        for index in 1...3 { _ = try run(["--shard", "\(index)/3", "-o", "parts"]) }
        let missing = try merge(["parts/shard-1-of-3.json", "parts/shard-3-of-3.json"])
        #expect(missing.status == 3)
        #expect(missing.stderr.hasPrefix("error: missing: shard 2/3, "), "\(missing.stderr)")
        #expect(missing.stderr.contains("\n  session: seed "))
        #expect(missing.stdout.isEmpty)

        let text = try workshop.read("parts/shard-2-of-3.json")
        try workshop.write(text, to: "parts/shard-2-again.json")
        #expect(try merge(["parts"]).status == 1)
        let forged = text.replacing(
            /"name":"left"}/,
            with: "\"name\":\"left\"}",
            maxReplacements: 1
        )
        .replacing(
            /"digest":"[0-9a-f]{16}","name":"ann"/,
            with: "\"digest\":\"0123456789abcdef\",\"name\":\"ann\""
        )
        #expect(forged != text)
        try workshop.write(forged, to: "parts/shard-2-again.json")
        let unequal = try merge(["parts"])
        #expect(unequal.status == 3)
        #expect(unequal.stderr.contains("are both shard 2/3, and differ first in "))
        #expect(unequal.stderr.contains(", in ann"), "\(unequal.stderr)")
    }

    @Test("64: a foreign plan, another count of shards and renderings of a part are refused")
    func refusals() throws {
        try prepare()
        _ = try run(["--shard", "1/2", "-o", "parts"])
        func refusal(_ arguments: [String]) throws -> String {
            let end = try run(["--shard", "2/2", "-o", "other"] + arguments)
            #expect(end.status == 0, "\(end.stderr)")
            let merged = try merge(["parts/shard-1-of-2.json", "other/shard-2-of-2.json"])
            #expect(merged.status == 64)
            return merged.stderr
        }
        #expect(try refusal(["--set", "vad.attack=60ms"]).contains("it has other settings"))
        #expect(try refusal(["--strict"]).contains("it has other strictness"))
        #expect(try refusal(["--only", "jitter=0ms"]).contains("it has other scenarios"))
        _ = try run(["--shard", "2/3", "-o", "parts"])
        let count = try merge(["parts/shard-1-of-2.json", "parts/shard-2-of-3.json"])
        #expect(count.status == 64)
        #expect(count.stderr.contains("runs would count twice"))
        for option in [["--html", "x"], ["--metrics"], ["--wav", "x"]] {
            let end = try run(["--shard", "1/2"] + option)
            #expect(end.status == 64, "\(option)")
            #expect(end.stderr.contains("'kodama merge' makes renderings of the whole"))
        }
        for shard in ["0/2", "3/2", "1", "a/b", "1/2/3", "-1/2"] {
            #expect(try run(["--shard=\(shard)"]).status == 64, "\(shard)")
        }
    }

    @Test("66: what is no shard, or a damaged one, is refused in a sentence")
    func damaged() throws {
        try prepare()
        _ = try run(["--shard", "1/1", "-o", "parts"])
        let text = try workshop.read("parts/shard-1-of-1.json")
        for (name, damaged, words) in [
            ("a.json", "{}", "this is no shard of 'kodama run --shard'"),
            ("b.json", String(text.prefix(text.count / 2)), "this is no shard"),
            (
                "c.json", text.replacing("\"seed\":3}", with: "\"seed\":4}"),
                "the runs are not those of shard 1/1 of its plan"
            ),
            (
                "d.json", text.replacing(/"buckets":\[\d+,/, with: "\"buckets\":[-1,"),
                "there is no bucket -1"
            ),
            (
                "e.json",
                text.replacing(/"count":\d+,"first"/, with: "\"count\":-1,\"first\""),
                "the runs are not those of shard 1/1 of its plan"
            ),
            (
                "f.json",
                text.replacing(/"count":\d+,"first"/, with: "\"count\":\(Int.max),\"first\""),
                "the runs are not those of shard 1/1 of its plan"
            ),
        ] {
            try workshop.write(damaged, to: name)
            let end = try merge([name])
            #expect(end.status == 66, "\(name): \(end.stderr)")
            #expect(end.stderr.contains(words), "\(end.stderr)")
        }
        try workshop.write("", to: "empty/x")
        #expect(try merge(["empty"]).status == 66)
    }
}
