import DatabaseFiles
import GRDB
public import ReplicaChanges

extension ReplicaDatabase {
    /// A schema as files have it: its tables at each version, and what a sound file is like.
    ///
    /// To learn the latter a file is made in memory: an app does that once, not at each opening.
    public struct Form: Sendable {
        fileprivate let versions: [ReplicaTables]
        fileprivate let sound: FileForm

        /// Learns the form of a schema.
        ///
        /// - Parameter schema: The schema that this version of the app knows.
        /// - Throws: What is wrong with the schema.
        public init(of schema: ReplicaSchema) throws(Failure) {
            let versions = try ReplicaTables.all(of: schema)
            self.versions = versions
            sound = try catching {
                let sound = try DatabaseQueue.inMemory(nil)
                try fill(sound, Salvage(), "none")
                try migrate(sound, through: versions) { _ in }
                return try sound.inDatabase { try FileForm(of: $0) }
            }
        }
    }

    /// Opens the database, makes it if there is none, and brings it to the schema (RP-05).
    ///
    /// A damaged one is set aside and a new one made, with what could be read of its outbox
    /// (RP-07).
    ///
    /// - Parameters:
    ///   - place: Where it is.
    ///   - form: The form of the schema that this version of the app knows.
    ///   - newReplica: The name that the replica gets if it is new; never given before.
    /// - Returns: The database, and how it was found.
    /// - Throws: Why it cannot be used; its rows are then as they were.
    public static func open(
        _ place: Place,
        form: Form,
        newReplica: String
    ) throws(Failure) -> Opening {
        try open(place, form: form, newReplica: newReplica, isDiskFull: false)
    }

    /// Opens the database as an app does that may end in the middle of a migration.
    ///
    /// - Parameters:
    ///   - place: Where it is.
    ///   - form: The form of the schema that this version of the app knows.
    ///   - newReplica: The name that the replica gets if it is new.
    ///   - isDiskFull: Whether the file may not grow, and none be made.
    ///   - beforeMigrationCommits: Called with each version; an error undoes it.
    ///   - leave: Called with what is left of an image if a migration was cut short.
    /// - Returns: The database, and how it was found.
    /// - Throws: Why it cannot be used.
    package static func open(
        _ place: Place,
        form: Form,
        newReplica: String,
        isDiskFull: Bool = false,
        beforeMigrationCommits: (Int) throws -> Void = { _ in },
        leave: ([UInt8]) -> Void = { _ in }
    ) throws(Failure) -> Opening {
        let versions = form.versions
        guard !newReplica.isEmpty else { throw .refused("a replica needs a name") }
        func prepare(_ queue: DatabaseQueue) throws(Failure) {
            do throws(Failure) {
                if isDiskFull { try catching { try queue.inDatabase { try $0.limitGrowth(true) } } }
                try self.prepare(queue, at: place, form, beforeMigrationCommits)
            } catch {
                if case .image = place, case .refused = error,
                    let image = try? queue.inDatabase({ try $0.image() })
                {
                    leave(image)
                }
                throw error
            }
        }
        let found = try find(place, versions)
        var queue: DatabaseQueue
        switch found {
        case .sound(let sound): queue = sound
        case .missing where isDiskFull: throw .noRoom
        case .damaged where isDiskFull: throw .noRoom
        case .missing: queue = try make(at: place, Salvage(), newReplica)
        case .damaged: queue = try rebuild(place, versions, newReplica)
        }
        do throws(Failure) {
            try prepare(queue)
        } catch {
            guard case .damaged = error, case .sound = found else { throw error }
            try? queue.close()
            guard !isDiskFull else { throw .noRoom }
            queue = try rebuild(place, versions, newReplica)
            try prepare(queue)
        }
        let opened = queue
        return Opening(
            database: ReplicaDatabase(queue: opened, tables: versions[versions.count - 1]),
            isNew: found.isMissing,
            rescue: try catching { try opened.read { try $0.state().rescue } }
        )
    }

    /// Brings a file to the present form and the last version.
    ///
    /// What then differs from a new file in its form, or cannot be written, only looked sound.
    private static func prepare(
        _ queue: DatabaseQueue,
        at place: Place,
        _ form: Form,
        _ beforeMigrationCommits: (Int) throws -> Void
    ) throws(Failure) {
        try catching {
            do {
                try Disk.attempt(place.path) { try prove(queue, form, beforeMigrationCommits) }
            } catch let damage as Disk.Damage {
                throw Failure.damaged(damage.message)
            }
        }
    }

