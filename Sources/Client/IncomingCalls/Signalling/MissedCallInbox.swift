public import SansIO

/// Fetches the calls that the user missed and gives one notice of each (VP-05).
///
/// The server numbers them, rising over all users and restarts; the inbox keeps the number of the last
/// one it gave notice of, across relaunch. A notice is given before its number is kept: if the app dies in between it is given again,
/// under the same call id, by which the system replaces it.
///
/// A call that rang here, and that the server could not be asked about, is noticed without the server's
/// word before the app is suspended, which no return of the network wakes. Another device may have
/// answered such a call.
public struct MissedCallInbox: StateMachine {
    /// A fact for the inbox.
    public enum Event: Sendable, Equatable {
        /// There may be something: launch, a network, a call that ended unanswered.
        case checkRequested
        /// A call was missed that the server lists from about that instant on, or already.
        ///
        /// If there is a second instant, the first may be wrong: by then it is surely listed. The notice is
        /// there if the call rang here.
        case callMissed(from: Instant?, by: Instant? = nil, notice: MissedCall? = nil)
        /// The system suspends the app at once.
        case timeExpired
        /// The user looks at the app, or does no longer.
        case frontChanged(isInFront: Bool)
        /// The app's credentials for its server, if it has them.
        case credentialsChanged(CallCredentials?)
        /// The server answered.
        case apiAnswered(OperationID, CallAnswer)
    }

    /// An order from the inbox.
    public enum Effect: Sendable, Equatable {
        /// A request to the app's own server.
        case callAPI(OperationID, CallRequest)
        /// Cancels a request; its answer is no longer needed.
        case cancelAPI(OperationID)
        /// A notice for the user.
        case notify(MissedCall)
        /// Keeps the inbox's position across relaunch.
        case writeStorage(String)
        /// The login is not valid any more.
        case signInRequired
    }

    /// What the inbox does.
    enum State: Sendable, Equatable {
        case idle
        /// A request is in flight; `again` if something happened since it left.
        case fetching(OperationID, until: Instant, again: Bool)
        case waiting(until: Instant)
    }

    /// The most notices of one answer; the server sends no more at a time.
    public static let pageMax = 20
    /// The waits after failures in a row, as for the device's token; after them it is asked ever more seldom.
    static let retryDelays: [Duration] = [.seconds(2), .seconds(4), .seconds(8)]
    /// How long the first request may take, each that follows one without an answer twice as long as that.
    ///
    /// Short, since the app may be about to be suspended and TCP repeats a lost SYN each second at most (XNU,
    /// `tcp_syn_backoff`); the last are long enough for round trips of three seconds.
    static let requestTimeout = Duration.seconds(2)
    /// How much later than it should the server may list a call: a push says its end in whole seconds, and
    /// clocks differ.
    static let listingMargin = Duration.milliseconds(1_500)

    /// How long after the last answer the server is asked again while the user looks at the app, by default.
    ///
    /// Of a call whose push came too late, or never, nothing tells the phone but the server's list, and an app
    /// that stays in front has no launch, return or path to ask upon. In a minute the user learns of it while
    /// the caller may still be there; a request of a few hundred bytes a minute is little beside a screen
    /// that is on. An assumption: no source names a figure.
    public static let interval = Duration.seconds(60)
    /// How old the last answer must be for the server to be asked once more when the user leaves the app, which may be
    /// suspended then; an assumption.
    static let leavingAge = Duration.seconds(10)
    /// How many questions are planned at most; any more are asked with the last.
    static let expectedMax = 8
    /// How many calls are remembered that rang here and that the server has yet to list.
    static let unlistedMax = 8

    /// A page of notices, its position and the next request.
    public static var effectsPerCallMax: Int { pageMax + 3 }

    /// There may always be another call.
    public var isFinished: Bool { false }

    private(set) var state = State.idle
    /// How long after an answer the server is asked again while the user looks; `nil` for never.
    private let interval: Duration?
    /// Whether the user looks at the app.
    private var isInFront = false
    /// When the server is asked again because the user still looks.
    private var looksAt: Instant?
    /// The number of the latest call that notice was given of.
    public private(set) var position: Int64
    private var isWanted = false
    /// When missed calls are looked for, the earliest first: one that is listed late delays no other.
    private var expected: [Instant] = []
    /// How many calls may not be listed yet when they are first looked for.
    ///
    /// None of them is forgotten, however many there are: whichever is found is one less.
    private var doubts = 0
    /// By when all of these are surely listed, if there are any.
    private var doubtsEnd = Instant.zero
    /// The calls that rang here and that the server has yet to list.
    private var unlisted: [MissedCall] = []
    /// The ids of those that notice was given of without the server's word.
    private var noticed: [String] = []
    private var failures = 0
    /// The questions that are seldom, since all fast ones have failed.
    private var seldom = Backoff()
    /// Until when a busy server asks to be left alone.
    private var busyUntil = Instant.zero
    private var generator: SeededGenerator
    private var credentials: CallCredentials?
    /// The user who has signed in last, if their session says who they are.
    private var user: String?
    /// Whether somebody has signed in, and has logged out: what still ends then is not the next user's.
    private var hasSignedIn = false
    private var isLoggedOut = false
    private var operations: OperationCounter

