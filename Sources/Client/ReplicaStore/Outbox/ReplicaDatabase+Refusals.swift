import DatabaseFiles
import GRDB
public import ReplicaChanges
public import ReplicaSync

extension ReplicaDatabase {
    /// A change that the primary refuses for ever, set aside with its reason until the app has told its user.
    public struct RefusedChange: Sendable, Equatable {
        /// Its place among all that were set aside, rising.
        public var number: Int64
        /// The number that it had in the outbox.
        public var sequence: Int64
        /// What was done.
        public var change: ReplicaChange
        /// Why the primary refuses it, as the primary says.
        public var reason: String
    }

    /// Sets changes aside that the primary refuses for ever: those behind them go on.
    ///
    /// Under its number each becomes a change that does nothing. With an insert goes what was done to its
    /// row since, which the primary would drop in silence. The rows are then those of the next snapshot,
    /// with the rest of the outbox on top.
    ///
    /// - Parameter refusals: Which, and why.
    /// - Returns: How the file stands, without a generation; out of order if one is not to be handed over.
    /// - Throws: That the file is damaged.
    public func setAside(_ refusals: [ChangeRefusal]) throws(Failure) -> StoreOutcome {
        try order { file in
            let replica = try file.state().replica
            for refusal in refusals {
                guard let entry = try file.unsentEntry(refusal.sequence),
                    !entry.isNothing(of: replica)
                else { return nil }
            }
            for refusal in refusals { try file.setAside(refusal, of: replica) }
            try file.run("UPDATE _state SET generation = NULL")
            return try file.state()
        }
    }

    /// The changes that were set aside, the oldest first.
    public func refused() throws(Failure) -> [RefusedChange] {
        try read { try $0.refused() }
    }

    /// Forgets changes that were set aside: the user has been told.
    ///
    /// - Parameter number: The last of them that the user was told of.
    /// - Throws: Why that cannot be written.
    public func noteRefusedShown(through number: Int64) throws(Failure) {
        try write { try $0.run("DELETE FROM _refused WHERE number <= ?", [.integer(number)]) }
    }
}

extension FileState {
    /// Makes room for changes that are set aside.
    static func addRefused(to file: Database) throws {
        try file.execute(
            sql: """
                CREATE TABLE _refused (
                    number INTEGER PRIMARY KEY AUTOINCREMENT,
                    sequence INTEGER NOT NULL,
                    "table" TEXT NOT NULL,
                    "key" TEXT NOT NULL,
                    kind TEXT NOT NULL,
                    columns TEXT NOT NULL,
                    reason TEXT NOT NULL
                ) STRICT
                """
        )
        try file.seal("_refused")
    }
}

extension OutboxEntry {
    /// The change of a number that does nothing: no row has this key, since no replica's name is given twice.
    static func nothing(_ sequence: Int64, of replica: String, in table: String) -> OutboxEntry {
        let key = "\(replica)-\(sequence)"
        let change = ReplicaChange(table: table, key: key, kind: .delete)
        return OutboxEntry(sequence: sequence, change: change)
    }

    /// Whether it does nothing.
    fileprivate func isNothing(of replica: String) -> Bool {
        self.change == Self.nothing(sequence, of: replica, in: change.table).change
    }
}

extension Database {
    fileprivate func unsentEntry(_ sequence: Int64) throws -> OutboxEntry? {
        let condition = "sequence = ? AND isSent = 0 AND logged IS NULL"
        return try outbox(where: condition, [.integer(sequence)]).first
    }

    fileprivate func setAside(_ refusal: ChangeRefusal, of replica: String) throws {
        // It may have gone with the insert before it.
        guard let entry = try unsentEntry(refusal.sequence), !entry.isNothing(of: replica) else {
            return
        }
        var refused = [entry]
        if entry.change.kind == .insert {
            let later = try outbox(
                where: "sequence > ? AND \"table\" = ? AND \"key\" = ?",
                [.integer(entry.sequence), .text(entry.change.table), .text(entry.change.key)]
            )
            refused += later.prefix { $0.change.kind != .insert }
        }
        for entry in refused {
            try keep(
                ReplicaDatabase.RefusedChange(
                    number: 0,
                    sequence: entry.sequence,
                    change: entry.change,
                    reason: refusal.reason
                )
            )
            let nothing = OutboxEntry.nothing(entry.sequence, of: replica, in: entry.change.table)
            try run(
                "UPDATE _outbox SET \"key\" = ?, kind = 'delete', columns = '{}' WHERE sequence = ?",
                [.text(nothing.change.key), .integer(entry.sequence)]
            )
        }
    }

    /// Keeps a change that is set aside, as the last one.
    func keep(_ refused: ReplicaDatabase.RefusedChange) throws {
        try run(
            """
            INSERT INTO _refused (sequence, "table", "key", kind, columns, reason)
            VALUES (?, ?, ?, ?, ?, ?)
            """,
            [
                .integer(refused.sequence), .text(refused.change.table), .text(refused.change.key),
                .text(refused.change.kind.rawValue),
                .text(ReplicaChange.columnText(of: refused.change.columns)), .text(refused.reason),
            ]
        )
    }

    /// The changes that were set aside and are as they were written, the oldest first.
    func refused() throws -> [ReplicaDatabase.RefusedChange] {
        let sql = """
            SELECT number, sequence, "table", "key", kind, columns, reason FROM _refused
            WHERE \(try sealCheck(of: "_refused")) ORDER BY number
            """
        return try all(sql) { row in
            guard let number = row.integer(0), let sequence = row.integer(1),
                let table = row.text(2), let key = row.text(3),
                let kind = row.text(4).flatMap(ReplicaChange.Kind.init(rawValue:)),
                let columns = row.text(5).flatMap(ReplicaChange.columns(from:)),
                let reason = row.text(6)
            else { return nil }
            return ReplicaDatabase.RefusedChange(
                number: number,
                sequence: sequence,
                change: ReplicaChange(table: table, key: key, kind: kind, columns: columns),
                reason: reason
            )
        }.compactMap { $0 }
    }
}
