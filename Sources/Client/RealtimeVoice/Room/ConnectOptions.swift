/// What the app tells the SDK about connecting and reconnecting.
///
/// Names and SDK defaults are those of client-sdk-swift, `Types/Options/ConnectOptions.swift` and
/// `Extensions/TimeInterval.swift`.
public struct ConnectOptions: Sendable, Equatable {
    /// How many attempts a reconnect has; the last one is a full reconnect.
    ///
    /// SDK default 10.
    public var reconnectAttempts: Int
    /// The wait after the first failed attempt.
    ///
    /// SDK default 0.3 s.
    public var reconnectAttemptDelay: Duration
    /// What the waits grow to.
    ///
    /// SDK default 7 s.
    public var reconnectMaxDelay: Duration
    /// How long the WebSocket may take to open.
    ///
    /// SDK default 10 s.
    public var socketConnectTimeout: Duration
    /// How long a transport may take to connect.
    ///
    /// SDK default 10 s.
    public var primaryTransportConnectTimeout: Duration
    /// How long the publisher's transport may take.
    ///
    /// SDK default 10 s.
    public var publisherTransportConnectTimeout: Duration

    /// The SDK's own defaults.
    public static let sdk = ConnectOptions(
        reconnectAttempts: 10,
        reconnectAttemptDelay: .milliseconds(300),
        reconnectMaxDelay: .seconds(7)
    )

    /// The source design's figures: 10 attempts, 0.5 s, 6 s (RS-04, D-07).
    public static let asSpecified = ConnectOptions(
        reconnectAttempts: 10,
        reconnectAttemptDelay: .milliseconds(500),
        reconnectMaxDelay: .seconds(6)
    )

    /// Makes options; time-outs are the SDK's.
    public init(
        reconnectAttempts: Int,
        reconnectAttemptDelay: Duration,
        reconnectMaxDelay: Duration,
        socketConnectTimeout: Duration = .seconds(10),
        primaryTransportConnectTimeout: Duration = .seconds(10),
        publisherTransportConnectTimeout: Duration = .seconds(10)
    ) {
        self.reconnectAttempts = reconnectAttempts
        self.reconnectAttemptDelay = reconnectAttemptDelay
        self.reconnectMaxDelay = max(reconnectMaxDelay, reconnectAttemptDelay)
        self.socketConnectTimeout = socketConnectTimeout
        self.primaryTransportConnectTimeout = primaryTransportConnectTimeout
        self.publisherTransportConnectTimeout = publisherTransportConnectTimeout
    }
}
