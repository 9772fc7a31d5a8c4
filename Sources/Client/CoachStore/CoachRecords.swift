public import CoachExchange
public import ReplicaChanges
import ReplicaStore
public import SansIO
import TextFormats

/// A record of the coach: lives in the store and is mirrored to the user's other phones (AN-18).
public protocol CoachRecord: Sendable, Equatable {
    /// Its table.
    static var table: String { get }
    /// Its key, drawn when it is made.
    var id: String { get }
    /// Its fields.
    var columns: [ReplicaColumn] { get }
    /// Reads it; a field that was never set is its default. `nil` if a later version of the app wrote
    /// something that this one does not know.
    init?(id: String, columns: [ReplicaColumn])
}

/// The tables of the coach's records, and how they came to be.
///
/// A version that has shipped never changes. Every field may be missing: a mirror passes over
/// records that lack what is required, without a word.
public enum CoachSchema {
    /// The schema of this version of the app.
    public static let schema = ReplicaSchema(versions: [version1])
    /// What a sound file of it is like, learnt once in a process.
    static let form = Result { () throws(ReplicaDatabase.Failure) in
        try ReplicaDatabase.Form(of: schema)
    }

    private static let version1: [ReplicaSchema.Step] = [
        table("profile", texts: ["name", "language", "voice_mode"], integers: ["flags"]),
        table(
            "routine",
            texts: ["time_zone", "script"],
            integers: ["wake_minute", "weekdays", "is_on"]
        ),
        table(
            "reflection",
            texts: ["day", "summary", "affect", "topics", "phrases", "delivery"],
            integers: []
        ),
        table("voice_profile", texts: ["voice"], integers: ["consented", "consent_version"]),
        table("interaction", texts: ["name", "detail", "delivery"], integers: ["time"]),
        table("device", texts: ["value"], integers: []),
    ]

    /// A table of fields, each with its stamp, and of the deletion's.
    static func table(
        _ name: String,
        texts: [String],
        integers: [String]
    ) -> ReplicaSchema.Step {
        let stamps = (texts + integers).map(MirrorRecord.stampName) + [MirrorRecord.deletedName]
        return .createTable(
            name,
            (texts + stamps).map { ReplicaSchema.Column($0, .text) }
                + integers.map { ReplicaSchema.Column($0, .integer) }
        )
    }
}

/// The user: there is one profile.
public struct CoachProfile: CoachRecord {
    /// The table.
    public static let table = "profile"
    /// The key.
    public var id: String
    /// What the coach calls the user.
    public var name: String?
    /// The language that it speaks (BCP 47).
    public var language: String?
    /// The voice that it speaks with: `standard`, `clone` or `offline` (AN-04).
    public var voiceMode: String?
    /// Which features are on (AN-11).
    public var flags: FeatureFlags

    /// Makes a profile.
    public init(
        id: String = "profile",
        name: String? = nil,
        language: String? = nil,
        voiceMode: String? = nil,
        flags: FeatureFlags = FeatureFlags()
    ) {
        (self.id, self.name, self.language) = (id, name, language)
        (self.voiceMode, self.flags) = (voiceMode, flags)
    }

    /// The fields.
    public var columns: [ReplicaColumn] {
        [
            ReplicaColumn("name", text: name), ReplicaColumn("language", text: language),
            ReplicaColumn("voice_mode", text: voiceMode),
            ReplicaColumn("flags", integer: flags.rawValue),
        ]
    }

    /// Reads a profile.
    public init(id: String, columns: [ReplicaColumn]) {
        self.init(
            id: id,
            name: columns.text("name"),
            language: columns.text("language"),
            voiceMode: columns.text("voice_mode"),
            flags: columns.integer("flags").map(FeatureFlags.init) ?? FeatureFlags()
        )
    }
}

/// The features that can be switched without another version of the app (AN-11).
public struct FeatureFlags: OptionSet, Sendable, Equatable {
    /// The flags as bits.
    public var rawValue: Int64

    /// Makes flags of their bits.
    public init(rawValue: Int64) { self.rawValue = rawValue }

