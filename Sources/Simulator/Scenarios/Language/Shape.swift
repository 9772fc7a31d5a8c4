/// What may stand at a place in a scenario file.
///
/// The validator, the JSON Schema and `resolve` all walk these tables, so they cannot disagree.
indirect enum Shape: Sendable {
    /// The version of the language: 1.
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
    /// Parameters by dotted name, nested or not; of one scope only, or of all.
    case parameters(ParameterCatalog, ParameterScope?)
}

/// A word with its meaning.
struct Choice: Sendable {
    /// The word.
    var word: String
    /// What it means, in one sentence.
    var summary: String
}

/// A mapping of the language.
struct MappingShape: Sendable {
    /// The name of its definition in the schema.
    var name: String
    /// What a message calls it, such as `a device`.
    var noun: String
    /// What it is, in one sentence.
    var summary: String
    /// Its keys.
    var fields: [Field]
    /// The keys of which exactly one must stand, if any.
    var exactlyOne: [String] = []
    /// Pairs of keys that exclude each other.
    var exclusive: [(String, String)] = []
    /// Whether the names of statistics are keys as well.
    var takesStatistics = false

    /// The keys that may stand in it, for messages.
    var allowedKeys: [String] {
        fields.map(\.key) + (takesStatistics ? StatisticName.common : [])
    }

    /// The field with that key.
    func field(_ key: String) -> Field? {
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
struct Field: Sendable {
    /// The key.
    var key: String
    /// What may stand behind it.
    var shape: Shape
    /// What holds without it.
    var absence: Absence
    /// What it says, in one sentence.
    var summary: String

    /// What holds if a key is absent.
    enum Absence: Sendable, Equatable {
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
    init(_ key: String, _ shape: Shape, _ summary: String) {
        self.init(key, shape, .allowed, summary)
    }

    /// Names a key.
    init(_ key: String, _ shape: Shape, _ absence: Absence, _ summary: String) {
        self.key = key
        self.shape = shape
        self.absence = absence
        self.summary = summary
    }
}
