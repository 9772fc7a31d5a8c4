import ReplicaChanges

/// The tables of a schema and their rows, in a few obvious lines: what both sides must come to.
struct PlainTables: Equatable {
    /// Every row as the insert that makes it, sorted by table and key.
    private(set) var rows: [ReplicaChange] = []
    private let tables: [Table]

    private struct Table: Equatable {
        var name: String
        var columns: [ReplicaSchema.Column]
    }

    /// The tables, and the rows that these changes make.
    init(_ schema: ReplicaSchema, _ changes: [ReplicaChange] = []) {
        var tables: [Table] = []
        for step in schema.versions.joined() {
            switch step {
            case .createTable(let name, let columns):
                tables.append(Table(name: name, columns: columns))
            case .addColumn(let name, let column):
                for index in tables.indices where tables[index].name == name {
                    tables[index].columns.append(column)
                }
            }
        }
        self.tables = tables
        for change in changes { apply(change) }
    }

    /// Applies a change as `ReplicaChange` says.
    mutating func apply(_ change: ReplicaChange) {
        guard let table = tables.first(where: { $0.name == change.table }) else { return }
        let place = rows.firstIndex { $0.key == change.key && $0.table == change.table }
        switch (change.kind, place) {
        case (.insert, nil):
            var row = ReplicaChange(table: change.table, key: change.key, kind: .insert)
            row.columns = table.columns.map { ReplicaColumn($0.name, $0.standard) }
                .sorted { $0.name < $1.name }
            Self.set(change.columns, in: &row)
            let behind = rows.firstIndex { (row.table, row.key) < ($0.table, $0.key) }
            rows.insert(row, at: behind ?? rows.count)
        case (.insert, let place?), (.update, let place?):
            Self.set(change.columns, in: &rows[place])
        case (.delete, let place?):
            rows.remove(at: place)
        case (.update, nil), (.delete, nil):
            break
        }
    }

    private static func set(_ columns: [ReplicaColumn], in row: inout ReplicaChange) {
        for column in columns {
            for index in row.columns.indices where row.columns[index].name == column.name {
                row.columns[index].value = column.value
            }
        }
    }
}
