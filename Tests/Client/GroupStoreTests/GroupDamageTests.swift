import FileHarms
import Foundation
import GroupSecurity
import GroupStore
import SansIO
import Testing

@Suite("No bit, sector or cut makes the file of groups useless or wrong (S-GRP-002)")
struct GroupDamageTests {
    @Test("Whatever of a file is damaged is noticed, and the rest saved", arguments: 0..<2)
    func noticed(part: Int) throws {
        try Self.withFolder { path in
            let subject = try SoundGroups(at: path)
            #expect(subject.fault(in: subject.file) == nil, "the file as it was")
            let harms = FileHarm.sample(of: subject.file.count, part: part, of: 2)
            #expect(harms.count > 800, "a few harms prove little")
            var tally = FaultTally()
            for harm in harms {
                if let fault = subject.fault(in: harm.applied(to: subject.file)) {
                    tally.add(fault, harm)
                }
            }
            #expect(tally.isEmpty, "of \(harms.count) harms\n\(tally)")
        }
    }

    @Test("Of a file without its header, or with one page gone, the rest is saved and reported")
    func saved() throws {
        try Self.withFolder { path in
            let subject = try SoundGroups(at: path)
            let savedMin = [0: 6, 1: 6]
            for page in 0..<subject.file.count / 4_096 {
                var file = subject.file
                for index in page * 4_096..<page * 4_096 + 4_096 { file[index] = 0 }
                try Data(file).write(to: URL(fileURLWithPath: path))
                let database = try GroupDatabase(path: path)
                let rescue = try #require(database.rescue, "page \(page)")
                #expect(rescue.groupCount >= savedMin[page] ?? 0, "page \(page)")
                #expect(rescue.setAside == "\(path).damaged-\(page + 1)")
                let aside = try Data(contentsOf: URL(fileURLWithPath: rescue.setAside))
                #expect([UInt8](aside) == file)
                #expect(try GroupDatabase(path: path).rescue == rescue, "told with each opening")
                try database.noteRescueShown()
                #expect(try GroupDatabase(path: path).rescue == nil)
            }
        }
    }

    @Test("A later version's file is left to it, damaged or not, at each opening (S-GRP-002)")
    func later() throws {
        try Self.withFolder { path in
            _ = try SoundGroups(at: path)
            try GroupDatabaseTests.run(
                """
                CREATE TABLE later (id INTEGER PRIMARY KEY);
                INSERT INTO later VALUES (7);
                INSERT INTO grdb_migrations VALUES ('5 of a later version');
                """,
                on: path
            )
            let url = URL(fileURLWithPath: path)
            let whole = [UInt8](try Data(contentsOf: url))
            for page in 0..<whole.count / 4_096 {
                var file = whole
                for index in page * 4_096..<page * 4_096 + 4_096 { file[index] = 0 }
                try Data(file).write(to: url)
                for _ in 0..<2 {
                    #expect(throws: GroupDatabase.Failure.writtenByLaterVersion, "page \(page)") {
                        _ = try GroupDatabase(path: path)
                    }
                    #expect([UInt8](try Data(contentsOf: url)) == file, "page \(page)")
                }
                let folder = url.deletingLastPathComponent().path
                let names = try FileManager.default.contentsOfDirectory(atPath: folder)
                #expect(names == ["groups.sqlite"], "page \(page)")
            }
        }
    }

    @Test("What stands where SQLite's own files belong bars no launch, and no group is lost")
    func barred() throws {
        for name in ["-journal", "-wal", ".new", ".new-journal", ".trial", ".trial-journal"] {
            for isLink in [false, true] {
                try Self.withFolder { path in
                    let subject = try SoundGroups(at: path)
                    for _ in 0..<2 {
                        try FileObstacle.put(at: path + name, isLink: isLink)
                        #expect(try GroupDatabase(path: path).recentGroups().count == 6, "\(name)")
                        #expect(try GroupDatabase(path: path).recentGroups().count == 6, "\(name)")
                    }
                    // Also where the file is damaged besides.
                    try FileObstacle.put(at: path + name, isLink: isLink)
                    try Data([0] + subject.file.dropFirst()).write(to: URL(fileURLWithPath: path))
                    let database = try GroupDatabase(path: path)
                    #expect(database.rescue?.groupCount == 6, "\(name)")
                    try database.noteRescueShown()
                    #expect(try GroupDatabase(path: path).recentGroups().count == 6)
                }
            }
        }
    }

    static func withFolder(_ body: (String) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("groups-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try body(folder.appendingPathComponent("groups.sqlite").path)
    }
}

/// The file of a phone with six groups, and what has to be so of it whatever befalls it.
private struct SoundGroups {
    let path: String
    let file: [UInt8]
    private let content: Content

    /// All that is kept.
    private struct Content: Equatable {
        var groups: [GroupRecord]
        var members: [[MemberRecord]]
        var invites: [[InviteRecord]]
        var everybody: [MemberRecord]

        init(of database: GroupDatabase) throws {
            groups = try database.recentGroups()
            members = try groups.map { try database.members(of: $0.id) }
            invites = try groups.map { try database.invites(to: $0.id) }
            everybody = try database.allMembers()
        }
    }

    init(at path: String) throws {
        self.path = path
        let database = try GroupDatabase(path: path)
        for number in UInt64(1)...6 {
            let group = GroupID(high: number, low: 7)
            let time = Self.time(Int64(number) * 100)
            let name = DisplayName("People of the hut, \(number)")
            try database.save(GroupRecord(id: group, name: name, created: time, lastUsed: time))
            for member in 1...number {
                let record = MemberRecord(
                    id: MemberID(high: member, low: 1),
                    name: DisplayName("Anna \(member)"),
                    lastSeen: Self.time(Int64(number * 10 + member))
                )
                try database.save(record, in: group)
            }
            try database.save(InviteRecord(made: time), to: group)
        }
        content = try Content(of: database)
        file = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    }

    private static func time(_ seconds: Int64) -> WallTime { WallTime(secondsSince1970: seconds) }

    /// What is wrong with how a file is opened, read, written and opened again; `nil` if nothing is.
    func fault(in file: [UInt8]) -> String? {
        let url = URL(fileURLWithPath: path)
        let folder = url.deletingLastPathComponent()
        do {
            for old in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
                try FileManager.default.removeItem(at: folder.appendingPathComponent(old))
            }
            try Data(file).write(to: url)
            guard let database = try? GroupDatabase(path: path) else {
                return "it cannot be opened"
            }
            if let fault = try self.fault(of: database) { return fault }
            let group = GroupRecord(id: GroupID(high: 99, low: 7), created: Self.time(99_000))
            try database.save(group)
            guard let again = try? GroupDatabase(path: path) else {
                return "it cannot be opened a second time"
            }
            guard again.rescue == database.rescue else { return "it is damaged a second time" }
            return try again.recentGroups().contains(group) ? nil : "a write is lost"
        } catch {
            return "opened as sound, then refused"
        }
    }

    private func fault(of database: GroupDatabase) throws -> String? {
        let found = try Content(of: database)
        guard let rescue = database.rescue else {
            return found == content ? nil : "something is altered in silence"
        }
        guard rescue.groupCount == found.groups.count else { return "the count is wrong" }
        let isKnown =
            found.groups.allSatisfy(content.groups.contains)
            && found.everybody.allSatisfy(content.everybody.contains)
        return isKnown ? nil : "what is saved is altered in silence"
    }
}
