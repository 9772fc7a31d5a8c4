import ReplicaChanges

/// Rows as anybody would write them down who has read what a change means.
struct PlainRows {
    /// What a new row is, by table.
    static let standards: [String: [String: ReplicaValue]] = [
        "reflection": ["words": .null, "written": .integer(7), "mood": .text("")],
        "routine": ["title": .null, "minute": .null],
    ]

    private var tables: [String: [String: [String: ReplicaValue]]] = [:]

    /// Folds changes.
    init(_ changes: [ReplicaChange] = []) {
        for change in changes { apply(change) }
    }

    mutating func apply(_ change: ReplicaChange) {
        let known = tables[change.table]?[change.key]
        guard change.kind != .delete else {
            tables[change.table]?[change.key] = nil
            return
        }
        guard known != nil || change.kind == .insert else { return }
        var row = known ?? Self.standards[change.table] ?? [:]
        for column in change.columns { row[column.name] = column.value }
        tables[change.table, default: [:]][change.key] = row
    }

    /// The change as the log keeps it: an insert of a row that is not there says all of it.
    func logged(_ change: ReplicaChange) -> ReplicaChange {
        guard change.kind == .insert, tables[change.table]?[change.key] == nil else {
            return change
        }
        return PlainRows([change]).inserts[0]
    }

    /// The rows as inserts, in the order of tables and keys.
    var inserts: [ReplicaChange] {
        var inserts: [ReplicaChange] = []
        for (table, rows) in tables.sorted(by: { $0.key < $1.key }) {
            for (key, row) in rows.sorted(by: { $0.key < $1.key }) {
                let columns = row.keys.sorted().map { ReplicaColumn($0, row[$0] ?? .null) }
                inserts.append(
                    ReplicaChange(table: table, key: key, kind: .insert, columns: columns)
                )
            }
        }
        return inserts
    }
}
