import PeerTransport
import SansIO
import Testing

@Suite("How often an Internet is asked")
struct LinkProbeInternetTests {
    /// An Internet that answers after 60 ms, and is poor since the other side's pings are uneven.
    private func poorInternet() -> ProbeBench {
        var bench = ProbeBench(roundTripMilliseconds: 60)
        bench.probe = LinkProbe(path: .internet, judge: ThresholdJudge())
        bench.send(.pathCameUp)
        for number in 1...30 as ClosedRange<UInt32> {
            bench.run(forMilliseconds: 100)
            let ping = Ping(
                path: .internet,
                number: SerialNumber(number),
                sentMicroseconds: number * 100_000 + (number.isMultiple(of: 2) ? 120_000 : 0)
            )
            bench.send(.pingReceived(ping))
        }
        return bench
    }

    @Test("A poor Internet that loses pings is asked often until it is known how many (S-HO-003)")
    func lossy() {
        var bench = poorInternet()
        bench.run(forMilliseconds: 3_000)
        #expect(bench.verdicts.last == .poor)
        // Nobody talks there: only pings tell.
        bench.losesPing = { $0.isMultiple(of: 3) }
        bench.run(forMilliseconds: 6_000)
        #expect(bench.verdicts.last == .bad)
        bench.losesPing = { _ in false }
        bench.run(forMilliseconds: 5_000)
        #expect(bench.verdicts.last == .poor)
        let pings = bench.pings
        bench.run(forMilliseconds: 10_000)
        #expect((9...11).contains(bench.pings - pings), "\(bench.pings - pings) pings in 10 s")
    }
}
