public import SansIO

/// A scenario made of logs, each line of which says where it comes from.
public struct LoggedScenario: Sendable {
    /// A value, and the comment behind it.
    public struct Line: Sendable, Equatable {
        /// The value.
        public var node: DocumentNode
        /// From which lines of which files it comes, or that it comes from none.
        public var remark: String

        /// Joins a value and its comment.
        public init(_ node: DocumentNode, _ remark: String) {
            self.node = node
            self.remark = remark
        }
    }

    /// A key of the scenario with what stands behind it: a single line, or a list.
    public enum Value: Sendable, Equatable {
        case single(Line)
        case list([Line])
    }

    /// Lines that nothing was made of, and why.
    public struct Unused: Sendable, Equatable {
        /// What they are, such as `lines of other participants`.
        public var what: String
        /// Where the first of them stands.
        public var first: LoggedLine.Place
        /// How many there are.
        public var count: Int
    }

    /// The keys with their values, in order.
    package private(set) var parts: [(key: String, value: Value)] = []
    /// What the log says of itself: comments above the scenario.
    public var notes: [String] = []
    /// The lines that nothing was made of, by kind, in the order in which the kinds were met.
    public private(set) var unused: [Unused] = []

    /// An empty scenario.
    public init() {}

    /// Adds a key with one value.
    public mutating func add(_ key: String, _ node: DocumentNode, _ remark: String) {
        parts.append((key, .single(Line(node, remark))))
    }

    /// Adds a key with a list; nothing if the list is empty.
    public mutating func add(_ key: String, _ lines: [Line]) {
        guard !lines.isEmpty else { return }
        parts.append((key, .list(lines)))
    }

    /// Adds what every scenario of a log begins with: of what it is, seeds, how long it runs, and how voice is followed.
    ///
    /// - Parameters:
    ///   - summary: Of what it is, in a sentence.
    ///   - length: How long it runs, rounded up to whole seconds.
    ///   - reason: Why so long.
    public mutating func begin(_ summary: String, length: Duration, _ reason: String) {
        add("summary", .plain(summary), "")
        add("seeds", "20", "not of the log: the weather is drawn anew for each")
        let seconds = (length.wholeNanoseconds + 999_999_999) / 1_000_000_000
        add("duration", .plain("\(seconds)s"), reason)
        add("voice", "reachability", "not of the log: whether voice flows follows from the path")
    }

    /// Counts a line that nothing is made of.
    public mutating func leave(_ place: LoggedLine.Place, _ what: String) {
        if let index = unused.firstIndex(where: { $0.what == what }) {
            unused[index].count += 1
        } else {
            unused.append(Unused(what: what, first: place, count: 1))
        }
    }

    /// The scenario as YAML.
    ///
    /// - Parameters:
    ///   - name: What it is called.
    ///   - files: The logs that it was made of.
    /// - Returns: The text of a file.
    package func yaml(name: String, files: [String]) -> String {
        let notes = ["Made by 'kodama from-log' of \(files.joined(separator: ", "))."] + notes
        var lines = notes.map { "# \(ShownText.oneLine($0))" }
        lines += ["version: 2", "scenario: \(name)"]
        for (key, value) in parts {
            switch value {
            case .single(let line):
                lines.append("\(key): \(line.node.flow)\(Self.comment(line.remark))")
            case .list(let entries):
                lines += ["", "\(key):"]
                lines += entries.map { "  - \($0.node.flow)\(Self.comment($0.remark))" }
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func comment(_ remark: String) -> String {
        guard !remark.isEmpty else { return "" }
        return "  # " + ShownText.oneLine(remark)
    }
}

/// Times as scenarios write them, to the millisecond.
public enum LoggedTime {
    /// A duration, such as `30.482s`.
    public static func text(_ duration: Duration) -> String {
        let milliseconds = (duration.wholeNanoseconds + 500_000) / 1_000_000
        let (whole, rest) = milliseconds.quotientAndRemainder(dividingBy: 1_000)
        guard rest != 0 else { return "\(whole)s" }
        let digits = String(rest)
        var fraction = String(repeating: "0", count: 3 - digits.count) + digits
        while fraction.last == "0" { fraction.removeLast() }
        return "\(whole).\(fraction)s"
    }

    /// A time of day in UTC with its date, such as `2026-11-02T08:00:05.120Z`.
    public static func date(_ instant: Instant) -> String {
        let milliseconds = (instant.nanoseconds + 500_000) / 1_000_000
        let (days, ofDay) = milliseconds.quotientAndRemainder(dividingBy: 86_400_000)
        let date = civilDate(days: days)
        let parts = [ofDay / 3_600_000, ofDay / 60_000 % 60, ofDay / 1_000 % 60]
        let time = parts.map { padded($0, 2) }.joined(separator: ":")
        return
            "\(padded(date.year, 4))-\(padded(date.month, 2))-\(padded(date.day, 2))T\(time)"
            + ".\(padded(ofDay % 1_000, 3))Z"
    }

    private static func padded(_ number: Int64, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }

    /// The date of a day counted from 1970-01-01 in the Gregorian calendar.
    ///
    /// After Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms", `civil_from_days`.
    private static func civilDate(days: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let shifted = days + 719_468
        let era = shifted / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra =
            (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        return (year, month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
    }

    /// The days from 1970-01-01 to a date in the Gregorian calendar (as above, `days_from_civil`).
    package static func days(year: Int64, month: Int64, day: Int64) -> Int64 {
        let shifted = month <= 2 ? year - 1 : year
        let era = shifted / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
            - 719_468
    }
}
