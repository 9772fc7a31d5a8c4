import DatabaseFiles
import GRDB
import ReplicaChanges
import ReplicaSync

/// What a replica's file says about itself, in the one row of `_state`.
struct FileState: Sendable, Equatable {
    /// The form of the store's own tables that this version makes.
    ///
    /// The second has the first's tables at the same pages, with checksums (see `addSeals`); the third keeps
    /// with each change of the outbox how far the log was known (see `addMadeAt`); the fourth says in three
    /// places whose the file is (see `addOwner`), and keeps changes that were refused (see `addRefused`).
    static let form: Int64 = 4
    /// The forms whose new files' first page `DamagedFile` tries; the first's is as good as the second's.
    static let formsWithOwnFirstPage: [Int64] = [4, 3, 2]

    /// The replica's name.
    var replica: String
    /// The version of the schema that the replicated tables have.
    var schema: Int64 = 0
    /// The generation of the primary whose rows these are; `nil` before the first snapshot.
    var generation: String?
    /// How far the primary's log is applied.
    var position: Int64 = 0
    /// The highest number of a change that has left the outbox, and all below it have.
    var removed: Int64 = 0
    /// The database that the file follows; `nil` before its user's is known.
    var database: String?
    /// Whose it is until then; `nil` if it is nobody's, or of a file that may be damaged.
    var claimant: String?
    /// What was saved of the damaged file that this one replaced, until the app has shown it.
    var rescue: ReplicaDatabase.Rescue?

    /// The store's own tables in their first form.
    ///
    /// No name of a replicated table begins with an underscore. They come first in a new file, so
    /// that they begin at the same pages in every file.
    static let creation = """
        CREATE TABLE _state (
            only INTEGER PRIMARY KEY CHECK (only = 1),
            form INTEGER NOT NULL,
            replica TEXT NOT NULL,
            schema INTEGER NOT NULL,
            generation TEXT,
            position INTEGER NOT NULL,
            removed INTEGER NOT NULL,
            database TEXT,
            isApplying INTEGER NOT NULL DEFAULT 0,
            stagedGeneration TEXT,
            stagedPosition INTEGER,
            stagedApplied INTEGER,
            rescuedCount INTEGER,
            isRescueComplete INTEGER,
            rescueSetAside TEXT
        ) STRICT;
        CREATE TABLE _outbox (
            sequence INTEGER PRIMARY KEY AUTOINCREMENT,
            "table" TEXT NOT NULL,
            "key" TEXT NOT NULL,
            kind TEXT NOT NULL,
            columns TEXT NOT NULL,
            isSent INTEGER NOT NULL DEFAULT 0,
            logged INTEGER
        ) STRICT;
        CREATE INDEX _outboxByRow ON _outbox ("table", "key");
        """

    /// How the replica stands.
    var standing: ReplicaStanding {
        ReplicaStanding(
            replica: replica,
            schema: Int(schema),
            generation: generation,
            position: position,
            database: database,
            claimant: claimant
        )
    }
}

extension FileState {
    /// Reads the row; `nil` if there is none or one that makes no sense.
    static func read(from database: Database) throws -> FileState? {
        let heldBack = try database.has("heldBackCount", in: "_state") ? "heldBackCount" : "NULL"
        let states = try database.all(
            """
            SELECT replica, schema, generation, position, removed, database,
                rescuedCount, isRescueComplete, rescueSetAside, \(heldBack)
            FROM _state
            """
        ) { row -> FileState? in
            guard let replica = row.text(0), !replica.isEmpty, let schema = row.integer(1),
                row.isTextOrNull(2), let position = row.integer(3),
                let removed = row.integer(4), row.isTextOrNull(5), schema >= 0, position >= 0,
                removed >= 0
            else { return nil }
            var rescue: ReplicaDatabase.Rescue?
            if let count = row.integer(6), let isComplete = row.integer(7) {
                rescue = ReplicaDatabase.Rescue(
                    unsentCount: Int(clamping: count),
                    heldBackCount: Int(clamping: row.integer(9) ?? 0),
                    isComplete: isComplete != 0,
                    setAside: row.text(8)
                )
            }
            return FileState(
                replica: replica,
                schema: schema,
                generation: row.text(2),
                position: position,
                removed: removed,
                database: row.text(5),
                rescue: rescue
            )
        }
        return states.count == 1 ? states[0] : nil
    }

    /// The form and the schema's version that a file says it has, if its state is as it was written.
    ///
    /// The first form has no checksums.
    static func soundVersions(of file: Database) throws -> (form: Int64, schema: Int64)? {
        let isSound =
            try file.isSealed("_state")
            ? "CASE form WHEN 1 THEN checksum IS NULL ELSE \(file.sealCheck(of: "_state")) END"
            : "form = 1"
        let sql = "SELECT form, schema FROM _state WHERE isApplying = 0 AND \(isSound)"
        let found = try file.all(sql) { row in
            (form: row.integer(0) ?? 0, schema: row.integer(1) ?? -1)
        }
        guard found.count == 1, found[0].form > 0, found[0].schema >= 0 else { return nil }
        return found[0]
    }

