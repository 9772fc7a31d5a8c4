import GRDB
public import ReplicaChanges

extension ReplicaDatabase {
    /// Opens the database, makes it if there is none, and brings it to the schema (RP-05).
    ///
    /// A damaged one is set aside and a new one made, with what could be read of its outbox
    /// (RP-07).
    ///
    /// - Parameters:
    ///   - place: Where it is.
    ///   - schema: The schema that this version of the app knows.
    ///   - newReplica: The name that the replica gets if it is new; never given before.
    /// - Returns: The database, and how it was found.
    /// - Throws: Why it cannot be used; its rows are then as they were.
    public static func open(
        _ place: Place,
        schema: ReplicaSchema,
        newReplica: String
    ) throws(Failure) -> Opening {
        try open(place, schema: schema, newReplica: newReplica, beforeMigrationCommits: { _ in })
    }

    /// Opens the database as an app does that may end in the middle of a migration.
    ///
    /// - Parameters:
    ///   - place: Where it is.
    ///   - schema: The schema that this version of the app knows.
    ///   - newReplica: The name that the replica gets if it is new.
    ///   - beforeMigrationCommits: Called with each version; an error undoes it.
    ///   - leave: Called with what is left of an image if a migration was cut short.
    /// - Returns: The database, and how it was found.
    /// - Throws: Why it cannot be used.
    package static func open(
        _ place: Place,
        schema: ReplicaSchema,
        newReplica: String,
        beforeMigrationCommits: (Int) throws -> Void,
        leave: ([UInt8]) -> Void = { _ in }
    ) throws(Failure) -> Opening {
        let versions = try ReplicaTables.all(of: schema)
        let tables = versions[versions.count - 1]
        guard !newReplica.isEmpty else { throw .refused("a replica needs a name") }
        var isNew = false
        let queue: DatabaseQueue
        switch try find(place, versions) {
        case .sound(let found): queue = found
        case .missing:
            isNew = true
            queue = try make(at: place, Salvage(), newReplica)
        case .damaged: queue = try rebuild(place, tables, newReplica)
        }
        let rescue = try catching { () throws -> Rescue? in
            do {
                try migrate(queue, through: versions, beforeMigrationCommits)
            } catch {
                if case .image = place { leave(try queue.inDatabase { try $0.image() }) }
                throw error
            }
            let state = try queue.read { try $0.state() }
            // Until there is a snapshot the rows are the outbox; the process may have ended before
            // it was applied.
            if state.rescue != nil, state.generation == nil {
                try queue.write { try $0.reapplyOutbox(in: tables) }
            }
            return state.rescue
        }
        return Opening(
            database: ReplicaDatabase(queue: queue, tables: tables),
            isNew: isNew,
            rescue: rescue
        )
    }

    // MARK: Finding

    private enum Found {
        case missing
        case damaged
        case sound(DatabaseQueue)
    }

    private static func find(
        _ place: Place,
        _ versions: [ReplicaTables]
    ) throws(Failure) -> Found {
        do {
            let queue: DatabaseQueue
            let byteCount: Int
            switch place {
            case .image(let image):
                guard let image else { return .missing }
                guard !image.isEmpty else { return .damaged }
                queue = try DatabaseQueue.inMemory(image)
                byteCount = image.count
            case .file(let path):
                guard Disk.exists(path) else { return .missing }
                queue = try DatabaseQueue(path: path)
                byteCount = Disk.byteCount(of: path) ?? 0
            }
            let isWhole = try queue.inDatabase { try isSound($0, byteCount, versions) }
            guard isWhole else { return .damaged }
            return .sound(queue)
        } catch let failure as Failure {
            throw failure
        } catch let error as DatabaseError where error.isDamage {
            return .damaged
        } catch {
            return try catching { throw error }
        }
    }

