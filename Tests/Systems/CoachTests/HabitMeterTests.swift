import KodamaEvidence
import KodamaLanguage
import SansIO
import Testing

@testable import KodamaCoach

@Suite("What is measured of weeks and of phrases")
struct HabitMeterTests {
    private let app = ComponentIndex(1)
    private let directory = TraceDirectory(
        names: ["mika-phone", "mika-phone.coach"],
        systems: CoachStory.registry.evidence
    )

    private func meter(_ records: [TraceRecord], until end: Int = 10_000_000) -> CoachMeter {
        var meter = CoachMeter(directory)
        let over = TraceRecord(RunEnded(), at: at(end), of: .none)
        meter.record(contentsOf: records + [over], from: 0)
        return meter
    }

    private func at(_ seconds: Int) -> Instant { Instant.zero.advanced(by: .seconds(seconds)) }

    private func record(_ form: some TraceForm, _ seconds: Int) -> TraceRecord {
        TraceRecord(form, at: at(seconds), of: app)
    }

    private func share(_ name: String, _ meter: CoachMeter) throws -> [Int64] {
        let measure = try #require(meter.metrics.first { $0.metric.name == name })
        switch measure.result(TraceLines(directory)).value {
        case .proportion(let share): return [share.numerator, share.denominator]
        case .count(let tally): return [tally.total]
        default: return []
        }
    }

    private func broken(_ name: String, _ meter: CoachMeter) throws -> Int {
        let results = meter.invariants.map { $0.result(TraceLines(directory)) }
        return try #require(results.first { $0.name == name }).violationCount
    }

    private func day(_ number: Int, alone: Bool, uses: Bool = true, streak: Int) -> TraceRecord {
        let form = HabitDay(
            day: Int64(number),
            isAlone: TraceFlag(alone),
            uses: TraceFlag(uses),
            streak: Int64(streak)
        )
        return record(form, number * 86_400 + 3_600)
    }

    private func nudges(_ count: Int, from second: Int) -> [TraceRecord] {
        let nudge = DistractionNoticed(isNudged: TraceFlag(true))
        return (0..<count).map { record(nudge, second + $0 * 900) }
    }

    @Test("A nudge before the first bedtime belongs to no day (AN-07)")
    func firstEvening() throws {
        let toBed = record(SleeperActed(deed: TraceWord(.goesToBed)), 3_600)
        let before = nudges(1, from: 60) + [toBed]
        let one = day(1, alone: false, streak: 0)
        #expect(try broken("habit.fades-out", meter(before + nudges(8, from: 40_000) + [one])) == 0)
        #expect(try broken("habit.fades-out", meter(before + nudges(9, from: 40_000) + [one])) == 1)
    }

    @Test("A deleted app that nudges is noticed, and so is a streak that the app miscounts (AN-07)")
    func noticed() throws {
        let left = [day(1, alone: false, streak: 0)] + nudges(1, from: 100_000)
        let gone = meter(left + [day(2, alone: false, uses: false, streak: 0)])
        #expect(try broken("habit.fades-out", gone) == 1)
        let miscounted = meter([day(1, alone: true, streak: 1), day(2, alone: true, streak: 1)])
        #expect(try broken("habit.streak-is-true", miscounted) == 1)
    }

    @Test("Seven days alone count among all who began, whoever has left since (K-11)")
    func survivors() throws {
        let week = (1...7).map { day($0, alone: true, streak: $0) }
        let stayed = meter(week)
        #expect(try share("habit.streak.rate", stayed) == [1, 1])
        #expect(try share("habit.streak.stayed.rate", stayed) == [1, 1])
        let left = meter(week + [day(8, alone: false, uses: false, streak: 0)])
        #expect(try share("habit.streak.rate", left) == [1, 1])
        #expect(try share("habit.streak.stayed.rate", left).last ?? 0 == 0)
        let short = meter(Array(week.dropLast()) + [day(7, alone: false, streak: 6)])
        #expect(try share("habit.streak.rate", short) == [0, 1])
    }

    @Test("A phrase is aloud that sounds by a loudspeaker for longer than an instant (AN-16)")
    func aloud() throws {
        func phrase(_ outputs: [(PhraseOutput?, Int)]) throws -> [Int64] {
            let records = outputs.map { record(PhraseSounded(output: TraceWord($0.0)), $0.1) }
            return try share("selftalk.aloud", meter(records))
        }
        #expect(try phrase([(.worn, 10), (.aloud, 11), (nil, 11)]) == [0])
        #expect(try phrase([(.worn, 10), (.aloud, 11), (nil, 13)]) == [1])
        #expect(try phrase([(.aloud, 10), (.worn, 11), (.aloud, 12), (nil, 13)]) == [1])
        #expect(try phrase([(.worn, 10), (.aloud, 11)]) == [1])
        #expect(try phrase([(.beside, 10), (nil, 13), (.worn, 400), (nil, 403)]) == [0])
    }
}
