import CoachAccount
import CoachExchange
public import SansIO

/// What the coach exchanges for its user's account: outboxes, subscription and cloned voice; and what it does
/// for a user of its own: onboarding and self-talk.
///
/// A machine made of machines beside `CoachCoordinator`, which needs no account. Nothing that is in it outlives
/// the process: the store has it, and `opened` tells it again.
///
/// It is one user's, as its store is: each request is made in a session of the store's owner, or not at all. To
/// its machines a session that is missing is one that the server has refused.
public struct CoachAccountCoordinator: StateMachine {
    /// A fact for the account.
    public typealias Event = CoachAccountEvent
    /// An order from the account.
    public typealias Effect = CoachAccountEffect

    /// Each machine may act once, and again on a request that could not be made; a kept voice, a
    /// deleted one, an owner, and a user are told.
    public static var effectsPerCallMax: Int {
        2
            * (2 * OutboxDelivery.effectsPerCallMax + Entitlements.effectsPerCallMax
                + VoiceProfiles.effectsPerCallMax) + Onboarding.effectsPerCallMax
            + SelfTalk.effectsPerCallMax + UsageLimits.effectsPerCallMax + 5
    }

    /// An app ends with its process.
    public var isFinished: Bool { false }

    var reflections: OutboxDelivery
    var metrics: OutboxDelivery
    var entitlements: Entitlements?
    var voice: VoiceProfiles
    var onboarding: Onboarding?
    var selfTalk: SelfTalk
    var limits = UsageLimits()
    var errands = CoachErrands()
    private(set) var owner: StoreOwner
    /// Whether another user's store was ordered, so that nothing of this one happens any more.
    private var isOver = false

    /// Makes the account of a process that begins; its store is not open yet.
    ///
    /// - Parameters:
    ///   - configuration: What the account has.
    ///   - user: Whose its store is; `nil` while that is nobody's.
    ///   - seeds: The entropy of the waits.
    public init(
        configuration: CoachAccountConfiguration,
        user: String?,
        seeds: CoachAccountSeeds
    ) {
        owner = StoreOwner(user)
        reflections = OutboxDelivery(.reflections, seed: seeds.reflections)
        metrics = OutboxDelivery(.metrics, seed: seeds.metrics)
        entitlements = configuration.subscription.map {
            Entitlements(verifier: $0.verifier, policy: $0.policy, seed: seeds.entitlements)
        }
        voice = VoiceProfiles(seed: seeds.voice)
        onboarding = configuration.onboards ? Onboarding() : nil
        selfTalk = SelfTalk(headphones: configuration.headphones)
    }

    /// Whether the user has access; before the store is open no user is locked out.
    public var hasAccess: Bool { entitlements?.status?.isEntitled ?? true }

    /// Whether the server has everything that was in the outboxes.
    public var isDelivered: Bool {
        reflections.status == .delivered && metrics.status == .delivered
    }

    /// The earliest of the inner machines' deadlines.
    public var deadline: Deadline? {
        guard !isOver else { return nil }
        var earliest = Deadline.earliest(reflections.deadline, metrics.deadline)
        earliest = .earliest(earliest, entitlements?.deadline)
        earliest = .earliest(earliest, voice.deadline)
        earliest = .earliest(.earliest(earliest, onboarding?.deadline), limits.deadline)
        return .earliest(earliest, errands.sync.map { Deadline($0.due, "sync") })
    }

