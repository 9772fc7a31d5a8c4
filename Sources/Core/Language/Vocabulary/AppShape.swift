/// An app as scenarios put it on a phone: its keys and their reader.
///
/// Every app has the key `opens` besides its own.
public struct AppShape: Sendable {
    /// The name of its system, the key under a phone's `apps`.
    package let system: String
    /// What it is, in one sentence.
    package let summary: String
    /// Its own keys.
    package let fields: [Field]
    /// How much of its voice it can carry, the most real first; empty if it has none.
    package var voices: [VoiceMode] = []
    /// Whether people with the app talk to one another over links between their phones.
    package var usesLinks = false
    /// Whether people with the app talk in rooms of the room server.
    package var usesRooms = false
    /// The people among whom a user of the app is heard, if the settings name them.
    package var circle: @Sendable (any AppSettings) -> String? = { _ in nil }
    /// Whether by its settings its users are heard over the Internet too, if their phones have any.
    package var reachesFar: @Sendable (any AppSettings) -> Bool = { _ in false }
    /// Whether the app needs one of the phone's ways to the Internet.
    public var needsRadio = false
    /// How `opens` reads where it is not written.
    package let opens: @Sendable (CheckedValue) -> String
    /// What the app's keys say, and the figures of the phone.
    package let read: @Sendable (CheckedValue, Tuning, inout PlanBuilder) -> any AppSettings

    /// Describes an app.
    ///
    /// `opens` says when it is opened where the scenario does not: `already`, `never` or a time;
    /// `read` makes the app's settings of its keys and of the phone's figures.
    public init(
        of system: String,
        _ summary: String,
        fields: [Field] = [],
        opens: @escaping @Sendable (CheckedValue) -> String = { _ in "0s" },
        read: @escaping @Sendable (CheckedValue, Tuning, inout PlanBuilder) -> any AppSettings
    ) {
        self.system = system
        self.summary = summary
        self.fields = fields
        self.opens = opens
        self.read = read
    }

    /// What a message calls it.
    var noun: String { "the \(system) app" }

    /// The keys of the app on a phone.
    var shape: MappingShape {
        MappingShape(
            name: "\(system.replacing("-", with: "_"))_app",
            noun: noun,
            summary: summary,
            fields: fields + [
                Field(
                    "opens",
                    .word(
                        Choice(word: "already", summary: "It runs in front at the start."),
                        or: .word(
                            Choice(word: "never", summary: "Only the timeline opens it."),
                            or: .instant
                        )
                    ),
                    "When its user opens it; 'already' if it is in front at the start, 'never' if "
                        + "only the timeline opens it."
                )
            ]
        )
    }
}
