@testable import KodamaEvidence
@testable import KodamaHarness
@testable import KodamaLanguage
@testable import KodamaWorld
import SansIO
import KodamaShipped
import Testing

@Suite("Two settings that are listened to (HN-09)")
struct HearingTests {
    private static let second: Int64 = 1_000_000_000

    private func mark(_ from: Double, _ until: Double) -> HeardPair.Mark {
        HeardPair.Mark(
            from: Int64(from * 1e9),
            until: Int64(until * 1e9),
            label: "left: never played"
        )
    }

    private func run(_ marks: HeardPair.Mark..., loudness: Int16 = 1_000) -> HeardRun {
        let samples = [Int16](repeating: loudness, count: 20 * HeardRun.sampleRateHertz)
        return HeardRun([HeardRun.Phone(name: "right", samples: samples, marks: marks)])
    }

    @Test(
        "The worst second of either side is heard on both, two seconds before it on, the worse first"
    )
    func worst() throws {
        let before = run(mark(4.9, 5.2), mark(5.6, 5.7))
        let after = run(mark(15.25, 15.75), loudness: 2_000)
        let pair = HeardPair([before, after])
        #expect(pair.excerpts.map(\.from) == [13 * Self.second, 3 * Self.second])
        #expect(pair.excerpts.map(\.until) == [19 * Self.second, 9 * Self.second])
        #expect(pair.excerpts.map(\.worst.side) == [1, 0])
        #expect(pair.excerpts.map(\.faulty) == [500_000_000, 300_000_000])
        for excerpt in pair.excerpts {
            #expect(excerpt.sides.map(\.sound.microseconds) == [6_000_000, 6_000_000])
            #expect(excerpt.sides.map { $0.sound.samples.first } == [1_000, 2_000])
        }
        #expect(pair.excerpts.map { $0.sides.map(\.marks.count) } == [[0, 1], [2, 0]])
    }

    @Test("Where both sides are at fault within one stretch it is heard once, for the worse side")
    func once() {
        let pair = HeardPair([run(mark(5.1, 5.2)), run(mark(7.1, 7.5))])
        #expect(pair.excerpts.map(\.worst.side) == [1])
        #expect(pair.excerpts.map(\.worst.from) == [7 * Self.second])
    }

    @Test(
        "An instant such as a handover is marked, and is no fault; without any fault nothing is heard"
    )
    func harmless() {
        #expect(HeardPair([run(mark(3, 3)), run()]).excerpts.isEmpty)
        var html = Markup()
        HearingView(HeardPair([run(), run()]), names: ["before", "after"], seed: 7).draw(
            into: &html
        )
        #expect(html.text.contains("Nothing that is said is at fault on either side."))
        #expect(!html.text.contains("<audio"))
    }

    @Test("What is marked twice at one time counts once")
    func overlaps() {
        let pair = HeardPair([run(mark(5, 5.3), mark(5.2, 5.4), mark(5.25, 5.3)), run()])
        #expect(pair.excerpts.map(\.faulty) == [400_000_000])
    }

    @Test("What was never played and what was made up is marked where it was said, at its listener")
    func marks() throws {
        let pair = try HeardPair(
            Talk.run(seconds: 12, stop: "10ms"),
            Talk.run(seconds: 12, stop: "400ms")
        )
        let excerpt = try #require(pair.excerpts.first)
        #expect(excerpt.phone == "right")
        #expect(excerpt.worst.side == 1)
        #expect(excerpt.worst.from == 6 * Self.second)
        let labels = Set(excerpt.sides[1].marks.map(\.label))
        #expect(labels.contains("left: never played"))
        let gaps = excerpt.sides[1].marks.filter { $0.label == "left: never played" }
        let lost = gaps.reduce(0) { $0 + $1.until - $1.from }
        #expect((200_000_000...600_000_000).contains(lost), "\(gaps)")
        #expect(gaps.allSatisfy { (5_900_000_000...6_700_000_000).contains($0.from) })
        // Both are heard, and not the same.
        let sounds = excerpt.sides.map(\.sound.samples)
        #expect(sounds.allSatisfy { $0.contains { abs(Int32($0)) > 500 } })
        #expect(sounds[0] != sounds[1])

        var html = Markup()
        HearingView(pair, names: ["before", "after"], seed: 1).draw(into: &html)
        #expect(html.text.matches(of: #/src="data:audio\/wav;base64,UklGR/#).count == 2)
        #expect(html.text.contains("aria-label=\"right after\""))
    }

    /// A minute of a session, in real sound, in which nothing passes for a time from 26 s on.
    private func session(stop: String) throws -> SingleRun {
        let text = """
            version: 2
            scenario: session
            duration: 60s
            voice: real
            phones:
              - { name: mika-phone, radios: { wifi: wifi-internet }, apps: { session: {} } }
            people:
              - { name: mika, holds: mika-phone }
            talk:
              - { monologue: mika, at: 10s, for: 3s }
              - { monologue: mika, at: 25s, for: 20s }
            timeline:
              - { at: 26s, do: { outage: { of: mika-phone, for: \(stop) } } }
            expect:
              - { metric: session.unrecovered, value: "== 0" }
            """
        let loader = ScenarioLoader(vocabulary: ScenarioVocabulary(systems: .shipped))
        let plan = try #require(try loader.load(text: text, file: "s.yaml").points.first?.plan)
        let material = try #require(try Voices(needsSound: true, isSynthetic: true).material)
        return SingleRun(plan: plan, seed: 1, material: material)
    }

    @Test("What the agent never heard of a session is heard to be missing at its ear, and marked")
    func session() throws {
        let pair = try HeardPair(session(stop: "1s"), session(stop: "9s"))
        // A second of which nothing is heard is the worst there can be, on either side.
        #expect(pair.excerpts.first?.faulty == Self.second)
        let run = try HeardRun(session(stop: "9s"))
        #expect(run.phones.map(\.name) == ["mika-phone", "agents"])
        let gaps = run.phones[1].marks.filter { $0.label == "mika-phone: never played" }
        let lost = gaps.reduce(0) { $0 + $1.until - $1.from }
        #expect((7 * Self.second...11 * Self.second).contains(lost), "\(gaps)")
        #expect(gaps.allSatisfy { $0.from >= 25_900_000_000 })
        let sounds = try session(stop: "9s").sounds()
        #expect(sounds.names == ["mika-phone", "agents"])
        #expect(sounds.said(at: 0) != nil && sounds.said(at: 1) == nil)
        #expect(sounds.momentSides() == nil, "one phone has no other side")
    }
}
