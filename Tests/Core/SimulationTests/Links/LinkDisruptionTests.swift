@testable import KodamaSimulation
import SansIO
import Testing

@Suite("Disruptions and changes")
struct LinkDisruptionTests {
    private let clean = LinkDirection.with { $0.delay = .milliseconds(8) }

    private func link(_ direction: LinkDirection) -> Link {
        Link(direction, seed: 1, name: "test")
    }

    /// Arrivals in milliseconds, `nil` for dropped packets; one is sent every 20 ms.
    private func milliseconds(_ verdicts: [LinkOutcome]) -> [Int64?] {
        verdicts.map { $0.arrival.map { $0.instant.nanoseconds / 1_000_000 } }
    }

    @Test("A stopped link loses what is sent until the end; what is under way still arrives")
    func stopped() {
        var link = link(clean)
        let before = link.send(count: 1)
        link.disrupt(.stopped, until: .milliseconds(60))
        let after = link.send(count: 4, from: 20_000_000)
        #expect(milliseconds(before + after) == [8, nil, nil, 68, 88])
        #expect(after[0] == .dropped(.down))
        #expect(link.statistics.down == 2)
    }

    @Test("A slowed link takes so much longer, and order is kept when it ends")
    func slowed() {
        var link = link(clean)
        link.disrupt(.slowed(by: .milliseconds(50)), until: .milliseconds(40))
        #expect(milliseconds(link.send(count: 5)) == [58, 78, 78, 78, 88])
    }

    @Test("A jammed link holds its packets and lets them enter at the end, in order")
    func jammed() {
        var link = link(clean)
        link.disrupt(.jammed, until: .milliseconds(70))
        #expect(milliseconds(link.send(count: 6)) == [78, 78, 78, 78, 88, 108])
    }

    @Test("Packets released by a jam drain at the rate, and find a queue of its size")
    func jammedQueue() {
        // 100 bytes at 80 kbit/s take 10 ms; the queue holds three.
        var link = link(
            .with {
                $0.capacity = .rate(DataRate(bitsPerSecond: 80_000))
                $0.queue = .dropTail(limitBytes: 300)
            }
        )
        link.disrupt(.jammed, until: .milliseconds(100))
        let verdicts = link.send(count: 5)
        #expect(milliseconds(verdicts) == [110, 120, 130, nil, nil])
        #expect(verdicts[4] == .dropped(.queueFull))
        #expect(milliseconds(link.send(count: 1, from: 110_000_000)) == [140])
    }

    @Test("Overlapping stops last until the later end")
    func overlap() {
        var link = link(clean)
        link.disrupt(.stopped, until: .milliseconds(60))
        link.disrupt(.stopped, until: .milliseconds(30))
        #expect(milliseconds(link.send(count: 4)) == [nil, nil, nil, 68])
    }

    @Test("While an interface is down packets are dropped, and its disruptions run on")
    func interface() {
        var link = link(clean)
        link.isUp = false
        #expect(link.send(bytes: 100, at: .zero) == .dropped(.down))
        link.isUp = true
        #expect(milliseconds(link.send(count: 1)) == [8])
    }

    @Test("A packet above the largest size is dropped, one of that size is not")
    func tooLarge() {
        var link = link(.with { $0.maximumBytes = 1_000 })
        #expect(link.send(bytes: 1_001, at: .zero) == .dropped(.tooLarge))
        #expect(link.send(bytes: 1_000, at: .zero).arrival != nil)
        #expect(link.statistics.tooLarge == 1)
    }

    @Test("A change holds for the packets after it and keeps order")
    func change() {
        var link = link(.with { $0.delay = .milliseconds(100) })
        let before = link.send(count: 2)
        link.change(to: clean)
        let after = link.send(count: 6, from: 40_000_000)
        #expect(milliseconds(before + after) == [100, 120, 120, 120, 120, 120, 128, 148])
    }

    @Test("Packets that others may overtake hold none back once order is kept")
    func changeToOrder() {
        var link = link(
            .with {
                $0.delay = .seconds(30)
                $0.allowsReordering = true
            }
        )
        #expect(milliseconds(link.send(count: 1)) == [30_000])
        link.change(to: clean)
        let after = milliseconds(link.send(count: 2, from: 40_000_000))
        #expect(after == [48, 68])
    }

