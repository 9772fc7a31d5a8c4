import Foundation
import Testing

@Suite("kodama-lab link and wire take a scenario's link alone (HN-11)")
struct LinkTests {
    private static let scenario = """
        version: 2
        scenario: link
        duration: 60s
        voice: sized
        sweep: { loss: [0%, 20%] }
        phones:
          - name: mika-phone
            radios: { cellular: { profile: ideal, delay: 25ms, loss: $loss } }
            apps: { session: {} }
        timeline:
          - at: 2s
            do: { stop: { link: mika-phone/cellular, for: 3s } }
          - at: 3s
            do: { server: { does: drain, for: 5s } }
        expect:
          - metric: session.recovery.time
            max: "<= 200s"
            allow_no_data: true
        """

    private let workshop = Workshop()

    init() throws {
        try workshop.write(Self.scenario, to: "link.yaml")
    }

    private func link(_ words: String...) throws -> Kodama.End {
        try Lab.run(
            ["link", "link.yaml", "--link", "mika-phone/cellular"] + words,
            in: workshop.folder
        )
    }

    @Test("Pings meet the link's delay, and vanish while the timeline stops it")
    func pings() throws {
        let end = try link("--only", "loss=0%", "--pings", "6:84:1s")
        #expect(end.status == 0)
        #expect(
            end.stdout
                == "{\"seed\": 1, \"round_trips\": [0.05, 0.05, null, null, null, 0.05]}\n"
        )
    }

    @Test("A connection opens after two round trips; a request into the outage is answered later")
    func connection() throws {
        let end = try link("--only", "loss=0%", "--ask", "1s:500:500", "--ask", "2500ms:500:500")
        #expect(
            end.stdout
                == "{\"seed\": 1, \"opened\": 0.1, \"answered\": [0.05, 4.05]}\n"
        )
    }

    @Test("Each seed has its own losses, the same each time")
    func seeds() throws {
        let words = ["--only", "loss=20%", "--pings", "50:84:27ms", "--seeds", "3"]
        let lines = try Lab.run(
            ["link", "link.yaml", "--link", "mika-phone/cellular"] + words,
            in: workshop.folder
        ).stdout.split(separator: "\n")
        #expect(lines.count == 3)
        #expect(Set(lines.map { $0.drop { $0 != "[" } }).count == 3)
        #expect(lines.allSatisfy { $0.contains("null") })
        #expect(try link("--only", "loss=20%", "--pings", "50:84:27ms").stdout == lines[0] + "\n")
    }

    @Test("What is no link, no point and no request is said, with what there is")
    func mistakes() throws {
        let unknown = try Lab.run(
            "link",
            "link.yaml",
            "--link",
            "mika-phone/wifi",
            "--only",
            "loss=0%",
            in: workshop.folder
        )
        #expect(unknown.status == 64)
        #expect(unknown.stderr.contains("Known: mika-phone/cellular"))
        #expect(try link("--pings", "6:84:1s").stderr.contains("choose one"))
        #expect(try link("--only", "loss=0%", "--ask", "soon").stderr.contains("1s:500:20000"))
        let wire = try Lab.run(
            "wire",
            "link.yaml",
            "--link",
            "mika-phone/cellular",
            "--ends",
            "phone",
            in: workshop.folder
        )
        #expect(wire.status == 64)
    }
}
