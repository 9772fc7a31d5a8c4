/// A value that stands for a word, by its number: a case of an enumeration by its raw value, or what a
/// system declares (`DeclaredWord`).
///
/// A number that is none of the words', such as an HTTP status where failures have words, is kept.
@frozen
public struct TraceWord<Word>: Sendable, Hashable, BitwiseCopyable {
    /// The number in the record.
    public var number: Int64

    /// Stands for any number.
    @inlinable
    public init(number: Int64) {
        self.number = number
    }
}

extension TraceWord where Word: RawRepresentable, Word.RawValue: FixedWidthInteger {
    /// Stands for a case.
    @inlinable
    public init(_ word: Word) {
        number = Int64(word.rawValue)
    }

    /// Stands for a case, or with −1 for none; the enumeration must have no case of that number.
    @inlinable
    public init(_ word: Word?) {
        number = word.map { Int64($0.rawValue) } ?? -1
    }

    /// The case; `nil` if the number is none of the cases'.
    @inlinable
    public var value: Word? { Word.RawValue(exactly: number).flatMap(Word.init(rawValue:)) }
}

/// A value that is yes (1) or no (0).
@frozen
public struct TraceFlag: Sendable, Hashable, BitwiseCopyable {
    /// The number in the record.
    public var number: Int64

    /// Stands for yes or no.
    @inlinable
    public init(_ isSet: Bool) {
        number = isSet ? 1 : 0
    }

    /// Whether it is yes.
    @inlinable
    public var isSet: Bool { number != 0 }
}

/// The words of an enumeration, in the text form written instead of their numbers.
///
/// Records hold numbers, which metrics compare; people read words. A number without a word, such as
/// an HTTP status, is written as it is.
public struct TraceWords: Sendable {
    /// The words in the order of the cases; each once, none of them a number.
    public let words: [String]
    private let numbers: [Int64]

    /// Takes the names of an enumeration's cases, and for none, at −1, `none`.
    package init<Word: CaseIterable & RawRepresentable>(of type: Word.Type, orNone: Bool)
    where Word.RawValue: FixedWidthInteger {
        words = (orNone ? ["none"] : []) + type.allCases.map { Hyphenation.words(of: "\($0)") }
        numbers = (orNone ? [-1] : []) + type.allCases.map { Int64($0.rawValue) }
    }

    /// Takes the names of what systems declare.
    init(of declared: DeclaredWords<some DeclaredWord>) {
        words = declared.all.map(\.name)
        numbers = declared.all.map(\.number)
    }

    /// The word of a number, if it has one.
    public func word(of number: Int64) -> String? {
        numbers.firstIndex(of: number).map { words[$0] }
    }

    /// The number of a word, if it is one of them.
    public func number(of word: String) -> Int64? {
        words.firstIndex(of: word).map { numbers[$0] }
    }
}

/// How names of cases become words for people.
public enum Hyphenation {
    /// The words of a name such as `silentAPI`, lower-case and joined by hyphens: `silent-api`.
    public static func words(of name: String) -> String {
        var words = ""
        var previous: Character?
        for (character, next) in zip(name, name.dropFirst().map(Optional.some) + [nil]) {
            let isStart =
                character.isUppercase
                && (previous?.isUppercase == false
                    || next?.isLowercase == true)
            if isStart, previous != nil { words += "-" }
            words += character.lowercased()
            previous = character
        }
        return words
    }
}
