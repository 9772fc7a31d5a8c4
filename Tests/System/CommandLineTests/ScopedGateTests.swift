import Foundation
import Testing

@Suite("Gates with a scope and a confidence, as users write them (HN-03)")
struct ScopedGateTests {
    private let workshop = Workshop()

    private let scenario = ScenarioText.talk(
        name: "scoped",
        expect: """
            expect:
              - metric: voice.mouth_to_ear.onset.time
                p50: "<= 300ms"
                after: { event: speech.began, of: ann }
                confidence: 90%
              - metric: voice.bytes
                value: "<= 1MB"
                each: device
              - metric: voice.bytes
                value: "<= 10MB"
                in: { from: 5s, until: 6s }
              - metric: voice.late
                value: "<= 5%"
            """
    )

    @Test("Scope, confidence and interval stand in rule, table and JSON, and slack orders gates")
    func report() throws {
        try workshop.write(scenario, to: "scoped.yaml")
        let run = try Kodama.run(
            "run",
            "scoped.yaml",
            "--seeds",
            "12",
            "--output",
            "result",
            in: workshop.folder
        )
        #expect(run.status == 0)
        let rule = "p50 <= 300ms after speech.began of ann with 90% confidence"
        #expect(run.stdout.contains(rule))
        #expect(run.stdout.contains("value <= 1000000B at each device"))
        let slack = try Kodama.run("report", "result", "--slack", in: workshop.folder)
        #expect(slack.status == 0)
        let rows = slack.stdout.split(separator: "\n")
        #expect(rows.count == 5)
        #expect(rows[0].contains("slack") && rows[0].contains("interval"))
        #expect(rows[1].contains(rule))
        #expect(rows[1].contains(" with 90 %"))
        let shares = rows.dropFirst().compactMap { row in
            row.split(separator: " ").first.flatMap { Double($0) }
        }
        #expect(shares.count == 4)
        #expect(shares == shares.sorted())
    }

    @Test("Too few runs to be sure are undecided, with what they say")
    func unsure() throws {
        try workshop.write(scenario, to: "scoped.yaml")
        let run = try Kodama.run("run", "scoped.yaml", "--seeds", "2", in: workshop.folder)
        #expect(run.status == 4)
        #expect(run.stdout.contains(", but too few runs to be sure: "))
        let replay = try Kodama.run("replay", "scoped.yaml", in: workshop.folder)
        // One run alone cannot be sure of anything; it is held against the limit itself.
        #expect(replay.status == 0)
        #expect(replay.stdout.contains("pass  voice.mouth_to_ear.onset.time  p50 <= 300ms after "))
        #expect(!replay.stdout.contains("confidence"))
    }

    @Test("A confidence for an extreme is refused where it stands")
    func refused() throws {
        let text = scenario.replacing("p50: \"<= 300ms\"", with: "max: \"<= 300ms\"")
        try workshop.write(text, to: "extreme.yaml")
        let check = try Kodama.run("check", "extreme.yaml", in: workshop.folder)
        #expect(check.status == 65)
        #expect(check.stderr.contains("'max: <= 300ms' has no interval that could be sure"))
        let both = scenario.replacing(
            "confidence: 90%",
            with: "in: { from: 1s }"
        )
        try workshop.write(both, to: "both.yaml")
        let clash = try Kodama.run("check", "both.yaml", in: workshop.folder)
        #expect(clash.status == 65)
        #expect(clash.stderr.contains("'after'") && clash.stderr.contains("'in'"))
    }
}
