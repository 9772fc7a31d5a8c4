import DatabaseFiles
import GRDB
import ReplicaChanges
import ReplicaStore
import ReplicaSync
import Testing

@Suite("What is saved of a damaged file is its owner's alone (RP-01, RP-07)")
struct OwnerDamageTests {
    /// The tables that name the owner, and the first page, which says where they are.
    private static let places = ["_state", "_owner", "_outbox", "sqlite_schema"]

    /// All sets of places.
    private static var sets: [[String]] {
        (1..<1 << places.count).map { bits in
            places.enumerated().filter { bits & 1 << $0.offset != 0 }.map(\.element)
        }
    }

    /// A file whose pages where these tables begin hold nonsense.
    private static func damaged(_ image: [UInt8], _ tables: [String]) throws -> [UInt8] {
        let database = try DatabaseQueue.inMemory(image)
        var damaged = image
        for table in tables {
            let sql = "SELECT rootpage FROM sqlite_schema WHERE name = ?"
            let root = try database.read { try Int.fetchOne($0, sql: sql, arguments: [table]) }
            let page = table == "sqlite_schema" ? 1 : try #require(root)
            for index in (page - 1) * 4_096..<page * 4_096 { damaged[index] = 0xFF }
        }
        return damaged
    }

    /// A file of ada's with changes that the primary lacks.
    private static func image() throws -> [UInt8] {
        let database = try ReplicaFixture.following(FakePrimary())
        for key in ["a", "b", "c"] {
            try database.perform(ReplicaFixture.whole(key, words: key))
        }
        return try database.image()
    }

    /// Whether a user's snapshot is taken, as when they have signed in.
    private static func takes(_ owner: String, _ database: ReplicaDatabase) throws -> Bool {
        let page = FakePrimary().snapshot(of: "any", rowsPerPage: 9)[0]
        guard case .done = try database.stage(page, of: owner, isFirst: true) else { return false }
        return true
    }

