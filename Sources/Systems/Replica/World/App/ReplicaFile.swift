import GRDB
import KodamaLanguage
import KodamaWorld
import ReplicaChanges
import ReplicaStore

// What the app's user writes and reads, and what the world looks at in the file: plain SQL.

extension RowEdit {
    /// Writes the row, at this second since 1970.
    func perform(at second: Int64, in database: Database) throws {
        switch write.kind {
        case .new:
            try database.execute(
                sql: "INSERT INTO reflection (id, words, written) VALUES (?, ?, ?)",
                arguments: [key, text, second]
            )
        case .edit:
            try database.execute(
                sql: "UPDATE reflection SET words = ?, written = ? WHERE id = ?",
                arguments: [text, second, key]
            )
        case .delete:
            try database.execute(sql: "DELETE FROM reflection WHERE id = ?", arguments: [key])
        }
    }
}

extension ReplicaDatabase {
    /// How many rows the user has written that are there.
    func rowCount() throws -> Int {
        try read { database in
            try Int.fetchOne(database, sql: "SELECT COUNT(*) FROM reflection") ?? 0
        }
    }

    /// Whether there is a row with this key.
    func hasRow(_ key: String) throws -> Bool {
        let sql = "SELECT COUNT(*) FROM reflection WHERE id = ?"
        return try read { database in
            try Int.fetchOne(database, sql: sql, arguments: [key]) ?? 0 > 0
        }
    }

    /// Whether the app has the tables of a version with their columns, and no others.
    func hasTables(of schema: ReplicaSchema) throws -> Bool {
        let sql = "SELECT name FROM pragma_table_info(?) ORDER BY name"
        let own = schema.tables
        // A later version's table, whose making was cut short, may stand among them.
        for (table, _) in ReplicaAppPlan.schema(version: .max).tables {
            let found = try read { database in
                try String.fetchAll(database, sql: sql, arguments: [table])
            }
            let columns = own.first { $0.name == table }?.columns
            if found != (columns.map { $0 + ["id"] } ?? []).sorted() { return false }
        }
        return true
    }

    /// The page where a table or an index begins; `nil` if there is none of that name.
    func rootPage(of name: String) throws -> Int? {
        let sql = "SELECT rootpage FROM sqlite_master WHERE name = ? AND rootpage > 0"
        return try read { database in
            try Int.fetchOne(database, sql: sql, arguments: [name])
        }
    }
}

extension ReplicaSchema {
    /// The tables that its steps come to, with the names of their columns beside the key.
    fileprivate var tables: [(name: String, columns: [String])] {
        var tables: [(name: String, columns: [String])] = []
        for step in versions.joined() {
            switch step {
            case .createTable(let name, let columns):
                tables.append((name, columns.map(\.name)))
            case .addColumn(let name, let column):
                guard let index = tables.firstIndex(where: { $0.name == name }) else { continue }
                tables[index].columns.append(column.name)
            }
        }
        return tables
    }
}
