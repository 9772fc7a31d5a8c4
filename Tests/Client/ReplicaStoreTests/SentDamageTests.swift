import Foundation
import GRDB
import ReplicaChanges
import ReplicaStore
import ReplicaSync
import Testing

@testable import DatabaseFiles

@Suite("What a damaged file says of changes that were sent (RP-04, RP-07)")
struct SentDamageTests {
    /// The file of a phone with six changes: two have come back in the log, one more is at the primary.
    private static func image(sent: Int) throws -> [UInt8] {
        var primary = FakePrimary()
        let database = try ReplicaFixture.following(primary)
        for key in ["a", "b", "c", "d", "e", "f"] {
            try database.perform(ReplicaFixture.whole(key, words: key))
        }
        if sent > 0 {
            _ = primary.push(Array(try database.allUnsent().prefix(sent)), of: "phone")
            // It may still lose them, so that they stay in the outbox.
            _ = try database.take(primary.page(from: 0, to: "phone", countMax: 2))
        }
        #expect(try database.kept().count == 6)
        #expect(try database.allUnsent().count == 6 - sent)
        return try database.image()
    }

    private static let harms = [
        "DELETE FROM _state", "DROP TABLE _state", "UPDATE _state SET position = -1",
        "UPDATE _state SET removed = 20",
    ]

    @Test(
        "Under a new name only what was not sent is sent: older values overwrite no newer ones",
        arguments: harms
    )
    func onlyUnsent(harm: String) throws {
        for sent in [0, 3, 6] {
            let database = try DamageTests.open(Self.image(sent: sent)).database
            try database.run(harm)
            let opening = try DamageTests.open(database.image())
            #expect(try opening.database.standing().replica == "phone-2")
            let keys = try opening.database.allUnsent().map(\.change.key)
            #expect(keys == Array(["a", "b", "c", "d", "e", "f"].dropFirst(sent)), "\(sent) sent")
        }
    }

    @Test("Under its own name a replica keeps what was sent: the primary may lose it yet")
    func sentUnderItsName() throws {
        var image = try Self.image(sent: 3)
        image[0] = 0
        let opening = try DamageTests.open(image)
        #expect(try opening.database.standing().replica == "phone")
        #expect(try opening.database.kept().count == 6)
    }

    @Test(
        "Whatever lies beside a file that is set aside goes with it, and comes back to no other (RP-07)"
    )
    func companions() throws {
        try ReplicaFixture.withFolder { path in
            let names = ["", "-journal", "-wal", "-shm"]
            for number in 1...2 {
                for name in names {
                    try ReplicaFixture.write(Array(name.utf8) + [7], to: path + name)
                }
                let aside = "\(path).damaged-\(number)"
                #expect(Disk.setAside(path) == aside)
                for name in names {
                    #expect(try ReplicaFixture.bytes(aside + name) == Array(name.utf8) + [7])
                    // The file alone keeps its old name as well, until a new one takes it.
                    #expect(Disk.exists(path + name) == name.isEmpty, "\(name)")
                }
            }
            Disk.remove(path)
            #expect(!Disk.exists(path))
        }
    }
}
