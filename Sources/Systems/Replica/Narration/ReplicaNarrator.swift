import KodamaEvidence
import SansIO

/// Says how apps find their files, how long both sides differ, and what becomes of writes.
struct ReplicaNarrator: SystemNarrator {
    /// A write that an app told its user is in its file.
    private struct Write {
        var app: ComponentIndex
        var made: Instant
        /// Where the primary has it; `nil` while it does not.
        var place: PrimaryTook?
        var isKept = false
        /// Whether its app has said since that a damaged file could not be saved whole.
        var isReported = false
        /// Whether its app has said since that the primary refuses it.
        var isRefused = false
    }

    /// Writes of one app that a primary takes with one request.
    private struct Batch {
        var app: ComponentIndex
        var at: Instant
        /// What is said of them.
        var text: String
        var count = 1

        var said: String { count == 1 ? text : "\(text) and \(count - 1) more" }
    }

    /// For how long both sides differ until it is worth a sentence: longer than an exchange takes.
    private static let noted: Int64 = 2_000_000_000

    private var writes: [Int64: Write] = [:]
    private var differs: [ComponentIndex: Instant] = [:]
    private var batch: Batch?
    private var shown: [ComponentIndex: ShownReplicaStatus] = [:]
    /// When the run ended.
    private var ended: Instant?

    init(_ directory: TraceDirectory) {}

    mutating func follow(_ record: TraceRecord, in narration: inout Narration) {
        guard record.kind.system == .replica else {
            if record.kind == RunEnded.kind { ended = record.instant }
            return
        }
        switch record.kind {
        case ReplicaSides.kind: compare(record, in: &narration)
        case ReplicaStatusShown.kind: show(record, in: &narration)
        case ReplicaWritten.kind:
            let write = Write(app: record.component, made: record.instant)
            writes[ReplicaWritten(record).write] = write
        case ReplicaKept.kind: writes[ReplicaKept(record).write]?.isKept = true
        case PrimaryTook.kind: take(record, in: &narration)
        case PrimaryRolledBack.kind: rollBack(record, in: &narration)
        case PrimaryRefused.kind:
            narration.say(
                "the primary refuses write \(PrimaryRefused(record).write) for ever",
                of: record.component,
                at: record.instant
            )
        case PrimarySetAside.kind:
            narration.say(
                "the primary sets it aside: another has made its row anew",
                of: record.component,
                at: record.instant
            )
        case PrimaryMigrated.kind:
            narration.say(
                "the primary is at version \(PrimaryMigrated(record).version) of the schema",
                of: record.component,
                at: record.instant
            )
        default:
            if record.kind == ReplicaDamageReported.kind { report(record) }
            if record.kind == ReplicaRefusalTold.kind {
                writes[ReplicaRefusalTold(record).write]?.isRefused = true
            }
            guard let text = Self.text(of: record, for: narration.app(record.component)) else {
                return
            }
            narration.say(text, of: record.component, at: record.instant)
        }
    }

    mutating func finish(in narration: inout Narration) {
        guard let ended else { return }
        var fates: [(app: ComponentIndex, verbs: Verbs, numbers: [Int64])] = []
        for number in writes.keys.sorted() {
            guard let write = writes[number], write.place == nil else { continue }
            guard !write.isRefused else { continue }
            let verbs = Verbs(write.isKept, write.isReported)
            if let index = fates.firstIndex(where: { $0.app == write.app && $0.verbs == verbs }) {
                fates[index].numbers.append(number)
            } else {
                fates.append((write.app, verbs, [number]))
            }
        }
        for (app, verbs, numbers) in fates {
            guard let made = writes[numbers[0]]?.made else { continue }
            let isOne = numbers.count == 1
            let others = isOne ? "" : " and \(numbers.count - 1) more"
            narration.say(
                "write \(numbers[0])\(others) \(isOne ? verbs.one : verbs.several)",
                of: app,
                at: ended,
                after: Sentence.Cause(at: made, "it was made")
            )
        }
    }

    /// What is said of writes that the primary does not have at the end.
    private struct Verbs: Equatable {
        let one: String
        let several: String

        init(_ isKept: Bool, _ isReported: Bool) {
            if isKept {
                one = "still waits in the file for the primary"
                several = "still wait in the file for the primary"
            } else if isReported {
                one = "went with the damaged file, as the app said"
                several = one
            } else {
                one = "is neither at the primary nor in the file"
                several = "are neither at the primary nor in the file"
            }
        }
    }

    /// An app that could not save all of a damaged file has said so of what was written before.
    private mutating func report(_ record: TraceRecord) {
        guard !ReplicaDamageReported(record).isComplete.isSet else { return }
        for (number, write) in writes where write.app == record.component {
            writes[number]?.isReported = true
        }
    }

    private mutating func compare(_ record: TraceRecord, in narration: inout Narration) {
        let app = record.component
        guard ReplicaSides(record).isEqual.isSet else {
            differs[app] = differs[app] ?? record.instant
            return
        }
        guard let since = differs.removeValue(forKey: app),
            record.instant.nanoseconds - since.nanoseconds >= Self.noted
        else { return }
        narration.say(
            "\(narration.app(app)) and the primary have the same rows",
            of: app,
            at: record.instant,
            after: Sentence.Cause(at: since, "their rows became different")
        )
    }

