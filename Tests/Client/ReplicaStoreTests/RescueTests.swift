import ReplicaChanges
import ReplicaStore
import ReplicaSync
import Testing

@Suite("An app is told what was saved of a damaged file (RP-07)")
struct RescueTests {
    @Test("What was saved is told with each opening until the app has shown it (RP-07)")
    func told() throws {
        struct Crash: Error {}
        try ReplicaFixture.withFolder { path in
            var bytes = try DamageTests.image()
            bytes[0] = 0
            try ReplicaFixture.write(bytes, to: path)
            func open(crashing: Bool = false) throws -> ReplicaDatabase.Opening {
                try ReplicaDatabase.open(
                    .file(path: path),
                    form: ReplicaFixture.form.get(),
                    newReplica: "phone-2",
                    beforeMigrationCommits: { version in
                        if crashing, version == 2 { throw Crash() }
                    }
                )
            }
            // The process ends when the new file is there and not at its last version.
            #expect(throws: ReplicaDatabase.Failure.self) { _ = try open(crashing: true) }
            let rescue = ReplicaDatabase.Rescue(
                unsentCount: 40,
                isComplete: true,
                setAside: "\(path).damaged-1"
            )
            #expect(try open().rescue == rescue)
            let second = try open()
            #expect(second.rescue == rescue)
            #expect(try second.database.rows().count == 40, "what was saved is shown")
            try second.database.run("DELETE FROM note WHERE id = 'k7'")
            try second.database.run("UPDATE note SET count = count + 1")
            let rows = try second.database.rows()
            let third = try open()
            #expect(try third.rescue == rescue && third.database.rows() == rows)
            try third.database.noteRescueShown()
            let fourth = try open()
            #expect(try fourth.rescue == nil && fourth.database.rows() == rows)
        }
    }

    @Test("A loss that was not told yet is told with the next one (RP-07)")
    func twice() throws {
        let database = try DamageTests.open(DamageTests.image()).database
        try database.run("DELETE FROM _outbox WHERE sequence = 3")
        let first = try DamageTests.open(database.image())
        #expect(first.rescue?.isComplete == false)
        for isShown in [false, true] {
            if isShown { try first.database.noteRescueShown() }
            var image = try first.database.image()
            image[0] = 0
            #expect(try DamageTests.open(image).rescue?.isComplete == isShown)
        }
    }

    @Test("What the primary has and may still lose counts among what was saved (RP-07)")
    func notDurable() throws {
        var primary = FakePrimary()
        let database = try ReplicaFixture.following(primary)
        for key in ["a", "b", "c", "d"] {
            try database.perform(ReplicaFixture.whole(key, words: key))
        }
        let own = try database.kept()
        _ = primary.push([own[0]], of: "phone")
        primary.makeDurable()
        _ = primary.push(Array(own[..<3]), of: "phone")
        _ = try database.take(primary.page(from: 0, to: "phone"))
        #expect(try database.kept() == Array(own[1...]))
        #expect(try database.allUnsent().map(\.sequence) == [4])
        var image = try database.image()
        image[0] = 0
        let opening = try DamageTests.open(image)
        #expect(opening.rescue?.unsentCount == 3 && opening.rescue?.isComplete == true)
        primary.fail()
        let rows = primary.snapshot(of: "phone", rowsPerPage: 10)[0]
        _ = try opening.database.stage(rows, of: "db-ada", isFirst: true)
        #expect(try opening.database.allUnsent() == Array(own[1...]))
    }
}
