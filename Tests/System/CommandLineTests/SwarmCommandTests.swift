import Foundation
import Testing

@Suite("Swarms of worlds on the command line (HN-10)")
struct SwarmCommandTests {
    private let workshop = Workshop()

    private func swarm() throws -> Kodama.End {
        try Kodama.run(
            [
                "swarm", "--systems", "replica", "--seeds", "4", "--folder", "worlds", "--jobs",
                "2",
                "--shrink-runs", "0", "--json",
            ],
            in: workshop.folder
        )
    }

    @Test(
        "A world that was running when the program ended is tried by itself; one that ends it, named"
    )
    func goesOnBehindTheDead() throws {
        try FileManager.default.createDirectory(
            at: workshop.folder.appendingPathComponent("worlds"),
            withIntermediateDirectories: false
        )
        try workshop.write("", to: "worlds/running-3")
        try workshop.write("crash", to: "worlds/dead-2")
        let first = try swarm()
        #expect(first.status == 1, "\(first.stderr)")
        #expect(first.stderr.contains("world 3 was running when the program ended"))
        let findings = try #require(try first.json()["findings"] as? [[String: Any]])
        let dead = findings.filter {
            ($0["failure"] as? [String: Any])?["name"] as? String == "crash"
        }
        #expect(dead.compactMap { $0["seeds"] as? [Int] } == [[2]])
        #expect(try first.json()["worlds"] as? Int == 4)
        let names = try workshop.names(in: "worlds")
        #expect(!names.contains { $0.hasPrefix("running-") })
        #expect(names.contains("finding-crash-2.yaml"))
        let lines = try workshop.read("worlds/worlds.jsonl").split(separator: "\n")
        #expect(lines.count == 1 + 4)
        // Nothing is left to run, and the same is said.
        let second = try swarm()
        #expect(second.stdout == first.stdout)
        #expect(!second.stderr.contains("was running"))
    }

    @Test("A ledger whose last line was cut off goes on with that world")
    func goesOnBehindTheCut() throws {
        let whole = try swarm()
        let text = try workshop.read("worlds/worlds.jsonl")
        try workshop.write(String(text.dropLast(20)), to: "worlds/worlds.jsonl")
        #expect(try swarm().stdout == whole.stdout)
        #expect(try workshop.read("worlds/worlds.jsonl") == text)
    }
}