    /// Takes one fact.
    public mutating func handle(_ event: Event, in turn: inout Turn<Effect>) {
        guard !isOver else { return }
        switch event {
        case .opened(let facts): opened(facts, in: &turn)
        case .signedIn(let session): signedIn(session, in: &turn)
        case .signedOut: owner.signedOut()
        case .pathRestored:
            tellOutboxes(.pathRestored, in: &turn)
            tellEntitlements(.pathRestored, in: &turn)
            tellVoice(.pathRestored, in: &turn)
        case .outboxWritten(let outbox): tell(outbox, .written, in: &turn)
        case .deliveryRequested: tellOutboxes(.written, in: &turn)
        case .loaded(let outbox, let operation, let batch):
            tell(outbox, .loaded(operation, batch), in: &turn)
        case .loadFailed(let outbox, let operation):
            tell(outbox, .loadFailed(operation), in: &turn)
        case .marked(let outbox, let operation, let isDone):
            tell(outbox, .marked(operation, isDone: isDone), in: &turn)
        case .transactionUpdated(let signed):
            tellEntitlements(.transactionUpdated(signed), in: &turn)
        case .clockJumped(let time): tellEntitlements(.clockJumped(time), in: &turn)
        case .serverAnswered(let part, let operation, let answer):
            // Whichever request met a limit, it holds for all of its kind.
            if case .limited(let count) = answer { tellLimits(.refused(count), in: &turn) }
            switch part {
            case .reflections: tell(.reflections, .serverAnswered(operation, answer), in: &turn)
            case .metrics: tell(.metrics, .serverAnswered(operation, answer), in: &turn)
            case .entitlements: tellEntitlements(.serverAnswered(operation, answer), in: &turn)
            case .voice: tellVoice(.serverAnswered(operation, answer), in: &turn)
            case .preload: linkAnswered(operation, answer, in: &turn)
            case .guide:
                turn.order(
                    .answerCoach(.summaryAnswered(operation, accepted: answer.settlesSummary))
                )
            }
        case .errand(let errand): run(errand, in: &turn)
        case .voice(let event): tellVoice(event, in: &turn)
        case .onboarding(let event): tellOnboarding(event, in: &turn)
        case .selfTalk(let event):
            for effect in selfTalk.drive(event, at: turn.now) { turn.order(.selfTalk(effect)) }
        }
    }

    /// Wakes the inner machines; each ignores a wake before its own deadline (law L2).
    public mutating func wake(in turn: inout Turn<Effect>) {
        guard !isOver else { return }
        tellOutboxes(nil, in: &turn)
        tellEntitlements(nil, in: &turn)
        tellVoice(nil, in: &turn)
        tellOnboarding(nil, in: &turn)
        tellLimits(nil, in: &turn)
        completeSync(in: &turn)
    }

    /// Access first, as a user may be waiting for it; what a kill has left in the outboxes last.
    private mutating func opened(_ facts: CoachAccountFacts, in turn: inout Turn<Effect>) {
        if let user = owner.user { turn.order(.tellUser(user)) }
        if let session = facts.session { enter(session, in: &turn) }
        guard !isOver else { return }
        tellEntitlements(
            .opened(
                facts.entitlement,
                clock: facts.time,
                current: facts.transaction,
                others: facts.othersTransactions
            ),
            in: &turn
        )
        tellVoice(.opened(facts.voice), in: &turn)
        tellOnboarding(.opened(facts.onboarding), in: &turn)
        tellOutboxes(.written, in: &turn)
    }
}

// MARK: Whose it is

extension CoachAccountCoordinator {
    private mutating func signedIn(_ session: String, in turn: inout Turn<Effect>) {
        enter(session, in: &turn)
        guard owner.session != nil else { return }
        tellOutboxes(.signedIn, in: &turn)
        tellEntitlements(.signedIn, in: &turn)
        tellVoice(.signedIn, in: &turn)
    }

    /// Takes a session, claims a store of nobody's, and leaves one of another user's.
    private mutating func enter(_ session: String, in turn: inout Turn<Effect>) {
        switch owner.signedIn(session) {
        case .own: return
        case .claimed(by: let user):
            turn.order(.claim(user))
            turn.order(.tellUser(user))
        case .foreign(nil): turn.order(.showSignIn)
        case .foreign(let user?):
            isOver = true
            turn.order(.openStore(of: user))
        }
    }

    /// Makes a request in the owner's session.
    ///
    /// - Returns: Whether there is one; else nothing was ordered.
    mutating func ask(
        _ request: CoachRequest,
        _ operation: OperationID,
        of part: CoachAccountPart,
        in turn: inout Turn<Effect>
    ) -> Bool {
        guard let session = owner.session else { return false }
        turn.order(.callServer(part, operation, request, session: session))
        return true
    }
}

// MARK: Telling

