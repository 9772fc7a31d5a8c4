@testable import KodamaEvidence
@testable import KodamaIntercom
import SansIO
import Testing

@Suite("Filtering, comparing and splitting traces")
struct TraceToolsTests {
    private let trace = Timeline(speech: ".##..", sent: ".####", played: ".#2xr").trace

    @Test(
        "Patterns cover whole names",
        arguments: [
            ("*", "anything", true), ("frame.*", "frame.played", true),
            ("frame.*", "frames", false),
            ("*phone", "aoi-phone", true), ("*phone", "aoi-phone-2", false), ("?oi", "aoi", true),
            ("?", "", false), ("", "", true), ("a*b*c", "axxbxxbyc", true),
            ("a*b*c", "axxbxx", false),
            ("**", "", true),
        ]
    )
    func patterns(pattern: String, name: String, isCovered: Bool) {
        #expect(NamePattern(pattern).matches(name) == isCovered)
    }

    @Test("An empty filter keeps all, each condition keeps its part")
    func filters() {
        #expect(TraceFilter().apply(to: trace) == trace)

        var byComponent = TraceFilter()
        byComponent.components = ["*-phone"]
        let phones = byComponent.apply(to: trace).records
        #expect(phones == trace.records.filter { [1, 3].contains($0.component.index) })
        byComponent.components = ["aoi-phone"]
        byComponent.includesSubjects = true
        let about = byComponent.apply(to: trace).records
        #expect(about == trace.records.filter { $0.component.index == 1 || $0.subject.index == 1 })

        var byKind = TraceFilter()
        byKind.kinds = ["frame.*", "run.ended"]
        let frames = byKind.apply(to: trace).records.map {
            Systems.shipped.forms[$0.kind].text.name
        }
        #expect(frames.count == 5 + 5 + 1)
        #expect(frames.allSatisfy { $0.hasPrefix("frame.") || $0 == "run.ended" })

        var byLevel = TraceFilter()
        byLevel.level = .milestone
        #expect(byLevel.apply(to: trace).records.count == 2 + 2 + 1)

        var byTime = TraceFilter()
        byTime.from = Instant(nanoseconds: 20_000_000)
        byTime.until = Instant(nanoseconds: 60_000_000)
        let window = byTime.apply(to: trace).records
        #expect(window.first?.instant == byTime.from)
        #expect(window.last?.instant == Instant(nanoseconds: 40_000_000))
    }

    @Test("Equal traces are said to be equal, whatever the indices of their components")
    func equal() {
        #expect(TraceDiff(trace, trace).description == "equal")
        var moved = trace
        moved.directory.names.insert("link", at: 0)
        for place in moved.records.indices {
            for path in [\TraceRecord.component, \TraceRecord.subject]
            where moved.records[place][keyPath: path] != .none {
                moved.records[place][keyPath: path].index += 1
            }
        }
        #expect(TraceDiff(trace, moved).isEqual)
    }

    @Test("The first difference is shown with what comes before and after, and by component")
    func different() throws {
        var changed = trace
        let place = try #require(trace.records.firstIndex { $0.kind == FramePlayed.kind })
        changed.records[place].change(FramePlayed.self) { $0.heard.nanoseconds += 1 }
        let diff = TraceDiff(trace, changed)
        let first = try #require(diff.first)
        #expect(first.position == place)
        #expect(
            first.before
                == trace.records[(place - 10)..<place].map { TraceText.line($0, trace.directory) }
        )
        #expect(first.left.first == TraceText.line(trace.records[place], trace.directory))
        #expect(first.right.first == TraceText.line(changed.records[place], trace.directory))
        #expect(first.left.dropFirst() == first.right.dropFirst())
        #expect(diff.components.map(\.name) == ["ren-phone"])
        #expect(diff.components[0].difference.position == 1)
        #expect(diff.description.contains("ren-phone: differs after 1 of its own records"))
    }

    @Test("A trace that ends early differs at its end")
    func shorter() throws {
        var shorter = trace
        shorter.records.removeLast()
        let first = try #require(TraceDiff(trace, shorter).first)
        #expect(first.position == shorter.records.count)
        #expect(first.left.count == 1)
        #expect(first.right.isEmpty)
        #expect(TraceDiff(shorter, trace).description.contains("- (end)"))
        #expect(TraceDiff(trace, shorter).components.map(\.name) == ["-"])
    }

    @Test("A pair of sinks gives every record to both; a recorder keeps its level")
    func pairs() {
        var pair = SinkPair(
            TraceRecorder(scenario: "hand-made", seed: 1),
            TraceRecorder(scenario: "hand-made", seed: 1, level: .milestone)
        )
        pair.fold(trace)
        #expect(pair.first.trace == trace)
        var filter = TraceFilter()
        filter.level = .milestone
        #expect(pair.second.trace == filter.apply(to: trace))
    }
}
