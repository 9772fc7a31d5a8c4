public import SansIO

/// Exchanges changes between a replica's file and its primary, one sync at a time (RP-01 to RP-06).
///
/// A sync hands over what the file keeps for the primary and takes what it lacks, in as many
/// exchanges as it needs. The next one follows after a while, soon after a write, and at once when
/// it is asked for, when the app comes to the front and when there is a network again. Without a
/// network nothing is asked: rows are read and written without the machine (D-12).
///
/// A request that has no answer, or a useless one, is made again within its sync, as
/// `PatientRequest` says. What the server answers well, and again and again without end, ends the
/// sync: the next one follows after a wait that grows.
public struct ReplicaSynchronizer: StateMachine {
    /// A fact for the synchronizer.
    public typealias Event = ReplicaEvent
    /// An order from it.
    public typealias Effect = ReplicaEffect

    /// What a sync does.
    enum State: Sendable, Equatable {
        /// There is none.
        case idle
        case readingSession(OperationID)
        case readingCredential(OperationID)
        case loading(OperationID)
        /// A request is in flight, or is made again in a moment.
        case asking(Question)
        /// The file takes something.
        case storing(Portion)
    }

    /// What is asked of the server.
    enum Question: Sendable, Equatable {
        case credential
        case exchange(UnsentBatch)
        /// The next page of a snapshot.
        case rows
        case migration
    }

    /// What the file takes, and what is to follow.
    enum Portion: Sendable, Equatable {
        case page(isMore: Bool, isProgress: Bool)
        case rows(generation: String, next: String?, isEmpty: Bool)
        /// It sets changes aside; the rows are to be fetched anew.
        case refusals
    }

    /// A secret, as far as it is known.
    enum Secret<Value: Sendable & Equatable>: Sendable, Equatable {
        /// Secure storage was not asked yet.
        case unread
        case missing
        case known(Value)
    }

    /// A snapshot of which some pages are in the file.
    struct Staging: Sendable, Equatable {
        let generation: String
        /// What the next page is asked for with.
        let next: String
    }

    /// How often a sync has met what may not go on for ever.
    struct Repeats: Sendable, Equatable {
        /// Tokens refused.
        var refusals = 0
        /// Migrations asked for.
        var migrations = 0
        /// Snapshots begun.
        var snapshots = 0
        /// Pieces of the log that did not fit the file.
        var misfits = 0
        /// Answers in a row that call for another and bring nothing.
        var stalls = 0
        /// How many changes an exchange may hand over after the primary refused more; `nil` before.
        var handedMax: Int?
        /// How many times as much as the first exchange the next one may hand over.
        var batchFactor = 1
    }

    /// How often one sync does what it should need once: a second time may be bad luck.
    static let repeatsMax = 2
    /// The greatest factor: 48 KiB, of the 64 KiB that the server reads.
    static let batchFactorMax = 4
    /// The least time between two tries that path notices start: a path that flaps makes no storm.
    static let pathGrace = Duration.seconds(2)

    /// Three requests given up, a credential deleted, the file claimed, a sync begun, time asked for and the
    /// status.
    public static var effectsPerCallMax: Int { 8 }

    /// There may always be another change.
    public var isFinished: Bool { false }

    let configuration: ReplicaConfiguration
    var generator: SeededGenerator
    var operations: OperationCounter

    var state = State.idle
    var requests = PatientRequest()
    /// When the request is made again that nothing is waited for of.
    var retryAt: Instant?
    /// What the file takes; only one thing at a time, even if its sync has ended meanwhile.
    var storing: OperationID?
    /// How the file stands; `nil` until it is open.
    var standing: ReplicaStanding?
    /// Whether that is not the user's who is signed in: the file is somebody else's.
    var isForeign = false
    /// Whether the primary knows a later schema than this version of the app (RP-05).
    var isOutdated = false
    var staging: Staging?
    var repeats = Repeats()

    var session = Secret<String>.unread
    var credential = Secret<ReplicaCredential>.unread

    /// Whether there is a network; `nil` until the system has said so.
    var isOnline: Bool?
    /// When a path notice last started a try.
    var latestPathTry: Instant?
    /// Until when a busy server asks to be left alone.
    var busyUntil = Instant.zero
    /// Whether a path notice starts the next one.
    var isPathTry = false

