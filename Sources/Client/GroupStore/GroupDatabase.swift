import DatabaseFiles
import GRDB
import GroupSecurity
public import SansIO

/// The groups and members that this phone has met, in an SQLite file: what is shown, and no secret
/// (S-GRP-002…004); and for whom groups still wait.
///
/// Times are whole seconds since 1970, ids the text that invites carry. Which group was used last is
/// counted: clocks are set back. Calls block until the file is written; an app makes them off the main
/// thread.
public final class GroupDatabase: Sendable {
    private let queue: DatabaseQueue
    /// What was saved of a damaged file, until the app calls `noteRescueShown()`.
    public let rescue: Rescue?

    /// Why a database is of no use.
    public enum Failure: Error, Sendable, Equatable, CustomStringConvertible {
        /// A later version of the app wrote it; nothing was changed.
        case writtenByLaterVersion
        /// SQLite refused, with its message.
        case refused(String)

        /// What is wrong and what helps, in one sentence.
        public var description: String {
            switch self {
            case .writtenByLaterVersion:
                "the groups on this phone were saved by a later version of the app; update the app"
            case .refused(let message): "the groups on this phone cannot be used: \(message)"
            }
        }
    }

    /// What was saved of a damaged file.
    public struct Rescue: Sendable, Equatable {
        /// How many groups were saved; others may have been in it.
        public let groupCount: Int
        /// Where the damaged file is now.
        public let setAside: String
    }

    /// Opens the database, makes it if there is none, and brings it to the present form.
    ///
    /// A damaged file is set aside, and what can be read of it saved into a new one.
    ///
    /// - Parameter path: The file; `nil` keeps everything in memory.
    /// - Throws: Why it cannot be used; the file is then as it was.
    public convenience init(path: String?) throws(Failure) {
        try self.init {
            guard let path else { return try DatabaseQueue(configuration: .forGroups) }
            let sound = try Self.soundForm.get()
            return try GroupFile(path: path, migrator: Self.migrator, sound: sound).open()
        }
    }

    /// Opens the database in memory that all connections of one name share, or makes it.
    ///
    /// It ends with its last connection: in tests and simulators, an open one stands for the disk.
    ///
    /// - Parameter name: Its name within the process; letters, digits and hyphens.
    /// - Throws: Why it cannot be used.
    public convenience init(sharedInMemoryAs name: String) throws(Failure) {
        try self.init { try DatabaseQueue(named: name, configuration: .forGroups) }
    }

    private init(opening open: () throws -> DatabaseQueue) throws(Failure) {
        (queue, rescue) = try Self.catching {
            let queue = try open()
            try Self.migrator.migrate(queue)
            let sql = "SELECT groupCount, setAside FROM rescue"
            let row = try queue.read { try Row.fetchOne($0, sql: sql) }
            let rescue = row.flatMap { row in
                row.integer(0).map { Rescue(groupCount: Int($0), setAside: row.text(1) ?? "") }
            }
            return (queue, rescue)
        }
    }

    /// Forgets what was saved of a damaged file: the user has been told.
    public func noteRescueShown() throws(Failure) {
        try write { try $0.execute(sql: "DELETE FROM rescue") }
    }

    /// What a sound file is like, learnt once in a process.
    private static let soundForm = Result {
        let queue = try DatabaseQueue(configuration: .forGroups)
        try migrator.migrate(queue)
        return try queue.inDatabase { try FileForm(of: $0) }
    }

