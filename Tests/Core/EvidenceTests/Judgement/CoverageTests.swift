@testable import KodamaEvidence
@testable import KodamaSimulation
import Testing

@Suite("How often intervals hold the truth (HN-03)")
struct CoverageTests {
    /// How the samples of a run come about.
    enum Population: CaseIterable {
        /// One sample.
        case single
        /// Eight samples around a level of the run's own.
        case equal
        /// A few samples or many, around a level of the run's own.
        case uneven
        /// Twenty samples that hardly differ within a run.
        case alike
        /// Three samples; one run in seven is ten times as slow.
        case bad

        /// The samples of one run, in microseconds.
        func run(_ stream: inout RandomStream) -> [Int64] {
            func draw(_ median: Int64, _ sigmaMillionths: Int64) -> Int64 {
                stream.logNormal(median: median, sigmaMillionths: sigmaMillionths)
            }
            switch self {
            case .single:
                return [draw(1_000, 700_000)]
            case .equal:
                let level = draw(1_000, 500_000)
                return (0..<8).map { _ in draw(level, 500_000) }
            case .uneven:
                let level = draw(1_000, 700_000)
                let count = stream.uniform(below: 5) == 0 ? 20 : 1 + stream.uniform(below: 9)
                return (0..<count).map { _ in draw(level, 300_000) }
            case .alike:
                let level = stream.exponential(meanNanoseconds: 1_000)
                return (0..<20).map { _ in level + Int64(stream.uniform(below: 50)) }
            case .bad:
                let mean: Int64 = stream.uniform(below: 7) == 0 ? 10_000 : 1_000
                return (0..<3).map { _ in stream.exponential(meanNanoseconds: mean) }
            }
        }
    }

    /// One study: so many runs, and what is estimated from them.
    private struct Study {
        var samples = Distribution()
        var runs: [Distribution] = []

        init(_ runCount: Int, of population: Population, _ stream: inout RandomStream) {
            for _ in 0..<runCount {
                var run = Distribution()
                for sample in population.run(&stream) {
                    run.add(sample * 1_000)
                    samples.add(sample * 1_000)
                }
                runs.append(run)
            }
        }

        func figure(_ statistic: Statistic) -> Int64? {
            IntervalTests.gate(statistic, limit: .max).figure(of: .distribution(samples))
        }

        func interval(_ statistic: Statistic) -> FigureInterval? {
            let gate = IntervalTests.gate(statistic, limit: .max)
            let parts = runs.enumerated().map { seed, run in
                RunPart(seed: UInt64(seed), .distribution(run), of: statistic)
            }
            return gate.interval(of: .distribution(samples), parts)
        }
    }

    /// In how many of 1,000 studies the interval of each statistic holds the true figure.
    private func coverage(
        _ statistics: [Statistic],
        _ population: Population,
        runCount: Int,
        studyCount: Int
    ) throws -> [Int] {
        var stream = RandomStream(seed: 1, purpose: "coverage", entity: "\(population)")
        let whole = Study(40_000, of: population, &stream)
        let truths = try statistics.map { try #require(whole.figure($0)) }
        var held = statistics.map { _ in 0 }
        for _ in 0..<studyCount {
            let study = Study(runCount, of: population, &stream)
            for (index, statistic) in statistics.enumerated() {
                let interval = try #require(study.interval(statistic))
                let isBelow = interval.lower ?? .min <= truths[index]
                held[index] += isBelow && truths[index] <= interval.upper ?? .max ? 1 : 0
            }
        }
        return held.map { $0 * 1_000 / studyCount }
    }

    @Test(
        "The 95 % interval of a quantile or share holds the true one in at least 95 of 100 studies",
        arguments: Population.allCases,
        [20, 60]
    )
    func coverage(population: Population, runCount: Int) throws {
        let statistics = [
            Statistic.quantile(perMille: 500), .quantile(perMille: 950), .shareAbove(2_000_000),
        ]
        let perMille = try coverage(statistics, population, runCount: runCount, studyCount: 1_000)
        for (statistic, share) in zip(statistics, perMille) {
            #expect(share >= 950, "\(statistic)")
        }
    }

    /// How the shares of runs lie.
    enum Shares: CaseIterable {
        /// Around a tenth.
        case near
        /// A hundredth, and in one run of twenty a half.
        case bad
        /// Nothing, and in one run of fifty anything.
        case rare
        /// The greater the run, the greater its share.
        case uneven

        /// The part and the whole of one run.
        func run(_ stream: inout RandomStream) -> Proportion {
            let place = Int64(stream.uniform(below: 1_000))
            let whole: Int64
            let part: Int64
            switch self {
            case .near: (part, whole) = (50 + place / 10, 1_000)
            case .bad: (part, whole) = (place < 50 ? 500 : 10, 1_000)
            case .rare: (part, whole) = (place < 20 ? place * 50 : 0, 1_000)
            case .uneven: (part, whole) = (place * place / 1_000, max(1, place))
            }
            return Proportion(numerator: part, denominator: whole)
        }
    }

    @Test(
        "The 95 % interval of runs' shares holds the true one in at least 95 of 100 studies",
        arguments: Shares.allCases,
        [20, 60]
    )
    func shares(population: Shares, runCount: Int) throws {
        var stream = RandomStream(seed: 1, purpose: "coverage", entity: "\(population)")
        func study(_ runCount: Int) -> (all: Proportion, runs: [RunPart]) {
            var all = Proportion(numerator: 0, denominator: 0)
            let runs = (0..<UInt64(runCount)).map { seed in
                let run = population.run(&stream)
                all.merge(run)
                return RunPart(seed: seed, .proportion(run))
            }
            return (all, runs)
        }
        let whole = study(40_000).all
        let truth = whole.numerator * 1_000_000 / whole.denominator
        let held = try (0..<1_000).count { _ in
            let (all, runs) = study(runCount)
            let estimate = IntervalEstimate(runs, confidence: Gate.usualConfidence)
            let interval = try #require(estimate.share(all))
            return try #require(interval.lower) <= truth && truth <= #require(interval.upper)
        }
        #expect(held >= 950)
    }

    @Test(
        "The 95 % interval of a mean holds the true one in at least 95 of 100 studies",
        arguments: Population.allCases
    )
    func means(population: Population) throws {
        let perMille = try coverage([.mean], population, runCount: 40, studyCount: 200)
        #expect(perMille[0] >= 950)
    }
}
