import GRDB
import ReplicaChanges
import ReplicaStore
import ReplicaSync
import Testing

@Suite("The app's own SQL is captured for the primary (RP-03)")
struct CaptureTests {
    @Test("An insert names all columns, an update those that changed, a delete none")
    func kinds() throws {
        let database = try ReplicaFixture.open()
        try database.run("INSERT INTO note (id, words) VALUES ('a', 'one')")
        try database.run("UPDATE note SET words = 'one', count = 7 WHERE id = 'a'")
        try database.run("DELETE FROM note")
        let mood = ReplicaColumn("mood", .text("it's \"so\""))
        let inserted = [
            ReplicaColumn("count", .integer(0)), mood, ReplicaColumn("words", .text("one")),
        ]
        let expected = [
            ReplicaFixture.note("a", .insert, inserted),
            ReplicaFixture.note("a", .update, [ReplicaColumn("count", .integer(7))]),
            ReplicaFixture.note("a", .delete),
        ]
        #expect(try database.kept().map(\.change) == expected)
        #expect(try database.kept().map(\.sequence) == [1, 2, 3])
        #expect(try database.allUnsent() == database.kept())
    }

    @Test("Changes of one row are not merged: each has its number and its place (RP-04)")
    func notMerged() throws {
        let database = try ReplicaFixture.open()
        try database.run("INSERT INTO note (id) VALUES ('a'), ('b')")
        for count in 1...3 { try database.run("UPDATE note SET count = ?", [count]) }
        #expect(try database.kept().map(\.sequence) == Array(1...8))
        let counts = try database.kept().dropFirst(2).map(\.change.columns)
        #expect(counts == [1, 1, 2, 2, 3, 3].map { [ReplicaColumn("count", .integer($0))] })
    }

    @Test("An update that changes nothing is no change")
    func unchanged() throws {
        let database = try ReplicaFixture.open()
        try database.run("INSERT INTO note (id, words) VALUES ('a', NULL)")
        try database.run("UPDATE note SET words = NULL, count = count")
        #expect(try database.kept().count == 1)
    }

    @Test("Another key is another row: a delete and an insert; REPLACE and UPSERT are captured too")
    func keys() throws {
        let database = try ReplicaFixture.open()
        try database.run("INSERT INTO note (id, words) VALUES ('a', 'x'), ('b', 'y')")
        try database.run("UPDATE note SET id = 'c', words = 'z' WHERE id = 'a'")
        try database.run("INSERT OR REPLACE INTO note (id, count) VALUES ('b', 5)")
        try database.run(
            "INSERT INTO note (id) VALUES ('b') ON CONFLICT (id) DO UPDATE SET words = 'w'"
        )
        try database.run("UPDATE OR REPLACE note SET id = 'b' WHERE id = 'c'")
        let changes = try database.kept().map(\.change)
        let kinds: [ReplicaChange.Kind] = [
            .insert, .insert, .delete, .insert, .insert, .update, .delete, .insert,
        ]
        #expect(changes.map(\.kind) == kinds)
        #expect(changes.map(\.key) == ["a", "b", "a", "c", "b", "b", "c", "b"])
        let expected = PlainTables(ReplicaFixture.schema, changes).rows
        #expect(try expected == database.rows())
    }

