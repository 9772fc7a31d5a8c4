import ReplicaChanges

/// A replicated table at one version of the schema.
struct ReplicaTable: Sendable, Equatable {
    let name: String
    /// Its columns but the key, sorted by name.
    var columns: [ReplicaSchema.Column]

    subscript(column name: String) -> ReplicaSchema.Column? {
        columns.first { $0.name == name }
    }

    /// These columns, and the defaults of those that are not among them, sorted by name.
    func whole(_ given: [ReplicaColumn]) -> [ReplicaColumn] {
        let missing = columns.filter { column in !given.contains { $0.name == column.name } }
        let all = given + missing.map { ReplicaColumn($0.name, $0.standard) }
        return all.sorted { $0.name < $1.name }
    }
}

/// The replicated tables at one version of the schema, which is in order.
struct ReplicaTables: Sendable, Equatable {
    /// The version, 0 before the first.
    private(set) var version = 0
    /// The tables, sorted by name.
    private(set) var tables: [ReplicaTable] = []

    subscript(name: String) -> ReplicaTable? { tables.first { $0.name == name } }

    /// The tables at each version, from the empty one that is before the first.
    static func all(of schema: ReplicaSchema) throws(ReplicaDatabase.Failure) -> [ReplicaTables] {
        var all = [ReplicaTables()]
        var tables = ReplicaTables()
        for steps in schema.versions {
            for step in steps { try tables.add(step) }
            tables.version += 1
            all.append(tables)
        }
        guard all.count > 1 else { throw .refused("the schema has no version") }
        return all
    }

    private mutating func add(_ step: ReplicaSchema.Step) throws(ReplicaDatabase.Failure) {
        switch step {
        case .createTable(let name, let columns):
            guard Self.isName(name), !name.lowercased().hasPrefix("sqlite_") else {
                throw .refused("'\(name)' cannot be a table's name")
            }
            // SQLite takes names that differ in case for the same.
            guard !tables.contains(where: { $0.name.lowercased() == name.lowercased() }) else {
                throw .refused("table '\(name)' is made twice")
            }
            var table = ReplicaTable(name: name, columns: [])
            for column in columns { try Self.add(column, to: &table) }
            tables.append(table)
            tables.sort { $0.name < $1.name }
        case .addColumn(let name, let column):
            guard let index = tables.firstIndex(where: { $0.name == name }) else {
                throw .refused("there is no table '\(name)' to add '\(column.name)' to")
            }
            try Self.add(column, to: &tables[index])
        }
    }

    private static func add(
        _ column: ReplicaSchema.Column,
        to table: inout ReplicaTable
    ) throws(ReplicaDatabase.Failure) {
        let name = "\(table.name).\(column.name)"
        guard isName(column.name), column.name.lowercased() != "id" else {
            throw .refused("'\(name)' cannot be a column's name")
        }
        let small = column.name.lowercased()
        guard !table.columns.contains(where: { $0.name.lowercased() == small }) else {
            throw .refused("column '\(name)' is made twice")
        }
        guard column.takes(column.standard) else {
            throw .refused("the default of '\(name)' is of another kind")
        }
        // SQL has no literal with a NUL in it, and takes no expression for a column that is added.
        if case .text(let text) = column.standard, text.utf8.contains(0) {
            throw .refused("the default of '\(name)' has a NUL in it")
        }
        table.columns.append(column)
        table.columns.sort { $0.name < $1.name }
    }

    /// Whether a text is a small Latin letter, then letters, digits and underscores, 1 to 63 in
    /// all.
    private static func isName(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        guard (1...63).contains(bytes.count), isSmall(bytes[0]) else { return false }
        return bytes.allSatisfy { byte in
            isSmall(byte) || byte == UInt8(ascii: "_")
                || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
                || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
        }
    }

    private static func isSmall(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
    }

    /// Whether a change can be applied: its table and columns are known and its values of their
    /// kinds.
    func takes(_ change: ReplicaChange) -> Bool {
        guard let table = self[change.table] else { return false }
        return change.columns.allSatisfy { table[column: $0.name]?.takes($0.value) ?? false }
    }
}
