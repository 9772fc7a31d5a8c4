import GRDB
import GRDBSQLite
import ReplicaChanges

/// The row that a query stands at, with texts whole: GRDB's own strings end at the first NUL.
struct RawRow {
    private let statement: SQLiteStatement

    fileprivate init(statement: SQLiteStatement) {
        self.statement = statement
    }

    /// A whole number; `nil` if the column holds none.
    func integer(_ column: Int32) -> Int64? {
        guard sqlite3_column_type(statement, column) == SQLITE_INTEGER else { return nil }
        return sqlite3_column_int64(statement, column)
    }

    /// A text, with what is no UTF-8 in it replaced; `nil` if the column holds none.
    func text(_ column: Int32) -> String? {
        guard sqlite3_column_type(statement, column) == SQLITE_TEXT,
            let start = sqlite3_column_text(statement, column)
        else { return nil }
        let count = Int(sqlite3_column_bytes(statement, column))
        return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    }

    /// Whether the column's bytes are UTF-8.
    func isUnicode(_ column: Int32) -> Bool {
        guard let start = sqlite3_column_text(statement, column) else { return true }
        let count = Int(sqlite3_column_bytes(statement, column))
        let bytes = UnsafeBufferPointer(start: start, count: count)
        return String(decoding: bytes, as: UTF8.self).utf8.elementsEqual(bytes)
    }

    /// Whether the column holds a text or nothing.
    func isTextOrNull(_ column: Int32) -> Bool {
        [SQLITE_TEXT, SQLITE_NULL].contains(sqlite3_column_type(statement, column))
    }

    /// A value; `nil` if it is of a kind that replicas do not have.
    func value(_ column: Int32) -> ReplicaValue? {
        switch sqlite3_column_type(statement, column) {
        case SQLITE_NULL: .null
        case SQLITE_INTEGER: .integer(sqlite3_column_int64(statement, column))
        default: text(column).map(ReplicaValue.text)
        }
    }
}

extension Database {
    /// Runs one statement with these values, texts whole.
    func run(_ sql: String, _ values: [ReplicaValue] = []) throws {
        try bound(sql, values).execute()
    }

    /// Goes through a query's rows until the body has enough, which it says with `false`.
    ///
    /// The body may not run the same query.
    func each(
        _ sql: String,
        _ values: [ReplicaValue] = [],
        _ body: (RawRow) throws -> Bool
    ) throws {
        let statement = try bound(sql, values)
        let cursor = try Row.fetchCursor(statement)
        while try cursor.next() != nil {
            guard try body(RawRow(statement: statement.sqliteStatement)) else { return }
        }
    }

    /// What a query's rows are.
    func all<Value>(
        _ sql: String,
        _ values: [ReplicaValue] = [],
        _ make: (RawRow) throws -> Value
    ) throws -> [Value] {
        var made: [Value] = []
        try each(sql, values) { row in
            made.append(try make(row))
            return true
        }
        return made
    }

    /// A prepared statement that holds these values.
    ///
    /// GRDB is given as many NULLs, so that it knows the statement for bound; what they stand for
    /// is bound over them.
    private func bound(_ sql: String, _ values: [ReplicaValue]) throws -> Statement {
        let statement = try cachedStatement(sql: sql)
        let nulls = [DatabaseValue](repeating: .null, count: values.count)
        try statement.setArguments(StatementArguments(nulls))
        for (offset, value) in values.enumerated() {
            let code = Self.bind(value, to: statement.sqliteStatement, at: Int32(offset + 1))
            guard code == SQLITE_OK else {
                throw DatabaseError(resultCode: ResultCode(rawValue: code))
            }
        }
        return statement
    }

    private static func bind(
        _ value: ReplicaValue,
        to statement: SQLiteStatement,
        at index: Int32
    ) -> Int32 {
        switch value {
        case .null: return sqlite3_bind_null(statement, index)
        case .integer(let number): return sqlite3_bind_int64(statement, index, number)
        case .text(let text):
            // SQLITE_TRANSIENT, which Swift does not import: SQLite copies the bytes.
            let copied = unsafeBitCast(
                OpaquePointer(bitPattern: -1),
                to: sqlite3_destructor_type.self
            )
            var bytes = ContiguousArray(text.utf8)
            let count = bytes.count
            // An empty array may have no address, and no address would bind NULL.
            bytes.append(0)
            return bytes.withUnsafeBytes { buffer in
                sqlite3_bind_text(
                    statement,
                    index,
                    buffer.baseAddress?.assumingMemoryBound(to: CChar.self),
                    Int32(count),
                    copied
                )
            }
        }
    }
}
