import KodamaEvidence
import KodamaSession
import SansIO

/// Measures replicas: how soon both sides are the same, and what becomes of writes and files.
struct ReplicaMeter: SystemMeter {
    var measures = ReplicaMeasures()
    var checks = ReplicaInvariants()
    var footing: ReplicaFooting
    /// The apps that have said something of their replicas, in the order in which they first did.
    private var lags: [ReplicaLag] = []
    /// What the same apps show, in the same order.
    private var showings: [ReplicaShowing] = []
    private var places: [ComponentIndex: Int] = [:]
    var writes = ReplicaWrites()
    var damages = ReplicaDamages()
    /// The apps that have said that a damaged file lost changes.
    var havingLost: [ComponentIndex] = []
    /// The versions of the schema that each primary has been brought to since it failed last.
    private var versions: [Int64: [Int64]] = [:]

    init(_ directory: TraceDirectory) {
        footing = ReplicaFooting(directory)
    }

    var metrics: [any AnyMeasure] { measures.all }
    var invariants: [Invariant] { checks.all }

    mutating func record(contentsOf records: [TraceRecord], from position: Int) {
        for (offset, record) in records.enumerated() {
            switch record.kind.system {
            case .replica: measure(record, at: position + offset)
            case .world where record.kind == RunEnded.kind: end(record, at: position + offset)
            case .network, .phone, .session, .people, .world:
                review(footing.take(record), at: record.instant.nanoseconds)
                if record.kind == AppLaunched.kind { show(nil, record) }
                if record.kind == SceneChanged.kind, places[record.component] != nil,
                    SceneChanged(record).phase.value == .background
                {
                    measures.endedLocked.add(0, at: Occurrence(record))
                }
            default: break
            }
        }
    }

    private mutating func measure(_ record: TraceRecord, at position: Int) {
        let now = record.instant.nanoseconds
        switch record.kind {
        case ReplicaSides.kind:
            let index = place(of: record.component, at: now)
            let isEqual = ReplicaSides(record).isEqual.isSet
            note(lags[index].compare(isEqual, at: now), of: index)
            note(showings[index].compare(isEqual, at: now), of: index)
        case ReplicaStatusShown.kind:
            show(ReplicaStatusShown(record).status.value, record)
        case ReplicaAsked.kind: measures.requests.add(1, at: Occurrence(record))
        case ReplicaRead.kind:
            let isServed = ReplicaRead(record).isServed.isSet
            measures.unread.add(isServed ? 0 : 1, at: Occurrence(record))
        case ReplicaWritten.kind, ReplicaWriteRefused.kind, ReplicaKept.kind, PrimaryTook.kind:
            follow(write: record, at: position)
        case ReplicaEndedLocked.kind:
            measures.endedLocked.add(1, samples: 0, at: Occurrence(record))
        case PrimarySetAside.kind: measures.undone.add(1, at: Occurrence(record))
        case ReplicaReadsUndone.kind:
            measures.readsUndone.add(ReplicaReadsUndone(record).changes, at: Occurrence(record))
        case PrimaryMigrated.kind, PrimaryRolledBack.kind: follow(primary: record, at: position)
        case ReplicaOpened.kind, ReplicaSchemaSeen.kind, ReplicaTokenFound.kind,
            ReplicaFileDamaged.kind, ReplicaDamageReported.kind:
            follow(file: record, at: position)
        default: break
        }
    }

    private mutating func follow(primary record: TraceRecord, at position: Int) {
        guard record.kind == PrimaryMigrated.kind else {
            let failure = PrimaryRolledBack(record)
            versions[failure.database] = nil
            return writes.rollBack(failure.database, through: failure.through)
        }
        let now = record.instant.nanoseconds
        let migrated = PrimaryMigrated(record)
        let before = versions[migrated.database, default: []]
        checks.migratedOnce.check(!before.contains(migrated.version), record, at: position)
        versions[migrated.database] = before + [migrated.version]
        review(footing.migrate(migrated.database, to: migrated.version, at: now), at: now)
    }

    // MARK: Both sides

    /// What these apps are able to may have changed.
    mutating func review(_ apps: [ComponentIndex], at now: Int64) {
        guard !places.isEmpty else { return }
        for index in apps.compactMap({ places[$0] }).sorted() {
            let since = footing.since(lags[index].app)
            note(lags[index].stand(since: since, at: now), of: index)
            note(showings[index].stand(footing, at: now), of: index)
        }
    }

    /// A process of an app shows how its replica stands, or has begun and shows nothing.
    private mutating func show(_ status: ShownReplicaStatus?, _ record: TraceRecord) {
        let now = record.instant.nanoseconds
        guard status != nil || places[record.component] != nil else { return }
        let index = place(of: record.component, at: now)
        note(showings[index].show(status, at: now), of: index)
    }

    private mutating func place(of app: ComponentIndex, at now: Int64) -> Int {
        if let index = places[app] { return index }
        places[app] = lags.count
        lags.append(ReplicaLag(app))
        showings.append(ReplicaShowing(app))
        review([app], at: now)
        return lags.count - 1
    }

    private mutating func note(_ ended: ReplicaLag.Ended, of index: Int) {
        let app = lags[index].app
        if let span = ended.lag {
            let lag = Occurrence(span, of: app)
            if ended.isCut, !ended.isOpen, span.length < ReplicaLag.due {
                measures.lag.exclude("the app could exchange rows for less than 5 s", at: lag)
            } else {
                measures.lag.add(span.length, isOpen: ended.isCut, at: lag)
            }
        }
        if let span = ended.difference {
            let difference = Occurrence(span, of: app)
            measures.difference.add(span.length, isOpen: ended.isOpen, at: difference)
        }
    }

    private mutating func note(_ ended: ReplicaShowing.Ended, of index: Int) {
        let app = showings[index].app
        if let span = ended.wrong {
            measures.wrong.add(span.length, isOpen: ended.isOpen, at: Occurrence(span, of: app))
        }
        if let span = ended.outdated {
            let isCut = ended.isUnsaid
            measures.outdated.add(span.length, isOpen: isCut, at: Occurrence(span, of: app))
        }
    }

    // MARK: The end

    /// A write that has not arrived, unless its app was cut off since.
    private mutating func endArrival(of write: ReplicaWrites.Write, at now: Int64) {
        guard !write.hasArrived else { return }
        let app = write.record.component
        let wait = Occurrence(
            Span(start: write.record.instant.nanoseconds, end: now),
            of: app,
            write.record
        )
        if let since = write.since, since == footing.since(app) {
            measures.arrival.censor(wait.span.length, at: wait)
        } else {
            measures.arrival.exclude(Self.cutOff, at: wait)
        }
    }

    /// Why an arrival is not timed.
    static let cutOff = "the app could not exchange rows all the while"

    private mutating func end(_ record: TraceRecord, at position: Int) {
        for index in lags.indices {
            note(lags[index].stop(at: record.instant.nanoseconds, isRunOver: true), of: index)
            note(showings[index].stop(at: record.instant.nanoseconds), of: index)
        }
        for number in writes.numbers {
            guard let write = writes[number] else { continue }
            endArrival(of: write, at: record.instant.nanoseconds)
            let fate = writes.fate(of: number)
            let occurrence = Occurrence(write.record)
            measures.lost.add(fate == .lost ? 1 : 0, at: occurrence)
            measures.reportedLost.add(fate == .reportedLost ? 1 : 0, at: occurrence)
            measures.waiting.add(fate == .waiting ? 1 : 0, at: occurrence)
        }
        for _ in 0..<damages.unreportedCount {
            checks.damageReported.check(false, record, at: position)
        }
    }
}
