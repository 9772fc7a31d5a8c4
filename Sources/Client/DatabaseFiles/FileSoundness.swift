package import GRDB

// What says that a database file is damaged, beside the checksums of its rows.

extension Database {
    /// Whether SQLite finds the file whole, its indexes with all rows included.
    ///
    /// - Parameter byteCount: The file's size.
    /// - Returns: Whether it does.
    /// - Throws: What SQLite says; see `DatabaseError.isDamage`.
    package func isIntact(byteCount: Int) throws -> Bool {
        // What is cut within a page SQLite reads as zeros.
        guard let pageSize = try Int.fetchOne(self, sql: "PRAGMA page_size"), pageSize > 0,
            byteCount % pageSize == 0
        else { return false }
        return try String.fetchAll(self, sql: "PRAGMA integrity_check(1)") == ["ok"]
    }

    /// Whether the file has all that a sound one has in the way of tables, indexes, triggers and
    /// views, word for word, and beside it nothing whose name begins with an underscore.
    ///
    /// - Parameter sound: What a new file of the same version is like.
    /// - Returns: Whether it has.
    /// - Throws: What SQLite says.
    package func has(_ sound: FileForm) throws -> Bool {
        let found = try FileForm(of: self).objects
        let own = found.filter { object in
            sound.objects.contains(object) || object[1].utf8.first == UInt8(ascii: "_")
        }
        return own == sound.objects
    }

    /// Writes a row as it is, and takes it back: a file that only looks sound says no.
    ///
    /// A full disk, which has no room for the journal, proves nothing: what is there is read.
    ///
    /// - Parameters:
    ///   - table: A table with rows.
    ///   - column: Any column of it.
    /// - Throws: What SQLite says.
    package func proveWritable(_ table: String, _ column: String) throws {
        do {
            try inTransaction {
                try execute(sql: "UPDATE \(table) SET \"\(column)\" = \"\(column)\"")
                return .rollback
            }
        } catch let error as DatabaseError where error.resultCode == .SQLITE_FULL {}
    }
}

/// The tables, indexes, triggers and views of a file, word for word.
package struct FileForm: Sendable {
    /// Type, name, table and SQL of each, by name.
    fileprivate let objects: [[String]]

    /// Reads the form of a file.
    ///
    /// - Parameter database: The file.
    /// - Throws: What SQLite says.
    package init(of database: Database) throws {
        let sql = "SELECT type, name, tbl_name, coalesce(sql, '') FROM sqlite_master ORDER BY 2, 1"
        objects = try Row.fetchAll(database, sql: sql)
            .map { row in (0..<4).map { row.text($0) ?? "" } }
    }
}

extension Row {
    /// A column's text; `nil` if it is none.
    ///
    /// GRDB's own subscripts trap then.
    package func text(_ column: Int) -> String? { String.fromDatabaseValue(self[column]) }

    /// A column's whole number; `nil` if it is none.
    package func integer(_ column: Int) -> Int64? { Int64.fromDatabaseValue(self[column]) }
}

extension DatabaseError {
    /// Whether the file answers so because it is damaged, and will each time.
    ///
    /// The rest is the phone's: its disk is full, or the file is locked.
    package var isDamage: Bool {
        switch resultCode {
        case .SQLITE_IOERR: extendedResultCode == .SQLITE_IOERR_SHORT_READ
        case .SQLITE_BUSY, .SQLITE_LOCKED, .SQLITE_NOMEM, .SQLITE_FULL, .SQLITE_CANTOPEN,
            .SQLITE_PERM, .SQLITE_AUTH, .SQLITE_INTERRUPT, .SQLITE_NOLFS, .SQLITE_PROTOCOL,
            .SQLITE_ABORT:
            false
        // The header may say that only later versions of SQLite may write.
        case .SQLITE_READONLY: extendedResultCode == .SQLITE_READONLY
        default: true
        }
    }
}
