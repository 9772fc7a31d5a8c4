/// How calls are received, remembered and given up.
public struct CallsConfiguration: Sendable, Equatable {
    /// What a push leads to that cannot ring (D-01).
    public var pushRule = PushRule.reportAlways
    /// What bounds the memory of call ids; `nil` lets it grow, and forgets it all at relaunch (VP-02).
    public var memory: CallMemory.Limits? = CallMemory.Limits()
    /// How often the server is asked about a call that rings here; `nil` to not follow what the
    /// other side does (D-03).
    ///
    /// A call that has ended rings on for this long at most, and the time of a request: 7 s if one is lost
    /// on the way.
    public var watchInterval: Duration? = .seconds(2)
    /// How long a call rings; `nil` lets it ring until the user or the system ends it (D-03).
    ///
    /// An app in the background has about 30 s for a push (signalapp/Signal-iOS, pull request 2632), its
    /// launch among them. One that is suspended while it rings hears of no end, and the phone rings on for
    /// ever: so the ring ends while the app can still end it, and tell. An answer at the last moment has 3 s
    /// more until the server ends the call, and the notice of a missed one, which the server lists from then
    /// on, 4 s: time for a packet to be lost twice. Clients in the field ring for 30 s
    /// (hiennguyen92/flutter_callkit_incoming, issue 595) to 60 s (matrix-org/matrix-ios-sdk, pull request
    /// 1710).
    public var ringTimeout: Duration? = .seconds(22)
    /// How long an answered call may take until both sides are joined.
    public var connectTimeout: Duration = .seconds(30)
    /// How long the system's answer action is kept open for the server's consent, which keeps its call
    /// screen at "connecting"; an assumption, since Apple publishes no limit.
    public var answerActionPatience: Duration = .seconds(5)
    /// How many calls there may be at a time; one more is busy.
    ///
    /// Two, as the system's two call groups of one call each hold (`CXProviderConfiguration`).
    public var callsMax = 2
    /// Whether of two calls between the same users, begun at once by both, one gives way.
    public var resolvesGlare = true
    /// Whether the network's return registers a token anew that could not be registered (D-04).
    public var registersOnPath = true
    /// Whether the user gets a notice of calls that were missed.
    public var noticesMissedCalls = true
    /// How long after an answer the server is asked again for missed calls while the user looks at the app; `nil`
    /// for never.
    public var missedCallInterval: Duration? = MissedCallInbox.interval

    /// The default preset: every call rings once, and only while it can be answered.
    public init() {}

    /// The source design's published rules.
    ///
    /// A push that cannot be read and one that comes twice are completed quietly, the set of ids only
    /// grows and dies with the process, no cancel, expiry or answer elsewhere is heard of, and a token
    /// waits for the next launch or change. On iOS 13 and later the first of these ends the app.
    public static var asSpecified: CallsConfiguration {
        var configuration = CallsConfiguration()
        configuration.pushRule = .completeQuietly
        configuration.memory = nil
        configuration.watchInterval = nil
        configuration.ringTimeout = nil
        configuration.resolvesGlare = false
        configuration.registersOnPath = false
        configuration.noticesMissedCalls = false
        return configuration
    }
}

/// What a push leads to that cannot ring (D-01).
public enum PushRule: String, Sendable, Hashable, CaseIterable {
    /// It is reported: a duplicate under the identity of the call that rings, anything else as a call that
    /// ends at once.
    case reportAlways
    /// Its completion handler is called, and nothing else.
    case completeQuietly
}
