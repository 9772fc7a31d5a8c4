public import SansIO

/// Names one wake that the user has set; the store hands them out and never uses one twice.
public struct WakeID: Sendable, Hashable {
    /// The wake's number, from 1.
    public var number: UInt32

    /// Names wake `number`.
    public init(number: UInt32) {
        self.number = number
    }
}

/// When a wake is due.
public enum WakeTime: Sendable, Hashable {
    /// Once, at an instant: travel and daylight saving move its local hour (`Alarm.Schedule.fixed`).
    case fixed(WallTime)
    /// At a local time of the given weekdays, following the phone's zone (`Alarm.Schedule.relative`);
    /// without weekdays once, the next time the clock shows it.
    case relative(TimeOfDay, Weekdays)
}

/// A wake that the user has set.
public struct WakeSetting: Sendable, Hashable {
    /// Its name.
    public var id: WakeID
    /// When it is due.
    public var time: WakeTime

    /// Makes a setting.
    public init(id: WakeID, time: WakeTime) {
        self.id = id
        self.time = time
    }
}

/// A time of the day on a local clock, in whole seconds; whole minutes are what a user can set.
public struct TimeOfDay: Sendable, Hashable {
    /// Seconds since the local midnight, 0 to 86,399.
    public var seconds: Int32

    /// Makes a time of the day.
    ///
    /// - Parameter seconds: Since midnight; held within 0 to 86,399.
    public init(seconds: Int32) {
        self.seconds = min(max(seconds, 0), 86_399)
    }

    /// Makes a time of the day from what a clock shows.
    public init(hour: Int32, minute: Int32) {
        self.init(seconds: hour * 3_600 + minute * 60)
    }

    /// The hour, 0 to 23.
    public var hour: Int32 { seconds / 3_600 }
    /// The minute, 0 to 59.
    public var minute: Int32 { seconds / 60 % 60 }
}

/// A set of days of the week.
public struct Weekdays: OptionSet, Sendable, Hashable {
    /// One bit a day, Monday the lowest.
    public var rawValue: UInt8

    /// Makes a set from its bits.
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// Every day.
    public static let everyDay = Weekdays(rawValue: 0x7F)
    /// Monday to Friday.
    public static let workdays = Weekdays(rawValue: 0x1F)

    /// The weekday at which a local day falls.
    public init(of day: LocalDay) {
        // 1970-01-01 was a Thursday.
        let index = ((Int64(day.number) + 3) % 7 + 7) % 7
        self.init(rawValue: 1 << UInt8(index))
    }
}

/// A day of the local calendar, without a zone.
public struct LocalDay: Sendable, Hashable, Comparable {
    /// Days since 1970-01-01; negative before.
    public var number: Int32

    /// Makes the day that lies `number` days after 1970-01-01.
    public init(number: Int32) {
        self.number = number
    }

    /// Orders days from early to late.
    public static func < (left: LocalDay, right: LocalDay) -> Bool { left.number < right.number }
}

extension LocalDay {
    /// The day as `YYYY-MM-DD`, in the Gregorian calendar (ISO 8601).
    public var text: String {
        // Years begin in March here, so that a leap day is the last of one.
        let days = Int(number) + 719_468
        let ofEra = days % 146_097
        let year = (ofEra - ofEra / 1_460 + ofEra / 36_524 - ofEra / 146_096) / 365
        let ofYear = ofEra - (365 * year + year / 4 - year / 100)
        let month = (5 * ofYear + 2) / 153
        let day = ofYear - (153 * month + 2) / 5 + 1
        let isNext = month >= 10
        func padded(_ number: Int) -> String { (number < 10 ? "0" : "") + String(number) }
        return String(days / 146_097 * 400 + year + (isNext ? 1 : 0)) + "-"
            + padded(month + (isNext ? -9 : 3)) + "-" + padded(day)
    }
}

/// A day and a time of the day on a local clock, without a zone.
public struct LocalTime: Sendable, Hashable {
    /// The day.
    public var day: LocalDay
    /// The time of the day.
    public var time: TimeOfDay

    /// Makes a local time.
    public init(day: LocalDay, time: TimeOfDay) {
        self.day = day
        self.time = time
    }
}
