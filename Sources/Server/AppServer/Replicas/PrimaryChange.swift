/// A value in a column of a primary: what SQLite, JSON and Swift all keep exactly.
public enum PrimaryValue: Sendable, Equatable {
    /// SQL's `NULL`.
    case null
    /// A whole number.
    case integer(Int64)
    /// Text.
    case text(String)

    /// Whether two values are one to SQLite, which tells apart two spellings of an accented letter.
    public static func == (left: PrimaryValue, right: PrimaryValue) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.integer(let left), .integer(let right)): left == right
        case (.text(let left), .text(let right)): left.utf8.elementsEqual(right.utf8)
        case (.null, _), (.integer, _), (.text, _): false
        }
    }
}

/// A column of a row with its value.
public struct PrimaryColumn: Sendable, Equatable {
    /// The column's name.
    public var name: String
    /// Its value.
    public var value: PrimaryValue

    /// Names a value.
    public init(_ name: String, _ value: PrimaryValue) {
        self.name = name
        self.value = value
    }
}

/// What was done to one row of a primary: the server's side of what replicas send and get (RP-04).
///
/// It says what columns are now. An insert sets the columns that it names and makes the row if there
/// is none, the rest of a new row being the schema's standards; an update sets columns of a row that
/// is there and is nothing where there is none; a delete of no row is nothing.
public struct PrimaryChange: Sendable, Equatable {
    /// What was done.
    public enum Kind: String, Sendable, Equatable {
        /// The row was made.
        case insert
        /// Some of its columns were set.
        case update
        /// It was deleted.
        case delete
    }

    /// The row's table.
    public var table: String
    /// The row's key.
    public var key: String
    /// What was done to the row.
    public var kind: Kind
    /// The columns set, sorted by name, without the key; none where the row was deleted.
    public var columns: [PrimaryColumn]

    /// Makes a change.
    public init(table: String, key: String, kind: Kind, columns: [PrimaryColumn] = []) {
        self.table = table
        self.key = key
        self.kind = kind
        self.columns = columns
    }
}

/// A change in a primary's log.
public struct PrimaryEntry: Sendable, Equatable {
    /// Its place in the log: from 1, without gaps.
    public var position: Int64
    /// The replica that made it.
    public var replica: String
    /// Its number among that replica's changes.
    public var sequence: Int64
    /// What was done; an insert that made the row names all of its columns.
    public var change: PrimaryChange

    /// Places a change in a log.
    public init(position: Int64, replica: String, sequence: Int64, change: PrimaryChange) {
        self.position = position
        self.replica = replica
        self.sequence = sequence
        self.change = change
    }
}

/// What a replica says and asks in one exchange: the body of `POST /db/ID/sync`.
public struct PrimaryExchange: Sendable, Equatable {
    /// A change that a replica hands over.
    public struct Push: Sendable, Equatable {
        /// Its number among the replica's changes.
        public var sequence: Int64
        /// What was done.
        public var change: PrimaryChange

        /// Numbers a change.
        public init(sequence: Int64, change: PrimaryChange) {
            self.sequence = sequence
            self.change = change
        }
    }

    /// The replica's name.
    public var replica: String
    /// The version of its schema.
    public var schema: Int
    /// The generation of the primary that it follows.
    public var generation: String
    /// How far it has the primary's log.
    public var position: Int64
    /// Changes of its own, in the order of their numbers.
    public var changes: [Push]

    /// Makes an exchange.
    public init(
        replica: String,
        schema: Int,
        generation: String,
        position: Int64,
        changes: [Push]
    ) {
        self.replica = replica
        self.schema = schema
        self.generation = generation
        self.position = position
        self.changes = changes
    }
}
