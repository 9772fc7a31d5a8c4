public import KodamaSimulation
public import SansIO

/// How the push service behaves; the defaults are the published figures where there are any.
public struct PushServiceSettings: Sendable, Equatable {
    // MARK: Delivery

    /// From acceptance to the start of the last mile, for a device that is online: median 0.1 s, 95th
    /// percentile 0.5 s.
    ///
    /// The service's own share is nowhere published. This one is an assumption, fitted so that two
    /// phones in three that have to be paged (a round trip to an idle phone has a median of 0.81 to 1.02 s
    /// and a 95th percentile of 1.54 to 1.63 s, RRC-Probe data of SIGCOMM21-5G) see together a mean of
    /// 0.8 s and a 95th percentile of 2 s, as Apple developer forum thread 825224 reports from request to
    /// ring.
    public var latency = LatencyLaw(median: .milliseconds(100), sigmaMillionths: 978_469)
    /// How often a notification is late beyond that law: 1 in 200, an assumption.
    public var stragglers = Probability(partsPerMillion: 5_000)
    /// By how much: median 6 s (6.3 s in Apple developer forum thread 823102), 95th percentile 60 s (5
    /// minutes happen: thread 762088).
    public var straggling = LatencyLaw(median: .seconds(6), sigmaMillionths: 1_399_872)
    /// How often the service itself delivers a notification twice: 1 in 2,000, an assumption for "rarely"
    /// (alicinaroglu.dev).
    public var duplicates = Probability(partsPerMillion: 500)
    /// The second delivery follows the first within this time, every moment alike: an assumption.
    public var duplicateWithin = Duration.seconds(60)

    // MARK: Store and forward

    /// For how long the service believes that a device is online which has gone without a word: 5 to 15
    /// minutes (for a phone switched off minutes ago the newest of several is not yet the one that is
    /// kept: itecnotes on Apple's documentation).
    ///
    /// Meanwhile it stores nothing: what it sends waits in a dead connection, and comes late to a device
    /// that returns in time, even with an expiration of 0: 20 to 30 s late after 25 s of flight mode
    /// (Apple developer forum thread 795610).
    public var absenceNoticed: ClosedRange<Duration> = .seconds(300) ... .seconds(900)
    /// How often the one notification that is kept for an app is the older of two: 1 in 20, an assumption
    /// for "in most cases, the latest notification is stored" (Apple, "Sending notification requests to
    /// APNs").
    public var olderKept = Probability(partsPerMillion: 50_000)
    /// The longest that anything is kept: 30 days (as above).
    public var storageMax = Duration.seconds(30 * 86_400)

    // MARK: Device tokens

    /// How long after an app's removal its token is answered with 410: up to 1 hour, an assumption, as
    /// Apple's time is its own.
    ///
    /// Until then its notifications are accepted and lost.
    public var removalNoticed: ClosedRange<Duration> = .zero ... .seconds(3_600)
    /// How many requests one device's app may get in `requestWindow`: 60, an assumption; the limit exists
    /// (429 TooManyRequests) and is not published.
    public var requestsPerDeviceMax = 60
    /// The time in which requests to one device are counted: one minute, an assumption.
    public var requestWindow = Duration.seconds(60)

    // MARK: Provider tokens and connections

    /// The age at which a provider token is refused: 1 hour (Apple, "Establishing a token-based connection
    /// to APNs").
    public var providerTokenLife = Duration.seconds(3_600)
    /// How far a provider token may come from the future: one minute, an assumption; a wrong clock gives
    /// ExpiredProviderToken (node-apn, issue 450).
    public var providerClockTolerance = Duration.seconds(60)
    /// A team's provider token may be renewed once in this time: 20 minutes (as above).
    public var providerTokenRenewal = Duration.seconds(20 * 60)
    /// How many different provider tokens are let pass in that time nevertheless: 5 (a new one for each
    /// message was refused after about five: APNSwift, issue 34).
    public var providerTokensMax = 5
    /// After how long a silence a provider's connection is dead, one draw a connection: half an hour to an
    /// hour (node-apn, issues 205 and 449).
    public var connectionIdleLife: ClosedRange<Duration> = .seconds(1_800) ... .seconds(3_600)

    /// The published figures.
    public init() {}
}
