public import AppServer
public import SansIO

/// The push service between an app's server and its users' devices: Apple's APNs, as both sides see it.
///
/// The provider's side answers with the statuses and reasons of its API (VP-07). The device's side is one
/// connection a device, which the host opens and closes; what is travelling, the host carries. Between
/// the two a notification takes the service's own share of the latency; the radio's share, which an idle
/// phone has to be paged for, is the host's.
///
/// - A notification that was accepted is not one that was delivered (Apple developer forum, thread
///   825224). Nothing keeps the order of two (Apple, "Sending notification requests to APNs"; thread
///   823102 saw the end of a call overtake its beginning).
/// - While a device is offline, one notification is kept for each app on it, mostly the newest. But a
///   device that has just gone counts as online for minutes: see `PushServiceSettings.absenceNoticed`.
/// - Nothing is known by its `apns-id`: a provider that sends twice, because an answer was late, is heard
///   twice (node-apn, issue 492).
/// - A provider's connection that was idle for too long is dead, and nobody says so.
///
/// What happens on the device is not modelled here: that background notifications are throttled, that
/// alerts are shown and replaced, that PushKit wakes an app.
public struct PushService: StateMachine {
    /// A fact for the service.
    public enum Event: Sendable, Equatable {
        /// A provider's connection reached the service.
        case providerOpened(PushConnectionID)
        /// A provider's connection is closed.
        case providerClosed(PushConnectionID)
        /// An HTTP/2 PING came on a provider's connection.
        case providerPinged(PushConnectionID)
        /// A request came on a provider's connection.
        case requested(PushRequest, OperationID, on: PushConnectionID)
        /// A device has a connection to the service, a new one if it had one before.
        case deviceConnected(PushDeviceID)
        /// A device's connection carries nothing any more. The service does not notice for minutes.
        case deviceDisconnected(PushDeviceID)
        /// A device confirms a notification.
        case acknowledged(PushDeviceID, UniqueID)
        /// A device asks for its token for a topic.
        case tokenRequested(PushDeviceID, topic: String)
        /// The app is gone from a device, and its token for a topic with it.
        case appRemoved(PushDeviceID, topic: String)
        /// A device's token is replaced, as after a restored backup.
        case tokenInvalidated(PushDeviceID, topic: String)
        /// Somebody does something to the service.
        case fault(PushServiceFault)
    }

    /// An order from the service.
    public enum Effect: Sendable, Equatable {
        /// A provider's connection is accepted.
        case opened(PushConnectionID)
        /// A PING is answered.
        case ponged(PushConnectionID)
        /// A request is answered.
        case answer(PushResponse, OperationID, on: PushConnectionID)
        /// A provider's connection is closed by the service.
        case closed(PushConnectionID)
        /// A notification is sent to a device, over its connection.
        case deliver(PushNotification, to: PushDeviceID)
        /// A device learns its token for a topic: 32 bytes.
        case issueToken(PushDeviceID, topic: String, [UInt8])
        /// For the trace: a notification is given up.
        case discarded(UniqueID, PushDeviceID, PushDiscardReason)
    }

    /// One effect for each notification on its way or kept, each delayed answer and each connection.
    public static var effectsPerCallMax: Int { 131_072 }

    /// A push service has no end.
    public var isFinished: Bool { false }

    let settings: PushServiceSettings
    let clock: WallClock
    let seed: UInt64

    /// Makes a service that knows no device.
    ///
    /// - Parameters:
    ///   - settings: How it behaves.
    ///   - clock: Its clock, which is right.
    ///   - seed: The entropy of tokens, latencies and lives.
    public init(
        settings: PushServiceSettings = PushServiceSettings(),
        clock: WallClock,
        seed: UInt64
    ) {
        self.settings = settings
        self.clock = clock
        self.seed = seed
    }

    /// When a notification or an answer is due, or an absence noticed.
    public var deadline: Deadline? { nil }

    /// Takes one fact.
    public mutating func handle(
        _ event: Event,
        at now: Instant,
        into effects: inout EffectBuffer<Effect>
    ) {
    }

    /// Delivers and answers what is due.
    public mutating func wake(at now: Instant, into effects: inout EffectBuffer<Effect>) {
    }
}

/// What can be done to a push service.
public enum PushServiceFault: Sendable, Equatable {
    /// Requests are refused for this reason, for a while.
    case refuse(PushReason, for: Duration)
    /// The provider's side says nothing for a while: what is open then is dead for ever, what is opened
    /// stays unanswered.
    case goSilent(for: Duration)
    /// Answers and deliveries come later, for a while.
    case slow(by: Duration, for: Duration)
    /// Every provider's connection is closed.
    case closeConnections
    /// Ends refusal, silence and slowness.
    case clear
}
