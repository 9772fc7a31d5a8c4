/// A value whose shape has been found right, with its position.
public struct CheckedValue: Sendable, Equatable {
    /// What it says.
    var content: Content
    /// Where it stands.
    package var place: Place
    /// What was written, if it is a single value.
    var written = ""
    /// How many scalars lie between its place and what was written: 1 for a quote.
    var lead = 0
    /// Whether keys that nobody knows have been left out of it.
    var lacksUnknownKeys = false
    /// Whether faulty entries have been left out of it.
    var lacksEntries = false
    /// Whether it stands nowhere in the file and holds because nothing else does.
    var isDefault = false

    /// What a value of the language can say.
    indirect enum Content: Sendable, Equatable {
        /// Names, words and free text.
        case text(String)
        /// Whole numbers, and quantities in the unit of their kind.
        case number(Int64)
        /// Times of day, in nanoseconds since midnight.
        case timeOfDay(Int64)
        /// Truth values.
        case boolean(Bool)
        /// A limit whose value waits for its metric's unit.
        case bound(BoundText)
        /// Entries; faulty ones are left out.
        case list([CheckedValue])
        /// Keys with values.
        case mapping([CheckedField])
    }

    /// The value behind `key`, if there is one and it is sound.
    public subscript(key: String) -> CheckedValue? {
        field(key)?.value
    }

    /// The key and its value, sound or not.
    package func field(_ key: String) -> CheckedField? {
        fields.first { $0.key == key }
    }

    /// The keys and values of a mapping.
    package var fields: [CheckedField] {
        guard case .mapping(let fields) = content else { return [] }
        return fields
    }

    /// The entries of a list.
    package var entries: [CheckedValue] {
        guard case .list(let entries) = content else { return [] }
        return entries
    }

    /// The text.
    package var text: String? {
        guard case .text(let text) = content else { return nil }
        return text
    }

    /// The whole number, or the quantity in the unit of its kind.
    public var number: Int64? {
        guard case .number(let number) = content else { return nil }
        return number
    }

    /// The time of day, since midnight.
    package var timeOfDay: Duration? {
        guard case .timeOfDay(let nanoseconds) = content else { return nil }
        return .nanoseconds(nanoseconds)
    }

    /// The truth value.
    package var boolean: Bool? {
        guard case .boolean(let boolean) = content else { return nil }
        return boolean
    }

    /// The limit.
    var bound: BoundText? {
        guard case .bound(let bound) = content else { return nil }
        return bound
    }

    /// The time.
    package var duration: Duration? {
        number.map { .nanoseconds($0) }
    }
}

/// A key of a mapping with its value.
package struct CheckedField: Sendable, Equatable {
    /// The key.
    package var key: String
    /// Where the key stands.
    var keyPlace: Place
    /// The value; `nil` if it is faulty, which has been reported.
    var value: CheckedValue?
}
