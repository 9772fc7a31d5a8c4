import KodamaEvidence
import KodamaLanguage
import KodamaNetwork
import KodamaPhone
import KodamaWorld
import ReplicaChanges
import ReplicaStore
import ReplicaSync
import SansIO

// The app's file: opened at launch, written by the user, left on the disk at the process's end.

extension ReplicaApp {
    /// What cuts a migration short.
    private struct Interruption: Error {}

    /// The forms of the app's versions, the first's at 0.
    private static let forms = ReplicaAppPlan.versionRange.map { version in
        Result { () throws(ReplicaDatabase.Failure) in
            try ReplicaDatabase.Form(of: ReplicaAppPlan.schema(version: Int(version)))
        }
    }

    /// The form of one of the app's versions.
    private static func form(version: Int) throws(ReplicaDatabase.Failure) -> ReplicaDatabase.Form {
        try forms[version - 1].get()
    }

    /// The app opens its file, as it does before anything else.
    func openFile(on stage: inout Stage) {
        guard let process else { return }
        let name = phone.seed("replica-name", launchCount, on: stage)
        let interrupts = interruptsMigration
        var wasInterrupted = false
        do throws(ReplicaDatabase.Failure) {
            let opening = try ReplicaDatabase.open(
                .image(disk.image),
                form: Self.form(version: version),
                newReplica: String(name, radix: 16),
                isDiskFull: phone.diskIsFull,
                beforeMigrationCommits: { _ in
                    guard interrupts else { return }
                    wasInterrupted = true
                    throw Interruption()
                },
                leave: { disk.leave($0) }
            )
            process.isLimited = phone.diskIsFull
            process.lacksRoom = false
            try begin(process, with: opening, on: &stage)
        } catch {
            process.database = nil
            if wasInterrupted {
                interruptsMigration = false
                // The system ends the process; nothing in it runs any more.
                return phone.tell(.user(.killApp(id)), on: &stage)
            }
            process.lacksRoom = error == .noRoom
            if process.lacksRoom { planOpening(process, on: &stage) }
            let unopened: ReplicaOpening = error == .writtenByLaterVersion ? .refused : .failed
            noteOpened(process.lacksRoom ? .noRoom : unopened, keeping: 0, on: &stage)
        }
        process.isReady = true
    }

    /// Tries the file again for which the disk had no room.
    ///
    /// Nobody says when it has: the file is tried when the user is back or asks for something, and as often as a
    /// failed exchange.
    func openIfShut(on stage: inout Stage) {
        if process?.lacksRoom == true, phase == .running { openFile(on: &stage) }
    }

    private func planOpening(_ process: ReplicaProcess, on stage: inout Stage) {
        guard !process.opensAgain else { return }
        process.opensAgain = true
        schedule(.opensAgain, launchCount, after: plan.configuration.backoffMax, on: &stage)
    }

    private func begin(
        _ process: ReplicaProcess,
        with opening: ReplicaDatabase.Opening,
        on stage: inout Stage
    ) throws(ReplicaDatabase.Failure) {
        let database = opening.database
        let kept = try database.kept()
        let standing = try database.standing()
        process.database = database
        let rescue = opening.rescue
        let word: ReplicaOpening = rescue != nil ? .rebuilt : opening.isNew ? .made : .opened
        noteOpened(word, keeping: kept.count, on: &stage)
        if let rescue {
            let report = ReplicaDamageReported(
                saved: Int64(rescue.unsentCount),
                isComplete: TraceFlag(rescue.isComplete)
            )
            note(report, on: &stage)
            system.desk.rebuilt(self, as: standing.replica, keeping: kept)
            try database.noteRescueShown()
        }
        let schema = ReplicaAppPlan.schema(version: standing.schema)
        // It has to be this version's own, and all of it.
        let isWhole =
            standing.schema == version
            && process.stored { try $0.hasTables(of: schema) } ?? false
        note(
            ReplicaSchemaSeen(version: Int64(standing.schema), isWhole: TraceFlag(isWhole)),
            on: &stage
        )
        disk.version = standing.schema
        system.desk.keep(standing.replica, of: self)
        tellRefused(in: process, on: &stage)
        fileChanged(on: &stage)
        process.tell(.opened(standing), on: &stage)
    }

    /// The app tells its user which writes the primary refuses, once each.
    func tellRefused(in process: ReplicaProcess, on stage: inout Stage) {
        guard let replica = process.stored({ try $0.standing().replica }),
            let refused = process.stored({ try $0.refused() }), let last = refused.last
        else { return }
        for refusal in refused {
            let change = refusal.change
            let number = refusal.sequence
            let write = system.desk.number(of: change, number, of: replica, for: plan.user)
            pending.remove(write, of: change.key)
            note(ReplicaRefusalTold(write: write), on: &stage)
        }
        _ = process.stored { try $0.noteRefusedShown(through: last.number) }
    }

