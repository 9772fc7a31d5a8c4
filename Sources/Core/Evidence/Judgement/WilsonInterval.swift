/// Between which rates the true one lies with 95 % confidence: Wilson's score interval.
///
/// It is for successes among independent trials, such as one outcome per run. Frames and stretches of
/// time within a run are not independent; for their shares see `FigureInterval`.
/// E. B. Wilson, Probable inference, the law of succession, and statistical inference, JASA 22, 1927.
public struct WilsonInterval: Sendable, Equatable {
    /// The lower end in parts per million, rounded down.
    public var lowerPartsPerMillion: Int64
    /// The upper end in parts per million, raised to the next one.
    public var upperPartsPerMillion: Int64

    /// The 0.975 quantile of the normal distribution.
    private static let normalQuantile = 1.959963984540054

    /// Makes the interval of `successes` among `trials`; `nil` without a trial.
    public init?(successes: Int64, trials: Int64) {
        guard trials > 0 else { return nil }
        precondition(
            (0...trials).contains(successes),
            "there are no \(successes) successes among \(trials) trials"
        )
        let count = Double(trials)
        let rate = Double(successes) / count
        let square = Self.normalQuantile * Self.normalQuantile
        let center = rate + square / (2 * count)
        let spread = rate * (1 - rate) / count + square / (4 * count * count)
        let reach = Self.normalQuantile * spread.squareRoot()
        let scale = 1_000_000 / (1 + square / count)
        // At the ends the exact bound is 0 or 1; rounding of floats must not step past them.
        lowerPartsPerMillion = successes == 0 ? 0 : max(0, Int64((center - reach) * scale))
        upperPartsPerMillion =
            successes == trials
            ? 1_000_000 : min(1_000_000, Int64((center + reach) * scale) + 1)
    }
}