    /// That an app is up to date is news only where it was not.
    private mutating func show(_ record: TraceRecord, in narration: inout Narration) {
        guard let status = ReplicaStatusShown(record).status.value,
            let text = status.sentence(narration.app(record.component))
        else { return }
        let before = shown.updateValue(status, forKey: record.component) ?? .synced
        guard before != status else { return }
        narration.say(text, of: record.component, at: record.instant)
    }

    private mutating func take(_ record: TraceRecord, in narration: inout Narration) {
        let took = PrimaryTook(record)
        guard took.write != 0 else { return }
        let write = writes[took.write]
        let again = write?.place == nil ? "" : " once more"
        let origin = narration.name(of: record.subject) ?? "the web"
        writes[took.write]?.place = took
        if again.isEmpty, record.subject != .none, join(record, in: &narration) { return }
        let text = "the primary takes write \(took.write) of \(origin)\(again)"
        batch = again.isEmpty ? Batch(app: record.subject, at: record.instant, text: text) : nil
        narration.say(
            text,
            of: record.component,
            at: record.instant,
            after: write.map { Sentence.Cause(at: $0.made, "it was made") }
        )
    }

    /// Adds a write to what was said of those that came with it.
    ///
    /// - Returns: Whether any did.
    private mutating func join(_ record: TraceRecord, in narration: inout Narration) -> Bool {
        guard var joined = batch, joined.app == record.subject, joined.at == record.instant
        else { return false }
        let old = joined.said
        joined.count += 1
        batch = joined
        return narration.amend(
            joined.said,
            insteadOf: old,
            of: record.component,
            at: record.instant
        )
    }

    private mutating func rollBack(_ record: TraceRecord, in narration: inout Narration) {
        let failure = PrimaryRolledBack(record)
        var lostCount = 0
        for (number, write) in writes {
            guard let place = write.place, place.database == failure.database,
                place.position > failure.through
            else { continue }
            writes[number]?.place = nil
            lostCount += 1
        }
        let writesLost = lostCount == 1 ? "1 write" : "\(lostCount) writes"
        narration.say(
            "the primary fails and loses what came after position \(failure.through), "
                + "\(writesLost) of phones among it",
            of: record.component,
            at: record.instant
        )
    }

    /// What a record says of an app's file; `nil` if that is not worth a sentence.
    private static func text(of record: TraceRecord, for app: String) -> String? {
        switch record.kind {
        case ReplicaOpened.kind: text(of: ReplicaOpened(record), by: app)
        case ReplicaDamageReported.kind: text(of: ReplicaDamageReported(record), by: app)
        case ReplicaRefusalTold.kind:
            "\(app) sets write \(ReplicaRefusalTold(record).write) aside and tells its user why"
        case ReplicaWriteRefused.kind:
            "\(app) tells the user that write \(ReplicaWriteRefused(record).write) failed"
        case ReplicaRead.kind where !ReplicaRead(record).isServed.isSet:
            ReplicaRead(record).rows == 0
                ? "\(app) shows no rows" : "\(app) does not show all that was written in it"
        case ReplicaFileDamaged.kind:
            "the file of \(app) is damaged, with \(changes(ReplicaFileDamaged(record).unsent)) "
                + "in it that the primary does not have"
        case ReplicaEndedLocked.kind:
            "the system ends \(app), which would hold a lock on its file in its suspension"
        case ReplicaTokenFound.kind: "the token of the database lies where it must not"
        case ReplicaSchemaSeen.kind where !ReplicaSchemaSeen(record).isWhole.isSet:
            "the file of \(app) has part of a version of the schema"
        default: nil
        }
    }

    private static func text(of opened: ReplicaOpened, by app: String) -> String {
        switch opened.opening.value {
        case .made: "\(app) makes its file"
        case .opened: "\(app) opens its file, with \(changes(opened.unsent)) for the primary in it"
        case .rebuilt: "\(app) sets its damaged file aside and makes another"
        case .refused: "\(app) leaves its file alone, which a later version of the app wrote"
        case .noRoom: "\(app) cannot open its file: the phone has no room left"
        case .failed: "\(app) cannot use its file"
        case nil: "\(app) opens its file"
        }
    }

    private static func text(of report: ReplicaDamageReported, by app: String) -> String {
        let rest =
            switch (report.isComplete.isSet, report.saved) {
            case (true, 0): " and that no changes were lost"
            case (true, let saved): " and that it saved the \(changes(saved)) in it"
            case (false, 0): ", that it saved nothing and that changes may be lost"
            case (false, let saved):
                ", that it saved \(changes(saved)) and that others may be lost"
            }
        return "\(app) says that its file was damaged\(rest)"
    }

    private static func changes(_ count: Int64) -> String {
        switch count {
        case 0: "no changes"
        case 1: "1 change"
        default: "\(count) changes"
        }
    }
}

extension ShownReplicaStatus {
    /// That an app shows this, as a sentence; `nil` of what comes and goes all the time.
    fileprivate func sentence(_ app: String) -> String? {
        switch self {
        case .offline: "\(app) shows that there is no network"
        case .syncing: nil
        case .synced: "\(app) shows that it is up to date"
        case .backingOff: "\(app) shows that its last try failed"
        case .outdated: "\(app) shows that it must be updated"
        case .signedOut: "\(app) shows that nobody is signed in"
        case .foreign: "\(app) shows that its rows are another user's"
        case .noRoom: "\(app) shows that the phone has no room left"
        }
    }
}
