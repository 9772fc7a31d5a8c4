import ReplicaChanges
import SansIO

/// What the file gives and takes (RP-04).
extension ReplicaSynchronizer {
    /// Goes on where the file stands: with a snapshot that was begun, with one, or with the log.
    mutating func exchange(in turn: inout Turn<ReplicaEffect>) {
        if staging != nil {
            ask(.rows, in: &turn)
        } else if standing?.generation == nil {
            beginSnapshot(in: &turn)
        } else {
            load(in: &turn)
        }
    }

    /// Loads what the file keeps for the primary: all that was written until now.
    mutating func load(in turn: inout Turn<ReplicaEffect>) {
        writeDue = nil
        isWantedAgain = false
        let factor = repeats.batchFactor
        let countMax = min(configuration.batchCountMax * factor, repeats.handedMax ?? .max)
        guard countMax > 0 else {
            return ask(.exchange(UnsentBatch(changes: [], hasMore: false)), in: &turn)
        }
        let operation = operations.next()
        turn.order(
            .loadUnsent(
                operation,
                countMax: countMax,
                bytesMax: configuration.batchBytesMax * factor
            )
        )
        state = .loading(operation)
    }

    mutating func take(
        _ page: ReplicaPage,
        after batch: UnsentBatch,
        in turn: inout Turn<ReplicaEffect>
    ) {
        // Where the primary has more than was handed over, the file gives the rest other numbers.
        let isLeft = batch.changes.last.map { page.applied != $0.sequence } ?? false
        let isTaken = batch.changes.first.map { page.applied >= $0.sequence } ?? false
        store(
            .page(
                isMore: page.hasMore || batch.hasMore || isLeft,
                isProgress: page.through > page.from || isTaken
            ),
            in: &turn
        ) { .take($0, page) }
    }

    /// The primary refuses the changes, as where its database is full: a few of them may fit, and none hinders
    /// the replica from taking what others wrote, which may make room.
    mutating func handOverLess(than batch: UnsentBatch, in turn: inout Turn<ReplicaEffect>) {
        let count = batch.changes.count
        repeats.handedMax = count > 1 ? max(1, count / 4) : 0
        load(in: &turn)
    }

    /// The primary refuses changes for ever: they are set aside, so that those behind them go on.
    mutating func setAside(_ refusals: [ChangeRefusal], in turn: inout Turn<ReplicaEffect>) {
        store(.refusals, in: &turn) { .setAside($0, refusals) }
    }

    /// Asks for the rows themselves, from the first on.
    mutating func beginSnapshot(in turn: inout Turn<ReplicaEffect>) {
        staging = nil
        guard repeats.snapshots < Self.repeatsMax else { return giveUp(at: turn.now) }
        ask(.rows, in: &turn)
    }

    mutating func stage(_ page: SnapshotPage, in turn: inout Turn<ReplicaEffect>) {
        guard page.schema == configuration.schema.version else {
            // The pages before may be of the schema before.
            staging = nil
            return schemaDiffers(page.schema, in: &turn)
        }
        if let staging, staging.generation != page.generation {
            return beginSnapshot(in: &turn)
        }
        guard let database = standing?.database else { return giveUp(at: turn.now) }
        let isFirst = staging == nil
        if isFirst { repeats.snapshots += 1 }
        let portion = Portion.rows(
            generation: page.generation,
            next: page.next,
            isEmpty: page.rows.isEmpty
        )
        store(portion, in: &turn) { .stage($0, page, of: database, isFirst: isFirst) }
    }

    private mutating func store(
        _ portion: Portion,
        in turn: inout Turn<ReplicaEffect>,
        _ order: (OperationID) -> ReplicaEffect
    ) {
        // What begins now would be cut off by the suspension.
        guard !isOutOfTime else { return giveUp(at: turn.now) }
        let operation = operations.next()
        storing = operation
        settleBackgroundTask(in: &turn)
        turn.order(order(operation))
        state = .storing(portion)
    }

    /// The file has taken what it was given, or not; its sync may have been cut short meanwhile.
    mutating func stored(
        _ operation: OperationID,
        _ outcome: StoreOutcome,
        in turn: inout Turn<ReplicaEffect>
    ) {
        if state == .loading(operation) {
            switch outcome {
            case .failed: return giveUp(at: turn.now)
            case .noRoom: return giveUp(as: .noRoom, at: turn.now)
            case .done, .outOfOrder: break
            }
        }
        guard operation == storing else { return }
        storing = nil
        if case .done(let standing) = outcome { self.standing = standing }
        guard case .storing(let portion) = state else {
            return proceedIfDue(in: &turn)
        }
        switch (outcome, portion) {
        case (.done, .page(let isMore, let isProgress)):
            took(isMore: isMore, isProgress: isProgress, in: &turn)
        case (.done, .rows(let generation, let next, let isEmpty)):
            staging = next.map { Staging(generation: generation, next: $0) }
            goOn(isProgress: !isEmpty || next == nil, in: &turn)
        case (.outOfOrder, .page):
            repeats.misfits += 1
            // If it does not stand where it said, a snapshot tells where it does.
            guard repeats.misfits < Self.repeatsMax else {
                return beginSnapshot(in: &turn)
            }
            exchange(in: &turn)
        case (.done, .refusals):
            goOn(isProgress: true, in: &turn)
        case (.outOfOrder, .rows):
            beginSnapshot(in: &turn)
        case (.outOfOrder, .refusals):
            giveUp(at: turn.now)
        case (.noRoom, _):
            giveUp(as: .noRoom, at: turn.now)
        case (.failed, _):
            giveUp(at: turn.now)
        }
    }

    private mutating func took(isMore: Bool, isProgress: Bool, in turn: inout Turn<ReplicaEffect>) {
        guard isMore else {
            return repeats.handedMax == 0 ? giveUp(at: turn.now) : finish(in: &turn)
        }
        if isProgress { setbacks.reset() }
        goOn(isProgress: isProgress, in: &turn)
    }

    /// Asks for more, but not for ever where nothing comes.
    private mutating func goOn(isProgress: Bool, in turn: inout Turn<ReplicaEffect>) {
        repeats.stalls = isProgress ? 0 : repeats.stalls + 1
        guard repeats.stalls < Self.repeatsMax else { return giveUp(at: turn.now) }
        exchange(in: &turn)
    }
}
