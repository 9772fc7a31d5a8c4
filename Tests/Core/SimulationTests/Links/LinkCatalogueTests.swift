@testable import KodamaSimulation
import SansIO
import Testing

@Suite("The catalogue of links")
struct LinkCatalogueTests {
    private func profile(_ name: String) throws -> LinkProfile {
        try #require(LinkProfile.all.first { $0.name == name }, "no profile called \(name)")
    }

    @Test("Names are unique, lower-case and hyphenated")
    func names() {
        let names = LinkProfile.all.map(\.name)
        #expect(Set(names).count == names.count)
        for name in names {
            let parts = name.split(separator: "-", omittingEmptySubsequences: false)
            let allowed = Set("abcdefghijklmnopqrstuvwxyz0123456789")
            #expect(parts.allSatisfy { !$0.isEmpty && $0.allSatisfy(allowed.contains) }, "\(name)")
        }
    }

    @Test("Every profile is possible and says what it stands for and where it comes from")
    func complete() {
        for profile in LinkProfile.all {
            #expect(profile.forward.faults == [], "\(profile.name) forward")
            #expect(profile.backward.faults == [], "\(profile.name) backward")
            #expect(profile.summary.hasSuffix("."), "\(profile.name)")
            #expect(profile.source.hasSuffix("."), "\(profile.name)")
            let isCited = ["mahimahi", "Huitema", "RIPE", "G.1050", "By definition", "Assumption"]
                .contains { profile.source.contains($0) }
            #expect(isCited, "\(profile.name)")
        }
    }

    @Test("The links that targets are stated for exist and are as stated (K-12, K-15)")
    func targets() throws {
        let clean = try profile("local-clean").forward
        #expect(clean == .with { $0.delay = .milliseconds(8) })
        let internet = try profile("internet-60").forward
        #expect(internet.delay == .milliseconds(60))
        #expect(internet.jitter == .none)
        #expect(internet.loss == .none)
        let bursty = try profile("local-bursty").forward.loss
        #expect(bursty == .gilbert(p: .ppm(17_500), r: .ppm(333_000)))
    }

    @Test(
        "Lossy profiles lose the share they are named for",
        arguments: [
            ("local-loss-1", 0.01), ("local-loss-5", 0.05), ("local-bursty", 0.05),
            ("voip-loss-5-100ms", 0.05), ("voip-loss-10-100ms", 0.1),
            ("voip-bursty-5-100ms", 0.05), ("voip-bursty-10-100ms", 0.1),
        ]
    )
    func namedLoss(name: String, share: Double) throws {
        var link = Link(try profile(name).forward, seed: 40, name: name)
        let count = 100_000
        _ = link.send(count: count)
        // Four deviations, widened by √5 for bursts of 3.
        let bound = 4 * (5 * share * (1 - share) / Double(count)).squareRoot()
        #expect(abs(Double(link.statistics.lost) / Double(count) - share) < bound)
    }

    @Test(
        "Pings over a mobile link show the round trips that were measured, halved",
        arguments: [
            ("lte-driving", [42, 80, 140, 194, 650, 4_595]),
            ("lte-fair", [45, 68, 88, 105, 413, 1_245]),
            ("lte-good", [40, 52, 75, 86, 235, 983]),
            ("lte-driving-long-bursts", [58, 111, 210, 355, 1_384, 5_504]),
            ("umts-driving", [45, 93, 145, 269, 1_950, 21_397]),
        ] as [(String, [Int64])]
    )
    func cellularDelays(name: String, roundTripsMilliseconds: [Int64]) throws {
        var direction = try profile(name).forward
        direction.loss = .none
        direction.capacity = .unlimited
        var link = Link(direction, seed: 41, name: name)
        let count = 100_000
        let delays = link.send(count: count, every: 200_000_000).enumerated().compactMap {
            number,
            verdict in
            verdict.arrival.map { $0.instant.nanoseconds / 1_000 - Int64(number) * 200_000 }
        }
        let shares = [0.05, 0.5, 0.9, 0.95, 0.99, 0.999]
        for (share, roundTrip) in zip(shares, roundTripsMilliseconds) {
            let found = Double(delays.count { $0 <= roundTrip * 500 }) / Double(count)
            // Late packets come in clusters, of up to fifty where one ping waits for 10 s.
            let deviation = (share * (1 - share) * 50 / Double(count)).squareRoot()
            #expect(abs(found - share) < min(4 * deviation, 0.02), "\(share) at \(roundTrip) ms")
        }
    }

    @Test("Echoes over the home's Wi-Fi show the round trips and spikes that were measured")
    func wifiEchoes() throws {
        let wifi = try profile("wifi-home")
        var there = Link(wifi.forward, seed: 42, name: "forward")
        var back = Link(wifi.backward, seed: 42, name: "backward")
        let count = 150_000
        var roundTrips: [Int64] = []
        for number in 0..<count {
            let sent = Instant(nanoseconds: Int64(number) * 20_000_000)
            guard let echo = there.send(bytes: 100, at: sent).arrival?.instant,
                let arrival = back.send(bytes: 100, at: echo).arrival?.instant
            else { continue }
            roundTrips.append((arrival.nanoseconds - sent.nanoseconds) / 1_000)
        }
        let lostShare = 1 - Double(roundTrips.count) / Double(count)
        #expect(abs(lostShare - 0.00127) < 0.0004, "38 of 30,000")
        let sorted = roundTrips.sorted()
        #expect(abs(sorted[sorted.count / 2] - 4_040) < 200)
        #expect(sorted[sorted.count * 95 / 100] < 8_000)
        #expect(abs(sorted[sorted.count * 99 / 100] - 50_700) < 10_000)
        func spikes(above limit: Int64) -> Int {
            zip(roundTrips, roundTrips.dropFirst()).count { $0 <= limit && limit < $1 }
        }
        // Five times the measured ten minutes, with four Poisson deviations.
        #expect(abs(spikes(above: 100_000) - 90) < 38)
        #expect(abs(spikes(above: 200_000) - 60) < 31)
    }

    @Test("A direction names every fault it has")
    func faults() {
        let impossible = LinkDirection.with {
            $0.maximumBytes = -1
            $0.capacity = .rate(DataRate(bitsPerSecond: 0))
            $0.queue = .coDel(target: .zero, interval: .seconds(4), limitBytes: 0)
            $0.delay = .milliseconds(-1)
            $0.jitter = .held(.quantiles([.milliseconds(2), .milliseconds(1)]), period: .zero)
        }
        #expect(impossible.faults.count == 8)
        let traces = [[], [-1, 5], [0, 0], [5, 4]] as [[Int32]]
        for milliseconds in traces {
            let trace = DeliveryTrace(name: "test", milliseconds: milliseconds)
            #expect(LinkDirection.with { $0.capacity = .opportunities(trace) }.faults.count == 1)
        }
        let laws: [JitterModel] = [
            .uniform(most: .seconds(-1)), .halfNormal(deviation: .seconds(100_000)),
            .quantiles([.zero]), .held(.held(.none, period: .seconds(1)), period: .seconds(1)),
            .points([QuantilePoint(.zero, .zero), QuantilePoint(.ppm(999_999), .zero)]),
        ]
        for law in laws {
            #expect(LinkDirection.with { $0.jitter = law }.faults.count == 1, "\(law)")
        }
    }
}
