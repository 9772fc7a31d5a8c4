@testable import KodamaSimulation
import SansIO
import Testing

@Suite("Outages that come by themselves")
struct OutageSequenceTests {
    /// The first `count` outages of a link.
    private func outages(
        _ process: OutageProcess,
        count: Int,
        seed: UInt64 = 1
    ) -> [Range<Instant>] {
        var sequence = OutageSequence(process, seed: seed, name: "mika-phone/cellular")
        var end = Instant.zero
        return (0..<count).compactMap { _ in
            let outage = sequence.next(after: end)
            end = outage?.upperBound ?? end
            return outage
        }
    }

    private func seconds(_ outage: Range<Instant>) -> Double {
        Double(outage.upperBound.nanoseconds - outage.lowerBound.nanoseconds) / 1e9
    }

    @Test("Driving has the outages that were measured, within the fit's 15 % (K-01)")
    func driving() {
        let outages = outages(.driving, count: 40_000)
        let lengths = outages.map(seconds).sorted()
        let measured = [(50, 1.8), (75, 3.2), (90, 7.2), (95, 10.2), (99, 16.4)]
        for (percent, expected) in measured {
            let found = lengths[lengths.count * percent / 100]
            #expect(abs(found / expected - 1) < 0.15, "p\(percent): \(found) s")
        }
        #expect(lengths.first == 1)
        #expect(lengths.last.map { $0 <= 60 } == true)
        let hours = (outages.last.map { Double($0.upperBound.nanoseconds) } ?? 0) / 3.6e12
        let down = lengths.reduce(0, +) / 3_600
        let perHourUp = Double(outages.count) / (hours - down)
        #expect(abs(perHourUp / 10 - 1) < 0.02, "\(perHourUp) an hour")
        #expect(abs(down / hours - 0.009) < 0.001, "\(down / hours) of the time")
    }

    @Test("Gaps have no memory: their deviation is their mean")
    func gaps() {
        let outages = outages(.driving, count: 40_000)
        let gaps = zip(outages, outages.dropFirst()).map {
            Double($1.lowerBound.nanoseconds - $0.upperBound.nanoseconds) / 1e9
        }
        let mean = gaps.reduce(0, +) / Double(gaps.count)
        let variance = gaps.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(gaps.count)
        #expect(abs(mean / 360 - 1) < 0.02)
        #expect(abs(variance.squareRoot() / mean - 1) < 0.03)
    }

    @Test("The same seed and link meet the same outages, others do not")
    func repeatable() {
        #expect(outages(.driving, count: 50) == outages(.driving, count: 50))
        #expect(outages(.driving, count: 50) != outages(.driving, count: 50, seed: 2))
    }

    @Test("A process of none has none, and lengths keep their bounds")
    func bounds() {
        var process = OutageProcess.driving
        process.perHour = 0
        #expect(outages(process, count: 3).isEmpty)
        process.perHour = 60
        process.shortest = .seconds(2)
        process.longest = .seconds(3)
        let lengths = outages(process, count: 500).map(seconds)
        #expect(lengths.min() == 2)
        #expect(lengths.max() == 3)
    }
}