/// Each `tell` gives one inner machine a fact, or wakes it, and follows what it orders.
extension CoachAccountCoordinator {
    mutating func tellOutboxes(
        _ event: OutboxDelivery.Event?,
        in turn: inout Turn<Effect>
    ) {
        tell(.reflections, event, in: &turn)
        tell(.metrics, event, in: &turn)
    }

    private mutating func tell(
        _ outbox: OutboxDelivery.Outbox,
        _ event: OutboxDelivery.Event?,
        in turn: inout Turn<Effect>
    ) {
        let effects =
            switch outbox {
            case .reflections: reflections.drive(event, at: turn.now)
            case .metrics: metrics.drive(event, at: turn.now)
            }
        let part = CoachAccountPart(outbox)
        var refused: OperationID?
        for effect in effects {
            switch effect {
            case .load(let operation, _, let countMax):
                turn.order(.load(outbox, operation, countMax: countMax))
            case .mark(let operation, _, let mark): turn.order(.mark(outbox, operation, mark))
            case .callServer(let operation, let request):
                if !ask(request, operation, of: part, in: &turn) { refused = operation }
            case .cancelCall(let operation): turn.order(.cancelCall(part, operation))
            case .show(let status): turn.order(.showDelivery(outbox, status))
            }
        }
        if let refused { tell(outbox, .serverAnswered(refused, .unauthorized), in: &turn) }
    }

    private mutating func tellEntitlements(
        _ event: Entitlements.Event?,
        in turn: inout Turn<Effect>
    ) {
        var refused: OperationID?
        for effect in entitlements?.drive(event, at: turn.now) ?? [] {
            switch effect {
            case .keep(let record): turn.order(.keepEntitlement(record))
            case .callServer(let operation, let request):
                if !ask(request, operation, of: .entitlements, in: &turn) { refused = operation }
            case .cancelCall(let operation): turn.order(.cancelCall(.entitlements, operation))
            case .show(let status): turn.order(.showAccess(status))
            case .signInRequired: turn.order(.showSignIn)
            }
        }
        if let refused { tellEntitlements(.serverAnswered(refused, .unauthorized), in: &turn) }
    }

    private mutating func tellLimits(_ event: UsageLimits.Event?, in turn: inout Turn<Effect>) {
        for effect in limits.drive(event, at: turn.now) {
            switch effect {
            case .show(let kinds): turn.order(.showLimits(kinds))
            }
        }
    }

    private mutating func tellVoice(_ event: VoiceProfiles.Event?, in turn: inout Turn<Effect>) {
        var refused: OperationID?
        for effect in voice.drive(event, at: turn.now) {
            switch effect {
            case .callServer(let operation, let request):
                if !ask(request, operation, of: .voice, in: &turn) { refused = operation }
            case .cancelCall(let operation): turn.order(.cancelCall(.voice, operation))
            case .keepProgress(_, let progress):
                turn.order(.voice(effect))
                // No voice is used whose deletion was asked for (AN-04).
                let isAvailable = if case .registered = progress { true } else { false }
                turn.order(.tellClone(isAvailable: isAvailable))
            case .show(let status):
                turn.order(.voice(effect))
                // Each process that finds a deletion under way says so: the one before may have died at it.
                if status == .deleting { turn.order(.answerCoach(.voiceDeleted)) }
            case .keepKeys, .keepRecording, .readRecording, .destroyRecording, .destroyVoiceKey:
                turn.order(.voice(effect))
            }
        }
        if let refused { tellVoice(.serverAnswered(refused, .unauthorized), in: &turn) }
    }

    private mutating func tellOnboarding(
        _ event: Onboarding.Event?,
        in turn: inout Turn<Effect>
    ) {
        for effect in onboarding?.drive(event, at: turn.now) ?? [] {
            turn.order(.onboarding(effect))
        }
    }
}

extension CoachAnswer {
    /// Whether a summary need not be sent again: the server has it, or rejects it for what it says, which would hold up
    /// those behind it for ever.
    fileprivate var settlesSummary: Bool {
        switch self {
        case .accepted, .rejected, .gone: true
        default: false
        }
    }
}
