import GRDB
import ReplicaChanges
import ReplicaStore
import ReplicaSync
import Testing

@Suite("A replica is a file, or a file's bytes in memory")
struct PlaceTests {
    private static func open(_ place: ReplicaDatabase.Place) throws -> ReplicaDatabase.Opening {
        try ReplicaDatabase.open(place, form: ReplicaFixture.form.get(), newReplica: "phone")
    }

    @Test("A file's bytes are an image, and an image is a file (RP-02)")
    func roundTrip() throws {
        try ReplicaFixture.withFolder { path in
            let made = try Self.open(.file(path: path))
            #expect(made.isNew && made.rescue == nil)
            try made.database.perform(ReplicaFixture.whole("a", words: "Gipfel – 山"))
            let image = try made.database.image()
            #expect(try ReplicaFixture.bytes(path) == image)
            let inMemory = try Self.open(.image(image))
            #expect(!inMemory.isNew && inMemory.rescue == nil)
            #expect(try inMemory.database.rows() == made.database.rows())
            try inMemory.database.perform(ReplicaFixture.whole("b", words: "x"))
            let other = path + "-copy"
            try ReplicaFixture.write(inMemory.database.image(), to: other)
            let copy = try Self.open(.file(path: other))
            #expect(!copy.isNew && copy.rescue == nil)
            #expect(try copy.database.kept() == inMemory.database.kept())
            #expect(try copy.database.rows().map(\.key) == ["a", "b"])
            #expect(try made.database.rows().map(\.key) == ["a"])
        }
    }

    @Test("An image grows, and opens as it was at any point")
    func grows() throws {
        var image: [UInt8]?
        for number in 0..<20 {
            let opening = try Self.open(.image(image))
            #expect(opening.isNew == (number == 0) && opening.rescue == nil)
            #expect(try opening.database.rows().count == number)
            let text = String(repeating: "x", count: 5_000)
            try opening.database.perform(ReplicaFixture.whole("k\(number)", words: text))
            image = try opening.database.image()
        }
        #expect(try Self.open(.image(nil)).isNew)
    }

    @Test("A file with a WAL is taken, also as an image, and has none afterwards")
    func wal() throws {
        try ReplicaFixture.withFolder { path in
            try Self.open(.file(path: path)).database.perform(
                ReplicaFixture.whole("a", words: "x")
            )
            let queue = try DatabaseQueue(path: path)
            try queue.inDatabase { try $0.execute(sql: "PRAGMA journal_mode = WAL") }
            try queue.close()
            let bytes = try ReplicaFixture.bytes(path)
            #expect(bytes[18] == 2)
            let image = try Self.open(.image(bytes))
            #expect(try image.rescue == nil && image.database.kept().count == 1)
            let file = try Self.open(.file(path: path))
            #expect(try file.rescue == nil && file.database.kept().count == 1)
            #expect(try file.database.image()[18] == 1)
        }
    }

    @Test("A crash before a new file is whole leaves nothing that is taken for one")
    func unfinished() throws {
        try ReplicaFixture.withFolder { path in
            try ReplicaFixture.write([1, 2, 3], to: path + ".new")
            let opening = try Self.open(.file(path: path))
            #expect(opening.isNew && opening.rescue == nil)
        }
    }

    @Test("Where no file can be, the refusal is in words")
    func nowhere() {
        #expect(throws: ReplicaDatabase.Failure.self) {
            _ = try Self.open(.file(path: "/nowhere/at/all/replica.sqlite"))
        }
    }
}
