public import SansIO

/// How a session connects, comes back and gives up.
public struct RealtimeSessionConfiguration: Sendable, Equatable {
    /// What the SDK is told about its own reconnecting.
    ///
    /// More attempts than a conversation lives to see: the last one is a full reconnect, which throws away
    /// media that a mere loss of signalling leaves alive (D-21). The server keeps a participant without signalling
    /// for as long as ICE is well, without a limit (livekit/livekit, `pkg/rtc/participant.go`,
    /// `HandleSignalSourceClose`). 1,000 attempts last 88 minutes where packets vanish and 13 where the
    /// server refuses at once, as it does when the SDK's token has run out: ten minutes after the last
    /// one that it was sent. When voice is lost too, it is the watchdog that ends them.
    ///
    /// A socket has 5 s: TCP sends its SYN each second five times and then waits ever longer (XNU,
    /// `bsd/netinet/tcp_timer.c`, `tcp_syn_backoff`), so a phone that is back would stay in a dead connect.
    public var connectOptions = ConnectOptions(
        reconnectAttempts: 1_000,
        reconnectAttemptDelay: .milliseconds(300),
        reconnectMaxDelay: .seconds(1),
        socketConnectTimeout: .seconds(5),
        primaryTransportConnectTimeout: .seconds(7),
        publisherTransportConnectTimeout: .seconds(7)
    )
    /// What the session does when the SDK has given up.
    public var outerRetry = OuterRetryPolicy()
    /// When the session notices that a connected room is dead, and what it does.
    public var watchdog = WatchdogConfiguration()
    /// How the session feels for the path while voice is lost.
    public var probe = ProbeConfiguration()
    /// The partner that the session meets in its room.
    public var partner = RoomPartner.agent
    /// Upon which phase the session leaves the room (D-05).
    public var leaveOn = LeaveRule.background
    /// How long a token request may take; every third in a row has 15 s where no probe has found the path
    /// short, and one that is late may still bring two people together.
    public var tokenTimeout: Duration = .seconds(5)
    /// How much life a token must have left to be used for a retry.
    public var tokenReserve: Duration = .seconds(60)
    /// Whether a retry fetches a fresh token when the one at hand nears its end or was refused (D-08).
    public var refreshesToken = true
    /// How long the first connect of a conversation may take, whatever the SDK's steps add up to.
    public var connectTimeout: Duration = .seconds(20)
    /// How long every later connect may take.
    ///
    /// After its socket's time-out the SDK asks the server why, for up to 5 s more (client-sdk-swift,
    /// `Core/SignalClient.swift`); a phone that is back must not sit that out. A join takes some seven
    /// round trips, so one of more than 0.9 s needs every third retry, which has `connectTimeout`.
    public var retryTimeout: Duration = .milliseconds(6_500)

    /// The default preset: the one that meets K-01.
    public init() {}

    /// The source design's figures: attempts 10, first delay 0.5 s, maximum delay 6 s (D-07).
    ///
    /// No watchdog, no probes, retries that wait for nothing but their time and use the token they have, a leave
    /// as soon as something lies over the app (D-05). Where the source design names no figure the
    /// system's own holds: 60 s for a request (`URLSessionConfiguration.timeoutIntervalForRequest`),
    /// no bound on a connect beyond the SDK's, whose steps add up to less than 60 s.
    public static var asSpecified: RealtimeSessionConfiguration {
        var configuration = RealtimeSessionConfiguration()
        configuration.connectOptions = .asSpecified
        configuration.outerRetry = .asSpecified
        configuration.watchdog.isEnabled = false
        configuration.probe.isEnabled = false
        configuration.leaveOn = .inactive
        configuration.tokenTimeout = .seconds(60)
        configuration.refreshesToken = false
        configuration.connectTimeout = .seconds(60)
        configuration.retryTimeout = .seconds(60)
        return configuration
    }
}

