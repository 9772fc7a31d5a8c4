import Foundation
import ReplicaChanges
import ReplicaStore
import ReplicaSync
import SansIO

extension Household {
    /// The file's rows are what the log makes to the file's position, and its own changes on top.
    @discardableResult
    func checkRows(_ index: Int) -> HouseholdFacts? {
        guard let database = phones[index].database else { return nil }
        let read = attempt("\(phones[index].name)'s reads") {
            try HouseholdFacts(
                standing: database.standing(),
                kept: database.kept(),
                rows: database.rows()
            )
        }
        guard let facts = read, let fold = followed(index, to: facts.standing) else { return nil }
        // A snapshot of several pages is one state only when the log is followed to its last page.
        guard facts.standing.position >= phones[index].hazyUntil else { return facts }
        var tables = fold.tables
        for unsent in facts.kept where unsent.sequence > fold.applied {
            tables.apply(unsent.change)
        }
        let difference = Self.difference(facts.rows, tables.rows)
        if let difference {
            fault("\(phones[index].name)'s file at \(fold.position): \(difference)")
        }
        return facts
    }

    /// Follows the log as far as a file says that it has it.
    private func followed(_ index: Int, to standing: ReplicaStanding) -> HouseholdFold? {
        let version = phones[index].version
        var fold = HouseholdFold(
            generation: standing.generation,
            replica: standing.replica,
            version: version,
            tables: PlainTables(Diary.schema(version))
        )
        if let known = phones[index].fold, known.generation == standing.generation,
            known.replica == standing.replica, known.version == version,
            known.position <= standing.position
        {
            fold = known
        }
        guard let generation = standing.generation else { return fold }
        guard let log = history.log(of: generation), standing.position <= Int64(log.count) else {
            fault("\(phones[index].name) stands at \(standing), where no log is")
            return nil
        }
        for entry in log[Int(fold.position)..<Int(standing.position)] {
            fold.tables.apply(entry.change)
            if entry.replica == standing.replica { fold.applied = entry.sequence }
        }
        fold.position = standing.position
        phones[index].fold = fold
        return fold
    }

    /// The primary's rows are what its log makes.
    func checkPrimary() {
        // An older schema's rows lack what the last one has; the standards stand for it.
        var tables = PlainTables(Diary.schema(Diary.versionMax))
        for row in primaryRows { tables.apply(row) }
        if let difference = Self.difference(tables.rows, history.tables.rows) {
            fault("the primary at \(history.log.count): \(difference)")
        }
    }

    /// What a damaged file kept is there again, or the app says that it may not be (RP-07).
    func judgeRescue(_ index: Int, _ opening: ReplicaDatabase.Opening) {
        let before = phones[index].keptAtRest
        let kept = attempt("what is kept") { try opening.database.kept() } ?? []
        guard let rescue = opening.rescue else {
            // What was damaged may be what nobody needs.
            return expect(Self.isSame(kept, before), "kept \(before), and \(kept) without a word")
        }
        tally.rescues += 1
        expect(phones[index].isDamaged, "a sound file is set aside")
        _ = attempt("the user is told") { try opening.database.noteRescueShown() }
        // It counts what the primary may not have for good, as far as the file knows; what could
        // not be read may have left a change that does nothing.
        let replica = attempt("standing") { try opening.database.standing().replica } ?? ""
        let taken = history.sequenceMax(of: replica)
        let unsentMin = rescue.isComplete ? kept.filter { $0.sequence > taken }.count : 0
        expect(
            (unsentMin...kept.count).contains(rescue.unsentCount),
            "\(rescue), and \(unsentMin) of \(kept.count) that are kept are nowhere else"
        )
        guard !rescue.isComplete else {
            return expect(Self.isSame(kept, before), "kept \(before), and \(kept): \(rescue)")
        }
        tally.rescuesIncomplete += 1
        if replica != phones[index].replicaAtRest {
            // Under another name nobody can tell whether the primary has a change already.
            history.excuse(before.flatMap(\.change.texts))
        }
        for place in writes.indices where writes[place].author == phones[index].name {
            let write = writes[place]
            let isLost = before.contains { unsent in
                // A delete has only its number, which may be another's now.
                guard let text = write.text else { return unsent.sequence == write.sequence }
                return unsent.change.texts.contains(text)
                    && !kept.contains { Self.isSame($0, before: unsent) }
            }
            if isLost { writes[place].isReportedLost = true }
        }
    }

    private static func isSame(_ kept: [UnsentChange], _ before: [UnsentChange]) -> Bool {
        kept.count == before.count
            && zip(kept, before).allSatisfy { Self.isSame($0, before: $1) }
    }

    /// Whether a change is what it was; a migration may give it columns that are new.
    private static func isSame(_ kept: UnsentChange, before: UnsentChange) -> Bool {
        kept.sequence == before.sequence && kept.change.table == before.change.table
            && kept.change.key == before.change.key && kept.change.kind == before.change.kind
            && before.change.columns.allSatisfy { kept.change.columns.contains($0) }
    }

    /// No token lies in the file (RP-06).
    func checkSecrets(_ index: Int) {
        guard let disk = phones[index].disk else { return }
        let file = Data(disk)
        for secret in phones[index].secrets where file.range(of: Data(secret.utf8)) != nil {
            fault("a token lies in \(phones[index].name)'s file (RP-06)")
        }
    }

    /// At rest all is the same everywhere, and nothing that was acknowledged is missing.
    func checkRest() {
        let rows = primaryRows
        for index in phones.indices {
            let name = phones[index].name
            guard let facts = checkRows(index) else { return fault("\(name) does not run") }
            if let difference = Self.difference(facts.rows, rows) {
                fault("\(name) and the primary differ at rest (RP-04): \(difference)")
            }
            expect(facts.kept.isEmpty, "\(name) keeps \(facts.kept.count) at rest: \(facts.kept)")
            let status = phones[index].status
            expect(status == .synced || status == .syncing, "\(name) shows \(status as Any)")
            guard let database = phones[index].database else { continue }
            phones[index].disk = attempt("the file") { try database.image() }
            checkSecrets(index)
        }
        if let difference = Self.difference(rows, history.tables.rows) {
            fault("the primary at rest: \(difference)")
        }
        for write in writes where !write.isReportedLost && !history.has(write) {
            fault("\(write) is lost (RP-04)")
        }
    }

    /// How rows differ from what they must be; `nil` if they do not.
    private static func difference(
        _ rows: [ReplicaChange],
        _ expected: [ReplicaChange]
    ) -> String? {
        guard rows != expected else { return nil }
        let strange = rows.first { !expected.contains($0) }
        let missing = expected.first { !rows.contains($0) }
        return "has \(strange as Any) and lacks \(missing as Any) of \(expected.count) rows"
    }
}
