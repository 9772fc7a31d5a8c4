@testable import KodamaSimulation
import SansIO
import Testing

@Suite("Capacity and queue")
struct LinkCapacityTests {
    private static func rate(_ bitsPerSecond: Int64) -> Capacity {
        .rate(DataRate(bitsPerSecond: bitsPerSecond))
    }

    @Test("A million packets back to back leave without any drift, at a rate that divides nothing")
    func exactDraining() {
        let bitsPerSecond: Int64 = 1_234_577
        let bytes = 137
        var link = Link.with {
            $0.capacity = Self.rate(bitsPerSecond)
            $0.queue = .dropTail(limitBytes: 1 << 30)
        }
        var wrong = 0
        for sent in 1...1_000_000 {
            let expected = Int64(sent * bytes) * 8_000_000_000 / bitsPerSecond
            let arrival = link.send(bytes: bytes, at: .zero).arrival
            wrong += arrival?.instant.nanoseconds == expected ? 0 : 1
        }
        #expect(wrong == 0)
        #expect(link.statistics.delivered == 1_000_000)
    }

    @Test("D/D/1 below capacity: each packet waits for nothing and takes its size over the rate")
    func deterministicIdle() {
        // 100 bytes at 80 kbit/s take 10 ms; one is sent every 20 ms.
        var link = Link.with { $0.capacity = Self.rate(80_000) }
        let arrivals = link.send(count: 1_000).compactMap(\.arrival)
        #expect(
            arrivals.map(\.instant)
                == (0..<1_000).map { .milliseconds($0 * 20 + 10) }
        )
    }

    @Test("D/D/1 above capacity: packet n waits n times what service exceeds the spacing by")
    func deterministicOverload() {
        // 250 bytes at 80 kbit/s take 25 ms; one is sent every 20 ms.
        var link = Link.with {
            $0.capacity = Self.rate(80_000)
            $0.queue = .dropTail(limitBytes: 1_000_000)
        }
        let arrivals = link.send(count: 1_000, bytes: 250).compactMap(\.arrival)
        #expect(arrivals.map(\.instant) == (0..<1_000).map { .milliseconds($0 * 25 + 25) })
    }

    @Test(
        "M/D/1: the mean wait is ρ/(2(1 − ρ)) services (Pollaczek and Khinchine)",
        arguments: [(500, 11), (700, 12), (800, 13)] as [(Int64, UInt64)]
    )
    func poissonArrivals(loadThousandths: Int64, seed: UInt64) {
        // 125 bytes at 1 Mbit/s take 1 ms.
        let service: Int64 = 1_000_000
        var link = Link.with {
            $0.capacity = Self.rate(1_000_000)
            $0.queue = .dropTail(limitBytes: 1 << 30)
        }
        var arrivals = RandomStream(seed: seed, purpose: "arrivals", entity: "test")
        let count = 200_000
        var now: Int64 = 0
        var totalWait: Int64 = 0
        for _ in 0..<count {
            now += arrivals.exponential(meanNanoseconds: service * 1_000 / loadThousandths)
            let verdict = link.send(bytes: 125, at: Instant(nanoseconds: now))
            totalWait += (verdict.arrival?.instant.nanoseconds ?? 0) - service - now
        }
        let load = Double(loadThousandths) / 1_000
        let expected = load / (2 * (1 - load)) * Double(service)
        // Successive waits resemble each other the more, the nearer the load is to 1: 5 % covers
        // four deviations up to a load of 0.8.
        #expect(abs(Double(totalWait) / Double(count) - expected) < 0.05 * expected)
    }

    @Test(
        "Drop-tail takes packets up to its limit, to the byte",
        arguments: [1_000, 1_001, 1_099, 1_100]
    )
    func dropTailLimit(limitBytes: Int) {
        var link = Link.with {
            $0.capacity = Self.rate(999_983)
            $0.queue = .dropTail(limitBytes: limitBytes)
        }
        let verdicts = link.send(count: 20, bytes: 100, every: 0)
        let accepted = limitBytes / 100
        #expect(verdicts.prefix(accepted).allSatisfy { $0.arrival != nil })
        #expect(verdicts.dropFirst(accepted).allSatisfy { $0 == .dropped(.queueFull) })
        #expect(link.statistics.queueFull == 20 - accepted)
    }

    @Test(
        "A full queue takes the next packet as soon as enough bits are sent, to the nanosecond",
        arguments: [(1_000_000, 800_000), (999_990, 800_009)] as [(Int64, Int64)]
    )
    func dropTailReopens(bitsPerSecond: Int64, opensAtNanoseconds: Int64) {
        // The queue holds 1,000 bytes; 800 bits at 999,990 bit/s take 800,008.00008 ns.
        func accepts(at nanoseconds: Int64) -> Bool {
            var link = Link.with {
                $0.capacity = Self.rate(bitsPerSecond)
                $0.queue = .dropTail(limitBytes: 1_000)
            }
            _ = link.send(count: 10, bytes: 100, every: 0)
            return link.send(bytes: 100, at: Instant(nanoseconds: nanoseconds)).arrival != nil
        }
        #expect(!accepts(at: opensAtNanoseconds - 1))
        #expect(accepts(at: opensAtNanoseconds))
    }

    @Test("A packet that the air loses has used the capacity; one that the queue drops has not")
    func lossComesAfterTheQueue() {
        var lossy = Link.with {
            $0.capacity = Self.rate(80_000)
            $0.loss = .independent(.one)
        }
        #expect(lossy.send(bytes: 100, at: .zero) == .dropped(.loss))
        lossy.change(
            to: .with { $0.capacity = Self.rate(80_000) }
        )
        #expect(lossy.send(bytes: 100, at: .zero).arrival?.instant == .milliseconds(20))

        var small = Link.with {
            $0.capacity = Self.rate(80_000)
            $0.queue = .dropTail(limitBytes: 150)
        }
        #expect(small.send(bytes: 200, at: .zero) == .dropped(.queueFull))
        #expect(small.send(bytes: 100, at: .zero).arrival?.instant == .milliseconds(10))
    }

    @Test("The queue's limit means nothing to a link without a capacity")
    func unlimited() {
        var link = Link.with { $0.queue = .dropTail(limitBytes: 1) }
        let arrivals = link.send(count: 100, bytes: 1_500, every: 0).compactMap(\.arrival)
        #expect(arrivals.count == 100)
        #expect(arrivals.allSatisfy { $0.instant == .zero })
    }
}
