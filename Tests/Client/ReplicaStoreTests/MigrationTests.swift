import ReplicaChanges
import ReplicaStore
import ReplicaSync
import Testing

@Suite("Migrations run once and whole, whatever ends them (RP-05)")
struct MigrationTests {
    private struct Crash: Error {}

    @Test("A migration that is interrupted leaves the version, and the next opening makes it")
    func interrupted() throws {
        try ReplicaFixture.withFolder { path in
            do {
                let database = try ReplicaDatabase.open(
                    .file(path: path),
                    form: ReplicaFixture.firstForm.get(),
                    newReplica: "phone"
                ).database
                try database.run("INSERT INTO note (id, words) VALUES ('a', 'x')")
            }
            for _ in 0..<2 {
                #expect(throws: ReplicaDatabase.Failure.self) {
                    _ = try ReplicaDatabase.open(
                        .file(path: path),
                        form: ReplicaFixture.form.get(),
                        newReplica: "other",
                        beforeMigrationCommits: { version in
                            #expect(version == 2)
                            throw Crash()
                        }
                    )
                }
                let before = try ReplicaDatabase.open(
                    .file(path: path),
                    form: ReplicaFixture.firstForm.get(),
                    newReplica: "other"
                )
                #expect(!before.isNew && before.rescue == nil)
                #expect(try before.database.standing().schema == 1)
                #expect(try before.database.rows().map(\.columns.count) == [2])
            }
            for _ in 0..<2 {
                let after = try ReplicaDatabase.open(
                    .file(path: path),
                    form: ReplicaFixture.form.get(),
                    newReplica: "other"
                )
                #expect(!after.isNew && after.rescue == nil)
                let standing = try after.database.standing()
                #expect(standing.schema == 2 && standing.replica == "phone")
                #expect(try after.database.rows().map(\.columns.count) == [3])
            }
        }
    }

    @Test("Each version is a transaction of its own")
    func stepwise() throws {
        try ReplicaFixture.withFolder { path in
            var seen: [Int] = []
            #expect(throws: ReplicaDatabase.Failure.self) {
                _ = try ReplicaDatabase.open(
                    .file(path: path),
                    form: ReplicaFixture.form.get(),
                    newReplica: "phone",
                    beforeMigrationCommits: { version in
                        seen.append(version)
                        if version == 2 { throw Crash() }
                    }
                )
            }
            #expect(seen == [1, 2])
            let opening = try ReplicaDatabase.open(
                .file(path: path),
                form: ReplicaFixture.firstForm.get(),
                newReplica: "other"
            )
            #expect(try opening.database.standing().replica == "phone")
            #expect(try opening.database.standing().schema == 1)
        }
    }

    @Test("Inserts that wait for the primary get the columns that are new, so that they are whole")
    func widened() throws {
        let old = try ReplicaFixture.open(schema: ReplicaFixture.firstVersion)
        try old.run("INSERT INTO note (id, words) VALUES ('a', 'x')")
        try old.run("UPDATE note SET words = 'y'")
        let database = try ReplicaFixture.open(old.image())
        let changes = try database.kept().map(\.change)
        #expect(changes.map { $0.columns.map(\.name) } == [["count", "mood", "words"], ["words"]])
        #expect(changes[0].columns[1].value == .text("it's \"so\""))
        let expected = PlainTables(ReplicaFixture.schema, changes).rows
        #expect(try expected == database.rows())
        try database.run("UPDATE note SET mood = 'new'")
        try database.run("INSERT INTO \"order\" (id) VALUES ('o')")
        let latest = try database.kept().suffix(2).map(\.change)
        #expect(latest[0].columns == [ReplicaColumn("mood", .text("new"))])
        #expect(latest[1].table == "order" && latest[1].kind == .insert)
    }

    @Test("A snapshot that was begun before a migration is begun anew")
    func staged() throws {
        let old = try ReplicaFixture.open(schema: ReplicaFixture.firstVersion)
        var page = FakePrimary().snapshot(of: "phone", rowsPerPage: 1)[0]
        page.schema = 1
        page.next = "more"
        _ = try old.stage(page, of: "db-ada", isFirst: true)
        let database = try ReplicaFixture.open(old.image())
        #expect(try database.stage(page, of: "db-ada", isFirst: false) == .outOfOrder)
    }

    @Test("A file that a later version wrote is refused and left as it is")
    func later() throws {
        try ReplicaFixture.withFolder { path in
            do {
                let database = try ReplicaDatabase.open(
                    .file(path: path),
                    form: ReplicaFixture.form.get(),
                    newReplica: "phone"
                ).database
                try database.run("INSERT INTO note (id) VALUES ('a')")
            }
            let before = try ReplicaFixture.bytes(path)
            #expect(throws: ReplicaDatabase.Failure.writtenByLaterVersion) {
                _ = try ReplicaDatabase.open(
                    .file(path: path),
                    form: ReplicaFixture.firstForm.get(),
                    newReplica: "other"
                )
            }
            #expect(throws: ReplicaDatabase.Failure.writtenByLaterVersion) {
                _ = try ReplicaFixture.open(before, schema: ReplicaFixture.firstVersion)
            }
            #expect(try ReplicaFixture.bytes(path) == before)
        }
    }

    @Test(
        "A file of a form without checksums, positions or owner is taken as it is, sound or damaged",
        arguments: [1, 2, 3]
    )
    func earlierForm(form: Int) throws {
        let database = try DamageTests.open(DamageTests.image()).database
        var expected = try (database.kept(), database.rows(), database.standing())
        for index in expected.0.indices { expected.0[index].madeAt = nil }
        let image = try ReplicaFixture.image(database.image(), ofForm: form)
        let opening = try DamageTests.open(image)
        #expect(opening.rescue == nil)
        let found = try (
            opening.database.kept(), opening.database.rows(), opening.database.standing()
        )
        #expect(found == expected)
        let again = try DamageTests.open(opening.database.image())
        #expect(try again.rescue == nil && again.database.kept() == expected.0)
        try again.database.run("DELETE FROM note WHERE id = 'w1'")
        let last = try again.database.allUnsent().last
        #expect(last?.madeAt == LogPosition(position: 21), "what is written now has it")
        for count in [16, 4_096] {
            var damaged = image
            for index in 0..<count { damaged[index] = 0 }
            let rescued = try DamageTests.open(damaged)
            #expect(rescued.rescue?.isComplete == true && rescued.rescue?.unsentCount == 40)
            #expect(try rescued.database.kept() == expected.0, "\(count) bytes")
        }
    }

    @Test("A snapshot that was begun is begun again after a launch, with none of its rows left")
    func stagedBefore() throws {
        let database = try ReplicaFixture.open()
        var page = FakePrimary().snapshot(of: "phone", rowsPerPage: 1)[0]
        page.next = "more"
        _ = try database.stage(page, of: "db-ada", isFirst: true)
        let reopened = try ReplicaFixture.open(database.image())
        #expect(try reopened.stage(page, of: "db-ada", isFirst: false) == .outOfOrder)
        #expect(try reopened.stage(page, of: "db-ada", isFirst: true) != .outOfOrder)
    }

    @Test("A file of another way to capture is brought to this one")
    func capture() throws {
        let database = try ReplicaFixture.open()
        try database.run("DROP TRIGGER _capture_insert_note")
        try database.run("INSERT INTO note (id) VALUES ('a')")
        #expect(try database.kept().isEmpty)
        let reopened = try ReplicaFixture.open(database.image())
        try reopened.run("INSERT INTO note (id) VALUES ('b')")
        #expect(try reopened.kept().map(\.change.key) == ["b"])
    }

    @Test(
        "A trigger that is not the store's own goes when the file is opened, twice in a row (RP-07)",
        arguments: ["note", "_outbox"]
    )
    func foreignTrigger(table: String) throws {
        var image = try ReplicaFixture.open().image()
        for key in ["a", "b"] {
            let damaged = try ReplicaFixture.open(image)
            for name in ["_seat_insert_note", "it \"\"is\"\" foreign"] {
                try damaged.run(
                    "CREATE TRIGGER \"\(name)\" AFTER INSERT ON \(table) BEGIN DELETE FROM \(table); END"
                )
            }
            let reopened = try ReplicaFixture.open(damaged.image())
            try reopened.run("INSERT INTO note (id) VALUES ('\(key)')")
            #expect(try reopened.kept().last?.change.key == key)
            #expect(try reopened.rows().count == (key == "a" ? 1 : 2))
            image = try reopened.image()
        }
    }

    @Test("More columns than a function has arguments are captured")
    func wide() throws {
        let columns = (0..<100).map { ReplicaSchema.Column("c\($0)", .integer) }
        let schema = ReplicaSchema(versions: [[.createTable("wide", columns)]])
        let database = try ReplicaFixture.open(schema: schema)
        try database.run("INSERT INTO wide (id, c7) VALUES ('a', 7)")
        try database.run("UPDATE wide SET c99 = 9")
        let changes = try database.kept().map(\.change)
        #expect(changes.map(\.columns.count) == [100, 1])
        let none = ReplicaSchema(versions: [[.createTable("narrow", [])]])
        let narrow = try ReplicaFixture.open(schema: none)
        try narrow.run("INSERT INTO narrow (id) VALUES ('a')")
        try narrow.run("UPDATE narrow SET id = 'b'")
        #expect(try narrow.kept().map(\.change.kind) == [.insert, .delete, .insert])
    }

    private static let wrong: [[ReplicaSchema.Step]] = [
        [.createTable("Note", [])],
        [.createTable("_outbox", [])],
        [.createTable("sqlite_note", [])],
        [.createTable("note\"; DROP TABLE note; --", [])],
        [.createTable(String(repeating: "a", count: 64), [])],
        [.createTable("note", []), .createTable("nOTE", [])],
        [.createTable("note", [ReplicaSchema.Column("id", .text)])],
        [.createTable("note", [ReplicaSchema.Column("iD", .text)])],
        [.createTable("note", [ReplicaSchema.Column("", .text)])],
        [
            .createTable("note", [ReplicaSchema.Column("a", .text)]),
            .addColumn("note", ReplicaSchema.Column("a", .text)),
        ],
        [.createTable("note", [ReplicaSchema.Column("a", .text, standard: .integer(1))])],
        [.createTable("note", [ReplicaSchema.Column("a", .text, standard: .text("\0"))])],
        [.addColumn("note", ReplicaSchema.Column("a", .text))],
        // No primary takes it.
        [.createTable("id", [])],
    ]

    @Test("A schema that is not in order is refused before there is a file", arguments: 0..<14)
    func schemas(index: Int) throws {
        try ReplicaFixture.withFolder { path in
            #expect(throws: ReplicaDatabase.Failure.self) {
                _ = try ReplicaDatabase.open(
                    .file(path: path),
                    form: .init(of: ReplicaSchema(versions: [Self.wrong[index]])),
                    newReplica: "phone"
                )
            }
            #expect(throws: (any Error).self) { _ = try ReplicaFixture.bytes(path) }
        }
    }

    @Test("Defaults at the ends of whole numbers are right")
    func defaults() throws {
        let schema = ReplicaSchema(versions: [
            [.createTable("t", [.init("low", .integer, standard: .integer(.min))])],
            [.addColumn("t", .init("high", .integer, standard: .integer(.max)))],
        ])
        let database = try ReplicaFixture.open(schema: schema)
        try database.run("INSERT INTO t (id) VALUES ('a')")
        let expected = [
            ReplicaColumn("high", .integer(.max)), ReplicaColumn("low", .integer(.min)),
        ]
        #expect(try database.rows().map(\.columns) == [expected])
        #expect(try database.kept().map(\.change.columns) == [expected])
    }
}
