import KodamaPhone
import KodamaSimulation
import SansIO

/// A device as the push service knows it.
struct PushDevice: Sendable, Equatable {
    enum Reach: Sendable, Equatable {
        case online
        /// Its connection is dead, and the service does not know.
        case gone(noticedAt: Instant)
        case offline
    }

    /// The most topics of one device.
    static let registrationsMax = 16
    /// The most notifications that a device owes a confirmation for; the oldest is forgotten.
    static let keptMax = 32

    let id: PushDeviceID
    var reach = Reach.offline
    /// How often it has gone without a word.
    var absences: UInt64 = 0
    var registrations: [PushRegistration] = []
    /// What was sent and not confirmed, or is stored, in the order in which it was accepted.
    var kept: [QueuedPush] = []

    init(_ id: PushDeviceID) {
        self.id = id
    }

    var isOnline: Bool { reach == .online }

    func registrationIndex(of topic: String) -> Int? {
        registrations.firstIndex { $0.topic == topic }
    }

    /// Keeps a notification, unless it is kept already.
    ///
    /// - Returns: What is forgotten for it.
    mutating func keep(_ push: QueuedPush) -> QueuedPush? {
        guard !kept.contains(where: { $0.notification.id == push.notification.id }) else {
            return nil
        }
        let index = kept.lastIndex { $0.ordinal < push.ordinal }.map { $0 + 1 } ?? 0
        kept.insert(push, at: index)
        return kept.count > Self.keptMax ? kept.removeFirst() : nil
    }

    /// Leaves one notification of each app, mostly the newest.
    ///
    /// - Returns: What goes.
    mutating func coalesce() -> [QueuedPush] {
        var survivors: [QueuedPush] = []
        var gone: [QueuedPush] = []
        for push in kept {
            guard let index = survivors.firstIndex(where: { $0.bundleID == push.bundleID }) else {
                survivors.append(push)
                continue
            }
            if push.givesWay {
                gone.append(push)
            } else {
                gone.append(survivors[index])
                survivors[index] = push
            }
        }
        kept = survivors.sorted { $0.ordinal < $1.ordinal }
        return gone
    }
}

/// One topic of a device: its token, and what its notifications' fates are drawn from.
struct PushRegistration: Sendable, Equatable {
    let topic: String
    /// The token, in lower-case hexadecimal digits; `nil` before the first and after the app's removal.
    var token: String?
    /// Whether the device is to learn it at its next connection.
    var isTokenOwed = false
    /// How many tokens were made.
    var tokensMade: UInt64 = 0
    /// How many notifications were accepted.
    var accepted: UInt64 = 0
    /// The fates of notification `n` are the draws from `n · drawsPerNotification` on.
    let fates: RandomStream
    /// When the requests began to be counted that `requests` counts.
    var windowBegan = Instant.zero
    var requests = 0

    static let drawsPerNotification: UInt64 = 6

    init(topic: String, fates: RandomStream) {
        self.topic = topic
        self.fates = fates
    }

    /// Counts a request.
    ///
    /// - Returns: Whether it is one too many.
    mutating func countRequest(at now: Instant, _ settings: PushServiceSettings) -> Bool {
        if requests == 0 || now >= windowBegan.advanced(by: settings.requestWindow) {
            windowBegan = now
            requests = 0
        }
        requests += 1
        return requests > settings.requestsPerDeviceMax
    }
}

/// A notification inside the service.
struct QueuedPush: Sendable, Equatable {
    /// Its number among all that were accepted.
    let ordinal: UInt64
    let notification: PushNotification
    /// The token by which it came.
    let token: String
    let expiration: PushExpiration
    /// Whether an older one is kept rather than it.
    let givesWay: Bool

    var bundleID: String { PushFields.bundleID(of: notification.topic) }
}

/// What became of a token.
struct PushToken: Sendable, Equatable {
    struct Death: Sendable, Equatable {
        let reason: PushReason
        /// From when on the provider is told.
        let confirmedAt: Instant
    }

    /// The device's index.
    let device: Int
    let topic: String
    var death: Death?
}
