import FileHarms
import Foundation
import GRDB
import ReplicaChanges
import ReplicaStore
import ReplicaSync
import SansIO
import Testing

@Suite("A damaged file is set aside, and its outbox saved as far as it can be read (RP-07)")
struct DamageTests {
    /// The file of a phone with rows of the primary and 40 changes for it, on many pages.
    static func image() throws -> [UInt8] {
        var primary = FakePrimary()
        for number in 0..<20 {
            primary.write(ReplicaFixture.whole("w\(number)", words: longText))
        }
        let database = try ReplicaFixture.following(primary)
        for number in 0..<41 {
            try database.perform(ReplicaFixture.whole("k\(number)", words: longText))
        }
        // The first of them has left the outbox.
        _ = primary.push([try database.allUnsent()[0]], of: "phone")
        primary.makeDurable()
        _ = try database.take(primary.page(from: 20, to: "phone"))
        return try database.image()
    }

    private static let longText = String(repeating: "text ", count: 100)

    static func open(_ image: [UInt8]) throws -> ReplicaDatabase.Opening {
        try ReplicaDatabase.open(
            .image(image),
            form: ReplicaFixture.form.get(),
            newReplica: "phone-2"
        )
    }

    @Test("Of a file without its header all is saved, and goes on where it was")
    func header() throws {
        let whole = try Self.open(Self.image()).database
        let expected = try whole.kept()
        for count in [1, 16, 100, 4_096] {
            var image = try Self.image()
            for index in 0..<count { image[index] = 0 }
            let opening = try Self.open(image)
            let rescue = ReplicaDatabase.Rescue(
                unsentCount: 40,
                isComplete: true,
                setAside: nil
            )
            #expect(opening.rescue == rescue && !opening.isNew, "\(count) bytes")
            #expect(try opening.database.kept() == expected)
            let standing = try opening.database.standing()
            #expect(standing.replica == "phone" && standing.schema == 2)
            #expect(standing.generation == nil && standing.position == 0)
            #expect(standing.database == "db-ada", "another user's is never given what was saved")
            #expect(try opening.database.rows().count == 40, "what was saved is shown")
            try opening.database.run("INSERT INTO note (id) VALUES ('new')")
            #expect(try opening.database.kept().last?.sequence == 42)
        }
    }

