import DatabaseFiles
import GRDB
import ReplicaChanges
import ReplicaSync

/// A change in the outbox.
struct OutboxEntry: Sendable, Equatable {
    /// Its number.
    var sequence: Int64
    /// What was done.
    var change: ReplicaChange
    /// Whether the primary said that it has the change.
    var isSent = false
    /// Where the change stands in the primary's log, once it has come back.
    var logged: Int64?
    /// How far the log was known when the change was made; `nil` from before that was kept.
    var madeAt: LogPosition?
    /// Whose change it is; `nil` if the file was nobody's, or from before that was kept.
    var owner: FileOwner?

    /// Whether it is still to be handed over.
    var isUnsent: Bool { !isSent && logged == nil }
    /// The change with its number.
    var unsent: UnsentChange { UnsentChange(sequence: sequence, change: change, madeAt: madeAt) }

    /// The change as an exchange of a generation hands it over, which need not be named again.
    fileprivate func unsent(in generation: String?) -> UnsentChange {
        var unsent = unsent
        if let generation, madeAt?.generation == generation { unsent.madeAt?.generation = nil }
        return unsent
    }

    /// The same change under another number, as not handed over.
    func renumbered(_ number: Int64) -> OutboxEntry {
        OutboxEntry(sequence: number, change: change, madeAt: madeAt, owner: owner)
    }

    fileprivate static let columns = "\(firstColumns), madeIn, madeAt, owner"
    /// Those of the forms before the third.
    private static let firstColumns =
        "sequence, \"table\", \"key\", kind, columns, isSent, logged"

    /// The columns of a file that may have an earlier form.
    fileprivate static func columns(in file: Database) throws -> String {
        if try file.has("owner", in: "_outbox") { return columns }
        let isThird = try file.has("madeAt", in: "_outbox")
        return "\(firstColumns), \(isThird ? "madeIn, madeAt" : "NULL, NULL"), NULL"
    }
}

extension OutboxEntry {
    /// Reads a row; `nil` if it is no change.
    init?(_ row: RawRow) {
        guard let sequence = row.integer(0), let table = row.text(1), let key = row.text(2),
            let kind = row.text(3).flatMap(ReplicaChange.Kind.init(rawValue:)),
            let columns = row.text(4).flatMap(ReplicaChange.columns(from:)),
            let isSent = row.integer(5)
        else { return nil }
        self.init(
            sequence: sequence,
            change: ReplicaChange(table: table, key: key, kind: kind, columns: columns),
            isSent: isSent != 0,
            logged: row.integer(6),
            madeAt: row.integer(8).map { LogPosition(generation: row.text(7), position: $0) },
            owner: row.text(9).flatMap(FileOwner.init(text:))
        )
    }
}

extension Database {
    /// The outbox's changes that a condition takes, the oldest first.
    ///
    /// - Parameters:
    ///   - condition: What follows `WHERE`.
    ///   - values: What its question marks stand for.
    /// - Returns: The changes.
    /// - Throws: What SQLite says, or that an entry is damaged.
    func outbox(
        where condition: String = "true",
        _ values: [ReplicaValue] = []
    ) throws -> [OutboxEntry] {
        let sql = "SELECT \(OutboxEntry.columns) FROM _outbox WHERE \(condition) ORDER BY sequence"
        return try all(sql, values) { row in
            guard let entry = OutboxEntry(row) else {
                throw ReplicaDatabase.Failure.damaged("a change in the outbox cannot be read")
            }
            return entry
        }
    }

