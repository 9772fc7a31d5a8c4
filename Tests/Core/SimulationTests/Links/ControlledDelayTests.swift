@testable import KodamaSimulation
import SansIO
import Testing

@Suite("Controlled delay (RFC 8289)")
struct ControlledDelayTests {
    private static let target: Int64 = 5_000_000
    private static let interval: Int64 = 100_000_000

    private func link(_ bitsPerSecond: Int64) -> Link {
        .with {
            $0.capacity = .rate(DataRate(bitsPerSecond: bitsPerSecond))
            $0.queue = .coDel(
                target: .nanoseconds(Self.target),
                interval: .nanoseconds(Self.interval),
                limitBytes: 1 << 30
            )
        }
    }

    /// Poisson arrivals whose load changes every half second.
    private func packets(
        loadsThousandths: [Int64],
        service: Int64,
        bytes: Int,
        seed: UInt64
    ) -> [ReferenceCoDel.Packet] {
        var stream = RandomStream(seed: seed, purpose: "arrivals", entity: "test")
        var packets: [ReferenceCoDel.Packet] = []
        var now: Int64 = 0
        for (phase, load) in loadsThousandths.enumerated() {
            while now < Int64(phase + 1) * 500_000_000 {
                now += stream.exponential(meanNanoseconds: service * 1_000 / load)
                packets.append(.init(number: packets.count, arrival: now, bytes: bytes))
            }
        }
        return packets
    }

    private func verdicts(
        _ packets: [ReferenceCoDel.Packet],
        over link: inout Link
    ) -> [LinkOutcome] {
        packets.map { link.send(bytes: $0.bytes, at: Instant(nanoseconds: $0.arrival)) }
    }

    @Test(
        "The verdict on arrival is the RFC's verdict at the head of the queue, packet by packet",
        arguments: 1...5 as ClosedRange<UInt64>
    )
    func equalsReference(seed: UInt64) {
        // 100 bytes at 8 Mbit/s take 0.1 ms: a packet that waits for the target has 50 ahead of it,
        // so the rule that spares the last packet never speaks here.
        let loads: [Int64] = [900, 1_300, 1_100, 500, 1_500, 1_050, 1_900, 700, 1_200, 1_200, 300]
        let sent = packets(loadsThousandths: loads, service: 100_000, bytes: 100, seed: seed)
        var reference = ReferenceCoDel(
            target: Self.target,
            interval: Self.interval,
            nanosecondsPerByte: 1_000,
            sparesLastPacket: false
        )
        var link = link(8_000_000)
        let expected = reference.departures(of: sent)
        let found = verdicts(sent, over: &link).map { $0.arrival?.instant.nanoseconds }
        #expect(found == expected)
        #expect(link.statistics.queueManaged > 100)
        #expect(link.statistics.dropped == link.statistics.queueManaged)
    }

    @Test(
        "On a slow link, where one packet exceeds the target, the RFC's drops are met within 1 %",
        arguments: 1...3 as ClosedRange<UInt64>
    )
    func slowLink(seed: UInt64) {
        // 100 bytes at 64 kbit/s take 12.5 ms.
        let loads = [Int64](repeating: 900, count: 400)
        let sent = packets(loadsThousandths: loads, service: 12_500_000, bytes: 100, seed: seed)
        var reference = ReferenceCoDel(
            target: Self.target,
            interval: Self.interval,
            nanosecondsPerByte: 125_000,
            sparesLastPacket: true
        )
        var link = link(64_000)
        let expected = reference.departures(of: sent).count { $0 == nil }
        _ = verdicts(sent, over: &link)
        #expect(expected > 100)
        #expect(abs(link.statistics.queueManaged - expected) * 100 < expected)
    }

    @Test(
        "A slow link that keeps up drops nothing, though every packet takes longer than the target"
    )
    func slowLinkKeepsUp() {
        // 100 bytes at 64 kbit/s take 12.5 ms; one is sent every 13 ms.
        var link = link(64_000)
        #expect(link.send(count: 5_000, every: 13_000_000).allSatisfy { $0.arrival != nil })
    }

    @Test("Drop n follows drop n − 1 by interval/√n: the control law")
    func controlLaw() {
        // 125 bytes at 1 Mbit/s take 1 ms; two are sent in that time.
        let service: Int64 = 1_000_000
        var link = link(1_000_000)
        var freeAt: Int64 = 0
        var drops: [Int64] = []
        for verdict in link.send(count: 6_000, bytes: 125, every: service / 2) {
            if let arrival = verdict.arrival {
                freeAt = arrival.instant.nanoseconds
            } else {
                drops.append(freeAt)
            }
        }
        #expect(drops.count > 100)
        var expected = drops[0]
        for (number, drop) in drops.enumerated().dropFirst() {
            expected += Int64(Double(Self.interval) / Double(number).squareRoot())
            // A drop is due between two packets and done at the next.
            #expect((expected...expected + service).contains(drop), "drop \(number)")
        }
    }

    @Test("The first drop comes one interval after the delay passed the target")
    func firstDrop() {
        // Packet n waits n · 0.5 ms: packet 10 is the first to wait for the target, at 10 ms.
        var link = link(1_000_000)
        let verdicts = link.send(count: 400, bytes: 125, every: 500_000)
        let first = verdicts.firstIndex { $0.dropReason == .queueManaged }
        #expect(first == 110)
    }

    @Test("Under 5 % of overload the delay stays within three targets, drop-tail's at its limit")
    func standingDelay() {
        func delays(_ queue: QueueDiscipline) -> [Int64] {
            var link = Link.with {
                $0.capacity = .rate(DataRate(bitsPerSecond: 1_000_000))
                $0.queue = queue
            }
            // 125 bytes take 1 ms; 1.05 are sent in that time, for 40 s.
            let spacing: Int64 = 952_381
            let verdicts = link.send(count: 42_000, bytes: 125, every: spacing)
            return verdicts.enumerated().dropFirst(21_000).compactMap { number, verdict in
                verdict.arrival.map { $0.instant.nanoseconds - Int64(number) * spacing }
            }.sorted()
        }
        let managed = delays(
            .coDel(target: .milliseconds(5), interval: .milliseconds(100), limitBytes: 62_500)
        )
        let unmanaged = delays(.dropTail(limitBytes: 62_500))
        #expect(managed[managed.count * 95 / 100] < 3 * Self.target)
        #expect(unmanaged[unmanaged.count / 2] > 490_000_000)
    }

    @Test("The whole square root is right around every kind of edge")
    func squareRoot() {
        for root in [0, 1, 2, 3, 99_999_999, 100_000_000, 2_147_483_647, 2_999_999_999] as [Int64] {
            #expect(ControlledDelay.squareRoot(of: root * root) == root)
            #expect(ControlledDelay.squareRoot(of: root * root + 2 * root) == root)
        }
        for number in 0...1_000 as ClosedRange<Int64> {
            let root = ControlledDelay.squareRoot(of: number)
            #expect(root * root <= number && number < (root + 1) * (root + 1))
        }
        #expect(ControlledDelay.squareRoot(of: .max) == 3_037_000_499)
    }
}
