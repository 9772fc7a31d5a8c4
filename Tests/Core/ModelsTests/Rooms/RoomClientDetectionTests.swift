@testable import KodamaNetwork
@testable import KodamaSession
import RealtimeVoice
import SansIO
import Testing

@Suite("When the room object notices a loss")
struct RoomClientDetectionTests {
    /// How long after a cut something was noted; the cut falls anywhere in the rhythm of the checks.
    static func detection(
        _ curve: ReconnectCurve,
        cut: Set<TrafficClass>,
        phase: Duration,
        cause: DetectionCause
    ) throws -> Duration {
        var bench = RoomClientBench.connected(curve)
        bench.run(for: .seconds(20) + phase)
        let moment = bench.now
        bench.cut = cut
        bench.run(for: .seconds(40))
        return try #require(bench.time(of: .lossDetected(cause))) - moment
    }

    static let phases = (0..<50).map { Duration.milliseconds(101 * $0) }

    @Test("Dead media is noticed 5.0 to 7.5 s after the cut by the Swift SDK (K-01)")
    func transportDisconnected() throws {
        var times: [Duration] = []
        for phase in Self.phases {
            times.append(
                try Self.detection(
                    .swift,
                    cut: [.signalling, .media],
                    phase: phase,
                    cause: .transport
                )
            )
        }
        #expect(times.allSatisfy { $0 > .milliseconds(4_950) && $0 <= .milliseconds(7_500) })
        #expect(times.contains { $0 < .milliseconds(5_600) })
        #expect(times.contains { $0 > .milliseconds(6_700) })
    }

    @Test("The other SDKs wait for the failure, 15 to 17.5 s after the cut (K-01)")
    func transportFailed() throws {
        for curve in [ReconnectCurve.js, .android, .rust] {
            for phase in Self.phases.prefix(3) {
                let time = try Self.detection(
                    curve,
                    cut: [.media],
                    phase: phase,
                    cause: .transport
                )
                #expect(time > .milliseconds(14_950) && time <= .milliseconds(17_500))
            }
        }
    }

    @Test(
        "Dead signalling is noticed after 15 to 20 s by the Swift SDK, 10 to 15 s by JavaScript (K-01)"
    )
    func signalPings() throws {
        for phase in Self.phases {
            let swift = try Self.detection(
                .swift,
                cut: [.signalling],
                phase: phase,
                cause: .signalPingTimeout
            )
            #expect(swift > .milliseconds(14_950) && swift <= .seconds(20))
            let js = try Self.detection(
                .js,
                cut: [.signalling],
                phase: phase,
                cause: .signalPingTimeout
            )
            #expect(js > .milliseconds(9_900) && js <= .seconds(15))
        }
    }

    @Test("A broken socket is noticed at once (K-01)")
    func socketError() throws {
        var bench = RoomClientBench.connected()
        let moment = bench.now
        bench.send(.socketsFailed(RoomClientBench.wifi))
        #expect(bench.time(of: .lossDetected(.signalClosed)) == moment)
    }

    @Test("An address that goes takes its transports along within 200 ms (K-01)")
    func addressGone() throws {
        var bench = RoomClientBench.connected()
        let moment = bench.now
        bench.send(.addressesChanged([]))
        bench.run(for: .seconds(1))
        #expect(bench.time(of: .lossDetected(.transport)) == moment + .milliseconds(200))
    }

    @Test(
        "After a quick reconnect 2.16 sends no signal pings, and a second death goes unnoticed (Z1)"
    )
    func forgottenPings() {
        for (defects, isNoticed) in [(SDKDefects.faithful, false), (.ideal, true)] {
            var bench = RoomClientBench.connected(defects: defects)
            bench.hangUp()
            bench.run(for: .seconds(5))
            bench.forget()
            bench.cut = [.signalling]
            bench.run(for: .seconds(60))
            #expect((bench.time(of: .lossDetected(.signalPingTimeout)) != nil) == isNoticed)
        }
    }

    @Test("An outage shorter than the clocks is not noticed at all (K-01)")
    func shortOutage() {
        for phase in Self.phases {
            var bench = RoomClientBench.connected()
            bench.run(for: .seconds(20) + phase)
            bench.cut = [.signalling, .media]
            bench.run(for: .milliseconds(4_000))
            bench.cut = []
            bench.run(for: .seconds(30))
            #expect(bench.told.isEmpty)
        }
    }

    @Test("Statistics come once a second and stop counting consent in an outage (K-01c)")
    func statistics() throws {
        var bench = RoomClientBench.connected()
        func reports() -> [(at: Duration, RoomStatistics)] {
            bench.callbacks.compactMap {
                if case .statistics(let statistics) = $0.callback {
                    ($0.at, statistics)
                } else {
                    nil
                }
            }
        }
        bench.run(for: .seconds(10))
        let alive = reports()
        #expect(alive.count == 10)
        for (one, next) in zip(alive, alive.dropFirst()) {
            #expect(next.at - one.at == .seconds(1))
        }
        let before = try #require(alive.last).1
        #expect(before.roundTrip == .milliseconds(40))
        #expect(before.consentResponses > 4)
        bench.cut = [.media, .signalling]
        bench.run(for: .milliseconds(40))
        let atCut = bench.client.machine
        bench.forget()
        bench.run(for: .seconds(4))
        let dead = reports().map(\.1.consentResponses)
        #expect(dead.allSatisfy { $0 == dead.first })
        #expect(atCut.connectionState == .connected)
    }
}
