import DatabaseFiles
import GRDB
import GroupSecurity
public import SansIO

// For whom a group waits: an invite may be followed an hour later, when the app has been started anew.

extension GroupDatabase {
    /// Notes that a guest is waited for; a group that is not kept changes nothing.
    ///
    /// Keeps the last five invites; more guests than fill the group can't come.
    public func save(_ invite: InviteRecord, to group: GroupID) throws(Failure) {
        try write { database in
            try database.execute(
                sql: """
                    INSERT INTO invite (groupID, made, expires)
                    SELECT id, ?, ? FROM talkGroup WHERE id = ?
                    """,
                arguments: [
                    invite.made.secondsSince1970, invite.expires?.secondsSince1970, group.text,
                ]
            )
            try database.execute(
                sql: """
                    DELETE FROM invite WHERE groupID = ? AND number NOT IN (
                        SELECT number FROM invite WHERE groupID = ? ORDER BY number DESC LIMIT 5
                    )
                    """,
                arguments: [group.text, group.text]
            )
        }
    }

    /// The unused invites to a group, in the order in which they were made.
    public func invites(to group: GroupID) throws(Failure) -> [InviteRecord] {
        try read { database in
            try Row.fetchAll(
                database,
                sql: "SELECT made, expires FROM invite WHERE groupID = ? ORDER BY number",
                arguments: [group.text]
            ).compactMap(InviteRecord.init(row:))
        }
    }

    /// Forgets the last of a group's invites, which is the likeliest to be waited for still: a guest came.
    public func deleteInvite(to group: GroupID) throws(Failure) {
        try write { database in
            try database.execute(
                sql: """
                    DELETE FROM invite WHERE number = (
                        SELECT max(number) FROM invite WHERE groupID = ?
                    )
                    """,
                arguments: [group.text]
            )
        }
    }
}

extension InviteRecord {
    /// Reads a row; `nil` if it has no time.
    fileprivate init?(row: Row) {
        guard let made = row.integer(0) else { return nil }
        self.init(
            made: WallTime(secondsSince1970: made),
            expires: row.integer(1).map(WallTime.init(secondsSince1970:))
        )
    }
}
