public import CoachExchange
public import SansIO

/// What the user has paid for, as an app shows it (AN-13).
public enum EntitlementStatus: Sendable, Equatable {
    /// Nothing was bought.
    case none
    /// The free trial runs.
    case trial(until: WallTime)
    /// A paid period runs.
    case paid(until: WallTime)
    /// The period is over and the next one is not known yet; access goes on until then.
    case grace(until: WallTime)
    /// Access ended then.
    case ended(WallTime)

    /// Whether the user has access.
    public var isEntitled: Bool {
        switch self {
        case .trial, .paid, .grace: true
        case .none, .ended: false
        }
    }
}

/// How long access lasts past the end of a period whose renewal isn't known (D-27).
public enum EntitlementPolicy: Sendable, Equatable {
    /// As the transaction and its grace say: for as long as the app's billing grace period, where
    /// the App Store has signed no other; 3, 16 or 28 days can be set at App Store Connect.
    case signedGrace(Duration)
    /// The preset `as-specified`: for so long after the last fetch, as a common SDK does
    /// (RevenueCat, 3 days). An outage that lasts longer locks out paying users.
    case sinceLastFetch(Duration)

    /// The default: 16 days.
    public static let standard = EntitlementPolicy.signedGrace(.seconds(16 * 86_400))
    /// What the product's source names: 3 days since the last fetch.
    public static let asSpecified = EntitlementPolicy.sinceLastFetch(.seconds(3 * 86_400))

    /// When access ends that a subscription gives.
    ///
    /// - Parameters:
    ///   - subscription: What the App Store has signed.
    ///   - fetched: When the server was last asked with success, by its clock.
    /// - Returns: The first instant without access.
    public func end(of subscription: Subscription, fetched: WallTime?) -> WallTime {
        let expires = subscription.expires
        if let revoked = subscription.revoked { return min(revoked, expires) }
        switch self {
        case .signedGrace(let grace):
            if let graceEnds = subscription.graceEnds { return max(expires, graceEnds) }
            // A charge that failed without a grace period has none (StoreKit, RenewalState).
            guard subscription.renews, !subscription.isInBillingRetry else { return expires }
            return expires.advanced(by: grace)
        case .sinceLastFetch(let span):
            // A fetch behind the end has shown that there was no renewal.
            guard let fetched, fetched < expires else { return expires }
            return max(expires, fetched.advanced(by: span))
        }
    }
}

/// What the store keeps of an entitlement.
public struct EntitlementRecord: Sendable, Equatable {
    /// The subscription that gives access for longest.
    public var subscription: SignedSubscription?
    /// When the server was last asked with success, by its clock.
    public var fetched: WallTime?
    /// The latest time that the App Store or the server has ever told: it cannot be earlier.
    public var latestKnown: WallTime?

    /// Makes a record.
    public init(
        subscription: SignedSubscription? = nil,
        fetched: WallTime? = nil,
        latestKnown: WallTime? = nil
    ) {
        self.subscription = subscription
        self.fetched = fetched
        self.latestKnown = latestKnown
    }
}

/// Says whether the user has access, from what the App Store has signed, and asks the server for
/// something newer (AN-13, D-27).
///
/// Nothing but a genuine subscription gives access, and nothing but its end takes it: an outage of
/// the billing service, the server or the network changes neither. Time is the server's, counted on,
/// once it was told in this process; before that it is the phone's clock, but never earlier than
/// what was ever told and has passed since, so that a clock that is set back prolongs nothing. A
/// clock that is ahead shortens the access only until the server answers, or it is put right.
///
/// Where the phone's clock is set by hand, either what it showed or what it shows is wrong. Without
/// the server's time the earlier of the two holds, as nobody who has paid is to be locked out on a
/// doubt, and the server is asked at once, which decides.
public struct Entitlements: StateMachine {
    /// A fact for the entitlements.
    public enum Event: Sendable, Equatable {
        /// The store is open, the phone's clock shows this, StoreKit has this transaction at hand, and the
        /// stores of the phone's other users have those: StoreKit knows the phone's owner, not the app's user.
        case opened(
            EntitlementRecord,
            clock: WallTime,
            current: SignedSubscription? = nil,
            others: [SignedSubscription] = []
        )
        /// The phone's clock has jumped.
        case clockJumped(WallTime)
        /// StoreKit has given a transaction: bought, renewed or taken back.
        case transactionUpdated(SignedSubscription)
        /// The server answered.
        case serverAnswered(OperationID, CoachAnswer)
        /// There is a network again, or another one; or the app came to the front.
        case pathRestored
        /// The user has signed in.
        case signedIn
    }

