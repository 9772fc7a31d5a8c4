import ReplicaChanges
import SansIO
import TextFormats

/// One user's own database at the server, with the log that replicas follow (RP-04).
///
/// It is kept twice: as it is, and as it would be found if its machine failed now. Of what lies
/// between, replicas have been told that it is taken, but not that it is durable.
struct Primary: Sendable {
    /// How it is named in URLs.
    let database: String
    /// Which history the log tells; a new one after each failure.
    private(set) var generation: String
    /// What it is.
    private(set) var state = PrimaryState()
    /// How often its tokens were taken back.
    private(set) var tokenSeries = 0
    private var durableState = PrimaryState()
    /// What is not durable yet, in order.
    private(set) var pending: [Pending] = []
    private(set) var pendingBytes = 0
    /// The last changes, one for each position.
    private var log: [LoggedChange] = []
    private var logBytes = 0
    /// The keys of rows that no replica may change, by a rule of the server's own.
    private var closedKeys: [String] = []
    /// The positions at which earlier generations failed, by their names: to there all of them are one.
    private var ends: [String: Int64] = [:]

    /// A change that was taken: as the log has it, and as it was handed over if it was set aside.
    struct Taken: Sendable {
        let entry: LoggedChange
        let setAside: ReplicaChange?
    }

    struct Pending: Sendable {
        let happening: PrimaryState.Happening
        let durableAt: WallTime
    }

    init(database: String, generation: String) {
        self.database = database
        self.generation = generation
    }

    /// The position that the log follows on.
    private var tail: Int64 { state.position - Int64(log.count) }

    /// Takes a replica's new changes, all or none, and answers with the log behind its position.
    ///
    /// - Parameters:
    ///   - exchange: What the replica says and asks.
    ///   - settings: How the server is set up.
    ///   - now: The server's clock.
    /// - Returns: What was taken, and the answer.
    /// - Throws: Why nothing was.
    mutating func exchange(
        _ exchange: ReplicaExchange,
        under settings: APIServerSettings,
        at now: WallTime
    ) throws(APIFault) -> (taken: [Taken], answer: JSON) {
        guard exchange.schema == state.version else { throw .schemaDiffers(state.version) }
        guard exchange.generation == generation,
            (tail...state.position).contains(exchange.position)
        else { throw .snapshotNeeded }
        let applied = state.applied[exchange.replica] ?? 0
        if let first = exchange.changes.first, first.sequence > applied + 1 { throw .gap }
        let fresh = exchange.changes.drop { $0.sequence <= applied }
        let refusals = fresh.compactMap { refusal(of: $0) }
        guard refusals.isEmpty else { throw .changesRefused(refusals) }
        settle(at: now)
        try refuseExcess(of: fresh, by: exchange.replica, under: settings, at: now)
        var taken: [Taken] = []
        // What it has already was sent again: the answer was lost.
        for push in fresh {
            let successor = state.rows.successor(
                of: push.change,
                by: exchange.replica,
                at: known(push.madeAt) ?? exchange.position
            )
            let entry = LoggedChange(
                position: state.position + 1,
                replica: exchange.replica,
                sequence: push.sequence,
                change: successor?.insert ?? state.logged(push.change)
            )
            let isSetAside = successor != nil
            take(
                .change(entry, isSetAside: isSetAside),
                durableAt: now.advanced(by: settings.durabilityDelay)
            )
            log.append(entry)
            logBytes += entry.change.byteCount
            taken.append(Taken(entry: entry, setAside: isSetAside ? push.change : nil))
        }
        settle(at: now)
        let answer = page(for: exchange)
        // Only now, so that who was in time is not left behind by what they sent.
        trim(to: settings.databaseLogChangesMax)
        return (taken, answer)
    }

    /// Has changes of rows with this key refused from now on.
    mutating func close(_ key: String) { closedKeys.append(key) }

    /// That a change is refused for ever, and why; `nil` if it is not.
    private func refusal(of push: UnsentChange) -> ChangeRefusal? {
        let key = push.change.key
        if closedKeys.contains(where: { $0.utf8.elementsEqual(key.utf8) }) {
            return ChangeRefusal(sequence: push.sequence, reason: "the row may not be changed")
        }
        do throws(ReplicaTables.Fault) {
            try state.tables.check(push.change)
            return nil
        } catch {
            return ChangeRefusal(sequence: push.sequence, reason: error.what)
        }
    }

