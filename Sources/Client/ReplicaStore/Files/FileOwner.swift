import DatabaseFiles
import GRDB
import ReplicaChanges

// Whose a replica's file is: the user's whose database it follows.
//
// That stands in three places, so that no damage of one page reaches them all: in `_state`, in a table of
// its own, and with each change of the outbox, under the change's checksum. What is saved of a damaged file
// says itself whose it is, and no former user's changes reach the primary of the next.

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

extension Database {
    /// Notes the file's owner in its table and with each change of the outbox.
    func note(owner: String?) throws {
        guard let owner else { return }
        try run("UPDATE _owner SET owner = ?", [.text(owner)])
        try run("UPDATE _outbox SET owner = ?", [.text(owner)])
    }

    /// What the owner's table says, if it is as it was written: an owner, or that there is none.
    ///
    /// - Returns: The owner; `nil` if it cannot be read.
    /// - Throws: What SQLite says.
    func soundOwner() throws -> String?? {
        let sql = "SELECT owner FROM _owner WHERE \(try sealCheck(of: "_owner"))"
        let found = try all(sql) { row in row.isTextOrNull(0) ? [row.text(0)] : [] }
        return found.count == 1 ? found[0].first : nil
    }

    /// Whether the other two places name the database that `_state` says the file follows.
    func hasOneOwner(_ followed: String?) throws -> Bool {
        guard let said = try soundOwner(), said == followed else { return false }
        let others = "SELECT 1 FROM _outbox WHERE owner IS NOT (SELECT owner FROM _owner) LIMIT 1"
        return try all(others) { _ in true }.isEmpty
    }
}
