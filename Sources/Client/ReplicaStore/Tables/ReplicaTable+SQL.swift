import DatabaseFiles
import GRDB
import ReplicaChanges

/// The SQL of a replicated table; names stand in quotes always.
extension ReplicaTable {
    /// Under which name the rows of a snapshot are put aside.
    var stagedName: String { "_staged_\(name)" }

    /// Makes a table of this form.
    ///
    /// - Parameter name: Its name, the table's own or that of a copy.
    /// - Returns: The statement.
    func creation(as name: String) -> String {
        let columns = ["\"id\" TEXT PRIMARY KEY NOT NULL"] + self.columns.map(\.definition)
        return "CREATE TABLE \"\(name)\" (\(columns.joined(separator: ", "))) STRICT"
    }

    /// Adds a column to the table.
    func addition(of column: ReplicaSchema.Column) -> String {
        "ALTER TABLE \"\(name)\" ADD COLUMN \(column.definition)"
    }

    /// The key and all columns, for a list in SQL.
    var columnList: String {
        (["\"id\""] + columns.map { "\"\($0.name)\"" }).joined(separator: ", ")
    }

    // MARK: Changes

    /// Makes a row or sets columns of the one that is there; the values are the key and the
    /// columns'.
    static func insertion(of columns: [ReplicaColumn], into name: String) -> String {
        let names = (["\"id\""] + columns.map { "\"\($0.name)\"" }).joined(separator: ", ")
        let marks = Array(repeating: "?", count: columns.count + 1).joined(separator: ", ")
        let sets = columns.map { "\"\($0.name)\" = excluded.\"\($0.name)\"" }
        let action = sets.isEmpty ? "NOTHING" : "UPDATE SET \(sets.joined(separator: ", "))"
        return "INSERT INTO \"\(name)\" (\(names)) VALUES (\(marks))"
            + " ON CONFLICT (\"id\") DO \(action)"
    }

    /// Sets columns of a row; the values are the columns' and the key.
    static func update(of columns: [ReplicaColumn], in name: String) -> String {
        let sets = columns.map { "\"\($0.name)\" = ?" }.joined(separator: ", ")
        return "UPDATE \"\(name)\" SET \(sets) WHERE \"id\" = ?"
    }

    /// Makes the rows those that were put aside.
    ///
    /// A row that stays is never deleted in between, nor is one that was made here and that the primary does not
    /// have: an app's own tables may refer to it.
    var replacement: String {
        let sets = columns.map { "\"\($0.name)\" = excluded.\"\($0.name)\"" }
        let differences = columns.map { column in
            "\"\(name)\".\"\(column.name)\" IS NOT excluded.\"\(column.name)\""
        }
        let action =
            columns.isEmpty
            ? "NOTHING"
            : "UPDATE SET \(sets.joined(separator: ", "))"
                + " WHERE \(differences.joined(separator: " OR "))"
        return """
            DELETE FROM "\(name)" WHERE "id" NOT IN (SELECT "id" FROM "\(stagedName)")
                AND "id" NOT IN (
                    SELECT "key" FROM _outbox
                    WHERE "table" = '\(name)' AND kind = 'insert' AND logged IS NULL
                );
            INSERT INTO "\(name)" (\(columnList))
            SELECT \(columnList) FROM "\(stagedName)" WHERE true ORDER BY "id"
            ON CONFLICT ("id") DO \(action)
            """
    }

    // MARK: Capture

    /// The table's triggers, by name.
    var triggers: [(name: String, sql: String)] { capturing + sealing }

    /// Put what SQL does to the table into the outbox; they rest while changes of others are applied.
    private var capturing: [(name: String, sql: String)] {
        let isOn = "(SELECT isApplying FROM _state) = 0"
        var triggers = [
            trigger("capture_insert", "AFTER INSERT", isOn, entry("NEW", "insert", wholeObject)),
            trigger("capture_delete", "AFTER DELETE", isOn, entry("OLD", "delete", "'{}'")),
            // Another key is another row.
            trigger(
                "capture_key",
                "AFTER UPDATE OF \"id\"",
                "\(isOn) AND NEW.\"id\" IS NOT OLD.\"id\"",
                entry("OLD", "delete", "'{}'") + " " + entry("NEW", "insert", wholeObject)
            ),
        ]
        if !columns.isEmpty {
            let differs = columns.map(Self.difference(of:)).joined(separator: " OR ")
            triggers.append(
                trigger(
                    "capture_update",
                    "AFTER UPDATE",
                    "\(isOn) AND NEW.\"id\" IS OLD.\"id\" AND (\(differs))",
                    entry("NEW", "update", changedObject)
                )
            )
        }
        return triggers
    }

