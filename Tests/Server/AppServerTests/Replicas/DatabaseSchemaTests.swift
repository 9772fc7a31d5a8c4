import AppServer
@testable import KodamaReplica
import ReplicaChanges
import ReplicaSync
import SansIO
import Testing

@Suite("A primary's schema (RP-05)")
struct DatabaseSchemaTests {
    private typealias Column = ReplicaSchema.Column
    private typealias Step = ReplicaSchema.Step

    @Test("A primary is brought to a newer version once, whoever asks how often (RP-05)")
    func once() {
        let server = DatabaseBench(version: 0)
        for _ in 0..<2 { #expect(server.migrate(to: 1) == .migrated(schema: 1)) }
        for _ in 0..<2 { #expect(server.migrate(to: 2) == .migrated(schema: 2)) }
        #expect(
            server.bench.server.primaries.takeNews() == [
                .migrated(user: "mika", version: 1), .migrated(user: "mika", version: 2),
            ]
        )
        let other = DatabaseBench(version: 0)
        #expect(other.migrate(to: 2) == .migrated(schema: 2))
        #expect(other.bench.server.primaries.takeNews().count == 2)
    }

    @Test("Rows that are there get a new column's standard (RP-05)")
    func standards() {
        let server = DatabaseBench(version: 1)
        _ = server.sync(schema: 1, [.made("a", .words("old")), .made("b")])
        #expect(server.rows.map(\.columns.count) == [2, 2])
        _ = server.migrate(to: 2)
        #expect(server.rows.first == .made("a", .mood(""), .words("old"), .written(7)))
        #expect(server.sync(after: 2, schema: 1) == .schemaDiffers(2))
        #expect(server.page(after: 2, from: 3, [.edited("b", .mood("calm"))])?.applied == 3)
    }

    @Test("An older schema and one that went another way are refused with the version (RP-05)")
    func refused() {
        let server = DatabaseBench()
        #expect(server.migrate(to: 1) == .schemaDiffers(2))
        #expect(server.migrate(to: 0) == .schemaDiffers(2))
        var fork = DatabaseBench.schema
        fork.versions[0] = [.createTable("diary", [])]
        #expect(server.ask(.migrate(fork, server.credential)) == .schemaDiffers(2))
        fork.versions.append([])
        #expect(server.ask(.migrate(fork, server.credential)) == .schemaDiffers(2))
        #expect(server.bench.server.primaries.takeNews().isEmpty)
    }

    @Test("A migration with one wrong step is refused with 400 and changes nothing (RP-05)")
    func wrongSteps() {
        let long = String(repeating: "a", count: 64)
        let names = ["", "id", "iD", "Mood", "1a", "_a", "a-b", "a b", "a\"", "é", long]
        var wrong: [Step] = names.map { .createTable($0, []) }
        wrong += names.map { Step.addColumn("reflection", Column($0, .text)) }
        let unfit: [Step] = [
            .createTable("reflection", []), .createTable("rEflection", []),
            .createTable("sqlite_diary", []), .createTable("sQlite_diary", []),
            .createTable("diary", [Column("a", .text), Column("a", .integer)]),
            .createTable("diary", [Column("a", .text), Column("aA", .text), Column("aa", .text)]),
            .addColumn("diary", Column("a", .text)),
            .addColumn("reflection", Column("words", .integer)),
            .addColumn("reflection", Column("wOrds", .integer)),
            .addColumn("reflection", Column("number", .integer, standard: .text("1"))),
            .addColumn("reflection", Column("number", .text, standard: .integer(1))),
            .addColumn("reflection", Column("number", .text, standard: .text("a\0"))),
        ]
        let server = DatabaseBench(version: 1)
        for step in wrong + unfit {
            let right = Step.createTable("right", [])
            let versions = [DatabaseBench.schema.versions[0], [right], [step]]
            let request = ReplicaRequest.migrate(
                ReplicaSchema(versions: versions),
                server.credential
            )
            #expect(server.ask(request) == .refused(statusCode: 400), "\(step)")
        }
        #expect(server.sync(schema: 2) == .schemaDiffers(1))
        #expect(server.bench.server.primaries.takeNews().isEmpty)
        let longest = String(repeating: "a", count: 63)
        let right = [DatabaseBench.schema.versions[0], [Step.createTable(longest, [])]]
        let request = ReplicaRequest.migrate(ReplicaSchema(versions: right), server.credential)
        #expect(server.ask(request) == .migrated(schema: 2))
    }

    @Test("A standard that is only spelled alike is another schema's (RP-05)")
    func likeStandards() {
        func schema(_ standard: String) -> ReplicaSchema {
            let column = Column("mood", .text, standard: .text(standard))
            return ReplicaSchema(versions: [[.createTable("diary", [column])]])
        }
        let server = DatabaseBench(version: 0)
        let composed = ReplicaRequest.migrate(schema("\u{E9}"), server.credential)
        let decomposed = ReplicaRequest.migrate(schema("e\u{301}"), server.credential)
        #expect(server.ask(composed) == .migrated(schema: 1))
        #expect(server.ask(decomposed) == .schemaDiffers(1))
        #expect(server.ask(composed) == .migrated(schema: 1))
    }

    @Test("What only looks like a table or column that is there is refused with 400 (RP-05)")
    func likeNames() {
        let server = DatabaseBench(version: 0)
        let made = Step.createTable("bookK", [Column("textK", .text)])
        let right = ReplicaSchema(versions: [[made]])
        #expect(server.ask(.migrate(right, server.credential)) == .migrated(schema: 1))
        // Swift takes the sign for kelvin for a K.
        let added = Step.addColumn("book\u{212A}", Column("more", .text))
        let wrong = ReplicaSchema(versions: [[made], [added]])
        #expect(server.ask(.migrate(wrong, server.credential)) == .refused(statusCode: 400))
        for (table, column) in [("book\u{212A}", "textK"), ("bookK", "text\u{212A}")] {
            let change = ReplicaChange(
                table: table,
                key: "a",
                kind: .insert,
                columns: [ReplicaColumn(column, .text("x"))]
            )
            guard case .changesRefused = server.sync(schema: 1, [change]) else {
                Issue.record("taken: \(table)")
                continue
            }
        }
        #expect(server.rows.isEmpty)
    }

    @Test("A body that is no schema is refused with 400 (RP-05)")
    func wrongBodies() {
        let server = DatabaseBench()
        let column = #"{"name":"a","kind":"text","standard":null}"#
        for versions in [
            "1", "{}", "[1]", "[[1]]", "[[{}]]", #"[[{"create":"a"}]]"#,
            #"[[{"create":"a","add":"a","columns":[],"column":\#(column)}]]"#,
            #"[[{"create":"a","columns":[{"name":"a","kind":"text"}]}]]"#,
            #"[[{"create":"a","columns":[{"name":"a","kind":"blob","standard":null}]}]]"#,
            #"[[{"add":"a","column":[]}]]"#,
        ] {
            var request = ReplicaRequest.migrate(DatabaseBench.schema, server.credential).http
            request.body = #"{"versions":\#(versions)}"#
            #expect(server.bench.ask(request).statusCode == 400, "\(versions)")
        }
    }
}