    /// When the next sync begins, if nothing is written before.
    var next: Instant?
    /// When it begins for what was written and not loaded since.
    var writeDue: Instant?
    /// Whether another sync was asked for since the file was last asked what it keeps.
    var isWantedAgain = false
    /// How the last sync ended; `nil` if it was cut short, or if there was none.
    var ending: ReplicaStatus?
    /// Requests in a row that failed.
    var failures = Backoff()
    /// Syncs in a row that ended without success, although the server answered.
    var setbacks = Backoff()
    var shown: ReplicaStatus?
    /// Whether the app is in the background, and the system gives it no more time there.
    var isAway = false
    var isOutOfTime = false
    /// Whether it has asked for time there.
    private var hasAskedForTime = false

    /// Makes a synchronizer of a file that is not open yet.
    ///
    /// - Parameters:
    ///   - configuration: What can be tuned, and the app's schema.
    ///   - seed: The seed of its waits' jitter.
    ///   - operations: The numbers its operations get.
    public init(
        configuration: ReplicaConfiguration,
        seed: UInt64,
        operations: OperationCounter = OperationCounter()
    ) {
        self.configuration = configuration
        self.operations = operations
        generator = SeededGenerator(seed: seed)
    }

    /// What the app shows; `nil` until there is something to show.
    public var status: ReplicaStatus? { shown }

    /// When the next sync is due, or a request has taken too long or is made again.
    public var deadline: Deadline? {
        switch state {
        case .idle:
            guard canBegin, let due else { return nil }
            return Deadline(due, hasFailed ? "replica retry" : "replica sync")
        case .asking:
            if let pending = requests.pending {
                return Deadline(pending.until, "replica request timeout")
            }
            return retryAt.map { Deadline($0, "replica retry") }
        case .readingSession, .readingCredential, .loading, .storing:
            return nil
        }
    }

    /// Takes one fact.
    public mutating func handle(_ event: ReplicaEvent, in turn: inout Turn<ReplicaEffect>) {
        switch event {
        case .opened(let standing): opened(standing, in: &turn)
        case .signedIn(let session): signedIn(session, in: &turn)
        case .signedOut: signedOut(in: &turn)
        case .pathChanged(let isSatisfied):
            pathChanged(isSatisfied, in: &turn)
        case .cameToFront:
            isAway = false
            isOutOfTime = false
            hasten(in: &turn)
        case .wentToBackground: isAway = true
        case .timeExpired: isOutOfTime = true
        case .wrote: wrote(in: &turn)
        case .syncRequested:
            if state != .idle { isWantedAgain = true }
            hasten(in: &turn)
        case .secretRead(let operation, let answer):
            secretRead(operation, answer, in: &turn)
        case .unsentLoaded(let operation, let batch):
            guard state == .loading(operation) else { return }
            ask(.exchange(batch), in: &turn)
        case .stored(let operation, let outcome):
            stored(operation, outcome, in: &turn)
        case .serverAnswered(let operation, let answer):
            serverAnswered(operation, answer, in: &turn)
        }
        settleBackgroundTask(in: &turn)
        show(in: &turn)
    }

    /// Acts on a sync that is due, or on a request that has taken too long or is due again.
    public mutating func wake(in turn: inout Turn<ReplicaEffect>) {
        guard let deadline, turn.now >= deadline.instant else { return }
        if case .asking = state, let pending = requests.pending {
            // On a path of seconds only the first of all is answered in time.
            requests.leaveLateButFirst { turn.order(.cancelCall($0)) }
            repeats.batchFactor = 1
            // What had no answer has waited already.
            let wait = failures.next(configuration, &generator)
            retryAt = max(turn.now, pending.since.advanced(by: wait))
        }
        proceedIfDue(in: &turn)
        show(in: &turn)
    }

    /// Keeps the app from being suspended as long as the file takes something.
    mutating func settleBackgroundTask(in turn: inout Turn<ReplicaEffect>) {
        let isNeeded = isAway && !isOutOfTime && storing != nil
        guard isNeeded != hasAskedForTime else { return }
        hasAskedForTime = isNeeded
        if isNeeded {
            turn.order(.beginBackgroundTask)
        } else {
            turn.order(.endBackgroundTask)
        }
    }

    private mutating func show(in turn: inout Turn<ReplicaEffect>) {
        guard let present, present != shown else { return }
        shown = present
        turn.order(.show(present))
    }

    /// How the replica stands now; `nil` if that is not known, or nothing new.
    private var present: ReplicaStatus? {
        guard standing != nil else { return nil }
        if session == .missing { return .signedOut }
        if isForeign { return .foreign }
        if isOutdated { return .outdated }
        guard let isOnline else { return nil }
        guard isOnline else { return .offline }
        switch state {
        case .idle: return ending
        case .asking: return requests.pending == nil ? .backingOff : .syncing
        case .readingSession, .readingCredential, .loading, .storing: return .syncing
        }
    }
}
