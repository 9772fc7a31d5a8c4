import ReplicaChanges

/// What a primary is at one place of its log.
struct PrimaryState: Sendable {
    private(set) var schema = ReplicaSchema(versions: [])
    private(set) var tables = ReplicaTables()
    private(set) var rows = PrimaryRows()
    /// The highest number of each replica's changes that were taken.
    private(set) var applied: [String: Int64] = [:]
    /// About how much memory the rows take, in bytes.
    private(set) var byteCount = 0
    /// The position of the last change taken.
    private(set) var position: Int64 = 0

    /// The number of the schema's last version.
    var version: Int { schema.version }

    /// Something that happens to a primary.
    enum Happening: Sendable {
        case change(LoggedChange, isSetAside: Bool)
        /// The steps to the next version, and the tables that they come to.
        case migration([ReplicaSchema.Step], ReplicaTables)

        /// About how much memory it takes while it is kept, in bytes.
        var byteCount: Int {
            if case .change(let entry, _) = self { entry.change.byteCount } else { 0 }
        }
    }

    /// A change that was checked, as the log keeps it.
    func logged(_ change: ReplicaChange) -> ReplicaChange {
        tables[change.table].map { rows.logged(change, in: $0) } ?? change
    }

    /// Takes what was checked before.
    mutating func take(_ happening: Happening) {
        switch happening {
        case .change(let entry, let isSetAside):
            let name = RowName(table: entry.change.table, key: entry.change.key)
            byteCount -= rows.byteCount(of: name)
            rows.apply(entry, isSetAside: isSetAside)
            byteCount += rows.byteCount(of: name)
            applied[entry.replica] = entry.sequence
            position = entry.position
        case .migration(let steps, let tables):
            schema.versions.append(steps)
            self.tables = tables
            for case .addColumn(let table, let column) in steps {
                rows.add(ReplicaColumn(column.name, column.standard), to: table)
            }
            byteCount = rows.rows(after: nil).reduce(0) { $0 + $1.insert.byteCount }
        }
    }
}
