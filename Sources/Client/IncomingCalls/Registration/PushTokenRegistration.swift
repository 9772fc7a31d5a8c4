public import SansIO

/// Keeps the server informed of this device's token for VoIP pushes (VP-03, D-04).
///
/// Each launch registers anew: a server may have lost what it knew. A failed registration is tried again
/// after 2, 4 and 8 s, then ever more seldom, and whenever something changes: launch, token, user,
/// network, and when the app comes to the front. A user who logs out is not called here any more: the
/// server is told in their name, with the same patience. So it is of a token that PushKit takes back before it
/// gives another: the push service may take pushes to it for an hour more, and a caller hears
/// it ring where no phone does.
///
/// A request that has taken too long may still be answered, as `PatientRequest` says.
public struct PushTokenRegistration: StateMachine {
    /// A fact for the registration.
    public enum Event: Sendable, Equatable {
        /// PushKit gave a token (`pushRegistry(_:didUpdate:for:)`).
        case tokenReceived([UInt8])
        /// PushKit took it back (`pushRegistry(_:didInvalidatePushTokenFor:)`).
        case tokenInvalidated
        /// The app's credentials for its server, if it has them.
        case credentialsChanged(CallCredentials?)
        /// The user logs out: what is ordered from now on is ordered in their name, until there is another.
        case loggedOut
        /// There is a network again, or another one.
        case pathRestored
        /// The user has the app in front.
        case cameToFront
        /// The app leaves the front, and is suspended soon.
        case leftFront
        /// The server answered.
        case apiAnswered(OperationID, CallAnswer)
    }

    /// An order from the registration.
    public enum Effect: Sendable, Equatable {
        /// A request to the app's own server.
        case callAPI(OperationID, CallRequest)
        /// Cancels a request; its answer is no longer needed.
        case cancelAPI(OperationID)
        /// The server knows the token.
        case registered
        /// It knows it only now, after tries that failed or a time without one: a call may have been
        /// missed meanwhile.
        case registeredLate
        /// It does not: from now on tries are seldom.
        case gaveUp
        /// The login is not valid any more.
        case signInRequired
        /// The device's identity is another user's.
        case deviceIdentityRefused
    }

    /// What the registration does.
    enum State: Sendable, Equatable {
        /// There is nothing to tell the server, or no user to tell it for.
        case idle
        case uploading
        case waiting(until: Instant)
        case registered
        /// All fast tries failed; the next is due at `again`, if the network or the user does not return
        /// before.
        case failed(again: Instant?)
    }

    /// The waits after failures (VP-03).
    static let retryDelays: [Duration] = [.seconds(2), .seconds(4), .seconds(8)]
    /// How long a request may take, as others of the app do.
    static let requestTimeout = Duration.seconds(5)
    /// The least time between two tries that path notices start, so that a path that flaps makes no storm.
    static let pathGrace = Duration.seconds(2)

    /// Three requests given up, another made.
    public static var effectsPerCallMax: Int { 4 }

    /// A token may always change.
    public var isFinished: Bool { false }

    private let bundleId: String
    private let followsPath: Bool
    private(set) var state = State.idle
    private var token: DeviceToken?
    private var credentials: CallCredentials?
    /// Whether a user has logged out whom the server still calls here.
    private var isLeaving = false
    private var failures = 0
    /// The tries that are seldom, since all fast ones have failed.
    private var seldom = Backoff()
    private var generator: SeededGenerator
    /// The token that PushKit took back, until the server knows that it is dead or knows a new one.
    private var withdrawn: DeviceToken?
    /// Whether calls may have been missed since the server last knew the token: a try has failed, or
    /// there was no token.
    private var mayHaveMissed = false
    /// Whether an identity was refused in this login since the server last knew the token.
    private var hasRefusedIdentity = false
    private var requests = PatientRequest()
    private var latestPathTry: Instant?
    /// Until when a busy server asks to be left alone.
    private var busyUntil = Instant.zero
    private var operations: OperationCounter

    /// Makes a registration of no token.
    ///
    /// - Parameters:
    ///   - bundleId: The app's bundle identifier.
    ///   - followsPath: Whether the network's return makes another try; the source design's does not.
    ///   - seed: The entropy of its waits.
    ///   - operations: The numbers its operations get.
    public init(
        bundleId: String,
        followsPath: Bool = true,
        seed: UInt64,
        operations: OperationCounter = OperationCounter()
    ) {
        self.bundleId = bundleId
        self.followsPath = followsPath
        generator = SeededGenerator(seed: seed)
        self.operations = operations
    }

    /// Whether the server is being told, or is told again in a moment.
    public var isTrying: Bool {
        switch state {
        case .uploading, .waiting: !seldom.hasFailed
        case .idle, .registered, .failed: false
        }
    }

    /// When a request has taken too long, or the next is due.
    public var deadline: Deadline? {
        switch state {
        case .idle, .registered: nil
        case .failed(let again): again.map { Deadline($0, "token upload") }
        case .uploading: requests.pending.map { Deadline($0.until, "token upload timeout") }
        case .waiting(let until): Deadline(until, "token upload")
        }
    }

