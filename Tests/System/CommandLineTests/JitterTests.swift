import Foundation
import Testing

@Suite("kodama jitter plays delay traces")
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
        let end = try Kodama.run("jitter", "traces.csv", "--json", in: workshop.folder)
        #expect(end.status == 0, "\(end.stderr)")
        let rows = try #require(try end.json()["traces"] as? [[String: Any]])
        #expect(rows.map { $0["kind"] as? String } == ["one", "two"])
        for row in rows {
            #expect(row["framesSent"] as? Int == 100)
            #expect(row["networkLossPercent"] as? String == "1.000")
            #expect(
                row.keys.sorted() == [
                    "changesPerMinute", "concealedPercent", "framesSent", "kind", "latePercent",
                    "meanDelayMilliseconds", "networkLossPercent", "p95DelayMilliseconds",
                ]
            )
        }
        let piped = try Kodama.run(
            ["jitter", "-", "--json"],
            in: workshop.folder,
            stdin: trace("one") + trace("two")
        )
        #expect(piped.stdout == end.stdout)
        let table = try Kodama.run("jitter", "traces.csv", in: workshop.folder).stdout
        #expect(table.hasPrefix("trace  frames  network loss %  mean delay ms"))
        #expect(table.split(separator: "\n").count == 3)
    }

    @Test("Neither a header nor the time of the first sending changes a figure")
    func origin() throws {
        let plain = try Kodama.run(["jitter", "-"], in: workshop.folder, stdin: trace("one"))
        let other = try Kodama.run(
            ["jitter", "-"],
            in: workshop.folder,
            stdin: "kind,send_ms,arrive_ms\r\n" + trace("one", startingAt: 999_999_000_000)
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
            ("one,0,1e3\n", "1: '1e3' is no arrival time"),
            ("one,40,45\none,20,25\n", "2: the frame was not sent 20 ms after"),
            ("one,40,20\n", "1: the frame arrived before it was sent"),
            (",0,5\n", "1: the kind is empty"),
        ]
    )
    func malformed(text: String, message: String) throws {
        try workshop.write(text, to: "trace.csv")
        let end = try Kodama.run("jitter", "trace.csv", in: workshop.folder)
        #expect(end.status == 66, "\(end.stderr)")
        #expect(end.stderr.hasPrefix("error: trace.csv:"))
        #expect(end.stderr.contains(message), "\(end.stderr)")
        #expect(end.stdout.isEmpty)
    }
}
