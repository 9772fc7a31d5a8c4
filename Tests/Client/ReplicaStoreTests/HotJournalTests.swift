import DatabaseFiles
import FileHarms
import GRDB
import ReplicaChanges
import ReplicaStore
import ReplicaSync
import Testing

@Suite("A process ends in a transaction, and what is to undo it is damaged (RP-04, RP-07)")
struct HotJournalTests {
    @Test("A whole journal undoes the transaction; of a damaged one nothing is altered in silence")
    func damaged() throws {
        try ReplicaFixture.withFolder { path in
            let subject = try CutShort(at: path)
            #expect(subject.fault(with: subject.journal, mayBeDamaged: false) == nil)
            // Its header says how large the file was, how many pages it holds and how they are checked.
            var harms = (0..<28 * 8).map(FileHarm.bit)
            harms += FileHarm.sample(of: subject.journal.count, part: 0, of: 3, flips: 200)
            var tally = FaultTally()
            for harm in harms {
                let journal = harm.applied(to: subject.journal)
                if let fault = subject.fault(with: journal) { tally.add(fault, harm) }
            }
            #expect(tally.isEmpty, "of \(harms.count) harms\n\(tally)")
        }
    }

    @Test("Without its journal a file that was written in part is damaged, and that is said")
    func gone() throws {
        try ReplicaFixture.withFolder { path in
            let subject = try CutShort(at: path)
            #expect(subject.fault(with: []) == nil)
            let again = try CutShort.open(path)
            #expect(again.rescue != nil)
        }
    }
}

/// A phone's file and its journal as they lie on the disk in the middle of a transaction.
private struct CutShort {
    let journal: [UInt8]
    private let path: String
    private let file: [UInt8]
    private let kept: [UnsentChange]
    private let rows: [ReplicaChange]
    private let standing: ReplicaStanding

    private struct Ended: Error {}

    init(at path: String) throws {
        self.path = path
        let before = try DamageTests.image()
        try ReplicaFixture.write(before, to: path)
        let database = try Self.open(path).database
        (kept, rows, standing) = try (database.kept(), database.rows(), database.standing())
        var found: (file: [UInt8], journal: [UInt8]) = ([], [])
        _ = try? database.write { (opened: Database) throws -> Void in
            // So few pages in memory that the rest is written before the end.
            try opened.execute(sql: "PRAGMA cache_size = 5")
            try opened.execute(sql: "UPDATE note SET words = words || 'never'")
            found = try (ReplicaFixture.bytes(path), ReplicaFixture.bytes(path + "-journal"))
            throw Ended()
        }
        (file, journal) = found
        #expect(file != before && journal.count > 4_096, "the file is written in part")
    }

    static func open(_ path: String) throws -> ReplicaDatabase.Opening {
        try ReplicaDatabase.open(
            .file(path: path),
            form: ReplicaFixture.form.get(),
            newReplica: "phone-2"
        )
    }

    /// What is wrong with the file once it is opened beside this journal; `nil` if nothing is.
    func fault(with journal: [UInt8], mayBeDamaged: Bool = true) -> String? {
        Disk.remove(path)
        do {
            try ReplicaFixture.write(file, to: path)
            try ReplicaFixture.write(journal, to: path + "-journal")
            let opening = try Self.open(path)
            let database = opening.database
            let kept = try database.kept()
            guard let rescue = opening.rescue else {
                let isAsBefore =
                    try kept == self.kept && database.rows() == rows
                    && database.standing() == standing
                return isAsBefore ? nil : "something is altered in silence"
            }
            guard mayBeDamaged else { return "it is damaged" }
            if let aside = rescue.setAside { Disk.remove(aside) }
            // What the transaction had done may be among what is saved.
            let saved = kept.map(\.change).filter { change in
                change.kind != .update && !change.key.hasPrefix("phone-2")
            }
            let expected = self.kept.map(\.change)
            guard saved.allSatisfy(expected.contains) else { return "a saved change is altered" }
            let isWhole = expected.allSatisfy(saved.contains)
            if rescue.isComplete, !isWhole { return "not all is saved, and that is not said" }
            return try Self.open(path).rescue == rescue ? nil : "it is damaged a second time"
        } catch {
            return "it cannot be opened: \(error)"
        }
    }
}
