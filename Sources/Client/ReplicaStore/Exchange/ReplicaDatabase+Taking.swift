import GRDB
public import ReplicaChanges
public import ReplicaSync

extension ReplicaDatabase {
    /// Takes a piece of the primary's log, whole or not at all.
    ///
    /// The primary's order counts: its changes are applied as they come, the file's own among them,
    /// and what the log does not have yet of the rows that they touched is applied on top again.
    /// Nothing need be undone before: an insert of the outbox names all columns, so that behind an
    /// insert or a delete nothing hangs on what was under it; and updates alone leave other columns
    /// as the log has them.
    ///
    /// - Parameter page: The piece.
    /// - Returns: How the file stands then; out of order if the piece is not the next one.
    /// - Throws: That the file is damaged.
    public func take(_ page: ReplicaPage) throws(Failure) -> StoreOutcome {
        try order { database in
            var state = try database.state()
            guard state.generation == page.generation, state.position == page.from else {
                return nil
            }
            guard page.isInOrder else { throw Failure.refused("a piece of the log has gaps") }
            try database.renumber(behind: page.applied)
            let own = ReplicaValue.text(state.replica)
            try database.applying {
                for logged in page.changes {
                    try database.apply(logged.change, in: self.tables)
                    guard own == .text(logged.replica) else { continue }
                    try database.run(
                        "UPDATE _outbox SET logged = ?, isSent = 1 WHERE sequence = ?",
                        [.integer(logged.position), .integer(logged.sequence)]
                    )
                }
            }
            try database.noteApplied(page)
            for row in page.touchedRows {
                let entries = try database.outbox(
                    where: "\"table\" = ? AND \"key\" = ? AND logged IS NULL",
                    [.text(row.table), .text(row.key)]
                )
                if !entries.isEmpty { try database.reapply(entries, in: self.tables) }
            }
            state.position = page.through
            try database.run("UPDATE _state SET position = ?", [.integer(state.position)])
            try database.removeDurable(through: page.durable)
            return state
        }
    }
}

extension Database {
    /// Notes which of the file's changes the primary has.
    fileprivate func noteApplied(_ page: ReplicaPage) throws {
        try run(
            "UPDATE _outbox SET isSent = 1 WHERE sequence <= ? AND isSent = 0",
            [.integer(page.applied)]
        )
        guard !page.hasMore else { return }
        // The log is read to its end: what the primary has lies in it, and was applied.
        try run(
            "UPDATE _outbox SET logged = ? WHERE sequence <= ? AND logged IS NULL",
            [.integer(page.through), .integer(page.applied)]
        )
    }
}

extension ReplicaPage {
    /// A row that a piece of the log touches, compared by bytes: to SQLite, "é" of one and of two
    /// characters are two keys.
    private struct Name: Hashable {
        let table: [UInt8]
        let key: [UInt8]
    }

    /// The rows that it touches, each once.
    fileprivate var touchedRows: [(table: String, key: String)] {
        var seen: Set<Name> = []
        var rows: [(table: String, key: String)] = []
        for change in changes.map(\.change) {
            let name = Name(table: Array(change.table.utf8), key: Array(change.key.utf8))
            if seen.insert(name).inserted { rows.append((table: change.table, key: change.key)) }
        }
        return rows
    }

    /// Whether it has one change for each position.
    fileprivate var isInOrder: Bool {
        through >= from && Int64(changes.count) == through - from
            && zip(1..., changes).allSatisfy { $1.position == from + $0 }
    }
}
