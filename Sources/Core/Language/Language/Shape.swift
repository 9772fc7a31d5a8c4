/// What may stand at a position in a scenario file.
///
/// The validator, the JSON Schema and `resolve` all walk these tables, so they cannot disagree.
public indirect enum Shape: Sendable {
    /// The version of the language: 2.
    case formatVersion
    /// A new name.
    case name
    /// Free text.
    case sentence
    /// A file, relative to the one it is named in.
    case path
    /// The name of something.
    case reference(NameKind)
    /// A whole number.
    case integer(ClosedRange<Int64>, step: Int64)
    /// `true` or `false`.
    case boolean
    /// One of a few words.
    case choice([Choice], noun: String)
    /// A quantity with its unit.
    case quantity(QuantityKind, ClosedRange<Int64>, step: Int64)
    /// A time of day, such as `06:30:00`.
    case timeOfDay
    /// A moment of the run: so long after the start, or a time of day.
    case instant
    /// A comparison with a value, such as `<= 90ms`.
    case bound
    /// Several of a kind.
    case list(of: Shape, counts: ClosedRange<Int>)
    /// Keys with values.
    case mapping(MappingShape)
    /// One of several mappings, told apart by a key that only one of them has.
    case variants([MappingShape], noun: String)
    /// One of several mappings, told apart by the word behind a key that all of them have.
    case cases(of: String, [MappingShape], noun: String)
    /// A single value, or a mapping that says more.
    case scalar(Shape, or: MappingShape)
    /// A word, or a single value.
    case word(Choice, or: Shape)
    /// What is swept: lists of values by name, or a list of points.
    case sweep
    /// Values of what is swept, by name.
    case sweptValues
    /// Parameters by dotted name, nested or not.
    case parameters(ParameterCatalog, ParameterOwner)

    /// Any time within a run, from its start on.
    package static let time = Shape.quantity(.duration, 0...ScenarioLanguage.durationMax, step: 1)
    /// Any time span within a run, not empty.
    package static let span = Shape.quantity(.duration, 1...ScenarioLanguage.durationMax, step: 1)
    /// A probability.
    package static let probability = Shape.quantity(.share, 0...1_000_000, step: 1)
}

/// What parameters are set for.
public enum ParameterOwner: Sendable, Equatable {
    /// The whole scenario.
    case scenario
    /// One phone and the apps on it; not the servers.
    case phone

    /// Whether parameters of a scope can be set for it.
    func takes(_ scope: ParameterScope) -> Bool {
        switch (self, scope) {
        case (.scenario, _), (.phone, .app), (.phone, .phones): true
        case (.phone, .servers): false
        }
    }
}

/// A word with its meaning.
public struct Choice: Sendable {
    /// The word.
    package var word: String
    /// What it means, in one sentence.
    var summary: String

    /// Gives a word its meaning.
    package init(word: String, summary: String) {
        self.word = word
        self.summary = summary
    }
}

/// A mapping of the language.
public struct MappingShape: Sendable {
    /// The name of its definition in the schema.
    var name: String
    /// What a message calls it, such as `a phone`.
    var noun: String
    /// What it is, in one sentence.
    package var summary: String
    /// Its keys.
    package var fields: [Field]
    /// The keys of which exactly one must stand, if any.
    package var exactlyOne: [String] = []
    /// Pairs of keys that exclude each other.
    package var exclusive: [(String, String)] = []
    /// Whether the names of statistics are keys as well.
    var takesStatistics = false

    /// Describes a mapping.
    package init(
        name: String,
        noun: String,
        summary: String,
        fields: [Field],
        exactlyOne: [String] = [],
        exclusive: [(String, String)] = [],
        takesStatistics: Bool = false
    ) {
        self.name = name
        self.noun = noun
        self.summary = summary
        self.fields = fields
        self.exactlyOne = exactlyOne
        self.exclusive = exclusive
        self.takesStatistics = takesStatistics
    }

    /// The keys that may stand in it, for messages.
    var allowedKeys: [String] {
        fields.map(\.key) + (takesStatistics ? StatisticName.common : [])
    }

    /// The field with that key.
    package func field(_ key: String) -> Field? {
        fields.first { $0.key == key }
    }

    /// The one word that may stand behind `key`, where `cases` are told apart by it.
    func word(of key: String) -> Choice? {
        guard case .choice(let choices, _) = field(key)?.shape else { return nil }
        return choices.first
    }

    /// What a message calls that word.
    func noun(of key: String) -> String? {
        guard case .choice(_, let noun) = field(key)?.shape else { return nil }
        return noun
    }
}

/// A key of a mapping.
public struct Field: Sendable {
    /// The key.
    package var key: String
    /// What may stand behind it.
    package var shape: Shape
    /// What holds without it.
    package var absence: Absence
    /// What it says, in one sentence.
    var summary: String

    /// What holds if a key is absent.
    public enum Absence: Sendable, Equatable {
        /// It must not be.
        case refused
        /// It may be, and says nothing.
        case allowed
        /// This value holds.
        case means(String)
        /// The end of the run holds.
        case meansRunEnd
    }

    /// Names a key that may be absent.
    public init(_ key: String, _ shape: Shape, _ summary: String) {
        self.init(key, shape, .allowed, summary)
    }

    /// Names a key.
    public init(_ key: String, _ shape: Shape, _ absence: Absence, _ summary: String) {
        self.key = key
        self.shape = shape
        self.absence = absence
        self.summary = summary
    }
}
