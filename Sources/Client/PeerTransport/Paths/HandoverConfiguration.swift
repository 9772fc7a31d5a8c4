import SansIO

/// When a pair of members changes from one path to the other, and how carefully.
public struct HandoverConfiguration: Sendable, Equatable {
    /// How long the radio alone is tried at first before the Internet is brought up; 0 to 30 s.
    ///
    /// Phones on one access point find each other within seconds; a link from cold needs 10 to 20 s
    /// (security-union/remote-shutter, pull request 181). Waiting for the cold ones would leave people
    /// without voice for that long, so 4 s.
    public var localPatience = Duration.seconds(4)
    /// How long everything is sent twice at least when the path changes; 0.5 to 1.5 s (S-HO-002).
    ///
    /// A second holds the deepest playout delay that the jitter buffer keeps (600 ms) and a round trip
    /// of a slow relay, so that the slower path has settled at the receiver when it is left alone.
    public var doubleSending = Duration.seconds(1)
    /// How long a poor radio is backed by sending everything twice before it is given up; from
    /// `doubleSending` to 60 s.
    ///
    /// A longer time rides out a talker's turn or a passing wall; it costs the Internet's bytes
    /// for that long either way. An Internet that was bad is backed for as long by a radio that is
    /// not, which costs none.
    public var doubleSendingMax = Duration.seconds(8)
    /// How long a radio that was poor must be good to count as good again; 0.5 to 30 s.
    ///
    /// More than the 2 s over which loss is counted, so that everything counted is good.
    public var recoveryTime = Duration.seconds(3)
    /// How long the radio must be good before the pair returns to it; 5 to 10 s (S-HO-002).
    public var probingTime = Duration.seconds(5)
    /// After how long a probing that has not succeeded is given up; from `probingTime` to 30 s.
    public var probingTimeMax = Duration.seconds(10)
    /// How long the pair stays on the Internet before it probes the radio; 0 to 60 s.
    ///
    /// With probing and double sending it makes 11 s from leaving to returning: at most one change of
    /// path in 10 s. Doubles with each return that did not last.
    public var returnDelay = Duration.seconds(5)
    /// The longest that `returnDelay` becomes; up to 10 min.
    public var returnDelayMax = Duration.seconds(80)
    /// A return that lasts this long was right: `returnDelay` begins anew.
    public var stableTime = Duration.seconds(60)
    /// How long the Internet stays up as backup after the radio carries alone; up to 1 h.
    ///
    /// A member that has just come back is the likeliest to leave again, and a match service needs seconds to come
    /// up. Keeping it longer costs its keepalives and the beginnings of talk spurts, some 10 frames
    /// of each, which go by it too until the radio has answered.
    public var standbyTime = Duration.seconds(30)
    /// How long the Internet may take to come up before it is asked for again; 1 to 120 s.
    public var internetTimeout = Duration.seconds(20)
    /// How long after a failure the Internet is asked for again; doubles each time, up to 60 s.
    public var internetRetryDelay = Duration.seconds(2)
    /// How often the other side is told again how a path is, beside each change; 0.5 to 60 s.
    public var noticePeriod = Duration.seconds(2)

    /// Makes the values above.
    public init() {}

    /// The configuration in nanoseconds, checked.
    struct Limits: Sendable, Equatable, BitwiseCopyable {
        let localPatience: Int64
        let doubleSending: Int64
        let doubleSendingMax: Int64
        let recoveryTime: Int64
        let probingTime: Int64
        let probingTimeMax: Int64
        let returnDelay: Int64
        let returnDelayMax: Int64
        let stableTime: Int64
        let standbyTime: Int64
        let internetTimeout: Int64
        let internetRetryDelay: Int64
        let noticePeriod: Int64
        /// The longest delay between two attempts to bring the Internet up.
        let internetRetryDelayMax: Int64 = 60_000_000_000

        init(_ configuration: HandoverConfiguration) {
            func limit(
                _ duration: Duration,
                _ least: Duration,
                _ greatest: Duration,
                _ name: StaticString
            ) -> Int64 {
                precondition(
                    duration >= least && duration <= greatest,
                    "handover.\(name) is \(duration), not \(least) to \(greatest)"
                )
                return duration.wholeNanoseconds
            }
            localPatience = limit(
                configuration.localPatience,
                .zero,
                .seconds(30),
                "local_patience"
            )
            doubleSending = limit(
                configuration.doubleSending,
                .milliseconds(500),
                .milliseconds(1_500),
                "double_sending"
            )
            doubleSendingMax = limit(
                configuration.doubleSendingMax,
                configuration.doubleSending,
                .seconds(60),
                "double_sending_max"
            )
            recoveryTime = limit(
                configuration.recoveryTime,
                .milliseconds(500),
                .seconds(30),
                "recovery_time"
            )
            probingTime = limit(
                configuration.probingTime,
                .seconds(5),
                .seconds(10),
                "probing_time"
            )
            probingTimeMax = limit(
                configuration.probingTimeMax,
                configuration.probingTime,
                .seconds(30),
                "probing_time_max"
            )
            returnDelay = limit(configuration.returnDelay, .zero, .seconds(60), "return_delay")
            returnDelayMax = limit(
                configuration.returnDelayMax,
                configuration.returnDelay,
                .seconds(600),
                "return_delay_max"
            )
            stableTime = limit(configuration.stableTime, .zero, .seconds(3_600), "stable_time")
            standbyTime = limit(configuration.standbyTime, .zero, .seconds(3_600), "standby_time")
            internetTimeout = limit(
                configuration.internetTimeout,
                .seconds(1),
                .seconds(120),
                "internet_timeout"
            )
            internetRetryDelay = limit(
                configuration.internetRetryDelay,
                .milliseconds(100),
                .seconds(60),
                "internet_retry_delay"
            )
            noticePeriod = limit(
                configuration.noticePeriod,
                .milliseconds(500),
                .seconds(60),
                "notice_period"
            )
        }
    }
}
