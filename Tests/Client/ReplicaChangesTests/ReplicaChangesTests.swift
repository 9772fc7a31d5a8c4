import ReplicaChanges
import Testing
import TextFormats

@Suite("What replicas and their primary say to each other (RP-04)")
struct ReplicaChangesTests {
    private static let change = ReplicaChange(
        table: "note",
        key: "a",
        kind: .update,
        columns: [
            ReplicaColumn("count", .integer(-7)), ReplicaColumn("mood", .null),
            ReplicaColumn("words", .text("it's \"so\"")),
        ]
    )
    /// The change in JSON, but for how it begins.
    private static let said =
        #""table":"note","key":"a","kind":"update","#
        + #""columns":{"count":-7,"mood":null,"words":"it's \"so\""}}"#

    @Test("A change is the same after it was said, alone, numbered and in a log (RP-04)")
    func changes() throws {
        let unsent = UnsentChange(sequence: 7, change: Self.change)
        let logged = LoggedChange(position: 9, replica: "web", sequence: 7, change: Self.change)
        let texts = [
            "{" + Self.said, #"{"sequence":7,"# + Self.said,
            #"{"position":9,"replica":"web","sequence":7,"# + Self.said,
        ]
        #expect([Self.change.json.text, unsent.json.text, logged.json.text] == texts)
        let read = try texts.map { try JSONReader.read($0.utf8) }
        #expect(read.allSatisfy { ReplicaChange($0) == Self.change })
        #expect(UnsentChange(read[1]) == unsent && UnsentChange(read[0]) == nil)
        #expect(LoggedChange(read[2]) == logged && LoggedChange(read[1]) == nil)
    }

    @Test("A change says how far the log was known when it was made (RP-04)")
    func madeAt() throws {
        let positions: [(LogPosition?, String)] = [
            (nil, ""), (LogPosition(position: 4), #""madeAt":4,"#),
            (LogPosition(generation: "g", position: 4), #""madeAt":4,"madeIn":"g","#),
        ]
        for (madeAt, said) in positions {
            let unsent = UnsentChange(sequence: 7, change: Self.change, madeAt: madeAt)
            #expect(unsent.json.text == #"{"sequence":7,"# + said + Self.said)
            #expect(try UnsentChange(JSONReader.read(unsent.json.text.utf8)) == unsent)
        }
        let wrongs = [
            #""madeAt":-1"#, #""madeAt":"4""#, #""madeIn":"g""#, #""madeAt":4,"madeIn":5"#,
        ]
        for wrong in wrongs {
            let text = #"{"sequence":7,\#(wrong),"# + Self.said
            #expect(try UnsentChange(JSONReader.read(text.utf8)) == nil, "\(wrong)")
        }
    }

    @Test("Columns are read in the order of their names, however they are said (RP-04)")
    func order() throws {
        let text = #"{"table":"note","key":"a","kind":"insert","columns":{"b":1,"a":"x"}}"#
        let change = ReplicaChange(try JSONReader.read(text.utf8))
        #expect(change?.columns.map(\.name) == ["a", "b"])
    }

    @Test(
        "What is no change is not read as one (RP-04)",
        arguments: [
            #"{"key":"a","kind":"insert","columns":{}}"#,
            #"{"table":"note","key":1,"kind":"insert","columns":{}}"#,
            #"{"table":"note","key":"a","kind":"merge","columns":{}}"#,
            #"{"table":"note","key":"a","kind":"insert","columns":[]}"#,
            #"{"table":"note","key":"a","kind":"insert","columns":{"b":1.5}}"#,
            #"{"table":"note","key":"a","kind":"insert","columns":{"b":true}}"#,
        ]
    )
    func wrong(text: String) throws {
        let json = try JSONReader.read(text.utf8)
        #expect(ReplicaChange(json) == nil)
    }

    @Test("A schema is the same after it was said (RP-05)")
    func schema() throws {
        let words = ReplicaSchema.Column("words", .text)
        let count = ReplicaSchema.Column("count", .integer, standard: .integer(7))
        let schema = ReplicaSchema(versions: [
            [.createTable("note", [words])], [.addColumn("note", count)],
        ])
        let text =
            #"{"versions":[[{"create":"note","columns":"#
            + #"[{"name":"words","kind":"text","standard":null}]}],"#
            + #"[{"add":"note","column":{"name":"count","kind":"integer","standard":7}}]]}"#
        #expect(schema.json.text == text)
        let read = ReplicaSchema(try JSONReader.read(text.utf8))
        #expect(read == schema)
    }

    @Test("Two spellings of an accented letter are two values, as they are to SQLite (RP-04)")
    func equality() {
        let composed = ReplicaValue.text("\u{E9}")
        #expect(composed == .text("\u{E9}"))
        #expect(composed != .text("e\u{301}"))
        #expect(ReplicaValue.text("1") != .integer(1))
        #expect(ReplicaValue.null == .null)
    }

    @Test("A column takes values of its kind, and nothing only where that is its default (RP-05)")
    func columns() {
        let count = ReplicaSchema.Column("count", .integer, standard: .integer(0))
        #expect(count.takes(.integer(1)) && !count.takes(.text("1")) && !count.takes(.null))
        let words = ReplicaSchema.Column("words", .text)
        #expect(words.takes(.text("")) && !words.takes(.integer(1)) && words.takes(.null))
    }

    @Test("A schema has so many tables and columns, and no more, however they come (RP-05)")
    func limits() {
        func columns(_ count: Int) -> [ReplicaSchema.Column] {
            (0..<count).map { ReplicaSchema.Column("c\($0)", .text) }
        }
        func takes(_ steps: [ReplicaSchema.Step]) -> Bool {
            var tables = ReplicaTables()
            return (try? tables.add(steps)) != nil
        }
        #expect(takes([.createTable("t", columns(256))]))
        #expect(!takes([.createTable("t", columns(257))]))
        let more = ReplicaSchema.Step.addColumn("t", ReplicaSchema.Column("more", .text))
        #expect(takes([.createTable("t", columns(255)), more]))
        #expect(!takes([.createTable("t", columns(256)), more]))
        #expect(takes((0..<256).map { .createTable("t\($0)", []) }))
        #expect(!takes((0..<257).map { .createTable("t\($0)", []) }))
    }

    @Test("A change fits the tables that have its names to the byte (RP-04)")
    func fitting() throws {
        var tables = ReplicaTables()
        try tables.add([.createTable("bookK", [ReplicaSchema.Column("textK", .text)])])
        #expect(tables.version == 1)
        func takes(_ table: String, _ column: String, _ kind: ReplicaChange.Kind) -> Bool {
            let columns = [ReplicaColumn(column, .text("x"))]
            return tables.takes(
                ReplicaChange(table: table, key: "a", kind: kind, columns: columns)
            )
        }
        #expect(takes("bookK", "textK", .update))
        // Swift takes the sign for kelvin for a K.
        #expect(!takes("book\u{212A}", "textK", .update))
        #expect(!takes("bookK", "text\u{212A}", .update))
        #expect(!takes("bookK", "id", .update))
        #expect(!takes("bookK", "textK", .delete))
    }
}
