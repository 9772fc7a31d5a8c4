import KodamaEvidence
import KodamaSimulation
import SansIO
import Testing

@testable import KodamaCoach

@Suite("Habits over weeks")
struct HabitTests {
    private func story(
        days: Int,
        _ parameters: String,
        timeline: String = "",
        seed: UInt64 = 1
    ) throws -> CoachStory {
        try CoachStory(
            parameters: "sleeper.kind: light, \(parameters)",
            timeline: timeline,
            duration: "\(days * 24 + 1)h",
            seed: seed
        )
    }

    /// Fifteen distractions each day, from 07:00 on.
    private func distractions(days: Int) -> String {
        (0..<days).flatMap { day in
            (0..<15).map { hour in
                let at = (day * 24 + 9 + hour) * 3_600
                return "  - { at: \(at)s, do: { distract: { of: mika-phone-1 } } }"
            }
        }.joined(separator: "\n")
    }

    @Test("Nudges fade out after 3, 5 and 7 days alone: 8, 4, 2 and none a day (AN-07)")
    func fades() throws {
        let story = try story(
            days: 9,
            "habit.mix: stays, habit.alone.first: 100%, habit.alone.full: 100%, habit.calls: 0%, nudge.gap: 900s",
            timeline: distractions(days: 9)
        )
        let days = story.records(HabitDay.self)
        #expect(days.map(\.1.streak) == Array(1...9))
        #expect(days.allSatisfy { $0.1.isAlone.isSet && $0.1.uses.isSet })
        var start = Instant.zero
        let counts = days.map { day in
            defer { start = day.at }
            return story.records(DistractionNoticed.self).count { $0.at > start && $0.at <= day.at }
        }
        #expect(counts == [8, 8, 4, 4, 2, 2, 0, 0, 0])
        #expect(story.records(MorningDue.self).isEmpty, "who is up before is not woken")
        #expect(story.records(SoundHeard.self).isEmpty)
        #expect(try story.share("habit.streak.rate") == (1, 1))
        #expect(story.invariants.allSatisfy { $0.violationCount == 0 })
    }

    @Test("The call phrase brings nudges back for a day, and an intervention at once (AN-07)")
    func calls() throws {
        let story = try story(
            days: 9,
            "habit.mix: stays, habit.alone.first: 100%, habit.alone.full: 100%, habit.calls: 100%",
            timeline: distractions(days: 9)
        )
        let calls = story.records(PhraseCalled.self)
        #expect(calls.count == 9)
        #expect(try story.share("habit.call.rate") == (9, 9))
        let day = Duration.seconds(86_400)
        let lastCall = try #require(calls.last?.at)
        let after = story.records(DistractionNoticed.self).filter { $0.at > lastCall }
        #expect(!after.isEmpty, "after seven days alone there are nudges again")
        let before = story.records(DistractionNoticed.self).filter {
            $0.at < lastCall && $0.at > lastCall.advanced(by: .seconds(-5 * 3_600))
        }
        #expect(before.isEmpty, "and none before the call, \(day) after the last one")
    }

    @Test("What a day has once comes once, though a journey brings its hour back (AN-07)")
    func journeyBack() throws {
        let story = try story(
            days: 3,
            "habit.mix: stays, habit.alone.first: 100%, habit.alone.full: 100%, habit.calls: 100%",
            timeline: "  - { at: 48600s, do: { bedroom: { of: mika-phone-1, zone: -1h } } }\n"
                + distractions(days: 3)
        )
        // 11:00 each day, the first time at home.
        let calls = [13, 38, 62].map { Instant.zero.advanced(by: .seconds($0 * 3_600)) }
        #expect(story.records(PhraseCalled.self).map(\.at) == calls)
    }

    @Test("Who leaves the app is not woken, nudged or counted any more (K-11)")
    func leaves() throws {
        let stories = try (1...20).map {
            try story(
                days: 12,
                "habit.mix: mental-health",
                timeline: distractions(days: 12),
                seed: $0
            )
        }
        var leavers = 0
        for story in stories {
            let days = story.records(HabitDay.self)
            #expect(days.count == 12)
            guard let left = days.firstIndex(where: { !$0.1.uses.isSet }) else { continue }
            leavers += 1
            let since = left == 0 ? Instant.zero : days[left - 1].at
            let deed = since.advanced(by: .seconds(12 * 3_600))
            #expect(days[left...].allSatisfy { !$0.1.uses.isSet && $0.1.streak == 0 })
            #expect(story.records(SoundHeard.self).allSatisfy { $0.at < deed })
            #expect(story.records(DistractionNoticed.self).allSatisfy { $0.at < deed })
            #expect(story.records(AppLaunched.self).allSatisfy { $0.at < deed })
        }
        #expect(leavers >= 15, "96 % are gone by day 15: \(leavers) of 20")
    }

    @Test(
        "A person alone is more often so, the more of a habit it is; a prompted day adds less (K-11)"
    )
    func person() throws {
        var plan = HabitConfiguration()
        #expect(
            HabitualPerson(plan, draws: RandomStream(seed: 1, purpose: "h", entity: "a")) == nil
        )
        plan.mix = .stays
        func alone(_ repetitions: Int, isAlone: Bool) throws -> Int {
            var count = 0
            for seed in 1...2_000 as ClosedRange<UInt64> {
                let draws = RandomStream(seed: seed, purpose: "h", entity: "a")
                var person = try #require(HabitualPerson(plan, draws: draws))
                for _ in 0..<repetitions { person.repeated(alone: isAlone) }
                if person.dawns(at: .zero) == .alone { count += 1 }
            }
            return count
        }
        let first = try alone(0, isAlone: true)
        let prompted = try alone(30, isAlone: false)
        let free = try alone(30, isAlone: true)
        // Four standard deviations around 15 %.
        #expect((236...364).contains(first))
        #expect(first + 200 < prompted && prompted + 50 < free)
    }

    @Test("A user calls by the phrase also where the app's process is gone (AN-07)")
    func callsDead() throws {
        let ends = (0..<3).map { day in
            "  - { at: \(day * 86_400 + 45_000)s, do: { end-process: { of: mika-phone-1 } } }"
        }
        let story = try story(
            days: 3,
            "habit.mix: stays, habit.alone.first: 100%, habit.alone.full: 100%, habit.calls: 100%",
            timeline: ends.joined(separator: "\n")
        )
        #expect(story.records(PhraseCalled.self).count == 3)
        #expect(try story.share("habit.call.rate") == (3, 3))
    }
}
