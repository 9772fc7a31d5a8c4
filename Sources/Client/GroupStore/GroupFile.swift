import DatabaseFiles
import GRDB

/// The file of a `GroupDatabase`: opened if it is sound, else set aside and made anew with all rows
/// that are as they were written.
struct GroupFile {
    /// The tables with what is kept, those first that others refer to.
    static let tables = ["talkGroup", "member", "membership", "invite"]

    let path: String
    let migrator: DatabaseMigrator
    /// What a sound file is like.
    let sound: FileForm

    /// Opens the file, or makes it.
    ///
    /// - Returns: The file in its present form.
    /// - Throws: That a later version wrote it, damaged or not, or that the phone can neither open nor replace it.
    func open() throws -> DatabaseQueue {
        guard Disk.exists(path) else { return try make(from: nil, setAside: nil) }
        guard Disk.isWritable(path) else {
            throw GroupDatabase.Failure.refused("the file may not be written")
        }
        do {
            let sound = try Disk.attempt(path) { () -> DatabaseQueue? in
                let queue = try DatabaseQueue(path: path, configuration: .forGroups)
                if try isSound(queue) { return queue }
                try queue.close()
                return nil
            }
            if let sound { return sound }
        } catch is Disk.Damage {}
        guard let bytes = Disk.bytes(of: path) else {
            throw GroupDatabase.Failure.refused("the damaged file cannot be read")
        }
        guard try !isOfLaterVersion(bytes) else {
            throw GroupDatabase.Failure.writtenByLaterVersion
        }
        guard let setAside = Disk.setAside(path) else {
            throw GroupDatabase.Failure.refused("the damaged file cannot be set aside")
        }
        return try make(from: bytes, setAside: setAside)
    }

    // MARK: Soundness

    private func isSound(_ queue: DatabaseQueue) throws -> Bool {
        let byteCount = Disk.byteCount(of: path) ?? 0
        let isWhole = try queue.inDatabase { database in
            guard byteCount > 0, try database.isIntact(byteCount: byteCount) else { return false }
            let applied = try migrator.appliedIdentifiers(database)
            guard applied.isSubset(of: migrator.migrations) else {
                // A later version has made all steps that are known here.
                guard applied.isSuperset(of: migrator.migrations) else { return false }
                throw GroupDatabase.Failure.writtenByLaterVersion
            }
            return try Self.tables.allSatisfy {
                try !database.isSealed($0) || database.hasWholeSeals($0)
            }
        }
        guard isWhole else { return false }
        try migrator.migrate(queue)
        return try queue.inDatabase { database in
            guard try database.has(sound), try database.hasWholeSeals("rescue") else {
                return false
            }
            try database.proveWritable("grdb_migrations", "identifier")
            return true
        }
    }

    /// Whether a damaged file says that a later version of the app wrote it, which rescues more of it.
    ///
    /// It lists all steps that are known here and the next one. A step begins with its number: no damage of a file
    /// of this version makes one up.
    private func isOfLaterVersion(_ damaged: [UInt8]) throws -> Bool {
        let known = Set(migrator.migrations)
        let next = "\(known.count + 1) "
        return try readings(of: damaged, emptyImage()).contains { queue in
            queue.inDatabase { database in
                // The table and its index hold the same; damage of one page leaves the other.
                let index = "INDEXED BY sqlite_autoindex_grdb_migrations_1"
                return [index, "NOT INDEXED"].contains { way in
                    let sql = "SELECT identifier FROM grdb_migrations \(way) WHERE identifier > ''"
                    guard let rows = try? Row.fetchAll(database, sql: sql) else { return false }
                    let steps = rows.compactMap { $0.text(0) }
                    return known.isSubset(of: steps) && steps.contains { $0.hasPrefix(next) }
                }
            }
        }
    }

    // MARK: Making

    /// What can be read of a damaged file: as it is, and with the first page of an empty one.
    ///
    /// That page says where tables begin, which is the same in every new file: another's stands in for
    /// one that is gone.
    private func readings(of damaged: [UInt8], _ empty: [UInt8]) -> [DatabaseQueue] {
        [damaged, damaged.withFirstPage(of: empty)].compactMap { bytes in
            guard let bytes, !bytes.isEmpty else { return nil }
            return try? DatabaseQueue.inMemory(bytes)
        }
    }

    private func emptyImage() throws -> [UInt8] {
        let queue = try DatabaseQueue(configuration: .forGroups)
        try Self.setPages(of: queue)
        try migrator.migrate(queue)
        return try queue.inDatabase { try $0.image() }
    }

    /// Where tables begin must not hang on how SQLite was built (see `readings`).
    private static func setPages(of queue: DatabaseQueue) throws {
        try queue.inDatabase {
            try $0.execute(sql: "PRAGMA page_size = 4096; PRAGMA auto_vacuum = NONE")
        }
    }

    /// Makes a file with what can be read of a damaged one, which it replaces all at once.
    private func make(from damaged: [UInt8]?, setAside: String?) throws -> DatabaseQueue {
        // A file that is not whole yet has no name: an empty one under its name is a damaged one.
        let unfinished = path + ".new"
        Disk.remove(unfinished)
        let queue = try DatabaseQueue(path: unfinished, configuration: .forGroups)
        try Self.setPages(of: queue)
        try migrator.migrate(queue)
        if let damaged, let setAside {
            let empty = try queue.inDatabase { try $0.image() }
            try queue.write { database in
                rescue(damaged, empty, into: database)
                try database.execute(
                    sql: "INSERT INTO rescue SELECT 1, count(*), ?, NULL FROM talkGroup",
                    arguments: [setAside]
                )
            }
        }
        try queue.close()
        guard Disk.move(unfinished, to: path) else {
            throw GroupDatabase.Failure.refused("the new file cannot be named")
        }
        return try DatabaseQueue(path: path, configuration: .forGroups)
    }

    /// Keeps what can be read.
    private func rescue(_ damaged: [UInt8], _ empty: [UInt8], into new: Database) {
        for queue in readings(of: damaged, empty) {
            queue.inDatabase { old in
                for table in Self.tables { Self.copy(table, from: old, into: new) }
            }
        }
    }

    private static func copy(_ table: String, from old: Database, into new: Database) {
        guard let check = try? old.salvageCheck(of: table) else { return }
        let keys = table == "membership" ? ["groupID", "memberID"] : ["rowid"]
        for order in ["ASC", "DESC"] {
            // Damage stops a reader where it lies; the other comes from the other end.
            let list = keys.map { "\($0) \(order)" }.joined(separator: ", ")
            let sql = "SELECT * FROM \(table) WHERE \(check) ORDER BY \(list)"
            guard let rows = try? Row.fetchCursor(old, sql: sql) else { continue }
            while let row = try? rows.next() {
                let kept = row.filter { $0.0 != "checksum" }
                let marks = kept.map { _ in "?" }.joined(separator: ", ")
                // What refers to a row that is lost is of no use.
                try? new.execute(
                    sql: """
                        INSERT OR IGNORE INTO \(table) (\(kept.map(\.0).joined(separator: ", ")))
                        VALUES (\(marks))
                        """,
                    arguments: StatementArguments(kept.map(\.1))
                )
            }
        }
    }
}

extension Configuration {
    /// A connection to groups: rows refer to others that are there.
    static var forGroups: Configuration {
        var configuration = withChecksums
        configuration.foreignKeysEnabled = true
        return configuration
    }
}
