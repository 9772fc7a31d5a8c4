import Foundation
import GroupSecurity
import GroupStore
import SansIO
import SansIOTesting
import Testing

@Suite("Groups and members in a file (S-GRP-002)")
struct GroupDatabaseTests {
    private static let hikers = GroupID(high: 1, low: 2)
    private static let climbers = GroupID(high: 3, low: 4)
    private static let anna = MemberID(high: 1, low: 1)
    private static let ben = MemberID(high: 2, low: 2)

    private static func time(_ seconds: Int64) -> WallTime {
        WallTime(nanosecondsSince1970: seconds * 1_000_000_000)
    }

    /// A file that is gone when the test is.
    private static func withFile(_ body: (String) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("groups-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try body(folder.appendingPathComponent("groups.sqlite").path)
    }

    @Test("What was kept is there when the file is opened again (A-F-016)")
    func reopened() throws {
        try Self.withFile { path in
            let group = GroupRecord(
                id: Self.hikers,
                name: DisplayName("Gipfel – 山"),
                created: Self.time(100)
            )
            do {
                let database = try GroupDatabase(path: path)
                try database.save(group)
                try database.use(Self.hikers, at: Self.time(500))
                try database.save(
                    MemberRecord(
                        id: Self.anna,
                        name: DisplayName("Anna"),
                        lastSeen: Self.time(300)
                    ),
                    in: Self.hikers
                )
            }
            let database = try GroupDatabase(path: path)
            var expected = group
            expected.lastUsed = Self.time(500)
            #expect(try database.recentGroups() == [expected])
            let members = try database.members(of: Self.hikers)
            #expect(members.map(\.id) == [Self.anna] && members[0].name?.text == "Anna")
            #expect(members[0].lastSeen == Self.time(300))
        }
    }

    @Test("Connections to one name in memory share what was kept, as long as one of them lives")
    func sharedInMemory() throws {
        let group = GroupRecord(id: Self.hikers, created: Self.time(100))
        do {
            let disk = try GroupDatabase(sharedInMemoryAs: "groups-of-a-test")
            do { try GroupDatabase(sharedInMemoryAs: "groups-of-a-test").save(group) }
            let reopened = try GroupDatabase(sharedInMemoryAs: "groups-of-a-test")
            #expect(try reopened.recentGroups() == [group])
            #expect(try disk.recentGroups() == [group])
            let other = try GroupDatabase(sharedInMemoryAs: "groups-of-another")
            #expect(try other.recentGroups().isEmpty)
        }
        let anew = try GroupDatabase(sharedInMemoryAs: "groups-of-a-test")
        #expect(try anew.recentGroups().isEmpty)
    }

    @Test("The group talked in last comes first, one never talked in last (S-GRP-003)")
    func recent() throws {
        let database = try GroupDatabase(path: nil)
        for (number, used) in [(1, 50), (2, nil), (3, 90), (4, 70), (5, nil)] as [(UInt64, Int64?)]
        {
            try database.save(
                GroupRecord(
                    id: GroupID(high: number, low: 0),
                    created: Self.time(Int64(number)),
                    lastUsed: used.map(Self.time)
                )
            )
        }
        // The fourth was told last, whatever its time says.
        #expect(try database.recentGroups().map(\.id.high) == [4, 3, 1, 5, 2])
        #expect(try database.recentGroups(2).map(\.id.high) == [4, 3])
    }

    @Test("A clock that is set back brings back no earlier group (S-GRP-003)")
    func clockSetBack() throws {
        let database = try GroupDatabase(path: nil)
        let hikers = GroupRecord(id: Self.hikers, created: Self.time(1), lastUsed: Self.time(1))
        try database.save(hikers)
        try database.use(Self.hikers, at: Self.time(9_000))
        // Two hours earlier, by the clock, another group is made and used.
        let climbers = GroupRecord(
            id: Self.climbers,
            created: Self.time(1_800),
            lastUsed: Self.time(1_800)
        )
        try database.save(climbers)
        #expect(try database.recentGroups().map(\.id) == [Self.climbers, Self.hikers])
        try database.use(Self.hikers, at: Self.time(1_900))
        #expect(try database.recentGroups().map(\.id) == [Self.hikers, Self.climbers])
        try database.use(Self.climbers, at: Self.time(1_850))
        #expect(try database.recentGroups().map(\.id) == [Self.climbers, Self.hikers])
    }

    @Test("A file of the first version keeps its order, by time, and counts on from it")
    func firstVersion() throws {
        try Self.withFile { path in
            let rows = [(1, 50), (2, 90), (3, 70)] as [(UInt64, Int64)]
            let groups = rows.map { (GroupID(high: $0.0, low: 0), $0.1) }
            let values = groups.map { "('\($0.0.text)', 1, \($0.1))" }
            try GroupDatabaseTests.run(
                """
                CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);
                INSERT INTO grdb_migrations VALUES ('1 groups and members');
                CREATE TABLE talkGroup (
                    id TEXT PRIMARY KEY NOT NULL,
                    name TEXT,
                    created INTEGER NOT NULL,
                    lastUsed INTEGER
                ) STRICT;
                INSERT INTO talkGroup (id, created, lastUsed)
                    VALUES \(values.joined(separator: ", "));
                """,
                on: path
            )
            let database = try GroupDatabase(path: path)
            #expect(try database.recentGroups().map(\.id.high) == [2, 3, 1])
            try database.use(groups[0].0, at: Self.time(1))
            #expect(try database.recentGroups().map(\.id.high) == [1, 2, 3])
        }
    }

    @Test("Members of past groups can be asked into a new one, even of a forgotten one (S-GRP-004)")
    func pastMembers() throws {
        let database = try GroupDatabase(path: nil)
        for group in [Self.hikers, Self.climbers] {
            try database.save(GroupRecord(id: group, created: Self.time(1)))
        }
        try database.save(MemberRecord(id: Self.anna, lastSeen: Self.time(10)), in: Self.hikers)
        try database.save(MemberRecord(id: Self.ben, lastSeen: Self.time(20)), in: Self.hikers)
        try database.save(MemberRecord(id: Self.anna, lastSeen: Self.time(30)), in: Self.climbers)
        #expect(try database.members(of: Self.hikers).map(\.id) == [Self.ben, Self.anna])
        #expect(try database.members(of: Self.climbers).map(\.id) == [Self.anna])
        try database.delete(Self.hikers)
        #expect(try database.members(of: Self.hikers).isEmpty)
        #expect(try database.allMembers().map(\.id) == [Self.anna, Self.ben])
        #expect(try database.recentGroups().map(\.id) == [Self.climbers])
    }

    @Test("A guest who was invited is waited for after the app is started anew (A-F-017)")
    func invites() throws {
        try Self.withFile { path in
            let lasting = InviteRecord(made: Self.time(50))
            let short = InviteRecord(made: Self.time(60), expires: Self.time(90))
            do {
                let database = try GroupDatabase(path: path)
                try database.save(GroupRecord(id: Self.hikers, created: Self.time(1)))
                try database.save(lasting, to: Self.hikers)
                try database.save(short, to: Self.hikers)
                try database.save(lasting, to: Self.climbers)
            }
            let database = try GroupDatabase(path: path)
            #expect(try database.invites(to: Self.hikers) == [lasting, short])
            #expect(try database.invites(to: Self.climbers).isEmpty, "a group that is not kept")
            try database.deleteInvite(to: Self.hikers)
            #expect(try database.invites(to: Self.hikers) == [lasting])
            for second in Int64(101)...106 {
                try database.save(InviteRecord(made: Self.time(second)), to: Self.hikers)
            }
            let made = try database.invites(to: Self.hikers).map(\.made)
            #expect(made == (102...106).map(Self.time), "more than fill the group cannot come")
            try database.delete(Self.hikers)
            #expect(try database.invites(to: Self.hikers).isEmpty)
        }
    }

    @Test("A guest may come until the invite ends or patience does, whatever the clock does")
    func waiting() {
        let hour = Duration.seconds(3_600)
        let lasting = InviteRecord(made: Self.time(1_000))
        #expect(lasting.remaining(at: Self.time(1_600), patience: hour) == .seconds(3_000))
        #expect(lasting.remaining(at: Self.time(4_600), patience: hour) == nil)
        #expect(lasting.remaining(at: Self.time(200), patience: hour) == hour, "set back")
        let short = InviteRecord(made: Self.time(1_000), expires: Self.time(1_700))
        #expect(short.remaining(at: Self.time(1_600), patience: hour) == .seconds(100))
        #expect(short.remaining(at: Self.time(1_700), patience: hour) == nil)
    }

    @Test("What is told later never takes away what was known")
    func nothingLost() throws {
        let database = try GroupDatabase(path: nil)
        let named = GroupRecord(
            id: Self.hikers,
            name: DisplayName("Hikers"),
            created: Self.time(5),
            lastUsed: Self.time(60)
        )
        try database.save(named)
        try database.save(GroupRecord(id: Self.hikers, created: Self.time(9)))
        #expect(try database.recentGroups() == [named])
        try database.save(
            MemberRecord(id: Self.anna, name: DisplayName("Anna"), lastSeen: Self.time(50)),
            in: Self.hikers
        )
        try database.save(MemberRecord(id: Self.anna, lastSeen: Self.time(40)), in: Self.hikers)
        let anna = MemberRecord(id: Self.anna, name: DisplayName("Anna"), lastSeen: Self.time(50))
        #expect(try database.members(of: Self.hikers) == [anna])
        try database.save(anna, in: Self.climbers)
        #expect(try database.members(of: Self.climbers).isEmpty, "a group that is not kept")
    }

    @Test("A file that a later version wrote is refused and left as it is")
    func later() throws {
        try Self.withFile { path in
            try GroupDatabase(path: path).save(GroupRecord(id: Self.hikers, created: Self.time(1)))
            try GroupDatabaseTests.run(
                "INSERT INTO grdb_migrations (identifier) VALUES ('99 from the future')",
                on: path
            )
            let before = try Data(contentsOf: URL(fileURLWithPath: path))
            #expect(throws: GroupDatabase.Failure.writtenByLaterVersion) {
                _ = try GroupDatabase(path: path)
            }
            #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
        }
    }