    /// `UseCriticalAlert`: the wake may use critical alerts where they are granted.
    public static let criticalAlert = FeatureFlags(rawValue: 1)
    /// `UseRealtime`: conversations are realtime and not offline.
    public static let realtime = FeatureFlags(rawValue: 2)
    /// `UseElevenLabs`: voices can be cloned.
    public static let clonedVoices = FeatureFlags(rawValue: 4)
}

/// A morning's routine.
public struct CoachRoutine: CoachRecord {
    /// The table.
    public static let table = "routine"
    /// The key.
    public var id: String
    /// When the alarm goes, in minutes after local midnight.
    public var wakeMinute: Int64?
    /// On which days, Monday being bit 0.
    public var weekdays: Int64?
    /// Whether it is on.
    public var isOn: Bool
    /// The time zone's identifier (IANA), if the alarm is not to follow the phone's.
    public var timeZone: String?
    /// The guide's steps, as their module writes them.
    public var script: String?

    /// Makes a routine.
    public init(
        id: String,
        wakeMinute: Int64? = nil,
        weekdays: Int64? = nil,
        isOn: Bool = true,
        timeZone: String? = nil,
        script: String? = nil
    ) {
        (self.id, self.wakeMinute, self.weekdays) = (id, wakeMinute, weekdays)
        (self.isOn, self.timeZone, self.script) = (isOn, timeZone, script)
    }

    /// The fields.
    public var columns: [ReplicaColumn] {
        [
            ReplicaColumn("wake_minute", integer: wakeMinute),
            ReplicaColumn("weekdays", integer: weekdays),
            ReplicaColumn("is_on", integer: isOn ? 1 : 0),
            ReplicaColumn("time_zone", text: timeZone), ReplicaColumn("script", text: script),
        ]
    }

    /// Reads a routine.
    public init(id: String, columns: [ReplicaColumn]) {
        self.init(
            id: id,
            wakeMinute: columns.integer("wake_minute"),
            weekdays: columns.integer("weekdays"),
            isOn: columns.integer("is_on") != 0,
            timeZone: columns.text("time_zone"),
            script: columns.text("script")
        )
    }
}

/// What became of a record at the server.
public enum Delivery: Sendable, Equatable {
    /// It is in the outbox.
    case pending
    /// The server has it.
    case taken
    /// The server rejects it, and says why.
    case rejected(String)

    var text: String? {
        switch self {
        case .pending: nil
        case .taken: "taken"
        case .rejected(let why): "rejected: " + why
        }
    }

    init(_ text: String?) {
        guard let text else {
            self = .pending
            return
        }
        let prefix = "rejected: "
        self = text.hasPrefix(prefix) ? .rejected(String(text.dropFirst(prefix.count))) : .taken
    }
}

/// An evening's reflection (AN-08).
public struct CoachReflection: CoachRecord {
    /// The table.
    public static let table = "reflection"
    /// What was said; its id is the record's.
    public var report: ReflectionReport
    /// The phrases that self-talk plays (AN-16).
    public var phrases: [String]
    /// What became of it at the server.
    public var delivery: Delivery

    /// The key.
    public var id: String { report.id }

    /// Makes a reflection.
    public init(
        _ report: ReflectionReport,
        phrases: [String] = [],
        delivery: Delivery = .pending
    ) {
        (self.report, self.phrases, self.delivery) = (report, phrases, delivery)
    }

    /// The fields.
    public var columns: [ReplicaColumn] {
        [
            ReplicaColumn("day", text: report.day), ReplicaColumn("summary", text: report.summary),
            ReplicaColumn("affect", text: report.affect),
            ReplicaColumn("topics", lines: report.topics), ReplicaColumn("phrases", lines: phrases),
            ReplicaColumn("delivery", text: delivery.text),
        ]
    }

    /// Reads a reflection.
    public init(id: String, columns: [ReplicaColumn]) {
        let report = ReflectionReport(
            id: id,
            day: columns.text("day") ?? "",
            summary: columns.text("summary") ?? "",
            affect: columns.text("affect") ?? "",
            topics: columns.lines("topics")
        )
        let delivery = Delivery(columns.text("delivery"))
        self.init(report, phrases: columns.lines("phrases"), delivery: delivery)
    }
}

