/// The interval of a share to which each run contributes one of its own, from 0 to 1.
///
/// Each end is the share at which betting on every run that the truth lies further inside would have
/// multiplied the stake by 1 ÷ tail; in a fair game that happens with a probability of at most tail
/// (I. Waudby-Smith, A. Ramdas, Estimating means of bounded random variables by
/// betting, J. R. Stat. Soc. B 86, 2024). It holds for runs of any shape and of any number, and is
/// the narrower the less they differ: 40 runs of 15 to 20 % say 15 to 28 %, where 40 equal answers say 3 to 44 %.
struct BettingInterval {
    private let runs: [(part: Double, whole: Double)]
    private let wholeMax: Double
    private let tail: Double

    /// The fractions of the stake that are bet, side by side: large ones suit runs that hardly differ, small
    /// ones runs that vary.
    private static let bets = [1, 0.5, 0.25, 0.125, 0.0625, 0.03125]

    /// Prepares an interval over runs that have samples.
    ///
    /// A run's weight is its whole in that of the greatest, which is taken to bound those to come.
    init(_ runs: [RunPart], tail: Double) {
        self.runs = runs.map { (Double($0.part), Double($0.whole)) }
        wholeMax = Double(runs.map(\.whole).max() ?? 1)
        self.tail = tail
    }

    /// The ends in parts per million, rounded outwards.
    var ends: (lower: Int64, upper: Int64) {
        let part = runs.reduce(0) { $0 + $1.part }
        let whole = runs.reduce(0) { $0 + $1.whole }
        let found = Int64(min(max(part / whole * 1_000_000, 0), 1_000_000))
        var (lower, upper) = ((out: Int64(0), in: found), (out: Int64(1_000_000), in: found))
        while lower.in - lower.out > 1 {
            let middle = (lower.in + lower.out) / 2
            if isRefused(middle, from: -1) { lower.out = middle } else { lower.in = middle }
        }
        while upper.out - upper.in > 1 {
            let middle = (upper.in + upper.out) / 2
            if isRefused(middle, from: 1) { upper.out = middle } else { upper.in = middle }
        }
        return (lower.out, upper.out)
    }

    /// Whether the runs make it too improbable that the share is so great, or so small.
    private func isRefused(_ partsPerMillion: Int64, from side: Double) -> Bool {
        let share = Double(partsPerMillion) / 1_000_000
        // What the worst run takes: the whole stake and no more.
        let worst = wholeMax * (side > 0 ? 1 - share : share)
        guard worst > 0 else { return false }
        var sum = 0.0
        for bet in Self.bets {
            var stake = 1.0
            for run in runs { stake *= 1 - side * bet * (run.part - share * run.whole) / worst }
            sum += stake
        }
        return sum >= Double(Self.bets.count) / tail
    }
}
