import PeerTransport
import SansIO
import SansIOTesting
import Testing

struct PathStatisticsTests {
    private func instant(_ milliseconds: Int) -> Instant {
        Instant(nanoseconds: Int64(milliseconds) * 1_000_000)
    }

    @Test(
        "Jitter follows RFC 3550's real-valued form to a sample",
        arguments: [1, 2, 3] as [UInt64]
    )
    func jitter(seed: UInt64) {
        var random = LawRandom(seed: seed)
        var statistics = PathStatistics()
        var (expected, last) = (0.0, 0.0)
        for index in 0..<2000 {
            let transit = 10_000_000 + Int64(random.below(30_000_000))
            let arrives = Instant(nanoseconds: Int64(index) * 20_000_000 + transit)
            statistics.receive(
                sequence: SerialNumber(UInt32(index)),
                captureIndex: Int64(index),
                marks: [],
                at: arrives
            )
            let samples = Double(transit) * 48 / 1_000_000
            if index > 0 { expected += (abs(samples - last) - expected) / 16 }
            last = samples
        }
        let measured = Double(statistics.jitter.wholeNanoseconds) * 48 / 1_000_000
        #expect(abs(measured - expected) < 2)
        #expect(expected > 300)
    }

    @Test("Loss is counted from gaps, over the wrap, and duplicates do not hide it (S-HO-003)")
    func loss() {
        var statistics = PathStatistics()
        for number in 0..<1000 where number % 10 != 3 {
            let sequence = SerialNumber(UInt32.max - 500).advanced(by: UInt32(number))
            for _ in 0..<2 {
                statistics.receive(
                    sequence: sequence,
                    captureIndex: Int64(number),
                    marks: [],
                    at: instant(number * 20)
                )
            }
        }
        #expect(statistics.packetsExpected == 1000)
        #expect(statistics.packetsReceived == 900)
        #expect(statistics.lossFraction == Probability(partsPerMillion: 100_000))
        #expect(statistics.takeIntervalLossFraction() == Probability(partsPerMillion: 100_000))
        #expect(statistics.takeIntervalLossFraction() == .zero)
        statistics.expect(nextSequence: SerialNumber(UInt32.max - 500).advanced(by: 1100))
        #expect(statistics.takeIntervalLossFraction() == .one)
    }

    @Test("A pre-roll leaves jitter and transit as they were (traps 3 and 6)")
    func burst() {
        var statistics = PathStatistics()
        func receive(_ number: Int, at milliseconds: Int, _ marks: FrameMarks) {
            statistics.receive(
                sequence: SerialNumber(UInt32(number)),
                captureIndex: Int64(number),
                marks: marks,
                at: instant(milliseconds)
            )
        }
        for number in 0..<50 { receive(number, at: number * 20 + 30, []) }
        for number in 50..<60 { receive(number, at: 60 * 20 + 30, .burst) }
        #expect(statistics.jitter == .zero)
        #expect(statistics.fastestTransit == .milliseconds(30))
        #expect(statistics.packetsReceived == 60)
    }

    @Test("The fastest transit is forgotten after ten seconds")
    func fastest() {
        var statistics = PathStatistics()
        for number in 0..<1500 {
            let delay = number < 500 ? 20 : 80
            statistics.receive(
                sequence: SerialNumber(UInt32(number)),
                captureIndex: Int64(number),
                marks: [],
                at: instant(number * 20 + delay)
            )
            if number == 900 { #expect(statistics.fastestTransit == .milliseconds(20)) }
        }
        #expect(statistics.fastestTransit == .milliseconds(80))
    }
}