    @Test("A change of one stage leaves the others where they were")
    func changeKeepsOtherStages() {
        let direction = LinkDirection.with {
            $0.capacity = .rate(DataRate(bitsPerSecond: 80_000))
            $0.loss = .gilbert(p: .ppm(100_000), r: .ppm(300_000))
            $0.jitter = .uniform(most: .milliseconds(3))
        }
        var plain = link(direction)
        var changed = plain
        let whole = plain.send(count: 2_000, bytes: 199)
        var found = changed.send(count: 1_000, bytes: 199)
        var later = direction
        later.delay = .milliseconds(5)
        changed.change(to: later)
        found += changed.send(count: 1_000, bytes: 199, from: 20_000_000_000)
        #expect(found.map(\.dropReason) == whole.map(\.dropReason))
        let differences = zip(whole, found).compactMap { old, new in
            old.arrival.flatMap { old in
                new.arrival.map { old.instant.duration(to: $0.instant) }
            }
        }
        #expect(Set(differences) == [.zero, .milliseconds(5)])
    }

    @Test("A new capacity starts idle")
    func changeOfCapacity() {
        var link = link(
            .with {
                $0.capacity = .rate(DataRate(bitsPerSecond: 8_000))
                $0.allowsReordering = true
            }
        )
        // 100 bytes take 100 ms, then 1 ms.
        #expect(milliseconds(link.send(count: 2, every: 0)) == [100, 200])
        link.change(
            to: .with {
                $0.capacity = .rate(DataRate(bitsPerSecond: 800_000))
                $0.allowsReordering = true
            }
        )
        #expect(milliseconds(link.send(count: 1, from: 5_000_000)) == [6])
    }

    @Test(
        "Whatever is done to a link, each packet is delivered or dropped for one reason",
        arguments: 1...50 as ClosedRange<UInt64>
    )
    func accounts(seed: UInt64) {
        var random = RandomStream(seed: seed, purpose: "deeds", entity: "test")
        var link = Link(LinkDirection(), seed: seed, name: "test")
        var counts: [LinkDropReason: Int] = [:]
        var (delivered, copies, bytesSent, now) = (0, 0, 0, Int64(0))
        for _ in 0..<500 {
            now += random.exponential(meanNanoseconds: 5_000_000)
            let end = Instant(nanoseconds: now + random.exponential(meanNanoseconds: 40_000_000))
            switch random.uniform(below: 24) {
            case 0: link.disrupt(.stopped, until: end)
            case 1: link.disrupt(.jammed, until: end)
            case 2: link.disrupt(.slowed(by: .milliseconds(30)), until: end)
            case 3: link.isUp.toggle()
            case 4...6: link.change(to: .random(&random))
            default: break
            }
            let bytes = Int(random.uniform(below: 1_500))
            bytesSent += bytes
            let verdict = link.send(bytes: bytes, at: Instant(nanoseconds: now))
            if let reason = verdict.dropReason {
                counts[reason, default: 0] += 1
            }
            delivered += verdict.arrival == nil ? 0 : 1
            copies += verdict.secondArrival == nil ? 0 : 1
            #expect((verdict.arrival?.instant.nanoseconds ?? now) >= now)
        }
        let statistics = link.statistics
        for reason in LinkDropReason.allCases {
            #expect(statistics.dropped(for: reason) == counts[reason, default: 0])
        }
        #expect(statistics.sent == 500)
        #expect(statistics.sentBytes == bytesSent)
        #expect(statistics.delivered == delivered)
        #expect(statistics.duplicated == copies)
        #expect(statistics.delivered + statistics.dropped == statistics.sent)
    }
}

extension LinkDirection {
    /// Any direction, impairments and all.
    fileprivate static func random(_ random: inout RandomStream) -> LinkDirection {
        .with {
            $0.maximumBytes = random.bernoulli(.ppm(300_000)) ? 1_000 : nil
            $0.capacity =
                [
                    .unlimited, .rate(DataRate(bitsPerSecond: 1_000_000)),
                    .opportunities(DeliveryTrace(name: "test", milliseconds: [3, 3, 9])),
                ][Int(random.uniform(below: 3))]
            $0.queue =
                random.bernoulli(.ppm(500_000))
                ? .dropTail(limitBytes: 4_000)
                : .coDel(
                    target: .milliseconds(1),
                    interval: .milliseconds(10),
                    limitBytes: 4_000
                )
            $0.loss =
                [.none, .independent(.ppm(100_000)), .gilbert(p: .ppm(50_000), r: .ppm(300_000))][
                    Int(random.uniform(below: 3))
                ]
            $0.delay = .milliseconds(Int(random.uniform(below: 30)))
            $0.jitter = random.bernoulli(.ppm(500_000)) ? .uniform(most: .milliseconds(9)) : .none
            $0.allowsReordering = random.bernoulli(.ppm(500_000))
            $0.duplication = .ppm(Int32(random.uniform(below: 100_000)))
            $0.corruption = .ppm(Int32(random.uniform(below: 100_000)))
        }
    }
}
