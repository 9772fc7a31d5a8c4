import Foundation
import KodamaEvidence
@testable import KodamaHarness
import Testing

@Suite("Reports that say anything")
struct ReportEndsTests {
    /// A small report with a figure of every kind, also of those that a page alone draws.
    private static func whole() throws -> RunReport {
        var report = RunReport([try Reports.failing(seeds: 8...10)], material: "")
        report.scenarios[0].stories = [story]
        report.scenarios[0].points[0].chains = [try chain()]
        // Only of what a gate speaks the console says anything.
        let gate = report.scenarios[0].points[0].gates[0].metric
        report.scenarios[0].points[0].chains?[0].links[0].metric = gate
        return report
    }

    private static func chain() throws -> ChainReport {
        func share(_ name: String, _ part: Int, of whole: Int) -> String {
            #"{"name":"\#(name)","metric":"a.\#(name)","part":\#(part),"whole":\#(whole),"#
                + #""value":\#(part * 1_000_000 / whole),"#
                + #""interval":{"lower":1,"upper":900000,"confidence":950000}}"#
        }
        let links = [share("rung", 9, of: 10), share("heard", 6, of: 9)].joined(separator: ",")
        let json =
            #"{"name":"mornings","links":[\#(links)],"whole":\#(share("up", 6, of: 10)),"#
            + #""known":\#(share("known", 5, of: 10))}"#
        return try JSONDecoder().decode(ChainReport.self, from: Data(json.utf8))
    }

    private static let story: RunStory = {
        let second: Int64 = 1_000_000_000
        func band(_ from: Int64, _ tone: RunStory.Tone) -> RunStory.Band {
            RunStory.Band(from: from * second, until: (from + 2) * second, label: "a", tone: tone)
        }
        let counts = ["sent", "dropped"].map { label in
            RunStory.Counts(label: label, stepNanoseconds: second, counts: [0, 3, 3, 4])
        }
        let marks = [1, 2].map { RunStory.Mark(at: $0 * second, label: "m \($0)") }
        let rows = ["faults", "user", "link"].map { label in
            RunStory.Row(
                label: label,
                bands: [band(1, .bad), band(2, .bad), band(4, .busy), band(5, .good)],
                marks: marks,
                counts: counts
            )
        }
        let lanes = ["a", "b", "c", "d"].map { RunStory.Lane(name: $0, rows: rows) }
        let line = RunStory.Account.Line(at: second, component: "a", text: "falls")
        return RunStory(
            point: 0,
            seed: 9,
            reason: "the worst",
            durationNanoseconds: 60 * second,
            samples: RunStory.Lane(name: "samples", rows: rows),
            account: RunStory.Account(from: second, until: 2 * second, lines: [line]),
            opening: RunStory.Opening(from: 0, until: 9 * second),
            lanes: lanes,
            omittedLanes: 1,
            attempts: counts[0],
            records: [
                RunStory.Record(at: 5, component: "a", kind: "k", subject: nil, values: "v")
            ],
            omittedRecords: 2
        )
    }()

    /// Renders whatever can be made of a report and another one.
    private func render(_ report: RunReport, beside whole: RunReport) {
        #expect(!ConsoleReport(report, showsMetrics: true).text.isEmpty)
        #expect(!MarkdownReport(report).text.isEmpty && !JUnitReport(report).text.isEmpty)
        #expect(!HTMLReport(report).text.isEmpty && !SlackTable(report).text.isEmpty)
        _ = GitHubAnnotations(report).text
        for story in report.scenarios[0].stories ?? [] {
            // As a page of many scenarios shows it.
            var html = Markup()
            StoryView([story], command: nil, isCoarse: true).draw(into: &html)
            #expect(!html.text.isEmpty)
            let moment = Moment(from: story.account?.from ?? 0, until: story.account?.until ?? 0)
            _ = (story.surroundings(of: moment), story.opening(at: moment), moment.options)
            _ = (RunStory.Account(of: moment, []).tellsMoment, story.account?.tellsMoment)
        }
        for (one, other) in [(whole, report), (report, whole)] {
            let comparison = ReportComparison(one, other)
            #expect(!ComparisonText(comparison).text.isEmpty)
            #expect(!ComparisonMarkdown(comparison).text.isEmpty)
            #expect(!HTMLComparison(comparison).text.isEmpty)
            let history = ReportHistory([("old", one), ("new", other)])
            #expect(!history.text.isEmpty && !history.html.isEmpty)
        }
    }

    /// With `KODAMA_ENDS=all` numbers change one kind at a time, and ten times as many reports are drawn.
    private static let isNight = ProcessInfo.processInfo.environment["KODAMA_ENDS"] == "all"

    /// The report's numbers, and what each kind of them may be without its report being refused.
    private static let numbers = Result {
        let numbers = JSONNumbers(try whole().json)
        let ends = [Int64.min, .min + 1, -1, 0, 1, .max - 1, .max]
        var allowed: [String: [Int64]] = [:]
        for kind in numbers.kinds {
            allowed[kind] = ends.filter { end in
                let data = numbers.data { $0 == kind ? end : nil }
                return (try? RunReport(json: data)) != nil
            }
        }
        return (numbers, allowed)
    }

    @Test(
        "Stories, chains and histories at the ends of Int64 are refused or shown",
        arguments: [Int64.min, .min + 1, -1, .max]
    )
    func ends(_ end: Int64) throws {
        let whole = try Self.whole()
        let (numbers, allowed) = try Self.numbers.get()
        for part in [".chains#.links#.whole", ".bands#.until", ".attempts.counts#", ".known.part"] {
            #expect(numbers.kinds.contains { $0.hasSuffix(part) }, "\(part)")
        }
        let kinds = numbers.kinds.filter { allowed[$0]?.contains(end) ?? false }
        #expect(kinds.count > 40)
        // Kinds far apart in the file have hardly anything to do with each other: by day six change at a time.
        let count = Self.isNight ? kinds.count : (kinds.count + 5) / 6
        var shown = 0
        for first in 0..<count {
            let changed = Set(stride(from: first, to: kinds.count, by: count).map { kinds[$0] })
            let data = numbers.data { changed.contains($0) ? end : nil }
            guard let report = try? RunReport(json: data) else { continue }
            shown += changed.count
            render(report, beside: whole)
        }
        #expect(shown > kinds.count * 3 / 4)
    }

    @Test("Nor do figures at different ends bring anything down, in reports drawn by chance")
    func mixedEnds() throws {
        let whole = try Self.whole()
        let (numbers, allowed) = try Self.numbers.get()
        #expect(allowed.values.count { $0.count == 7 } > 40)
        let count = Self.isNight ? 1_500 : 40
        var (draws, shown) = (Draws(), 0)
        for number in 0..<count {
            let data = numbers.data { path in
                guard let ends = allowed[path], !ends.isEmpty, draws.next(below: count) <= number
                else { return nil }
                return ends[draws.next(below: ends.count)]
            }
            guard let report = try? RunReport(json: data) else { continue }
            shown += 1
            render(report, beside: whole)
        }
        #expect(shown > count * 2 / 3)
    }
}