    /// An order from the entitlements.
    public enum Effect: Sendable, Equatable, CoachOrder {
        /// Keeps the record in the store; what is lost by a kill StoreKit and the server tell again.
        case keep(EntitlementRecord)
        /// Makes a request.
        case callServer(OperationID, CoachRequest)
        /// Cancels a call; its answer is no longer needed.
        case cancelCall(OperationID)
        /// Shows what the user has, which is new.
        case show(EntitlementStatus)
        /// The session is not valid: the user must sign in.
        case signInRequired
    }

    /// A subscription and what it says.
    private struct Known: Sendable, Equatable {
        let signed: SignedSubscription
        let says: Subscription
    }

    /// How often the receipt is checked: daily, an assumption; RevenueCat's cache in the background
    /// lives 25 h.
    private static let checkInterval = Duration.seconds(86_400)
    /// How often while a renewal is missing: hourly, an assumption.
    private static let graceInterval = Duration.seconds(3_600)

    /// Three requests given up, one made, a record and the status.
    public static var effectsPerCallMax: Int { 6 }
    /// There may always be another period.
    public var isFinished: Bool { false }

    private let policy: EntitlementPolicy
    private let verifier: SubscriptionVerifier
    private var server: PersistentRequest
    private var record = EntitlementRecord()
    /// The newest word on each subscription that this process has heard of.
    private var known: [Known] = []
    /// What the one says that gives access for longest.
    private var subscription: Subscription?
    /// The subscriptions that another user of the phone has bought, by their original transactions.
    private var foreign: [String] = []
    /// What time it is; `nil` before the store is open.
    private var clock: WallClock?
    /// Whether that is the server's.
    private var isTrusted = false
    /// The earliest that it can be: what was ever told, counted on; `nil` if nothing was.
    private var earliest: WallClock?
    private var checkAt: Instant?
    private var shown: EntitlementStatus?

    /// Makes one of a store that is not open yet.
    ///
    /// - Parameters:
    ///   - verifier: Checks what the App Store has signed.
    ///   - policy: How long access goes on behind a period's end.
    ///   - patience: How patient its requests are.
    ///   - seed: The seed of its waits' jitter.
    ///   - operations: The numbers its operations get.
    public init(
        verifier: SubscriptionVerifier,
        policy: EntitlementPolicy = .standard,
        patience: CoachPatience = CoachPatience(),
        seed: UInt64,
        operations: OperationCounter = OperationCounter()
    ) {
        self.verifier = verifier
        self.policy = policy
        server = PersistentRequest(patience, seed: seed, operations: operations)
    }

    /// The user's entitlement; `nil` before the store is open, when no user is locked out.
    public var status: EntitlementStatus? { shown }

    /// When the status changes, a check is due or a request has taken too long.
    public var deadline: Deadline? {
        let asking = server.deadline ?? checkAt.map { Deadline($0, "receipt check") }
        return Deadline.earliest(asking, boundary.map { Deadline($0, "entitlement end") })
    }

    /// Takes one fact.
    public mutating func handle(_ event: Event, in turn: inout Turn<Effect>) {
        switch event {
        case .opened(let record, let time, let current, let others):
            guard clock == nil else { return }
            self.record = record
            foreign = others.compactMap { verifier.verify($0)?.originalID }
            adopt(record.subscription)
            let isNew = adopt(fromStoreKit: current)
            raiseFloor(at: turn.now)
            clock = WallClock(showing: floored(time, at: turn.now), at: turn.now)
            if isNew { turn.order(.keep(self.record)) }
            check(isNew ? current : nil, in: &turn)
        case .clockJumped(let time):
            guard let former = clock?.reading(at: turn.now), former != time, !isTrusted
            else { return }
            let either = floored(min(time, former), at: turn.now)
            clock = WallClock(showing: either, at: turn.now)
            if server.request == nil { check(in: &turn) } else { server.hurry(.path, in: &turn) }
        case .transactionUpdated(let signed):
            guard clock != nil, adopt(fromStoreKit: signed) else { return }
            raiseFloor(at: turn.now)
            turn.order(.keep(record))
            check(signed, in: &turn)
        case .serverAnswered(let operation, let answer):
            answered(operation, answer, in: &turn)
        case .pathRestored: server.hurry(.path, in: &turn)
        case .signedIn: server.hurry(.session, in: &turn)
        }
        show(in: &turn)
    }

    /// Shows what has changed by time, checks, or asks again.
    public mutating func wake(in turn: inout Turn<Effect>) {
        guard let deadline, deadline.instant <= turn.now else { return }
        if let checkAt, checkAt <= turn.now { check(in: &turn) }
        server.wake(in: &turn)
        let wasEntitled = shown?.isEntitled ?? false
        // A period that has just ended may have been renewed.
        if show(in: &turn), wasEntitled, server.request == nil { check(in: &turn) }
    }

