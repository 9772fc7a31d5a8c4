import ReplicaChanges
import SansIO

/// What the file gives and takes (RP-04).
extension ReplicaSynchronizer {
    /// Goes on where the file stands: with a snapshot that was begun, with one, or with the log.
    mutating func exchange(at now: Instant, into effects: inout EffectBuffer<ReplicaEffect>) {
        if staging != nil {
            ask(.rows, at: now, into: &effects)
        } else if standing?.generation == nil {
            beginSnapshot(at: now, into: &effects)
        } else {
            load(into: &effects)
        }
    }

    /// Loads what the file keeps for the primary: all that was written until now.
    mutating func load(into effects: inout EffectBuffer<ReplicaEffect>) {
        writeDue = nil
        isWantedAgain = false
        let operation = operations.next()
        effects.append(
            .loadUnsent(
                operation,
                countMax: configuration.batchCountMax,
                bytesMax: configuration.batchBytesMax
            )
        )
        state = .loading(operation)
    }

    mutating func take(
        _ page: ReplicaPage,
        after batch: UnsentBatch,
        into effects: inout EffectBuffer<ReplicaEffect>
    ) {
        // Where the primary has more than was handed over, the file gives the rest other numbers.
        let isLeft = batch.changes.last.map { page.applied != $0.sequence } ?? false
        let isTaken = batch.changes.first.map { page.applied >= $0.sequence } ?? false
        store(
            .page(
                isMore: page.hasMore || batch.hasMore || isLeft,
                isProgress: page.through > page.from || isTaken
            ),
            into: &effects
        ) { .take($0, page) }
    }

    /// Asks for the rows themselves, from the first on.
    mutating func beginSnapshot(at now: Instant, into effects: inout EffectBuffer<ReplicaEffect>) {
        staging = nil
        guard repeats.snapshots < Self.repeatsMax else { return giveUp(at: now) }
        ask(.rows, at: now, into: &effects)
    }

    mutating func stage(
        _ page: SnapshotPage,
        at now: Instant,
        into effects: inout EffectBuffer<ReplicaEffect>
    ) {
        guard page.schema == configuration.schema.version else {
            // The pages before may be of the schema before.
            staging = nil
            return schemaDiffers(page.schema, at: now, into: &effects)
        }
        if let staging, staging.generation != page.generation {
            return beginSnapshot(at: now, into: &effects)
        }
        guard let database = standing?.database else { return giveUp(at: now) }
        let isFirst = staging == nil
        if isFirst { repeats.snapshots += 1 }
        let portion = Portion.rows(
            generation: page.generation,
            next: page.next,
            isEmpty: page.rows.isEmpty
        )
        store(portion, into: &effects) { .stage($0, page, of: database, isFirst: isFirst) }
    }

    private mutating func store(
        _ portion: Portion,
        into effects: inout EffectBuffer<ReplicaEffect>,
        _ order: (OperationID) -> ReplicaEffect
    ) {
        let operation = operations.next()
        effects.append(order(operation))
        storing = operation
        state = .storing(portion)
    }

    /// The file has taken what it was given, or not; its sync may have been cut short meanwhile.
    mutating func stored(
        _ operation: OperationID,
        _ outcome: StoreOutcome,
        at now: Instant,
        into effects: inout EffectBuffer<ReplicaEffect>
    ) {
        if outcome == .failed, state == .loading(operation) { return giveUp(at: now) }
        guard operation == storing else { return }
        storing = nil
        if case .done(let standing) = outcome { self.standing = standing }
        guard case .storing(let portion) = state else {
            return proceedIfDue(at: now, into: &effects)
        }
        switch (outcome, portion) {
        case (.done, .page(let isMore, let isProgress)):
            took(isMore: isMore, isProgress: isProgress, at: now, into: &effects)
        case (.done, .rows(let generation, let next, let isEmpty)):
            staging = next.map { Staging(generation: generation, next: $0) }
            goOn(isProgress: !isEmpty || next == nil, at: now, into: &effects)
        case (.outOfOrder, .page):
            repeats.misfits += 1
            // If it does not stand where it said, a snapshot tells where it does.
            guard repeats.misfits < Self.repeatsMax else {
                return beginSnapshot(at: now, into: &effects)
            }
            exchange(at: now, into: &effects)
        case (.outOfOrder, .rows):
            beginSnapshot(at: now, into: &effects)
        case (.failed, _):
            giveUp(at: now)
        }
    }

    private mutating func took(
        isMore: Bool,
        isProgress: Bool,
        at now: Instant,
        into effects: inout EffectBuffer<ReplicaEffect>
    ) {
        guard isMore else { return finish(at: now, into: &effects) }
        if isProgress { setbacks.reset() }
        goOn(isProgress: isProgress, at: now, into: &effects)
    }

    /// Asks for more, but not for ever where nothing comes.
    private mutating func goOn(
        isProgress: Bool,
        at now: Instant,
        into effects: inout EffectBuffer<ReplicaEffect>
    ) {
        repeats.stalls = isProgress ? 0 : repeats.stalls + 1
        guard repeats.stalls < Self.repeatsMax else { return giveUp(at: now) }
        exchange(at: now, into: &effects)
    }
}
