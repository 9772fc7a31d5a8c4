import ReplicaChanges
import ReplicaSync
import SansIO
import SansIOTesting

/// A machine between a file that does as it is told and a server that answers at once.
struct ReplicaRig {
    /// No test needs as many requests; a machine that turns in circles ends there.
    static let requestsMax = 2_000

    var machine: ReplicaSynchronizer
    var standing: ReplicaStanding
    var unsent: [UnsentChange] = []
    /// What the file says to all that it is given, if it does not take it.
    var refusal: StoreOutcome?
    private(set) var requests: [ReplicaRequest] = []
    private(set) var shown: [ReplicaStatus] = []
    /// The numbers of the changes that were set aside.
    private(set) var setAside: [Int64] = []
    private var now = Instant.zero
    private var snapshotPosition: Int64 = 0

    init(seed: UInt64 = 1, standing: ReplicaStanding = ReplicaStory.standing(7)) {
        machine = ReplicaStory.machine(seed: seed)
        self.standing = standing
    }

    /// Opens the file on a phone with a network and lets time pass.
    mutating func run(until end: Duration, server: (ReplicaRequest) -> ReplicaAnswer) {
        var events: [ReplicaEvent] = [.opened(standing), .pathChanged(isSatisfied: true)]
        let end = Instant.zero.advanced(by: end)
        while requests.count < Self.requestsMax {
            let effects: [ReplicaEffect]
            if events.isEmpty {
                guard let due = machine.deadline?.instant, due <= end else { break }
                now = max(now, due)
                effects = machine.wake(at: now)
            } else {
                effects = machine.handle(events.removeFirst(), at: now)
            }
            for effect in effects {
                if let answer = perform(effect, server) { events.append(answer) }
            }
        }
    }

    private mutating func perform(
        _ effect: ReplicaEffect,
        _ server: (ReplicaRequest) -> ReplicaAnswer
    ) -> ReplicaEvent? {
        switch effect {
        case .readSecret(let operation, .session):
            return .secretRead(operation, .found("s-ada"))
        case .readSecret(let operation, .credential):
            return .secretRead(operation, .found(ReplicaStory.kept()))
        case .loadUnsent(let operation, let countMax, _):
            let batch = UnsentBatch(
                changes: Array(unsent.prefix(countMax)),
                hasMore: unsent.count > countMax
            )
            return .unsentLoaded(operation, batch)
        case .callServer(let operation, let request):
            requests.append(request)
            return .serverAnswered(operation, server(request))
        case .take(let operation, let page):
            if let refusal { return .stored(operation, refusal) }
            standing.position = page.through
            unsent.removeAll { $0.sequence <= page.applied }
            return .stored(operation, .done(standing))
        case .stage(let operation, let page, _, let isFirst):
            if let refusal { return .stored(operation, refusal) }
            if isFirst { snapshotPosition = page.position }
            if page.next == nil {
                standing.generation = page.generation
                standing.position = snapshotPosition
            }
            return .stored(operation, .done(standing))
        case .setAside(let operation, let refusals):
            if let refusal { return .stored(operation, refusal) }
            setAside += refusals.map(\.sequence)
            standing.generation = nil
            return .stored(operation, .done(standing))
        case .show(let status):
            shown.append(status)
            return nil
        case .follow(let database):
            standing.database = database
            return nil
        case .claim, .keepCredential, .cancelCall, .signInRequired, .beginBackgroundTask,
            .endBackgroundTask:
            return nil
        }
    }
}
