import ReplicaChanges
import ReplicaStore
import ReplicaSync
import SansIO
import Testing

@Suite("The log of the primary comes first and the outbox on top (RP-04)")
struct TakingTests {
    private static let changes = [
        ReplicaFixture.whole("a", words: "x", count: 1),
        ReplicaFixture.note("a", .insert, [ReplicaColumn("words", .text("part"))]),
        ReplicaFixture.note("a", .update, [ReplicaColumn("count", .integer(2))]),
        ReplicaFixture.note("a", .delete),
    ]

    /// Zero, one or two changes.
    private static var sequences: [[ReplicaChange]] {
        var sequences: [[ReplicaChange]] = [[]]
        for first in changes {
            sequences.append([first])
            for second in changes { sequences.append([first, second]) }
        }
        return sequences
    }

    /// What a phone must show: the log to its position, and what that does not have of its outbox.
    private static func expected(
        _ database: ReplicaDatabase,
        _ primary: FakePrimary
    ) throws -> [ReplicaChange] {
        let standing = try database.standing()
        var tables = primary.tables(through: standing.position)
        let applied = primary.applied(standing.replica, through: standing.position)
        for change in try database.kept() where change.sequence > applied {
            tables.apply(change.change)
        }
        return tables.rows
    }

    @Test("Each change of one side meets each of the other", arguments: [false, true])
    func combinations(isThereBefore: Bool) throws {
        for local in Self.sequences {
            for remote in Self.sequences {
                var primary = FakePrimary()
                if isThereBefore { primary.write(ReplicaFixture.whole("a", words: "old")) }
                let database = try ReplicaFixture.following(primary)
                for change in local { try database.perform(change) }
                for change in remote { primary.write(change) }
                let position = try database.standing().position
                _ = try database.take(primary.page(from: position, to: "phone"))
                let what = "\(local) meets \(remote)"
                let expected = try Self.expected(database, primary)
                #expect(try database.rows() == expected, "\(what)")
                let from = try database.standing().position
                let isTaken = primary.push(try database.allUnsent(), of: "phone")
                for position in from..<primary.head {
                    _ = try database.take(
                        primary.page(from: position, to: "phone", countMax: 1)
                    )
                }
                let both = primary.tables(through: primary.head).rows
                #expect(try isTaken && database.rows() == both, "\(what)")
            }
        }
    }

    @Test("A change is kept until it has come back from where the primary cannot lose it")
    func keptUntilDurable() throws {
        var primary = FakePrimary()
        let database = try ReplicaFixture.following(primary)
        try database.perform(ReplicaFixture.whole("a", words: "x"))
        try database.perform(ReplicaFixture.whole("b", words: "y"))
        let (unsent, kept) = try (database.allUnsent(), database.kept())
        _ = primary.push([unsent[0]], of: "phone")
        let first = primary.page(from: 0, to: "phone")
        let standing = ReplicaStanding(
            replica: "phone",
            schema: 2,
            generation: "g1",
            position: 1,
            database: "db-ada"
        )
        #expect(try database.take(first) == .done(standing))
        #expect(try database.kept() == kept)
        #expect(try database.allUnsent() == [unsent[1]])
        primary.makeDurable()
        _ = try database.take(primary.page(from: 1, to: "phone"))
        #expect(try database.kept() == [kept[1]])
        _ = primary.push([unsent[1]], of: "phone")
        primary.makeDurable()
        _ = try database.take(primary.page(from: 1, to: "phone"))
        #expect(try database.kept().isEmpty)
        // No number is given twice, also by a file that is opened again.
        let reopened = try ReplicaFixture.open(database.image())
        try reopened.perform(ReplicaFixture.note("a", .delete))
        #expect(try reopened.kept().map(\.sequence) == [3])
    }

    @Test("What the primary has but does not send yet is not handed over again")
    func appliedAhead() throws {
        var primary = FakePrimary()
        let database = try ReplicaFixture.following(primary)
        for number in 1...3 { primary.write(ReplicaFixture.whole("w\(number)", words: "web")) }
        try database.perform(ReplicaFixture.whole("w1", words: "phone"))
        _ = primary.push(try database.allUnsent(), of: "phone")
        _ = try database.take(primary.page(from: 0, to: "phone", countMax: 2))
        #expect(try database.allUnsent().isEmpty && database.kept().count == 1)
        #expect(try database.rows().first?.columns.last?.value == .text("phone"))
    }

    @Test("A piece that is not the next one, or another generation's, changes nothing")
    func outOfOrder() throws {
        var primary = FakePrimary()
        let database = try ReplicaFixture.following(primary)
        primary.write(ReplicaFixture.whole("a", words: "x"))
        primary.write(ReplicaFixture.whole("b", words: "y"))
        let image = try database.image()
        var page = primary.page(from: 0, to: "phone")
        page.generation = "g2"
        #expect(try database.take(page) == .outOfOrder)
        #expect(try database.take(primary.page(from: 1, to: "phone")) == .outOfOrder)
        #expect(try database.image() == image)
        let new = try ReplicaFixture.open()
        #expect(try new.take(primary.page(from: 0, to: "phone")) == .outOfOrder)
        let next = primary.page(from: 0, to: "phone")
        _ = try database.take(next)
        #expect(try database.take(next) == .outOfOrder, "an answer that comes twice")
    }

