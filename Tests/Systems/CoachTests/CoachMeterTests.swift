import KodamaEvidence
import KodamaLanguage
import SansIO
import Testing

@testable import KodamaCoach

@Suite("What is measured of a morning")
struct CoachMeterTests {
    private let app = ComponentIndex(1)
    private let directory = TraceDirectory(
        names: ["mika-phone", "mika-phone.coach"],
        systems: CoachStory.registry.evidence
    )

    /// A meter that has seen a morning that is due after 100 s, and what follows it.
    private func meter(
        isPhoneOn: Bool = true,
        _ records: [TraceRecord],
        until end: Int = 10_000
    ) -> CoachMeter {
        var meter = CoachMeter(directory)
        let due = MorningDue(
            morning: 1,
            armed: 3,
            route: TraceWord(WakeRoute.systemAlarm),
            isPhoneOn: TraceFlag(isPhoneOn)
        )
        var all = [record(due, 100)]
        all += records
        all.append(TraceRecord(RunEnded(), at: at(end), of: .none))
        meter.record(contentsOf: all, from: 0)
        return meter
    }

    private func at(_ seconds: Int) -> Instant { Instant.zero.advanced(by: .seconds(seconds)) }

    private func record(_ form: some TraceForm, _ seconds: Int) -> TraceRecord {
        TraceRecord(form, at: at(seconds), of: app)
    }

    private func deed(_ deed: SleeperDeed) -> SleeperActed { SleeperActed(deed: TraceWord(deed)) }

    private func result(_ name: String, _ meter: CoachMeter) throws -> MetricResult {
        let lines = TraceLines(directory)
        let measure = try #require(meter.metrics.first { $0.metric.name == name })
        return measure.result(lines)
    }

    private func distribution(_ name: String, _ meter: CoachMeter) throws -> Distribution {
        guard case .distribution(let found) = try result(name, meter).known else {
            throw StoryError("\(name) has no samples")
        }
        return found
    }

    private func share(_ name: String, _ meter: CoachMeter) throws -> Proportion {
        guard case .proportion(let found) = try result(name, meter).value else {
            throw StoryError("\(name) is no share")
        }
        return found
    }

    private let heard = SoundHeard(levelDecibels: 70)
    private let line = LineBegan(
        step: 0,
        isRepetition: TraceFlag(false),
        isOffline: TraceFlag(true)
    )

    @Test(
        "From the answer to the first word; an answer that leads to none counts up to the next (K-04)"
    )
    func tapToTalk() throws {
        let told = meter([
            record(heard, 101), record(deed(.notices), 110), record(deed(.answers), 112),
            record(deed(.answers), 172),
            record(line, 174), record(line, 180),
        ])
        let times = try distribution("wake.tap_to_talk.time", told)
        #expect(times.count == 2)
        #expect(times.minimum == 2_000_000_000)
        #expect(times.maximum == 60_000_000_000)
    }

    @Test("Frames of answers that had not come are lost words, by frames (AN-12)")
    func lostWords() throws {
        let told = meter([
            record(WordHeard(isRight: TraceFlag(true), frames: 40, lost: 3), 120),
            record(WordHeard(isRight: TraceFlag(false), frames: 40, lost: 40), 130),
        ])
        let lost = try share("guide.words.lost", told)
        #expect(lost.numerator == 43 && lost.denominator == 80)
        let right = try share("guide.words.recognised", told)
        #expect(right.numerator == 1 && right.denominator == 2)
    }

    @Test(
        "A process's first rate is no change, and each other one is, in a second process too (AN-12)"
    )
    func audioChanges() throws {
        func published(_ kilobits: Int64) -> AudioPublished {
            AudioPublished(bitsPerSecond: kilobits * 1_000, sampleRateHertz: 16_000)
        }
        let told = meter([
            record(published(16), 120), record(published(24), 130), record(published(12), 140),
            record(AppTerminated(), 150), record(published(24), 160), record(published(12), 170),
        ])
        guard case .count(let found) = try result("coach.audio.changes", told).value else {
            throw StoryError("it is no count")
        }
        #expect(found == Tally(total: 3, samples: 5))
    }

    @Test("An answer after which nothing comes counts to the end of the half hour (K-04)")
    func neverTalked() throws {
        let silent = meter([
            record(heard, 101), record(deed(.notices), 110), record(deed(.answers), 112),
        ])
        #expect(try distribution("wake.tap_to_talk.time", silent).maximum == 1_788_000_000_000)
        #expect(try share("wake.chain.talked", silent).numerator == 0)
    }

    @Test("A sound that is on when the morning is due is its first (K-24)")
    func soundsAtOnce() throws {
        var meter = CoachMeter(directory)
        let due = MorningDue(
            morning: 1,
            armed: 1,
            route: TraceWord(WakeRoute.systemAlarm),
            isPhoneOn: TraceFlag(true)
        )
        let end = TraceRecord(RunEnded(), at: at(10_000), of: .none)
        meter.record(contentsOf: [record(heard, 100), record(due, 100), end], from: 0)
        #expect(try share("wake.chain.rang", meter).numerator == 1)
        #expect(try distribution("wake.rang.late.time", meter).maximum == 0)
    }

