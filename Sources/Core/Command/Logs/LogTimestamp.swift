import KodamaLanguage
import SansIO

/// The times that logs write.
enum LogTimestamp {
    /// What the readers understand, for messages.
    static let forms =
        "2026-11-02T08:00:05.120Z, 2026-11-02 08:00:05.120000+0100, or seconds or milliseconds since 1970"

    /// Reads a time with its zone, or seconds or milliseconds since 1970; `nil` if it is none of these.
    static func read(_ text: some StringProtocol) -> Instant? {
        seconds(text) ?? date(text)
    }

    /// Seconds since 1970, with decimals or without, or whole milliseconds: a number that as seconds lies behind 2255.
    private static func seconds(_ text: some StringProtocol) -> Instant? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        let secondsMax: Int64 = 9_000_000_000
        guard (1...2).contains(parts.count), let whole = number(parts[0]) else { return nil }
        if whole > secondsMax, whole <= secondsMax * 1_000, parts.count == 1 {
            return Instant(nanoseconds: whole * 1_000_000)
        }
        guard whole <= secondsMax else { return nil }
        guard parts.count == 2 else { return Instant(nanoseconds: whole * 1_000_000_000) }
        guard let fraction = nanoseconds(parts[1]) else { return nil }
        return Instant(nanoseconds: whole * 1_000_000_000 + fraction)
    }

    /// A date and a time of day with a zone (RFC 3339, and as `log show` writes it).
    private static func date(_ text: some StringProtocol) -> Instant? {
        let pattern =
            #/([0-9]{4})-([0-9]{2})-([0-9]{2})[T ]([0-9]{2}):([0-9]{2}):([0-9]{2})(?:\.([0-9]{1,9}))?(Z|[+-][0-9]{2}:?[0-9]{2})/#
        guard let match = String(text).wholeMatch(of: pattern)?.output else { return nil }
        let fields = [match.1, match.2, match.3, match.4, match.5, match.6].compactMap(number)
        guard fields.count == 6, (1_970...2_200).contains(fields[0]), (1...12).contains(fields[1]),
            (1...31).contains(fields[2]), fields[3] < 24, fields[4] < 60, fields[5] < 61
        else { return nil }
        let fraction = match.7.flatMap(nanoseconds) ?? 0
        let zone = zoneSeconds(match.8)
        let day = LoggedTime.days(year: fields[0], month: fields[1], day: fields[2])
        let ofDay = fields[3] * 3_600 + fields[4] * 60 + fields[5]
        return Instant(nanoseconds: (day * 86_400 + ofDay - zone) * 1_000_000_000 + fraction)
    }

    /// How much later than UTC a zone's clocks are.
    private static func zoneSeconds(_ text: Substring) -> Int64 {
        let digits = text.dropFirst().filter { $0 != ":" }
        guard let number = number(digits) else { return 0 }
        let seconds = number / 100 * 3_600 + number % 100 * 60
        return text.first == "-" ? -seconds : seconds
    }

    private static func number(_ text: some StringProtocol) -> Int64? {
        guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return nil
        }
        return Int64(text)
    }

    /// The decimals of a second; more than nine are cut.
    private static func nanoseconds(_ digits: some StringProtocol) -> Int64? {
        let kept = String(digits.prefix(9))
        return number(kept + String(repeating: "0", count: 9 - kept.count))
    }
}
