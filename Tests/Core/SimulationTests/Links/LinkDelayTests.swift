@testable import KodamaSimulation
import SansIO
import Testing

@Suite("Delay, jitter and order")
struct LinkDelayTests {
    /// Jitter laws with their means and greatest values in microseconds; 0 stands for no bound.
    static let laws: [(JitterModel, mean: Double, most: Int64)] = [
        (.uniform(most: .milliseconds(30)), 15_000, 30_000),
        // The mean of a half-normal law is √(2/π) deviations.
        (.halfNormal(deviation: .milliseconds(10)), 7_978.8, 0),
        // A triangle's inverse: half the draws below 2 ms, half above.
        (.quantiles([.zero, .milliseconds(2), .milliseconds(20)]), 6_000, 20_000),
        (
            .points([
                QuantilePoint(.zero, .milliseconds(1)),
                QuantilePoint(.ppm(990_000), .milliseconds(3)),
                QuantilePoint(.one, .milliseconds(103)),
            ]), 0.99 * 2_000 + 0.01 * 53_000, 103_000
        ),
    ]

    @Test("Jitter follows its law, above the delay and below its bound", arguments: 0..<4)
    func jitterLaw(index: Int) {
        let (model, mean, most) = Self.laws[index]
        var link = Link.with(seed: 20) {
            $0.delay = .milliseconds(40)
            $0.jitter = model
            $0.allowsReordering = true
        }
        let jitters = link.send(count: 50_000).enumerated().compactMap { number, verdict in
            verdict.arrival.map { $0.instant.nanoseconds / 1_000 - Int64(number) * 20_000 - 40_000 }
        }
        #expect(jitters.count == 50_000)
        #expect(jitters.allSatisfy { $0 >= 0 && (most == 0 || $0 <= most) })
        let found = Double(jitters.reduce(0, +)) / 50_000
        #expect(abs(found - mean) < 0.03 * mean, "the widest law's four deviations are 2.5 %")
    }

    @Test("The share of draws below each published quantile is the published share")
    func points() {
        let points = [(0, 0), (250_000, 10), (900_000, 20), (999_000, 200), (1_000_000, 1_000)]
        var link = Link.with(seed: 21) {
            $0.jitter = .points(points.map { .init(.ppm(Int32($0.0)), .milliseconds($0.1)) })
            $0.allowsReordering = true
        }
        let count = 100_000
        let delays = link.send(count: count, every: 0).compactMap { $0.arrival?.instant }
        for (partsPerMillion, milliseconds) in points {
            let share = Double(partsPerMillion) / 1_000_000
            let found = delays.count { $0 <= .milliseconds(Int64(milliseconds)) }
            let deviation = (share * (1 - share) / Double(count)).squareRoot()
            #expect(abs(Double(found) / Double(count) - share) <= 4 * deviation)
        }
    }

    @Test(
        "Without reordering each packet arrives no earlier than the one before",
        arguments: 1...20 as ClosedRange<UInt64>
    )
    func inOrder(seed: UInt64) {
        var link = Link.with(seed: seed) {
            $0.delay = .milliseconds(10)
            $0.jitter = .halfNormal(deviation: .milliseconds(50))
            $0.duplication = .ppm(100_000)
            $0.loss = .independent(.ppm(100_000))
        }
        let verdicts = link.send(count: 2_000)
        let arrivals = verdicts.flatMap { [$0.arrival, $0.secondArrival].compactMap { $0 } }
        #expect(arrivals.count > 1_500)
        #expect(zip(arrivals, arrivals.dropFirst()).allSatisfy { $0.instant <= $1.instant })
    }

    @Test("Where reordering is allowed packets overtake, and no packet waits for another")
    func reordering() {
        func instants(allowsReordering: Bool) -> [Instant] {
            var link = Link.with(seed: 22) {
                $0.jitter = .uniform(most: .milliseconds(60))
                $0.allowsReordering = allowsReordering
            }
            return link.send(count: 5_000).compactMap { $0.arrival?.instant }
        }
        let free = instants(allowsReordering: true)
        let ordered = instants(allowsReordering: false)
        #expect(zip(free, free.dropFirst()).count { $0 > $1 } > 500)
        // In order, each packet arrives with the latest of those up to it: the same draws.
        var latest = Instant.zero
        let running = free.map { instant in
            latest = max(latest, instant)
            return latest
        }
        #expect(ordered == running)
    }

