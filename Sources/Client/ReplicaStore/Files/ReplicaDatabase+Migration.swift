import DatabaseFiles
import GRDB
import ReplicaChanges

/// The way from one version of the schema to the next (RP-05).
extension ReplicaDatabase {
    /// Brings a file to the last version, each version in a transaction of its own.
    ///
    /// - Parameters:
    ///   - queue: The file.
    ///   - versions: The tables at each version.
    ///   - beforeCommit: Called before each transaction ends.
    /// - Throws: What SQLite or `beforeCommit` says; the version that was under way is undone.
    static func migrate(
        _ queue: DatabaseQueue,
        through versions: [ReplicaTables],
        _ beforeCommit: (Int) throws -> Void
    ) throws {
        let present = try queue.read { try $0.state().schema }
        try queue.write { try $0.settle(versions[Int(present)]) }
        for version in versions.indices.dropFirst(Int(present) + 1) {
            try queue.write { database in
                try database.migrate(from: versions[version - 1], to: versions[version])
                try database.run("UPDATE _state SET schema = ?", [.integer(Int64(version))])
                try beforeCommit(version)
            }
        }
        // A later version of the app may capture in another way.
        let tables = versions[versions.count - 1]
        guard try queue.read({ try !$0.captures(tables) }) else { return }
        try queue.write { try $0.capture(tables) }
    }
}

extension Database {
    /// Brings the store's own tables to their present form, and forgets a snapshot that a process
    /// before had begun: it begins again.
    fileprivate func settle(_ tables: ReplicaTables) throws {
        let staged = "SELECT 1 FROM sqlite_master WHERE name LIKE '^_staged^_%' ESCAPE '^'"
        if try !all(staged, [], { _ in true }).isEmpty { try dropStaged(in: tables) }
        guard try !has("owner", in: "_outbox") else { return }
        if try !isSealed("_state") {
            try FileState.addSeals(to: self)
            for table in tables.tables { try sealRows(of: table) }
        }
        if try !has("madeAt", in: "_outbox") { try FileState.addMadeAt(to: self) }
        try FileState.addOwner(to: self)
        try FileState.addRefused(to: self)
        try note(owner: state().database.map(FileOwner.database))
        try capture(tables)
        try run("UPDATE _state SET form = ?", [.integer(FileState.form)])
    }

    fileprivate func migrate(from old: ReplicaTables, to new: ReplicaTables) throws {
        // Rows that a snapshot had put aside lack what is new; it begins again.
        try dropStaged(in: old)
        for table in new.tables {
            guard let former = old[table.name] else {
                try execute(sql: table.creation(as: table.name))
                continue
            }
            let added = table.columns.filter { former[column: $0.name] == nil }
            guard !added.isEmpty else { continue }
            for column in added { try execute(sql: table.addition(of: column)) }
            try sealRows(of: table)
            try widenOutbox(of: table)
        }
        try capture(new)
    }

    /// Gives the inserts that the outbox keeps of a table the columns that are new.
    ///
    /// An insert names all columns, so that a row with one in the outbox does not hang on what the
    /// log had of it: that is why changes can be applied on top of others without undoing any.
    private func widenOutbox(of table: ReplicaTable) throws {
        let inserts = try outbox(where: "\"table\" = ? AND kind = 'insert'", [.text(table.name)])
        for entry in inserts {
            let columns = ReplicaChange.columnText(of: table.whole(entry.change.columns))
            try run(
                "UPDATE _outbox SET columns = ? WHERE sequence = ?",
                [.text(columns), .integer(entry.sequence)]
            )
        }
    }

    // MARK: Capture

    /// Whether the file captures as this version of the app does.
    fileprivate func captures(_ tables: ReplicaTables) throws -> Bool {
        let wanted = tables.tables.flatMap(\.triggers)
        for trigger in wanted {
            let sql = "SELECT sql FROM sqlite_master WHERE type = 'trigger' AND name = ?"
            let found = try all(sql, [.text(trigger.name)]) { $0.text(0) }
            guard found == [trigger.sql] else { return false }
        }
        return try triggerNames().count == wanted.count
    }

    /// Makes the triggers of these tables, and drops all others, with what damage has made of their names:
    /// they would change rows, or have them sent, in the user's name.
    fileprivate func capture(_ tables: ReplicaTables) throws {
        for name in try triggerNames() {
            // By bytes, as SQLite reads it: a quotation mark with an accent is another `Character`.
            let quote = UInt8(ascii: "\"")
            let bytes = name.utf8.flatMap { $0 == quote ? [quote, quote] : [$0] }
            try execute(sql: "DROP TRIGGER \"\(String(decoding: bytes, as: UTF8.self))\"")
        }
        for trigger in tables.tables.flatMap(\.triggers) { try execute(sql: trigger.sql) }
    }

    /// All triggers but those that seal the store's own tables.
    private func triggerNames() throws -> [String] {
        try all(
            """
            SELECT name FROM sqlite_master WHERE type = 'trigger'
                AND NOT (tbl_name LIKE '^_%' ESCAPE '^' AND name LIKE '^_seal^_%' ESCAPE '^')
            ORDER BY name
            """
        ) { $0.text(0) }.compactMap { $0 }
    }
}
