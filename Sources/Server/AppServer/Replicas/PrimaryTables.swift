import ReplicaChanges

/// The tables that a schema's steps come to, with their columns.
struct PrimaryTables: Sendable {
    /// The columns of each table, sorted by name, without the key.
    private var columns: [String: [ReplicaSchema.Column]] = [:]

    /// Takes a step that was checked.
    mutating func take(_ step: ReplicaSchema.Step) {
        switch step {
        case .createTable(let table, let added):
            columns[table] = added.sorted { $0.name < $1.name }
        case .addColumn(let table, let column):
            columns[table, default: []].append(column)
            columns[table]?.sort { $0.name < $1.name }
        }
    }

    /// A table's columns with what they are in rows that do not say.
    func standards(of table: String) -> [ReplicaColumn] {
        columns[table, default: []].map { ReplicaColumn($0.name, $0.standard) }
    }

    /// Refuses a step that does not fit the tables.
    ///
    /// Names are told apart as SQLite does, without case.
    func check(_ step: ReplicaSchema.Step) throws(APIFault) {
        switch step {
        case .createTable(let table, let added):
            guard table.isSchemaName, !table.lowercased().hasPrefix("sqlite_") else {
                throw .badRequest("a table has no right name")
            }
            guard !columns.keys.contains(where: { $0.lowercased() == table.lowercased() }) else {
                throw .badRequest("the table \(table) is there already")
            }
            var known: [ReplicaSchema.Column] = []
            for column in added {
                try Self.check(column, beside: known)
                known.append(column)
            }
        case .addColumn(let table, let column):
            try Self.check(column, beside: columns(of: table))
        }
    }

    /// The columns of a table that is there under just this name.
    ///
    /// Right names are ASCII; what is not could still be equal to one, as the sign for kelvin is to
    /// a K for Swift, though not for SQLite.
    private func columns(of table: String) throws(APIFault) -> [ReplicaSchema.Column] {
        guard table.isSchemaName, let known = columns[table] else {
            throw .badRequest("a table is unknown")
        }
        return known
    }

    private static func check(
        _ column: ReplicaSchema.Column,
        beside known: [ReplicaSchema.Column]
    ) throws(APIFault) {
        guard column.name.isSchemaName else { throw .badRequest("a column has no right name") }
        guard !known.contains(where: { $0.name.lowercased() == column.name.lowercased() }) else {
            throw .badRequest("the column \(column.name) is there already")
        }
        guard column.takes(column.standard) else {
            throw .badRequest("the standard of \(column.name) has another type")
        }
        // No replica can make such a column: SQL has no literal with a NUL in it.
        if case .text(let text) = column.standard, text.utf8.contains(0) {
            throw .badRequest("the standard of \(column.name) has a NUL in it")
        }
    }

    /// Refuses a change of what is not there, or to what it can not be.
    func check(_ change: ReplicaChange) throws(APIFault) {
        let known = try columns(of: change.table)
        guard change.kind != .delete || change.columns.isEmpty else {
            throw .badRequest("a deleted row has no columns")
        }
        for set in change.columns {
            guard set.name.isSchemaName,
                let column = known.first(where: { $0.name == set.name })
            else {
                throw .badRequest("a column of \(change.table) is unknown")
            }
            guard column.takes(set.value) else {
                throw .badRequest("\(change.table).\(column.name) takes other values")
            }
        }
    }
}

extension String {
    /// Whether this may name a table or a column: a small Latin letter, then letters, digits and
    /// underscores, 1 to 63 in all, and not the key's name.
    fileprivate var isSchemaName: Bool {
        guard let first = utf8.first,
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(first), lowercased() != "id"
        else { return false }
        return isName(upTo: 63) && !utf8.contains(UInt8(ascii: "-"))
    }
}
