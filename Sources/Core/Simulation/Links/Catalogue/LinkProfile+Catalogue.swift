import SansIO

/// The catalogue: links that scenarios call by name.
///
/// Where one end of a link is on a mobile network, that is the first: forward is its uplink.
/// Round-trip times are split in halves, for no source gives the ways separately.
extension LinkProfile {
    /// Every profile, from the simplest to the worst.
    public static let all: [LinkProfile] = local + radio + internet + cellular
}

extension LinkDirection {
    /// A direction with these impairments and no others.
    init(
        delay: Duration,
        jitter: JitterModel = .none,
        loss: LossModel = .none,
        capacity: Capacity = .unlimited,
        maximumBytes: Int? = nil
    ) {
        self.init()
        self.delay = delay
        self.jitter = jitter
        self.loss = loss
        self.capacity = capacity
        self.maximumBytes = maximumBytes
    }
}

extension Probability {
    /// So many in a million.
    static func ppm(_ partsPerMillion: Int32) -> Probability {
        Probability(partsPerMillion: partsPerMillion)
    }
}

extension JitterModel {
    /// Quantiles written as (parts per million, microseconds).
    static func points(_ quantiles: [(Int32, Int64)]) -> JitterModel {
        .points(quantiles.map { QuantilePoint(.ppm($0), .microseconds($1)) })
    }
}