    /// How much of the log as it is now a replica knew; `nil` if that is not said.
    ///
    /// What a failure has lost and a replica hands over again counts as made anew.
    private func known(_ madeAt: LogPosition?) -> Int64? {
        guard let madeAt, let generation = madeAt.generation else { return madeAt?.position }
        return min(madeAt.position, ends[generation] ?? .max)
    }

    private func page(for exchange: ReplicaExchange) -> JSON {
        let from = exchange.position
        let changes = Self.page(of: log[Int(from - tail)...].lazy.map(\.json))
        let through = from + Int64(changes.count)
        return .object(of: [
            ("generation", .string(generation)), ("from", .integer(from)),
            ("through", .integer(through)), ("durable", .integer(durableState.position)),
            ("applied", .integer(state.applied[exchange.replica] ?? 0)),
            ("changes", .array(changes)), ("more", .bool(through < state.position)),
        ])
    }

    /// A page of the rows behind one, or from the first on.
    func snapshot(for replica: String, after name: RowName?) -> JSON {
        let rest = state.rows.rows(after: name)
        let rows = Self.page(of: rest.lazy.map(\.insert.json))
        let last = rows.count < rest.count ? rest.prefix(rows.count).last : nil
        let next: JSON = last.map { JSON.string($0.name.cursor) } ?? JSON.null
        return .object(of: [
            ("generation", .string(generation)), ("position", .integer(state.position)),
            ("applied", .integer(state.applied[replica] ?? 0)),
            ("schema", .integer(Int64(state.version))), ("rows", .array(rows)),
            ("next", next),
        ])
    }

    /// Brings the schema to the versions that a replica knows (RP-05).
    ///
    /// - Parameters:
    ///   - schema: The replica's schema; this one's must be the beginning of it.
    ///   - settings: How the server is set up.
    ///   - now: The server's clock.
    /// - Returns: The versions that are new.
    /// - Throws: Why nothing was changed.
    mutating func migrate(
        to schema: ReplicaSchema,
        under settings: APIServerSettings,
        at now: WallTime
    ) throws(APIFault) -> [Int] {
        let known = state.schema.versions
        guard schema.versions.starts(with: known) else { throw .schemaDiffers(known.count) }
        var tables = state.tables
        var migrations: [PrimaryState.Happening] = []
        do throws(ReplicaTables.Fault) {
            for steps in schema.versions.dropFirst(known.count) {
                try tables.add(steps)
                migrations.append(.migration(steps, tables))
            }
        } catch {
            throw APIFault.badRequest(error.what)
        }
        let durableAt = now.advanced(by: settings.durabilityDelay)
        for migration in migrations { take(migration, durableAt: durableAt) }
        return (known.count..<schema.versions.count).map { $0 + 1 }
    }

    /// Drops the oldest changes of the log; the rows have them.
    mutating func trim(to countMax: Int) {
        var count = max(0, log.count - countMax)
        logBytes -= log.prefix(count).reduce(0) { $0 + $1.change.byteCount }
        while logBytes > Self.changeBytesMax, count < log.count {
            logBytes -= log[count].change.byteCount
            count += 1
        }
        log.removeFirst(count)
    }

    /// Its machine fails: what was not durable is gone, and another history begins.
    mutating func fail(at now: WallTime, next generation: String) {
        settle(at: now)
        state = durableState
        (pending, pendingBytes) = ([], 0)
        (log, logBytes) = ([], 0)
        ends[self.generation] = state.position
        self.generation = generation
    }

    /// Takes back the tokens given so far.
    mutating func expireTokens() {
        tokenSeries += 1
    }

    private mutating func take(_ happening: PrimaryState.Happening, durableAt: WallTime) {
        state.take(happening)
        pending.append(Pending(happening: happening, durableAt: durableAt))
        pendingBytes += happening.byteCount
    }

    /// Notes what has become durable by `now`: in order, and for good, wherever the clock is set.
    private mutating func settle(at now: WallTime) {
        let durable = pending.prefix { $0.durableAt <= now }
        for step in durable {
            durableState.take(step.happening)
            pendingBytes -= step.happening.byteCount
        }
        pending.removeFirst(durable.count)
    }

    /// As much as one answer holds: 128 changes or rows of 64 KiB in all, but one in any case.
    ///
    /// Turso's client takes 128 from a primary at a time (libsql 0.1.11, `GET /sync`); the size is an
    /// assumption.
    private static func page(of values: some Sequence<JSON>) -> [JSON] {
        var page: [JSON] = []
        var byteCount = 0
        for value in values {
            byteCount += value.text.utf8.count
            guard page.isEmpty || (page.count < 128 && byteCount <= 65_536) else { break }
            page.append(value)
        }
        return page
    }
}
