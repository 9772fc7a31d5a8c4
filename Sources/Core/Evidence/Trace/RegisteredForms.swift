/// The forms of all systems' records, found by kind and by name.
public struct RegisteredForms: Sendable {
    /// What is known of a kind of record.
    public struct Entry: Sendable {
        /// The kind.
        public let kind: TraceKind
        /// What its records and their values are called.
        public let text: TraceFormText
    }

    /// The entries in the order of the kinds' numbers, then of their systems.
    public let entries: [Entry]
    /// By the kind's code the position of its entry; `.max` where there is none.
    fileprivate let positions: [UInt16]

    /// Registers the forms of systems, with the words that these declare; no two may share a kind or a name.
    package init(_ systems: [EvidenceSystem]) {
        let entries = systems.flatMap(\.forms)
            .map { Entry(kind: $0.kind, text: $0.text.naming(wordsOf: systems)) }
            .sorted {
                ($0.kind.number, $0.kind.system.byte) < ($1.kind.number, $1.kind.system.byte)
            }
        precondition(
            Set(entries.map(\.text.name)).count == entries.count,
            "two kinds of record share a name"
        )
        let limit = entries.map { Int($0.kind.code) + 1 }.max() ?? 0
        var positions = Array(repeating: UInt16.max, count: limit)
        for (position, entry) in entries.enumerated() {
            let code = Int(entry.kind.code)
            precondition(positions[code] == .max, "\(entry.text.name) has the kind of another form")
            positions[code] = UInt16(position)
        }
        self.entries = entries
        self.positions = positions
    }

    /// What is known of a kind, which must be registered.
    public subscript(kind: TraceKind) -> Entry { entries[Int(positions[Int(kind.code)])] }

    /// The kind called `name`, if there is one.
    public func kind(named name: String) -> TraceKind? {
        entries.first { $0.text.name == name }?.kind
    }
}

/// A value for each registered kind of record.
package struct KindTable<Value: Sendable>: Sendable {
    @usableFromInline var positions: [UInt16]
    @usableFromInline var values: [Value]

    /// Makes a table without kinds, for a run that has not begun.
    @inlinable package init() {
        positions = []
        values = []
    }

    /// Makes a table of `value` for each kind.
    package init(_ forms: RegisteredForms, _ value: (RegisteredForms.Entry) -> Value) {
        positions = forms.positions
        values = forms.entries.map(value)
    }

    /// Makes a table of `value` for every kind.
    package init(_ forms: RegisteredForms, repeating value: Value) {
        self.init(forms) { _ in value }
    }

    /// The value of a kind, which must be registered.
    @inlinable package subscript(kind: TraceKind) -> Value {
        get { values[Int(positions[Int(kind.code)])] }
        set { values[Int(positions[Int(kind.code)])] = newValue }
    }
}
