import SansIO
import SansIOTesting
import Testing
import WakeFlow

/// New York in 2026: daylight saving from 8 March 07:00 UTC to 1 November 06:00 UTC.
private let newYork = TimeZoneRules(
    offsetSeconds: -5 * 3_600,
    transitions: [
        TimeZoneRules.Transition(
            at: WallTime(secondsSince1970: 1_793_512_800),
            offsetSeconds: -5 * 3_600
        ),
        TimeZoneRules.Transition(
            at: WallTime(secondsSince1970: 1_772_953_200),
            offsetSeconds: -4 * 3_600
        ),
    ]
)
/// 2026-03-08 and 2026-11-01, the days of the change.
private let spring = LocalDay(number: 20_520)
private let autumn = LocalDay(number: 20_758)

@Suite("A local time stands for one instant, whatever the clocks do")
struct TimeZoneRulesTests {
    private func utc(_ day: LocalDay, _ hour: Int32, _ minute: Int32) -> (Int64, String) {
        let time = LocalTime(day: day, time: TimeOfDay(hour: hour, minute: minute))
        let resolution = newYork.resolve(time)
        let seconds = resolution.time.secondsSince1970 - Int64(day.number) * 86_400
        return (seconds / 60, resolution.occurrence.rawValue)
    }

    @Test("02:30 of the day that lacks it is read by the offset before (RFC 5545 §3.3.5)")
    func gap() {
        #expect(utc(spring, 1, 59) == (6 * 60 + 59, "once"))
        #expect(utc(spring, 2, 0) == (7 * 60, "never"))
        #expect(utc(spring, 2, 30) == (7 * 60 + 30, "never"))
        #expect(utc(spring, 3, 0) == (7 * 60, "once"))
        let shown = newYork.local(newYork.resolve(at(spring, 2, 30)).time)
        #expect(shown.time == TimeOfDay(hour: 3, minute: 30))
    }

    private func at(_ day: LocalDay, _ hour: Int32, _ minute: Int32) -> LocalTime {
        LocalTime(day: day, time: TimeOfDay(hour: hour, minute: minute))
    }

    @Test("A gap after other changes is read by the offset before it, not by the first one")
    func laterGap() {
        let rules = TimeZoneRules(
            offsetSeconds: 3_600,
            transitions: [
                TimeZoneRules.Transition(at: ModelMorning.midnight, offsetSeconds: -3_600),
                TimeZoneRules.Transition(
                    at: ModelMorning.midnight.advanced(by: .seconds(86_400)),
                    offsetSeconds: 3_600
                ),
            ]
        )
        // 2026-11-29 00:00 UTC: the clock jumps from 23:00 to 01:00.
        let resolution = rules.resolve(at(LocalDay(number: 20_786), 0, 30))
        #expect(resolution.occurrence == .never)
        let expected = ModelMorning.midnight.advanced(by: .seconds(86_400 + 5_400))
        #expect(resolution.time == expected)
    }

    @Test("01:30 of the day that has it twice is the first one (RFC 5545 §3.3.5)")
    func overlap() {
        #expect(utc(autumn, 0, 59) == (4 * 60 + 59, "once"))
        #expect(utc(autumn, 1, 0) == (5 * 60, "twice"))
        #expect(utc(autumn, 1, 30) == (5 * 60 + 30, "twice"))
        #expect(utc(autumn, 2, 0) == (7 * 60, "once"))
    }