    /// Takes one fact.
    public mutating func handle(_ event: Event, in turn: inout Turn<Effect>) {
        switch event {
        case .tokenReceived(let bytes):
            guard let latest = DeviceToken(bytes), latest != token else { return }
            token = latest
            withdrawn = nil
            begin(in: &turn)
        case .tokenInvalidated:
            if let token, credentials != nil {
                withdrawn = token
                mayHaveMissed = true
            }
            token = nil
            begin(in: &turn)
        case .credentialsChanged(let latest):
            guard latest != credentials else { return }
            if latest?.bearer != credentials?.bearer { hasRefusedIdentity = false }
            credentials = latest
            // A device is its new user's alone.
            isLeaving = false
            begin(in: &turn)
        case .loggedOut:
            guard credentials != nil else { return }
            credentials = nil
            withdrawn = nil
            isLeaving = true
            begin(in: &turn)
        case .pathRestored: pathRestored(in: &turn)
        case .cameToFront, .leftFront:
            // What waits is tried in a moment anyway.
            guard case .failed = state else { return }
            pathRestored(in: &turn)
        case .apiAnswered(let operation, let answer):
            answered(operation, answer, in: &turn)
        }
    }

    /// Acts on a try that is due or has taken too long.
    public mutating func wake(in turn: inout Turn<Effect>) {
        guard let deadline, turn.now >= deadline.instant else { return }
        switch state {
        case .idle, .registered:
            return
        case .uploading:
            // On a path of seconds only the first of all is answered in time.
            requests.leaveLateButFirst { turn.order(.cancelAPI($0)) }
            failed(in: &turn)
        case .waiting, .failed:
            upload(in: &turn)
        }
    }

    /// Starts anew with the present token and user.
    private mutating func begin(in turn: inout Turn<Effect>) {
        requests.giveUp { turn.order(.cancelAPI($0)) }
        busyUntil = .zero
        state = .idle
        failures = 0
        seldom.reset()
        upload(in: &turn)
    }

    private mutating func upload(in turn: inout Turn<Effect>) {
        guard let request else { return }
        let operation = operations.next()
        turn.order(.callAPI(operation, request))
        requests.sent(operation, at: turn.now, patience: Self.requestTimeout)
        state = .uploading
    }

    /// What the server is to be told.
    private var request: CallRequest? {
        if isLeaving { return .unregisterDevice }
        guard credentials != nil else { return nil }
        guard let token else { return withdrawn.map(CallRequest.withdrawToken) }
        return .registerDevice(DeviceRegistration(voipDeviceToken: token, bundleId: bundleId))
    }

    /// Takes the answer to the request that is waited for, or to the one that is late.
    private mutating func answered(
        _ operation: OperationID,
        _ answer: CallAnswer,
        in turn: inout Turn<Effect>
    ) {
        let isRefused = answer == .refused(statusCode: 401)
        // A new identity is nobody's: a server that refuses that as well would refuse any.
        let isForeign = answer == .foreignDevice && !isLeaving && !hasRefusedIdentity
        let settles = isRefused || isForeign || answer == .accepted
        let outcome = requests.answered(operation, settles: settles) {
            turn.order(.cancelAPI($0))
        }
        switch outcome {
        case .ignored: return
        case .failed: failed(waiting: answer.wait, in: &turn)
        case .settled where isForeign:
            // Nothing is registered until there is another identity.
            state = .idle
            hasRefusedIdentity = true
            mayHaveMissed = true
            turn.order(.deviceIdentityRefused)
        case .settled: settled(isRefused: isRefused, in: &turn)
        }
    }

    private mutating func settled(isRefused: Bool, in turn: inout Turn<Effect>) {
        state = .idle
        busyUntil = .zero
        if isLeaving {
            // It knows, or does not know the user: there is no more to say in their name.
            isLeaving = false
        } else if isRefused {
            credentials = nil
            turn.order(.signInRequired)
        } else if token == nil {
            withdrawn = nil
        } else {
            state = .registered
            hasRefusedIdentity = false
            turn.order(mayHaveMissed ? .registeredLate : .registered)
            mayHaveMissed = false
        }
    }

    private mutating func failed(waiting wait: Duration = .zero, in turn: inout Turn<Effect>) {
        mayHaveMissed = true
        if wait > .zero { busyUntil = turn.now.advanced(by: wait) }
        guard failures < Self.retryDelays.count else {
            if !seldom.hasFailed { turn.order(.gaveUp) }
            let pause = max(wait, seldom.nextSeldom(by: &generator))
            // The source design's tries no more (D-04).
            state = .failed(again: followsPath ? turn.now.advanced(by: pause) : nil)
            return
        }
        state = .waiting(until: turn.now.advanced(by: max(wait, Self.retryDelays[failures])))
        failures += 1
    }

    /// Tries at once, but no more often than every `pathGrace`, and no busy server.
    private mutating func pathRestored(in turn: inout Turn<Effect>) {
        guard followsPath else { return }
        switch state {
        case .idle, .uploading, .registered:
            return
        case .waiting, .failed:
            failures = 0
            seldom.reset()
            let soonest = latestPathTry.map { $0.advanced(by: Self.pathGrace) } ?? turn.now
            let next = max(soonest, busyUntil)
            guard next <= turn.now else {
                state = .waiting(until: next)
                return
            }
            latestPathTry = turn.now
            upload(in: &turn)
        }
    }
}
