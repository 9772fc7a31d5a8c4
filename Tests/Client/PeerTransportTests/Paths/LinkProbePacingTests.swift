import PeerTransport
import Testing

@Suite("How often a path is asked that is late or slow (S-VAD-002)")
struct LinkProbePacingTests {
    /// A path without talk that has been up for ten seconds.
    private func settled(_ path: TransportPath, roundTripMilliseconds: Int64) -> ProbeBench {
        var bench = ProbeBench(roundTripMilliseconds: roundTripMilliseconds)
        bench.probe = LinkProbe(path: path, judge: ThresholdJudge())
        bench.send(.pathCameUp)
        bench.run(forMilliseconds: 10_000)
        return bench
    }

    @Test("An Internet that is bad because it is late is asked once a second (S-VAD-002)")
    func lateInternet() {
        for trip in [900, 2_000, 5_000] as [Int64] {
            var bench = settled(.internet, roundTripMilliseconds: trip)
            let pings = bench.pings
            bench.run(forMilliseconds: 10_000)
            #expect(bench.verdicts.last == .bad, "\(trip) ms")
            #expect((9...11).contains(bench.pings - pings), "\(trip) ms")
        }
    }

    @Test("A radio that is late is asked ten times a second: it is to come back soon (S-VAD-002)")
    func lateRadio() {
        var bench = settled(.local, roundTripMilliseconds: 2_000)
        let pings = bench.pings
        bench.run(forMilliseconds: 10_000)
        #expect((99...101).contains(bench.pings - pings))
    }

    @Test("An Internet whose queue is gone is bad no more within some seconds")
    func quickAgain() {
        var bench = settled(.internet, roundTripMilliseconds: 2_000)
        #expect(bench.verdicts.last == .bad)
        bench.roundTripMilliseconds = 50
        bench.run(forMilliseconds: 6_000)
        #expect(bench.verdicts.last == .poor)
    }

    @Test("An Internet whose queue grows is bad soon after the first late pong (A-F-008)")
    func growingQueue() {
        var bench = settled(.internet, roundTripMilliseconds: 400)
        #expect(bench.verdicts.last == .poor)
        // Late from 2.7 s on. With one pong a second the smoothed round trip takes five more.
        for _ in 0..<70 {
            bench.roundTripMilliseconds += 15
            bench.run(forMilliseconds: 100)
        }
        #expect(bench.verdicts.last == .bad)
    }

    @Test("A slow Internet that was away is poor again within four seconds (A-F-008)")
    func slowBack() {
        var bench = settled(.internet, roundTripMilliseconds: 600)
        #expect(bench.verdicts.last == .poor)
        bench.answersPings = false
        bench.run(forMilliseconds: 5_000)
        #expect(bench.verdicts.last == .bad)
        // Nobody talks there: only pings tell that it is back.
        bench.answersPings = true
        bench.run(forMilliseconds: 4_000)
        #expect(bench.verdicts.last == .poor)
    }

    @Test("A slow Internet that loses pings is asked often until it is known how many (S-HO-003)")
    func slowAndLossy() {
        var bench = settled(.internet, roundTripMilliseconds: 600)
        bench.losesPing = { $0.isMultiple(of: 3) }
        bench.run(forMilliseconds: 8_000)
        var pings = bench.pings
        bench.run(forMilliseconds: 5_000)
        #expect((49...51).contains(bench.pings - pings), "\(bench.pings - pings) pings in 5 s")
        #expect(bench.verdicts.last == .bad)
        bench.losesPing = { _ in false }
        bench.run(forMilliseconds: 5_000)
        #expect(bench.verdicts.last == .poor)
        pings = bench.pings
        bench.run(forMilliseconds: 10_000)
        #expect((9...11).contains(bench.pings - pings), "\(bench.pings - pings) pings in 10 s")
    }

    /// Only 64 pings were remembered: at ten a second, none of these ever became overdue.
    @Test("A radio that was five seconds late and answers no more is asked seldom in the end")
    func lateAndDead() {
        var bench = settled(.local, roundTripMilliseconds: 5_000)
        bench.answersPings = false
        bench.run(forMilliseconds: 22_000)
        let pings = bench.pings
        bench.run(forMilliseconds: 10_000)
        #expect((9...11).contains(bench.pings - pings), "\(bench.pings - pings) pings in 10 s")
    }

    @Test("The round trip of a radio that is eight seconds late is known (S-HO-003)")
    func veryLate() {
        let bench = settled(.local, roundTripMilliseconds: 8_000)
        #expect(bench.metrics.roundTrip == .milliseconds(8_000))
    }
}
