import Foundation
@testable import KodamaEvidence
@testable import KodamaHarness
import KodamaLanguage
import KodamaShipped
import SansIO
import Testing

@Suite("A run that is shown for a gate opens at the worst sample (HN-06)")
struct StoryOpeningTests {
    private static let second: Int64 = 1_000_000_000

    /// A session that loses its path twice, for 3 and for 8 s, and a gate on how long that lasts.
    private func story(_ rule: String, miss moment: Moment? = nil) throws -> RunStory {
        let text = """
            version: 2
            scenario: twice
            duration: 120s
            voice: reachability
            phones:
              - { name: phone, radios: { wifi: wifi-internet }, apps: { session: {} } }
            timeline:
              - { at: 20s, do: { block: { of: phone, for: 3s } } }
              - { at: 60s, do: { block: { of: phone, for: 8s } } }
            expect:
              - { metric: session.recovery.time, \(rule) }
            """
        let loader = ScenarioLoader(vocabulary: ScenarioVocabulary(systems: .shipped))
        let point = try loader.load(text: text, file: "twice.yaml").points[0]
        return try RunStory(
            point.plan,
            point: 0,
            seed: 1,
            reason: "",
            gate: point.expectations.gates[0],
            miss: moment,
            material: nil
        )
    }

    @Test("A run that is shown for a miss tells in sentences what led to it and to what (HN-04)")
    func account() throws {
        let second = Self.second
        #expect(try story("max: '<= 1ms'").account == nil)
        let moment = Moment(from: 60 * second, until: 69 * second, owners: ["phone"])
        let account = try #require(try story("max: '<= 1ms'", miss: moment).account)
        #expect(account.isAbout(moment))
        #expect(account.lines.allSatisfy { (30 * second...69 * second).contains($0.at) })
        let first = "Nothing passes over any of the phone's radios any more, for 8 s."
        #expect(account.lines.first?.text == first, "\(account.lines)")
    }

    @Test("Of two gates of one metric a page tells of their moment once, with one curve (HN-04)")
    func onePage() async throws {
        let text = """
            version: 2
            scenario: twice
            seeds: 1
            preset: as-specified
            duration: 60s
            voice: reachability
            phones:
              - { name: phone, radios: { wifi: wifi-internet }, apps: { session: {} } }
            timeline:
              - { at: 20s, do: { block: { of: phone, for: 8s } } }
            expect:
              - { metric: session.recovery.time, p50: '<= 1ms', samples: 1 }
              - { metric: session.recovery.time, max: '<= 1ms' }
            """
        let loader = ScenarioLoader(vocabulary: ScenarioVocabulary(systems: .shipped))
        let scenario = try loader.load(text: text, file: "twice.yaml")
        let run = ScenarioRun(scenario: scenario, file: "twice.yaml", seeds: [[1]], material: nil)
        var report = RunReport([try await run.judge(in: JobSlots(1))], material: "", options: [])
        try await report.addStories(of: [scenario], material: nil, jobs: 1)
        let misses = report.scenarios[0].misses
        #expect(misses.map(\.verdict) == [.fail, .fail])
        let page = HTMLReport(report).text
        let wrong = try #require(page.split(separator: "<h2 class=\"list\">").first)
        func count(_ part: String) -> Int { wrong.components(separatedBy: part).count - 1 }
        #expect(count("class=\"told\"") == 1)
        #expect(count("the same moment as above") == 1)
        #expect(count("<figure>") == 1)
        #expect(count("For each outage of the path") == 1)
        #expect(count("preset as-specified sets ") == 1)
        #expect(!wrong.contains("; record: "))
    }