    /// Keep a checksum of each row.
    private var sealing: [(name: String, sql: String)] {
        // `INSERT OR REPLACE` fires no trigger of the row that it replaces.
        let drop = "DELETE FROM _rowSeals WHERE \"table\" = '\(name)' AND \"key\" IN"
        let add = "INSERT INTO _rowSeals VALUES ('\(name)', NEW.\"id\", \(checksum(of: "NEW")));"
        return [
            trigger("seal_insert", "AFTER INSERT", nil, "\(drop) (NEW.\"id\"); \(add)"),
            trigger("seal_update", "AFTER UPDATE", nil, "\(drop) (OLD.\"id\", NEW.\"id\"); \(add)"),
            trigger("seal_delete", "AFTER DELETE", nil, "\(drop) (OLD.\"id\");"),
        ]
    }

    /// The SQL of a row's checksum; `row` is `OLD`, `NEW` or the table's name in quotes.
    fileprivate func checksum(of row: String) -> String {
        Database.checksum(of: ["id"] + columns.map(\.name), in: name, row: row)
    }

    private func trigger(
        _ kind: String,
        _ event: String,
        _ condition: String?,
        _ body: String
    ) -> (name: String, sql: String) {
        let name = "_\(kind)_\(self.name)"
        let sql =
            "CREATE TRIGGER \"\(name)\" \(event) ON \"\(self.name)\""
            + (condition.map { " WHEN \($0)" } ?? "") + " BEGIN \(body) END"
        return (name, sql)
    }

    private func entry(_ row: String, _ kind: String, _ columns: String) -> String {
        "INSERT INTO _outbox (\"table\", \"key\", kind, columns, madeIn, madeAt, owner)"
            + " VALUES ('\(name)', \(row).\"id\", '\(kind)', \(columns),"
            + " (SELECT generation FROM _state), (SELECT position FROM _state),"
            + " (SELECT owner FROM _owner));"
    }

    private static func difference(of column: ReplicaSchema.Column) -> String {
        "NEW.\"\(column.name)\" IS NOT OLD.\"\(column.name)\""
    }

    private var wholeObject: String { object { _ in "" } }

    private var changedObject: String { object { " WHERE \(Self.difference(of: $0))" } }

    /// A JSON object of the new row's columns, each with a condition.
    ///
    /// `json_object` takes 63 columns at most, as a function has 127 arguments.
    private func object(_ condition: (ReplicaSchema.Column) -> String) -> String {
        guard !columns.isEmpty else { return "'{}'" }
        let parts = columns.map { column in
            "SELECT '\(column.name)' AS name, NEW.\"\(column.name)\" AS value" + condition(column)
        }
        return "(SELECT json_group_object(name, value) FROM"
            + " (\(parts.joined(separator: " UNION ALL "))))"
    }
}

extension ReplicaSchema.Column {
    /// The column as `CREATE TABLE` and `ADD COLUMN` define it.
    fileprivate var definition: String {
        let type = kind == .integer ? "INTEGER" : "TEXT"
        switch standard {
        case .null: return "\"\(name)\" \(type)"
        case .integer(let number): return "\"\(name)\" \(type) NOT NULL DEFAULT \(number)"
        case .text(let text):
            var literal = ""
            for scalar in text.unicodeScalars {
                literal.unicodeScalars.append(scalar)
                if scalar == "'" { literal.unicodeScalars.append(scalar) }
            }
            return "\"\(name)\" \(type) NOT NULL DEFAULT '\(literal)'"
        }
    }
}

extension Database {
    /// Takes the checksums of all rows of a table.
    func sealRows(of table: ReplicaTable) throws {
        let name = "\"\(table.name)\""
        try execute(
            sql: """
                DELETE FROM _rowSeals WHERE "table" = '\(table.name)';
                INSERT INTO _rowSeals
                SELECT '\(table.name)', "id", \(table.checksum(of: name)) FROM \(name)
                """
        )
    }

    /// Whether every row of a table has the right checksum.
    ///
    /// One of no row says nothing: `REPLACE` leaves those of the rows that it deletes.
    func hasWholeSeals(_ table: ReplicaTable) throws -> Bool {
        let name = "\"\(table.name)\""
        let sql = """
            SELECT 1 FROM \(name) LEFT JOIN _rowSeals AS seal
            ON seal."table" = '\(table.name)' AND seal."key" = \(name)."id"
            WHERE seal.checksum IS NOT \(table.checksum(of: name)) LIMIT 1
            """
        return try all(sql) { _ in true }.isEmpty
    }
}
