import AppServer
@testable import KodamaBackend
@testable import KodamaPhone
@testable import KodamaSimulation
import SansIO
import SansIOTesting
import Testing

private typealias Effect = PushService.Effect
private typealias Story = PushServiceStory

@Suite("The push service's latency (K-16, VP-07)")
struct PushServiceLatencyTests {
    /// The times from acceptance to delivery of many pushes to one device, one every ten seconds.
    private func latencies(
        _ settings: PushServiceSettings,
        count: UInt64,
        alsoTo other: PushDeviceID? = nil
    ) -> [UInt64: [Duration]] {
        var service = PushService(
            settings: settings,
            clock: WallClock(showing: Story.launch),
            seed: Story.seed
        )
        for device in [Story.device] + (other.map { [$0] } ?? []) {
            service.handle(.deviceConnected(device), at: .zero)
            let request = PushService.Event.tokenRequested(device, topic: Story.voip)
            service.handle(request, at: .zero)
        }
        var latencies: [UInt64: [Duration]] = [:]
        func collect(_ effects: [Effect], at now: Instant) {
            for case .deliver(let push, let device) in effects where device == Story.device {
                latencies[push.id.low, default: []].append(push.acceptedAt.duration(to: now))
            }
        }
        for number in 1...count {
            let time = Duration.seconds(10 * Int64(number))
            let now = Instant.zero.advanced(by: time)
            while let deadline = service.deadline, deadline.instant <= now {
                collect(service.wake(at: deadline.instant), at: deadline.instant)
            }
            let id = PushConnectionID(number: UInt32(number))
            var effects = service.handle(.providerOpened(id), at: now)
            for device in [Story.device] + (other.map { [$0] } ?? []) {
                let request = Story.request(number, to: Story.token(of: device), at: time)
                let operation = OperationID(number: UInt32(number))
                // A token every half hour: never refused, never too many.
                var renewed = request
                renewed.providerTokenIssuedAt = Story.launch.advanced(
                    by: .seconds(10 * Int64(number) / 1_800 * 1_800)
                )
                effects += service.handle(.requested(renewed, operation, on: id), at: now)
            }
            effects += service.handle(.providerClosed(id), at: now)
            effects += service.handle(.acknowledged(Story.device, Story.id(number)), at: now)
            collect(effects, at: now)
        }
        return latencies
    }

    @Test("With the radio's share the defaults give the mean and the tail that were measured")
    func calibration() {
        // Thread 825224: mean about 0.8 s, 95th percentile about 2 s. Two phones in three are idle and take
        // 0.81 to 1.02 s (median), 1.54 to 1.63 s (95th percentile) to be reached, RRC-Probe; the third takes
        // 0.1 s.
        var radio = RandomStream(seed: 5, purpose: "radio", entity: "")
        var settings = PushServiceSettings()
        settings.duplicates = .zero
        let totals = latencies(settings, count: 4_000).values.compactMap(\.first).map { latency in
            let idle = radio.logNormal(median: 900_000_000, sigmaMillionths: 345_000)
            let isIdle = radio.uniform(below: 3) < 2
            return latency + .nanoseconds(isIdle ? idle : 100_000_000)
        }
        .sorted()
        let mean = totals.reduce(.zero, +) / totals.count
        #expect((.milliseconds(700) ... .milliseconds(1_000)).contains(mean), "\(mean)")
        let tail = totals[totals.count * 95 / 100]
        #expect((.milliseconds(1_600) ... .milliseconds(2_300)).contains(tail), "\(tail)")
    }

    @Test("Now and then one is late by seconds, and overtaken by those that follow (thread 823102)")
    func stragglers() {
        var settings = Story.settings
        settings.stragglers = Probability(partsPerMillion: 100_000)
        let late = latencies(settings, count: 500).values.compactMap(\.first)
            .filter { $0 > .seconds(1) }
        #expect((30...75).contains(late.count), "\(late.count)")
        #expect(late.contains { $0 > .seconds(10) }, "nothing was overtaken")
    }

    @Test("The service itself may deliver twice, within a minute, the same identity")
    func duplicates() {
        var settings = Story.settings
        settings.duplicates = Probability(partsPerMillion: 200_000)
        let twice = latencies(settings, count: 500).values.filter { $0.count == 2 }
        #expect((70...130).contains(twice.count), "\(twice.count)")
        #expect(twice.allSatisfy { $0[1] - $0[0] <= .seconds(60) })
        #expect(twice.contains { $0[1] - $0[0] > .seconds(30) })
    }

    @Test("What another device gets changes no latency of this one")
    func independence() {
        let settings = PushServiceSettings()
        let alone = latencies(settings, count: 50)
        #expect(alone == latencies(settings, count: 50, alsoTo: PushDeviceID(number: 8)))
        #expect(Set(alone.values.compactMap(\.first)).count == alone.count)
    }
}
