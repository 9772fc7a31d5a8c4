import KodamaEvidence
import SansIO
import Testing

@testable import KodamaCoach

@Suite("What was talked about without the agent reaches its server once (AN-05)")
struct SummaryTests {
    /// A morning whose link dies in the second step and a minute later, for twenty seconds each.
    private func story(_ timeline: String = "", seed: UInt64 = 1) throws -> CoachStory {
        let outages = [1, 61].map {
            """
              - after: { event: coach.line, of: mika-phone-1, count: 2, delay: \($0)s }
                do: { outage: { of: mika-phone-1, for: 20s, notice: never } }

            """
        }
        return try CoachStory(
            app: "account: mika, realtime: true,",
            radios: "wifi: wifi-internet",
            parameters: """
                sleeper.kind: light, wake.snoozes_max: 0, sleeper.answers: 100%, \
                sleeper.stops_half_asleep: 0%, sleeper.gives_up: 0%
                """,
            timeline: outages.joined() + timeline,
            seed: seed
        )
    }

    private func check(_ story: CoachStory) {
        for name in ["account.counts-once", "account.loses-nothing"] {
            let found = story.invariants.first { $0.name == name }
            #expect(found?.violationCount == 0 && found?.checkedCount ?? 0 > 0, "\(name)")
        }
    }

    /// How often the server has each summary in the end.
    private func times(_ story: CoachStory) -> [Int64] {
        let counted = story.records(ReportCounted.self)
        return story.records(SummaryKept.self).map { kept in
            counted.last { $0.1.report == kept.1.report }?.1.times ?? 0
        }
    }

    @Test("Each stretch without the agent comes to one summary, which the server has at once")
    func synced() throws {
        let story = try story()
        let kept = story.records(SummaryKept.self)
        #expect(kept.count >= 2, "two stretches")
        #expect(times(story).allSatisfy { $0 == 1 })
        let settled = story.records(ReportSettled.self).filter { settled in
            kept.contains { $0.1.report == settled.1.report }
        }
        #expect(settled.count == kept.count)
        let first = try #require(kept.first)
        let done = try #require(settled.first)
        #expect(first.at.duration(to: done.at) < .seconds(5))
        check(story)
    }

    @Test(
        "A process that dies at any instant of the sync sends it again, and it counts once",
        arguments: ["0s", "30ms", "60ms", "90ms", "120ms", "200ms", "1s"]
    )
    func killed(delay: String) throws {
        for count in 1...2 {
            let kill = """
                  - after: { event: account.summary-kept, of: mika-phone-1, count: \(count), delay: \(delay) }
                    do: { end-process: { of: mika-phone-1 } }

                """
            let story = try story(kill, seed: UInt64(count))
            #expect(!times(story).isEmpty)
            #expect(times(story).allSatisfy { $0 == 1 }, "\(times(story))")
            check(story)
        }
    }
}
