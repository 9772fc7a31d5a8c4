/// What a kind of record is called and what its values mean.
public struct TraceFormText: Sendable {
    /// The name in the text form, such as `frame.played`.
    public let name: String
    /// The level at which it is kept.
    public let level: TraceLevel
    /// The values, in order; at most four.
    public let fields: [TraceField]
    /// What happened, in one sentence.
    public let summary: String

    /// Describes a kind of record.
    public init(_ name: String, _ level: TraceLevel, _ summary: String, _ fields: TraceField...) {
        self.name = name
        self.level = level
        self.fields = fields
        self.summary = summary
    }

    /// The same text, with the words that systems declare where its values stand for some.
    func naming(wordsOf systems: [EvidenceSystem]) -> TraceFormText {
        guard fields.contains(where: { $0.declared != nil }) else { return self }
        let fields = fields.map { $0.naming(wordsOf: systems) }
        return TraceFormText(name, level, summary, fields: fields)
    }

    private init(_ name: String, _ level: TraceLevel, _ summary: String, fields: [TraceField]) {
        self.name = name
        self.level = level
        self.fields = fields
        self.summary = summary
    }
}

/// One value of a kind of record.
public struct TraceField: Sendable, ExpressibleByStringLiteral {
    /// The name, ending in the unit where there is one.
    public let name: String
    /// The words that its numbers stand for, if they are no amounts; made anew each time, since few
    /// runs write any.
    public var words: TraceWords? { makeWords?() }
    private let makeWords: (@Sendable () -> TraceWords)?
    /// What finds its words among those that systems declare, if they do.
    fileprivate let declared: (@Sendable ([EvidenceSystem]) -> TraceWords)?

    /// Describes a value that is an amount or an ordinal.
    public init(stringLiteral name: String) {
        self.init(name, nil)
    }

    private init(
        _ name: String,
        _ makeWords: (@Sendable () -> TraceWords)?,
        declared: (@Sendable ([EvidenceSystem]) -> TraceWords)? = nil
    ) {
        self.name = name
        self.makeWords = makeWords
        self.declared = declared
    }

    /// Describes a value that is a `TraceWord`.
    ///
    /// - Parameters:
    ///   - name: The value's name.
    ///   - type: The enumeration that owns the words.
    ///   - orNone: Whether there may be none of them, at −1.
    /// - Returns: The description.
    public static func words<Word: CaseIterable & RawRepresentable & Sendable>(
        _ name: String,
        _ type: Word.Type,
        orNone: Bool = false
    ) -> TraceField where Word.RawValue: FixedWidthInteger {
        TraceField(name) { TraceWords(of: Word.self, orNone: orNone) }
    }

    /// Describes a value that is a `TraceWord` of words that systems declare.
    public static func words<Word: DeclaredWord>(
        _ name: String,
        _ type: Word.Type
    ) -> TraceField {
        TraceField(name, nil) { TraceWords(of: DeclaredWords<Word>(of: $0)) }
    }

    fileprivate func naming(wordsOf systems: [EvidenceSystem]) -> TraceField {
        guard let declared else { return self }
        return TraceField(name) { declared(systems) }
    }
}
