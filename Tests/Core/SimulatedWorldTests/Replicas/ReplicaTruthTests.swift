@testable import KodamaEvidence
@testable import KodamaReplica
import ReplicaChanges
import ReplicaStore
import Testing

@Suite("What the world knows of replicas without asking them")
struct ReplicaTruthTests {
    private static let phone = ComponentIndex(3)

    private static func edit(
        _ kind: ReplicaWrite.Kind,
        _ number: Int64,
        row: String = "note"
    ) throws -> RowEdit {
        let write = ReplicaWrite(kind: kind, row: row)
        let edit = RowEdit(write, number, last: nil, isThere: { _ in true })
        return try #require(edit)
    }

    /// Rows of the table that users write to, with what they say.
    private static func rows(_ texts: KeyValuePairs<String, String>) -> [ReplicaChange] {
        texts.map { key, text in
            let columns = [ReplicaColumn(RowEdit.words, .text(text))]
            return ReplicaChange(table: RowEdit.table, key: key, kind: .insert, columns: columns)
        }
    }

    @Test("A row that is deleted twice is deleted by two writes, each known by its change (RP-04)")
    func deletions() throws {
        var book = WriteBook()
        for number in [2, 4] as [Int64] {
            let deletion = try Self.edit(.delete, number)
            book.begin(deletion)
            book.add(deletion, by: Self.phone)
        }
        // This one was refused.
        book.begin(try Self.edit(.delete, 5))
        #expect(book.nextNumber == 6)
        let change = ReplicaChange(table: RowEdit.table, key: "note", kind: .delete)
        func number(_ sequence: Int64, by writer: ComponentIndex = Self.phone) -> Int64 {
            let name = WriteBook.ChangeName(database: 0, replica: "a", sequence: sequence)
            return book.number(of: change, named: name, by: writer)
        }
        #expect(number(2) == 2)
        #expect(number(4) == 4)
        // The same changes come again, and one that nobody made.
        #expect(number(2) == 2)
        #expect(number(7) == 4)
        #expect(number(1, by: .none) == 0)
    }

    @Test("A new row without a name has a key that no scenario can name")
    func unnamed() throws {
        let write = ReplicaWrite(kind: .new)
        let edit = RowEdit(write, 7, last: nil, isThere: { _ in false })
        // Names have lower-case letters, digits and hyphens.
        let key = try #require(edit).key
        #expect(key == "R7")
    }

    @Test("A deletion that was lost with a damaged file is not taken for the next one (RP-07)")
    func lostDeletion() throws {
        var book = WriteBook()
        func delete(_ number: Int64, row: String) throws {
            let deletion = try Self.edit(.delete, number, row: row)
            book.begin(deletion)
            book.add(deletion, by: Self.phone)
        }
        func change(_ row: String) -> ReplicaChange {
            ReplicaChange(table: RowEdit.table, key: row, kind: .delete)
        }
        func name(_ sequence: Int64) -> WriteBook.ChangeName {
            WriteBook.ChangeName(database: 0, replica: "a", sequence: sequence)
        }
        func number(_ sequence: Int64, row: String) -> Int64 {
            book.number(of: change(row), named: name(sequence), by: Self.phone)
        }
        try delete(1, row: "dawn")
        try delete(2, row: "dawn")
        try delete(3, row: "dusk")
        #expect(number(1, row: "dawn") == 1)
        // The second of dawn is lost; the first may be kept, and is known already.
        book.keep(
            [(change: change("dawn"), name: name(1)), (change: change("dusk"), name: name(3))],
            by: Self.phone
        )
        try delete(4, row: "dawn")
        #expect(number(3, row: "dusk") == 3)
        #expect(number(4, row: "dawn") == 4)
        #expect(number(1, row: "dawn") == 1)
    }

    @Test("What a user wrote is to be seen as it was left until the primary has it (RP-03)")
    func pending() throws {
        var pending = PendingWrites()
        #expect(pending.areShown(in: []))
        pending.add(try Self.edit(.new, 1, row: "dawn"))
        pending.add(try Self.edit(.delete, 2, row: "noon"))
        pending.add(try Self.edit(.edit, 3, row: "dusk"))
        #expect(pending.areShown(in: Self.rows(["dawn": "w1", "dusk": "w3", "other": "w9"])))
        // Another device may have deleted what was edited here.
        #expect(pending.areShown(in: Self.rows(["dawn": "w1"])))
        #expect(!pending.areShown(in: Self.rows(["dusk": "w3"])))
        #expect(!pending.areShown(in: Self.rows(["dawn": "w1", "dusk": "w0"])))
        #expect(!pending.areShown(in: Self.rows(["dawn": "w1", "noon": "w0"])))
        pending.remove(1, of: "dawn")
        pending.remove(2, of: "noon")
        #expect(pending.areShown(in: Self.rows(["noon": "w8"])))
        // An earlier write's arrival leaves the later one.
        pending.add(try Self.edit(.edit, 5, row: "dusk"))
        pending.remove(3, of: "dusk")
        #expect(!pending.areShown(in: Self.rows(["dusk": "w3"])))
    }

    @Test("A token is found wherever it lies in a file, and nothing else is (RP-06)")
    func tokens() {
        var disk = ReplicaDisk()
        func finds(_ text: String) -> Bool { disk.findsToken(in: Array(text.utf8)) }
        #expect(!finds("token-1"), "nobody was given it")
        disk.learn("token-1")
        disk.learn("token-2")
        for text in ["token-1", "a totoken-1", "token-2 and more"] {
            #expect(finds(text), "\(text)")
        }
        for text in ["", "token-", "token-3", "oken-1"] { #expect(!finds(text), "\(text)") }
    }

    @Test("A file with a table of a later version has no whole schema (RP-05)")
    func tables() throws {
        func file(_ steps: [ReplicaSchema.Step]) throws -> ReplicaDatabase {
            let form = try ReplicaDatabase.Form(of: ReplicaSchema(versions: [steps]))
            return try ReplicaDatabase.open(.image(nil), form: form, newReplica: "a").database
        }
        let first = ReplicaAppPlan.schema(version: 1)
        let second = ReplicaAppPlan.schema(version: 2)
        let steps = Array(first.versions.joined())
        let later = second.versions[1].filter { step in
            if case .createTable = step { true } else { false }
        }
        #expect(try file(steps).hasTables(of: first))
        #expect(try !file(steps).hasTables(of: second))
        #expect(try !file(steps + later).hasTables(of: first))
        #expect(try file(Array(second.versions.joined())).hasTables(of: second))
    }
}
