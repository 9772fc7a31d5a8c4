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
        var runs: [RunPart] = []

        init(_ runCount: Int, of population: Population, _ stream: inout RandomStream) {
            for seed in 0..<UInt64(runCount) {
                var run = Distribution()
                for sample in population.run(&stream) {
                    run.add(sample * 1_000)
                    samples.add(sample * 1_000)
                }
                runs.append(RunPart(seed: seed, .distribution(run)))
            }
        }

        func figure(_ statistic: Statistic) -> Int64? {
            IntervalTests.gate(statistic, limit: .max).figure(of: .distribution(samples))
        }

        func interval(_ statistic: Statistic) -> FigureInterval? {
            let gate = IntervalTests.gate(statistic, limit: .max)
            return gate.interval(of: .distribution(samples), runs)
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

    @Test(
        "The 95 % interval of a mean holds the true one in at least 95 of 100 studies",
        arguments: Population.allCases
    )
    func means(population: Population) throws {
        let perMille = try coverage([.mean], population, runCount: 40, studyCount: 200)
        #expect(perMille[0] >= 950)
    }
}
