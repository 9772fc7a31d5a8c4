import ReplicaChanges

/// What a primary is at one place of its log.
struct PrimaryState: Sendable {
    private(set) var schema = ReplicaSchema(versions: [])
    private(set) var tables = PrimaryTables()
    private(set) var rows = PrimaryRows()
    /// The highest number of each replica's changes that were taken.
    private(set) var applied: [String: Int64] = [:]
    /// The position of the last change taken.
    private(set) var position: Int64 = 0

    /// The number of the schema's last version.
    var version: Int { schema.version }

    /// Something that happens to a primary.
    enum Happening: Sendable {
        case change(LoggedChange)
        case migration([ReplicaSchema.Step])
    }

    /// A change that was checked, as the log keeps it.
    func logged(_ change: ReplicaChange) -> ReplicaChange {
        rows.logged(change, standards: tables.standards(of: change.table))
    }

    /// Takes what was checked before.
    mutating func take(_ happening: Happening) {
        switch happening {
        case .change(let entry):
            rows.apply(entry.change)
            applied[entry.replica] = entry.sequence
            position = entry.position
        case .migration(let steps):
            for step in steps { take(step) }
            schema.versions.append(steps)
        }
    }

    private mutating func take(_ step: ReplicaSchema.Step) {
        tables.take(step)
        guard case .addColumn(let table, let column) = step else { return }
        rows.add(ReplicaColumn(column.name, column.standard), to: table)
    }
}