    /// Makes an inbox that has not looked yet.
    ///
    /// - Parameters:
    ///   - stored: What the storage kept, if anything.
    ///   - interval: How long after an answer the server is asked again while the user looks at the app; `nil`
    ///     for never.
    ///   - seed: The entropy of its waits.
    ///   - operations: The numbers its operations get.
    public init(
        restoring stored: String?,
        every interval: Duration? = Self.interval,
        seed: UInt64,
        operations: OperationCounter = OperationCounter()
    ) {
        // Whatever is damaged is as good as nothing: the server lists all that it still has once more.
        let words = stored.flatMap { SealedLine.open($0[...])?.line.split(separator: " ") } ?? []
        position = max(0, words.first.flatMap { Int64($0) } ?? 0)
        noticed = words.dropFirst().suffix(Self.unlistedMax).map(String.init)
        generator = SeededGenerator(seed: seed)
        self.interval = interval
        self.operations = operations
    }

    /// Whether a question is under way, one is planned for soon, or a call is to be noticed.
    public var isBusy: Bool {
        !expected.isEmpty || !unlisted.isEmpty || state != .idle && !seldom.hasFailed
    }

    /// When a request has taken too long, or the next is due.
    public var deadline: Deadline? {
        .earliest(expected.first.map { Deadline($0, "missed call listed") }, stateDeadline)
    }

    private var stateDeadline: Deadline? {
        switch state {
        case .idle: looksAt.map { Deadline($0, "missed calls") }
        case .fetching(_, let until, _): Deadline(until, "missed calls timeout")
        case .waiting(let until): Deadline(until, "missed calls")
        }
    }

    /// Takes one fact.
    public mutating func handle(_ event: Event, in turn: inout Turn<Effect>) {
        switch event {
        case .checkRequested: checkAnew(in: &turn)
        case .callMissed(let instant, let latest, let notice):
            if let notice, !isLoggedOut { remember(notice) }
            if let latest { doubt(latest, instant ?? turn.now) }
            guard let instant else { return checkAnew(in: &turn) }
            expect(instant.advanced(by: Self.listingMargin))
        case .timeExpired: giveNotice(in: &turn)
        case .frontChanged(let isInFront):
            let isUnasked = !isInFront && hasLongNotAsked(at: turn.now)
            self.isInFront = isInFront
            planLook(at: turn.now)
            if isUnasked { checkAnew(in: &turn) }
        case .credentialsChanged(let latest):
            // What rang is neither a former user's who has left nor the next one's.
            if latest?.areAnothers(than: user) ?? true { unlisted = [] }
            if let latest { user = latest.user }
            hasSignedIn = hasSignedIn || latest != nil
            isLoggedOut = hasSignedIn && latest == nil
            guard latest != credentials else { return }
            credentials = latest
            if case .fetching(let operation, _, _) = state { turn.order(.cancelAPI(operation)) }
            state = .idle
            planLook(at: turn.now)
            check(in: &turn)
        case .apiAnswered(let operation, let answer):
            guard case .fetching(operation, _, let again) = state else { return }
            answered(answer, again: again, in: &turn)
        }
    }

    /// Acts on a request that is due or has taken too long.
    public mutating func wake(in turn: inout Turn<Effect>) {
        if let due = stateDeadline, turn.now >= due.instant { wakeState(in: &turn) }
        guard let first = expected.first, turn.now >= first else { return }
        expected.removeAll { $0 <= turn.now }
        checkAnew(in: &turn)
    }

    /// Has a missed call looked for at an instant.
    private mutating func expect(_ instant: Instant) {
        var instant = instant
        if expected.count == Self.expectedMax { instant = max(instant, expected.removeLast()) }
        let index = expected.firstIndex { $0 >= instant } ?? expected.count
        if index == expected.count || expected[index] != instant {
            expected.insert(instant, at: index)
        }
    }

    /// A call may not be listed yet when the question asked for it is answered.
    private mutating func doubt(_ latest: Instant, _ listed: Instant) {
        guard latest > listed.advanced(by: Self.listingMargin) else { return }
        doubtsEnd = doubts == 0 ? latest : max(doubtsEnd, latest)
        doubts += 1
    }

    /// Looks once more for what was not found, when it is surely listed.
    private mutating func lookAgain(at now: Instant) {
        guard expected.isEmpty, doubts > 0 else { return }
        doubts = 0
        if doubtsEnd > now { expect(doubtsEnd) }
    }

