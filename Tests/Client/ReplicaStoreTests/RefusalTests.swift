import GRDB
import ReplicaChanges
import ReplicaStore
import ReplicaSync
import Testing

@Suite("What the primary refuses for ever is set aside, and hinders nothing behind it (RP-04)")
struct RefusalTests {
    private static func words(_ key: String, _ words: String) -> ReplicaChange {
        ReplicaFixture.note(key, .update, [ReplicaColumn("words", .text(words))])
    }

    private static func refuse(_ sequences: Int64...) -> [ChangeRefusal] {
        sequences.map { ChangeRefusal(sequence: $0, reason: "rule \($0)") }
    }

    /// A replica with a row of the primary's, `w`.
    private static func pair() throws -> (primary: FakePrimary, phone: ReplicaDatabase) {
        var primary = FakePrimary()
        primary.write(ReplicaFixture.whole("w", words: "web"))
        return (primary, try ReplicaFixture.following(primary))
    }

    /// Takes the rows anew and hands over what is left, as a sync does.
    private static func sync(_ primary: inout FakePrimary, _ phone: ReplicaDatabase) throws {
        for page in primary.snapshot(of: "phone", rowsPerPage: 9) {
            _ = try phone.stage(page, of: "db-ada", isFirst: true)
        }
        let isTaken = primary.push(try phone.allUnsent(), of: "phone")
        #expect(isTaken, "a number is left out")
        primary.makeDurable()
        _ = try phone.take(primary.page(from: phone.standing().position, to: "phone"))
        #expect(try phone.rows() == primary.tables(through: primary.head).rows)
        #expect(try phone.kept().isEmpty)
    }

    @Test("With an insert goes what was done to its row since, twice in a row")
    func insert() throws {
        var (primary, phone) = try Self.pair()
        for round in 0..<2 as Range<Int64> {
            let first = 4 * round
            try phone.perform(ReplicaFixture.whole("a", words: "1"))
            try phone.perform(ReplicaFixture.whole("b\(round)", words: "1"))
            try phone.perform(Self.words("a", "2"))
            try phone.perform(Self.words("w", "mine, \(round)"))
            let outcome = try phone.setAside(Self.refuse(first + 1))
            guard case .done(let standing) = outcome else { throw Abandoned() }
            #expect(standing.generation == nil, "the rows are to be fetched anew")
            let refused = try phone.refused()
            #expect(refused.map(\.sequence) == [first + 1, first + 3])
            #expect(refused.map(\.change.kind) == [.insert, .update])
            #expect(refused.allSatisfy { $0.change.key == "a" && $0.reason == "rule \(first + 1)" })
            let unsent = try phone.allUnsent()
            #expect(unsent.map(\.sequence) == Array(first + 1...first + 4))
            #expect(unsent.map(\.change.kind) == [.delete, .insert, .delete, .update])
            // The file is sound, and says the same after a launch.
            let again = try DamageTests.open(phone.image())
            #expect(again.rescue == nil)
            #expect(try again.database.refused() == refused)
            try Self.sync(&primary, phone)
            #expect(try phone.rows().map(\.key).contains("a") == false)
            let last = try #require(refused.last)
            try phone.noteRefusedShown(through: last.number)
            #expect(try phone.refused().isEmpty)
        }
    }

    @Test("An update or a delete goes alone, and the row is what the primary has")
    func alone() throws {
        var (primary, phone) = try Self.pair()
        try phone.perform(Self.words("w", "refused"))
        try phone.perform(ReplicaFixture.note("w", .update, [ReplicaColumn("count", .integer(7))]))
        _ = try phone.setAside(Self.refuse(1))
        #expect(try phone.refused().map(\.sequence) == [1])
        try Self.sync(&primary, phone)
        let row = try #require(try phone.rows().first)
        #expect(row.columns.contains(ReplicaColumn("words", .text("web"))))
        #expect(row.columns.contains(ReplicaColumn("count", .integer(7))))
        try phone.perform(ReplicaFixture.note("w", .delete))
        _ = try phone.setAside(Self.refuse(3))
        #expect(try phone.rows().isEmpty)
        try Self.sync(&primary, phone)
        #expect(try phone.rows().map(\.key) == ["w"])
        #expect(try phone.refused().map(\.sequence) == [1, 3])
        // The user is told of the first, and then of the second.
        for number in try phone.refused().map(\.number) {
            let before = try phone.refused()
            try phone.noteRefusedShown(through: number)
            #expect(try phone.refused() == Array(before.dropFirst()))
        }
    }

    @Test("What is not to be handed over, or does nothing, is not set aside")
    func outOfOrder() throws {
        var (primary, phone) = try Self.pair()
        for key in ["a", "b"] { try phone.perform(ReplicaFixture.whole(key, words: key)) }
        let before = try (phone.kept(), phone.standing())
        for sequences in [[3], [1, 3], [0]] as [[Int64]] {
            let refusals = sequences.map { ChangeRefusal(sequence: $0, reason: "rule") }
            #expect(try phone.setAside(refusals) == .outOfOrder)
        }
        #expect(try (phone.kept(), phone.standing()) == before && phone.refused().isEmpty)
        _ = try phone.setAside(Self.refuse(1))
        #expect(try phone.setAside(Self.refuse(1)) == .outOfOrder)
        #expect(try phone.refused().count == 1)
        try Self.sync(&primary, phone)
        #expect(try phone.setAside(Self.refuse(2)) == .outOfOrder)
    }

    @Test("It is saved with a damaged file, and stays its owner's (RP-07)")
    func damaged() throws {
        let (_, phone) = try Self.pair()
        for key in ["a", "b"] { try phone.perform(ReplicaFixture.whole(key, words: key)) }
        _ = try phone.setAside(Self.refuse(1))
        let refused = try phone.refused()
        var headless = try phone.image()
        headless[0] = 0
        let stateless = try DamageTests.open(phone.image()).database
        try stateless.run("DELETE FROM _state")
        for image in [headless, try stateless.image()] {
            let opening = try DamageTests.open(image)
            #expect(opening.rescue != nil)
            #expect(try opening.database.refused() == refused)
            #expect(try opening.database.standing().database == "db-ada")
            #expect(try opening.database.kept().count == 2)
        }
    }
}
