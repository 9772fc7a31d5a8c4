import KodamaEvidence

/// The cases of an enumeration as scenario files write them: their names, with hyphens.
package struct CaseWords<Value: CaseIterable & Equatable & Sendable>: Sendable {
    /// The cases, in their order.
    package let values: [Value]
    /// Their words, in the same order: `joinElsewhere` is `join-elsewhere`.
    let words: [String]

    /// Takes the words of a type's cases, which must have no payload.
    package init(of type: Value.Type) {
        values = Array(Value.allCases)
        words = values.map { Hyphenation.words(of: "\($0)") }
    }

    /// The case that a word names.
    package subscript(word: String) -> Value? {
        words.firstIndex(of: word).map { values[$0] }
    }

    /// The index of a case among the cases.
    func index(of value: Value) -> Int {
        values.firstIndex(of: value) ?? 0
    }

    /// The words as choices of the language.
    package var choices: [Choice] {
        words.map { Choice(word: $0, summary: "") }
    }
}
