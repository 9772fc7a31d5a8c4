import SansIO

/// A latency whose logarithm is normal.
public struct LatencyLaw: Sendable, Equatable {
    /// Half of all latencies are shorter.
    public var median: Duration
    /// The standard deviation of the natural logarithm, in millionths.
    ///
    /// A known 90th percentile gives it: ln(90th percentile ÷ median) ÷ 1.281552.
    public var sigmaMillionths: Int64

    /// Makes a law; a `sigmaMillionths` of 0 makes every latency the median.
    public init(median: Duration, sigmaMillionths: Int64) {
        self.median = median
        self.sigmaMillionths = sigmaMillionths
    }
}

extension RandomStream {
    /// A latency of this law; one index.
    public mutating func latency(_ law: LatencyLaw) -> Duration {
        .nanoseconds(
            logNormal(
                median: law.median.wholeNanoseconds,
                sigmaMillionths: law.sigmaMillionths
            )
        )
    }
}
