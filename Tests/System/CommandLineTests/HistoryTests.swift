import Foundation
import Testing

@Suite("kodama report --history: gates over builds")
struct HistoryTests {
    private let workshop = Workshop()

    /// Reports of three builds; in the last the path is away for longer.
    private func builds() throws {
        let text = """
            version: 2
            scenario: outages
            duration: 120s
            seeds: 3
            voice: reachability
            phones:
              - name: phone
                radios: { wifi: wifi-internet }
                apps: { session: {} }
            timeline:
              - { at: 20s, do: { block: { of: phone, for: 8s } } }
            expect:
              - { metric: session.recovery.time, max: "<= 30s" }
              - { metric: session.unrecovered, value: "== 0" }
            """
        for (name, hole) in [("10", "8s"), ("9", "8s"), ("11", "40s")] {
            try workshop.write(text.replacing("for: 8s", with: "for: \(hole)"), to: "outages.yaml")
            let end = try Kodama.run(
                ["run", "outages.yaml", "--quiet", "--output", "builds/\(name)"],
                in: workshop.folder
            )
            #expect(end.status == 0, "\(end.stderr)")
        }
    }

    @Test(
        "Builds stand in the order of their numbers; what moved towards its limit is shown, the rest is counted"
    )
    func table() throws {
        try builds()
        let end = try Kodama.run(
            ["report", "--history", "builds", "--html", "h.html"],
            in: workshop.folder
        )
        #expect(end.status == 0, "\(end.stderr)")
        let lines = end.stdout.split(separator: "\n")
        #expect(lines[0].contains(/\s9 +10 +11 +moved/), "\(end.stdout)")
        #expect(lines[1].contains(/outages +session\.recovery\.time +max <= 30s/), "\(end.stdout)")
        #expect(lines[1].contains(/\+\d+ %$/), "\(end.stdout)")
        #expect(lines.count == 3 && lines[2].hasSuffix("1 gate the same in every build"))
        let page = try workshop.read("h.html")
        #expect(page.contains("Gates over 3 builds"))
        #expect(page.contains("session.recovery.time max &lt;= 30s"))
    }

    @Test("What is no folder of two reports is refused with what to give")
    func refusals() throws {
        try workshop.write("{}", to: "none/readme.txt")
        for (arguments, words) in [
            (["--history", "absent"], "this is no folder"),
            (["--history", "none"], "it takes two reports at least"),
            (["--history", "none", "--json"], "--history is shown as a table"),
        ] {
            let end = try Kodama.run(["report"] + arguments, in: workshop.folder)
            #expect(end.status != 0)
            #expect(end.stdout.isEmpty)
            #expect(end.stderr.contains(words), "\(end.stderr)")
        }
    }
}