    @Test("A file that is no database is set aside, a folder in its place refused in words")
    func noDatabase() throws {
        try Self.withFile { path in
            let text = Data(String(repeating: "no database at all\n", count: 100).utf8)
            try text.write(to: URL(fileURLWithPath: path))
            let rescue = try #require(GroupDatabase(path: path).rescue)
            #expect(rescue.groupCount == 0)
            #expect(try Data(contentsOf: URL(fileURLWithPath: rescue.setAside)) == text)
            let folder = path + "-folder"
            try FileManager.default.createDirectory(
                atPath: folder,
                withIntermediateDirectories: true
            )
            #expect(throws: GroupDatabase.Failure.self) { _ = try GroupDatabase(path: folder) }
        }
    }

    @Test("No secret reaches the file: its bytes are in none of its pages (S-GRP-002)")
    func noSecret() throws {
        try Self.withFile { path in
            let secret = try #require(GroupSecret((0..<32).map { 0xA0 ^ UInt8($0) }))
            let credential = GroupCredential(id: Self.hikers, secret: secret)
            let database = try GroupDatabase(path: path)
            var library = GroupLibrary()
            var effects = library.handle(
                .joined(credential, name: DisplayName("Hikers"), at: Self.time(7)),
                at: .zero
            )
            guard case .writeSecret(let operation, Self.hikers, secret.bytes) = effects[0]
            else {
                Issue.record("\(effects)")
                return
            }
            effects = library.handle(.secretWritten(operation, isKept: true), at: .zero)
            for case .saveGroup(let record) in effects { try database.save(record) }
            #expect(try database.recentGroups().map(\.name?.text) == ["Hikers"])
            let file = try Data(contentsOf: URL(fileURLWithPath: path))
            #expect(file.range(of: Data("Hikers".utf8)) != nil)
            #expect(file.range(of: Data(secret.bytes)) == nil)
            let credentialHash = Data(credential.hash.bytes)
            #expect(file.range(of: credentialHash) == nil)
        }
    }
}
