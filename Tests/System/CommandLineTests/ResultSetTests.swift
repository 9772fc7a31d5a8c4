import Foundation
import Testing

@Suite("A result is of one run, whenever its process is told to end (HN-03)")
struct ResultSetTests {
    private let workshop = Workshop()
    private static let names = [
        "report.json", "report.txt", "report.md", "junit.xml", "report.html", "manifest.json",
    ]

    private func start(_ name: String) throws -> Running {
        try Running(
            Kodama.binary,
            [
                "run", "\(name).yaml", "-q", "-o", "out", "--html", "page.html", "--junit",
                "cases.xml",
            ],
            in: workshop.folder,
            stdin: ""
        )
    }

    /// Which run the files are of, and whether they say that it was interrupted; several where they differ.
    private func marks() throws -> (runs: Set<String>, isInterrupted: Set<Bool>) {
        var marks: (runs: Set<String>, isInterrupted: Set<Bool>) = ([], [])
        for file in Self.names.map({ "out/\($0)" }) + ["page.html", "cases.xml"] {
            let text = try workshop.read(file)
            marks.runs.formUnion(["one-talk", "other-talk"].filter(text.contains))
            // The manifest has no word of how its run ended.
            guard !file.hasSuffix("manifest.json") else { continue }
            let words = ["INTERRUPTED", "run was interrupted", "\"notRun\""]
            marks.isInterrupted.insert(words.contains(where: text.contains))
        }
        return marks
    }

    @Test("Signals at many instants near the end leave no file beside one of another run")
    func signals() throws {
        for name in ["one-talk", "other-talk"] {
            let text = ScenarioText.talk(name: name, duration: "4s")
            try workshop.write(text, to: "\(name).yaml")
        }
        #expect(try start("one-talk").wait().status <= 1)
        let began = Date()
        #expect(try start("other-talk").wait().status <= 1)
        let whole = Date().timeIntervalSince(began)
        let first = try marks()
        #expect(first.runs == ["other-talk"] && first.isInterrupted == [false])
        let kinds: [[Int32]] = [[SIGTERM], [SIGINT], [SIGHUP], [SIGTERM, SIGTERM]]
        for step in 0..<6 {
            for (index, signals) in kinds.enumerated() {
                let name = (step + index).isMultiple(of: 2) ? "one-talk" : "other-talk"
                let running = try start(name)
                usleep(UInt32(whole * (0.65 + 0.07 * Double(step)) * 1e6))
                for signal in signals {
                    running.send(signal)
                    usleep(1_000)
                }
                _ = try running.wait()
                let marks = try marks()
                let isWhole = marks.runs.count == 1 && marks.isInterrupted.count == 1
                #expect(isWhole, "\(signals) at step \(step): \(marks)")
                let left = try workshop.names(in: "out") + workshop.names(in: ".")
                #expect(!left.contains { $0.hasSuffix(".part") }, "\(left)")
            }
        }
    }
}