    private static func prove(
        _ queue: DatabaseQueue,
        _ form: Form,
        _ beforeMigrationCommits: (Int) throws -> Void
    ) throws {
        try migrate(queue, through: form.versions, beforeMigrationCommits)
        let hasForm = try queue.inDatabase { try $0.has(form.sound) }
        guard hasForm else { throw Failure.damaged("its tables are not the app's") }
        try queue.inDatabase { try $0.proveWritable("_state", "form") }
        let state = try queue.read { try $0.state() }
        // Until there is a snapshot the rows are the outbox; the process may have ended before it
        // was applied.
        if state.rescue != nil, state.generation == nil {
            try queue.write { try $0.reapplyOutbox(in: form.versions[form.versions.count - 1]) }
        }
    }

    // MARK: Finding

    private enum Found {
        case missing
        case damaged
        case sound(DatabaseQueue)

        var isMissing: Bool {
            if case .missing = self { true } else { false }
        }
    }

    private static func find(
        _ place: Place,
        _ versions: [ReplicaTables]
    ) throws(Failure) -> Found {
        try catching {
            do {
                return try Disk.attempt(place.path) { try look(at: place, versions) }
            } catch is Disk.Damage {
                return .damaged
            }
        }
    }

    private static func look(at place: Place, _ versions: [ReplicaTables]) throws -> Found {
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
            guard Disk.isWritable(path) else { throw Failure.refused("it may not be written") }
            queue = try DatabaseQueue(path: path, configuration: .withChecksums)
            byteCount = Disk.byteCount(of: path) ?? 0
        }
        let isWhole = try queue.inDatabase { try isSound($0, byteCount, versions) }
        return isWhole ? .sound(queue) : .damaged
    }

    /// Whether a file is whole, and one of ours.
    ///
    /// Nothing is written to it before its version is known.
    private static func isSound(
        _ database: Database,
        _ byteCount: Int,
        _ versions: [ReplicaTables]
    ) throws -> Bool {
        guard let version = try FileState.soundVersions(of: database) else { return false }
        let isLater = FileState.isLater(version, than: versions.count - 1)
        // What a checksum vouches for is believed of a damaged file, too.
        guard try database.isIntact(byteCount: byteCount) || isLater && version.form > 1 else {
            return false
        }
        guard !isLater else {
            throw Failure.writtenByLaterVersion
        }
        guard let state = try FileState.read(from: database) else { return false }
        let isSealed = version.form > 1
        // A table or column that is missing is an error of the query.
        for table in versions[Int(state.schema)].tables {
            try database.each("SELECT \(table.columnList) FROM \"\(table.name)\" LIMIT 0") { _ in
                false
            }
            guard try !isSealed || database.hasWholeSeals(table) else { return false }
        }
        // A file that was rebuilt and not migrated to the end keeps changes of the last version.
        let latest = versions[versions.count - 1]
        guard
            try version.form < 4
                || database.hasOneOwner(state.database) && database.hasWholeSeals("_refused"),
            try !isSealed || database.hasWholeSeals("_outbox"),
            try database.isOutboxSound(removed: state.removed, latest)
        else { return false }
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
            let queue = try DatabaseQueue(path: unfinished, configuration: .withChecksums)
            try fill(queue, salvage, newReplica)
            try queue.close()
            guard Disk.move(unfinished, to: path) else {
                throw Failure.refused("the new file cannot be named")
            }
            return try DatabaseQueue(path: path, configuration: .withChecksums)
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
    ///
    /// One that says it is a later version's stays as it is: its unsent changes fit no table of this version.
    private static func rebuild(
        _ place: Place,
        _ versions: [ReplicaTables],
        _ newReplica: String
    ) throws(Failure) -> DatabaseQueue {
        var saved = try salvage(from: place, versions)
        guard !saved.isOfLaterVersion else { throw .writtenByLaterVersion }
        let heldBackCount = saved.holdBack()
        var rescue = Rescue(
            unsentCount: saved.kept.count,
            heldBackCount: heldBackCount,
            isComplete: saved.isWhole,
            setAside: nil
        )
        // The user has not been told what was lost before.
        if let untold = saved.rescue, !untold.isComplete {
            rescue.isComplete = false
            rescue.heldBackCount += untold.heldBackCount
        }
        if case .file(let path) = place { rescue.setAside = try setAside(path) }
        saved.rescue = rescue
        return try make(at: place, saved, newReplica)
    }

    private static func salvage(
        from place: Place,
        _ versions: [ReplicaTables]
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
        return DamagedFile(bytes: bytes, versions: versions).salvage()
    }

    private static func setAside(_ path: String) throws(Failure) -> String {
        guard let name = Disk.setAside(path) else {
            throw .refused("the damaged file cannot be set aside")
        }
        return name
    }
}

extension ReplicaDatabase.Place {
    /// The file's path; `nil` of a database in memory.
    fileprivate var path: String? {
        if case .file(let path) = self { path } else { nil }
    }
}
