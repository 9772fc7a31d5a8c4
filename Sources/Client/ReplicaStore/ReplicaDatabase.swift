import DatabaseFiles
public import GRDB
public import ReplicaChanges
public import ReplicaSync

/// A replica of the user's own database in an SQLite file, for an app that reads and writes its
/// tables with ordinary SQL (RP-02…05, RP-07).
///
/// Triggers put what is written into an outbox, in the same transaction; the outbox keeps a change
/// until it has come back in the primary's log from where the primary cannot lose it. The rows are
/// the log, applied to the file's position, with the outbox on top.
///
/// The file has a rollback journal, no WAL: what is committed lies in the one file. With a damaged
/// WAL the libSQL client lost unsent writes without any error (libsql 0.1.11, WAL header zeroed).
/// Calls block until the file is written, and never for the network.
///
/// An app may have tables and indexes of its own beside them. What comes from the primary is never refused: a
/// reference to a replicated row has to say what follows when the row is deleted (`ON DELETE CASCADE` or
/// `SET NULL`), and no index of a replicated table may be unique. Triggers are the store's alone.
public final class ReplicaDatabase: Sendable {
    /// Why a database is of no use.
    public enum Failure: Error, Sendable, Equatable, CustomStringConvertible {
        /// A later version of the app wrote it; nothing was changed.
        case writtenByLaterVersion
        /// It is no database, or not a whole one any more; opening it again sets it aside (RP-07).
        case damaged(String)
        /// A change of this table has too many bytes; nothing was written.
        case tooLarge(table: String, byteCount: Int)
        /// The disk is full; nothing was changed, and what is there can be read.
        case noRoom
        /// SQLite refused, with its message; nothing was changed.
        case refused(String)

        /// What is wrong and what helps, in one sentence.
        public var description: String {
            switch self {
            case .writtenByLaterVersion:
                "the data on this phone was saved by a later version of the app; update the app"
            case .damaged(let message): "the data on this phone is damaged: \(message)"
            case .tooLarge(let table, let byteCount):
                "a change of '\(table)' has \(byteCount) bytes; "
                    + "\(ReplicaDatabase.changeBytesMax) are the most"
            case .noRoom: "there is no room left on this phone; free some, and it can be saved"
            case .refused(let message): "the data on this phone cannot be used: \(message)"
            }
        }
    }

    /// Where a database is.
    public enum Place: Sendable {
        /// In a file, made if there is none.
        ///
        /// It belongs in no backup: of two copies in use the primary would take only one's changes.
        /// Each user has a file of their own: it follows the database of the first user who signs in.
        case file(path: String)
        /// In memory, from a file's bytes; `nil` if there is no file yet.
        case image([UInt8]?)
    }

    /// What opening a database came to.
    public struct Opening: Sendable {
        /// The database.
        public let database: ReplicaDatabase
        /// Whether there was none before.
        public let isNew: Bool
        /// What was saved of a damaged file, until the app says `noteRescueShown()`.
        public let rescue: Rescue?
    }

    /// What was saved of a damaged file (RP-07).
    public struct Rescue: Sendable, Equatable {
        /// How many changes were saved that the primary does not have, or may still lose.
        public var unsentCount: Int
        /// How many such changes were held back, since nothing says whose they are: they lie in the file that
        /// was set aside, and are handed over for nobody.
        public var heldBackCount: Int
        /// Whether the outbox was read whole and kept, so that nothing of the user's was lost.
        public var isComplete: Bool
        /// Where the damaged file is now; `nil` for an image.
        public var setAside: String?

        /// Describes a rescue.
        public init(
            unsentCount: Int,
            heldBackCount: Int = 0,
            isComplete: Bool,
            setAside: String?
        ) {
            self.unsentCount = unsentCount
            self.heldBackCount = heldBackCount
            self.isComplete = isComplete
            self.setAside = setAside
        }
    }

    /// How many bytes one change has as JSON at most: 12 KiB.
    ///
    /// The server reads 64 KiB at a time. A larger change would never be taken, nor any behind it;
    /// the rest is room for what stands around it and for columns that later versions add.
    public static let changeBytesMax = 12_288

    private let queue: DatabaseQueue
    /// The tables at the version that the file has.
    let tables: ReplicaTables

    init(queue: DatabaseQueue, tables: ReplicaTables) {
        self.queue = queue
        self.tables = tables
    }

    // MARK: What the app does

    /// Runs the app's own SQL in one transaction.
    ///
    /// It is undone if the body throws, or if a change is larger than `changeBytesMax`.
    ///
    /// - Parameter body: What to do; changed rows of the replicated tables reach the primary.
    /// - Returns: What the body returns.
    /// - Throws: Why nothing was written.
    public func write<Value>(_ body: (Database) throws -> Value) throws(Failure) -> Value {
        try Self.catching {
            try self.queue.write { database in
                let last = try database.lastSequence()
                let value = try body(database)
                try database.checkSizes(after: last)
                return value
            }
        }
    }

    /// Reads with the app's own SQL.
    ///
    /// - Parameter body: What to read.
    /// - Returns: What the body returns.
    /// - Throws: Why nothing can be read.
    public func read<Value>(_ body: (Database) throws -> Value) throws(Failure) -> Value {
        try Self.catching { try self.queue.read(body) }
    }

