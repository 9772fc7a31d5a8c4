import AppServer
import KodamaLanguage
import KodamaNetwork
import KodamaPhone
import KodamaSession
import KodamaWorld
import ReplicaChanges
import ReplicaSync
import SansIO

/// The web application of one user: a replica that keeps nothing, and asks the server for each write how
/// the primary stands (RP-01).
///
/// It has no network of its own: requests and answers take no time.
struct WebWriter {
    /// Its name as a replica.
    static let replica = "web"

    /// The rows that the user wrote on the web.
    var written = WrittenRows()
    private let user: String
    /// The version that it makes a primary at which nobody was before.
    private let version: Int
    private var credential: ReplicaCredential?

    init(_ user: String, version: Int) {
        self.user = user
        self.version = version
    }

    /// Brings the primary to a version.
    mutating func migrate(to version: Int, at api: APIService, now: Instant) {
        let schema = ReplicaAppPlan.schema(version: version)
        _ = ask(api, at: now) { .migrate(schema, $0) }
    }

    /// Makes one change; whether the primary took it.
    mutating func write(_ change: ReplicaChange, at api: APIService, now: Instant) -> Bool {
        guard let primary = standing(at: api, now: now) else { return false }
        let exchange = ReplicaExchange(
            replica: Self.replica,
            schema: primary.schema,
            generation: primary.generation,
            position: primary.position,
            changes: [UnsentChange(sequence: primary.applied + 1, change: change)]
        )
        guard case .page? = ask(api, at: now, { .sync(exchange, $0) }) else { return false }
        return true
    }

    /// How the primary stands, as the first page of a snapshot says; with tables.
    private mutating func standing(at api: APIService, now: Instant) -> SnapshotPage? {
        for _ in 0..<2 {
            let answer = ask(api, at: now) {
                .snapshot(replica: Self.replica, after: nil, $0)
            }
            switch answer {
            case .snapshot(let page)? where page.schema > 0: return page
            case .snapshot?: migrate(to: version, at: api, now: now)
            default: return nil
            }
        }
        return nil
    }

    /// What the server answers; a credential that it does not take is replaced once.
    private mutating func ask(
        _ api: APIService,
        at now: Instant,
        _ request: (ReplicaCredential) -> ReplicaRequest
    ) -> ReplicaAnswer? {
        for _ in 0..<2 {
            let known = credential ?? newCredential(of: api, at: now)
            guard let known else { return nil }
            credential = known
            let answer = api.answer(to: request(known), at: now)
            guard answer == .unauthorized else { return answer }
            credential = nil
        }
        return nil
    }

    private func newCredential(of api: APIService, at now: Instant) -> ReplicaCredential? {
        guard let session = api.signIn(user, at: now) else { return nil }
        let answer = api.answer(to: .credential(session: session), at: now)
        guard case .credential(let credential) = answer else { return nil }
        return credential
    }
}

extension APIService {
    /// What the server says to a request that comes from nowhere in the network.
    fileprivate func answer(to request: ReplicaRequest, at now: Instant) -> ReplicaAnswer {
        ReplicaAnswer(server.respond(to: request.http, at: wallTime(at: now)), to: request)
    }
}
