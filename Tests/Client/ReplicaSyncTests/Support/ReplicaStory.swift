import ReplicaChanges
import ReplicaSync
import SansIO
import SansIOTesting
import Testing

/// What the transcripts of replicas have in common.
enum ReplicaStory {
    static let schema = ReplicaSchema(versions: [
        [.createTable("reflection", [.init("words", .text)])],
        [.addColumn("reflection", .init("mood", .text, standard: .text("")))],
    ])
    static let credential = ReplicaCredential(database: "db-ada", token: "token-1")
    static let renewed = ReplicaCredential(database: "db-ada", token: "token-2")
    static let nothing = UnsentBatch(changes: [], hasMore: false)

    static func id(_ number: UInt32) -> OperationID { OperationID(number: number) }

    static func standing(_ position: Int64, generation: String? = "g1") -> ReplicaStanding {
        ReplicaStanding(
            replica: "r-1",
            schema: 2,
            generation: generation,
            position: position,
            database: "db-ada"
        )
    }

    static func machine(seed: UInt64 = 1) -> ReplicaSynchronizer {
        ReplicaSynchronizer(configuration: ReplicaConfiguration(schema: schema), seed: seed)
    }

    /// What secure storage holds of a credential.
    static func kept(
        _ credential: ReplicaCredential = ReplicaStory.credential,
        session: String = "s-ada"
    ) -> String {
        #"{"database":"\#(credential.database)","session":"\#(session)","#
            + #""token":"\#(credential.token)"}"#
    }

    static func row(_ key: String) -> ReplicaChange {
        ReplicaChange(
            table: "reflection",
            key: key,
            kind: .insert,
            columns: [ReplicaColumn("words", .text(key))]
        )
    }

    static func unsent(_ sequences: ClosedRange<Int64>) -> [UnsentChange] {
        sequences.map { UnsentChange(sequence: $0, change: row("w\($0)")) }
    }

    /// A piece of the log with so many changes of another replica.
    static func page(
        from position: Int64,
        _ count: Int64 = 0,
        applied: Int64 = 0,
        generation: String = "g1",
        hasMore: Bool = false
    ) -> ReplicaPage {
        ReplicaPage(
            generation: generation,
            from: position,
            through: position + count,
            durable: position,
            applied: applied,
            changes: (0..<count).map {
                LoggedChange(
                    position: position + $0 + 1,
                    replica: "web",
                    sequence: $0 + 1,
                    change: row("c\($0)")
                )
            },
            hasMore: hasMore
        )
    }

    static func rows(
        _ keys: String...,
        next: String? = nil,
        generation: String = "g1",
        schema: Int = 2
    ) -> SnapshotPage {
        SnapshotPage(
            generation: generation,
            position: 40,
            applied: 0,
            schema: schema,
            rows: keys.map(row),
            next: next
        )
    }

    static func load(_ operation: UInt32, times factor: Int = 1) -> ReplicaEffect {
        .loadUnsent(id(operation), countMax: 128 * factor, bytesMax: 12_288 * factor)
    }

    static func sync(
        _ operation: UInt32,
        at position: Int64 = 7,
        _ changes: [UnsentChange] = [],
        generation: String = "g1",
        with credential: ReplicaCredential = ReplicaStory.credential
    ) -> ReplicaEffect {
        let exchange = ReplicaExchange(
            replica: "r-1",
            schema: 2,
            generation: generation,
            position: position,
            changes: changes
        )
        return .callServer(id(operation), .sync(exchange, credential))
    }

    static func snapshot(_ operation: UInt32, after cursor: String? = nil) -> ReplicaEffect {
        .callServer(id(operation), .snapshot(replica: "r-1", after: cursor, credential))
    }

    static func askCredential(_ operation: UInt32, session: String = "s-ada") -> ReplicaEffect {
        .callServer(id(operation), .credential(session: session))
    }

    /// A sync that has the user's session and the kept credential, and begins with operation 3.
    static func begun(
        _ start: ReplicaStanding = ReplicaStory.standing(7),
        with configuration: ReplicaConfiguration = ReplicaConfiguration(schema: schema)
    ) throws -> Transcript<ReplicaSynchronizer> {
        var story = Transcript(ReplicaSynchronizer(configuration: configuration, seed: 1))
        try story.expect(.opened(start), at: .zero)
        try story.expect(.pathChanged(isSatisfied: true), at: .zero) {
            ReplicaEffect.readSecret(id(1), .session)
            ReplicaEffect.show(.syncing)
        }
        try story.expect(.secretRead(id(1), .found("s-ada")), at: .zero) {
            ReplicaEffect.readSecret(id(2), .credential)
        }
        let loading = ReplicaEffect.loadUnsent(
            id(3),
            countMax: configuration.batchCountMax,
            bytesMax: configuration.batchBytesMax
        )
        let first = start.generation == nil ? snapshot(3) : loading
        try story.expect(.secretRead(id(2), .found(kept())), at: .zero) { first }
        return story
    }

    /// A replica whose first request, operation 4, is in flight since 0 s.
    static func asking(
        _ changes: [UnsentChange] = []
    ) throws -> Transcript<ReplicaSynchronizer> {
        var story = try begun()
        let batch = UnsentBatch(changes: changes, hasMore: false)
        try story.expect(.unsentLoaded(id(3), batch), at: .zero) { sync(4, changes) }
        return story
    }

    /// A replica that was synced at 0 s, at position 7, with operations 1 to 5.
    static func synced() throws -> Transcript<ReplicaSynchronizer> {
        var story = try asking()
        try story.answerEmpty(4, at: .zero)
        try story.expect(.stored(id(5), .done(standing(7))), at: .zero) {
            ReplicaEffect.show(.synced)
        }
        return story
    }
}

extension Transcript where Machine == ReplicaSynchronizer {
    /// When the machine wants to be woken.
    func due() throws -> Duration {
        let deadline = try #require(machine.deadline)
        return Instant.zero.duration(to: deadline.instant)
    }

    /// The server answers a sync at position 7 that there is nothing; the file takes that next.
    mutating func answerEmpty(_ operation: UInt32, at time: Duration) throws {
        let page = ReplicaStory.page(from: 7)
        try expect(.serverAnswered(ReplicaStory.id(operation), .page(page)), at: time) {
            ReplicaEffect.take(ReplicaStory.id(operation + 1), page)
        }
    }

    /// From the load on a whole sync at position 7 that brings nothing.
    ///
    /// - Parameters:
    ///   - operation: The load's number.
    ///   - time: When all of it happens.
    /// - Throws: The difference, if there is one.
    mutating func syncEmpty(_ operation: UInt32, at time: Duration) throws {
        try expect(.unsentLoaded(ReplicaStory.id(operation), ReplicaStory.nothing), at: time) {
            ReplicaStory.sync(operation + 1)
        }
        try answerEmpty(operation + 1, at: time)
        let done = StoreOutcome.done(ReplicaStory.standing(7))
        try expect(.stored(ReplicaStory.id(operation + 2), done), at: time) {
            ReplicaEffect.show(.synced)
        }
    }
}