    /// The changes to hand over: so many, of so many bytes in all, and at least one.
    func unsent(countMax: Int, bytesMax: Int) throws -> UnsentBatch {
        let generation = try state().generation
        var batch = UnsentBatch(changes: [], hasMore: false)
        var byteCount = 0
        let sql = """
            SELECT \(OutboxEntry.columns) FROM _outbox WHERE isSent = 0 AND logged IS NULL
            ORDER BY sequence
            """
        try each(sql) { row in
            guard let entry = OutboxEntry(row) else {
                throw ReplicaDatabase.Failure.damaged("a change in the outbox cannot be read")
            }
            let unsent = entry.unsent(in: generation)
            byteCount += unsent.jsonByteCount
            let isFirst = batch.changes.isEmpty
            guard isFirst || (batch.changes.count < countMax && byteCount <= bytesMax) else {
                batch.hasMore = true
                return false
            }
            batch.changes.append(unsent)
            return true
        }
        return batch
    }

    /// The last number that was given.
    func lastSequence() throws -> Int64 {
        let sql = "SELECT seq FROM sqlite_sequence WHERE name = '_outbox'"
        return try all(sql) { $0.integer(0) ?? 0 }.first ?? 0
    }

    /// Notes which number was the last.
    func setLastSequence(_ sequence: Int64) throws {
        try run("DELETE FROM sqlite_sequence WHERE name = '_outbox'")
        try run(
            "INSERT INTO sqlite_sequence (name, seq) VALUES ('_outbox', ?)",
            [.integer(sequence)]
        )
    }

    /// Gives what is unsent other numbers, if the primary has some that the file never gave.
    ///
    /// The file is then an older copy, as of a backup: the primary would pass over what it writes.
    /// Rather than lose a change it hands over again what the copy's original may have sent.
    ///
    /// A copy that has written as much as its original before it is first online is not noticed:
    /// what it wrote under its original's numbers is passed over.
    func renumber(behind applied: Int64) throws {
        guard try applied > lastSequence() else { return }
        guard applied < Int64.max / 2 else {
            throw ReplicaDatabase.Failure.refused("the primary's numbers make no sense")
        }
        try number(outbox(where: "isSent = 0 AND logged IS NULL"), behind: applied)
    }

    /// Gives the outbox other numbers, if a restored primary lost some that have left the file.
    ///
    /// It would refuse the others for ever, for the gap. That happens if it was restored from
    /// before what it called durable, or if it lost what only a copy's original had written.
    func closeGap(behind applied: Int64) throws {
        guard applied >= 0, try applied < state().removed else { return }
        try number(outbox(), behind: applied)
    }

    /// Keeps these changes alone, as not handed over, under the numbers behind one.
    private func number(_ entries: [OutboxEntry], behind applied: Int64) throws {
        try run("DELETE FROM _outbox")
        for (number, entry) in zip((applied + 1)..., entries) {
            try keep(entry.renumbered(number))
        }
        try setLastSequence(applied + Int64(entries.count))
        try run("UPDATE _state SET removed = ?", [.integer(applied)])
    }

    /// Refuses what is too large, or no text, among the changes behind a number.
    func checkSizes(after sequence: Int64) throws {
        // With another byte for each that is none of a text, two rows would be one at the primary.
        let texts = """
            SELECT "table", "key", columns FROM _outbox WHERE sequence > ? AND kind <> 'delete'
            """
        try each(texts, [.integer(sequence)]) { row in
            guard row.isUnicode(1), row.isUnicode(2) else {
                let table = row.text(0) ?? ""
                throw ReplicaDatabase.Failure.refused("a text of '\(table)' is no UTF-8")
            }
            return true
        }
        for entry in try outbox(where: "sequence > ?", [.integer(sequence)]) {
            let byteCount = entry.unsent.jsonByteCount
            guard byteCount <= ReplicaDatabase.changeBytesMax else {
                let table = entry.change.table
                throw ReplicaDatabase.Failure.tooLarge(table: table, byteCount: byteCount)
            }
        }
    }

