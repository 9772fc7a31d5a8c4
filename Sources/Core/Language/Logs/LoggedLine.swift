public import SansIO

/// A line of a production log that the core has read, and where it stands.
///
/// The core reads what is the same for every app: times, what the system said of the network, and who wrote
/// a line. What an app's own lines and its servers' events mean, a system says (`LogPart`).
public struct LoggedLine: Sendable, Equatable {
    /// Where a line stands.
    public struct Place: Sendable, Hashable, CustomStringConvertible {
        /// The file, as the user named it.
        public var file: String
        /// The line, from 1.
        public var line: Int

        /// Names a line of a file.
        public init(file: String, line: Int) {
            self.file = file
            self.line = line
        }

        /// The place as compilers print it.
        public var description: String { "\(file):\(line)" }
    }

    /// What a line says.
    public enum Content: Sendable, Equatable {
        /// By which interface the system said that the network can be reached, if by any.
        case path(NetworkInterface?)
        /// How strong the cellular signal was: LTE's reference signal received power (RSRP), in dBm.
        case signal(dBm: Int)
        /// A line that the app wrote itself.
        case message(String)
        /// An event that a server sent to the app's own server, with its fields by their dotted names.
        case event(String, fields: [String: String])
    }

    /// When it was written, counted from 1970-01-01 00:00 UTC.
    public var instant: Instant
    /// Where it stands.
    public var place: Place
    /// What it says.
    public var content: Content

    /// Joins a time, a place and what is said there.
    public init(_ content: Content, at instant: Instant, _ place: Place) {
        self.content = content
        self.instant = instant
        self.place = place
    }
}

/// Why lines of a log make no scenario, in a sentence that says what to do.
public struct LogComplaint: Error, Equatable {
    /// The sentence.
    public var words: String

    /// Makes a complaint.
    public init(_ words: String) { self.words = words }
}

/// How a system makes a scenario out of the logs of one of its users.
public struct LogPart: Sendable {
    /// What is asked of a system.
    public struct Question: Sendable {
        /// What was read, in the order of time; lines of one time in the order of the files.
        public var lines: [LoggedLine]
        /// The participant that the user of the command named.
        public var participant: String?

        /// Makes a question.
        public init(_ lines: [LoggedLine], participant: String? = nil) {
            self.lines = lines
            self.participant = participant
        }
    }

    /// Which files it reads, in a line of the command's help.
    package let summary: String
    /// Whether a line is surely of this app.
    package let isSurelyOf: @Sendable (LoggedLine) -> Bool
    /// Makes the scenario.
    package let scenario: @Sendable (Question) throws(LogComplaint) -> LoggedScenario

    /// Describes how a system reads logs.
    ///
    /// - Parameters:
    ///   - summary: What it understands, in a line of the command's help.
    ///   - isSurelyOf: Whether a line can be of no other app; where several read logs, such lines choose.
    ///   - scenario: Makes a scenario of what the core has read.
    public init(
        _ summary: String,
        isSurelyOf: @escaping @Sendable (LoggedLine) -> Bool = { _ in false },
        scenario: @escaping @Sendable (Question) throws(LogComplaint) -> LoggedScenario
    ) {
        self.summary = summary
        self.isSurelyOf = isSurelyOf
        self.scenario = scenario
    }
}