    @Test(
        "Wherever the owner's name is damaged, and again, another user gets nothing that was saved",
        arguments: sets
    )
    func others(tables: [String]) throws {
        var image = try Self.image()
        for round in 1...2 {
            image = try Self.damaged(image, tables)
            // Damaged once more before anybody has signed in.
            for _ in 1...2 {
                let opening = try DamageTests.open(image)
                #expect(opening.rescue != nil)
                let kept = try opening.database.kept().filter { !$0.change.key.hasPrefix("phone") }
                let owner = try opening.database.standing().database
                if !kept.isEmpty { #expect(owner == "db-ada", "round \(round)") }
                let isWhole = kept.map(\.change.key) == ["a", "b", "c"]
                #expect(isWhole || tables.contains("_outbox"))
                // A place that is whole is enough.
                if tables.count < 3 { #expect(owner == "db-ada", "round \(round)") }
                image = try Self.damaged(opening.database.image(), tables)
            }
            let database = try DamageTests.open(image).database
            guard try database.standing().database != nil else { return }
            #expect(try !Self.takes("db-eve", database))
            #expect(try !Self.takes("db-eve", database))
            #expect(try Self.takes("db-ada", database))
            #expect(try Self.takes("db-ada", database))
            image = try database.image()
        }
    }

    @Test("A file of nobody's is still nobody's, and what was saved its first user's")
    func nobodys() throws {
        let database = try ReplicaFixture.open()
        try database.perform(ReplicaFixture.whole("a", words: "a"))
        let tables = [["_state"], ["_owner"], ["sqlite_schema"], ["_state", "_owner"]]
        for tables in tables {
            let opening = try DamageTests.open(Self.damaged(database.image(), tables))
            let rescued = opening.database
            #expect(opening.rescue?.heldBackCount == 0 && opening.rescue?.unsentCount == 1)
            #expect(try rescued.standing().database == nil && rescued.kept().count == 1)
            #expect(try Self.takes("db-eve", rescued) && !Self.takes("db-ada", rescued))
        }
    }

    @Test(
        "A file that a user has claimed stays theirs, whatever is damaged (RP-01)",
        arguments: ["ada", "ada b", "\u{301}ada", "\u{E9}"]
    )
    func claimed(user: String) throws {
        let database = try ReplicaFixture.open()
        try database.perform(ReplicaFixture.whole("a", words: "a"))
        try database.claim(for: user)
        try database.claim(for: user)
        try database.perform(ReplicaFixture.whole("b", words: "b"))
        for other in ["eve", "e\u{301}"] {
            #expect(throws: ReplicaDatabase.Failure.self) { try database.claim(for: other) }
        }
        for tables in Self.sets where !tables.contains("_outbox") {
            var image = try database.image()
            for _ in 1...2 {
                let opening = try DamageTests.open(Self.damaged(image, tables))
                let standing = try opening.database.standing()
                #expect(standing.claimant == user && standing.database == nil, "\(tables)")
                #expect(opening.rescue?.unsentCount == 2 && opening.rescue?.heldBackCount == 0)
                image = try opening.database.image()
            }
        }
        try database.follow("db-ada")
        let standing = try database.standing()
        #expect(standing.claimant == nil && standing.database == "db-ada")
        #expect(throws: ReplicaDatabase.Failure.self) { try database.claim(for: user) }
        #expect(try DamageTests.open(database.image()).rescue == nil)
    }

    @Test("A file that is cut to its first two pages knows its owner")
    func cut() throws {
        let image = try Self.image()
        for count in [2 * 4_096, 2 * 4_096 + 7, 3 * 4_096, image.count / 2] {
            let opening = try DamageTests.open(Array(image[..<count]))
            #expect(opening.rescue != nil)
            #expect(try opening.database.standing().database == "db-ada", "\(count) bytes")
        }
    }

    @Test("Changes of earlier forms, of which nothing says whose they are, are held back and told")
    func heldBack() throws {
        for form in 1...3 {
            let old = try ReplicaFixture.image(Self.image(), ofForm: form)
            // With its state whole the file knows its owner.
            var headless = old
            headless[0] = 0
            let known = try DamageTests.open(headless)
            #expect(known.rescue?.heldBackCount == 0 && known.rescue?.unsentCount == 3)
            #expect(try known.database.standing().database == "db-ada")
            let stateless = try Self.damaged(old, ["_state"])
            try ReplicaFixture.withFolder { path in
                try ReplicaFixture.write(stateless, to: path)
                func open() throws -> ReplicaDatabase.Opening {
                    try ReplicaDatabase.open(
                        .file(path: path),
                        form: ReplicaFixture.form.get(),
                        newReplica: "phone-2"
                    )
                }
                let rescue = ReplicaDatabase.Rescue(
                    unsentCount: 0,
                    heldBackCount: 3,
                    isComplete: false,
                    setAside: "\(path).damaged-1"
                )
                // With each opening until the app has shown it.
                for _ in 1...2 { #expect(try open().rescue == rescue, "form \(form)") }
                #expect(try ReplicaFixture.bytes("\(path).damaged-1") == stateless)
                let opened = try open().database
                #expect(try opened.kept().isEmpty && opened.rows().isEmpty)
                #expect(try Self.takes("db-eve", opened))
                #expect(try opened.allUnsent().isEmpty)
                try opened.noteRescueShown()
                #expect(try open().rescue == nil)
            }
        }
    }

    @Test("A refused change is held back as well where nothing says whose it is (RP-01)")
    func refused() throws {
        let database = try ReplicaFixture.following(FakePrimary())
        try database.perform(ReplicaFixture.whole("a", words: "a"))
        _ = try database.setAside([ChangeRefusal(sequence: 1, reason: "rule")])
        let known = try DamageTests.open(Self.damaged(database.image(), ["_state", "_outbox"]))
        #expect(try known.database.refused().count == 1)
        let image = try Self.damaged(database.image(), ["_state", "_owner", "_outbox"])
        let opening = try DamageTests.open(image)
        #expect(opening.rescue?.heldBackCount == 1 && opening.rescue?.isComplete == false)
        #expect(try opening.database.refused().isEmpty)
    }

    @Test("A file of an earlier form gets the places with its migration")
    func migrated() throws {
        for form in 1...3 {
            let old = try ReplicaFixture.image(Self.image(), ofForm: form)
            let migrated = try DamageTests.open(old)
            #expect(migrated.rescue == nil)
            let image = try Self.damaged(migrated.database.image(), ["_state"])
            let opening = try DamageTests.open(image)
            #expect(opening.rescue?.unsentCount == 3 && opening.rescue?.heldBackCount == 0)
            #expect(try opening.database.standing().database == "db-ada")
        }
    }
}
