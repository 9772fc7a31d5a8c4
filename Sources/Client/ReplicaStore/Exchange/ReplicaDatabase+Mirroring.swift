import GRDB
package import ReplicaChanges

/// What a store needs whose rows follow a mirror without an order instead of a primary's log.
///
/// File, tables, capture, outbox and rescue are a replica's; which value counts is the store's
/// business.
extension ReplicaDatabase {
    /// Reads and writes rows in one transaction, which is undone if the body throws.
    package func withRows<Value>(
        _ body: (ReplicaRows) throws -> Value
    ) throws(Failure) -> Value {
        try write { try body(ReplicaRows(database: $0, tables: self.tables)) }
    }

    /// The version of the schema that the file has.
    package var schemaVersion: Int { tables.version }

    /// The tables that the file has.
    package var tableNames: [String] { tables.tables.map(\.name) }

    /// The columns of a table but its key, sorted by name; none if there is no such table.
    package func columns(of table: String) -> [ReplicaSchema.Column] {
        tables[table]?.columns ?? []
    }
}

/// The rows of a file while a transaction runs.
package struct ReplicaRows {
    /// A row of a table.
    package struct Row: Sendable, Equatable {
        /// Its key.
        package var key: String
        /// All its columns, sorted by name.
        package var columns: [ReplicaColumn]
    }

    fileprivate let database: Database
    fileprivate let tables: ReplicaTables

    fileprivate init(database: Database, tables: ReplicaTables) {
        (self.database, self.tables) = (database, tables)
    }

    /// Some rows of a table.
    ///
    /// - Parameters:
    ///   - table: The table.
    ///   - condition: What follows `WHERE`, with the order and the number of rows.
    ///   - values: What its question marks stand for.
    /// - Returns: The rows.
    /// - Throws: What SQLite says, or that a value cannot be read.
    package func rows(
        of table: String,
        where condition: String,
        _ values: [ReplicaValue] = []
    ) throws -> [Row] {
        guard let known = tables[table] else {
            throw ReplicaDatabase.Failure.refused("there is no table '\(table)'")
        }
        let sql = "SELECT \(known.columnList) FROM \"\(known.name)\" WHERE \(condition)"
        return try database.all(sql, values) { raw in
            guard let key = raw.text(0) else {
                throw ReplicaDatabase.Failure.damaged("a row has no key")
            }
            let columns = try known.columns.enumerated().map { offset, column in
                guard let value = raw.value(Int32(offset + 1)) else {
                    throw ReplicaDatabase.Failure.damaged("a value cannot be read")
                }
                return ReplicaColumn(column.name, value)
            }
            return Row(key: key, columns: columns)
        }
    }

    /// The row of a key; `nil` if there is none.
    package func row(of table: String, _ key: String) throws -> Row? {
        try rows(of: table, where: "\"id\" = ?", [.text(key)]).first
    }

    /// Applies a change that was made here: it goes into the outbox.
    package func write(_ change: ReplicaChange) throws {
        try database.apply(change, in: tables)
    }

    /// Applies a change that was made elsewhere: it does not go into the outbox.
    package func take(_ change: ReplicaChange) throws {
        try database.applying { try database.apply(change, in: tables) }
    }

    /// Puts columns of a row into the outbox that are as they were.
    package func queueAgain(
        _ columns: [ReplicaColumn],
        of table: String,
        _ key: String
    ) throws {
        try database.run(
            "INSERT INTO _outbox (\"table\", \"key\", kind, columns) VALUES (?, ?, 'update', ?)",
            [.text(table), .text(key), .text(ReplicaChange.columnText(of: columns))]
        )
    }

    /// Notes that all changes of a row up to a number are where they were to go.
    package func markSent(_ table: String, _ key: String, through sequence: Int64) throws {
        try database.run(
            """
            UPDATE _outbox SET isSent = 1, logged = 0
            WHERE "table" = ? AND "key" = ? AND sequence <= ?
            """,
            [.text(table), .text(key), .integer(sequence)]
        )
    }

    /// Removes what was sent, from the oldest on.
    package func removeSent() throws {
        try database.removeDurable(through: 0)
    }
}