    @Test(
        "What a zone's clock shows stands for the same instant, but for the second of two",
        arguments: 0..<200 as Range<UInt64>
    )
    func roundTrip(seed: UInt64) {
        var random = LawRandom(seed: seed)
        let rules = WakeWeather.zone(&random)
        for _ in 0..<50 {
            let seconds = ModelMorning.midnight.secondsSince1970 + Int64(random.below(900_000))
            let time = WallTime(secondsSince1970: seconds)
            let local = rules.local(time)
            let resolution = rules.resolve(local)
            #expect(resolution.occurrence != .never)
            #expect(resolution.time <= time)
            #expect(rules.local(resolution.time) == local)
            if resolution.occurrence == .once { #expect(resolution.time == time) }
        }
    }

    @Test("Days before 1970 and offsets beyond all zones are held, not trapped")
    func bounds() {
        let rules = TimeZoneRules(offsetSeconds: .max)
        #expect(rules.offsetSeconds == 64_800)
        let local = newYork.local(WallTime(nanosecondsSince1970: -1))
        #expect(local.day == LocalDay(number: -1))
        #expect(local.time.seconds == 86_399 - 5 * 3_600)
        _ = rules.local(WallTime(nanosecondsSince1970: .min))
        _ = rules.resolve(LocalTime(day: LocalDay(number: .max), time: TimeOfDay(seconds: 86_399)))
        #expect(TimeOfDay(seconds: 100_000).seconds == 86_399)
    }

    @Test("Weekdays are those of the calendar")
    func weekdays() {
        // 2026-11-28 is a Saturday, 1970-01-01 a Thursday, the day before a Wednesday.
        #expect(Weekdays(of: LocalDay(number: 20_785)) == Weekdays(rawValue: 1 << 5))
        #expect(Weekdays(of: LocalDay(number: 0)) == Weekdays(rawValue: 1 << 3))
        #expect(Weekdays(of: LocalDay(number: -1)) == Weekdays(rawValue: 1 << 2))
        #expect(!Weekdays.workdays.contains(Weekdays(of: LocalDay(number: 20_786))))
    }

    @Test("Names of entries survive both forms")
    func names() {
        for rung in [0, 1, 4_095, 4_096, 65_535] as [UInt16] {
            let id = WakeEntryID(wake: WakeID(number: 7), arming: .max, rung: rung)
            #expect(WakeEntryID(id.text) == id)
            #expect(WakeEntryID(id.uuid) == id)
        }
        #expect(WakeEntryID("wake.1.2") == nil)
        #expect(WakeEntryID("wake.01.2.3") == nil)
        #expect(WakeEntryID("nudge.1.2.3") == nil)
        #expect(WakeEntryID(UniqueID(high: 1, low: 1)) == nil)
    }
}

@Suite("A wake keeps its time over zones, daylight saving and a clock that is set (AN-01)")
struct WakeClockTests {
    private func time(_ seconds: Int64) -> WallTime { WallTime(secondsSince1970: seconds) }

    private func phone(_ zone: TimeZoneRules, at seconds: Int64) -> ModelMorning {
        var phone = ModelMorning(at: time(seconds), zone: zone)
        phone.launch()
        return phone
    }

    @Test("A wake at 02:30 rings once on each day of the two changes", arguments: [spring, autumn])
    func daylight(day: LocalDay) throws {
        let evening = Int64(day.number) * 86_400 - 3_600
        for hour in 1...2 as ClosedRange<Int32> {
            var phone = phone(newYork, at: evening)
            phone.set(hour, 30, .everyDay)
            var rung: [Int64] = []
            for _ in 0..<72 * 60 {
                phone.pass(.seconds(60))
                guard let entry = phone.sounding else { continue }
                rung.append(phone.time.secondsSince1970)
                phone.send(.tapped(entry.id))
                phone.send(.conversationStarted)
                phone.sayAll()
            }
            #expect(rung.count == 3)
            let first = try #require(rung.first)
            #expect(
                (first - Int64(day.number) * 86_400) / 60 == Int64(hour) * 60 + 30
                    + (day == spring ? 300 : hour == 1 ? 240 : 300)
            )
        }
    }

    @Test("A time that the clock doesn't show once is given to the system as an instant")
    func fixedWhereDoubtful() {
        var phone = phone(newYork, at: Int64(spring.number) * 86_400 - 3_600)
        phone.set(2, 30)
        #expect(phone.system.allSatisfy { if case .fixed = $0.schedule { true } else { false } })
        phone.set(7, 0)
        #expect(phone.system.allSatisfy { if case .relative = $0.schedule { true } else { false } })
    }

    @Test("A relative wake follows the zone without being armed anew, a fixed one stays")
    func travel() {
        var relative = phone(
            ModelMorning.tokyo,
            at: ModelMorning.midnight.secondsSince1970 + 43_200
        )
        relative.set(7, 0)
        let armed = relative.system
        let west = TimeZoneRules(offsetSeconds: 3_600)
        relative.zone = west
        relative.send(.zoneChanged(west))
        #expect(relative.system == armed)
        let due = ModelMorning.midnight.advanced(by: .seconds(86_400 + 6 * 3_600))
        #expect(relative.sounds(after: due).first == 0)
        var fixed = phone(ModelMorning.tokyo, at: ModelMorning.midnight.secondsSince1970)
        fixed.send(.wakeSet(WakeSetting(id: WakeID(number: 1), time: .fixed(due))))
        fixed.zone = west
        fixed.send(.zoneChanged(west))
        #expect(fixed.sounds(after: due).first == 0)
    }

    @Test("Behind the app's back whole minutes follow the zone; once it runs all sounds do (AN-01)")
    func journeyAsleep() {
        var configuration = WakeConfiguration()
        configuration.length = 7
        var phone = ModelMorning(
            configuration,
            at: ModelMorning.midnight.advanced(by: .seconds(43_200))
        )
        phone.launch()
        phone.set(7, 0)
        let home = ModelMorning.midnight.advanced(by: .seconds(22 * 3_600))
        phone.zone = TimeZoneRules(offsetSeconds: 6 * 3_600)
        #expect(phone.sounds(after: home) == [10, 20, 30, 40, 50, 10_800, 10_860])
        for _ in 0..<2 {
            phone.relaunch()
            #expect(phone.sounds(after: home) == (0..<7).map { 10_800 + 10 * $0 })
        }
    }

