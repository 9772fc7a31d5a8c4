import ReplicaChanges
public import ReplicaStore
import ReplicaSync

/// Records that the mirror is to have.
public struct MirrorBatch: Sendable, Equatable {
    /// The records, each with the fields that changed here.
    public let records: [MirrorRecord]
    /// The number of the last change among them.
    let through: Int64
}

/// What taking records from the mirror came to.
public struct MirrorOutcome: Sendable, Equatable {
    /// How many records were changed here.
    public var changed = 0
    /// How many the mirror is to have again, since it has older fields or lacks some.
    public var queuedAgain = 0
    /// How many were passed over: of a table, or with a field, that this version does not know.
    public var unknown = 0
}

/// What the user's cloud hands out and takes (AN-18, D-28).
extension CoachStore {
    /// How many records go together at most: 400, as many as CloudKit takes in a request.
    public static let mirrorBatchMax = 400

    /// The records that the mirror lacks, the oldest change first.
    ///
    /// - Parameter countMax: How many, at most.
    /// - Returns: The records.
    /// - Throws: Why they cannot be read.
    public func unmirrored(
        _ countMax: Int = mirrorBatchMax
    ) throws(Failure) -> MirrorBatch {
        let unsent = try file.unsent(countMax: countMax, bytesMax: .max).changes
        return try file.withRows { rows in
            var records: [MirrorRecord] = []
            for (table, key, names) in Self.touched(unsent.map(\.change)) {
                guard let present = try self.version(table, key, in: rows) else { continue }
                records.append(
                    MirrorRecord(
                        table: table,
                        id: key,
                        fields: present.fields.filter { names.contains($0.name) },
                        deleted: present.deleted
                    )
                )
            }
            return MirrorBatch(records: records, through: unsent.last?.sequence ?? 0)
        }
    }

    /// The rows that changes touch, each once, with the columns that they set.
    private static func touched(
        _ changes: [ReplicaChange]
    ) -> [(table: String, key: String, columns: [String])] {
        var rows: [(table: String, key: String, columns: [String])] = []
        var places: [[String]: Int] = [:]
        for change in changes {
            let names = change.columns.map(\.name)
            if let place = places[[change.table, change.key]] {
                rows[place].columns += names
            } else {
                places[[change.table, change.key]] = rows.count
                rows.append((change.table, change.key, names))
            }
        }
        return rows
    }

    /// Notes that the mirror has saved records of a batch; the others stay in the outbox.
    public func noteMirrored(
        _ batch: MirrorBatch,
        saved: [MirrorRecord]
    ) throws(Failure) {
        try file.withRows { rows in
            for record in saved {
                try rows.markSent(record.table, record.id, through: batch.through)
            }
            try rows.removeSent()
        }
    }

    /// Takes records that the mirror hands out, all or none.
    ///
    /// What is newer here goes to the mirror again: it keeps the last writer per property, whose
    /// stamp may be the earlier, and may have dropped what it said it had.
    ///
    /// - Parameters:
    ///   - records: Whole records, as the mirror has them.
    ///   - isEverything: Whether the mirror has no others.
    ///   - token: What the mirror is to be asked with next; kept with the records.
    /// - Returns: What it came to.
    /// - Throws: Why nothing was taken.
    @discardableResult
    public func take(
        _ records: [MirrorRecord],
        isEverything: Bool = false,
        token: String? = nil
    ) throws(Failure) -> MirrorOutcome {
        try file.withRows { rows in
            var outcome = MirrorOutcome()
            for record in records { try self.take(record, in: rows, &outcome) }
            if isEverything { try self.queueMissing(from: records, in: rows, &outcome) }
            if let token { try self.keepToken(token, in: rows) }
            return outcome
        }
    }

    private func take(
        _ record: MirrorRecord,
        in rows: ReplicaRows,
        _ outcome: inout MirrorOutcome
    ) throws {
        let columns = file.columns(of: record.table)
        let fields = record.fields.filter { field in
            columns.first { $0.name == field.name }?.takes(field.value) ?? false
        }
        if fields.count < record.fields.count || columns.isEmpty { outcome.unknown += 1 }
        guard !columns.isEmpty else { return }
        let known = MirrorRecord(
            table: record.table,
            id: record.id,
            fields: fields,
            deleted: record.deleted
        )
        let present = try version(record.table, record.id, in: rows)
        let merged = present?.merged(with: known) ?? known
        if merged != present {
            try rows.take(change(to: merged))
            outcome.changed += 1
        }
        if let newer = merged.ahead(of: known) {
            try queueAgain(newer, in: rows)
            outcome.queuedAgain += 1
        }
    }

    /// Queues the records that the mirror said it had, and has not.
    private func queueMissing(
        from records: [MirrorRecord],
        in rows: ReplicaRows,
        _ outcome: inout MirrorOutcome
    ) throws {
        let there = Set(records.map { [$0.table, $0.id] })
        for table in file.tableNames {
            for row in try rows.rows(of: table, where: "true ORDER BY \"id\"")
            where !there.contains([table, row.key]) {
                let version = MirrorRecord(table: table, id: row.key, columns: row.columns)
                guard version.latest != nil else { continue }
                try queueAgain(version, in: rows)
                outcome.queuedAgain += 1
            }
        }
    }

    private func queueAgain(_ version: MirrorRecord, in rows: ReplicaRows) throws {
        let change = change(to: version)
        try rows.queueAgain(change.columns, of: change.table, change.key)
    }

    // MARK: The token

    private static let tokenName = "mirror"

    /// What the mirror is to be asked with; `nil` if it is to hand out everything, as after a rescue,
    /// or when this version of the app knows fields that the last one passed over.
    public func mirrorToken() throws(Failure) -> String? {
        let prefix = "\(file.schemaVersion)|"
        let kept = try text(Self.tokenName)
        return kept.flatMap { $0.hasPrefix(prefix) ? String($0.dropFirst(prefix.count)) : nil }
    }

    /// Keeps the token and tells nobody: a mirror that had it would hand it out as news.
    private func keepToken(_ token: String, in rows: ReplicaRows) throws {
        let text = ReplicaValue.text("\(file.schemaVersion)|\(token)")
        // Without a stamp it is no field of a record.
        let columns = [ReplicaColumn("value", text)]
        let row = key(Self.tokenName)
        try rows.take(ReplicaChange(table: "device", key: row, kind: .insert, columns: columns))
    }

    // MARK: Rescue

    /// Brings the changes that were saved of a damaged file into the records, as far as they are
    /// newer; rows of which only the change was saved are completed by the mirror.
    func applyRescued() throws(Failure) {
        let kept = try file.kept()
        try file.withRows { rows in
            for change in kept.map(\.change) where change.kind != .delete {
                let saved = MirrorRecord(
                    table: change.table,
                    id: change.key,
                    columns: change.columns
                )
                guard saved.latest != nil else { continue }
                let present = try self.version(change.table, change.key, in: rows)
                let merged = present?.merged(with: saved) ?? saved
                if merged != present { try rows.take(self.change(to: merged)) }
            }
        }
    }
}
