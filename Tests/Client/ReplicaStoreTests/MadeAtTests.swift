import DatabaseFiles
import GRDB
import ReplicaChanges
import ReplicaStore
import ReplicaSync
import Testing

@Suite("The outbox keeps how far the log was known when a change was made (RP-04)")
struct MadeAtTests {
    /// A primary with two rows, and a phone that has them.
    private static func pair() throws -> (primary: FakePrimary, phone: ReplicaDatabase) {
        var primary = FakePrimary()
        for key in ["a", "b"] { primary.write(ReplicaFixture.whole(key, words: "1")) }
        let phone = try ReplicaFixture.open(name: "phone")
        for page in primary.snapshot(of: "phone", rowsPerPage: 9) {
            _ = try phone.stage(page, of: "db-ada", isFirst: true)
        }
        return (primary, phone)
    }

    private static func places(_ phone: ReplicaDatabase) throws -> [LogPosition?] {
        try phone.allUnsent().map(\.madeAt)
    }

    @Test("It is the same whatever the file has taken since, of the log or of rows")
    func kept() throws {
        var (primary, phone) = try Self.pair()
        try phone.run("DELETE FROM note WHERE id = 'a'")
        primary.write(ReplicaFixture.note("a", .delete))
        primary.write(ReplicaFixture.whole("a", words: "2"))
        _ = try phone.take(primary.page(from: 2, to: "phone"))
        try phone.run("UPDATE note SET words = '3' WHERE id = 'b'")
        let made = [2, 4].map { LogPosition?(LogPosition(position: $0)) }
        #expect(try Self.places(phone) == made)
        // A snapshot of the same generation.
        for page in primary.snapshot(of: "phone", rowsPerPage: 9) {
            _ = try phone.stage(page, of: "db-ada", isFirst: true)
        }
        #expect(try Self.places(phone) == made)
        let reopened = try ReplicaFixture.open(phone.image())
        #expect(try Self.places(reopened) == made)
        // Of another one, twice in a row.
        for _ in 0..<2 {
            primary.makeDurable()
            primary.fail()
            for page in primary.snapshot(of: "phone", rowsPerPage: 9) {
                _ = try phone.stage(page, of: "db-ada", isFirst: true)
            }
            let old = [2, 4].map { LogPosition?(LogPosition(generation: "g1", position: $0)) }
            #expect(try Self.places(phone) == old)
        }
    }

    @Test("Before the first snapshot nothing was known")
    func unknown() throws {
        let phone = try ReplicaFixture.open()
        try phone.run("INSERT INTO note (id) VALUES ('a')")
        #expect(try Self.places(phone) == [LogPosition(position: 0)])
    }

    @Test("It goes with the change into a file that replaces a damaged one, under any name")
    func rescued() throws {
        let (_, phone) = try Self.pair()
        try phone.run("DELETE FROM note WHERE id = 'a'")
        let old: [LogPosition?] = [LogPosition(generation: "g1", position: 2)]
        var image = try phone.image()
        image[0] = 0
        let named = try DamageTests.open(image).database
        #expect(try named.standing().replica == "phone")
        #expect(try Self.places(named) == old)
        try phone.run("DELETE FROM _state")
        let renamed = try DamageTests.open(phone.image()).database
        #expect(try renamed.standing().replica == "phone-2")
        #expect(try Self.places(renamed) == old)
    }

    @Test("It goes with a change that gets another number, since the file is an older copy's")
    func renumbered() throws {
        var (primary, phone) = try Self.pair()
        let copy = try ReplicaFixture.open(phone.image())
        for key in ["x", "y"] { try phone.perform(ReplicaFixture.whole(key, words: key)) }
        _ = primary.push(try phone.allUnsent(), of: "phone")
        try copy.run("DELETE FROM note WHERE id = 'a'")
        _ = try copy.take(primary.page(from: 2, to: "phone"))
        #expect(try copy.allUnsent().map(\.sequence) == [3])
        #expect(try Self.places(copy) == [LogPosition(position: 2)])
    }
}

extension ReplicaFixture {
    /// A file without what an earlier form did not have, as an earlier version of the app would have left it.
    static func image(_ image: [UInt8], ofForm form: Int) throws -> [UInt8] {
        try DatabaseQueue.inMemory(image).inDatabase { file in
            let triggers = try String.fetchAll(
                file,
                sql: """
                    SELECT name FROM sqlite_master WHERE type = 'trigger' AND (name LIKE '^_capture%' ESCAPE '^'
                        OR tbl_name LIKE '^_%' ESCAPE '^' OR \(form) = 1)
                    """
            )
            for name in triggers { try file.execute(sql: "DROP TRIGGER \"\(name)\"") }
            for column in ["owner", "madeAt", "madeIn", "checksum"] {
                try file.execute(sql: "ALTER TABLE _outbox DROP COLUMN \(column)")
            }
            for column in ["heldBackCount", "checksum"] {
                try file.execute(sql: "ALTER TABLE _state DROP COLUMN \(column)")
            }
            for table in ["_refused", "_owner"] { try file.execute(sql: "DROP TABLE \(table)") }
            try file.execute(sql: "UPDATE _state SET form = \(form)")
            if form == 1 {
                try file.execute(sql: "DROP TABLE _rowSeals")
            } else {
                for table in ["_state", "_outbox"] { try file.seal(table) }
            }
            if form == 3 {
                try file.widen(sealed: "_outbox", by: ["madeIn TEXT", "madeAt INTEGER"])
            }
            return try file.image()
        }
    }
}