    // MARK: Time

    /// A time by the phone's clock, but no earlier than it can be.
    private func floored(_ time: WallTime, at now: Instant) -> WallTime {
        earliest.map { max($0.reading(at: now), time) } ?? time
    }

    /// Takes in what the record has been told, and moves a clock that is behind it.
    private mutating func raiseFloor(at now: Instant) {
        guard let latest = record.latestKnown, floored(latest, at: now) == latest else { return }
        earliest = WallClock(showing: latest, at: now)
        guard !isTrusted, let clock, clock.reading(at: now) < latest else { return }
        self.clock = WallClock(showing: latest, at: now)
    }

    /// The instant at which the status changes next; `nil` if it does not.
    private var boundary: Instant? {
        guard let clock, let shown else { return nil }
        let time: WallTime
        switch shown {
        case .none, .ended: return nil
        case .trial(let until), .paid(let until), .grace(let until): time = until
        }
        return clock.instant(showing: time)
    }

    // MARK: Subscriptions

    /// Takes what StoreKit has, unless another user of the phone has bought it.
    private mutating func adopt(fromStoreKit signed: SignedSubscription?) -> Bool {
        guard let signed, let found = verifier.verify(signed),
            !foreign.contains(where: { $0.utf8.elementsEqual(found.originalID.utf8) })
        else { return false }
        return adopt(signed)
    }

    /// Takes a subscription if it is genuine and nothing newer is known of it.
    ///
    /// Of several that the user has, the one counts that gives access for longest: the end or the refund of another,
    /// signed later, takes nothing that was paid for.
    @discardableResult
    private mutating func adopt(_ signed: SignedSubscription?) -> Bool {
        guard let signed, let found = verifier.verify(signed) else { return false }
        let place = known.firstIndex { $0.says.isSame(as: found) }
        if let place, !found.supersedes(known[place].says) { return false }
        if let place { known.remove(at: place) }
        known.append(Known(signed: signed, says: found))
        let longest = known.max { left, right in
            let (end, other) = (accessEnd(of: left.says), accessEnd(of: right.says))
            return end == other ? right.says.outlasts(left.says) : end < other
        }
        subscription = longest?.says
        record.subscription = longest?.signed
        record.latestKnown = record.latestKnown.map { max($0, found.signed) } ?? found.signed
        return true
    }

    private func accessEnd(of subscription: Subscription) -> WallTime {
        policy.end(of: subscription, fetched: record.fetched)
    }

    private func status(at now: Instant) -> EntitlementStatus? {
        guard let time = clock?.reading(at: now) else { return nil }
        guard let subscription else { return EntitlementStatus.none }
        let end = accessEnd(of: subscription)
        guard time < end else { return .ended(end) }
        guard time < subscription.expires else { return .grace(until: end) }
        let until = min(subscription.expires, end)
        return subscription.isTrial ? .trial(until: until) : .paid(until: until)
    }

    /// Shows what the user has, and says whether that is new.
    @discardableResult
    private mutating func show(in turn: inout Turn<Effect>) -> Bool {
        guard let status = status(at: turn.now), status != shown else { return false }
        shown = status
        turn.order(.show(status))
        return true
    }

    // MARK: The server

    /// Asks with what the phone has that is new, so that the server hears of it, or with what counts.
    private mutating func check(_ news: SignedSubscription? = nil, in turn: inout Turn<Effect>) {
        checkAt = nil
        server.begin(.entitlement(news ?? record.subscription), in: &turn)
    }

    private mutating func answered(
        _ operation: OperationID,
        _ answer: CoachAnswer,
        in turn: inout Turn<Effect>
    ) {
        switch server.answered(operation, answer, in: &turn) {
        case .none, .limited: return
        case .signInRequired: turn.order(.signInRequired)
        case .settled(_, let answer):
            if case .entitlement(let signed, let time) = answer,
                told(signed, time, in: &turn), status(at: turn.now)?.isEntitled == false
            {
                // It has told that this one is over, and may have another.
                return check(in: &turn)
            }
            let isMissing = if case .grace = status(at: turn.now) { true } else { false }
            let interval = isMissing ? Self.graceInterval : Self.checkInterval
            checkAt = turn.now.advanced(by: interval)
        }
    }

    /// - Returns: Whether it has told something new of a subscription.
    private mutating func told(
        _ signed: SignedSubscription?,
        _ time: WallTime,
        in turn: inout Turn<Effect>
    ) -> Bool {
        clock = WallClock(showing: time, at: turn.now)
        earliest = clock
        isTrusted = true
        record.fetched = time
        // The server has the last word: a clock that was wrong once does not lock out for ever.
        record.latestKnown = time
        let isNew = adopt(signed)
        turn.order(.keep(record))
        return isNew
    }
}
