public import SansIO
package import TextFormats

/// What the evening's reflection comes to, as the server stores it once (AN-08).
public struct ReflectionReport: Sendable, Equatable {
    /// The reflection's id, by which it is stored once.
    public var id: String
    /// The local day that it is about, as `YYYY-MM-DD`.
    public var day: String
    /// What was said, in short.
    public var summary: String
    /// How it felt, in one word.
    public var affect: String
    /// What it was about.
    public var topics: [String]

    /// Makes a report.
    public init(id: String, day: String, summary: String, affect: String, topics: [String]) {
        self.id = id
        self.day = day
        self.summary = summary
        self.affect = affect
        self.topics = topics
    }
}

/// What was talked about while the agent could not be heard, for the agent's memory; stored once (AN-05).
public struct SummaryReport: Sendable, Equatable {
    /// How many lines, and how many utterances, a report may have.
    public static let entriesMax = 64
    /// The longest utterance, in bytes of UTF-8.
    public static let utteranceBytesMax = 256

    /// The summary's id, by which it is stored once.
    public var id: String
    /// When the phone took over, by its clock; whole seconds count.
    public var began: WallTime
    /// When it gave back, or spoke last; whole seconds count.
    public var ended: WallTime
    /// The numbers of the lines that the phone began to say, up to `entriesMax`.
    public var lines: [Int]
    /// What the user was heard saying, up to `entriesMax` utterances.
    public var heard: [String]

    /// Makes a report; what is too long or too many is cut off, so that the server takes it.
    public init(id: String, began: WallTime, ended: WallTime, lines: [Int], heard: [String]) {
        self.id = id
        self.began = began
        self.ended = ended
        self.lines = Array(lines.prefix(Self.entriesMax))
        self.heard = heard.prefix(Self.entriesMax).map(Self.cut)
    }

    private static func cut(_ text: String) -> String {
        var scalars = text.unicodeScalars
        while scalars.count > utteranceBytesMax || String(scalars).utf8.count > utteranceBytesMax {
            scalars.removeLast(max(1, scalars.count - utteranceBytesMax))
        }
        return String(scalars)
    }
}

/// An event for the product's analytics, counted once (AN-09).
public struct MetricEvent: Sendable, Equatable {
    /// What happened.
    public enum Name: String, Sendable, Equatable, CaseIterable {
        /// The wake's alarm or notification was seen to have fired.
        case wakeTriggered = "wake_triggered"
        /// Its conversation began.
        case wakeJoined = "wake_joined"
        /// Its script was declared done.
        case wakeDone = "wake_done"
        /// A nudge was posted.
        case nudgeSent = "nudge_sent"
        /// Its conversation began.
        case nudgeJoined = "nudge_joined"
        /// Its intervention was completed.
        case nudgeDone = "nudge_done"
        /// Standard, clone or offline voice took over (AN-04).
        case voiceModeChanged = "voice_mode_changed"
        /// The user complained (AN-20).
        case complained = "complained"
    }

    /// The event's id, by which it is counted once.
    public var id: String
    /// What happened.
    public var name: Name
    /// When, by the phone's clock; whole seconds count.
    public var time: WallTime
    /// What else is known: a mode, a persona; at most 256 bytes.
    public var detail: String

    /// Makes an event.
    public init(id: String, name: Name, time: WallTime, detail: String = "") {
        self.id = id
        self.name = name
        self.time = time
        self.detail = detail
    }
}

/// Why an event is not counted, and never will be.
public struct RefusedEvent: Sendable, Equatable {
    /// The event.
    public var id: String
    /// Why.
    public var why: String

    /// Makes a refusal.
    public init(id: String, why: String) {
        self.id = id
        self.why = why
    }
}

/// What a user may do only so often (AN-20).
public enum UsageKind: String, Sendable, Equatable, CaseIterable {
    /// Recordings offered for a clone.
    case voiceClones = "voice_clones"
    /// Reflections stored.
    case reflections
    /// Events counted.
    case metrics
    /// Links to wake audio.
    case wakeLinks = "wake_links"
}

/// How much of what a user may do is used up.
public struct UsageCount: Sendable, Equatable {
    /// What is counted.
    public var kind: UsageKind
    /// How often it was done in the present period.
    public var used: Int64
    /// How often it may be done.
    public var allowed: Int64
    /// How long until the period ends.
    public var resetsIn: Duration

    /// Makes a count.
    public init(kind: UsageKind, used: Int64, allowed: Int64, resetsIn: Duration) {
        self.kind = kind
        self.used = used
        self.allowed = allowed
        self.resetsIn = resetsIn
    }
}

extension ReflectionReport {
    /// The body of `POST /reflection`.
    package var json: JSON {
        .object(of: [
            ("id", .string(id)), ("day", .string(day)), ("summary", .string(summary)),
            ("affect", .string(affect)), ("topics", .array(topics.map(JSON.string))),
        ])
    }
}

extension SummaryReport {
    /// The body of `POST /summary`.
    package var json: JSON {
        .object(of: [
            ("id", .string(id)), ("began", .integer(began.secondsSince1970)),
            ("ended", .integer(ended.secondsSince1970)),
            ("lines", .array(lines.map { .integer(Int64($0)) })),
            ("heard", .array(heard.map(JSON.string))),
        ])
    }
}

extension MetricEvent {
    /// An element of the body of `POST /metrics`.
    package var json: JSON {
        .object(of: [
            ("id", .string(id)), ("name", .string(name.rawValue)),
            ("time", .integer(time.secondsSince1970)), ("detail", .string(detail)),
        ])
    }
}

extension UsageCount {
    /// An element of the answer to `GET /usage`, and the part of a refusal that says which limit.
    package var json: JSON {
        .object(of: [
            ("kind", .string(kind.rawValue)), ("used", .integer(used)),
            ("allowed", .integer(allowed)), ("resets", .integer(resetsIn.components.seconds)),
        ])
    }

    /// Reads it; `nil` if it is anything else.
    package init?(_ json: JSON) {
        guard let kind = json["kind"]?.string.flatMap(UsageKind.init(rawValue:)),
            let used = json["used"]?.integer, let allowed = json["allowed"]?.integer,
            let seconds = json["resets"]?.integer, (0...315_360_000).contains(seconds)
        else { return nil }
        self.init(kind: kind, used: used, allowed: allowed, resetsIn: .seconds(seconds))
    }
}
