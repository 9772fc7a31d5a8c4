@testable import KodamaSimulation
import Testing

@Suite("Quantile tables")
struct QuantileTableTests {
    static let seeds: [UInt64] = [1, 2, 42, .max]

    /// A bent law: half of the draws between 0 and 100, half between 100 and 1,100.
    private let bent = QuantileTable([0, 100, 1_100])

    @Test("The quantile at a probability lies on the line between its neighbours")
    func interpolation() {
        #expect(bent.quantile(at: 0) == 0)
        #expect(bent.quantile(at: 1 << 62) == 50)
        #expect(bent.quantile(at: 1 << 63) == 100)
        #expect(bent.quantile(at: 3 << 62) == 600)
        #expect(bent.quantile(at: .max) == 1_099)
    }

    @Test("Quantiles may be negative and may stand still")
    func negative() {
        let table = QuantileTable([-10, -10, 0, 5, 5])
        #expect(table.quantile(at: 1 << 60) == -10)
        #expect(table.quantile(at: 3 << 61) == -5)
        #expect(table.quantile(at: .max) == 5)
    }

    @Test("A table's draws keep their values for ever")
    func golden() {
        var stream = RandomStream(seed: 42, purpose: "test", entity: "quantiles")
        let draws = (0..<8).map { _ in stream.sample(bent) }
        #expect(draws == [412, 356, 297, 40, 262, 73, 95, 45])
        #expect(stream.index == 8)
    }

    @Test("Draws follow the table's distribution function", arguments: seeds)
    func fit(seed: UInt64) {
        let table = QuantileTable([0, 1_000_000, 3_000_000, 10_000_000, 90_000_000])
        var stream = RandomStream(seed: seed, purpose: "test", entity: "quantiles")
        let drawn = (0..<50_000).map { _ in Double(stream.sample(table)) }
        let quantiles = table.quantiles.map(Double.init)
        let statistic = GoodnessOfFit.kolmogorovSmirnov(drawn) { value in
            let step = quantiles.lastIndex { $0 <= value } ?? 0
            guard step < quantiles.count - 1 else { return 1 }
            let share = (value - quantiles[step]) / (quantiles[step + 1] - quantiles[step])
            return (Double(step) + share) / Double(quantiles.count - 1)
        }
        #expect(statistic < GoodnessOfFit.kolmogorovSmirnovLimit)
    }

    @Test("A table whose quantiles fall traps")
    func falling() async {
        await #expect(processExitsWith: .failure) {
            _ = QuantileTable([1, 0])
        }
    }
}