    @Test("What comes after half an hour is not in time (D-17)")
    func window() throws {
        let late = meter([record(heard, 1_901), record(deed(.notices), 1_902)])
        #expect(try share("wake.chain.rang", late).numerator == 0)
        #expect(try share("wake.chain.noticed", late).denominator == 0)
        #expect(try distribution("wake.rang.late.time", late).maximum == 1_800_000_000_000)
    }

    @Test("Sounds after getting up are what a ladder costs, until the user goes to bed (K-24)")
    func afterUp() throws {
        let silence = SoundHeard(levelDecibels: 0)
        let meter = meter([
            record(heard, 100), record(silence, 110), record(deed(.rises), 200), record(heard, 260),
            record(silence, 261),
            record(deed(.goesToBed), 5_000), record(heard, 6_000),
        ])
        #expect(try distribution("wake.sounds", meter).maximum == 3)
        #expect(try distribution("wake.sounds.after_up", meter).maximum == 1)
    }

    @Test("A sound counts for the latest wake, and each wake that is due has rung (K-23, K-24)")
    func furtherWake() throws {
        let silence = SoundHeard(levelDecibels: 0)
        let second = MorningDue(
            morning: 2,
            armed: 3,
            route: TraceWord(WakeRoute.systemAlarm),
            isPhoneOn: TraceFlag(true)
        )
        let told = FactKept(fact: TraceWord(AnalyticsFact.wakeTriggered))
        let meter = meter([
            record(second, 1_000), record(heard, 1_001), record(deed(.notices), 1_010),
            record(deed(.answers), 1_012), record(told, 1_012), record(line, 1_014),
            record(silence, 1_015), record(deed(.rises), 1_500), record(heard, 1_600),
            record(silence, 1_601),
        ])
        #expect(
            try share("wake.chain.rang", meter)
                == Proportion(numerator: 2, denominator: 2, samples: 2)
        )
        #expect(try share("wake.chain.up", meter).denominator == 0, "no guide came to its end")
        #expect(
            try share("wake.up.rate", meter) == Proportion(numerator: 2, denominator: 2, samples: 2)
        )
        let sounds = try distribution("wake.sounds", meter)
        #expect(sounds.minimum == 0 && sounds.maximum == 2)
        #expect(try distribution("wake.sounds.after_up", meter).maximum == 1)
        #expect(try distribution("wake.tap_to_talk.time", meter).count == 1)
        // The one fact is the second wake's; of the first the app knows nothing.
        #expect(
            try share("wake.success.unseen", meter)
                == Proportion(numerator: 1, denominator: 2, samples: 2)
        )
    }

    @Test("A wake that finds its user up gives no sample, and its ladder's sounds do (K-24)")
    func unneeded() throws {
        let silence = SoundHeard(levelDecibels: 0)
        let meter = meter([
            record(heard, 101), record(silence, 105), record(deed(.risesAlone), 110),
            record(WakeUnneeded(wake: 2), 1_900),
            record(heard, 1_900), record(silence, 1_908), record(heard, 1_910),
            record(silence, 1_918),
        ])
        #expect(try share("wake.success.rate", meter).denominator == 1)
        #expect(try distribution("wake.sounds", meter).maximum == 2)
        let afterUp = try distribution("wake.sounds.after_up", meter)
        #expect(afterUp.minimum == 0 && afterUp.maximum == 1)
    }

    @Test("A sound between bedtime and the due wake is untimely, one at its instant is not (K-03)")
    func untimely() throws {
        func meter(_ early: [Int]) throws -> Int64 {
            var meter = CoachMeter(directory)
            let silence = SoundHeard(levelDecibels: 0)
            let due = MorningDue(
                morning: 1,
                armed: 1,
                route: TraceWord(WakeRoute.systemAlarm),
                isPhoneOn: TraceFlag(true)
            )
            var all = [record(deed(.goesToBed), 10)]
            for second in early { all += [record(heard, second), record(silence, second)] }
            all += [record(due, 100), record(heard, 200)]
            all.append(TraceRecord(RunEnded(), at: at(10_000), of: .none))
            meter.record(contentsOf: all, from: 0)
            guard case .count(let found) = try result("wake.sounds.untimely", meter).value else {
                throw StoryError("no count")
            }
            #expect(found.samples == early.count + 1)
            return found.total
        }
        #expect(try meter([50, 60]) == 2)
        #expect(try meter([50, 100]) == 1)
        #expect(try meter([]) == 0)
    }

    @Test("What the app knows is told apart from what is so (D-26)")
    func knowledge() throws {
        let fact = FactKept(fact: TraceWord(AnalyticsFact.wakeTriggered))
        let known = meter([
            record(heard, 100), record(deed(.notices), 110), record(deed(.answers), 112),
            record(fact, 112),
        ])
        #expect(try share("wake.success.app_rate", known).denominator == 1)
        #expect(try share("wake.success.unseen", known).numerator == 0)
        let unknown = meter([record(heard, 100)])
        #expect(try share("wake.success.app_rate", unknown).denominator == 0)
        #expect(try share("wake.success.unseen", unknown).numerator == 1)
        #expect(try share("wake.success.rate", unknown).denominator == 1)
    }

    @Test("A sleeper who notices where nothing sounds is a mistake of the world's (K-23)")
    func noticesNothing() throws {
        let wrong = meter([record(deed(.notices), 105)])
        let lines = TraceLines(directory)
        let broken = wrong.invariants[0].result(lines)
        #expect(broken.checkedCount == 1)
        #expect(broken.violationCount == 1)
    }
}