    @Test("A damaged file is left alone where it still says that a later version wrote it (RP-05)")
    func laterVersion() throws {
        let whole = try Self.image()
        var (headless, torn) = (whole, whole)
        for index in 0..<16 { headless[index] = 0 }
        for index in whole.count - 4_096..<whole.count { torn[index] = 0xFF }
        for image in [headless, torn] {
            try ReplicaFixture.withFolder { path in
                try ReplicaFixture.write(image, to: path)
                // The first opening leaves nothing that the second one takes for another file.
                for _ in 1...2 {
                    #expect(throws: ReplicaDatabase.Failure.writtenByLaterVersion) {
                        _ = try ReplicaDatabase.open(
                            .file(path: path),
                            form: ReplicaFixture.firstForm.get(),
                            newReplica: "older"
                        )
                    }
                }
                #expect(try ReplicaFixture.bytes(path) == image)
                #expect(!FileManager.default.fileExists(atPath: path + ".damaged-1"))
            }
            #expect(try Self.open(image).rescue != nil, "the version that wrote it rebuilds it")
        }
        #expect(try Self.open(headless).rescue?.unsentCount == 40)
    }

    @Test("A file is set aside with what lies beside it, and a new one is in its place")
    func setAside() throws {
        try ReplicaFixture.withFolder { path in
            for number in 1...2 {
                var bytes = try Self.image()
                bytes[0] = 0
                try ReplicaFixture.write(bytes, to: path)
                try ReplicaFixture.write([1, 2, 3], to: path + "-wal")
                let opening = try ReplicaDatabase.open(
                    .file(path: path),
                    form: ReplicaFixture.form.get(),
                    newReplica: "phone-2"
                )
                let name = "\(path).damaged-\(number)"
                #expect(opening.rescue?.setAside == name && opening.rescue?.isComplete == true)
                #expect(try ReplicaFixture.bytes(name) == bytes)
                let beside = ["-wal", "-journal", "-shm"].map { path + $0 }
                let left = beside.filter { FileManager.default.fileExists(atPath: $0) }
                #expect(left.isEmpty)
                #expect(!FileManager.default.fileExists(atPath: path + ".new"))
            }
            let again = try ReplicaDatabase.open(
                .file(path: path),
                form: ReplicaFixture.form.get(),
                newReplica: "phone-3"
            )
            #expect(again.rescue?.setAside == "\(path).damaged-2" && !again.isNew)
            #expect(try again.database.kept().count == 40)
        }
    }

    @Test("What stands where SQLite's own files belong bars no launch, and no change is lost")
    func barred() throws {
        let whole = try Self.image()
        for name in ["-journal", "-wal", ".new", ".new-journal", ".trial", ".trial-journal"] {
            for isLink in [false, true] {
                try ReplicaFixture.withFolder { path in
                    func open() throws -> ReplicaDatabase.Opening {
                        try ReplicaDatabase.open(
                            .file(path: path),
                            form: ReplicaFixture.form.get(),
                            newReplica: "phone-2"
                        )
                    }
                    for bytes in [whole, [0] + whole.dropFirst()] {
                        try ReplicaFixture.write(bytes, to: path)
                        for _ in 0..<2 {
                            try FileObstacle.put(at: path + name, isLink: isLink)
                            for _ in 0..<2 {
                                let opening = try open()
                                #expect(try opening.database.kept().count == 40, "\(name)")
                                #expect(opening.rescue?.isComplete != false)
                                try opening.database.run("UPDATE note SET mood = 'x' WHERE false")
                            }
                        }
                    }
                }
            }
        }
    }

    @Test("Of a file that is cut, what is said to be whole is whole; the rest is reported")
    func cut() throws {
        let image = try Self.image()
        for count in stride(from: 0, to: image.count, by: 1_999) {
            let opening = try Self.open(Array(image[..<count]))
            let rescue = try #require(opening.rescue, "\(count) bytes")
            #expect(rescue.unsentCount <= 40)
            #expect(!rescue.isComplete || rescue.unsentCount == 40)
            try opening.database.run("INSERT INTO note (id) VALUES ('new')")
            let sequences = try opening.database.kept().map(\.sequence)
            let first = try #require(sequences.first)
            #expect(sequences == Array(first..<first + Int64(sequences.count)), "no gap")
        }
    }

    @Test("Whatever page is gone, nothing is said to be whole that is not")
    func pages() throws {
        let image = try Self.image()
        let expected = try Self.open(image).database.kept()
        var completeCount = 0
        for start in stride(from: 0, to: image.count, by: 4_096) {
            var damaged = image
            for index in start..<min(start + 4_096, image.count) { damaged[index] = 0 }
            let opening = try Self.open(damaged)
            let kept = try opening.database.kept()
            guard let rescue = opening.rescue else {
                #expect(kept == expected, "page at \(start): unused")
                continue
            }
            if rescue.isComplete {
                #expect(kept == expected && rescue.unsentCount == 40, "page at \(start)")
                completeCount += 1
            } else {
                #expect(rescue.unsentCount <= 40, "page at \(start)")
            }
        }
        #expect(completeCount > 3, "the pages of rows, the index and the first")
    }

    @Test("Garbage anywhere ends in a database or in words, never in a crash")
    func garbage() throws {
        let image = try Self.image()
        var random = SeededGenerator(seed: 7)
        var openings = 0
        var rescues = 0
        for trial in 0..<120 {
            var damaged = image
            // The first pages are worth more trials.
            let limit = trial % 2 == 0 ? image.count : min(image.count, 4_096 * 6)
            let start = Int(random.below(Int64(limit)))
            let count = Int(random.below(200)) + 1
            for index in start..<min(start + count, image.count) {
                damaged[index] = UInt8(truncatingIfNeeded: random.next())
            }
            guard let opening = try? Self.open(damaged) else { continue }
            openings += 1
            if opening.rescue != nil { rescues += 1 }
            _ = try? opening.database.rows()
            _ = try? opening.database.unsent(countMax: 10, bytesMax: 1_000)
            _ = try? opening.database.kept()
            try? opening.database.run("INSERT INTO note (id) VALUES ('new')")
        }
        #expect(openings > 60, "garbage that is mostly refused proves little")
        #expect(rescues > 10, "and so does garbage that nobody finds")
    }

    @Test("A change that cannot be read becomes one that does nothing, under its number")
    func unreadableChange() throws {
        let harms = [
            "UPDATE _outbox SET columns = 'nonsense' WHERE sequence = 3",
            "UPDATE _outbox SET columns = '{\"nowhere\":1}' WHERE sequence = 3",
            "UPDATE _outbox SET kind = 'invent' WHERE sequence = 3",
            "DELETE FROM _outbox WHERE sequence = 3",
        ]
        for harm in harms {
            let database = try Self.open(Self.image()).database
            try database.run(harm)
            let opening = try Self.open(database.image())
            #expect(opening.rescue?.unsentCount == 39, "\(harm)")
            #expect(opening.rescue?.isComplete == false)
            let kept = try opening.database.kept()
            #expect(kept.map(\.sequence) == Array(2...41))
            let nothing = try #require(kept.first(where: { $0.sequence == 3 })).change
            #expect(nothing.kind == .delete && nothing.key.hasPrefix("phone-2"))
            #expect(try opening.database.rows().count == 39)
        }
    }

    @Test("If its numbers are not known for certain, a replica takes a new name and counts from 1")
    func numbersUnknown() throws {
        let harms = [
            "DELETE FROM _state", "DROP TABLE _state", "UPDATE _state SET position = -1",
            "UPDATE _state SET removed = 20", "UPDATE _state SET form = 0",
        ]
        for harm in harms {
            let database = try Self.open(Self.image()).database
            try database.run(harm)
            let opening = try Self.open(database.image())
            #expect(opening.rescue?.unsentCount == 40, "\(harm)")
            #expect(opening.rescue?.isComplete == false, "\(harm)")
            let standing = try opening.database.standing()
            #expect(standing.replica == "phone-2")
            #expect(standing.database == "db-ada", "\(harm)")
            #expect(try opening.database.kept().map(\.sequence) == Array(1...40))
        }
    }

    @Test("SQLite's own count of numbers may be gone: an outbox that is whole knows better")
    func countGone() throws {
        let harms = [
            "DELETE FROM sqlite_sequence", "UPDATE sqlite_sequence SET seq = 9223372036854775807",
            "UPDATE sqlite_sequence SET seq = 42",
        ]
        for harm in harms {
            let database = try Self.open(Self.image()).database
            let kept = try database.kept()
            try database.run(harm)
            let opening = try Self.open(database.image())
            #expect(opening.rescue?.isComplete == true && opening.rescue?.unsentCount == 40)
            #expect(try opening.database.kept() == kept, "\(harm)")
            try opening.database.run("INSERT INTO note (id) VALUES ('new')")
            #expect(try opening.database.kept().last?.sequence == 42)
        }
    }

    @Test("More than 100,000 unsent changes are saved whole")
    func many() throws {
        let schema = ReplicaSchema(versions: [[.createTable("t", [])]])
        let database = try ReplicaFixture.open(schema: schema)
        try database.run(
            """
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100001)
            INSERT INTO t (id) SELECT i FROM n
            """
        )
        var image = try database.image()
        image[0] = 0
        let opening = try ReplicaDatabase.open(
            .image(image),
            form: .init(of: schema),
            newReplica: "b"
        )
        #expect(opening.rescue?.isComplete == true && opening.rescue?.unsentCount == 100_001)
        #expect(try opening.database.standing().replica == "phone")
    }

    @Test("Tables that are not the schema's are damage; an empty file and another's database too")
    func foreign() throws {
        let database = try Self.open(Self.image()).database
        try database.run("DROP TABLE \"order\"")
        let opening = try Self.open(database.image())
        #expect(opening.rescue?.isComplete == true && opening.rescue?.unsentCount == 40)
        #expect(try Self.open([]).rescue?.isComplete == false)
        #expect(try Self.open(Array("no database at all".utf8)).rescue?.unsentCount == 0)
        try ReplicaFixture.withFolder { path in
            try DatabaseQueue(path: path).write { try $0.execute(sql: "CREATE TABLE t (a)") }
            let found = try ReplicaDatabase.open(
                .file(path: path),
                form: ReplicaFixture.form.get(),
                newReplica: "phone"
            )
            #expect(found.rescue != nil && found.rescue?.isComplete == false)
        }
    }

    @Test("What was saved keeps its columns, also those of later versions than the first")
    func versions() throws {
        let column = { (name: String) in
            ReplicaSchema.Column(name, .integer, standard: .integer(0))
        }
        let schema = ReplicaSchema(versions: [
            [.createTable("t", [column("a")])], [.addColumn("t", column("b"))],
            [.addColumn("t", column("c"))],
        ])
        let database = try ReplicaFixture.open(schema: schema)
        try database.run("INSERT INTO t (id, a, b, c) VALUES ('k', 1, 2, 3)")
        let kept = try database.kept()
        var image = try database.image()
        image[0] = 0
        let rebuilt = try ReplicaFixture.open(image, schema: schema)
        #expect(try rebuilt.kept() == kept && rebuilt.rows() == [kept[0].change])
    }

    @Test("A saved outbox reaches the primary once, behind the snapshot")
    func afterwards() throws {
        var primary = FakePrimary()
        let database = try ReplicaFixture.following(primary)
        for key in ["a", "b", "c"] {
            try database.perform(ReplicaFixture.whole(key, words: key))
        }
        // The primary took the first, and the phone did not hear of it.
        _ = primary.push([try database.allUnsent()[0]], of: "phone")
        var image = try database.image()
        image[5] = 0
        let rebuilt = try Self.open(image).database
        for page in primary.snapshot(of: "phone", rowsPerPage: 10) {
            _ = try rebuilt.stage(page, of: "db-ada", isFirst: true)
        }
        #expect(try rebuilt.allUnsent().map(\.change.key) == ["b", "c"])
        let isTaken = primary.push(try rebuilt.allUnsent(), of: "phone")
        #expect(isTaken)
        _ = try rebuilt.take(primary.page(from: 1, to: "phone"))
        #expect(primary.log.map(\.change.key) == ["a", "b", "c"])
        #expect(try rebuilt.rows() == primary.tables(through: 3).rows)
    }
}
