import Foundation
import Testing

@Suite("A result is of one run, whenever its process is told to end (HN-03)")
struct ResultSetTests {
    private let workshop = Workshop()
    private static let names = [
        "report.json", "report.txt", "report.md", "junit.xml", "report.html", "manifest.json",
    ]

    /// With `KODAMA_ENDS=all` every kind of signal comes at every instant.
    private static let isNight = ProcessInfo.processInfo.environment["KODAMA_ENDS"] == "all"

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
        var count = 0
        for step in 0..<6 {
            // By day a third: every instant, and each kind of signal twice.
            for (index, signals) in kinds.enumerated()
            where Self.isNight || (step + index).isMultiple(of: 3) {
                let name = count.isMultiple(of: 2) ? "one-talk" : "other-talk"
                count += 1
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

    @Test("A result whose process was killed while its files took their names is finished (HN-03)")
    func killed() throws {
        for name in ["one-talk", "other-talk"] {
            let text = ScenarioText.talk(name: name, duration: "4s")
            try workshop.write(text, to: "\(name).yaml")
        }
        func report(_ result: String) throws -> String {
            let end = try Kodama.run("report", result, in: workshop.folder)
            #expect(end.status == 0, "\(end.stderr)")
            return end.stdout
        }
        let files = FileManager.default
        for renamed in [0, 1, 3, 5] {
            #expect(try start("other-talk").wait().status <= 1)
            try? files.removeItem(at: workshop.url("new"))
            try files.moveItem(at: workshop.url("out"), to: workshop.url("new"))
            #expect(try start("one-talk").wait().status <= 1)
            // The first files have their names, and the others lie beside them; no process has so high a number.
            try files.removeItem(at: workshop.url("out/manifest.json"))
            for (index, name) in Self.names.enumerated() {
                let place = workshop.url("out/\(name)" + (index < renamed ? "" : ".99999999.part"))
                try? files.removeItem(at: place)
                try files.moveItem(at: workshop.url("new/\(name)"), to: place)
            }
            let result = renamed.isMultiple(of: 2) ? "out" : "out/report.json"
            for _ in 0..<2 { #expect(try report(result).contains("other-talk: ")) }
            #expect(try workshop.names(in: "out").sorted() == Self.names.sorted())
            for name in Self.names {
                let text = try workshop.read("out/\(name)")
                #expect(text.contains("other-talk") && !text.contains("one-talk"), "\(name)")
            }
        }
    }
}