    /// What can be read of a damaged outbox, each change at its number.
    ///
    /// - Parameters:
    ///   - check: The SQL that is true of a change that is as it was written.
    ///   - isDescending: Whether to begin at the end: damage stops a reader where it lies.
    ///   - countMax: No file of that size holds more.
    ///   - body: Takes a change.
    /// - Throws: What SQLite says where the reader stops.
    func salvageOutbox(
        where check: String,
        isDescending: Bool,
        countMax: Int,
        _ body: (OutboxEntry) -> Void
    ) throws {
        let order = isDescending ? "DESC" : "ASC"
        var count = 0
        let columns = try OutboxEntry.columns(in: self)
        let sql = "SELECT \(columns), \(check) FROM _outbox ORDER BY sequence \(order)"
        try each(sql) { row in
            if row.integer(10) == 1, let entry = OutboxEntry(row) { body(entry) }
            count += 1
            return count < countMax
        }
    }

    /// The change of one number in a damaged outbox.
    func salvageOutbox(where check: String, at sequence: Int64) throws -> OutboxEntry? {
        let columns = try OutboxEntry.columns(in: self)
        return try all(
            "SELECT \(columns) FROM _outbox WHERE sequence = ? AND \(check)",
            [.integer(sequence)]
        ) { OutboxEntry($0) }.first ?? nil
    }

    /// Puts a change of a file's owner into the outbox under its number.
    func keep(_ entry: OutboxEntry, of owner: FileOwner?) throws {
        var entry = entry
        entry.owner = owner
        try keep(entry)
    }

    /// Puts a change into the outbox under its number.
    func keep(_ entry: OutboxEntry) throws {
        try run(
            """
            INSERT INTO _outbox (
                sequence, "table", "key", kind, columns, isSent, logged, madeIn, madeAt, owner
            ) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                .integer(entry.sequence), .text(entry.change.table), .text(entry.change.key),
                .text(entry.change.kind.rawValue),
                .text(ReplicaChange.columnText(of: entry.change.columns)),
                .integer(entry.isSent ? 1 : 0),
                entry.logged.map(ReplicaValue.integer) ?? .null,
                entry.madeAt?.generation.map(ReplicaValue.text) ?? .null,
                entry.madeAt.map { ReplicaValue.integer($0.position) } ?? .null,
                entry.owner.map { ReplicaValue.text($0.text) } ?? .null,
            ]
        )
    }

    /// Removes what the primary cannot lose any more, from the oldest on.
    func removeDurable(through durable: Int64) throws {
        try run(
            """
            DELETE FROM _outbox WHERE sequence < coalesce(
                (SELECT min(sequence) FROM _outbox WHERE logged IS NULL OR logged > ?),
                9223372036854775807
            )
            """,
            [.integer(durable)]
        )
        try run(
            """
            UPDATE _state SET removed = coalesce(
                (SELECT min(sequence) - 1 FROM _outbox),
                (SELECT seq FROM sqlite_sequence WHERE name = '_outbox'),
                0
            )
            """
        )
    }

    /// Whether the outbox has every number that was given and not removed, each with a change that
    /// fits.
    func isOutboxSound(removed: Int64, _ tables: ReplicaTables) throws -> Bool {
        var last = removed
        var isSound = true
        let columns = try OutboxEntry.columns(in: self)
        try each("SELECT \(columns) FROM _outbox ORDER BY sequence") { row in
            guard let entry = OutboxEntry(row), entry.sequence == last &+ 1,
                tables.takes(entry.change)
            else {
                isSound = false
                return false
            }
            last = entry.sequence
            return true
        }
        let sql = "SELECT seq FROM sqlite_sequence WHERE name = '_outbox'"
        let given = try all(sql) { $0.integer(0) ?? -1 }
        return isSound && given == (given.isEmpty && last == 0 ? [] : [last])
    }

    // MARK: The outbox on top of the rows

    /// Applies all that the outbox keeps, for a file that has nothing else.
    func reapplyOutbox(in tables: ReplicaTables) throws {
        try reapply(outbox(), in: tables)
    }

    /// Applies changes of the outbox on top of what the rows are.
    func reapply(_ entries: [OutboxEntry], in tables: ReplicaTables) throws {
        try applying {
            for entry in entries { try apply(entry.change, in: tables) }
        }
    }
}