/// What the session does when the room is gone and the SDK does not bring it back (RS-09, D-08, D-19).
///
/// A wait grows by a random share up to `jitter`, so that sessions that lost one server do not come
/// back in one instant.
public struct OuterRetryPolicy: Sendable, Equatable {
    /// How many attempts the fast phase has, after which the user reads that it could not connect.
    public var fastAttempts = 6
    /// The wait before the first attempt.
    public var firstDelay: Duration = .milliseconds(200)
    /// The longest wait of the fast phase; waits double.
    public var maximumDelay: Duration = .seconds(2)
    /// The wait between attempts of the slow phase.
    ///
    /// After a long outage of which the system says nothing, D-19's 30 s would miss K-01b.
    public var slowDelay: Duration = .seconds(3)
    /// The wait between attempts of the slow phase while the system says that there is no path (D-19).
    ///
    /// Its notice that there is one ends the wait; where that notice stays away, 30 s would miss K-01b.
    public var offlineDelay: Duration = .seconds(6)
    /// By which share a wait may grow at most.
    public var jitter = Probability(partsPerMillion: 500_000)
    /// Whether a path-up notice starts an attempt at once, and cuts a hopeless one short.
    public var followsPath = true
    /// How long what is under way when the path changes may still take.
    ///
    /// Also the least time between two attempts that path notices start, so that a path that flaps
    /// makes no storm.
    public var pathGrace: Duration = .seconds(2)

    /// The default preset.
    public init() {}

    /// The source design: three attempts after 2 s each, deaf to path notices.
    ///
    /// What follows them is D-19's: an attempt every 30 s.
    public static var asSpecified: OuterRetryPolicy {
        var policy = OuterRetryPolicy()
        policy.fastAttempts = 3
        policy.firstDelay = .seconds(2)
        policy.maximumDelay = .seconds(2)
        policy.slowDelay = .seconds(30)
        policy.jitter = .zero
        policy.followsPath = false
        return policy
    }
}

/// When a connected room counts as dead (K-01c).
///
/// Where no voice comes in, the only signs of life are consent checks: one every 2.5 s, and every
/// 0.9 s from the first that stays unanswered (libwebrtc, `p2p/base/p2p_transport_channel.cc`). At
/// 10 % loss each way a fifth of them fails: the four in a row that suspicion takes come a few times
/// an hour, the six that giving up takes come hours apart. With 50 packets of voice a second neither
/// comes about.
public struct WatchdogConfiguration: Sendable, Equatable {
    /// Whether the watchdog is on.
    public var isEnabled = true
    /// How long neither a consent check nor a packet may come in before the status says so.
    public var suspectAfter: Duration = .seconds(6)
    /// How long after that the room object is let go of and another one connects.
    public var actAfter: Duration = .seconds(2)
    /// How long the SDK's own reconnecting may take to bring lost voice back before that happens.
    public var resumeWithin: Duration = .seconds(10)

    /// The default preset.
    public init() {}
}

/// The partner in the room, which decides what silence means.
public enum RoomPartner: String, Sendable, Hashable, CaseIterable {
    /// An agent: it sends as long as it is there, so that a room without its voice is not well.
    case agent
    /// A person: on hold, in a phone call, or without audio yet, and in the room all the same.
    case person
}

/// Upon which phase a session leaves its room (D-05).
public enum LeaveRule: String, Sendable, Hashable, CaseIterable {
    /// As soon as something lies over the app.
    case inactive
    /// When the app goes out of sight.
    case background
    /// Never; the system decides what lives on.
    case never

    /// Whether going from one phase to another leaves the room; coming nearer never does.
    ///
    /// An app that has not been told its phase yet is on its way to the front.
    func leaves(on phase: ScenePhase, after previous: ScenePhase?) -> Bool {
        phase.rawValue > (previous ?? .inactive).rawValue && forbids(phase)
    }

    /// Whether no connection is to be begun by itself in this phase.
    func forbids(_ phase: ScenePhase) -> Bool {
        switch self {
        case .inactive: phase != .active
        case .background: phase == .background
        case .never: false
        }
    }
}
