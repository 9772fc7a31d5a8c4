import GRDB
public import ReplicaChanges
public import ReplicaSync

extension ReplicaDatabase {
    /// Puts a page of a snapshot aside; with the last one the rows are replaced, all at once.
    ///
    /// The log is then followed from the first page's position. Of the outbox, what that page does
    /// not cover is applied on top and handed over anew, whatever another generation of the primary
    /// had said of it; the rest waits until that position cannot be lost.
    ///
    /// - Parameters:
    ///   - page: The page.
    ///   - database: The database of the rows: the file follows it from the first page on,
    ///     and is never given another's.
    ///   - isFirst: Whether a snapshot begins with it; what an earlier one left is thrown away.
    /// - Returns: How the file stands; out of order if the page is of another snapshot.
    /// - Throws: That the file is damaged.
    public func stage(
        _ page: SnapshotPage,
        of database: String,
        isFirst: Bool
    ) throws(Failure) -> StoreOutcome {
        try order { file in
            guard page.schema <= self.tables.version else {
                throw Failure.refused("the snapshot is of a later version")
            }
            if isFirst { try file.beginStaging(page, in: self.tables) }
            guard let first = try file.stagedSnapshot(), first.generation == page.generation
            else { return nil }
            try file.follow(database)
            for row in page.rows {
                try file.apply(row, in: self.tables, isStaged: true)
            }
            if page.next == nil { try file.swapIn(first, in: self.tables) }
            return try file.state()
        }
    }
}

/// Where the snapshot stands whose rows are put aside: what its first page said.
private struct StagedSnapshot {
    var generation: String
    var position: Int64
    var applied: Int64
}

extension Database {
    /// Forgets the rows that were put aside.
    func dropStaged(in tables: ReplicaTables) throws {
        for table in tables.tables {
            try execute(sql: "DROP TABLE IF EXISTS \"\(table.stagedName)\"")
        }
        try run(
            """
            UPDATE _state
            SET stagedGeneration = NULL, stagedPosition = NULL, stagedApplied = NULL
            """
        )
    }

    /// Notes whose the file is from now on, which is the one whose it was.
    func follow(_ database: String) throws {
        guard let followed = try state().database else {
            try run("UPDATE _state SET database = ?", [.text(database)])
            return try note(owner: .database(database))
        }
        guard followed == database else {
            throw ReplicaDatabase.Failure.refused("it follows another database")
        }
    }

    fileprivate func beginStaging(_ page: SnapshotPage, in tables: ReplicaTables) throws {
        try dropStaged(in: tables)
        for table in tables.tables { try execute(sql: table.creation(as: table.stagedName)) }
        try run(
            "UPDATE _state SET stagedGeneration = ?, stagedPosition = ?, stagedApplied = ?",
            [.text(page.generation), .integer(page.position), .integer(page.applied)]
        )
    }

    fileprivate func stagedSnapshot() throws -> StagedSnapshot? {
        try all("SELECT stagedGeneration, stagedPosition, stagedApplied FROM _state") {
            row -> StagedSnapshot? in
            guard let generation = row.text(0), let position = row.integer(1),
                let applied = row.integer(2)
            else { return nil }
            return StagedSnapshot(generation: generation, position: position, applied: applied)
        }.first ?? nil
    }

    fileprivate func swapIn(_ snapshot: StagedSnapshot, in tables: ReplicaTables) throws {
        try renumber(behind: snapshot.applied)
        try closeGap(behind: snapshot.applied)
        try run(
            "UPDATE _outbox SET isSent = 1, logged = ? WHERE sequence <= ?",
            [.integer(snapshot.position), .integer(snapshot.applied)]
        )
        try run(
            "UPDATE _outbox SET isSent = 0, logged = NULL WHERE sequence > ?",
            [.integer(snapshot.applied)]
        )
        try applying {
            for table in tables.tables { try execute(sql: table.replacement) }
        }
        try dropStaged(in: tables)
        try reapply(outbox(where: "logged IS NULL"), in: tables)
        try run(
            "UPDATE _state SET generation = ?, position = ?",
            [.text(snapshot.generation), .integer(snapshot.position)]
        )
    }
}
