import Foundation
@testable import KodamaEvidence
import SansIOTesting
import Testing

@Suite("Distributions")
struct DistributionTests {
    @Test(
        "Quantiles are those of the sorted samples, rounded up by less than a bucket",
        arguments: 1...20
    )
    func quantiles(seed: Int) {
        var random = LawRandom(seed: UInt64(seed))
        var distribution = Distribution()
        let scale = [1_000, 1_000_000, 1_000_000_000, 60_000_000_000][seed % 4]
        let samples = (0..<(1 + random.below(2_000))).map { _ in Int64(random.below(scale)) }
        samples.forEach { distribution.add($0) }
        let sorted = samples.sorted()
        for perMille in [0, 1, 10, 500, 900, 950, 990, 999, 1_000] {
            let rank = max(1, (sorted.count * perMille + 999) / 1_000)
            let exact = sorted[rank - 1]
            let width: Int64 = exact > 10_000_000_000 ? 10_000_000 : 10_000
            let quantile = distribution.quantile(perMille: perMille) ?? -1
            #expect(quantile >= exact && quantile - exact < width, "p\(perMille) of seed \(seed)")
        }
        #expect(distribution.mean == samples.reduce(0, +) / Int64(samples.count))
        #expect(distribution.quantile(perMille: 1_000) == sorted.last)
    }

    @Test("A sample on an edge counts as at most the edge")
    func edges() {
        var distribution = Distribution()
        [-5, 0, 1, 9_999, 10_000, 10_001, 20_000].forEach { distribution.add($0) }
        #expect(distribution.shareAbove(0).numerator == 5)
        #expect(distribution.shareAbove(10_000).numerator == 2)
        #expect(distribution.shareAbove(20_000).numerator == 0)
        #expect(distribution.buckets.map(\.upperEdge) == [0, 10_000, 20_000])
        #expect(distribution.buckets.map(\.count) == [2, 3, 2])
        #expect(distribution.minimum == -5)
    }

    @Test("Between two edges the whole bucket counts as above")
    func betweenEdges() {
        var distribution = Distribution()
        [10_001, 15_000, 20_000, 20_001].forEach { distribution.add($0) }
        #expect(distribution.shareAbove(15_000).numerator == 4)
        #expect(distribution.shareAbove(10_000).numerator == 4)
        #expect(distribution.shareAbove(-1).numerator == 4)
    }

    @Test("The share above a multiple of 10 µs is exact", arguments: 1...10)
    func shares(seed: Int) {
        var random = LawRandom(seed: UInt64(seed))
        var distribution = Distribution()
        let samples = (0..<1_000).map { _ in Int64(random.below(300_000)) }
        samples.forEach { distribution.add($0) }
        for limit in stride(from: Int64(0), through: 300_000, by: 10_000) {
            let share = distribution.shareAbove(limit)
            #expect(share.numerator == Int64(samples.filter { $0 > limit }.count))
            #expect(share.denominator == 1_000)
        }
    }

    @Test("Beyond 10 s buckets are 10 ms wide, beyond 10,010 s there is one")
    func tiers() {
        var distribution = Distribution()
        distribution.add(10_000_000_000)
        distribution.add(10_000_000_001)
        distribution.add(10_010_000_000_000)
        distribution.add(.max / 2)
        distribution.add(.max / 4)
        let edges = distribution.buckets.map(\.upperEdge)
        #expect(edges == [10_000_000_000, 10_010_000_000, 10_010_000_000_000, .max])
        #expect(distribution.quantile(perMille: 800) == .max / 2)
    }

    @Test("Merged distributions are those of all samples, in any order", arguments: 1...10)
    func merging(seed: Int) {
        var random = LawRandom(seed: UInt64(seed))
        var parts = Array(repeating: Distribution(), count: 3)
        var whole = Distribution()
        for _ in 0..<500 {
            let sample = Int64(random.below(20_000_000_000)) - 1_000
            parts[random.below(3)].add(sample)
            whole.add(sample)
        }
        for order in [[0, 1, 2], [2, 1, 0], [1, 0, 2]] {
            var merged = Distribution()
            order.forEach { merged.merge(parts[$0]) }
            #expect(merged == whole)
        }
    }

    @Test("The mean is exact although the sum of the samples exceeds 64 bits")
    func wideSums() throws {
        for sign: Int64 in [1, -1] {
            var distribution = Distribution()
            var other = Distribution()
            for sample: Int64 in 1...10 { distribution.add(sign * (.max - sample)) }
            for sample: Int64 in 11...20 { other.add(sign * (.max - sample)) }
            distribution.merge(other)
            // Of 1 to 20 the mean is 10.5, so the samples' is .max - 10.5, rounded towards zero.
            #expect(distribution.mean == sign * (.max - 11))
            #expect(distribution.sum == (sign > 0 ? .max : .min))
            let written = try JSONEncoder().encode(distribution)
            #expect(try JSONDecoder().decode(Distribution.self, from: written) == distribution)
        }
        var few = Distribution()
        [-3, 5, -9].forEach { few.add($0) }
        #expect(few.sum == -7 && few.mean == -2)
    }

    @Test("Nothing has no figures")
    func empty() {
        let distribution = Distribution()
        #expect(distribution.quantile(perMille: 500) == nil)
        #expect(distribution.mean == nil)
        #expect(distribution.minimum == nil)
        #expect(distribution.shareAbove(0).partsPerMillion(roundedUp: true) == nil)
    }

    @Test("Shares round exactly, down or up, with numbers of any size")
    func proportions() {
        let third = Proportion(numerator: 1, denominator: 3, samples: 3)
        #expect(third.partsPerMillion(roundedUp: false) == 333_333)
        #expect(third.partsPerMillion(roundedUp: true) == 333_334)
        let half = Proportion(numerator: .max / 2, denominator: .max - 1, samples: 1)
        #expect(half.partsPerMillion(roundedUp: true) == 500_000)
        var pooled = third
        pooled.merge(Proportion(numerator: 2, denominator: 3, samples: 1))
        #expect(pooled == Proportion(numerator: 3, denominator: 6, samples: 4))
    }
}