    @Test("A piece that does not fit is refused whole, and the app's writes are captured as before")
    func unfit() throws {
        var primary = FakePrimary()
        let database = try ReplicaFixture.following(primary)
        primary.write(ReplicaFixture.whole("a", words: "x"))
        let unfit = [
            ReplicaChange(table: "nowhere", key: "a", kind: .delete),
            ReplicaFixture.note("a", .update, [ReplicaColumn("colour", .null)]),
            ReplicaFixture.note("a", .update, [ReplicaColumn("count", .text("12"))]),
            ReplicaFixture.note("a", .update, [ReplicaColumn("count", .null)]),
        ]
        for change in unfit {
            var wrong = primary
            wrong.write(change)
            #expect(try database.take(wrong.page(from: 0, to: "phone")) == .failed)
        }
        var gap = primary.page(from: 0, to: "phone")
        gap.through = 2
        #expect(try database.take(gap) == .failed)
        #expect(try database.rows().isEmpty && database.standing().position == 0)
        try database.perform(ReplicaFixture.whole("b", words: "y"))
        #expect(try database.kept().count == 1)
        _ = try database.take(primary.page(from: 0, to: "phone"))
        try database.perform(ReplicaFixture.note("a", .delete))
        #expect(try database.kept().count == 2)
    }

    // MARK: At random

    private struct Walk {
        var primary = FakePrimary()
        var database: ReplicaDatabase
        var random: SeededGenerator

        init(seed: UInt64) throws {
            database = try ReplicaFixture.open()
            random = SeededGenerator(seed: seed)
        }

        mutating func change() -> ReplicaChange {
            let key = "k\(random.below(3))"
            let count = ReplicaColumn("count", .integer(random.below(100)))
            let words = ReplicaColumn("words", .text("w\(random.below(100))"))
            switch random.below(5) {
            case 0: return ReplicaFixture.whole(key, words: "n\(random.below(100))")
            case 1: return ReplicaFixture.note(key, .insert, [count])
            case 2: return ReplicaFixture.note(key, .update, [count])
            case 3: return ReplicaFixture.note(key, .update, [count, words])
            default: return ReplicaFixture.note(key, .delete)
            }
        }

        mutating func sync() throws {
            let standing = try database.standing()
            guard standing.generation == primary.generation else {
                let size = Int(random.below(3)) + 1
                let pages = primary.snapshot(of: "phone", rowsPerPage: size)
                for (index, page) in pages.enumerated() {
                    _ = try database.stage(page, of: "db-ada", isFirst: index == 0)
                }
                return
            }
            let countMax = Int(random.below(4)) + 1
            let batch = try database.unsent(countMax: countMax, bytesMax: 400)
            let isTaken = primary.push(batch.changes, of: "phone")
            #expect(isTaken)
            // The answer may be lost.
            guard random.below(4) > 0 else { return }
            _ = try database.take(
                primary.page(from: standing.position, to: "phone", countMax: countMax)
            )
        }

        mutating func step() throws {
            switch random.below(12) {
            case 0...3:
                let made = change()
                try database.perform(made)
            case 4...5:
                let made = change()
                primary.write(made)
            case 6...9: try sync()
            case 10:
                if random.below(2) == 0 { primary.makeDurable() } else { primary.fail() }
            default: database = try ReplicaFixture.open(database.image())
            }
        }
    }

    @Test("Whatever happens in whatever order, rows are right, and nothing is lost or done twice")
    func walk() throws {
        for seed in UInt64(0)..<12 {
            var walk = try Walk(seed: seed)
            var given: [Int64: ReplicaChange] = [:]
            for step in 0..<100 {
                try walk.step()
                for kept in try walk.database.kept() { given[kept.sequence] = kept.change }
                guard try walk.database.standing().generation == walk.primary.generation else {
                    continue
                }
                let expected = try Self.expected(walk.database, walk.primary)
                #expect(try walk.database.rows() == expected, "seed \(seed), step \(step)")
            }
            for _ in 0..<150 { try walk.sync() }
            let own = walk.primary.log.filter { $0.replica == "phone" }
            #expect(own.map(\.sequence) == given.keys.sorted(), "seed \(seed)")
            #expect(own.allSatisfy { given[$0.sequence] == $0.change }, "seed \(seed)")
            let rows = walk.primary.tables(through: walk.primary.head).rows
            #expect(try walk.database.rows() == rows, "seed \(seed)")
            walk.primary.makeDurable()
            for _ in 0..<20 { try walk.sync() }
            #expect(try walk.database.kept().isEmpty, "seed \(seed)")
        }
    }
}
