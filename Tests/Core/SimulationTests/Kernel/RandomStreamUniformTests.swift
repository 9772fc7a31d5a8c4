@testable import KodamaSimulation
import SansIO
import Testing

@Suite("Uniform draws")
struct RandomStreamUniformTests {
    static let seeds: [UInt64] = [1, 2, 42, .max]

    private func stream(_ seed: UInt64) -> RandomStream {
        RandomStream(seed: seed, purpose: "test", entity: "uniform")
    }

    @Test("A seed, a purpose and an entity always give the same bits")
    func goldenBits() {
        var stream = stream(42)
        let bits = (0..<4).map { _ in stream.next() }
        #expect(
            bits == [
                3_359_235_206_454_698_939, 14_251_567_469_432_023_766,
                1_945_704_145_482_691_254, 18_183_927_731_437_010_029,
            ]
        )
    }

    @Test("Numbers, ranges and chances keep their values for ever")
    func goldenDraws() throws {
        var stream = stream(42)
        let numbers = (0..<8).map { _ in stream.uniform(below: 1_000) }
        #expect(numbers == [182, 772, 105, 985, 311, 470, 239, 633])
        let ranged = (0..<6).map { _ in stream.uniform(in: -50...50) }
        #expect(ranged == [40, -38, 43, 23, 31, -29])
        let quarter = Probability(partsPerMillion: 250_000)
        let chances = (0..<12).map { _ in stream.bernoulli(quarter) ? 1 : 0 }
        #expect(chances == [1, 1, 0, 0, 1, 0, 0, 0, 1, 1, 0, 0])
        #expect(stream.index == 26)
        var order = Array(0..<10)
        stream.shuffle(&order)
        #expect(order == [0, 7, 2, 8, 6, 9, 3, 1, 4, 5])
        #expect(stream.index == 35)
    }

    @Test("Numbers below a bound are equally likely", arguments: seeds)
    func uniformity(seed: UInt64) {
        var stream = stream(seed)
        for bound in [2, 7, 100] {
            var counts = Array(repeating: 0, count: bound)
            for _ in 0..<20_000 { counts[Int(stream.uniform(below: UInt64(bound)))] += 1 }
            let shares = Array(repeating: 1 / Double(bound), count: bound)
            let limit = GoodnessOfFit.chiSquaredLimit(degreesOfFreedom: bound - 1)
            #expect(GoodnessOfFit.chiSquared(counts, shares: shares) < limit)
        }
    }

    @Test("Numbers of a range reach both ends and are equally likely", arguments: seeds)
    func range(seed: UInt64) {
        var stream = stream(seed)
        var counts = Array(repeating: 0, count: 11)
        for _ in 0..<20_000 { counts[Int(stream.uniform(in: -5...5)) + 5] += 1 }
        let shares = Array(repeating: 1.0 / 11, count: 11)
        let limit = GoodnessOfFit.chiSquaredLimit(degreesOfFreedom: 10)
        #expect(GoodnessOfFit.chiSquared(counts, shares: shares) < limit)
    }

    @Test("Ranges of one number and of all numbers are drawn from like any other")
    func extremeRanges() {
        var stream = stream(7)
        let three = stream.uniform(in: 3...3)
        let any = stream.uniform(in: Int64.min...Int64.max)
        let zero = stream.uniform(below: 1)
        #expect(three == 3)
        #expect(any == Int64.min &+ Int64(bitPattern: stream.bits(at: 1)))
        #expect(zero == 0)
        #expect(stream.index == 3)
    }

    @Test("An event happens as often as its probability says", arguments: seeds)
    func bernoulli(seed: UInt64) {
        var stream = stream(seed)
        for partsPerMillion: Int32 in [1_000, 50_000, 500_000, 990_000] {
            let probability = Probability(partsPerMillion: partsPerMillion)
            var counts = [0, 0]
            for _ in 0..<50_000 { counts[stream.bernoulli(probability) ? 1 : 0] += 1 }
            let share = Double(partsPerMillion) / 1_000_000
            let statistic = GoodnessOfFit.chiSquared(counts, shares: [1 - share, share])
            #expect(statistic < GoodnessOfFit.chiSquaredLimit(degreesOfFreedom: 1))
        }
    }

    @Test("Certain and impossible events consume an index too")
    func certainty() {
        var stream = stream(3)
        let certain = (0..<1_000).map { _ in stream.bernoulli(.one) }
        let impossible = (0..<1_000).map { _ in stream.bernoulli(.zero) }
        #expect(certain.allSatisfy { $0 })
        #expect(!impossible.contains(true))
        #expect(stream.index == 2_000)
    }

    @Test("All orders of four elements are equally likely", arguments: seeds)
    func shuffle(seed: UInt64) {
        var stream = stream(seed)
        var counts = Array(repeating: 0, count: 256)
        for _ in 0..<24_000 {
            var order = [0, 1, 2, 3]
            stream.shuffle(&order)
            #expect(order.sorted() == [0, 1, 2, 3])
            counts[order[0] << 6 | order[1] << 4 | order[2] << 2 | order[3]] += 1
        }
        let orders = counts.filter { $0 > 0 }
        #expect(orders.count == 24)
        let shares = Array(repeating: 1.0 / 24, count: orders.count)
        let limit = GoodnessOfFit.chiSquaredLimit(degreesOfFreedom: 23)
        #expect(GoodnessOfFit.chiSquared(orders, shares: shares) < limit)
    }

    @Test("Shuffling nothing or one element consumes nothing")
    func shuffleNothing() {
        var stream = stream(3)
        var none: [Int] = []
        stream.shuffle(&none)
        var one = [1]
        stream.shuffle(&one)
        #expect(stream.index == 0)
    }

    @Test("A draw is addressed by its index, whatever was drawn before")
    func addressing() {
        var sequential = stream(9)
        let drawn = (0..<100).map { _ in sequential.uniform(below: 1 << 40) }
        var addressed = stream(9)
        for index in (0..<100).reversed() {
            addressed.index = UInt64(index)
            let draw = addressed.uniform(below: 1 << 40)
            #expect(draw == drawn[index])
        }
    }

    @Test("Purposes and entities do not share their draws")
    func separation() {
        let streams = [
            RandomStream(seed: 1, purpose: "loss", entity: "a/b"),
            RandomStream(seed: 1, purpose: "loss", entity: "b/a"),
            RandomStream(seed: 1, purpose: "jitter", entity: "a/b"),
            RandomStream(seed: 1, purpose: "jittera", entity: "/b"),
            RandomStream(seed: 2, purpose: "loss", entity: "a/b"),
        ]
        #expect(Set(streams.map(\.key)).count == streams.count)
    }
}
