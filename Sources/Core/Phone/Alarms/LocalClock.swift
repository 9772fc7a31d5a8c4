package import SansIO

/// The clock and the calendar that a phone shows: wall time, and how far local time is from GMT.
///
/// A daylight-saving transition and a flight are both a change of the zone's offset at that moment; what
/// waits for a local time is due when the local clock shows that time or a later one. So a time that a
/// transition skips comes at the transition, and one that it repeats comes once; that a jump by hand or
/// by a flight does the same is an assumption, as is that a clock set back makes an hour come again.
package struct LocalClock: Sendable, Equatable {
    /// A change of the clock.
    package enum Change: Sendable, Equatable {
        /// The clock shows this from now on.
        case set(WallTime)
        /// Local time is this many seconds later than GMT from now on, a day at the most.
        case zone(secondsFromGMT: Int64)
    }

    private var wall: WallClock
    /// How many seconds local time is later than GMT.
    package private(set) var secondsFromGMT: Int64

    /// Makes a clock that shows `time` at the start of the time line.
    package init(showing time: WallTime, secondsFromGMT: Int64 = 0) {
        wall = WallClock(showing: time)
        self.secondsFromGMT = Self.held(secondsFromGMT)
    }

    /// Takes a change.
    package mutating func apply(_ change: Change, at now: Instant) {
        switch change {
        case .set(let time): wall = WallClock(showing: time, at: now)
        case .zone(let seconds): secondsFromGMT = Self.held(seconds)
        }
    }

    /// What the clock shows, the same in every zone.
    package func reading(at now: Instant) -> WallTime { wall.reading(at: now) }

    /// What the local clock shows.
    package func local(at now: Instant) -> CivilTime {
        CivilTime(wall.reading(at: now).advanced(by: .seconds(secondsFromGMT)))
    }

    /// When the clock shows `time`, held within what can be said; the last time that can be said never comes.
    package func instant(of time: WallTime) -> Instant {
        let isLast = time.nanosecondsSince1970 == .max
        return (isLast ? nil : wall.instant(showing: time)) ?? Instant(nanoseconds: .max)
    }

    /// When the local clock shows `time` if the zone stays as it is.
    package func instant(of time: CivilTime) -> Instant {
        let isLast = time.reading.nanosecondsSince1970 == .max
        return instant(
            of: isLast ? time.reading : time.reading.advanced(by: .seconds(-secondsFromGMT))
        )
    }

    private static func held(_ seconds: Int64) -> Int64 { max(-86_400, min(86_400, seconds)) }
}

extension Instant {
    /// The instant that lies `duration` later, held within what can be said: for spans that an app chooses.
    func held(after duration: Duration) -> Instant {
        let most = Duration.nanoseconds(Int64.max)
        let span = max(.zero - most, min(most, duration)).wholeNanoseconds
        let (sum, isTooFar) = nanoseconds.addingReportingOverflow(span)
        return Instant(nanoseconds: isTooFar ? (span < 0 ? .min : .max) : sum)
    }
}

/// A civil date and time: what a local clock shows, in whatever zone that clock is.
package struct CivilTime: Sendable, Hashable, Comparable {
    /// The length of a day without a transition.
    static let dayNanoseconds: Int64 = 86_400 * 1_000_000_000

    /// What a clock in GMT shows when it shows the same date and time.
    package var reading: WallTime

    /// The local time that a clock in GMT would show as `reading`.
    package init(_ reading: WallTime) {
        self.reading = reading
    }

    /// The number of the day, 0 for 1970-01-01.
    var day: Int64 {
        let nanoseconds = reading.nanosecondsSince1970
        let day = nanoseconds / Self.dayNanoseconds
        return nanoseconds % Self.dayNanoseconds < 0 ? day - 1 : day
    }

    /// The time of `timeOfDay` on the day of this number.
    init(day: Int64, _ timeOfDay: ClockTime) {
        let seconds = day * 86_400 + Int64(timeOfDay.minuteOfDay) * 60
        self.init(WallTime(secondsSince1970: seconds))
    }

    /// The first time after this one that is `timeOfDay` on one of `weekdays`; every day if those are empty.
    package func next(_ timeOfDay: ClockTime, on weekdays: CivilWeekdays = []) -> CivilTime {
        var candidate = CivilTime(day: day, timeOfDay)
        // Within eight days each weekday comes, whether today's time is past or not.
        for step in 0...7 as ClosedRange<Int64> {
            candidate = CivilTime(day: day + step, timeOfDay)
            if candidate > self, weekdays.isEmpty || weekdays.contains(CivilWeekdays(of: candidate))
            {
                return candidate
            }
        }
        return candidate
    }

    /// Orders local times from early to late.
    package static func < (left: CivilTime, right: CivilTime) -> Bool {
        left.reading < right.reading
    }
}

/// An hour and a minute.
package struct ClockTime: Sendable, Hashable {
    /// Minutes since midnight, 0 to 1,439.
    package let minuteOfDay: Int

    /// Makes a time of day; `hour` is 0 to 23, `minute` 0 to 59.
    package init(hour: Int, minute: Int) {
        precondition(
            (0..<24).contains(hour) && (0..<60).contains(minute),
            "\(hour):\(minute) is no time of day"
        )
        minuteOfDay = hour * 60 + minute
    }

    /// Midnight.
    package static let midnight = ClockTime(hour: 0, minute: 0)
}

/// Days of the week.
package struct CivilWeekdays: OptionSet, Sendable, Hashable {
    /// Bit 0 is Sunday, bit 6 Saturday.
    package let rawValue: UInt8

    /// Makes a set from its bits.
    package init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// The day of the week of a local time.
    package init(of time: CivilTime) {
        // 1970-01-01 was a Thursday.
        let weekday = ((time.day + 4) % 7 + 7) % 7
        self.init(rawValue: 1 << UInt8(weekday))
    }

    /// Sunday.
    package static let sunday = CivilWeekdays(rawValue: 1)
    /// Monday to Friday.
    package static let workdays = CivilWeekdays(rawValue: 0b011_1110)
    /// Saturday.
    package static let saturday = CivilWeekdays(rawValue: 1 << 6)
    /// Every day.
    package static let all = CivilWeekdays(rawValue: 0b111_1111)
}
