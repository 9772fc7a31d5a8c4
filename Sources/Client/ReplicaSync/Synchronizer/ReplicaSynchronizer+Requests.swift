import ReplicaChanges
import SansIO

/// What is asked of the server, and which answers count.
extension ReplicaSynchronizer {
    mutating func ask(_ question: Question, in turn: inout Turn<ReplicaEffect>) {
        guard let request = request(for: question) else { return giveUp(at: turn.now) }
        let operation = operations.next()
        turn.order(.callServer(operation, request))
        let patience = max(configuration.requestTimeout, .milliseconds(1))
        requests.sent(operation, at: turn.now, patience: patience)
        retryAt = nil
        state = .asking(question)
    }

    private func request(for question: Question) -> ReplicaRequest? {
        if question == .credential {
            guard case .known(let session) = self.session else { return nil }
            return .credential(session: session)
        }
        guard case .known(let credential) = self.credential, let standing else { return nil }
        switch question {
        case .credential:
            return nil
        case .exchange(let batch):
            guard let generation = standing.generation else { return nil }
            let exchange = ReplicaExchange(
                replica: standing.replica,
                schema: standing.schema,
                generation: generation,
                position: standing.position,
                changes: batch.changes
            )
            return .sync(exchange, credential)
        case .rows:
            return .snapshot(replica: standing.replica, after: staging?.next, credential)
        case .migration:
            return .migrate(configuration.schema, credential)
        }
    }

    /// Takes an answer, which may belong to another request.
    mutating func serverAnswered(
        _ operation: OperationID,
        _ answer: ReplicaAnswer,
        in turn: inout Turn<ReplicaEffect>
    ) {
        guard case .asking(let question) = state else { return }
        let outcome = requests.answered(operation, settles: settles(answer, question)) {
            turn.order(.cancelCall($0))
        }
        switch outcome {
        case .ignored:
            return
        case .failed:
            repeats.batchFactor = 1
            var wait = failures.next(configuration, &generator)
            if case .busy(let told) = answer {
                wait = max(wait, told.wait)
                busyUntil = turn.now.advanced(by: told.wait)
            }
            retryAt = turn.now.advanced(by: wait)
        case .settled(let since, _):
            failures.reset()
            (retryAt, busyUntil) = (nil, .zero)
            if case .exchange(let batch) = question, batch.hasMore {
                sizeBatches(after: since.duration(to: turn.now))
            }
            settled(answer, question, in: &turn)
        }
    }

    /// Where much waits, round trips cost most: a path that answers quickly is given more at a time.
    private mutating func sizeBatches(after wait: Duration) {
        let isQuick = wait <= configuration.requestTimeout / 4
        let factor = isQuick ? repeats.batchFactor * 2 : 1
        repeats.batchFactor = min(factor, Self.batchFactorMax)
    }

    /// Whether an answer is one to this question, and says the last word on it.
    private func settles(_ answer: ReplicaAnswer, _ question: Question) -> Bool {
        switch (question, answer) {
        case (_, .unauthorized): true
        case (.credential, .credential(let given)):
            !given.database.isEmpty && !given.token.isEmpty
        case (.exchange, .page(let page)): follows(page)
        case (.rows, .snapshot(let page)): page.next == nil || page.next != staging?.next
        case (.migration, .migrated): true
        case (.exchange, .schemaDiffers), (.rows, .schemaDiffers), (.migration, .schemaDiffers):
            true
        case (.exchange, .snapshotNeeded): true
        case (.exchange(let batch), .changesRefused(let refusals)):
            !refusals.isEmpty
                && refusals.allSatisfy { refusal in
                    batch.changes.contains { $0.sequence == refusal.sequence }
                }
        // It would be refused again: by a database that is full, or for what is in it.
        case (.exchange(let batch), .refused(400..<500)): !batch.changes.isEmpty
        // A cursor may be forgotten; the rows themselves are always there.
        case (.rows, .snapshotNeeded): staging != nil
        default: false
        }
    }

    /// Whether a piece of the log follows on what the file has, without a gap.
    private func follows(_ page: ReplicaPage) -> Bool {
        guard let standing, page.generation == standing.generation,
            page.from == standing.position, page.through >= page.from, page.applied >= 0,
            Int64(page.changes.count) == page.through &- page.from
        else { return false }
        return page.changes.enumerated().allSatisfy { index, change in
            change.position == page.from &+ Int64(index) &+ 1
        }
    }

    private mutating func settled(
        _ answer: ReplicaAnswer,
        _ question: Question,
        in turn: inout Turn<ReplicaEffect>
    ) {
        switch answer {
        case .credential(let given): credentialGiven(given, in: &turn)
        case .page(let page):
            guard case .exchange(let batch) = question else { return }
            take(page, after: batch, in: &turn)
        case .snapshot(let page): stage(page, in: &turn)
        case .migrated(let schema): migrated(to: schema, in: &turn)
        case .schemaDiffers(let schema):
            schemaDiffers(schema, in: &turn)
        case .snapshotNeeded: beginSnapshot(in: &turn)
        case .unauthorized: unauthorized(question, in: &turn)
        case .changesRefused(let refusals): setAside(refusals, in: &turn)
        case .refused:
            guard case .exchange(let batch) = question else { return }
            handOverLess(than: batch, in: &turn)
        case .busy, .malformed, .failed: return
        }
    }

    /// The primary's schema is of another version than the app's (RP-05).
    mutating func schemaDiffers(_ schema: Int, in turn: inout Turn<ReplicaEffect>) {
        if schema > configuration.schema.version {
            state = .idle
            isOutdated = true
            return
        }
        // One that is the same, or stays behind after all, came about in another way.
        guard schema < configuration.schema.version, repeats.migrations < Self.repeatsMax else {
            return giveUp(at: turn.now)
        }
        repeats.migrations += 1
        ask(.migration, in: &turn)
    }

    private mutating func migrated(to schema: Int, in turn: inout Turn<ReplicaEffect>) {
        guard schema == configuration.schema.version else {
            return schemaDiffers(schema, in: &turn)
        }
        proceed(in: &turn)
    }
}