    /// Plans to ask again as long as the user looks at the app.
    private mutating func planLook(at now: Instant) {
        let isPlanned = isInFront && credentials != nil
        looksAt = isPlanned ? interval.map { now.advanced(by: $0) } : nil
    }

    /// Whether the user has looked at the app for a while since the last answer, and nothing is being asked.
    private func hasLongNotAsked(at now: Instant) -> Bool {
        guard isInFront, state == .idle, let looksAt, let interval else { return false }
        return now >= looksAt.advanced(by: Self.leavingAge - interval)
    }

    private mutating func wakeState(in turn: inout Turn<Effect>) {
        switch state {
        case .idle:
            checkAnew(in: &turn)
        case .fetching(let operation, _, _):
            turn.order(.cancelAPI(operation))
            timedOut(in: &turn)
        case .waiting:
            fetch(in: &turn)
        }
    }

    private mutating func checkAnew(in turn: inout Turn<Effect>) {
        isWanted = true
        failures = 0
        seldom.reset()
        check(in: &turn)
    }

    private mutating func check(in turn: inout Turn<Effect>) {
        guard isWanted, credentials != nil else { return }
        switch state {
        case .waiting(let until) where turn.now < busyUntil:
            state = .waiting(until: min(until, busyUntil))
        case .idle, .waiting: fetch(in: &turn)
        case .fetching(let operation, let until, _):
            state = .fetching(operation, until: until, again: true)
        }
    }

    private mutating func fetch(in turn: inout Turn<Effect>) {
        let operation = operations.next()
        turn.order(.callAPI(operation, .missed(after: position)))
        let until = turn.now.advanced(by: Self.requestTimeout * (1 << failures))
        state = .fetching(operation, until: until, again: false)
    }

    private mutating func answered(_ answer: CallAnswer, again: Bool, in turn: inout Turn<Effect>) {
        switch answer {
        case .missed(let calls):
            failures = 0
            seldom.reset()
            busyUntil = .zero
            let before = position
            for call in calls.prefix(Self.pageMax) where call.sequence > position {
                noticeListed(call, in: &turn)
                position = call.sequence
                if doubts > 0 { doubts -= 1 }
            }
            if position > before { turn.order(.writeStorage(stored)) }
            let isFull = calls.count >= Self.pageMax && position > before
            guard again || isFull else {
                isWanted = false
                state = .idle
                planLook(at: turn.now)
                lookAgain(at: turn.now)
                // What is not listed by now was no missed call.
                if expected.isEmpty { unlisted = [] }
                return
            }
            fetch(in: &turn)
        case .refused(statusCode: 401):
            credentials = nil
            looksAt = nil
            state = .idle
            turn.order(.signInRequired)
        case .accepted, .placed, .status, .offer, .answered, .ended, .foreignDevice, .busy,
            .refused, .malformed, .failed:
            failed(waiting: answer.wait, at: turn.now)
        }
    }

    /// What had no answer has waited already.
    private mutating func timedOut(in turn: inout Turn<Effect>) {
        guard failures < Self.retryDelays.count else {
            return waitLong(.zero, at: turn.now)
        }
        failures += 1
        fetch(in: &turn)
    }

    private mutating func failed(waiting wait: Duration, at now: Instant) {
        if wait > .zero { busyUntil = now.advanced(by: wait) }
        guard failures < Self.retryDelays.count else {
            return waitLong(wait, at: now)
        }
        state = .waiting(until: now.advanced(by: max(wait, Self.retryDelays[failures])))
        failures += 1
    }

    private mutating func waitLong(_ least: Duration, at now: Instant) {
        let pause = max(least, seldom.nextSeldom(by: &generator))
        state = .waiting(until: now.advanced(by: pause))
    }
}

// MARK: Notices without the server's word

extension MissedCallInbox {
    /// What the storage keeps: the position, and the ids that the server may still list.
    private var stored: String {
        SealedLine.seal((["\(position)"] + noticed).joined(separator: " "))
    }

    private mutating func remember(_ call: MissedCall) {
        guard !unlisted.contains(where: { $0.callId == call.callId }) else { return }
        if unlisted.count == Self.unlistedMax { unlisted.removeFirst() }
        unlisted.append(call)
    }

    /// Gives notice of what the server lists, unless that was given without its word.
    private mutating func noticeListed(_ call: MissedCall, in turn: inout Turn<Effect>) {
        unlisted.removeAll { $0.callId == call.callId }
        guard let index = noticed.firstIndex(of: call.callId) else {
            return turn.order(.notify(call))
        }
        noticed.remove(at: index)
    }

    /// Gives notice of the calls that rang here and of which the server has not said a word.
    private mutating func giveNotice(in turn: inout Turn<Effect>) {
        guard !unlisted.isEmpty else { return }
        for call in unlisted { turn.order(.notify(call)) }
        noticed = (noticed + unlisted.map(\.callId)).suffix(Self.unlistedMax)
        unlisted = []
        turn.order(.writeStorage(stored))
    }
}
