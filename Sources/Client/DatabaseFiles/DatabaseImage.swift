package import GRDB
import GRDBSQLite

extension Database {
    /// The database as the bytes of a file.
    package func image() throws -> [UInt8] {
        var count: sqlite3_int64 = 0
        guard let start = sqlite3_serialize(sqliteConnection, "main", &count, 0) else {
            throw DatabaseError(resultCode: .SQLITE_NOMEM)
        }
        defer { sqlite3_free(start) }
        return Array(UnsafeBufferPointer(start: start, count: Int(count)))
    }

    /// Makes the bytes of a file the database of a connection to memory.
    ///
    /// - Parameter image: The bytes; SQLite gets a copy that it can let grow.
    /// - Throws: That there is no memory for them, or what SQLite says.
    func load(_ image: [UInt8]) throws {
        guard let memory = sqlite3_malloc64(sqlite3_uint64(max(1, image.count))) else {
            throw DatabaseError(resultCode: .SQLITE_NOMEM)
        }
        image.withUnsafeBytes { bytes in
            if let start = bytes.baseAddress {
                memory.copyMemory(from: start, byteCount: bytes.count)
            }
        }
        // SQLite frees the memory, also when it refuses it.
        let flags = SQLITE_DESERIALIZE_FREEONCLOSE | SQLITE_DESERIALIZE_RESIZEABLE
        let code = sqlite3_deserialize(
            sqliteConnection,
            "main",
            memory.assumingMemoryBound(to: UInt8.self),
            sqlite3_int64(image.count),
            sqlite3_int64(image.count),
            UInt32(flags)
        )
        guard code == SQLITE_OK else {
            throw DatabaseError(resultCode: ResultCode(rawValue: code))
        }
    }
}

extension DatabaseQueue {
    /// Opens a database in memory that has the bytes of a file.
    ///
    /// - Parameter image: The bytes; `nil` for an empty database.
    /// - Returns: The database.
    /// - Throws: Why SQLite does not take them.
    package static func inMemory(_ image: [UInt8]?) throws -> DatabaseQueue {
        let queue = try DatabaseQueue(configuration: .withChecksums)
        guard var image else { return queue }
        // The file format versions (bytes 18 and 19): 2 is WAL, which memory cannot have.
        for index in 18...19 where image.count > index && image[index] == 2 { image[index] = 1 }
        try queue.inDatabase { [image] in try $0.load(image) }
        return queue
    }
}

extension Array where Element == UInt8 {
    /// A file's bytes with another file's schema, which says where tables begin: its first page, and those
    /// on which it goes on.
    ///
    /// SQLite reads nothing of a file that ends before one of its tables begins: the pages that are
    /// missing are there, and empty.
    ///
    /// - Parameter other: The bytes of a file whose tables begin at the same pages.
    /// - Returns: The bytes; `nil` if there is nothing behind the first page.
    package func withFirstPage(of other: [UInt8]) -> [UInt8]? {
        let pageSize = 4096
        guard count > pageSize, other.count >= pageSize else { return nil }
        let pageCount = UInt32((Swift.max(count, other.count) + pageSize - 1) / pageSize)
        var mended = Array(other[..<pageSize]) + self[pageSize...]
        mended += [UInt8](repeating: 0, count: Int(pageCount) * pageSize - mended.count)
        for page in other.schemaLeaves {
            let place = (page - 1) * pageSize..<page * pageSize
            guard other.indices.contains(place.upperBound - 1) else { continue }
            mended.replaceSubrange(place, with: other[place])
        }
        // The size in pages, in the header at 28 (SQLite's file format, 1.3).
        for index in 0..<4 {
            mended[28 + index] = UInt8(truncatingIfNeeded: pageCount >> UInt32(24 - 8 * index))
        }
        return mended
    }

    /// The pages on which a schema goes on that is too long for the first one: the children of an interior
    /// page of a table's tree (SQLite's file format, 1.6).
    private var schemaLeaves: [Int] {
        func number(_ place: Int, _ byteCount: Int) -> Int {
            self[place..<place + byteCount].reduce(0) { $0 << 8 | Int($1) }
        }
        guard self[100] == 5 else { return [] }
        let cells = (0..<number(103, 2)).map { number(112 + 2 * $0, 2) }
        return cells.map { number($0, 4) } + [number(108, 4)]
    }
}