    private func noteOpened(_ word: ReplicaOpening, keeping count: Int, on stage: inout Stage) {
        let database = system.desk.number(ofDatabaseOf: plan.user)
        note(
            ReplicaOpened(opening: TraceWord(word), unsent: Int64(count), database: database),
            on: &stage
        )
    }

    /// The process is gone: what it had committed lies on the disk, and no secret may (RP-06).
    func closeFile(on stage: inout Stage) {
        if let process, let database = process.database {
            if disk.rowsAreStale, let rows = process.stored({ try $0.rows() }) {
                disk.rows = rows
                disk.rowsAreStale = false
            }
            disk.take(database)
            process.database = nil
            noteToken(in: disk.image, on: &stage)
        }
        for damage in disk.awaitedDamage { noteDamage(damage, on: &stage) }
        disk.awaitedDamage = []
    }

    private func noteToken(in file: [UInt8]?, on stage: inout Stage) {
        guard let file, disk.findsToken(in: file) else { return }
        note(ReplicaTokenFound(), on: &stage)
    }

    /// How the file stands that the process has open; `nil` if it has none.
    var standing: ReplicaStanding? { process?.stored { try $0.standing() } }

    // MARK: What the user does

    /// The user writes a row; nothing where there is none that could be edited or deleted.
    func write(_ write: ReplicaWrite, in process: ReplicaProcess, on stage: inout Stage) {
        let number = system.desk.book.nextNumber
        let edit = RowEdit(write, number, last: written.last) { key in
            process.database == nil || process.stored { try $0.hasRow(key) } ?? false
        }
        guard let edit else { return }
        system.desk.book.begin(edit)
        let now = stage.now
        let second = phone.seat.ask { $0.wallTime(at: now) }.secondsSince1970
        let isWritten = process.stored { file in
            try file.write { try edit.perform(at: second, in: $0) }
            return true
        }
        guard isWritten == true else {
            return note(ReplicaWriteRefused(write: number), on: &stage)
        }
        system.desk.book.add(edit, by: index)
        written.take(edit)
        pending.add(edit)
        note(ReplicaWritten(write: number), on: &stage)
        fileChanged(on: &stage)
        process.tell(.wrote, on: &stage)
    }

    /// The user looks at all rows, and misses what is not as it was left.
    func read(in process: ReplicaProcess, on stage: inout Stage) {
        let rows = process.stored { try $0.rows() }
        let count = rows?.count { $0.table == RowEdit.table } ?? 0
        let isServed = rows.map { pending.areShown(in: $0) } ?? false
        note(ReplicaRead(rows: Int64(count), isServed: TraceFlag(isServed)), on: &stage)
    }

    // MARK: What befalls the file

    /// Damages the file, or waits with it for the process that has it open.
    func damage(_ damage: FileDamage, on stage: inout Stage) {
        guard process == nil else { return disk.awaitedDamage.append(damage) }
        noteDamage(damage, on: &stage)
    }

    private func noteDamage(_ damage: FileDamage, on stage: inout Stage) {
        guard disk.image != nil else { return }
        let user = plan.user
        let unsent = disk.kept.count { change in
            !system.desk.has(change.sequence, of: disk.replica, for: user)
        }
        disk.damage(damage)
        // What was in it may be gone; whether that is said is measured by itself.
        pending = PendingWrites()
        note(ReplicaFileDamaged(unsent: Int64(unsent)), on: &stage)
    }

    // MARK: The run's end

    /// Writes down what the file keeps for the primary when the run ends, whether a process has it open
    /// or not.
    func noteEnd(on stage: inout Stage) {
        if let database = process?.database {
            noteToken(in: process?.stored { try $0.image() }, on: &stage)
            noteKept(in: database, on: &stage)
        } else if disk.image != nil {
            let opening = try? ReplicaDatabase.open(
                .image(disk.image),
                form: Self.form(version: max(version, disk.version)),
                newReplica: "at-the-end"
            )
            if let opening { noteKept(in: opening.database, on: &stage) }
        }
    }

    private func noteKept(in database: ReplicaDatabase, on stage: inout Stage) {
        guard let kept = try? database.kept(), let standing = try? database.standing() else {
            return
        }
        system.desk.keep(standing.replica, of: self)
        for change in kept {
            let number = system.desk.number(
                of: change.change,
                change.sequence,
                of: standing.replica,
                for: plan.user
            )
            if number > 0 { note(ReplicaKept(write: number), on: &stage) }
        }
    }
}
