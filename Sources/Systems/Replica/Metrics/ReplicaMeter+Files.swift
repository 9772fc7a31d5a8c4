import KodamaEvidence
import SansIO

// What happens to apps' files, and to the writes in them.

extension ReplicaMeter {
    /// An app opens its file, says something of it, or it is looked at from outside.
    mutating func follow(file record: TraceRecord, at position: Int) {
        let now = record.instant.nanoseconds
        switch record.kind {
        case ReplicaOpened.kind: open(record, at: position)
        case ReplicaSchemaSeen.kind:
            let seen = ReplicaSchemaSeen(record)
            checks.schemaWhole.check(seen.isWhole.isSet, record, at: position)
            footing.see(seen.version, in: record.component, at: now)
            review([record.component], at: now)
        case ReplicaTokenFound.kind: checks.tokenKept.check(false, record, at: position)
        case ReplicaFileDamaged.kind:
            damages.damage(record.component, unsent: ReplicaFileDamaged(record).unsent)
        default:
            let report = ReplicaDamageReported(record)
            if !report.isComplete.isSet, damages.isUnreported(record.component) {
                writes.reportLoss(of: record.component)
                havingLost.append(record.component)
            }
            let isRight = damages.report(report, by: record.component)
            checks.damageReported.check(isRight, record, at: position)
        }
    }

    private mutating func open(_ record: TraceRecord, at position: Int) {
        let opened = ReplicaOpened(record)
        if let isRight = damages.open(record.component, opened.opening.value) {
            checks.damageReported.check(isRight, record, at: position)
        }
        checks.tokenKept.addChances(1)
        footing.open(record.component, opened, at: record.instant.nanoseconds)
        review([record.component], at: record.instant.nanoseconds)
    }

    /// A user writes, or a primary takes what was written.
    mutating func follow(write record: TraceRecord, at position: Int) {
        switch record.kind {
        case ReplicaWritten.kind:
            measures.refused.add(0, at: Occurrence(record))
            let usable = usable(by: record.component, at: record.instant.nanoseconds)
            writes.add(ReplicaWritten(record).write, record, usable: usable)
        case ReplicaWriteRefused.kind: measures.refused.add(1, at: Occurrence(record))
        case ReplicaKept.kind: writes.keep(ReplicaKept(record).write)
        case PrimaryRefused.kind: writes.refuse(PrimaryRefused(record).write)
        case ReplicaRefusalTold.kind:
            writes.tellRefusal(ReplicaRefusalTold(record).write, by: record.component)
            havingLost.append(record.component)
        default: take(PrimaryTook(record), record, at: position)
        }
    }

    private mutating func take(_ took: PrimaryTook, _ record: TraceRecord, at position: Int) {
        // An app that lost changes, or set some aside, fills their numbers with what changes nothing.
        let isFiller = took.write == 0 && havingLost.contains(record.subject)
        if record.subject != .none, !isFiller {
            let isMakers = writes[took.write]?.record.component == record.subject
            let isOwners = footing.database(of: record.subject) == took.database
            checks.onlyWritten.check(isMakers && isOwners, record, at: position)
        }
        guard took.write != 0 else { return }
        let now = record.instant.nanoseconds
        let place = ReplicaWrites.Place(position: took.position, database: took.database)
        let isRepeated = writes.take(took.write, at: place)
        measures.repeated.add(
            isRepeated ? 1 : 0,
            at: Occurrence(
                Span(start: now, end: now),
                of: record.subject,
                about: record.component,
                record
            )
        )
        measures.undone.add(0, at: Occurrence(record))
        guard !isRepeated, let write = writes[took.write] else { return }
        checks.orderKept.check(writes.arrive(took.write), record, at: position)
        guard !write.hasArrived else { return }
        let app = write.record.component
        let span = Span(start: write.record.instant.nanoseconds, end: now)
        let time = usable(by: app, at: now) - write.usable
        measures.arrival.add(time, at: Occurrence(span, of: app, write.record))
    }
}