    /// Whether a later version of the app wrote a file that says this, where the app knows the schema up to a version.
    static func isLater(_ said: (form: Int64, schema: Int64), than schema: Int) -> Bool {
        said.form > form || said.schema > Int64(schema)
    }

    /// Gives the store's own tables of the first form checksums, and the replicated tables' rows a
    /// place for theirs: a column of their own would be the app's.
    static func addSeals(to file: Database) throws {
        try file.seal("_state")
        try file.seal("_outbox")
        try file.execute(
            sql: """
                CREATE TABLE _rowSeals (
                    "table" TEXT NOT NULL,
                    "key" TEXT NOT NULL,
                    checksum INTEGER NOT NULL,
                    PRIMARY KEY ("table", "key")
                ) STRICT, WITHOUT ROWID
                """
        )
    }

    /// Makes room in the outbox for how far the log was known when a change was made.
    static func addMadeAt(to file: Database) throws {
        try file.widen(sealed: "_outbox", by: ["madeIn TEXT", "madeAt INTEGER"])
    }

    /// Makes the store's own tables with this state, in the present form or an earlier one.
    ///
    /// - Parameters:
    ///   - file: A file without tables.
    ///   - owner: Whose it is, if it is anybody's.
    ///   - form: The form.
    /// - Throws: What SQLite says.
    func make(in file: Database, of owner: FileOwner? = nil, form: Int64 = Self.form) throws {
        let count = rescue.map { ReplicaValue.integer(Int64($0.unsentCount)) }
        let isComplete = rescue.map { ReplicaValue.integer($0.isComplete ? 1 : 0) }
        let setAside = rescue?.setAside.map(ReplicaValue.text)
        try file.execute(sql: Self.creation)
        try file.run(
            """
            INSERT INTO _state (
                only, form, replica, schema, generation, position, removed, database,
                rescuedCount, isRescueComplete, rescueSetAside
            ) VALUES (1, ?, ?, ?, NULL, ?, ?, ?, ?, ?, ?)
            """,
            [
                .integer(form), .text(replica), .integer(schema), .integer(position),
                .integer(removed), owner?.database.map(ReplicaValue.text) ?? .null,
                count ?? .null, isComplete ?? .null, setAside ?? .null,
            ]
        )
        try Self.addSeals(to: file)
        if form > 2 { try Self.addMadeAt(to: file) }
        guard form > 3 else { return }
        try Self.addOwner(to: file)
        try Self.addRefused(to: file)
        try file.note(owner: owner)
        if let count = rescue?.heldBackCount {
            try file.run("UPDATE _state SET heldBackCount = ?", [.integer(Int64(count))])
        }
    }
}

extension Database {
    /// The file's state.
    func state() throws -> FileState {
        guard var state = try FileState.read(from: self) else {
            throw ReplicaDatabase.Failure.damaged("its state cannot be read")
        }
        if state.database == nil, try has("owner", in: "_owner") {
            state.claimant = try (soundOwner() ?? nil)?.user
        }
        return state
    }

    /// Does something to the rows that the triggers are not to capture.
    ///
    /// The flag is set and cleared in the transaction that is under way: no crash can leave it.
    func applying(_ body: () throws -> Void) throws {
        try run("UPDATE _state SET isApplying = 1")
        try body()
        try run("UPDATE _state SET isApplying = 0")
    }

    /// Applies a change as the primary does (see `ReplicaChange`).
    ///
    /// - Parameters:
    ///   - change: What to apply.
    ///   - tables: The tables of the file's schema.
    ///   - isStaged: Whether to the rows put aside instead.
    /// - Throws: That the change does not fit the tables, or what SQLite says.
    func apply(_ change: ReplicaChange, in tables: ReplicaTables, isStaged: Bool = false) throws {
        guard tables.takes(change), let table = tables[change.table] else {
            throw ReplicaDatabase.Failure.refused(
                "a change of '\(change.table)' does not fit the schema"
            )
        }
        let name = isStaged ? table.stagedName : table.name
        let values = change.columns.map(\.value)
        let key = ReplicaValue.text(change.key)
        switch change.kind {
        case .insert:
            try run(ReplicaTable.insertion(of: change.columns, into: name), [key] + values)
        case .update:
            guard !change.columns.isEmpty else { return }
            try run(ReplicaTable.update(of: change.columns, in: name), values + [key])
        case .delete:
            try run("DELETE FROM \"\(name)\" WHERE \"id\" = ?", [key])
        }
    }
}
