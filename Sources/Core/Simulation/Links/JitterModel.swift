import SansIO

/// What is added to the delay.
///
/// A direction that keeps the order makes one late packet hold back those behind it, which then
/// arrive together. `held` says for how long the weather lasts where delays come in spells.
public indirect enum JitterModel: Sendable, Equatable {
    /// Nothing.
    case none
    /// Anything from nothing to `most`, equally likely.
    case uniform(most: Duration)
    /// The magnitude of a normal deviate with this standard deviation.
    case halfNormal(deviation: Duration)
    /// Drawn from quantiles at equal steps of probability, from 0 to 1, linear between them.
    case quantiles([Duration])
    /// Drawn from quantiles at chosen probabilities, linear between them: the way data are published.
    ///
    /// The first is at 0, the last at 1,000,000 ppm; in between probabilities rise and durations do
    /// not fall.
    case points([QuantilePoint])
    /// One draw for all packets that leave within the same period; periods count from the start.
    ///
    /// The law is none of `held`.
    case held(JitterModel, period: Duration)

    var faults: [String] {
        switch self {
        case .none:
            []
        case .uniform(let most):
            most.isLinkDelay ? [] : ["a jitter of up to \(most) lies outside 0 s...1 day"]
        case .halfNormal(let deviation):
            deviation.isLinkDelay
                ? [] : ["a jitter's deviation of \(deviation) lies outside 0 s...1 day"]
        case .quantiles(let durations):
            Self.faults(ofQuantiles: durations)
        case .points(let points):
            Self.faults(ofPoints: points)
        case .held(.held, _):
            ["a held jitter cannot be held once more"]
        case .held(let law, let period):
            law.faults
                + (period < .nanoseconds(1) ? ["jitter cannot be held for \(period)"] : [])
        }
    }

    /// The most that it adds; of a normal deviate's magnitude, what one packet in 370 exceeds.
    public var most: Duration {
        switch self {
        case .none: .zero
        case .uniform(let most): most
        case .halfNormal(let deviation): deviation * 3
        case .quantiles(let durations): durations.last ?? .zero
        case .points(let points): points.last?.duration ?? .zero
        case .held(let law, _): law.most
        }
    }

    private static func faults(ofQuantiles durations: [Duration]) -> [String] {
        var faults: [String] = []
        if durations.count < 2 {
            faults.append("\(durations.count) quantiles of jitter are too few, expected at least 2")
        }
        if !durations.allSatisfy(\.isLinkDelay) {
            faults.append("a quantile of the jitter lies outside 0 s...1 day")
        }
        if zip(durations, durations.dropFirst()).contains(where: { $0 > $1 }) {
            faults.append("the quantiles of the jitter fall")
        }
        return faults
    }

    private static func faults(ofPoints points: [QuantilePoint]) -> [String] {
        var faults = Self.faults(ofQuantiles: points.map(\.duration))
        if points.first?.share != .zero || points.last?.share != .one {
            faults.append("the quantiles of the jitter do not reach from 0 to 1000000 ppm")
        }
        if zip(points, points.dropFirst()).contains(where: { $0.share >= $1.share }) {
            faults.append("the probabilities of the jitter's quantiles do not rise")
        }
        return faults
    }
}

extension Duration {
    /// Whether a link may delay a packet by this much: from nothing to a day.
    var isLinkDelay: Bool { (.zero...LinkDirection.delayMax).contains(self) }
}