    /// Whether a file is whole, and one of ours.
    ///
    /// Nothing is written to it before its version is known.
    private static func isSound(
        _ database: Database,
        _ byteCount: Int,
        _ versions: [ReplicaTables]
    ) throws -> Bool {
        let forms = try database.all("SELECT form, schema FROM _state") { row in
            (form: row.integer(0) ?? 0, schema: row.integer(1) ?? -1)
        }
        guard forms.count == 1, forms[0].form > 0, forms[0].schema >= 0 else { return false }
        // What is cut within a page SQLite reads as zeros.
        let pageSizes = try database.all("PRAGMA page_size") { $0.integer(0) ?? 0 }
        guard let pageSize = pageSizes.first, pageSize > 0, Int64(byteCount) % pageSize == 0 else {
            return false
        }
        guard try database.all("PRAGMA quick_check(1)", [], { $0.text(0) }) == ["ok"] else {
            return false
        }
        guard forms[0].form <= FileState.form, forms[0].schema < Int64(versions.count) else {
            throw Failure.writtenByLaterVersion
        }
        guard let state = try FileState.read(from: database) else { return false }
        // A table or column that is missing is an error of the query.
        let tables = versions[Int(state.schema)]
        for table in tables.tables {
            try database.each("SELECT \(table.columnList) FROM \"\(table.name)\" LIMIT 0") { _ in
                false
            }
        }
        // A file that was rebuilt and not migrated to the end keeps changes of the last version.
        let latest = versions[versions.count - 1]
        guard try database.isOutboxSound(removed: state.removed, latest) else { return false }
        // As `image()` needs it, and see the type's comment.
        try database.each("PRAGMA journal_mode = DELETE") { _ in true }
        return true
    }

    // MARK: Making

    /// Makes a database with what was saved of a damaged one, which it replaces all at once.
    private static func make(
        at place: Place,
        _ salvage: Salvage,
        _ newReplica: String
    ) throws(Failure) -> DatabaseQueue {
        guard case .file(let path) = place else {
            return try catching {
                let queue = try DatabaseQueue.inMemory(nil)
                try fill(queue, salvage, newReplica)
                return queue
            }
        }
        // A file that is not there yet has no name: an empty one under its name would be a damaged
        // one.
        let unfinished = path + ".new"
        Disk.remove(unfinished)
        return try catching {
            let queue = try DatabaseQueue(path: unfinished)
            try fill(queue, salvage, newReplica)
            try queue.close()
            guard Disk.move(unfinished, to: path) else {
                throw Failure.refused("the new file cannot be named")
            }
            return try DatabaseQueue(path: path)
        }
    }

    private static func fill(
        _ queue: DatabaseQueue,
        _ salvage: Salvage,
        _ newReplica: String
    ) throws {
        try queue.inDatabase { database in
            // Where the own tables begin must not hang on how SQLite was built (see `DamagedFile`).
            try database.execute(sql: "PRAGMA page_size = 4096; PRAGMA auto_vacuum = NONE")
            try database.inTransaction {
                try salvage.fill(database, newReplica: newReplica)
                return .commit
            }
        }
    }

    // MARK: Damage

    /// Sets a damaged database aside and makes a new one, which keeps what is to be told of it.
    private static func rebuild(
        _ place: Place,
        _ tables: ReplicaTables,
        _ newReplica: String
    ) throws(Failure) -> DatabaseQueue {
        var saved = try salvage(from: place, tables)
        var rescue = Rescue(
            unsentCount: saved.kept.count,
            isComplete: saved.isWhole,
            setAside: nil
        )
        // The user has not been told what was lost before.
        if saved.rescue?.isComplete == false { rescue.isComplete = false }
        if case .file(let path) = place { rescue.setAside = try setAside(path) }
        saved.rescue = rescue
        return try make(at: place, saved, newReplica)
    }

    private static func salvage(
        from place: Place,
        _ tables: ReplicaTables
    ) throws(Failure) -> Salvage {
        let bytes: [UInt8]
        switch place {
        case .image(let image): bytes = image ?? []
        case .file(let path):
            guard let read = Disk.bytes(of: path) else {
                throw .refused("the damaged file cannot be read")
            }
            bytes = read
        }
        return DamagedFile(bytes: bytes, tables: tables).salvage()
    }

    private static func setAside(_ path: String) throws(Failure) -> String {
        guard let name = Disk.setAside(path) else {
            throw .refused("the damaged file cannot be set aside")
        }
        return name
    }
}

extension DatabaseError {
    /// Whether a file that is only looked at answers so because it is damaged.
    fileprivate var isDamage: Bool {
        switch resultCode {
        // A table that is not there is an error of the SQL.
        case .SQLITE_CORRUPT, .SQLITE_NOTADB, .SQLITE_ERROR, .SQLITE_FORMAT, .SQLITE_SCHEMA,
            .SQLITE_TOOBIG:
            true
        default: extendedResultCode == .SQLITE_IOERR_SHORT_READ
        }
    }
}
