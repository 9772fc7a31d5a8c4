import DatabaseFiles
import GRDB
import ReplicaChanges

/// Whose a replica's file is.
///
/// That stands in three places, so that no damage of one page reaches them all: in `_state` as the database
/// that the file follows, in a table of its own, and with each change of the outbox, under the change's
/// checksum. What is saved of a damaged file says itself whose it is, and no former user's changes reach
/// the primary of the next.
enum FileOwner: Sendable, Equatable {
    /// A user who has signed in, by the name in their session, while their database is not known.
    case user(String)
    /// The user of a database.
    case database(String)

    /// The owner as the file has it.
    var text: String {
        switch self {
        case .user(let name): "user \(name)"
        case .database(let name): "database \(name)"
        }
    }

    /// The database, if it is known.
    var database: String? {
        if case .database(let name) = self { name } else { nil }
    }

    /// The user, as long as the database is not known.
    var user: String? {
        if case .user(let name) = self { name } else { nil }
    }

    /// Whether both are the same to the byte, as names are.
    static func == (one: FileOwner, other: FileOwner) -> Bool {
        one.text.utf8.elementsEqual(other.text.utf8)
    }

    /// Reads what the file has; `nil` if that is no owner.
    init?(text: String) {
        // By bytes: a name that begins with a combining mark makes one character with the space.
        let bytes = text.utf8
        guard let space = bytes.firstIndex(of: UInt8(ascii: " ")) else { return nil }
        let name = String(text[bytes.index(after: space)...])
        switch String(text[..<space]) {
        case "user": self = .user(name)
        case "database": self = .database(name)
        default: return nil
        }
    }
}

extension FileState {
    /// Makes room for the owner in the other two places, and for the number of changes held back.
    static func addOwner(to file: Database) throws {
        try file.widen(sealed: "_state", by: ["heldBackCount INTEGER"])
        try file.widen(sealed: "_outbox", by: ["owner TEXT"])
        try file.execute(
            sql: """
                CREATE TABLE _owner (
                    only INTEGER PRIMARY KEY CHECK (only = 1),
                    owner TEXT
                ) STRICT
                """
        )
        try file.seal("_owner")
        try file.run("INSERT INTO _owner (only) VALUES (1)")
    }
}

extension ReplicaDatabase {
    /// Notes whose a file of nobody's is: a user's who has signed in, until their database is known.
    ///
    /// - Parameter user: The user, by the name in their session.
    /// - Throws: That it is another's, or why that cannot be written.
    public func claim(for user: String) throws(Failure) {
        try write { file in
            let owner = try file.soundOwner() ?? nil
            guard owner != .user(user) else { return }
            guard owner == nil else { throw Failure.refused("it is another user's") }
            try file.note(owner: .user(user))
        }
    }
}

extension Database {
    /// Notes the file's owner in its table and with each change of the outbox.
    func note(owner: FileOwner?) throws {
        guard let owner else { return }
        try run("UPDATE _owner SET owner = ?", [.text(owner.text)])
        try run("UPDATE _outbox SET owner = ?", [.text(owner.text)])
    }

    /// What the owner's table says, if it is as it was written: an owner, or that there is none.
    ///
    /// - Returns: The owner; `nil` if it cannot be read.
    /// - Throws: What SQLite says.
    func soundOwner() throws -> FileOwner?? {
        let sql = "SELECT owner FROM _owner WHERE \(try sealCheck(of: "_owner"))"
        let found = try all(sql) { row -> [FileOwner?] in
            guard let text = row.text(0) else { return row.isTextOrNull(0) ? [nil] : [] }
            return FileOwner(text: text).map { [$0] } ?? []
        }
        return found.count == 1 ? found[0].first : nil
    }

    /// Whether the other two places agree with the database that `_state` says the file follows.
    func hasOneOwner(_ followed: String?) throws -> Bool {
        guard let said = try soundOwner(), said?.database == followed else { return false }
        let others = "SELECT 1 FROM _outbox WHERE owner IS NOT (SELECT owner FROM _owner) LIMIT 1"
        return try all(others) { _ in true }.isEmpty
    }
}