    @Test("A late packet holds back those behind it, which is a spike's straight fall")
    func spike() {
        // One quantile table in a thousand draws is 250 ms late; all others are on time.
        var link = Link.with(seed: 23) {
            $0.jitter = .points([
                QuantilePoint(.zero, .zero), QuantilePoint(.ppm(999_000), .zero),
                QuantilePoint(.ppm(999_001), .milliseconds(250)),
                QuantilePoint(.one, .milliseconds(250)),
            ])
        }
        let delays = link.send(count: 20_000).enumerated().compactMap { number, verdict in
            verdict.arrival.map { $0.instant.nanoseconds / 1_000_000 - Int64(number) * 20 }
        }
        guard let start = delays.firstIndex(of: 250) else {
            Issue.record("no spike in 20,000 packets")
            return
        }
        #expect(Array(delays[start..<start + 14]) == (0..<14).map { max(0, 250 - 20 * $0) })
    }

    @Test("A held draw is shared by all packets of its period and by no other")
    func held() {
        var link = Link.with(seed: 24) {
            $0.jitter = .held(.uniform(most: .milliseconds(100)), period: .milliseconds(200))
            $0.allowsReordering = true
        }
        let jitters = link.send(count: 1_000).enumerated().compactMap { number, verdict in
            verdict.arrival.map { $0.instant.nanoseconds - Int64(number) * 20_000_000 }
        }
        let periods = stride(from: 0, to: 1_000, by: 10).map { Array(jitters[$0..<$0 + 10]) }
        #expect(periods.allSatisfy { $0.allSatisfy { [first = $0[0]] in $0 == first } })
        #expect(Set(periods.map { $0[0] }).count == 100)
    }

    @Test("Duplicates come at their rate, second in order, and with the packet's own number")
    func duplication() {
        var link = Link.with(seed: 25) { $0.duplication = .ppm(50_000) }
        let verdicts = link.send(count: 50_000)
        let copies = verdicts.count { $0.secondArrival != nil }
        #expect(abs(copies - 2_500) < 195, "four deviations of 48.7")
        #expect(link.statistics.duplicated == copies)
        #expect(link.statistics.delivered == 50_000)
        #expect(verdicts.allSatisfy { $0.secondArrival == nil || $0.secondArrival == $0.arrival })
    }

    @Test("Each copy of a packet meets its own jitter and its own flipped bit")
    func copiesDiffer() {
        var link = Link.with(seed: 26) {
            $0.duplication = .one
            $0.corruption = .one
            $0.jitter = .uniform(most: .milliseconds(100))
            $0.allowsReordering = true
        }
        let verdicts = link.send(count: 1_000)
        let equalJitter = verdicts.count { $0.arrival?.instant == $0.secondArrival?.instant }
        let equalBit = verdicts.count { $0.arrival?.corruptedBit == $0.secondArrival?.corruptedBit }
        #expect(equalJitter < 3)
        #expect(equalBit < 10, "one in 800 is expected")
        #expect(link.statistics.corrupted == 2_000)
    }

    @Test("Corruption comes at its rate and flips every bit of the packet alike")
    func corruption() {
        var link = Link.with(seed: 27) { $0.corruption = .ppm(200_000) }
        let bits = link.send(count: 100_000, bytes: 10).compactMap { $0.arrival?.corruptedBit }
        #expect(abs(bits.count - 20_000) < 506, "four deviations of 126.5")
        #expect(link.statistics.corrupted == bits.count)
        #expect(bits.allSatisfy { (0..<80).contains($0) })
        let counts = (0..<80).map { bit in bits.count { $0 == bit } }
        // 250 each: five deviations of 15.7, for the worst of eighty.
        #expect(counts.allSatisfy { abs($0 - 250) < 80 })
    }

    @Test("An empty packet has no bit to flip")
    func emptyPacket() {
        var link = Link.with { $0.corruption = .one }
        #expect(link.send(bytes: 0, at: .zero) == .delivered(Arrival(instant: .zero)))
    }
}
