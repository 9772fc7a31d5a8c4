public import SansIO

/// One published quantile: the share of the measurements that stay at or below a duration.
@frozen
public struct QuantilePoint: Sendable, Hashable, BitwiseCopyable {
    /// The share.
    public var share: Probability
    /// The duration.
    public var duration: Duration

    /// Makes the quantile at `share`.
    public init(_ share: Probability, _ duration: Duration) {
        self.share = share
        self.duration = duration
    }
}
