public import SansIO

/// Sends VoIP pushes to the push service and does what its answers ask for (VP-07).
///
/// - It keeps one connection and knows when that is dead: an idle one dies without a word after half an
///   hour to an hour, and the next pushes vanish (node-apn, issues 205 and 449). So it pings a
///   connection that has been silent for a minute, and leaves one that answers neither ping nor push
///   within 5 s.
/// - A push whose answer never came may have arrived. It is sent again, or the call might not ring, but
///   only while the call rings and its device has not been heard of; always under the same `apns-id` and
///   `apns-collapse-id`, so that the push service keeps one at most, and with the same call id, of which
///   the app makes one ring.
/// - Provider tokens are named, not seen: see `ProviderTokenID`.
public struct PushProvider: StateMachine {
    /// A fact for the provider.
    public enum Event: Sendable, Equatable {
        /// The server wants something.
        case commanded(PushCommand)
        /// A connection to the push service is open.
        case connectionOpened(PushConnectionID)
        /// A connection could not be opened, or has closed; what it had not answered stays unanswered.
        case connectionClosed(PushConnectionID)
        /// A ping was answered.
        case pingAnswered(PushConnectionID)
        /// A push was answered.
        case answered(OperationID, PushResponse)
        /// The server's clock was set.
        case clockChanged(WallTime)
    }

    /// An order from the provider.
    public enum Effect: Sendable, Equatable {
        /// Signs a token of this name with this time, before the orders that follow; none before it is
        /// needed any more.
        case mintToken(ProviderTokenID, issuedAt: WallTime)
        /// Opens a connection; answered by `connectionOpened` or `connectionClosed`.
        case openConnection(PushConnectionID)
        /// Closes one; nothing that it says is listened to any more.
        case closeConnection(PushConnectionID)
        /// Sends an HTTP/2 PING (RFC 9113 §6.7).
        case ping(PushConnectionID)
        /// Sends a push; answered by `answered`, or by the connection's end.
        case send(OperationID, on: PushConnectionID, PushOrder, id: UniqueID, ProviderTokenID)
        /// A device's token is dead, unless it was registered after this time.
        case forgetDevice(token: String, deadSince: WallTime)
        /// What became of a push.
        case finished(callId: String, deviceToken: String, PushOutcome)
    }

    /// How long a connection may take to open.
    static let openTimeout = Duration.seconds(5)
    /// How long a push or a ping may be unanswered before its connection counts as dead.
    static let answerTimeout = Duration.seconds(5)
    /// After how long a silence a connection is pinged.
    ///
    /// In the field 15 s (sideshow/apns2, pull request 209) to 10 minutes (node-apn, issue 454).
    static let pingAfter = Duration.seconds(60)
    /// The waits after failures in a row; the last one goes on.
    static let retryDelays: [Duration] = [
        .milliseconds(250), .seconds(1), .seconds(2), .seconds(4), .seconds(8),
    ]
    /// How many pushes may wait or be unanswered; one more is refused.
    static let pushesMax = 1_024
    /// How many of them one caller may have: four calls to somebody with as many devices as a user may have.
    ///
    /// So whoever calls as often as the server lets them takes nobody else's place.
    static let pushesPerCallerMax = 4 * DeviceRegistry.devicesPerUserMax

    /// Each push sent or finished, and the connection replaced.
    public static var effectsPerCallMax: Int { 2 * pushesMax + 8 }

    /// There may always be another push.
    public var isFinished: Bool { false }

    var clock: WallClock
    var generator: SeededGenerator
    var operations = OperationCounter()
    var tokens = ProviderTokenSchedule()
    /// The pushes that are not finished, in the order in which they were asked for.
    var pushes: [PendingPush] = []
    /// The connection that pushes go by.
    var connection: PushConnection?
    /// Connections that only wait for the answers to what they have sent.
    var retiring: [PushConnectionID] = []
    /// When the next connection may be opened, after one that could not be.
    var connectAt = Instant.zero
    var connectFailures = 0
    private var connectionsMade: UInt32 = 0

