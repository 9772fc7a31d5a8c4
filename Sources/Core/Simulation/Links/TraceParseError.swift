/// What is wrong with a trace, line by line.
public struct TraceParseError: Error, Equatable, CustomStringConvertible {
    /// What is wrong with a line.
    public enum Kind: Error, Equatable {
        /// The line is not a whole number from 0 to 2,147,483,647.
        case notMilliseconds(found: String)
        /// The line goes back in time.
        case falling(found: Int32, previous: Int32)
        /// There is no line at all.
        case noOpportunity
        /// All lines are 0, so that the trace has no period.
        case zeroPeriod
    }

    /// A line and what is wrong with it.
    public struct Problem: Equatable, Sendable {
        /// The line, from 1.
        public var line: Int
        /// What is wrong with it.
        public var kind: Kind

        /// Makes a problem of line `line`.
        public init(line: Int, kind: Kind) {
            self.line = line
            self.kind = kind
        }
    }

    /// The trace's name.
    public var name: String
    /// Every problem, in the order of the lines; not empty.
    public var problems: [Problem]

    /// Makes the error of a trace with these problems.
    public init(name: String, problems: [Problem]) {
        self.name = name
        self.problems = problems
    }

    /// One line per problem: name, line, what was found and what was expected; the first twenty.
    public var description: String {
        var lines = problems.prefix(20).map { "\(name):\($0.line): error: \($0.kind.explanation)" }
        if problems.count > lines.count {
            lines.append("\(name): \(problems.count - lines.count) more")
        }
        return lines.joined(separator: "\n")
    }
}

extension TraceParseError.Kind {
    fileprivate var explanation: String {
        switch self {
        case .notMilliseconds(let found):
            "found '\(found)', expected a whole number of milliseconds from 0 to \(Int32.max)"
        case .falling(let found, let previous):
            "found \(found) after \(previous), expected milliseconds that never fall"
        case .noOpportunity:
            "the trace is empty, expected at least one opportunity"
        case .zeroPeriod:
            "the last opportunity is at 0, expected a later one, for it is the trace's period"
        }
    }
}
