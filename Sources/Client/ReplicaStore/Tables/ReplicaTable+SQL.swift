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

    // MARK: Capture

    /// The triggers that put what SQL does to the table into the outbox, by name.
    ///
    /// They rest while changes of others are applied.
    var triggers: [(name: String, sql: String)] {
        let isOn = "(SELECT isApplying FROM _state) = 0"
        var triggers = [
            trigger("insert", "AFTER INSERT", isOn, entry("NEW", "insert", wholeObject)),
            trigger("delete", "AFTER DELETE", isOn, entry("OLD", "delete", "'{}'")),
            // Another key is another row.
            trigger(
                "key",
                "AFTER UPDATE OF \"id\"",
                "\(isOn) AND NEW.\"id\" IS NOT OLD.\"id\"",
                entry("OLD", "delete", "'{}'") + " " + entry("NEW", "insert", wholeObject)
            ),
        ]
        if !columns.isEmpty {
            let differs = columns.map(Self.difference(of:)).joined(separator: " OR ")
            triggers.append(
                trigger(
                    "update",
                    "AFTER UPDATE",
                    "\(isOn) AND NEW.\"id\" IS OLD.\"id\" AND (\(differs))",
                    entry("NEW", "update", changedObject)
                )
            )
        }
        return triggers
    }

    private func trigger(
        _ kind: String,
        _ event: String,
        _ condition: String,
        _ body: String
    ) -> (name: String, sql: String) {
        let name = "_capture_\(kind)_\(self.name)"
        let sql =
            "CREATE TRIGGER \"\(name)\" \(event) ON \"\(self.name)\""
            + " WHEN \(condition) BEGIN \(body) END"
        return (name, sql)
    }

    private func entry(_ row: String, _ kind: String, _ columns: String) -> String {
        "INSERT INTO _outbox (\"table\", \"key\", kind, columns)"
            + " VALUES ('\(name)', \(row).\"id\", '\(kind)', \(columns));"
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
