/// A word of the trace that is declared as a value by whoever brings it, so that no list of all of them stands
/// anywhere: a fault, or an act of a user.
///
/// A record holds its number (`TraceWord`); traces, narrators and meters find the rest with the systems.
public protocol DeclaredWord: Sendable, Hashable {
    /// The word in a trace, such as `black-hole`; unique among all systems.
    var name: String { get }
    /// The number in a record; unique among all systems.
    ///
    /// Those of Kodama's own systems are below 256; another system's best begin at 256 times its `SystemID`.
    var number: Int64 { get }
    /// Where it is declared, for messages.
    var origin: String { get }

    /// What such words are called, such as `fault`.
    static var noun: String { get }
    /// Those that a system brings.
    static func words(of system: EvidenceSystem) -> [Self]
}

extension DeclaredWord {
    /// Whether two are the same word.
    public static func == (left: Self, right: Self) -> Bool {
        left.number == right.number && left.name == right.name
    }

    /// Hashes what makes it the same word.
    public func hash(into hasher: inout Hasher) { hasher.combine(number) }

    /// What no two may share, in words.
    package var claims: [String] {
        ["the \(Self.noun) '\(name)'", "the number \(number) of \(Self.noun)s"]
    }
}

extension TraceWord where Word: DeclaredWord {
    /// Stands for a declared word.
    public init(_ word: Word) { self.init(number: word.number) }

    /// Whether it stands for a word.
    public static func == (record: TraceWord, word: Word) -> Bool { record.number == word.number }

    /// Whether it stands for a word, in a pattern.
    public static func ~= (word: Word, record: TraceWord) -> Bool { record == word }
}

/// The words of one sort that systems bring, in the order of their numbers.
package struct DeclaredWords<Word: DeclaredWord>: Sendable {
    package let all: [Word]

    package init(of systems: [EvidenceSystem]) {
        all = systems.flatMap(Word.words).sorted { $0.number < $1.number }
    }

    /// The place among all of a record's word, if it is registered.
    package func index(of word: TraceWord<Word>) -> Int? {
        all.firstIndex { $0.number == word.number }
    }

    /// The word of a record, if it is registered.
    package subscript(word: TraceWord<Word>) -> Word? { index(of: word).map { all[$0] } }

    /// The word of this name in a trace, if it is registered.
    package subscript(name: String) -> Word? { all.first { $0.name == name } }

    /// Why they cannot be told apart, if they cannot.
    var conflict: String? {
        if Set(all.map(\.name)).count < all.count { return "two \(Word.noun)s share a name" }
        let areMany = Set(all.map(\.number)).count < all.count
        return areMany ? "two \(Word.noun)s share a number" : nil
    }
}
