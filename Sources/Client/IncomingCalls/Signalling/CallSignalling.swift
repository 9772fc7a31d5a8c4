public import SansIO

/// One call's talk with the app's own server: places it, follows it, answers it, ends it (VP-05, VP-09).
///
/// It has one goal at a time, of which a later one replaces the former. What fails for want of a
/// network or of a server is tried again until the goal changes; what the server refuses is not.
/// Without credentials it waits for them: an app may be answered before it is ready.
///
/// A request that has taken too long may still be answered, as `PatientRequest` says.
///
/// An end is told until the server has taken it, however long there is no network: the other side waits.
/// It does not wait for hours, so that an unanswered end is repeated ever more seldom.
///
/// Every request may be repeated without harm; the server takes a second answer or end of the same
/// device for the first.
public struct CallSignalling: StateMachine {
    /// A fact for the signalling.
    public enum Event: Sendable, Equatable {
        /// The app's credentials for its server, if it has them.
        case credentialsChanged(CallCredentials?)
        /// The call is to be placed.
        case placeRequested(OutgoingCall)
        /// The server is to be asked how the call stands, now and every so often.
        case watchRequested(every: Duration)
        /// From the next answer on the server is to be asked every so often, if it is asked at all.
        case paceChanged(every: Duration)
        /// Something may have changed: ask now.
        case checkRequested
        /// The user answered.
        case answerRequested
        /// The call is over on this side.
        case endRequested(CallEndReason)
        /// The server need not be told anything more of this call.
        case abandoned
        /// There is a network again, or another one.
        case pathRestored
        /// The server answered.
        case apiAnswered(OperationID, CallAnswer)
    }

    /// An order, or what the server was found to say.
    public enum Effect: Sendable, Equatable {
        /// A request to the app's own server.
        case callAPI(OperationID, CallRequest)
        /// Cancels a request; its answer is no longer needed.
        case cancelAPI(OperationID)
        /// The server took the call that was placed.
        case placed(room: String)
        /// The call stands so.
        case learned(CallStatus)
        /// This device's answer is the one that counts.
        case answered(CallOffer)
        /// The server refused what was asked; to this side the call is over.
        case refused(CallEndReason)
        /// The login is not valid any more.
        case signInRequired
    }

    /// What is to be reached.
    enum Goal: Sendable, Equatable {
        case none
        case place(OutgoingCall)
        case watch(every: Duration)
        case fetchOffer
        case answer(CallOffer)
        /// Told to the server: again and again until `until`, and every so often from then on.
        case end(CallEndReason, until: Instant)
    }

    /// What is done for it.
    enum Step: Sendable, Equatable {
        /// Nothing, for want of a goal or of credentials.
        case resting
        case requesting
        case waiting(until: Instant)
    }

    /// How long a request may take: half of what a user waits before they think nothing happens; an
    /// assumption.
    static let requestTimeout = Duration.seconds(4)
    /// The wait after a failure; it doubles up to `longestDelay`, which goes on.
    static let firstDelay = Duration.milliseconds(500)
    /// The longest wait while a user waits.
    static let longestDelay = Duration.seconds(2)
    /// How long an end is repeated that often: as long as a killed app may live on for a push
    /// (signalapp/Signal-iOS, pull request 2632).
    static let endPatience = Duration.seconds(30)
    /// How soon it is repeated after that, should nobody say that there is a network again; an assumption.
    static let lateEndDelay = Duration.seconds(10)
    /// The longest wait between two: none asks about a call any more after a day.
    static let lateEndDelayMax = Duration.seconds(86_400)

    /// Three requests given up, another made and an outcome.
    public static var effectsPerCallMax: Int { 5 }

    /// A call's signalling has ended when the server has taken the end, or need not be told.
    public private(set) var isFinished = false

    /// The call's identity.
    public let callId: String
    var goal = Goal.none
    var step = Step.resting
    var requests = PatientRequest()
    var waits = Backoff()
    /// Until when a busy server asks to be left alone.
    var busyUntil = Instant.zero
    /// The waits of an end that has been told in vain for long.
    private var seldom = Backoff()
    private var generator: SeededGenerator
    /// How long the server's latest answer took.
    var answerTime = Duration.zero
    var credentials: CallCredentials?
    private var operations: OperationCounter

    /// Makes the signalling of a call, without a goal.
    ///
    /// - Parameters:
    ///   - callId: The call's identity.
    ///   - credentials: The app's credentials for its server, if it has them.
    ///   - seed: The entropy of its waits.
    ///   - operations: The numbers its operations get.
    public init(
        callId: String,
        credentials: CallCredentials? = nil,
        seed: UInt64,
        operations: OperationCounter = OperationCounter()
    ) {
        self.callId = callId
        generator = SeededGenerator(seed: seed)
        self.credentials = credentials
        self.operations = operations
    }

