import AppServer
@testable import KodamaReplica
import ReplicaChanges
import ReplicaSync
import SansIO

/// A server with a database of `mika`'s, asked as replicas ask it.
final class DatabaseBench {
    static let schema = ReplicaSchema(versions: [
        [
            .createTable(
                "reflection",
                [
                    ReplicaSchema.Column("words", .text),
                    ReplicaSchema.Column("written", .integer, standard: .integer(7)),
                ]
            )
        ],
        [
            .addColumn("reflection", ReplicaSchema.Column("mood", .text, standard: .text(""))),
            .createTable(
                "routine",
                [ReplicaSchema.Column("title", .text), ReplicaSchema.Column("minute", .integer)]
            ),
        ],
    ])

    var bench: ServerBench
    /// What opens `mika`'s database.
    var credential = ReplicaCredential(database: "", token: "")
    /// The generation of its log.
    var generation = ""

    /// Makes a server whose database is at a version.
    init(version: Int = 2, _ adjust: (inout APIServerSettings) -> Void = { _ in }) {
        bench = ServerBench(adjust)
        if let own = credential(of: "mika") { credential = own }
        if version > 0 { _ = migrate(to: version) }
        generation = snapshot()?.generation ?? ""
        _ = bench.server.primaries.takeNews()
    }

    func ask(_ request: ReplicaRequest) -> ReplicaAnswer {
        ReplicaAnswer(bench.ask(request.http), to: request)
    }

    func credential(of user: String) -> ReplicaCredential? {
        let session = bench.session(of: user)
        guard case .credential(let credential) = ask(.credential(session: session)) else {
            return nil
        }
        return credential
    }

    func migrate(to version: Int) -> ReplicaAnswer {
        let schema = ReplicaSchema(versions: Array(Self.schema.versions.prefix(version)))
        return ask(.migrate(schema, credential))
    }

    func snapshot(
        by replica: String = "phone",
        after cursor: String? = nil
    ) -> SnapshotPage? {
        let request = ReplicaRequest.snapshot(replica: replica, after: cursor, credential)
        guard case .snapshot(let page) = ask(request) else { return nil }
        return page
    }

    /// Hands over changes, numbered from `first`, all made when the log was known so far.
    func sync(
        by replica: String = "phone",
        after position: Int64 = 0,
        schema: Int = 2,
        from first: Int64 = 1,
        madeAt: LogPosition? = nil,
        _ changes: [ReplicaChange] = []
    ) -> ReplicaAnswer {
        let numbered = changes.enumerated().map { index, change in
            UnsentChange(sequence: first + Int64(index), change: change, madeAt: madeAt)
        }
        let exchange = ReplicaExchange(
            replica: replica,
            schema: schema,
            generation: generation,
            position: position,
            changes: numbered
        )
        return ask(.sync(exchange, credential))
    }

    /// The page of a 200 to `sync`.
    func page(
        by replica: String = "phone",
        after position: Int64 = 0,
        from first: Int64 = 1,
        _ changes: [ReplicaChange] = []
    ) -> ReplicaPage? {
        guard
            case .page(let page) = sync(by: replica, after: position, from: first, changes)
        else { return nil }
        return page
    }

    /// The rows of `mika`'s database.
    var rows: [ReplicaChange] {
        bench.server.primaries.rows(of: "mika")
    }

    /// How often a change was taken since this was asked last.
    func takenCount() -> Int {
        bench.server.primaries.takeNews().filter { news in
            switch news {
            case .took, .setAside: true
            case .migrated, .rolledBack, .refused: false
            }
        }.count
    }
}

extension ReplicaChange {
    /// A reflection is made.
    static func made(_ key: String, _ columns: ReplicaColumn...) -> ReplicaChange {
        ReplicaChange(table: "reflection", key: key, kind: .insert, columns: columns)
    }

    /// A reflection is edited.
    static func edited(_ key: String, _ columns: ReplicaColumn...) -> ReplicaChange {
        ReplicaChange(table: "reflection", key: key, kind: .update, columns: columns)
    }

    /// A reflection is deleted.
    static func deleted(_ key: String) -> ReplicaChange {
        ReplicaChange(table: "reflection", key: key, kind: .delete)
    }
}

extension ReplicaColumn {
    static func words(_ text: String) -> ReplicaColumn { ReplicaColumn("words", .text(text)) }
    static func mood(_ text: String) -> ReplicaColumn { ReplicaColumn("mood", .text(text)) }
    static func written(_ time: Int64) -> ReplicaColumn { ReplicaColumn("written", .integer(time)) }
}
