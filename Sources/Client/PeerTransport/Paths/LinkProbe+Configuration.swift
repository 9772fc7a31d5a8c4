import SansIO

/// How often a path is asked for an answer.
public struct LinkProbeConfiguration: Sendable, Equatable {
    /// The time from ping to ping on a path of which more pings would tell nothing new.
    ///
    /// That is a good path, a dead one, and an Internet that is late, or poor without losing pings.
    /// From 0.5 to 5 s, as for keepalives (S-VAD-002).
    public var period = Duration.seconds(1)
    /// The time from ping to ping while probing, and on any other path that is up (S-VAD-002: 10 Hz).
    ///
    /// Ten a second make 20 packets in two seconds, enough to tell what share of them is lost.
    /// From 20 to 150 ms: asked more seldom, a radio without talk might not have the ten packets in
    /// two seconds that a verdict takes (`ThresholdJudge`), and no pair would return to it.
    public var probingPeriod = Duration.milliseconds(100)

    /// Makes the values above.
    public init() {}

    /// The configuration in nanoseconds, checked.
    struct Limits: Sendable, Equatable, BitwiseCopyable {
        let periodNanoseconds: Int64
        let probingPeriodNanoseconds: Int64

        init(_ configuration: LinkProbeConfiguration) {
            periodNanoseconds = configuration.period.wholeNanoseconds
            probingPeriodNanoseconds = configuration.probingPeriod.wholeNanoseconds
            precondition(
                (500_000_000...5_000_000_000).contains(periodNanoseconds)
                    && (20_000_000...150_000_000).contains(probingPeriodNanoseconds),
                "a probe's period lies outside its range: \(configuration)"
            )
        }
    }
}