    @Test("Of many sentences the first and the last are told, of those whom it befell (HN-04)")
    func longAccount() {
        let words = ["alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta"]
        let sentences = (0..<64).map { index in
            Sentence(
                at: Instant(nanoseconds: Int64(index) * Self.second),
                of: index % 2 == 0 ? "phone/wifi" : "phone-two",
                "\(words[index / 8]) meets \(words[index / 2 % 8])"
            )
        }
        let moment = Moment(from: 0, until: 64 * Self.second, owners: ["phone"])
        let lines = RunStory.Account(of: moment, sentences).lines
        #expect(lines.count == 13)
        #expect(Set(lines.map(\.component)) == ["phone/wifi", nil])
        #expect(lines[8].text == "… 20 more until 56 s")
        #expect(lines[12].at == 62 * Self.second)
        let few = Moment(from: 3 * Self.second, until: 5 * Self.second, owners: ["phone"])
        let first = RunStory.Account(of: few, sentences).lines
        #expect(first.map { $0.at / Self.second } == Array(0...5))
        let late = Moment(from: 40 * Self.second, until: 40 * Self.second, owners: ["phone"])
        let earlier = RunStory.Account(of: late, Array(sentences.prefix(20))).lines
        #expect(earlier.map { $0.at / Self.second } == Array(14...19))
    }

    @Test("Every sample beyond the limit is a band of a lane of its own, and no other")
    func beyond() throws {
        let none = try #require(try story("max: '<= 60s'").samples)
        #expect(none.rows.map(\.label) == ["worst"])
        #expect(none.name.hasSuffix(": 0 of 2 samples beyond it"))
        #expect(none.rows[0].bands.map(\.tone) == [.neutral])
        let all = try #require(try story("max: '<= 1ms'").samples)
        #expect(
            all.name.hasPrefix("session.recovery.time max <= 1ms: 2 of 2 samples"),
            "\(all.name)"
        )
        let bands = all.rows[0].bands
        #expect(bands.map(\.tone) == [.bad, .bad])
        #expect(bands.map { $0.from / Self.second } == [23, 68])
    }

    @Test(
        "Of a gate that bounds a stretch or counts above a threshold no other sample is beyond the limit (HN-04)"
    )
    func scopedBeyond() throws {
        let late = try #require(
            try story("max: '<= 1ms', in: { from: 40s, until: 90s }").samples
        )
        #expect(late.name.hasSuffix(": 1 of 1 sample beyond it"), "\(late.name)")
        #expect(late.rows[0].bands.map { $0.from / Self.second } == [68])
        let never = "{ event: path.lost, of: phone, count: 9 }"
        let none = try story("max: '<= 1ms', allow_no_data: true, after: \(never)")
        #expect(none.samples == nil)
        let short = try #require(try story("share_above 60s: '<= 0%'").samples)
        #expect(short.name.hasSuffix(": 0 of 2 samples beyond it"), "\(short.name)")
        let long = try #require(try story("share_above 1ms: '<= 0%'").samples)
        #expect(long.name.hasSuffix(": 2 of 2 samples beyond it"), "\(long.name)")
        let wanted = try #require(try story("share_above 60s: '>= 50%'").samples)
        #expect(wanted.name.hasSuffix(": 2 of 2 samples beyond it"), "\(wanted.name)")
    }

    @Test("What was done before a moment and meanwhile is told, the nearest first (HN-06)")
    func surroundings() throws {
        let story = try story("max: '<= 1ms'")
        let second = Self.second
        let late = story.surroundings(of: Moment(from: 68 * second, until: 69 * second))
        #expect(late == ["black-hole of phone from 60 s to 68 s"])
        let both = story.surroundings(of: Moment(from: 50 * second, until: 61 * second))
        #expect(
            both == [
                "black-hole of phone from 20 s to 23 s", "black-hole of phone from 60 s to 68 s",
            ]
        )
    }

    @Test("The picture opens around the sample, unless that is most of the run")
    func opening() throws {
        let story = try story("max: '<= 1ms'")
        let second = Self.second
        let late = story.opening(at: Moment(from: 68 * second, until: 69 * second))
        #expect(late == RunStory.Opening(from: 66 * second, until: 71 * second))
        let early = story.opening(at: Moment(from: 0, until: 5 * second))
        #expect(early == RunStory.Opening(from: 0, until: 10 * second))
        #expect(story.opening(at: Moment(from: 10 * second, until: 40 * second)) == nil)
    }
}
