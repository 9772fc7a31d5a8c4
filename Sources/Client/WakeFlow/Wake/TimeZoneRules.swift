public import SansIO

/// The offsets of a time zone around the present, as the app reads them from the system's zone data.
///
/// The app passes the transitions of the days that wakes may fall on: from two days back to
/// `WakeConfiguration.daysAhead` + 2 ahead is enough. After the last one its offset holds on.
public struct TimeZoneRules: Sendable, Hashable {
    /// A change of the offset.
    public struct Transition: Sendable, Hashable {
        /// The first instant at which the new offset holds.
        public var at: WallTime
        /// Seconds that local time is ahead of UTC from then on.
        public var offsetSeconds: Int32

        /// Makes a transition.
        public init(at: WallTime, offsetSeconds: Int32) {
            self.at = at
            self.offsetSeconds = offsetSeconds
        }
    }

    /// An instant that a local time stands for.
    public struct Resolution: Sendable, Hashable {
        /// How often a local time occurs.
        public enum Occurrence: String, Sendable, Hashable, CaseIterable {
            /// Once, as all but two hours a year.
            case once
            /// Never: the clock jumps over it when daylight saving begins.
            case never
            /// Twice: the clock is put back over it when daylight saving ends.
            case twice
        }

        /// The instant.
        public var time: WallTime
        /// How often the local time occurs.
        public var occurrence: Occurrence
    }

    /// Seconds that local time is ahead of UTC before the first transition.
    public let offsetSeconds: Int32
    /// The changes, from early to late.
    public let transitions: [Transition]

    /// Offsets are held within ±18 h, beyond all that IANA's zone data has known.
    private static let offsetsHeld: ClosedRange<Int32> = -64_800...64_800

    /// Makes rules.
    ///
    /// - Parameters:
    ///   - offsetSeconds: Seconds ahead of UTC before the first transition; held within ±18 h.
    ///   - transitions: The changes, in any order.
    public init(offsetSeconds: Int32, transitions: [Transition] = []) {
        self.offsetSeconds = Self.held(offsetSeconds)
        self.transitions = transitions.map {
            Transition(at: $0.at, offsetSeconds: Self.held($0.offsetSeconds))
        }.sorted { $0.at < $1.at }
    }

    private static func held(_ offset: Int32) -> Int32 {
        min(max(offset, offsetsHeld.lowerBound), offsetsHeld.upperBound)
    }

    /// Seconds that local time is ahead of UTC at an instant.
    public func offset(at time: WallTime) -> Int32 {
        transitions.last { $0.at <= time }?.offsetSeconds ?? offsetSeconds
    }

    /// What a clock in this zone shows at an instant.
    public func local(_ time: WallTime) -> LocalTime {
        let utc = Self.floorDivide(time.nanosecondsSince1970, by: 1_000_000_000)
        let local = utc + Int64(offset(at: time))
        let day = Self.floorDivide(local, by: 86_400)
        return LocalTime(
            day: LocalDay(number: Int32(clamping: day)),
            time: TimeOfDay(seconds: Int32(local - day * 86_400))
        )
    }

    /// The instant for which a local time stands.
    ///
    /// As RFC 5545 §3.3.5 has it: a time that occurs twice stands for its first occurrence, one that
    /// doesn't occur is read by the offset before the gap, so 02:30 becomes 03:30.
    public func resolve(_ local: LocalTime) -> Resolution {
        let seconds = Int64(local.day.number) * 86_400 + Int64(local.time.seconds)
        var found: WallTime?
        var isTwice = false
        // The last reading that lies past the end of its offset: the one before the gap, if there is one.
        var skipped = WallTime(secondsSince1970: seconds - Int64(offsetSeconds))
        for index in -1..<transitions.count {
            let offset = index < 0 ? offsetSeconds : transitions[index].offsetSeconds
            let time = WallTime(secondsSince1970: seconds - Int64(offset))
            guard index < 0 || transitions[index].at <= time else { continue }
            if index + 1 < transitions.count, transitions[index + 1].at <= time {
                skipped = time
            } else if found == nil {
                found = time
            } else {
                isTwice = true
            }
        }
        guard let found else { return Resolution(time: skipped, occurrence: .never) }
        return Resolution(time: found, occurrence: isTwice ? .twice : .once)
    }

    private static func floorDivide(_ number: Int64, by divisor: Int64) -> Int64 {
        let quotient = number / divisor
        return number % divisor < 0 ? quotient - 1 : quotient
    }
}
