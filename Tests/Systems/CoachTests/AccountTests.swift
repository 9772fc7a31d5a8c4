import KodamaEvidence
import SansIO
import Testing
import WakeFlow

@testable import KodamaCoach

@Suite("Reports of an account are stored once and counted once, whatever is killed (AN-08, AN-09)")
struct AccountTests {
    private static func story(
        radios: String = "wifi: wifi-internet",
        timeline: String = "",
        seed: UInt64 = 1
    ) throws -> CoachStory {
        try CoachStory(
            app: "account: mika,",
            radios: radios,
            parameters: "sleeper.kind: light, sleeper.answers: 100%, sleeper.gives_up: 0%",
            timeline: timeline,
            duration: "49h",
            seed: seed
        )
    }

    /// What the server has in the end: reflections and events.
    private static func counted(_ story: CoachStory) throws -> [Int64] {
        var times: [Int64: Int64] = [:]
        for (_, form) in story.records(ReportCounted.self) { times[form.report] = form.times }
        return [true, false].map { wanted in
            let kept = story.records(ReportKept.self).filter { $0.1.isReflection.isSet == wanted }
            return kept.reduce(0) { $0 + (times[$1.1.report] ?? 0) }
        }
    }

    private static func kept(_ story: CoachStory) -> [Int64] {
        let kept = story.records(ReportKept.self).map(\.1.isReflection.isSet)
        return [true, false].map { wanted in Int64(kept.count { $0 == wanted }) }
    }

    @Test("An evening's words and a morning's events reach the server within seconds")
    func delivered() throws {
        let story = try Self.story()
        #expect(try Self.counted(story) == Self.kept(story))
        #expect(Self.kept(story)[0] == 3, "three evenings")
        #expect(Self.kept(story)[1] >= 3, "a morning that fired, was joined and done")
        let first = try #require(story.records(ReportKept.self).first)
        let settled = try #require(story.records(ReportSettled.self).first)
        #expect(first.at.duration(to: settled.at) < .seconds(5))
        #expect(settled.1.isTaken.isSet)
    }

    @Test("A server that is away for the night has everything in the morning, once")
    func serverAway() throws {
        let away = "  - { at: 600s, do: { api: { does: dark, for: 8h } } }"
        let story = try Self.story(timeline: away)
        let first = try #require(story.records(ReportSettled.self).first)
        #expect(first.at < Instant.zero.advanced(by: .seconds(600)), "the first event")
        let reflections = story.records(ReportKept.self).filter(\.1.isReflection.isSet)
        let report = try #require(reflections.first).1.report
        let evening = try #require(
            story.records(ReportSettled.self).first { $0.1.report == report }
        )
        #expect(evening.at > .nextDay(6, 30) && evening.at < .nextDay(7, 30), "with the alarm")
        #expect(try Self.counted(story) == Self.kept(story))
        #expect(story.invariants.allSatisfy { $0.violationCount == 0 })
    }

    @Test(
        "A kill after any instant at which a state changes loses nothing and counts nothing twice"
    )
    func kills() throws {
        let whole = try Self.story(radios: "wifi: voip-bursty-10-100ms")
        var instants: [Instant] = []
        for record in whole.trace.records where record.kind.system == .coach {
            guard instants.last != record.instant, record.instant < .nextDay(12, 0) else {
                continue
            }
            instants.append(record.instant)
        }
        // The answers on their way are instants of their own: half a round trip behind what was sent.
        let kept = whole.records(ReportKept.self).map(\.at).filter { $0 < .nextDay(12, 0) }
        instants += kept.flatMap { at in
            [60, 130, 260, 380, 520].map { at.advanced(by: .milliseconds($0)) }
        }
        #expect(instants.count > 30)
        for instant in instants {
            let (seconds, rest) = instant.nanoseconds.quotientAndRemainder(
                dividingBy: 1_000_000_000
            )
            let digits = String(1_000_000_000 + rest + 1).dropFirst()
            let kill =
                "  - { at: \(seconds).\(digits)s, do: { end-process: { of: mika-phone-1 } } }"
            let story = try Self.story(radios: "wifi: voip-bursty-10-100ms", timeline: kill)
            #expect(story.invariants.allSatisfy { $0.violationCount == 0 }, "killed at \(instant)")
            #expect(try Self.counted(story) == Self.kept(story), "killed at \(instant)")
        }
    }
}

@Suite("Usage limits")
struct LimitTests {
    @Test("A limit that the server names is shown at once, and for as long as it holds (AN-20)")
    func shown() throws {
        let story = try CoachStory(
            app: "account: mika,",
            radios: "wifi: wifi-internet",
            parameters: "sleeper.kind: light, account.events_max: 1",
            duration: "73h"
        )
        let met = story.records(LimitMet.self)
        #expect(met.count > 1)
        for (time, form) in met {
            #expect(form.use.value == .metrics)
            let shown = try #require(story.records(LimitsShown.self).last { $0.at <= time })
            #expect(shown.1.kinds == 1 << LimitedUse.metrics.rawValue)
        }
        #expect(try story.count("account.reports.rejected").total == 0)
    }
}
