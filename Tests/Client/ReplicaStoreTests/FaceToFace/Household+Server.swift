import AppServer
@testable import KodamaReplica
import ReplicaChanges
import ReplicaSync
import SansIO
import SansIOTesting

extension Household {
    // MARK: The network

    /// A request goes out; it or its answer may be lost, and either may be slow.
    func send(_ request: ReplicaRequest, _ operation: OperationID, _ index: Int) {
        phones[index].requests += 1
        say("\(phones[index].name) asks: \(Self.summary(of: request))")
        let isLost = !phones[index].isOnline || random.chance(percent: weather.lossPercent)
        guard !isLost else {
            // Some systems say at once that it failed, some say nothing.
            guard random.chance(percent: 60) else { return }
            let wait = Duration.milliseconds(10 + random.below(1_000))
            return tell(index, .serverAnswered(operation, .failed), after: wait)
        }
        let process = phones[index].process
        schedule(
            .arrive(phone: index, process: process, operation, request),
            after: oneWay()
        )
    }

    /// The server does what it is asked, whether or not the phone hears of it.
    func arrive(
        _ request: ReplicaRequest,
        _ operation: OperationID,
        from index: Int,
        _ process: Int
    ) {
        note(phones[index].name, "\(Self.summary(of: request)) arrives")
        let answer = ask(request)
        if case .credential(let credential) = answer {
            phones[index].secrets.append(credential.token)
        }
        guard !random.chance(percent: weather.lossPercent) else {
            tally.answersLost += 1
            note(phones[index].name, "the answer is lost")
            return
        }
        let event = ReplicaEvent.serverAnswered(operation, answer)
        schedule(.tell(phone: index, process: process, event), after: oneWay())
    }

    /// How long a message is under way: 25 ms to 4 s, 50 ms in calm weather.
    private func oneWay() -> Duration {
        guard weather.isRough else { return .milliseconds(50) }
        let isSlow = random.chance(percent: 25)
        return .milliseconds(25 + random.below(isSlow ? 3_975 : 175))
    }

    private static func summary(of request: ReplicaRequest) -> String {
        switch request {
        case .credential: "credential"
        case .sync(let exchange, _): "sync with \(exchange.changes.count)"
        case .snapshot: "snapshot"
        case .migrate(let schema, _): "migrate to \(schema.version)"
        }
    }

    // MARK: The server

    /// Makes a request as HTTP and reads what comes back.
    func ask(_ request: ReplicaRequest) -> ReplicaAnswer {
        let response = server.respond(to: request.http, at: wall)
        readNews()
        let answer = ReplicaAnswer(response, to: request)
        let wrong: String? =
            switch answer {
            case .page(let page): history.named(page.generation, durable: page.durable)
            case .snapshot(let page): history.named(page.generation)
            case .malformed, .busy, .refused, .changesRefused:
                "\(response) to \(Self.summary(of: request))"
            case .credential, .migrated, .schemaDiffers, .snapshotNeeded, .unauthorized, .failed:
                nil
            }
        if let wrong { fault(wrong) }
        return answer
    }

    /// Reads what the primary has done since.
    func readNews() {
        let news = server.primaries.takeNews()
        guard !news.isEmpty else { return }
        lastNews = now
        for one in news {
            note("primary", one)
            let wrong: String? =
                switch one {
                case .took(_, let entry): took(entry)
                case .setAside(_, let entry, let asked):
                    history.setAside(entry, asked: asked)
                case .refused(_, _, let push): "\(push) is refused"
                case .migrated(_, let version): migrated(to: version)
                case .rolledBack(_, let position): history.rollBack(through: position)
                }
            if let wrong { fault(wrong) }
        }
        checkPrimary()
    }

    private func took(_ entry: LoggedChange) -> String? {
        say("the primary takes \(entry.change.kind) of \(entry.change.key) at \(entry.position)")
        if let text = entry.change.texts.first(where: { abandoned.contains($0) }) {
            return "\(text) was given up and is taken"
        }
        return history.take(entry)
    }

    private func migrated(to version: Int) -> String? {
        tally.migrations += 1
        say("the primary is at version \(version)")
        return history.migrate(to: version)
    }

    /// The primary's rows, each as the insert that makes it.
    var primaryRows: [ReplicaChange] {
        server.primaries.rows(of: Self.user)
    }

    /// The primary loses what is not durable.
    func failPrimary() {
        guard web.credential != nil else { return }
        note("primary", "fails")
        tally.failures += 1
        server.primaries.fail(Self.user, at: wall)
        readNews()
    }

    func trimPrimary() {
        guard web.credential != nil else { return }
        note("primary", "trims its log")
        server.primaries.trim(Self.user)
        readNews()
    }

    func expireTokens() {
        guard web.credential != nil else { return }
        note("server", "expires tokens")
        server.primaries.expireTokens(of: Self.user)
    }
}
