public import CoachExchange

/// How often a user may do something.
public struct UsageAllowance: Sendable, Equatable {
    /// How often in a period; the next use behind it is refused.
    public var count: Int64
    /// How long a period lasts, from its first use on.
    public var period: Duration

    /// Makes an allowance.
    public init(_ count: Int64, in period: Duration) {
        (self.count, self.period) = (count, period)
    }
}

/// How the coach's part of the server is set up; every figure is an assumption but those with a source.
public struct CoachSettings: Sendable, Equatable {
    /// Recordings offered for a clone: 3 in 30 days.
    public var voiceClones = UsageAllowance(3, in: .seconds(30 * 86_400))
    /// Reflections: 24 a day; there is one each evening (AN-08).
    public var reflections = UsageAllowance(24, in: .seconds(86_400))
    /// Events: 2,000 a day.
    public var metrics = UsageAllowance(2_000, in: .seconds(86_400))
    /// Links to wake audio: 100 a day.
    public var wakeLinks = UsageAllowance(100, in: .seconds(86_400))
    /// How many bytes a second of a recording takes: 32,000, which is 16 kHz with 16 bits.
    public var recordingBytesPerSecond = 32_000
    /// How many seconds a recording has: 30 to 60 (AN-17).
    public var recordingSeconds = 30...60
    /// How long the parts of a recording wait for the rest: a day.
    public var uploadTimeToLive: Duration = .seconds(86_400)
    /// How long after it happened an event is counted: 90 days; so long its id is remembered.
    public var eventTimeToLive: Duration = .seconds(90 * 86_400)
    /// How long a link to wake audio is good for: 12 h, from the evening to the morning.
    public var linkTimeToLive: Duration = .seconds(43_200)
    /// Checks what the App Store has signed; without it receipts are answered with 500.
    public var subscriptions: SubscriptionVerifier?

    /// The default figures.
    public init() {}

    func allowance(of kind: UsageKind) -> UsageAllowance {
        switch kind {
        case .voiceClones: voiceClones
        case .reflections: reflections
        case .metrics: metrics
        case .wakeLinks: wakeLinks
        }
    }
}
