/// How a session connects, comes back and gives up.
public struct RealtimeSessionConfiguration: Sendable, Equatable {
    /// What the SDK is told about its own reconnecting.
    public var connectOptions = ConnectOptions(
        reconnectAttempts: 3,
        reconnectAttemptDelay: .milliseconds(300),
        reconnectMaxDelay: .seconds(1)
    )
    /// What the session does when the SDK has given up.
    public var outerRetry = OuterRetryPolicy()
    /// When the session notices that a connected room is dead, and what it does.
    public var watchdog = WatchdogConfiguration()
    /// Upon which phase the session leaves the room (D-05).
    public var leaveOn = LeaveRule.background
    /// How long a token request may take.
    public var tokenTimeout: Duration = .seconds(8)
    /// How much life a token must have left to be used for a retry.
    public var tokenReserve: Duration = .seconds(60)

    /// The default preset: the one that meets K-01.
    public init() {}

    /// The source design's figures: attempts 10, first delay 0.5 s, maximum delay 6 s; no watchdog, and
    /// retries that wait for nothing but their time (D-07).
    public static var asSpecified: RealtimeSessionConfiguration {
        var configuration = RealtimeSessionConfiguration()
        configuration.connectOptions = .asSpecified
        configuration.outerRetry = .asSpecified
        configuration.watchdog.isEnabled = false
        return configuration
    }
}

/// What the session does when the room is gone and the SDK does not bring it back (RS-09, D-08, D-19).
public struct OuterRetryPolicy: Sendable, Equatable {
    /// How many attempts the fast phase has, after which the user reads that it could not connect.
    public var fastAttempts = 5
    /// The wait before the first attempt.
    public var firstDelay: Duration = .milliseconds(200)
    /// The longest wait of the fast phase; waits double.
    public var maximumDelay: Duration = .seconds(2)
    /// The wait between attempts of the slow phase.
    public var slowDelay: Duration = .seconds(30)
    /// Whether a path-up notice starts an attempt at once, and cuts a hopeless one short.
    public var followsPath = true

    /// The default preset.
    public init() {}

    /// The source design: three attempts after 2 s each, deaf to path notices.
    public static var asSpecified: OuterRetryPolicy {
        var policy = OuterRetryPolicy()
        policy.fastAttempts = 3
        policy.firstDelay = .seconds(2)
        policy.maximumDelay = .seconds(2)
        policy.followsPath = false
        return policy
    }
}

/// When a connected room counts as dead (K-01c).
public struct WatchdogConfiguration: Sendable, Equatable {
    /// Whether anybody watches.
    public var isEnabled = true
    /// How long neither a consent check nor a packet may come in before the status says so.
    public var suspectAfter: Duration = .seconds(4)
    /// How long after that the room object is let go of and another one connects.
    public var actAfter: Duration = .seconds(2)

    /// The default preset.
    public init() {}
}

/// Upon which phase a session leaves its room (D-05).
public enum LeaveRule: String, Sendable, Hashable, CaseIterable {
    /// As soon as something lies over the app.
    case inactive
    /// When the app goes out of sight.
    case background
    /// Never; the system decides what lives on.
    case never
}
