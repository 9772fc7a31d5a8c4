import Foundation
@testable import KodamaSimulation
import Testing

@Suite("Draws from continuous laws")
struct RandomStreamContinuousTests {
    static let seeds: [UInt64] = [1, 2, 42, .max]
    static let drawCount = 20_000

    private func stream(_ seed: UInt64) -> RandomStream {
        RandomStream(seed: seed, purpose: "test", entity: "continuous")
    }

    private func draws(
        _ seed: UInt64,
        _ draw: (inout RandomStream) -> Int64
    ) -> [Double] {
        var stream = stream(seed)
        let drawn = (0..<Self.drawCount).map { _ in Double(draw(&stream)) }
        #expect(stream.index == UInt64(Self.drawCount), "one draw is one index")
        return drawn
    }

    @Test("Waiting times, deviates and magnitudes keep their values for ever")
    func goldenDraws() {
        var stream = stream(42)
        let waits = (0..<4).map { _ in stream.exponential(meanNanoseconds: 1_000_000_000) }
        #expect(waits == [85_733_665, 295_573_714, 317_580_191, 187_906_009])
        let deviates = (0..<6).map { _ in stream.normal(deviation: 1_000_000_000) }
        #expect(
            deviates == [
                688_134_919, 71_350_175, -1_518_964_711, 1_312_299_347, 171_485_013, -875_720_863,
            ]
        )
        let magnitudes = (0..<4).map { _ in stream.halfNormal(deviation: 1_000_000_000) }
        #expect(magnitudes == [52_582_136, 867_879_889, 779_171_735, 1_016_450_323])
        let median: Int64 = 1_000_000_000
        let logNormal = (0..<4).map { _ in
            stream.logNormal(median: median, sigmaMillionths: 500_000)
        }
        #expect(logNormal == [823_789_648, 736_656_720, 1_412_922_071, 1_901_822_182])
    }

    @Test("Forty thousand draws of all laws keep their digest for ever")
    func digest() {
        var stream = stream(42)
        var digest: UInt64 = 0
        for _ in 0..<10_000 {
            for draw in [
                stream.exponential(meanNanoseconds: 1 << 50),
                stream.normal(deviation: 1 << 50),
                stream.halfNormal(deviation: 1 << 50),
                stream.logNormal(median: 1 << 50, sigmaMillionths: 1_000_000),
            ] {
                digest = (digest ^ UInt64(bitPattern: draw)) &* 0x9E37_79B9_7F4A_7C15
                digest ^= digest >> 29
            }
        }
        #expect(digest == 9_748_402_909_626_939_480)
    }

    @Test("Waiting times are exponential", arguments: seeds)
    func exponential(seed: UInt64) {
        let drawn = draws(seed) { $0.exponential(meanNanoseconds: 1_000_000_000) }
        let statistic = GoodnessOfFit.kolmogorovSmirnov(drawn) { 1 - exp(-$0 / 1e9) }
        #expect(statistic < GoodnessOfFit.kolmogorovSmirnovLimit)
    }

    @Test("The fit notices waiting times whose mean is 8 % off", arguments: seeds)
    func exponentialOff(seed: UInt64) {
        let drawn = draws(seed) { $0.exponential(meanNanoseconds: 1_080_000_000) }
        let statistic = GoodnessOfFit.kolmogorovSmirnov(drawn) { 1 - exp(-$0 / 1e9) }
        #expect(statistic > GoodnessOfFit.kolmogorovSmirnovLimit)
    }

    @Test("Deviates are normal", arguments: seeds)
    func normal(seed: UInt64) {
        let drawn = draws(seed) { $0.normal(deviation: 1_000_000_000) }
        let statistic = GoodnessOfFit.kolmogorovSmirnov(drawn) { GoodnessOfFit.normal($0 / 1e9) }
        #expect(statistic < GoodnessOfFit.kolmogorovSmirnovLimit)
    }

    @Test("The tails of the deviates hold their share", arguments: seeds)
    func normalTails(seed: UInt64) {
        let drawn = draws(seed) { $0.normal(deviation: 1_000_000) }
        let edges = [-3.0, -2.5, -2, 2, 2.5, 3].map { $0 * 1e6 }
        var counts = Array(repeating: 0, count: edges.count + 1)
        for deviate in drawn { counts[edges.filter { deviate > $0 }.count] += 1 }
        let below = [0] + edges.map { GoodnessOfFit.normal($0 / 1e6) } + [1]
        let shares = zip(below, below.dropFirst()).map { $1 - $0 }
        let limit = GoodnessOfFit.chiSquaredLimit(degreesOfFreedom: edges.count)
        #expect(GoodnessOfFit.chiSquared(counts, shares: shares) < limit)
    }

    @Test("Magnitudes are half-normal and never negative", arguments: seeds)
    func halfNormal(seed: UInt64) {
        let drawn = draws(seed) { $0.halfNormal(deviation: 1_000_000_000) }
        #expect(drawn.allSatisfy { $0 >= 0 })
        let statistic = GoodnessOfFit.kolmogorovSmirnov(drawn) {
            2 * GoodnessOfFit.normal($0 / 1e9) - 1
        }
        #expect(statistic < GoodnessOfFit.kolmogorovSmirnovLimit)
    }

    @Test("Logarithms of log-normal draws are normal", arguments: seeds)
    func logNormal(seed: UInt64) {
        let drawn = draws(seed) { $0.logNormal(median: 1_000_000_000, sigmaMillionths: 700_000) }
        let statistic = GoodnessOfFit.kolmogorovSmirnov(drawn) {
            GoodnessOfFit.normal(log($0 / 1e9) / 0.7)
        }
        #expect(statistic < GoodnessOfFit.kolmogorovSmirnovLimit)
    }

    @Test("A law without spread gives its one value")
    func noSpread() {
        var stream = stream(5)
        for _ in 0..<1_000 {
            let drawn = [
                stream.exponential(meanNanoseconds: 0),
                stream.normal(deviation: 0),
                stream.halfNormal(deviation: 0),
                stream.logNormal(median: 123, sigmaMillionths: 0),
                stream.logNormal(median: 0, sigmaMillionths: 700_000),
            ]
            #expect(drawn == [0, 0, 0, 123, 0])
        }
    }

    @Test("The largest parameters stay within 64 bits")
    func extremes() {
        var stream = stream(6)
        var longest: Int64 = 0
        var capped = false
        for _ in 0..<10_000 {
            longest = max(longest, stream.exponential(meanNanoseconds: 1 << 57))
            longest = max(longest, stream.halfNormal(deviation: 1 << 57))
            capped = capped || stream.logNormal(median: .max, sigmaMillionths: 10_000_000) == .max
        }
        #expect(longest > 1 << 59)
        #expect(capped)
    }
}
