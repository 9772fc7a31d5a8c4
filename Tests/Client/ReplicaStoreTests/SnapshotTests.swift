import GRDB
import ReplicaChanges
import ReplicaStore
import ReplicaSync
import Testing

@Suite("A snapshot replaces the rows at once and keeps the outbox (RP-04)")
struct SnapshotTests {
    @Test("A row that stays is not deleted in between, so that other tables may refer to it")
    func references() throws {
        var primary = FakePrimary()
        for key in ["a", "b"] { primary.write(ReplicaFixture.whole(key, words: "1")) }
        let database = try ReplicaFixture.following(primary)
        try database.run("CREATE TABLE tag (note TEXT REFERENCES note (id) ON DELETE CASCADE)")
        try database.perform(ReplicaFixture.whole("own", words: "x"))
        try database.run("INSERT INTO tag VALUES ('a'), ('b'), ('own')")
        primary.write(ReplicaFixture.note("b", .delete))
        primary.write(ReplicaFixture.note("a", .update, [ReplicaColumn("words", .text("2"))]))
        let expected = [
            ReplicaFixture.whole("a", words: "2"), ReplicaFixture.whole("own", words: "x"),
        ]
        for _ in 0..<2 {
            for (index, page) in primary.snapshot(of: "phone", rowsPerPage: 1).enumerated() {
                _ = try database.stage(page, of: "db-ada", isFirst: index == 0)
            }
            let tags = try database.read {
                try String.fetchAll($0, sql: "SELECT note FROM tag ORDER BY note")
            }
            #expect(try tags == ["a", "own"] && database.rows() == expected)
        }
        let reopened = try ReplicaFixture.open(database.image())
        #expect(try reopened.rows() == expected)
        #expect(try reopened.allUnsent().map(\.change.key) == ["own"])
    }

    @Test("Nothing is seen of it before its last page")
    func unseen() throws {
        var primary = FakePrimary()
        for key in ["a", "b", "c"] { primary.write(ReplicaFixture.whole(key, words: key)) }
        let database = try ReplicaFixture.open()
        try database.perform(ReplicaFixture.whole("z", words: "own"))
        let before = try database.rows()
        let pages = primary.snapshot(of: "phone", rowsPerPage: 1)
        for (index, page) in pages.dropLast().enumerated() {
            let outcome = try database.stage(page, of: "db-ada", isFirst: index == 0)
            let standing = try database.standing()
            #expect(outcome == .done(standing))
            #expect(try database.rows() == before)
            #expect(standing.generation == nil && standing.position == 0)
        }
        let done = ReplicaStanding(
            replica: "phone",
            schema: 2,
            generation: "g1",
            position: 3,
            database: "db-ada"
        )
        #expect(try database.stage(pages[2], of: "db-ada", isFirst: false) == .done(done))
        #expect(try database.rows().map(\.key) == ["a", "b", "c", "z"])
        #expect(try database.allUnsent().map(\.change.key) == ["z"])
    }

    @Test("The first page throws away what another snapshot left; pages of two do not mix")
    func begunAnew() throws {
        var primary = FakePrimary()
        for key in ["a", "b"] { primary.write(ReplicaFixture.whole(key, words: key)) }
        let database = try ReplicaFixture.open()
        let old = primary.snapshot(of: "phone", rowsPerPage: 1)
        #expect(try database.stage(old[1], of: "db-ada", isFirst: false) == .outOfOrder)
        _ = try database.stage(old[0], of: "db-ada", isFirst: true)
        primary.fail()
        primary.write(ReplicaFixture.whole("c", words: "c"))
        var new = primary.snapshot(of: "phone", rowsPerPage: 1)
        #expect(try database.stage(new[0], of: "db-ada", isFirst: false) == .outOfOrder)
        _ = try database.stage(new[0], of: "db-ada", isFirst: true)
        #expect(try database.rows().map(\.key) == ["c"])
        let late = try database.stage(new[0], of: "db-ada", isFirst: false)
        #expect(late == .outOfOrder, "nothing is begun")
        new[0].schema = 3
        #expect(try database.stage(new[0], of: "db-ada", isFirst: true) == .failed)
    }

