public import AppServer
public import KodamaPhone
import KodamaSimulation
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
        /// A device's connection carries nothing any more; the service does not notice for minutes.
        case deviceDisconnected(PushDeviceID)
        /// A device confirms a notification.
        case acknowledged(PushDeviceID, UniqueID)
        /// A device asks for its token for a topic; asked while it has no connection, it learns the token
        /// with the next one.
        case tokenRequested(PushDeviceID, topic: String)
        /// The app is gone from a device, and its token for a topic with it; or the device has taken
        /// the token back.
        case appRemoved(PushDeviceID, topic: String)
        /// A device's token is replaced, as after a restored backup; it learns the new one.
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

    /// The most connections of providers; one more, and the oldest is closed.
    static let connectionsMax = 64
    /// The most notifications, and the most late answers, on their way; a request beyond is refused with
    /// ServiceUnavailable.
    static let inTransitMax = 4_096
    /// The most devices; what another one asks is not heard.
    static let devicesMax = 1_024
    /// The most dead tokens that are remembered; older ones are as unknown as those that never were.
    static let deadTokensMax = 4_096

    /// A late answer for each request, two effects for each notification on its way, all that is kept
    /// given up, and the connections closed.
    public static var effectsPerCallMax: Int {
        3 * inTransitMax + devicesMax * PushDevice.keptMax + connectionsMax + 8
    }

    /// A push service has no end.
    public var isFinished: Bool { false }

    let settings: PushServiceSettings
    let clock: WallClock
    let seed: UInt64

    var account = ProviderAccount()
    var connections: [ProviderConnection] = []
    var ailments = PushServiceAilments()
    var devices: [PushDevice] = []
    /// Indices of devices; never iterated.
    var deviceIndices: [PushDeviceID: Int] = [:]
    /// What each token stands for; never iterated.
    var tokens: [String: PushToken] = [:]
    /// The dead ones among them, the longest dead first.
    var deadTokens: [String] = []
    /// The devices that are gone and not known to be.
    var absent: [Int] = []
    /// How many notifications were accepted.
    var accepted: UInt64 = 0
    /// What is on its way to the last mile, the next one first.
    var notifications: [Transit<QueuedDelivery>] = []
    /// What is on its way to providers, the next one first.
    var answers: [Transit<QueuedAnswer>] = []

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
    public var deadline: Deadline? {
        var earliest = notifications.first.map { Deadline($0.due, "push delivery") }
        earliest = .earliest(earliest, answers.first.map { Deadline($0.due, "push answer") })
        for index in absent {
            guard case .gone(let noticedAt) = devices[index].reach else { continue }
            earliest = .earliest(earliest, Deadline(noticedAt, "push absence"))
        }
        return earliest
    }

    /// Takes one fact.
    public mutating func handle(_ event: Event, in turn: inout Turn<Effect>) {
        settle(in: &turn)
        switch event {
        case .providerOpened(let id): open(id, in: &turn)
        case .providerClosed(let id): connections.removeAll { $0.id == id }
        case .providerPinged(let id): ping(id, in: &turn)
        case .requested(let request, let operation, let id):
            receive(request, operation, on: id, in: &turn)
        case .deviceConnected(let id): connect(id, in: &turn)
        case .deviceDisconnected(let id): disconnect(id, at: turn.now)
        case .acknowledged(let device, let id):
            guard let index = deviceIndices[device] else { return }
            devices[index].kept.removeAll { $0.notification.id == id }
        case .tokenRequested(let device, let topic):
            requestToken(device, topic, in: &turn)
        case .appRemoved(let device, let topic):
            removeApp(device, topic, in: &turn)
        case .tokenInvalidated(let device, let topic):
            replaceToken(device, topic, in: &turn)
        case .fault(let fault): suffer(fault, in: &turn)
        }
    }

    /// Delivers and answers what is due, and notices absences.
    public mutating func wake(in turn: inout Turn<Effect>) {
        settle(in: &turn)
    }

    private mutating func settle(in turn: inout Turn<Effect>) {
        noticeAbsences(in: &turn)
        for delivery in Self.takeDue(from: &notifications, at: turn.now) {
            deliver(delivery, in: &turn)
        }
        for answer in Self.takeDue(from: &answers, at: turn.now)
        where isHeard(on: answer.connection, at: turn.now) {
            turn.order(.answer(answer.response, answer.operation, on: answer.connection))
        }
    }

    private static func takeDue<Content>(
        from queue: inout [Transit<Content>],
        at now: Instant
    ) -> [Content] {
        let count = queue.firstIndex { $0.due > now } ?? queue.count
        guard count > 0 else { return [] }
        defer { queue.removeFirst(count) }
        return queue.prefix(count).map(\.content)
    }
}

/// Something that is on its way until it is due.
struct Transit<Content: Sendable & Equatable>: Sendable, Equatable {
    let due: Instant
    let content: Content

    /// Puts it behind all that is due no later.
    func insert(into queue: inout [Transit]) {
        let index = queue.lastIndex { $0.due <= due }.map { $0 + 1 } ?? 0
        queue.insert(self, at: index)
    }
}

struct QueuedDelivery: Sendable, Equatable {
    let device: Int
    let push: QueuedPush
}

struct QueuedAnswer: Sendable, Equatable {
    let response: PushResponse
    let operation: OperationID
    let connection: PushConnectionID
}
