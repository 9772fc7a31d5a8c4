import ReplicaChanges
import ReplicaStore
import ReplicaSync
import Testing

@Suite("On a full disk nothing is lost, and what is there is read (RP-04)")
struct DiskFullTests {
    private static let long = String(repeating: "x", count: 12_000)

    private static func open(
        _ place: ReplicaDatabase.Place,
        isDiskFull: Bool
    ) throws(ReplicaDatabase.Failure) -> ReplicaDatabase.Opening {
        try ReplicaDatabase.open(
            place,
            form: ReplicaFixture.form.get(),
            newReplica: "phone",
            isDiskFull: isDiskFull,
            beforeMigrationCommits: { _ in }
        )
    }

    @Test("A write without room is refused by name, and undone whole")
    func refused() throws {
        try ReplicaFixture.withFolder { path in
            for place in [ReplicaDatabase.Place.image(nil), .file(path: path)] {
                let database = try Self.open(place, isDiskFull: false).database
                try database.perform(ReplicaFixture.whole("a", words: "x"))
                let (rows, kept) = try (database.rows(), database.kept())
                try database.limitGrowth(true)
                #expect(throws: ReplicaDatabase.Failure.noRoom) {
                    try database.perform(ReplicaFixture.whole("b", words: Self.long))
                }
                #expect(try database.rows() == rows)
                #expect(try database.kept() == kept)
                // What fits is written.
                try database.perform(ReplicaFixture.whole("c", words: "y"))
                try database.limitGrowth(false)
                try database.perform(ReplicaFixture.whole("b", words: Self.long))
                #expect(try database.kept().map(\.change.key) == ["a", "c", "b"])
            }
        }
        #expect("\(ReplicaDatabase.Failure.noRoom)".contains("room"))
    }

    @Test("A page of the log is taken whole or not at all, and again when there is room")
    func pages() throws {
        var primary = FakePrimary()
        let database = try ReplicaFixture.following(primary)
        for key in ["a", "b", "c"] { primary.write(ReplicaFixture.whole(key, words: Self.long)) }
        try database.limitGrowth(true)
        #expect(try database.take(primary.page(from: 0, to: "phone")) == .noRoom)
        #expect(try database.rows().isEmpty)
        #expect(try database.standing().position == 0)
        let snapshot = primary.snapshot(of: "phone", rowsPerPage: 100)[0]
        #expect(try database.stage(snapshot, of: "db-ada", isFirst: true) == .noRoom)
        try database.limitGrowth(false)
        _ = try database.take(primary.page(from: 0, to: "phone"))
        #expect(try database.rows() == primary.tables(through: primary.head).rows)
    }

    @Test("A file is opened and read on a full disk, and none is made or replaced (D-12, RP-07)")
    func opened() throws {
        let made = try Self.open(.image(nil), isDiskFull: false).database
        try made.perform(ReplicaFixture.whole("a", words: "x"))
        let image = try made.image()
        let opened = try Self.open(.image(image), isDiskFull: true).database
        #expect(try opened.rows() == made.rows())
        #expect(throws: ReplicaDatabase.Failure.noRoom) {
            try opened.perform(ReplicaFixture.whole("b", words: Self.long))
        }
        #expect(throws: ReplicaDatabase.Failure.noRoom) {
            _ = try Self.open(.image(nil), isDiskFull: true)
        }
        #expect(throws: ReplicaDatabase.Failure.noRoom) {
            _ = try Self.open(.image([UInt8](repeating: 0, count: 4_096)), isDiskFull: true)
        }
    }

    @Test("Damage that only opening shows is rebuilt once there is room (RP-07)")
    func damagedWithin() throws {
        var image = try Self.open(.image(nil), isDiskFull: false).database.image()
        let name = Array("_capture".utf8)
        let place = try #require(
            image.indices.first { image[$0...].starts(with: name) },
            "the file has no trigger"
        )
        // The case of a letter in a trigger's name.
        image[place + 1] ^= 0x20
        #expect(throws: ReplicaDatabase.Failure.noRoom) {
            _ = try Self.open(.image(image), isDiskFull: true)
        }
        #expect(try Self.open(.image(image), isDiskFull: false).rescue != nil)
    }
}