    /// The steps from an empty file to the present form.
    ///
    /// A step that has shipped never changes, and begins with its number: by the next one an earlier version
    /// knows a file that is not its own (see `GroupFile`).
    private static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("1 groups and members") { database in
            try database.execute(
                sql: """
                    CREATE TABLE talkGroup (
                        id TEXT PRIMARY KEY NOT NULL,
                        name TEXT,
                        created INTEGER NOT NULL,
                        lastUsed INTEGER
                    ) STRICT;
                    CREATE TABLE member (
                        id TEXT PRIMARY KEY NOT NULL,
                        name TEXT,
                        lastSeen INTEGER NOT NULL
                    ) STRICT;
                    CREATE TABLE membership (
                        groupID TEXT NOT NULL REFERENCES talkGroup(id) ON DELETE CASCADE,
                        memberID TEXT NOT NULL REFERENCES member(id) ON DELETE CASCADE,
                        lastSeen INTEGER NOT NULL,
                        PRIMARY KEY (groupID, memberID)
                    ) STRICT, WITHOUT ROWID;
                    CREATE INDEX membershipByMember ON membership(memberID);
                    """
            )
        }
        migrator.registerMigration("2 order of use") { database in
            try database.execute(
                sql: """
                    ALTER TABLE talkGroup ADD COLUMN useNumber INTEGER NOT NULL DEFAULT 0;
                    UPDATE talkGroup SET useNumber = (
                        SELECT count(*) FROM talkGroup AS other
                        WHERE other.lastUsed IS NOT NULL
                            AND (other.lastUsed, other.created)
                                <= (talkGroup.lastUsed, talkGroup.created)
                    ) WHERE lastUsed IS NOT NULL;
                    """
            )
        }
        migrator.registerMigration("3 guests") { database in
            try database.execute(
                sql: """
                    CREATE TABLE invite (
                        number INTEGER PRIMARY KEY,
                        groupID TEXT NOT NULL REFERENCES talkGroup(id) ON DELETE CASCADE,
                        made INTEGER NOT NULL,
                        expires INTEGER
                    ) STRICT;
                    CREATE INDEX inviteByGroup ON invite(groupID);
                    """
            )
        }
        migrator.registerMigration("4 checksums") { database in
            try database.execute(
                sql: """
                    CREATE TABLE rescue (
                        only INTEGER PRIMARY KEY CHECK (only = 1),
                        groupCount INTEGER NOT NULL,
                        setAside TEXT NOT NULL
                    ) STRICT
                    """
            )
            for table in GroupFile.tables + ["rescue"] { try database.seal(table) }
        }
        return migrator
    }

    // MARK: Groups

    /// Keeps a group, or what is new about it; with a time of use it counts as talked in now.
    public func save(_ group: GroupRecord) throws(Failure) {
        try write { database in
            let useNumber = try group.lastUsed == nil ? 0 : Self.nextUse(in: database)
            try database.execute(
                sql: """
                    INSERT INTO talkGroup (id, name, created, lastUsed, useNumber)
                    VALUES (?, ?, ?, ?, ?)
                    ON CONFLICT (id) DO UPDATE SET
                        name = coalesce(excluded.name, name),
                        lastUsed = max(coalesce(excluded.lastUsed, 0), coalesce(lastUsed, 0)),
                        useNumber = max(excluded.useNumber, useNumber)
                    """,
                arguments: [
                    group.id.text, group.name?.text, group.created.secondsSince1970,
                    group.lastUsed?.secondsSince1970, useNumber,
                ]
            )
        }
    }

    /// The number of a use that comes after all so far.
    private static func nextUse(in database: Database) throws -> Int64 {
        let sql = "SELECT coalesce(max(useNumber), 0) + 1 FROM talkGroup"
        return try Int64.fetchOne(database, sql: sql) ?? 1
    }

    /// Notes that a group is talked in.
    public func use(_ group: GroupID, at time: WallTime) throws(Failure) {
        try write { database in
            let useNumber = try Self.nextUse(in: database)
            try database.execute(
                sql: "UPDATE talkGroup SET lastUsed = ?, useNumber = ? WHERE id = ?",
                arguments: [time.secondsSince1970, useNumber, group.text]
            )
        }
    }

    /// The groups to offer at launch, `countMax` at most (S-GRP-003).
    ///
    /// Those talked in last come first, then those never talked in, the newest first.
    public func recentGroups(_ countMax: Int = 20) throws(Failure) -> [GroupRecord] {
        try read { database in
            try Row.fetchAll(
                database,
                sql: """
                    SELECT id, name, created, lastUsed FROM talkGroup
                    ORDER BY useNumber DESC, created DESC, id LIMIT ?
                    """,
                arguments: [max(0, countMax)]
            ).compactMap(GroupRecord.init(row:))
        }
    }

    /// Forgets a group; its members stay known.
    public func delete(_ group: GroupID) throws(Failure) {
        try write { database in
            try database.execute(
                sql: "DELETE FROM talkGroup WHERE id = ?",
                arguments: [group.text]
            )
        }
    }

    // MARK: Members

    /// Notes that a member was seen in a group; a group that isn't kept changes nothing.
    public func save(_ member: MemberRecord, in group: GroupID) throws(Failure) {
        try write { database in
            guard
                try Bool.fetchOne(
                    database,
                    sql: "SELECT 1 FROM talkGroup WHERE id = ?",
                    arguments: [group.text]
                ) != nil
            else { return }
            let seen = member.lastSeen.secondsSince1970
            try database.execute(
                sql: """
                    INSERT INTO member (id, name, lastSeen) VALUES (?, ?, ?)
                    ON CONFLICT (id) DO UPDATE SET
                        name = coalesce(excluded.name, name),
                        lastSeen = max(excluded.lastSeen, lastSeen)
                    """,
                arguments: [member.id.description, member.name?.text, seen]
            )
            try database.execute(
                sql: """
                    INSERT INTO membership (groupID, memberID, lastSeen) VALUES (?, ?, ?)
                    ON CONFLICT (groupID, memberID) DO UPDATE SET
                        lastSeen = max(excluded.lastSeen, lastSeen)
                    """,
                arguments: [group.text, member.id.description, seen]
            )
        }
    }

    /// The members that were ever in a group, the latest seen first.
    public func members(of group: GroupID) throws(Failure) -> [MemberRecord] {
        try read { database in
            try Row.fetchAll(
                database,
                sql: """
                    SELECT member.id, member.name, membership.lastSeen FROM membership
                    JOIN member ON member.id = membership.memberID
                    WHERE membership.groupID = ?
                    ORDER BY membership.lastSeen DESC, member.id
                    """,
                arguments: [group.text]
            ).compactMap(MemberRecord.init(row:))
        }
    }

    /// All members ever met, for invites to a new group (S-GRP-004), the latest seen first.
    public func allMembers() throws(Failure) -> [MemberRecord] {
        try read { database in
            try Row.fetchAll(
                database,
                sql: "SELECT id, name, lastSeen FROM member ORDER BY lastSeen DESC, id"
            ).compactMap(MemberRecord.init(row:))
        }
    }

    // MARK: Errors

    func read<Value>(
        _ body: (Database) throws -> Value
    ) throws(Failure) -> Value {
        try catching { try self.queue.read(body) }
    }

    func write(_ body: (Database) throws -> Void) throws(Failure) {
        try catching { try self.queue.write(body) }
    }

    private func catching<Value>(_ body: () throws -> Value) throws(Failure) -> Value {
        try Self.catching(body)
    }

    private static func catching<Value>(_ body: () throws -> Value) throws(Failure) -> Value {
        do {
            return try body()
        } catch let failure as Failure {
            throw failure
        } catch let error as DatabaseError {
            throw .refused(error.message ?? error.resultCode.description)
        } catch {
            throw .refused("\(error)")
        }
    }
}

extension GroupRecord {
    /// Reads a row; `nil` if its id is none.
    fileprivate init?(row: Row) {
        guard let id = row.text(0).flatMap(GroupID.init(text:)), let created = row.integer(2) else {
            return nil
        }
        self.init(
            id: id,
            name: DisplayName(row.text(1) ?? ""),
            created: WallTime(secondsSince1970: created),
            lastUsed: row.integer(3).map(WallTime.init(secondsSince1970:))
        )
    }
}

extension MemberRecord {
    /// Reads a row; `nil` if its id is none.
    fileprivate init?(row: Row) {
        guard let id = row.text(0).flatMap(MemberID.init(text:)), let lastSeen = row.integer(2)
        else {
            return nil
        }
        self.init(
            id: id,
            name: DisplayName(row.text(1) ?? ""),
            lastSeen: WallTime(secondsSince1970: lastSeen)
        )
    }
}
