import GRDB

// What tells a file that is of no use from a phone that is of none for now.

extension Disk {
    /// Why a file is to be replaced.
    package struct Damage: Error {
        /// What SQLite says of it.
        package let message: String
    }

    /// Does something with a database file, and once more if SQLite cannot read or write it.
    ///
    /// - Parameters:
    ///   - path: The file; `nil` of a database in memory.
    ///   - body: What is done; it begins with opening the file, or can be done twice.
    /// - Returns: What came of it.
    /// - Throws: `Damage` if the file is damaged, or if it fails twice in a row where a new one beside
    ///   it does not; else what SQLite says.
    package static func attempt<Value>(_ path: String?, _ body: () throws -> Value) throws -> Value
    {
        do {
            return try body()
        } catch let error as DatabaseError where error.isDoubtful && path != nil {
            do {
                return try body()
            } catch let error as DatabaseError {
                let isLost = error.isDoubtful && takesDatabase(beside: path)
                throw error.isDamage || isLost ? Damage(error) : error
            }
        } catch let error as DatabaseError {
            throw error.isDamage ? Damage(error) : error
        }
    }

    /// Whether a new database can be made, written and read beside a file whose own bytes can be read.
    ///
    /// Not while the phone is locked, or its disk full.
    private static func takesDatabase(beside path: String?) -> Bool {
        guard let path, bytes(of: path) != nil else { return false }
        let trial = path + ".trial"
        remove(trial)
        defer { remove(trial) }
        guard let queue = try? DatabaseQueue(path: trial) else { return false }
        let count = try? queue.write { database in
            try database.execute(sql: "CREATE TABLE t (v); INSERT INTO t VALUES (1)")
            return try Int.fetchOne(database, sql: "SELECT v FROM t")
        }
        return (try? queue.close()) != nil && count == 1
    }
}

extension Disk.Damage {
    fileprivate init(_ error: DatabaseError) {
        message = error.message ?? error.resultCode.description
    }
}

extension DatabaseError {
    /// Whether only another file tells whose fault it is: the phone's, or that of the file and what
    /// lies beside it, such as a folder that has its journal's name.
    fileprivate var isDoubtful: Bool {
        switch resultCode {
        case .SQLITE_IOERR, .SQLITE_READONLY: !isDamage
        case .SQLITE_CANTOPEN, .SQLITE_PERM: true
        default: false
        }
    }
}
