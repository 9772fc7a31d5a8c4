import TextFormats

/// A replicated table at one version of the schema.
package struct ReplicaTable: Sendable, Equatable {
    /// Its name.
    package let name: String
    /// Its columns but the key, sorted by name.
    package fileprivate(set) var columns: [ReplicaSchema.Column] = []

    fileprivate init(name: String) {
        self.name = name
    }

    /// The column of just this name; `nil` if there is none.
    package subscript(column name: String) -> ReplicaSchema.Column? {
        columns.first { $0.name.isSame(as: name) }
    }

    /// These columns, and the defaults of those that are not among them, sorted by name.
    package func whole(_ given: [ReplicaColumn]) -> [ReplicaColumn] {
        let missing = columns.filter { column in !given.contains { $0.name == column.name } }
        let all = given + missing.map { ReplicaColumn($0.name, $0.standard) }
        return all.sorted { $0.name < $1.name }
    }

    /// How many columns it has at most: each is compared with all, whoever made the schema; an assumption.
    package static let columnsMax = 256

    fileprivate mutating func add(_ column: ReplicaSchema.Column) throws(ReplicaTables.Fault) {
        guard columns.count < Self.columnsMax else {
            throw ReplicaTables.Fault("\(name) has more than \(Self.columnsMax) columns")
        }
        guard column.name.isSchemaName else {
            throw ReplicaTables.Fault("a column has no right name")
        }
        let small = column.name.lowercased()
        guard !columns.contains(where: { $0.name.lowercased() == small }) else {
            throw ReplicaTables.Fault("the column \(column.name) is there already")
        }
        guard column.takes(column.standard) else {
            throw ReplicaTables.Fault("the standard of \(column.name) has another type")
        }
        // SQL has no literal with a NUL in it, and takes no expression for a column that is added.
        if case .text(let text) = column.standard, text.utf8.contains(0) {
            throw ReplicaTables.Fault("the standard of \(column.name) has a NUL in it")
        }
        columns.append(column)
        columns.sort { $0.name < $1.name }
    }
}

/// The replicated tables at one version of the schema, as far as it is in order.
///
/// Replica and primary ask the same, so that no replica has a schema that its primary refuses.
package struct ReplicaTables: Sendable, Equatable {
    /// Why a step or a change does not fit.
    package struct Fault: Error, Sendable, Equatable {
        /// What is wrong.
        package let what: String

        fileprivate init(_ what: String) {
            self.what = what
        }
    }

    /// How many tables there are at most; an assumption.
    package static let tablesMax = 256

    /// The version, 0 before the first.
    package private(set) var version = 0
    /// The tables, sorted by name.
    package private(set) var tables: [ReplicaTable] = []

    /// The tables before the first version: none.
    package init() {}

    /// The table of just this name; `nil` if there is none.
    package subscript(name: String) -> ReplicaTable? {
        tables.first { $0.name.isSame(as: name) }
    }

    /// Takes the steps to the next version; after a fault the tables are good for nothing.
    package mutating func add(_ steps: [ReplicaSchema.Step]) throws(Fault) {
        for step in steps { try add(step) }
        version += 1
    }

    private mutating func add(_ step: ReplicaSchema.Step) throws(Fault) {
        switch step {
        case .createTable(let name, let columns):
            guard tables.count < Self.tablesMax else {
                throw Fault("there are more than \(Self.tablesMax) tables")
            }
            guard name.isSchemaName, !name.lowercased().hasPrefix("sqlite_") else {
                throw Fault("a table has no right name")
            }
            // SQLite takes names that differ in case for the same.
            guard !tables.contains(where: { $0.name.lowercased() == name.lowercased() }) else {
                throw Fault("the table \(name) is there already")
            }
            var table = ReplicaTable(name: name)
            for column in columns { try table.add(column) }
            tables.append(table)
            tables.sort { $0.name < $1.name }
        case .addColumn(let name, let column):
            guard let index = tables.firstIndex(where: { $0.name.isSame(as: name) }) else {
                throw Fault("a table is unknown")
            }
            try tables[index].add(column)
        }
    }

    /// Refuses a change of what is not there, or to what it can not be.
    package func check(_ change: ReplicaChange) throws(Fault) {
        guard let table = self[change.table] else { throw Fault("a table is unknown") }
        guard change.kind != .delete || change.columns.isEmpty else {
            throw Fault("a deleted row has no columns")
        }
        for set in change.columns {
            guard let column = table[column: set.name] else {
                throw Fault("a column of \(change.table) is unknown")
            }
            guard column.takes(set.value) else {
                throw Fault("\(change.table).\(column.name) takes other values")
            }
        }
    }

    /// Whether a change can be applied.
    package func takes(_ change: ReplicaChange) -> Bool {
        (try? check(change)) != nil
    }
}

extension String {
    /// Whether two names are one to SQLite; for Swift the sign for kelvin is also a K.
    fileprivate func isSame(as other: String) -> Bool { utf8.elementsEqual(other.utf8) }

    /// Whether this may name a table or a column: a small Latin letter, then letters, digits and
    /// underscores, 1 to 63 in all, and not the key's name.
    fileprivate var isSchemaName: Bool {
        guard let first = utf8.first, utf8.count <= 63,
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(first), lowercased() != "id"
        else { return false }
        return utf8.allSatisfy { TextCharacters.isName($0) && $0 != UInt8(ascii: "-") }
    }
}