    @Test("A zone that jumps over the wake's time moves it to the next day, not to the past")
    func east() throws {
        var phone = phone(
            TimeZoneRules(offsetSeconds: 3_600),
            at: ModelMorning.midnight.secondsSince1970 + 75_600
        )
        phone.set(7, 0)
        phone.pass(.seconds(5 * 3_600))
        phone.zone = ModelMorning.tokyo
        phone.send(.zoneChanged(ModelMorning.tokyo))
        #expect(phone.outcomes.isEmpty)
        let next = try #require(phone.sounds(after: phone.time).first)
        let local = ModelMorning.tokyo.local(phone.time.advanced(by: .seconds(next)))
        #expect(local.time == TimeOfDay(hour: 7, minute: 0))
    }

    @Test("A clock that was days ahead and is set right loses no wake")
    func setByHand() {
        var phone = phone(ModelMorning.tokyo, at: ModelMorning.midnight.secondsSince1970)
        phone.set(7, 0, .everyDay)
        let ahead = phone.time.advanced(by: .seconds(3 * 86_400))
        let right = phone.time
        phone.start = ahead
        phone.send(.clockChanged(ahead))
        phone.start = right
        phone.send(.clockChanged(right))
        let days = phone.sounds(after: right).map { $0 / 86_400 }
        // It is 09:00: the seventh, on this weekday, is armed from 11:00 on.
        #expect(Set(days) == Set(0...5))
    }

    @Test("A clock put back over a ladder that has sounded unanswered arms it anew")
    func putBackUnanswered() throws {
        var phone = phone(ModelMorning.tokyo, at: ModelMorning.midnight.secondsSince1970)
        phone.set(7, 0)
        for _ in 0..<2 {
            phone.pass(.seconds(22 * 3_600 + 900))
            #expect(phone.shown.count == 10)
            phone.start = phone.start.advanced(by: .seconds(-22 * 3_600 - 900))
            phone.send(.clockChanged(phone.time))
            #expect(phone.sounds(after: phone.time).first == 79_200)
            #expect(phone.system.count == 10)
            #expect(phone.shown.isEmpty)
        }
    }

    @Test("A clock put back over a morning that is done doesn't ring it again")
    func putBack() throws {
        var phone = phone(ModelMorning.tokyo, at: ModelMorning.midnight.secondsSince1970)
        phone.set(7, 0, .everyDay)
        phone.pass(.seconds(22 * 3_600 + 60))
        phone.send(.tapped(try #require(phone.sounding).id))
        phone.send(.conversationStarted)
        phone.sayAll()
        phone.start = phone.start.advanced(by: .seconds(-3_600))
        phone.send(.clockChanged(phone.time))
        #expect(try #require(phone.sounds(after: phone.time).first) > 20 * 3_600)
        // A second time in a row, the same.
        phone.start = phone.start.advanced(by: .seconds(-600))
        phone.send(.clockChanged(phone.time))
        #expect(try #require(phone.sounds(after: phone.time).first) > 20 * 3_600)
    }

    @Test(
        "Whatever clock and zone do, a daily wake always has a sound within 25 hours of the clock",
        arguments: 0..<200 as Range<UInt64>
    )
    func always(seed: UInt64) {
        var random = LawRandom(seed: seed)
        var phone = phone(ModelMorning.tokyo, at: ModelMorning.midnight.secondsSince1970)
        phone.set(Int32(random.below(24)), Int32(random.below(60)), .everyDay)
        for _ in 0..<60 {
            switch random.below(4) {
            case 0:
                phone.start = phone.start.advanced(by: .seconds(random.below(400_000) - 200_000))
                phone.send(.clockChanged(phone.time))
            case 1:
                phone.zone = TimeZoneRules(offsetSeconds: Int32(random.below(26) - 12) * 3_600)
                phone.send(.zoneChanged(phone.zone))
            case 2: phone.relaunch()
            default: phone.pass(.seconds(random.below(100_000)))
            }
            // A morning that was done on this local day isn't rung again; one that was missed may be.
            let next = phone.sounds(after: phone.time).first
            #expect(next.map { $0 <= 49 * 3_600 } ?? false, "\(String(describing: next))")
            #expect(phone.system.count <= 28)
            #expect(Set(phone.system.map(\.id)).count == phone.system.count)
        }
    }
}
