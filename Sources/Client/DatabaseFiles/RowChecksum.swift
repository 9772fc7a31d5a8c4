package import GRDB
import GRDBSQLite

// A row's checksum: what a flipped bit alters in a value that SQLite itself finds nothing wrong with.

extension Configuration {
    /// A connection that knows the SQL function `row_checksum`.
    package static var withChecksums: Configuration {
        var configuration = Configuration()
        configuration.prepareDatabase { try $0.addRowChecksum() }
        return configuration
    }
}

extension Database {
    /// Makes the SQL function `row_checksum` known: of any number of values a whole number.
    fileprivate func addRowChecksum() throws {
        let code = sqlite3_create_function_v2(
            sqliteConnection,
            "row_checksum",
            -1,
            SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS,
            nil,
            { context, count, values in
                var checksum = RowChecksum()
                for index in 0..<Int(count) { checksum.add(values?[index]) }
                sqlite3_result_int64(context, Int64(bitPattern: checksum.bits))
            },
            nil,
            nil,
            nil
        )
        guard code == SQLITE_OK else {
            throw DatabaseError(resultCode: ResultCode(rawValue: code))
        }
    }

    // MARK: Sealed tables

    /// Gives a table the column `checksum`, which triggers keep: of all its other columns.
    package func seal(_ table: String) throws {
        try execute(sql: "ALTER TABLE \(table) ADD COLUMN checksum INTEGER")
        try keepChecksums(of: table)
    }

    /// Gives a sealed table more columns, each with its type, which the checksum is then of as well.
    package func widen(sealed table: String, by columns: [String]) throws {
        for event in ["insert", "update"] {
            try execute(sql: "DROP TRIGGER _seal_\(event)_\(table)")
        }
        for column in columns {
            try execute(sql: "ALTER TABLE \(table) ADD COLUMN \(column)")
        }
        try keepChecksums(of: table)
    }

    private func keepChecksums(of table: String) throws {
        let columns = try sealedColumns(of: table)
        let keys = try String.fetchAll(
            self,
            sql: "SELECT name FROM pragma_table_info(?) WHERE pk > 0 ORDER BY pk",
            arguments: [table]
        )
        let update = "UPDATE \(table) SET checksum = \(Self.checksum(of: columns, in: table))"
        let isIt = keys.map { "\"\($0)\" = NEW.\"\($0)\"" }.joined(separator: " AND ")
        let list = columns.map { "\"\($0)\"" }.joined(separator: ",")
        for (name, event) in [("insert", "INSERT"), ("update", "UPDATE OF \(list)")] {
            try execute(
                sql: """
                    CREATE TRIGGER _seal_\(name)_\(table) AFTER \(event) ON \(table)
                    BEGIN \(update) WHERE \(isIt); END
                    """
            )
        }
        try execute(sql: update)
    }

    /// Whether a table has checksums.
    package func isSealed(_ table: String) throws -> Bool { try has("checksum", in: table) }

    /// Whether a table has a column.
    package func has(_ column: String, in table: String) throws -> Bool {
        try Bool.fetchOne(
            self,
            sql: "SELECT 1 FROM pragma_table_info(?) WHERE name = ?",
            arguments: [table, column]
        ) ?? false
    }

    /// The SQL that is true of a row of a sealed table whose checksum is right.
    package func sealCheck(of table: String) throws -> String {
        try "checksum IS \(Self.checksum(of: sealedColumns(of: table), in: table))"
    }

    /// Whether all rows of a sealed table have the right checksum.
    package func hasWholeSeals(_ table: String) throws -> Bool {
        let sql = try "SELECT 1 FROM \(table) WHERE NOT (\(sealCheck(of: table))) LIMIT 1"
        return try Row.fetchOne(self, sql: sql) == nil
    }

    /// The SQL that is true of a row of a damaged file that is as it was written.
    ///
    /// Rows from before there were checksums are believed.
    package func salvageCheck(of table: String) throws -> String {
        guard try isSealed(table) else { return "true" }
        let sql = "SELECT 1 FROM \(table) WHERE checksum IS NOT NULL LIMIT 1"
        if let row = try? Row.fetchOne(self, sql: sql) == nil, row { return "true" }
        return try sealCheck(of: table)
    }

    /// All columns but the checksum, as the table has them: also those of later versions.
    private func sealedColumns(of table: String) throws -> [String] {
        try String.fetchAll(
            self,
            sql: "SELECT name FROM pragma_table_info(?) WHERE name <> 'checksum' ORDER BY cid",
            arguments: [table]
        )
    }

    /// The SQL of a row's checksum.
    ///
    /// - Parameters:
    ///   - columns: The columns that it is of; more than a function takes arguments are taken in
    ///     parts.
    ///   - table: The table's name, so that no other's row passes for one of its.
    ///   - row: `OLD` or `NEW` in a trigger, or a table's name.
    /// - Returns: The SQL.
    package static func checksum(
        of columns: [String],
        in table: String,
        row: String? = nil
    ) -> String {
        let prefix = row.map { "\($0)." } ?? ""
        // SQLite's functions take 127 arguments unless built otherwise.
        return stride(from: 0, to: max(1, columns.count), by: 100).reduce("'\(table)'") {
            let part = columns[$1..<min(columns.count, $1 + 100)].map { "\(prefix)\"\($0)\"" }
            return "row_checksum(\(([$0] + part).joined(separator: ",")))"
        }
    }
}

/// FNV-1a with 64 bits (RFC 9923) over values, each with its type and size.
///
/// Two rows that differ in one byte never have the same; others once in 2^64.
private struct RowChecksum {
    private(set) var bits: UInt64 = 0xCBF2_9CE4_8422_2325

    mutating func add(_ value: OpaquePointer?) {
        let type = sqlite3_value_type(value)
        add(UInt64(UInt32(bitPattern: type)))
        switch type {
        case SQLITE_NULL: break
        case SQLITE_INTEGER: add(UInt64(bitPattern: sqlite3_value_int64(value)))
        case SQLITE_FLOAT: add(sqlite3_value_double(value).bitPattern)
        default:
            let start = sqlite3_value_blob(value)
            let count = Int(sqlite3_value_bytes(value))
            add(UInt64(count))
            for byte in UnsafeRawBufferPointer(start: start, count: count) { add(byte) }
        }
    }

    private mutating func add(_ word: UInt64) {
        for shift in stride(from: UInt64(0), to: 64, by: 8) {
            add(UInt8(truncatingIfNeeded: word >> shift))
        }
    }

    private mutating func add(_ byte: UInt8) {
        bits = (bits ^ UInt64(byte)) &* 0x0000_0100_0000_01B3
    }
}