/// A cloned voice (AN-17); which phone has its keys is no matter of the record.
public struct CoachVoice: CoachRecord {
    /// The table.
    public static let table = "voice_profile"
    /// The profile's id.
    public var id: String
    /// The voice's id at the server, once it is registered.
    public var voice: String?
    /// When its owner consented; whole seconds count.
    public var consented: WallTime?
    /// The version of the text that they consented to.
    public var consentVersion: Int64?

    /// Makes a voice.
    public init(
        id: String,
        voice: String? = nil,
        consented: WallTime? = nil,
        consentVersion: Int64? = nil
    ) {
        (self.id, self.voice) = (id, voice)
        (self.consented, self.consentVersion) = (consented, consentVersion)
    }

    /// The fields.
    public var columns: [ReplicaColumn] {
        [
            ReplicaColumn("voice", text: voice),
            ReplicaColumn("consented", integer: consented?.secondsSince1970),
            ReplicaColumn("consent_version", integer: consentVersion),
        ]
    }

    /// Reads a voice.
    public init(id: String, columns: [ReplicaColumn]) {
        self.init(
            id: id,
            voice: columns.text("voice"),
            consented: columns.integer("consented").map(WallTime.init(secondsSince1970:)),
            consentVersion: columns.integer("consent_version")
        )
    }
}

/// Something that happened between coach and user, which analytics counts once (AN-09).
public struct CoachInteraction: CoachRecord {
    /// The table.
    public static let table = "interaction"
    /// What happened; its id is the record's.
    public var event: MetricEvent
    /// What became of it at the server.
    public var delivery: Delivery

    /// The key.
    public var id: String { event.id }

    /// Makes an interaction.
    public init(_ event: MetricEvent, delivery: Delivery = .pending) {
        (self.event, self.delivery) = (event, delivery)
    }

    /// The fields.
    public var columns: [ReplicaColumn] {
        [
            ReplicaColumn("name", text: event.name.rawValue),
            ReplicaColumn("time", integer: event.time.secondsSince1970),
            ReplicaColumn("detail", text: event.detail),
            ReplicaColumn("delivery", text: delivery.text),
        ]
    }

    /// Reads an interaction; `nil` if it is of a kind that this version does not know.
    public init?(id: String, columns: [ReplicaColumn]) {
        guard let name = columns.text("name").flatMap(MetricEvent.Name.init(rawValue:)) else {
            return nil
        }
        let event = MetricEvent(
            id: id,
            name: name,
            time: WallTime(secondsSince1970: columns.integer("time") ?? 0),
            detail: columns.text("detail") ?? ""
        )
        self.init(event, delivery: Delivery(columns.text("delivery")))
    }
}

extension ReplicaColumn {
    fileprivate init(_ name: String, text: String?) {
        self.init(name, text.map(ReplicaValue.text) ?? .null)
    }

    fileprivate init(_ name: String, integer: Int64?) {
        self.init(name, integer.map(ReplicaValue.integer) ?? .null)
    }

    /// Texts, a line each; as JSON where these lines would be others.
    fileprivate init(_ name: String, lines: [String]) {
        let isPlain = lines.allSatisfy { line in
            !line.isEmpty
                && !line.utf8.contains { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }
        }
        let isMistaken = lines.first?.utf8.starts(with: "[\"".utf8) ?? false
        let text =
            isPlain && !isMistaken
            ? lines.joined(separator: "\n") : JSON.array(lines.map(JSON.string)).text
        self.init(name, text: lines.isEmpty ? nil : text)
    }
}

extension [ReplicaColumn] {
    func text(_ name: String) -> String? {
        guard case .text(let text)? = first(where: { $0.name == name })?.value else { return nil }
        return text
    }

    func integer(_ name: String) -> Int64? {
        guard case .integer(let number)? = first(where: { $0.name == name })?.value else {
            return nil
        }
        return number
    }

    fileprivate func lines(_ name: String) -> [String] {
        guard let text = text(name) else { return [] }
        if text.utf8.starts(with: "[\"".utf8),
            case .array(let parts)? = try? JSONReader.read(text.utf8)
        {
            return parts.compactMap(\.string)
        }
        return text.split(separator: "\n").map(String.init)
    }
}
