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

    @Test("The page of metrics has a row for each metric, and none for another (HN-04)")
    func metrics() throws {
        let listed = try Kodama.run("list", "metrics", "--json").json()["rows"]
        let names = try #require(listed as? [[String: Any]]).compactMap { $0["name"] as? String }
        #expect(names.count > 100)
        let file = "Sources/Core/Command/Kodama.docc/Metrics.md"
        let page = try String(
            contentsOf: Kodama.root.appendingPathComponent(file),
            encoding: .utf8
        )
        let rows = page.matches(of: #/\n\| `([^`]+)` \|/#).map { String($0.output.1) }
        #expect(rows.sorted() == names.sorted(), "make the page again with: Scripts/occasions")
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
