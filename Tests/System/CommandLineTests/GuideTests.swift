import Foundation
import Testing

@Suite("kodama guide")
struct GuideTests {
    @Test("The committed guide is the one that this build prints (HN-02)")
    func committed() throws {
        let committed = Kodama.root.appendingPathComponent("Scenarios/guide.md")
        #expect(
            try String(contentsOf: committed, encoding: .utf8) == Kodama.run("guide").stdout,
            "update it with: kodama guide --output Scenarios/guide.md"
        )
    }

    @Test("The guide's first scenario passes, and with the lines it adds the gate fails (HN-03)")
    func firstPage() throws {
        let blocks = try Kodama.run("guide").stdout.components(separatedBy: "```yaml\n")
            .dropFirst().map { $0.components(separatedBy: "```")[0] }
        #expect(blocks.count == 2)
        let workshop = Workshop()
        let file = try workshop.write(blocks[0], to: "first.yaml")
        let good = try Kodama.run("run", file.path)
        #expect(good.status == 0, "\(good.stderr)")
        try workshop.write(blocks.joined(), to: "first.yaml")
        let bad = try Kodama.run("run", file.path)
        #expect(bad.status == 1, "\(bad.stderr)")
        #expect(bad.stdout.contains("voice.mouth_to_ear.time"))
    }
}
