public import CoachExchange
public import SansIO

/// Hands an outbox of the store to the server until it is empty: reflections one by one (AN-08),
/// events in batches (AN-09).
///
/// What the server has taken is marked in the store, and only then is the next asked for; a kill in
/// between sends it once more, which the server counts once. An entry that the server rejects for
/// what it says is marked as rejected and reported, so that it does not hold up those behind it; any
/// other failure is tried again without end.
public struct OutboxDelivery: StateMachine {
    /// Which outbox.
    public enum Outbox: Sendable, Equatable {
        /// Evening reflections.
        case reflections
        /// Analytics events.
        case metrics
    }

    /// The oldest entries of an outbox.
    public enum Batch: Sendable, Equatable {
        /// The oldest reflection.
        case reflection(ReflectionReport)
        /// The oldest events.
        case metrics([MetricEvent])
        /// There is none.
        case empty
    }

    /// What became of entries.
    public struct Mark: Sendable, Equatable {
        /// Those that the server has.
        public var taken: [String] = []
        /// Those that it rejects, and why.
        public var rejected: [RefusedEvent] = []

        /// Makes a mark.
        public init(taken: [String] = [], rejected: [RefusedEvent] = []) {
            (self.taken, self.rejected) = (taken, rejected)
        }
    }

    /// How the delivery stands.
    public enum Status: Sendable, Equatable {
        /// The server has everything.
        case delivered
        /// Entries are under way, or are tried again.
        case delivering
        /// The user has done as much as is allowed; the rest follows when the limit is reset.
        case limited(UsageCount)
        /// It goes on when the user has signed in.
        case signInRequired
    }

    /// A fact for the delivery.
    public enum Event: Sendable, Equatable {
        /// The store is open, or something was written to the outbox.
        case written
        /// The store has loaded the oldest entries.
        case loaded(OperationID, Batch)
        /// The store has marked entries, or could not.
        case marked(OperationID, isDone: Bool)
        /// The store could not be read.
        case loadFailed(OperationID)
        /// The server answered.
        case serverAnswered(OperationID, CoachAnswer)
        /// There is a network again, or another one; or the app came to the front.
        case pathRestored
        /// The user has signed in.
        case signedIn
    }

    /// An order from the delivery.
    public enum Effect: Sendable, Equatable, CoachOrder {
        /// Loads the oldest entries of the outbox, `countMax` at most.
        case load(OperationID, Outbox, countMax: Int)
        /// Marks entries in the store, all in one transaction.
        case mark(OperationID, Outbox, Mark)
        /// Makes a request.
        case callServer(OperationID, CoachRequest)
        /// Cancels a call; its answer is no longer needed.
        case cancelCall(OperationID)
        /// Shows how the delivery stands, which is new.
        case show(Status)
    }

    private enum State: Sendable, Equatable {
        case idle
        case loading(OperationID)
        case asking
        case marking(OperationID, Mark)
        /// The store failed, and is asked again; what is to be marked is not forgotten.
        case waiting(until: Instant, Mark?)
    }

    /// How many events go together: 50, an assumption; as JSON less than the server reads.
    public static let metricsPerRequest = 50
    /// How long after the store failed it is asked again: 30 s, an assumption.
    private static let storeWait = Duration.seconds(30)

    /// A request, one given up before, and the status.
    public static var effectsPerCallMax: Int { 4 }
    /// There may always be another entry.
    public var isFinished: Bool { false }

    private let outbox: Outbox
    private var server: PersistentRequest
    private var state = State.idle
    /// Whether something was written since the outbox was last loaded.
    private var isWritten = false
    /// How many events go together at present: fewer while it is sought which one is rejected.
    private var batchMax = Self.metricsPerRequest
    private var shown: Status?

    /// Makes a delivery that has not looked into its outbox yet.
    ///
    /// - Parameters:
    ///   - outbox: Which.
    ///   - patience: What can be tuned.
    ///   - seed: The seed of its waits' jitter.
    ///   - operations: The numbers its operations get.
    public init(
        _ outbox: Outbox,
        patience: CoachPatience = CoachPatience(),
        seed: UInt64,
        operations: OperationCounter = OperationCounter()
    ) {
        self.outbox = outbox
        server = PersistentRequest(patience, seed: seed, operations: operations)
    }

    /// How the delivery stands; `nil` before the outbox was first looked into.
    public var status: Status? { shown }

    /// When a request has taken too long or is made again, or the store is asked again.
    public var deadline: Deadline? {
        switch state {
        case .idle, .loading, .marking: nil
        case .asking: server.deadline
        case .waiting(let until, _): Deadline(until, "outbox retry")
        }
    }

