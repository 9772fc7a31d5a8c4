/// What was done to one row of a replicated table: the unit that replicas and their primary exchange.
///
/// A change says what a column is now, never how it came about, so that applying it twice has the effect of
/// applying it once. Applying is the same on both sides: an insert sets the columns that it names and
/// makes the row if there is none, the rest of a new row being the schema's defaults; an update sets
/// columns of a row that is there, and is nothing where there is none; a delete of no row is nothing.
///
/// An update or a delete is of the row that the replica knew. If another replica has made a row of that
/// name anew behind the position to which the log was known when the change was made, the primary sets the
/// change aside: in the log stands, under its number, an insert of the row as it is, so that the new row is
/// everywhere untouched.
public struct ReplicaChange: Sendable, Equatable {
    /// What was done.
    public enum Kind: String, Sendable, Equatable, CaseIterable {
        /// The row was made, with all its columns.
        case insert
        /// Some of its columns were set.
        case update
        /// It was deleted.
        case delete
    }

    /// The row's table.
    public var table: String
    /// The row's key: the text in the table's column `id`.
    public var key: String
    /// What was done to the row.
    public var kind: Kind
    /// The columns set, sorted by name, without the key; none where the row was deleted.
    public var columns: [ReplicaColumn]

    /// Makes a change.
    public init(table: String, key: String, kind: Kind, columns: [ReplicaColumn] = []) {
        self.table = table
        self.key = key
        self.kind = kind
        self.columns = columns
    }
}

/// How far a replica knew a primary's log.
public struct LogPosition: Sendable, Equatable {
    /// The generation of the log; `nil` for that of the exchange in which it is said.
    public var generation: String?
    /// The position of the last change that it knew; 0 if it knew none.
    public var position: Int64

    /// Makes a position.
    public init(generation: String? = nil, position: Int64) {
        self.generation = generation
        self.position = position
    }
}

/// A change that was made here and that the primary may not have yet.
public struct UnsentChange: Sendable, Equatable {
    /// Its number among this replica's changes: from 1, rising, never given twice.
    public var sequence: Int64
    /// What was done.
    public var change: ReplicaChange
    /// How far the log was known when the change was made; `nil` if that was not kept, and then as far as in
    /// the exchange that hands it over.
    public var madeAt: LogPosition?

    /// Numbers a change.
    public init(sequence: Int64, change: ReplicaChange, madeAt: LogPosition? = nil) {
        self.sequence = sequence
        self.change = change
        self.madeAt = madeAt
    }
}

/// A change as the primary's log has it.
public struct LoggedChange: Sendable, Equatable {
    /// Its place in the log: from 1, without gaps.
    public var position: Int64
    /// The replica that made it.
    public var replica: String
    /// Its number among that replica's changes.
    public var sequence: Int64
    /// What was done.
    public var change: ReplicaChange

    /// Places a change in the log.
    public init(position: Int64, replica: String, sequence: Int64, change: ReplicaChange) {
        self.position = position
        self.replica = replica
        self.sequence = sequence
        self.change = change
    }
}