    /// Forgets what was saved of a damaged file: the user has been told.
    public func noteRescueShown() throws(Failure) {
        try write { file in
            try file.run(
                """
                UPDATE _state
                SET rescuedCount = NULL, heldBackCount = NULL, isRescueComplete = NULL,
                    rescueSetAside = NULL
                """
            )
        }
    }

    // MARK: What the synchronizer asks

    /// How the file stands.
    public func standing() throws(Failure) -> ReplicaStanding {
        try read { try $0.state().standing }
    }

    /// Binds the file to a user's database.
    ///
    /// - Parameter database: The database that it follows; one that it follows already changes
    ///   nothing.
    /// - Throws: That it follows another, or why that cannot be written.
    public func follow(_ database: String) throws(Failure) {
        try write { try $0.follow(database) }
    }

    /// The changes that are to be handed over, the oldest first.
    ///
    /// - Parameters:
    ///   - countMax: How many, at most.
    ///   - bytesMax: How many bytes they take as JSON, at most; one change is given always.
    /// - Returns: The changes.
    /// - Throws: Why they cannot be read.
    public func unsent(countMax: Int, bytesMax: Int) throws(Failure) -> UnsentBatch {
        try read { try $0.unsent(countMax: countMax, bytesMax: bytesMax) }
    }

    /// All that the outbox keeps, the oldest first: also what the primary has, as long as it may
    /// lose it.
    public func kept() throws(Failure) -> [UnsentChange] {
        try read { try $0.outbox().map(\.unsent) }
    }

    /// Every row of the replicated tables as the insert that makes it, sorted by table and key.
    public func rows() throws(Failure) -> [ReplicaChange] {
        try read { database in
            var rows: [ReplicaChange] = []
            for table in self.tables.tables {
                let sql = "SELECT \(table.columnList) FROM \"\(table.name)\" ORDER BY \"id\""
                rows += try database.all(sql) { try Self.change(in: $0, of: table) }
            }
            return rows
        }
    }

    private static func change(in row: RawRow, of table: ReplicaTable) throws -> ReplicaChange {
        guard let key = row.text(0) else { throw Failure.damaged("a row has no key") }
        var columns: [ReplicaColumn] = []
        for (offset, column) in table.columns.enumerated() {
            guard let value = row.value(Int32(offset + 1)) else {
                throw Failure.damaged("a value cannot be read")
            }
            columns.append(ReplicaColumn(column.name, value))
        }
        return ReplicaChange(table: table.name, key: key, kind: .insert, columns: columns)
    }

    /// The file's bytes as they are after the last transaction.
    public func image() throws(Failure) -> [UInt8] {
        try Self.catching { try self.queue.inDatabase { try $0.image() } }
    }

    /// Keeps the file from growing, as a disk does that is full, or lets it grow again.
    ///
    /// What fits into pages that it has is still written: SQLite finds that out by itself. A disk that is
    /// full to the last block has no room for its journal either.
    package func limitGrowth(_ isFull: Bool) throws(Failure) {
        try Self.catching { try self.queue.inDatabase { try $0.limitGrowth(isFull) } }
    }

    // MARK: Errors

    /// Does what SQLite may refuse.
    static func catching<Value>(_ body: () throws -> Value) throws(Failure) -> Value {
        do {
            return try body()
        } catch let failure as Failure {
            throw failure
        } catch let error as DatabaseError {
            let message = error.message ?? error.resultCode.description
            switch error.resultCode {
            case .SQLITE_CORRUPT, .SQLITE_NOTADB: throw .damaged(message)
            case .SQLITE_FULL: throw .noRoom
            default: throw .refused(message)
            }
        } catch {
            throw .refused("\(error)")
        }
    }

    /// Does an order of the synchronizer in one transaction.
    ///
    /// - Parameter body: What to do; `nil` if it does not follow on what the file has.
    /// - Returns: What became of it.
    /// - Throws: That the file is damaged.
    func order(_ body: (Database) throws -> FileState?) throws(Failure) -> StoreOutcome {
        do throws(Failure) {
            return try Self.catching {
                try self.queue.write { database in
                    guard let state = try body(database) else { return StoreOutcome.outOfOrder }
                    return .done(state.standing)
                }
            }
        } catch {
            switch error {
            case .refused: return .failed
            case .noRoom: return .noRoom
            case .writtenByLaterVersion, .damaged, .tooLarge: throw error
            }
        }
    }
}

extension Database {
    /// The most pages that a file may have (SQLite, *Implementation Limits*, `SQLITE_MAX_PAGE_COUNT`).
    private static var pagesMax: Int64 { 4_294_967_294 }

    /// Keeps the file at the pages that it has, or lets it grow.
    func limitGrowth(_ isFull: Bool) throws {
        let present = try Int64.fetchOne(self, sql: "PRAGMA page_count") ?? 0
        let most = isFull ? max(1, present) : Self.pagesMax
        _ = try Int64.fetchOne(self, sql: "PRAGMA max_page_count = \(most)")
    }
}