    /// Takes one fact.
    public mutating func handle(_ event: Event, in turn: inout Turn<Effect>) {
        switch event {
        case .written:
            isWritten = true
            if state == .idle { load(in: &turn) }
        case .loaded(let operation, let batch):
            guard state == .loading(operation) else { return }
            loaded(batch, in: &turn)
        case .loadFailed(let operation):
            guard state == .loading(operation) else { return }
            state = .waiting(until: turn.now.advanced(by: Self.storeWait), nil)
        case .marked(let operation, let isDone):
            guard case .marking(operation, let mark) = state else { return }
            guard isDone else {
                state = .waiting(until: turn.now.advanced(by: Self.storeWait), mark)
                return
            }
            load(in: &turn)
        case .serverAnswered(let operation, let answer):
            answered(operation, answer, in: &turn)
        case .pathRestored, .signedIn:
            if event == .signedIn, shown == .signInRequired { show(.delivering, in: &turn) }
            if state == .asking {
                server.hurry(event == .signedIn ? .session : .path, in: &turn)
            }
        }
    }

    /// Acts on a request that has taken too long or is due again, or asks the store again.
    public mutating func wake(in turn: inout Turn<Effect>) {
        guard let deadline, deadline.instant <= turn.now else { return }
        switch state {
        case .idle, .loading, .marking: return
        case .asking: server.wake(in: &turn)
        case .waiting(_, let mark?): self.mark(mark, in: &turn)
        case .waiting(_, nil): load(in: &turn)
        }
    }

    private mutating func load(in turn: inout Turn<Effect>) {
        isWritten = false
        let operation = server.nextOperation()
        let countMax = outbox == .reflections ? 1 : batchMax
        turn.order(.load(operation, outbox, countMax: countMax))
        state = .loading(operation)
    }

    private mutating func loaded(_ batch: Batch, in turn: inout Turn<Effect>) {
        switch batch {
        case .reflection(let report): ask(.reflection(report), in: &turn)
        case .metrics(let events) where !events.isEmpty: ask(.metrics(events), in: &turn)
        case .metrics, .empty:
            state = .idle
            batchMax = Self.metricsPerRequest
            // What was written meanwhile may have come too late to be loaded.
            guard !isWritten else { return load(in: &turn) }
            show(.delivered, in: &turn)
        }
    }

    private mutating func ask(_ request: CoachRequest, in turn: inout Turn<Effect>) {
        state = .asking
        server.begin(request, in: &turn)
        show(.delivering, in: &turn)
    }

    private mutating func answered(
        _ operation: OperationID,
        _ answer: CoachAnswer,
        in turn: inout Turn<Effect>
    ) {
        guard state == .asking else { return }
        switch server.answered(operation, answer, in: &turn) {
        case .none: return
        case .limited(let limit): show(.limited(limit), in: &turn)
        case .signInRequired: show(.signInRequired, in: &turn)
        case .settled(let request, let answer): settled(request, answer, in: &turn)
        }
    }

    private mutating func settled(
        _ request: CoachRequest,
        _ answer: CoachAnswer,
        in turn: inout Turn<Effect>
    ) {
        if case .metrics(let events) = request, case .rejected = answer, events.count > 1 {
            // One of them is rejected, and takes the others with it.
            batchMax = max(1, events.count / 2)
            return load(in: &turn)
        }
        batchMax = Self.metricsPerRequest
        let mark = Self.mark(of: request, answer)
        guard mark != Mark() else {
            // An answer that says nothing of what was sent would be asked for again at once.
            state = .waiting(until: turn.now.advanced(by: Self.storeWait), nil)
            return
        }
        self.mark(mark, in: &turn)
    }

    private mutating func mark(_ mark: Mark, in turn: inout Turn<Effect>) {
        let operation = server.nextOperation()
        turn.order(.mark(operation, outbox, mark))
        state = .marking(operation, mark)
    }

    /// What a last word means for the entries that were sent.
    private static func mark(of request: CoachRequest, _ answer: CoachAnswer) -> Mark {
        let ids: [String]
        switch request {
        case .reflection(let report): ids = [report.id]
        case .metrics(let events): ids = events.map(\.id)
        default: ids = []
        }
        switch answer {
        case .counted(let taken, let refused):
            // What was not asked about is nobody's business here.
            return Mark(
                taken: taken.filter(ids.contains),
                rejected: refused.filter { ids.contains($0.id) }
            )
        case .rejected(let why):
            return Mark(rejected: ids.map { RefusedEvent(id: $0, why: why) })
        default:
            return Mark(taken: ids)
        }
    }

    private mutating func show(_ status: Status, in turn: inout Turn<Effect>) {
        guard status != shown else { return }
        shown = status
        turn.order(.show(status))
    }
}
