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

    /// A report with other numbers.
    ///
    /// - Parameters:
    ///   - value: Part of a report, as `JSONSerialization` reads it.
    ///   - path: Where it lies; elements of one list are of one kind.
    ///   - number: What stands for the number at a path; `nil` leaves it.
    /// - Returns: The same with those numbers.
    private static func changed(
        _ value: Any,
        at path: String = "",
        _ number: (String) -> Int64?
    ) -> Any {
        switch value {
        case let list as [Any]: return list.map { changed($0, at: path + "#", number) }
        case let object as [String: Any]:
            // In order, so that one seed draws one report.
            var other = object
            for (key, value) in object.sorted(by: { $0.key < $1.key }) {
                other[key] = changed(value, at: "\(path).\(key)", number)
            }
            return other
        case is NSNumber: return number(path).map { NSNumber(value: $0) } ?? value
        default: return value
        }
    }

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

    @Test(
        "Stories, chains and histories at the ends of Int64 are refused or shown",
        arguments: [Int64.min, .min + 1, -1, .max]
    )
    func ends(_ end: Int64) throws {
        let whole = try Self.whole()
        let json = try JSONSerialization.jsonObject(with: try whole.json)
        var kinds: [String] = []
        _ = Self.changed(json) { path in
            if !kinds.contains(path) { kinds.append(path) }
            return nil
        }
        for part in [".chains#.links#.whole", ".bands#.until", ".attempts.counts#", ".known.part"] {
            #expect(kinds.contains { $0.hasSuffix(part) }, "\(part)")
        }
        var shown = 0
        for kind in kinds {
            let object = Self.changed(json) { $0 == kind ? end : nil }
            let data = try JSONSerialization.data(withJSONObject: object)
            guard let report = try? RunReport(json: data) else { continue }
            shown += 1
            render(report, beside: whole)
        }
        #expect(shown > 40)
    }

    @Test("Nor do figures at different ends bring anything down, in 150 reports drawn by chance")
    func mixedEnds() throws {
        let whole = try Self.whole()
        let json = try JSONSerialization.jsonObject(with: try whole.json)
        func read(_ number: (String) -> Int64?) throws -> RunReport? {
            let object = Self.changed(json, number)
            return try? RunReport(json: try JSONSerialization.data(withJSONObject: object))
        }
        var kinds: [String] = []
        _ = Self.changed(json) { path in
            if !kinds.contains(path) { kinds.append(path) }
            return nil
        }
        // What is refused by itself would have the whole report refused.
        var allowed: [String: [Int64]] = [:]
        for kind in kinds {
            allowed[kind] = try [Int64.min, .min + 1, -1, 0, 1, .max - 1, .max].filter { end in
                try read { $0 == kind ? end : nil } != nil
            }
        }
        #expect(allowed.values.count { $0.count == 7 } > 40)
        var state: UInt64 = 1
        func drawn(below bound: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int((state >> 33) % UInt64(bound))
        }
        var shown = 0
        for number in 0..<150 {
            let report = try read { path in
                guard let ends = allowed[path], !ends.isEmpty, drawn(below: 150) <= number else {
                    return nil
                }
                return ends[drawn(below: ends.count)]
            }
            guard let report else { continue }
            shown += 1
            render(report, beside: whole)
        }
        #expect(shown > 100)
    }
}