    /// When a request has taken too long, or the next is due.
    public var deadline: Deadline? {
        guard !isFinished else { return nil }
        return switch step {
        case .resting: nil
        case .requesting: requests.pending.map { Deadline($0.until, "call request timeout") }
        case .waiting(let until): Deadline(until, "call request")
        }
    }

    /// Takes one fact.
    public mutating func handle(_ event: Event, in turn: inout Turn<Effect>) {
        guard !isFinished else { return }
        switch event {
        case .credentialsChanged(let credentials):
            guard credentials != self.credentials else { return }
            self.credentials = credentials
            restart(in: &turn)
        case .placeRequested(let call): pursue(.place(call), in: &turn)
        case .watchRequested(let interval):
            pursue(.watch(every: interval), in: &turn)
        case .paceChanged(let interval):
            if case .watch = goal { goal = .watch(every: interval) }
        case .answerRequested: pursue(.fetchOffer, in: &turn)
        case .endRequested(let reason):
            let until = turn.now.advanced(by: Self.endPatience)
            pursue(.end(reason, until: until), in: &turn)
        case .abandoned: finish(in: &turn)
        case .checkRequested, .pathRestored: hurry(in: &turn)
        case .apiAnswered(let operation, let answer):
            answered(operation, answer, in: &turn)
        }
    }

    /// Acts on a request that is due or has taken too long.
    public mutating func wake(in turn: inout Turn<Effect>) {
        guard let deadline, turn.now >= deadline.instant else { return }
        switch step {
        case .resting:
            return
        case .requesting:
            // On a path of seconds only the first of all is answered in time.
            requests.leaveLateButFirst { turn.order(.cancelAPI($0)) }
            failed(at: turn.now)
        case .waiting:
            request(in: &turn)
        }
    }
}

// MARK: Asking

extension CallSignalling {
    mutating func pursue(_ goal: Goal, in turn: inout Turn<Effect>) {
        self.goal = goal
        restart(in: &turn)
    }

    /// Lets go of what is in flight and asks anew, if there is something to ask and somebody to ask as.
    private mutating func restart(in turn: inout Turn<Effect>) {
        requests.giveUp { turn.order(.cancelAPI($0)) }
        waits.reset()
        step = .resting
        tellOften(from: turn.now)
        request(in: &turn)
    }

    /// Asks what would be asked later at once, or when a busy server may be asked.
    private mutating func hurry(in turn: inout Turn<Effect>) {
        tellOften(from: turn.now)
        guard case .waiting(let until) = step else { return }
        waits.reset()
        guard turn.now >= busyUntil else {
            step = .waiting(until: min(until, busyUntil))
            return
        }
        request(in: &turn)
    }

    /// Has an end repeated often again, since now the server may hear it.
    private mutating func tellOften(from now: Instant) {
        guard case .end(let reason, _) = goal else { return }
        seldom.reset()
        goal = .end(reason, until: now.advanced(by: Self.endPatience))
    }

    private mutating func request(in turn: inout Turn<Effect>) {
        guard credentials != nil, let request = requestOfGoal else {
            step = .resting
            return
        }
        let operation = operations.next()
        turn.order(.callAPI(operation, request))
        requests.sent(operation, at: turn.now, patience: Self.requestTimeout)
        step = .requesting
    }

    private var requestOfGoal: CallRequest? {
        switch goal {
        case .none: nil
        case .place(let call): .place(call)
        case .watch: .status(callId: callId)
        case .fetchOffer: .offer(callId: callId)
        case .answer: .answer(callId: callId)
        case .end(let reason, _): .end(callId: callId, reason: reason)
        }
    }

    mutating func failed(waiting wait: Duration = .zero, at now: Instant) {
        if wait > .zero { busyUntil = now.advanced(by: wait) }
        var delay = waits.next(first: Self.firstDelay, longest: Self.longestDelay, by: &generator)
        if case .end(_, let until) = goal, now >= until {
            delay = seldom.next(
                first: Self.lateEndDelay,
                longest: Self.lateEndDelayMax,
                growingBy: 8,
                by: &generator
            )
        }
        step = .waiting(until: now.advanced(by: max(delay, wait)))
    }

    mutating func finish(in turn: inout Turn<Effect>) {
        requests.giveUp { turn.order(.cancelAPI($0)) }
        goal = .none
        step = .resting
        isFinished = true
    }
}
