import FileHarms
import GRDB
import ReplicaChanges
import ReplicaStore
import ReplicaSync
import Testing

@Suite("No bit, sector or cut makes a replica useless, deaf or wrong (RP-04, RP-07)")
struct DamageSweepTests {
    @Test("Of a file with 20 unsent changes whatever is damaged is noticed", arguments: 0..<4)
    func noticed(part: Int) throws {
        let subject = try SoundReplica()
        #expect(subject.fault(in: subject.image) == nil, "the file as it was")
        let harms = FileHarm.sample(of: subject.image.count, part: part, of: 4)
        #expect(harms.count > 400, "a few harms prove little")
        var tally = FaultTally()
        for harm in harms {
            if let fault = subject.fault(in: harm.applied(to: subject.image)) {
                tally.add(fault, harm)
            }
        }
        #expect(tally.isEmpty, "of \(harms.count) harms\n\(tally)")
    }
}

/// The file of a phone with ten rows of the primary and 20 changes for it, and what has to be so
/// of it whatever befalls it.
private struct SoundReplica {
    let image: [UInt8]
    private let primary: FakePrimary
    private let kept: [UnsentChange]
    private let rows: [ReplicaChange]
    private let standing: ReplicaStanding

    init() throws {
        var primary = FakePrimary()
        for number in 0..<10 {
            primary.write(ReplicaFixture.whole("w\(number)", words: "of the web, \(number)"))
        }
        let database = try ReplicaFixture.following(primary)
        try database.perform(ReplicaFixture.whole("first", words: "leaves the outbox"))
        _ = primary.push(try database.allUnsent(), of: "phone")
        primary.makeDurable()
        _ = try database.take(primary.page(from: 10, to: "phone"))
        for number in 0..<16 {
            let words = "a note as people write them, \(number)"
            try database.perform(ReplicaFixture.whole("k\(number)", words: words))
        }
        try database.run("UPDATE note SET mood = 'better' WHERE id IN ('w3', 'k4')")
        try database.run("DELETE FROM note WHERE id IN ('w5', 'k6')")
        image = try database.image()
        kept = try database.kept()
        rows = try database.rows()
        standing = try database.standing()
        self.primary = primary
    }

    private static func open(_ image: [UInt8]) throws -> ReplicaDatabase.Opening {
        try ReplicaDatabase.open(
            .image(image),
            form: ReplicaFixture.form.get(),
            newReplica: "phone-2"
        )
    }

    /// What is wrong with how a file is opened, written, synchronized and opened again; `nil` if
    /// nothing is.
    func fault(in file: [UInt8]) -> String? {
        guard let opening = try? Self.open(file) else { return "it cannot be opened" }
        do {
            if let fault = try self.fault(in: opening) { return fault }
            if let fault = try Self.captureFault(in: opening.database, "new") { return fault }
            let kept = try opening.database.kept()
            guard let again = try? Self.open(opening.database.image()) else {
                return "it cannot be opened a second time"
            }
            guard again.rescue == opening.rescue else { return "it is damaged a second time" }
            guard try again.database.kept() == kept else { return "a second opening alters it" }
            if let fault = try Self.captureFault(in: again.database, "newer") { return fault }
            return try exchangeFault(of: again.database)
        } catch {
            return "opened as sound, then refused"
        }
    }

    private func fault(in opening: ReplicaDatabase.Opening) throws -> String? {
        let database = opening.database
        let kept = try database.kept()
        guard let rescue = opening.rescue else {
            if kept != self.kept { return "an unsent change is altered in silence" }
            if try database.rows() != rows { return "a row is altered in silence" }
            return try database.standing() == standing ? nil : "its state is altered in silence"
        }
        if try !kept.isEmpty && database.standing().database != standing.database {
            return "what is saved has lost its owner"
        }
        let saved = kept.map(\.change).filter { !$0.key.hasPrefix("phone-2") }
        if rescue.isComplete, kept != self.kept { return "not all is saved, and that is not said" }
        let expected = self.kept.map(\.change)
        return saved.allSatisfy(expected.contains) ? nil : "a saved change is altered in silence"
    }

    /// The user writes a row three times.
    private static func captureFault(in database: ReplicaDatabase, _ key: String) throws -> String?
    {
        let count = try database.kept().count
        do {
            try database.run("INSERT INTO note (id) VALUES (?)", [key])
            try database.run("UPDATE note SET words = 'x' WHERE id = ?", [key])
            try database.run("DELETE FROM note WHERE id = ?", [key])
        } catch {
            return "a write is refused"
        }
        let written = try database.kept().dropFirst(count).map(\.change)
        let isCaptured =
            written.map(\.kind) == [.insert, .update, .delete]
            && written.allSatisfy { $0.key == key && $0.table == "note" }
        return isCaptured ? nil : "writes are not captured"
    }

    /// The replica is online again.
    private func exchangeFault(of database: ReplicaDatabase) throws -> String? {
        var primary = primary
        let replica = try database.standing().replica
        if try database.standing().generation == nil {
            for page in primary.snapshot(of: replica, rowsPerPage: 100) {
                _ = try database.stage(page, of: "db-ada", isFirst: true)
            }
        }
        guard primary.push(try database.allUnsent(), of: replica) else {
            return "the primary refuses its changes"
        }
        primary.write(ReplicaFixture.whole("later", words: "of the web"))
        let page = primary.page(from: try database.standing().position, to: replica)
        guard case .done = try database.take(page) else { return "the log is not followed" }
        guard try database.allUnsent().isEmpty else { return "a change is never sent" }
        let expected = primary.tables(through: primary.head).rows
        return try database.rows() == expected ? nil : "its rows are not the primary's"
    }
}
