import Foundation
import Testing

@Suite("kodama-lab jitter plays delay traces")
struct JitterTests {
    private let workshop = Workshop()

    /// Two seconds of frames, every tenth 30 ms later than the others, one lost.
    private func trace(_ name: String, startingAt start: Int = 0) -> String {
        (0..<100).map { frame in
            let sent = start + frame * 20
            let arrived = frame == 50 ? -1 : sent + (frame % 10 == 9 ? 40 : 10)
            return "\(name),\(sent),\(arrived)\n"
        }.joined()
    }

    @Test("Each kind of a file, or of stdin, is a row with its own figures")
    func figures() throws {
        try workshop.write(trace("one") + trace("two"), to: "traces.csv")
        let end = try Lab.run("jitter", "traces.csv", "--json", in: workshop.folder)
        #expect(end.status == 0, "\(end.stderr)")
        let rows = try #require(try end.json()["traces"] as? [[String: Any]])
        #expect(rows.map { $0["kind"] as? String } == ["one", "two"])
        for row in rows {
            #expect(row["framesSent"] as? Int == 100)
            #expect(row["networkLossPercent"] as? Double == 1)
            #expect(row["file"] as? String == "traces.csv")
            #expect(
                row.keys.sorted() == [
                    "changesPerMinute", "concealedPercent", "file", "framesSent", "kind",
                    "latePercent", "meanDelayMilliseconds", "networkLossPercent",
                    "p95DelayMilliseconds", "stalls",
                ]
            )
        }
        let piped = try Lab.run(
            ["jitter", "-", "--json"],
            in: workshop.folder,
            stdin: trace("one") + trace("two")
        )
        #expect(piped.stdout == end.stdout.replacing("\"traces.csv\"", with: "\"-\""))
        let table = try Lab.run("jitter", "traces.csv", in: workshop.folder).stdout
        #expect(table.hasPrefix("trace  frames  network loss %  mean delay ms"))
        #expect(table.split(separator: "\n").count == 3)
    }

    @Test("The shipped trace of lone stalls is a table of how the delay recovers (K-21)")
    func stalls() throws {
        let trace = "Scenarios/traces/stalls.csv"
        let end = try Lab.run("jitter", trace, "--json")
        #expect(end.status == 0, "\(end.stderr)")
        let rows = try #require(try end.json()["traces"] as? [[String: Any]])
        let stalls = try #require(rows.first?["stalls"] as? [[String: Double]])
        #expect(stalls.map { Int(($0["stallMilliseconds"] ?? 0) / 100) } == [1, 4, 9])
        for stall in stalls {
            #expect(try #require(stall["excessAfter20sMilliseconds"]) <= 20)
            #expect(try #require(stall["excessAfter60sMilliseconds"]) <= 20)
        }
        #expect(try #require(stalls[1]["excessAfter10sMilliseconds"]) <= 20)
        let table = try Lab.run("jitter", trace).stdout
        #expect(table.contains("\nlone stall in       ms  delay before ms"), "\(table)")
        #expect(table.split(separator: "\n").count == 6)
    }

    @Test("Neither a header nor the time of the first sending changes a figure")
    func origin() throws {
        let plain = try Lab.run(["jitter", "-"], in: workshop.folder, stdin: trace("one"))
        // Milliseconds of Unix's clock, behind a byte order mark.
        let head = "\u{FEFF}kind,send_ms,arrive_ms\r\n"
        let other = try Lab.run(
            ["jitter", "-"],
            in: workshop.folder,
            stdin: head + trace("one", startingAt: 1_795_351_399_060)
        )
        #expect(other.status == 0)
        #expect(other.stdout == plain.stdout)
    }

    @Test(
        "A line that cannot be read is named with its number",
        arguments: [
            ("", "it has no frame"), ("\n\n", "it has no frame"),
            ("one,0\n", "1: 2 fields where kind,send_ms,arrive_ms are wanted"),
            ("no commas\n", "1: 1 field where"), ("one,0,5,6\n", "1: 4 fields where"),
            ("one,0,5\none,20,inf\n", "2: 'inf' is no arrival time"),
            ("one,nan,5\n", "1: 'nan' is no sending time"),
            ("one,0,99999999999999999999\n", "1: '99999999999999999999' is no arrival time"),
            ("one,0,9999999999999\n", "1: '9999999999999' is no arrival time"),
            ("one,0,-2\n", "1: '-2' is no arrival time; -1 means lost"),
            ("one,0,1e3\n", "1: '1e3' is no arrival time"),
            ("one,40,45\none,20,25\n", "2: the frame was not sent 20 ms after"),
            ("one,40,20\n", "1: the frame arrived before it was sent"),
            (",0,5\n", "1: the kind is empty"),
        ]
    )
    func malformed(text: String, message: String) throws {
        try workshop.write(text, to: "trace.csv")
        let end = try Lab.run("jitter", "trace.csv", in: workshop.folder)
        #expect(end.status == 66, "\(end.stderr)")
        #expect(end.stderr.hasPrefix("error: trace.csv:"))
        #expect(end.stderr.contains(message), "\(end.stderr)")
        #expect(end.stdout.isEmpty)
    }

    @Test("Of a trace without one frame that came no delay is said, and rows of files are named")
    func nothingCame() throws {
        let lost = (0..<50).map { "lost,\($0 * 20),-1\n" }.joined()
        try workshop.write(lost, to: "lost.csv")
        try workshop.write(trace("one"), to: "one.csv")
        let end = try Lab.run("jitter", "lost.csv", "one.csv", "--json", in: workshop.folder)
        let rows = try #require(try end.json()["traces"] as? [[String: Any]])
        #expect(rows.map { $0["file"] as? String } == ["lost.csv", "one.csv"])
        #expect(rows[0]["networkLossPercent"] as? Double == 100)
        #expect(rows[0]["meanDelayMilliseconds"] == nil)
        #expect(rows[1]["meanDelayMilliseconds"] as? Double ?? 0 > 0)
        let table = try Lab.run("jitter", "lost.csv", "one.csv", in: workshop.folder).stdout
        let lines = table.split(separator: "\n")
        #expect(lines[0].hasPrefix("file"))
        #expect(lines[1].hasPrefix("lost.csv  lost") && lines[1].contains("–"))
        #expect(lines[2].hasPrefix("one.csv"))
    }

    @Test("Frames that come half a year late are late, and their stall is as long as it was")
    func monthsLate() throws {
        let frames = (0..<4_000).map { "far,\($0 * 20),\($0 * 20 + 30)\n" }.joined()
        let late = (4_000..<4_400).map { "far,\($0 * 20),20000000000\n" }.joined()
        try workshop.write(frames + late, to: "far.csv")
        let end = try Lab.run("jitter", "far.csv", "--json", in: workshop.folder)
        #expect(end.status == 0, "\(end.stderr)")
        let rows = try #require(try end.json()["traces"] as? [[String: Any]])
        #expect(rows[0]["latePercent"] as? Double == 9.091)
        let stalls = try #require(rows[0]["stalls"] as? [[String: Any]])
        #expect(stalls.map { $0["stallMilliseconds"] as? Double } == [19_999_919_970])
    }

    @Test("A parameter of another part, which would change nothing, is refused")
    func foreignParameter() throws {
        try workshop.write(trace("one"), to: "one.csv")
        let setting = ["--set", "vad.attack=40ms"]
        let end = try Lab.run(["jitter", "one.csv"] + setting, in: workshop.folder)
        #expect(end.status == 64)
        #expect(end.stderr.contains("only jitter.* changes anything here"), "\(end.stderr)")
    }

    @Test("Made traces are the same for the same seed, and lone stalls are found in them (K-21)")
    func made() throws {
        for folder in ["a", "b"] {
            let options = ["delays", "--out", folder, "--seeds", "2", "--seconds", "2"]
            let end = try Lab.run(options, in: workshop.folder)
            #expect(end.status == 0, "\(end.stderr)")
        }
        let names = try workshop.names(in: "a")
        #expect(names.count == 14 && names.contains("edge-1.csv"))
        for name in names {
            let first = try Data(contentsOf: workshop.url("a/\(name)"))
            #expect(try Data(contentsOf: workshop.url("b/\(name)")) == first, "\(name)")
        }
        let stall = ["jitter", "a/stall500-0.csv", "--json"]
        let end = try Lab.run(stall, in: workshop.folder)
        let rows = try #require(try end.json()["traces"] as? [[String: Any]])
        #expect((rows.first?["stalls"] as? [Any])?.count == 1)
        let wrong = try Lab.run(["delays", "--out", "a", "--seeds", "0"], in: workshop.folder)
        #expect(wrong.status == 64)
    }
}