    @Test("A file follows the database of its first page, and takes no other's rows (RP-01)")
    func otherDatabase() throws {
        var primary = FakePrimary()
        primary.write(ReplicaFixture.whole("a", words: "a"))
        let database = try ReplicaFixture.open()
        var first = primary.snapshot(of: "phone", rowsPerPage: 1)[0]
        #expect(try database.stage(first, of: "db-ada", isFirst: false) == .outOfOrder)
        #expect(try database.standing().database == nil, "nothing is begun")
        let owned = try ReplicaFixture.open()
        for _ in 1...2 { try owned.follow("db-ada") }
        #expect(throws: ReplicaDatabase.Failure.refused("it follows another database")) {
            try owned.follow("db-bob")
        }
        #expect(try ReplicaFixture.open(owned.image()).standing().database == "db-ada")
        first.next = "1"
        _ = try database.stage(first, of: "db-ada", isFirst: true)
        let reopened = try ReplicaFixture.open(database.image())
        #expect(try reopened.standing().database == "db-ada")
        _ = try reopened.stage(first, of: "db-ada", isFirst: true)
        first.next = nil
        for isFirst in [true, false] {
            #expect(try reopened.stage(first, of: "db-bob", isFirst: isFirst) == .failed)
        }
        #expect(try reopened.rows().isEmpty)
        _ = try reopened.stage(first, of: "db-ada", isFirst: false)
        #expect(try reopened.rows().map(\.key) == ["a"], "what was put aside is there still")
    }

    @Test("The log is followed from the first page, whatever changed while pages were read")
    func changedMeanwhile() throws {
        var primary = FakePrimary()
        for key in ["a", "b", "c"] { primary.write(ReplicaFixture.whole(key, words: key)) }
        let database = try ReplicaFixture.open()
        var first = primary.snapshot(of: "phone", rowsPerPage: 2)[0]
        first.next = "2"
        _ = try database.stage(first, of: "db-ada", isFirst: true)
        primary.write(ReplicaFixture.note("a", .delete))
        primary.write(ReplicaFixture.note("c", .update, [ReplicaColumn("count", .integer(9))]))
        primary.write(ReplicaFixture.whole("d", words: "d"))
        try database.perform(ReplicaFixture.whole("c", words: "own"))
        // The rest as it is by now: behind "b".
        var last = primary.snapshot(of: "phone", rowsPerPage: 100)[0]
        last.rows = last.rows.filter { $0.key > "b" }
        _ = try database.stage(last, of: "db-ada", isFirst: false)
        #expect(try database.standing().position == 3)
        _ = try database.take(primary.page(from: 3, to: "phone"))
        _ = primary.push(try database.allUnsent(), of: "phone")
        _ = try database.take(primary.page(from: 6, to: "phone"))
        #expect(try database.rows() == primary.tables(through: primary.head).rows)
    }

    @Test("A restored primary is handed again what it lost, also if it had acknowledged it")
    func restored() throws {
        var primary = FakePrimary()
        let database = try ReplicaFixture.following(primary)
        for key in ["a", "b", "c"] {
            try database.perform(ReplicaFixture.whole(key, words: key))
        }
        let own = try database.kept()
        _ = primary.push(Array(own[..<1]), of: "phone")
        primary.makeDurable()
        _ = primary.push(own, of: "phone")
        var page = primary.page(from: 0, to: "phone")
        page.durable = 0
        _ = try database.take(page)
        #expect(try database.allUnsent().isEmpty && database.kept() == own)
        primary.fail()
        for page in primary.snapshot(of: "phone", rowsPerPage: 10) {
            _ = try database.stage(page, of: "db-ada", isFirst: true)
        }
        #expect(try database.allUnsent() == Array(own[1...]))
        #expect(try database.kept() == own, "the first waits until it cannot be lost")
        #expect(try database.rows().map(\.key) == ["a", "b", "c"])
        _ = try database.take(primary.page(from: 1, to: "phone"))
        #expect(try database.kept() == Array(own[1...]))
    }

    @Test("What is written to a file from a backup is not passed over for its numbers (RP-04)")
    func backup() throws {
        var primary = FakePrimary()
        let database = try ReplicaFixture.following(primary)
        try database.perform(ReplicaFixture.whole("a", words: "a"))
        let backup = try database.image()
        for key in ["b", "c"] { try database.perform(ReplicaFixture.whole(key, words: key)) }
        _ = primary.push(try database.allUnsent(), of: "phone")
        for isTrimmed in [false, true] {
            let restored = try ReplicaFixture.open(backup)
            try restored.perform(ReplicaFixture.whole("d", words: "d"))
            var server = primary
            _ = server.push(try restored.allUnsent(), of: "phone")
            #expect(server.head == 3, "the numbers 1 and 2 are known")
            if isTrimmed {
                let rows = server.snapshot(of: "phone", rowsPerPage: 10)[0]
                _ = try restored.stage(rows, of: "db-ada", isFirst: true)
            } else {
                _ = try restored.take(server.page(from: 0, to: "phone"))
            }
            #expect(try restored.allUnsent().map(\.change.key) == ["a", "d"])
            #expect(try restored.rows().map(\.key) == ["a", "b", "c", "d"])
            let isTaken = server.push(try restored.allUnsent(), of: "phone")
            #expect(isTaken && server.head == 5)
            _ = try restored.take(server.page(from: 3, to: "phone"))
            #expect(try restored.rows() == server.tables(through: 5).rows)
            let again = try DamageTests.open(restored.image())
            #expect(try again.rescue == nil && again.database.allUnsent().isEmpty)
        }
    }

    @Test("A file from a backup in which nothing was written goes on behind the primary's numbers")
    func untouchedBackup() throws {
        var primary = FakePrimary()
        let database = try ReplicaFixture.following(primary)
        let backup = try database.image()
        try database.perform(ReplicaFixture.whole("a", words: "a"))
        _ = primary.push(try database.allUnsent(), of: "phone")
        primary.makeDurable()
        let restored = try ReplicaFixture.open(backup)
        _ = try restored.take(primary.page(from: 0, to: "phone"))
        try restored.perform(ReplicaFixture.note("a", .delete))
        #expect(try restored.kept().map(\.sequence) == [2])
        #expect(try DamageTests.open(restored.image()).rescue == nil)
    }

    @Test("A restored primary that lost numbers which the file let go is handed the rest (RP-04)")
    func lostNumbers() throws {
        var primary = FakePrimary()
        let database = try ReplicaFixture.following(primary)
        try database.perform(ReplicaFixture.whole("a", words: "a"))
        let backup = try database.image()
        for key in ["b", "c"] { try database.perform(ReplicaFixture.whole(key, words: key)) }
        _ = primary.push(try database.allUnsent(), of: "phone")
        let restored = try ReplicaFixture.open(backup)
        _ = try restored.take(primary.page(from: 0, to: "phone"))
        #expect(try restored.kept().map(\.sequence) == [4])
        primary.fail()
        let rows = primary.snapshot(of: "phone", rowsPerPage: 10)[0]
        _ = try restored.stage(rows, of: "db-ada", isFirst: true)
        #expect(try restored.allUnsent().map(\.sequence) == [1])
        #expect(try DamageTests.open(restored.image()).rescue == nil)
        let isTaken = primary.push(try restored.allUnsent(), of: "phone")
        #expect(isTaken && primary.head == 1)
        _ = try restored.take(primary.page(from: 0, to: "phone"))
        #expect(try restored.rows().map(\.key) == ["a"])
        try restored.perform(ReplicaFixture.note("a", .delete))
        #expect(try restored.allUnsent().map(\.sequence) == [2])
    }

    @Test("10,000 rows come whole, page by page")
    func large() throws {
        var primary = FakePrimary()
        for number in 0..<10_000 {
            primary.write(ReplicaFixture.whole("key-\(number)", words: "words of \(number)"))
        }
        let database = try ReplicaFixture.open()
        for (index, page) in primary.snapshot(of: "phone", rowsPerPage: 500).enumerated() {
            _ = try database.stage(page, of: "db-ada", isFirst: index == 0)
        }
        #expect(try database.rows().count == 10_000)
        let again = try ReplicaFixture.open(database.image())
        #expect(try again.standing().position == 10_000)
    }
}
