/// A value in a column: what SQLite, JSON and Swift all keep exactly.
public enum ReplicaValue: Sendable, Equatable {
    /// SQL's `NULL`.
    case null
    /// A whole number; also times and truth values.
    case integer(Int64)
    /// Text; also bytes, as Base64.
    case text(String)

    /// Whether two values are one to SQLite, which tells apart two spellings of an accented letter.
    public static func == (left: ReplicaValue, right: ReplicaValue) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.integer(let left), .integer(let right)): left == right
        case (.text(let left), .text(let right)): left.utf8.elementsEqual(right.utf8)
        case (.null, _), (.integer, _), (.text, _): false
        }
    }
}

/// A column of a row with its value.
public struct ReplicaColumn: Sendable, Equatable {
    /// The column's name.
    public var name: String
    /// Its value.
    public var value: ReplicaValue

    /// Names a value.
    public init(_ name: String, _ value: ReplicaValue) {
        self.name = name
        self.value = value
    }
}
