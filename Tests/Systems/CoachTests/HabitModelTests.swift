import KodamaEvidence
import KodamaLanguage
import SansIO
import SansIOTesting
import Testing

@testable import KodamaCoach

/// Weeks drawn by chance, told to the meter as records and counted beside it day by day.
private struct DrawnWeeks {
    struct Day {
        var isAlone = false
        var uses = true
        var sounds = 0
        /// Before a call, and after it; `nil` without a call.
        var nudges: (before: Int, after: Int?) = (0, nil)
        /// After how many seconds the call's intervention begins, if it does.
        var isServedAfter: Int?
        var streakTold = 0
    }

    var days: [Day] = []

    init(_ random: inout LawRandom, days count: Int) {
        var streak = 0
        for _ in 0..<count {
            var day = Day()
            day.uses = days.last?.uses ?? true
            if random.chance(percent: 3) { day.uses = false }
            day.isAlone = day.uses && random.chance(percent: 80)
            let inForce = day.isAlone ? streak + 1 : streak
            streak = day.isAlone ? inForce : 0
            day.streakTold = random.chance(percent: 90) ? inForce : inForce + 1
            day.sounds = random.chance(percent: 10) ? 1 : 0
            let most = day.uses ? Self.most(inForce) : 0
            day.nudges.before = random.chance(percent: 85) ? random.below(most + 1) : most + 1
            if day.uses, random.chance(percent: 25) {
                day.nudges.after = random.below(3)
                if random.chance(percent: 60) { day.isServedAfter = 8 + random.below(5) }
            }
            days.append(day)
        }
    }

    static func most(_ streak: Int) -> Int {
        streak >= 7 ? 0 : streak >= 5 ? 2 : streak >= 3 ? 4 : 8
    }

    /// The days alone in a row by the end of each day, and those in force on it.
    private var streaks: [(ended: Int, inForce: Int)] {
        days.indices.map { index in
            let before = days[..<index].reversed().prefix { $0.isAlone }.count
            return days[index].isAlone ? (before + 1, before + 1) : (0, before)
        }
    }

    /// What the metrics come to, part and whole, and how often each invariant breaks.
    var expected: [String: [Int]] {
        let best = streaks.map(\.ended).max() ?? 0
        var found: [String: [Int]] = [
            "habit.chain.three": [best >= 3 ? 1 : 0, 1],
            "habit.chain.five": best >= 3 ? [best >= 5 ? 1 : 0, 1] : [0, 0],
            "habit.chain.seven": best >= 5 ? [best >= 7 ? 1 : 0, 1] : [0, 0],
            "habit.streak.rate": [best >= 7 ? 1 : 0, 1],
            "habit.streak.stayed.rate": days.last?.uses ?? false
                ? [best >= 7 ? 1 : 0, 1] : [0, 0],
            "habit.alone.first.rate": [days.prefix(7).count(where: \.isAlone), min(7, days.count)],
            "habit.alone.last.rate": [days.suffix(7).count(where: \.isAlone), min(7, days.count)],
        ]
        for day in [15, 22, 30] {
            found["habit.stays.day\(day).rate"] =
                days.count >= day ? [days[day - 1].uses ? 1 : 0, 1] : [0, 0]
        }
        let weeks = stride(from: 14, through: days.count, by: 7).filter { days[$0 - 1].uses }
        let rising = weeks.count { end in
            let (former, latter) = (days[end - 14..<end - 7], days[end - 7..<end])
            return latter.count(where: \.isAlone) >= former.count(where: \.isAlone)
        }
        found["habit.weeks.rising.rate"] = [rising, weeks.count]
        let calls = days.filter { $0.nudges.after != nil }
        found["habit.call.rate"] = [calls.count { ($0.isServedAfter ?? 99) <= 10 }, calls.count]
        found["habit.fades-out"] = [
            zip(days, streaks).count { day, streak in
                let all = day.nudges.before + (day.nudges.after ?? 0)
                guard day.uses else { return all > 0 }
                return day.nudges.before > Self.most(streak.inForce) || all > 8
            }
        ]
        found["habit.streak-is-true"] = [
            zip(days, streaks).count { $0.uses && $0.streakTold != $1.inForce }
        ]
        found["habit.alone-unwoken"] = [days.count { $0.isAlone && $0.sounds > 0 }]
        return found
    }

    func records(of app: ComponentIndex) -> [TraceRecord] {
        var records: [TraceRecord] = []
        for (index, day) in days.enumerated() {
            var second = index * 86_400 + 7_200
            func add(_ form: some TraceForm) {
                let at = Instant.zero.advanced(by: .seconds(second))
                records.append(TraceRecord(form, at: at, of: app))
            }
            let nudge = DistractionNoticed(isNudged: TraceFlag(true))
            for _ in 0..<day.sounds { add(SoundHeard(levelDecibels: 60)) }
            add(SoundHeard(levelDecibels: 0))
            for _ in 0..<day.nudges.before { add(nudge) }
            if let after = day.nudges.after {
                add(PhraseCalled())
                for _ in 0..<after { add(nudge) }
                // An intervention that a nudge led to serves no call.
                add(InterventionBegan(number: 1, isOnline: TraceFlag(true)))
                if let wait = day.isServedAfter {
                    second += wait
                    add(InterventionBegan(number: 0, isOnline: TraceFlag(true)))
                }
            }
            second = (index + 1) * 86_400
            add(
                HabitDay(
                    day: Int64(index + 1),
                    isAlone: TraceFlag(day.isAlone),
                    uses: TraceFlag(day.uses),
                    streak: Int64(day.streakTold)
                )
            )
        }
        return records
    }
}

@Suite("Weeks of several people, against a plain count of their days")
struct HabitModelTests {
    private let directory = TraceDirectory(
        names: ["mika-phone", "mika-phone.coach", "taro-phone", "taro-phone.coach"],
        systems: CoachStory.registry.evidence
    )

    private func found(_ meter: CoachMeter) -> [String: [Int]] {
        var found: [String: [Int]] = [:]
        for measure in meter.metrics {
            guard case .proportion(let share) = measure.result(TraceLines(directory)).value else {
                continue
            }
            found[measure.metric.name] = [Int(share.numerator), Int(share.denominator)]
        }
        for invariant in meter.invariants {
            let result = invariant.result(TraceLines(directory))
            found[result.name] = [result.violationCount]
        }
        return found
    }

    @Test(
        "Chains, weeks, stays, calls and what must fade are those of the days (K-11, AN-07)",
        arguments: 0..<20 as Range<UInt64>
    )
    func drawn(seed: UInt64) {
        var random = LawRandom(seed: seed)
        let people = [7, 31, 36].map { DrawnWeeks(&random, days: $0 - random.below(3)) }
        for (index, pair) in [(people[0], people[1]), (people[1], people[2])].enumerated() {
            var meter = CoachMeter(directory)
            let records =
                pair.0.records(of: ComponentIndex(1)) + pair.1.records(of: ComponentIndex(3))
            let end = TraceRecord(
                RunEnded(),
                at: Instant.zero.advanced(by: .seconds(40 * 86_400)),
                of: .none
            )
            let inOrder = records.enumerated().sorted {
                ($0.element.instant.nanoseconds, $0.offset) < (
                    $1.element.instant.nanoseconds, $1.offset
                )
            }
            meter.record(contentsOf: inOrder.map(\.element) + [end], from: 0)
            let found = found(meter)
            for (name, expected) in pair.0.expected {
                let sum = zip(expected, pair.1.expected[name] ?? []).map { $0 + $1 }
                #expect(found[name] == sum, "\(name), pair \(index)")
            }
        }
    }
}