    @Test("What is undone is not captured, and takes no number")
    func undone() throws {
        let database = try ReplicaFixture.open()
        #expect(throws: ReplicaDatabase.Failure.self) {
            try database.write { connection in
                try connection.execute(sql: "INSERT INTO note (id) VALUES ('a')")
                throw CancellationError()
            }
        }
        #expect(throws: ReplicaDatabase.Failure.self) {
            try database.run("INSERT INTO note (id) VALUES ('b'), ('c'), ('b')")
        }
        try database.run("INSERT INTO note (id) VALUES ('d')")
        #expect(try database.rows().map(\.key) == ["d"])
        #expect(try database.kept().map(\.sequence) == [1])
    }

    @Test("Any text, whole numbers at their ends and tables named like keywords stay exact")
    func exact() throws {
        let database = try ReplicaFixture.open()
        let key = "k'\"\\\u{2028}; DROP TABLE note; --"
        try database.run(
            """
            INSERT INTO "order" (id, "group", "select")
            VALUES (?, 'a' || char(0) || 'b' || char(9, 10, 127, 128512), ?)
            """,
            [key, Int64.min]
        )
        try database.run("INSERT INTO \"order\" (id, \"select\") VALUES ('', ?)", [Int64.max])
        let text = "a\0b\t\n\u{7F}😀"
        let expected = [
            ReplicaChange(
                table: "order",
                key: "",
                kind: .insert,
                columns: [
                    ReplicaColumn("group", .null), ReplicaColumn("select", .integer(.max)),
                ]
            ),
            ReplicaChange(
                table: "order",
                key: key,
                kind: .insert,
                columns: [
                    ReplicaColumn("group", .text(text)), ReplicaColumn("select", .integer(.min)),
                ]
            ),
        ]
        #expect(try database.rows() == expected)
        #expect(try database.kept().map(\.change) == expected.reversed())
        // The same on the way in.
        let other = try ReplicaFixture.open(name: "tablet")
        var primary = FakePrimary()
        for change in expected { primary.write(change) }
        let empty = FakePrimary().snapshot(of: "tablet", rowsPerPage: 1)[0]
        _ = try other.stage(empty, of: "db-ada", isFirst: true)
        _ = try other.take(primary.page(from: 0, to: "tablet"))
        #expect(try other.rows() == expected)
        #expect(try other.kept().isEmpty)
    }

    @Test("Keys that Swift takes for equal and SQLite does not are two rows")
    func canonicallyEqual() throws {
        var primary = FakePrimary()
        let database = try ReplicaFixture.following(primary)
        let keys = ["e\u{301}", "\u{E9}"]
        for key in keys { try database.run("INSERT INTO note (id) VALUES (?)", [key]) }
        for key in keys {
            primary.write(
                ReplicaFixture.note(key, .insert, [ReplicaColumn("words", .text("web"))])
            )
        }
        _ = try database.take(primary.page(from: 0, to: "phone"))
        let rows = try database.rows()
        #expect(rows.map { Array($0.key.utf8) } == keys.map { Array($0.utf8) })
        let isOnTop = rows.allSatisfy { $0.columns.contains(ReplicaColumn("words", .null)) }
        #expect(isOnTop, "both of the user's inserts lie on top")
    }

    @Test("A value that replicas do not have is refused")
    func refused() throws {
        let database = try ReplicaFixture.open()
        for value in ["x'00'", "1.5", "'x'"] {
            #expect(throws: ReplicaDatabase.Failure.self) {
                try database.run("INSERT INTO note (id, count) VALUES ('a', \(value))")
            }
        }
        #expect(try database.kept().isEmpty && database.rows().isEmpty)
    }

    @Test("A key or text that is no UTF-8 is refused, since the primary would have another (RP-04)")
    func notUnicode() throws {
        let database = try ReplicaFixture.open()
        let broken = "CAST(x'6BFF' AS TEXT)"
        try database.run("INSERT INTO note (id, words) VALUES ('k\u{FFFD}', '\u{FFFD}')")
        let before = try database.rows()
        for sql in [
            "INSERT INTO note (id) VALUES (\(broken))",
            "INSERT INTO note (id, words) VALUES ('a', \(broken))",
            "UPDATE note SET words = \(broken)",
            "UPDATE note SET id = \(broken)",
        ] {
            let failure = #expect(throws: ReplicaDatabase.Failure.self) { try database.run(sql) }
            #expect(failure == .refused("a text of 'note' is no UTF-8"), "\(sql)")
        }
        #expect(try database.rows() == before)
        #expect(try database.kept().count == 1)
    }

    @Test("A change that is larger than the server reads is refused, with all that is around it")
    func tooLarge() throws {
        let database = try ReplicaFixture.open()
        try database.perform(ReplicaFixture.whole("a", words: "x"))
        let before = try database.rows()
        // A line break takes six bytes; with what stands around them these are too many.
        for text in [String(repeating: "x", count: 12_288), String(repeating: "\n", count: 2_048)] {
            let failure = #expect(throws: ReplicaDatabase.Failure.self) {
                try database.write { file in
                    try file.execute(sql: "UPDATE note SET count = 2")
                    try file.execute(sql: "UPDATE note SET words = ?", arguments: [text])
                    try file.execute(sql: "UPDATE note SET words = ''")
                }
            }
            guard case .tooLarge(let table, let byteCount)? = failure else {
                Issue.record("refused otherwise: \(String(describing: failure))")
                continue
            }
            #expect(table == "note" && byteCount > 12_288 && byteCount < 12_400)
            #expect(try database.rows() == before && database.kept().count == 1)
        }
        #expect(throws: ReplicaDatabase.Failure.self) {
            try database.perform(
                ReplicaFixture.note(String(repeating: "k", count: 12_288), .insert)
            )
        }
        let longest = String(repeating: "x", count: 12_100)
        try database.run("UPDATE note SET words = ?", [longest])
        try database.run("INSERT INTO note (id, words) VALUES ('b', ?)", [longest])
        #expect(try database.kept().map(\.sequence) == [1, 2, 3])
    }

    @Test("A batch has so many changes and bytes, and one change always")
    func batches() throws {
        let database = try ReplicaFixture.open()
        for number in 1...5 {
            try database.run(
                "INSERT INTO note (id, words) VALUES (?, ?)",
                ["k\(number)", String(repeating: "\n", count: 100)]
            )
        }
        let few = try database.unsent(countMax: 2, bytesMax: 100_000)
        #expect(few.changes.map(\.sequence) == [1, 2] && few.hasMore)
        // A line break takes six bytes: "\u000a".
        let small = try database.unsent(countMax: 100, bytesMax: 1_500)
        #expect(small.changes.map(\.sequence) == [1, 2] && small.hasMore)
        let one = try database.unsent(countMax: 100, bytesMax: 1)
        #expect(one.changes.map(\.sequence) == [1] && one.hasMore)
        let all = try database.unsent(countMax: 5, bytesMax: 100_000)
        #expect(all.changes.count == 5 && !all.hasMore)
    }
}