    /// Makes a provider without a connection.
    ///
    /// - Parameters:
    ///   - clock: The server's clock.
    ///   - seed: The entropy of notifications' identities.
    public init(clock: WallClock, seed: UInt64) {
        self.clock = clock
        generator = SeededGenerator(seed: seed)
    }

    /// When an answer is overdue, a push due or a connection to be pinged.
    public var deadline: Deadline? {
        var earliest = connection?.deadline
        for push in pushes {
            switch push.state {
            case .sent(let sent):
                earliest = .earliest(earliest, Deadline(sent.until, "push answer"))
            case .waiting(let until):
                guard let due = sendable(until) else { continue }
                earliest = .earliest(earliest, Deadline(due, "push"))
            }
        }
        return earliest
    }

    /// When a push that waits until `until` can be acted on; `nil` while a connection opens.
    private func sendable(_ until: Instant) -> Instant? {
        guard let connection else { return max(until, connectAt) }
        return connection.isOpen ? until : nil
    }

    /// Takes one fact.
    public mutating func handle(_ event: Event, in turn: inout Turn<Effect>) {
        switch event {
        case .commanded(.send(let order)): ordered(order, in: &turn)
        case .commanded(.withdraw(let callId, let deviceToken)):
            withdrawn(callId, deviceToken, in: &turn)
        case .connectionOpened(let id): opened(id, at: turn.now)
        case .connectionClosed(let id): closed(id, in: &turn)
        case .pingAnswered(let id):
            if connection?.id == id { connection?.heard(at: turn.now) }
        case .answered(let operation, let response):
            answered(operation, response, in: &turn)
        case .clockChanged(let time): clock = WallClock(showing: time, at: turn.now)
        }
        pump(in: &turn)
    }

    /// Acts on what is overdue or due.
    public mutating func wake(in turn: inout Turn<Effect>) {
        guard let deadline, turn.now >= deadline.instant else { return }
        // A connection that swallows one push swallows others.
        while let id = overdueConnection(at: turn.now) {
            turn.order(.closeConnection(id))
            closed(id, in: &turn)
        }
        wakeConnection(in: &turn)
        pump(in: &turn)
    }

    /// A connection that owes an answer for too long.
    private func overdueConnection(at now: Instant) -> PushConnectionID? {
        for push in pushes {
            if case .sent(let sent) = push.state, now >= sent.until { return sent.connection }
        }
        return nil
    }

    mutating func nextConnection() -> PushConnectionID {
        connectionsMade &+= 1
        return PushConnectionID(number: connectionsMade)
    }
}

/// Names one connection to the push service.
@frozen
public struct PushConnectionID: Sendable, Hashable, BitwiseCopyable {
    /// The connection's number within its provider, from 1.
    public var number: UInt32

    /// Names connection `number`.
    @inlinable
    public init(number: UInt32) {
        self.number = number
    }
}

/// What became of a push.
public enum PushOutcome: Sendable, Equatable {
    /// The push service took it; that the device got it, nobody says.
    case accepted
    /// It was not wanted any more before an answer came.
    case withdrawn
    /// Its call's time was over before the push service took it.
    case expired
    /// The device's token is dead.
    case unregistered
    /// The push service refuses it, whatever is tried.
    case refused(PushResponse)
    /// Too many others are waiting.
    case overloaded
}

/// A push that is not finished.
struct PendingPush: Sendable, Equatable {
    enum State: Sendable, Equatable {
        /// It is to be sent at `until`, or when there is a connection.
        case waiting(until: Instant)
        case sent(Sent)
    }

    struct Sent: Sendable, Equatable {
        let operation: OperationID
        let connection: PushConnectionID
        let token: ProviderTokenID
        let at: WallTime
        let until: Instant
    }

    let order: PushOrder
    let id: UniqueID
    var state: State
    var failures = 0
    /// Whether a provider token was renewed for it.
    var hasRenewed = false
    /// Whether it is not to be sent again.
    var isWithdrawn = false
}
