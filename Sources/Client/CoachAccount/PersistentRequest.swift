import CoachExchange
import SansIO

/// An order of a machine that asks the coach's server.
protocol CoachOrder {
    /// Makes a request.
    static func callServer(_ operation: OperationID, _ request: CoachRequest) -> Self
    /// Cancels a call; its answer is no longer needed.
    static func cancelCall(_ operation: OperationID) -> Self
}

/// How patient the coach's requests are.
public struct CoachPatience: Sendable, Equatable {
    /// How long a request may take until another is tried beside it: 15 s, an assumption; a part of
    /// a recording takes 6 s at 64 kbit/s.
    public var requestTimeout: Duration = .seconds(15)
    /// The first wait after a failure, doubled with each: 1 s, an assumption.
    public var backoffFirst: Duration = .seconds(1)
    /// The longest wait after failures, and that for another session: 15 min, an assumption.
    public var backoffMax: Duration = .seconds(900)

    /// The default figures.
    public init() {}
}

/// One request to the coach's server, made until it is settled.
///
/// A failure never ends it: as long as it is not settled there is a deadline for the next try, also
/// without a session or a network. The server counts each request once, so that a late answer and a
/// second try do no harm.
struct PersistentRequest: Sendable, Equatable {
    /// What an answer leads to.
    enum Outcome: Sendable, Equatable {
        /// Nothing: it is no longer needed, or another attempt follows.
        case none
        /// The server has said the last word.
        case settled(CoachRequest, CoachAnswer)
        /// A limit is reached; another try follows when it is reset.
        case limited(UsageCount)
        /// The session is not valid; another try follows with the next, or after a while.
        case signInRequired
    }

    /// What a request may be made for before its wait is over.
    enum Hope: Sendable, Equatable {
        /// There is a network again, or another one.
        case path
        /// The user has signed in.
        case session
    }

    /// What the server has said that no path changes.
    private enum Hold: Sendable, Equatable {
        /// A limit is reached.
        case limit
        /// The session is not valid.
        case session
    }

    /// The longest wait for a limit to be reset: a day; the server may have been told another.
    private static let limitWaitMax = Duration.seconds(86_400)
    /// The least time between two tries that path notices start: a path that flaps makes no storm.
    private static let pathGrace = Duration.seconds(2)

    private let patience: CoachPatience
    private var generator: SeededGenerator
    private var operations: OperationCounter
    private var backoff = Backoff()
    private(set) var request: CoachRequest?
    private var calls = PatientRequest()
    private var retryAt: Instant?
    /// Why the present wait is not cut short by a path; `nil` while the request is under way.
    private var hold: Hold?
    private var latestHurry: Instant?

    init(_ patience: CoachPatience, seed: UInt64, operations: OperationCounter) {
        self.patience = patience
        generator = SeededGenerator(seed: seed)
        self.operations = operations
    }

    /// When the request has taken too long or is made again; `nil` only if there is none.
    var deadline: Deadline? {
        guard request != nil else { return nil }
        if let pending = calls.pending { return Deadline(pending.until, "coach request timeout") }
        return retryAt.map { Deadline($0, "coach retry") }
    }

    /// The number of another operation of the same machine.
    mutating func nextOperation() -> OperationID { operations.next() }

    /// Makes a request, in place of the present one if there is one.
    mutating func begin(_ request: CoachRequest, in turn: inout Turn<some CoachOrder>) {
        drop(in: &turn)
        self.request = request
        backoff.reset()
        ask(in: &turn)
    }

    /// Asks no more.
    mutating func drop<Order: CoachOrder>(in turn: inout Turn<Order>) {
        calls.giveUp { turn.order(Order.cancelCall($0)) }
        request = nil
        retryAt = nil
    }

    /// Takes an answer, which may belong to another request.
    mutating func answered<Order: CoachOrder>(
        _ operation: OperationID,
        _ answer: CoachAnswer,
        in turn: inout Turn<Order>
    ) -> Outcome {
        guard let request else { return .none }
        let settles = answer.settles(request)
        let outcome = calls.answered(operation, settles: settles) {
            turn.order(Order.cancelCall($0))
        }
        switch outcome {
        case .ignored: return .none
        case .settled:
            self.request = nil
            retryAt = nil
            return .settled(request, answer)
        case .failed: break
        }
        switch answer {
        case .limited(let limit):
            let wait = min(max(limit.resetsIn, .seconds(1)), Self.limitWaitMax)
            retryAt = turn.now.advanced(by: wait)
            hold = .limit
            return .limited(limit)
        case .busy(let told):
            retryAt = turn.now.advanced(by: max(told.wait, nextWait()))
            hold = .limit
            return .none
        case .unauthorized:
            retryAt = turn.now.advanced(by: max(patience.backoffMax, .milliseconds(1)))
            hold = .session
            return .signInRequired
        default:
            retryAt = turn.now.advanced(by: nextWait())
            return .none
        }
    }

    /// Acts on a request that has taken too long, or is due again.
    mutating func wake<Order: CoachOrder>(in turn: inout Turn<Order>) {
        guard let deadline, deadline.instant <= turn.now else { return }
        if calls.pending == nil { return ask(in: &turn) }
        calls.leaveLate { turn.order(Order.cancelCall($0)) }
        retryAt = turn.now.advanced(by: nextWait())
    }

    /// There is new hope: another path, or another session.
    ///
    /// A limit is waited out all the same, and without a session no path helps.
    mutating func hurry(_ hope: Hope, in turn: inout Turn<some CoachOrder>) {
        guard request != nil, calls.pending == nil, let present = retryAt else { return }
        guard hold == nil || hold == .session && hope == .session else { return }
        backoff.reset()
        let soonest = latestHurry.map { max(turn.now, $0.advanced(by: Self.pathGrace)) } ?? turn.now
        guard soonest <= turn.now else {
            retryAt = min(present, soonest)
            return
        }
        latestHurry = turn.now
        ask(in: &turn)
    }

    private mutating func ask<Order: CoachOrder>(in turn: inout Turn<Order>) {
        guard let request else { return }
        let operation = operations.next()
        turn.order(Order.callServer(operation, request))
        let timeout = max(patience.requestTimeout, .milliseconds(1))
        calls.sent(operation, at: turn.now, patience: timeout)
        retryAt = nil
        hold = nil
    }

    private mutating func nextWait() -> Duration {
        backoff.next(first: patience.backoffFirst, longest: patience.backoffMax, by: &generator)
    }
}

extension CoachAnswer {
    /// Whether this is the last word on a request.
    fileprivate func settles(_ request: CoachRequest) -> Bool {
        switch (self, request) {
        // What the user wants deleted is asked for until it is.
        case (.rejected, .deleteVoice): false
        case (.rejected, _), (.gone, _): true
        case (.accepted, .reflection), (.accepted, .summary): true
        case (.accepted, .clonePart), (.accepted, .deleteVoice): true
        case (.counted, .metrics), (.uploading, .cloneBegin), (.registered, .cloneBegin): true
        case (.registered, .cloneComplete), (.beginFirst, .clonePart): true
        case (.beginFirst, .cloneComplete), (.link, .presignWake): true
        case (.entitlement, .entitlement), (.usage, .usage): true
        // A list of nothing would be answered by the same question at once.
        case (.partsMissing(let missing), .cloneComplete): !missing.isEmpty
        default: false
        }
    }
}
