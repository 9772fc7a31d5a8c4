import Foundation
import Testing

@Suite("kodama run with seeds: auto")
struct AutoSeedsTests {
    private let workshop = Workshop()

    private func write(limit: String, seeds: String = "seeds: auto") throws {
        let text = ScenarioText.talk(
            name: "talk",
            expect: """
                expect:
                  - { metric: voice.mouth_to_ear.onset.time, p50: "<= \(limit)" }
                """
        )
        let whole = text.replacing("duration:", with: "\(seeds)\nduration:")
        try workshop.write(whole, to: "talk.yaml")
    }

    private func run(_ arguments: String...) throws -> Kodama.End {
        try Kodama.run(["run", "talk.yaml"] + arguments, in: workshop.folder)
    }

    @Test("The runs stop at the look that decides, and stderr says at which (HN-03)")
    func stops() throws {
        try write(limit: "10s")
        let passed = try run()
        #expect(passed.status == 0)
        #expect(passed.stderr.contains("talk: decided after 20 of at most 640 seeds"))
        #expect(passed.stdout.contains("seeds 1 to 20"))
        try write(limit: "1ms")
        let failed = try run("--jobs", "1")
        #expect(failed.status == 1)
        #expect(failed.stderr.contains("decided after 20 of at most 640 seeds"))
    }

    @Test("--seeds says how many in the scenario's stead, auto included (HN-03)")
    func overrides() throws {
        try write(limit: "10s")
        #expect(try run("--seeds", "3").stdout.contains("seeds 1 to 3,"))
        #expect(try run("--seed", "7").stdout.contains("seed 7"))
        try write(limit: "10s", seeds: "seeds: 2")
        let auto = try run("--seeds", "auto", "--json")
        #expect(auto.stderr.contains("decided after 20 of at most 640 seeds"))
        #expect(try run("--seeds", "auto", "--json", "--jobs", "1").stdout == auto.stdout)
    }

    @Test("--first-seed runs as many other seeds, as a file that begins there (HN-03)")
    func first() throws {
        try write(limit: "10s", seeds: "seeds: 3")
        let moved = try run("--first-seed", "500", "--json")
        #expect(try run("--first-seed", "500").stdout.contains("seeds 500 to 502,"))
        #expect(try run("--first-seed", "500", "--seeds", "1").stdout.contains("seed 500,"))
        try write(limit: "10s", seeds: "seeds: 3\nfirst_seed: 500")
        func digests(_ end: Kodama.End) throws -> [String?] {
            let scenarios = try #require(try end.json()["scenarios"] as? [[String: Any]])
            return scenarios.map { $0["digest"] as? String }
        }
        #expect(try digests(moved) == digests(run("--json")))
        for (arguments, words) in [
            (["--seed", "7", "--first-seed", "7"], "leave --first-seed out"),
            (["--first-seed", "1000000000001"], "at most 1000000000000"),
        ] {
            let end = try Kodama.run(["run", "talk.yaml"] + arguments, in: workshop.folder)
            #expect(end.status == 64)
            #expect(end.stdout.isEmpty)
            #expect(end.stderr.contains(words), "\(end.stderr)")
        }
    }

    @Test("64: a shard of an open number of seeds, and a number that is none, are refused")
    func refusals() throws {
        try write(limit: "10s")
        let shard = try run("--shard", "1/2")
        #expect(shard.status == 64)
        #expect(shard.stderr.contains("give --seeds a number"))
        let word = try run("--seeds", "many")
        #expect(word.status == 64)
        #expect(word.stderr.contains("--seeds"))
        #expect(try run("--shard", "1/2", "--seeds", "2").status == 0)
    }
}
