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
    /// The apps that have said that a damaged file lost changes, or that the primary refuses some.
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
                // A new process shows nothing yet, whatever the one before showed.
                if record.kind == AppLaunched.kind { show(nil, record) }
                review(footing.take(record), at: record.instant.nanoseconds)
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
            guard !footing.isBehindFile(record.component) else {
                let reason = "a later version of the app wrote the file"
                return measures.unread.exclude(reason, at: Occurrence(record))
            }
            let isServed = ReplicaRead(record).isServed.isSet
            guard isServed || !footing.lacksRoom(record.component) else {
                let reason = "the disk had no room to open the file"
                return measures.unread.exclude(reason, at: Occurrence(record))
            }
            measures.unread.add(isServed ? 0 : 1, at: Occurrence(record))
        case ReplicaWritten.kind, ReplicaWriteRefused.kind, ReplicaKept.kind, PrimaryTook.kind,
            PrimaryRefused.kind, ReplicaRefusalTold.kind:
            follow(write: record, at: position)
        case ReplicaEndedLocked.kind:
            measures.endedLocked.add(1, samples: 0, at: Occurrence(record))
        case PrimarySetAside.kind: measures.undone.add(1, samples: 0, at: Occurrence(record))
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
            if lags[index].stand(since: since, at: now) {
                writes.restart(lags[index].app, from: lags[index].usableBefore)
            }
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

    /// For how long an app has been able to exchange rows.
    mutating func usable(by app: ComponentIndex, at now: Int64) -> Int64 {
        lags[place(of: app, at: now)].usable(at: now)
    }

    private mutating func note(_ ended: ReplicaLag.Ended, of index: Int) {
        let app = lags[index].app
        if let lag = ended.lag {
            let occurrence = Occurrence(lag.span, of: app)
            measures.lag.add(lag.usable, isOpen: ended.isOpen, at: occurrence)
        }
        if let difference = ended.difference {
            let occurrence = Occurrence(difference.span, of: app)
            measures.difference.add(difference.usable, isOpen: ended.isOpen, at: occurrence)
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

    /// A write that has not arrived.
    private mutating func endArrival(
        of write: ReplicaWrites.Write,
        _ fate: ReplicaWrites.Fate,
        at now: Int64
    ) {
        guard !write.hasArrived else { return }
        let app = write.record.component
        let span = Span(start: write.record.instant.nanoseconds, end: now)
        let wait = Occurrence(span, of: app, write.record)
        let time = usable(by: app, at: now) - write.usable
        if fate == .refused {
            measures.arrival.exclude("the primary refuses the write", at: wait)
        } else if time > 0 {
            measures.arrival.censor(time, at: wait)
        } else {
            measures.arrival.exclude("the app has not been able to exchange rows since", at: wait)
        }
    }

    /// The shares of time that one app's rows differed and that it showed what was not so.
    private mutating func endShares(of index: Int, at now: Int64) {
        let run = Occurrence(Span(start: 0, end: now), of: lags[index].app)
        let usable = lags[index].usable(at: now)
        if usable > 0 {
            measures.differenceShare.add(lags[index].differed(at: now), of: usable, at: run)
        }
        if showings[index].seen > 0 {
            measures.wrongShare.add(showings[index].wrong, of: showings[index].seen, at: run)
        }
    }

    private mutating func end(_ record: TraceRecord, at position: Int) {
        let now = record.instant.nanoseconds
        for index in lags.indices {
            note(lags[index].stop(at: now), of: index)
            note(showings[index].stop(at: now), of: index)
            endShares(of: index, at: now)
        }
        for number in writes.numbers {
            guard let write = writes[number] else { continue }
            let fate = writes.fate(of: number)
            endArrival(of: write, fate, at: now)
            let occurrence = Occurrence(write.record)
            measures.lost.add(fate == .lost ? 1 : 0, at: occurrence)
            measures.reportedLost.add(fate == .reportedLost ? 1 : 0, at: occurrence)
            measures.waiting.add(fate == .waiting ? 1 : 0, at: occurrence)
            measures.rejected.add(fate == .refused ? 1 : 0, at: occurrence)
        }
        for _ in 0..<damages.unreportedCount {
            checks.damageReported.check(false, record, at: position)
        }
    }
}
