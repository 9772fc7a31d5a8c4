import PeerTransport
import PlayoutTrials
import Testing

/// What one stall leaves behind (K-21).
struct StallRecoveryTests {
    /// A Wi-Fi trace in which everything that would come in a stall comes at its end.
    private func trace(
        stalls: [(start: Int64, milliseconds: Int64)],
        seed: UInt64,
        seconds: Int = 200
    ) -> JitterTrace {
        var trace = NetworkKind.wifi.trace(seconds: seconds, seed: seed)
        for (start, milliseconds) in stalls {
            trace = trace.stalled(from: start, milliseconds: milliseconds)
        }
        return trace
    }

    @Test(
        "A lone stall's delay is gone 10 s after 500 ms and 15 s after 1 s (K-21)",
        arguments: [(200, 10), (500, 10), (1000, 15)] as [(Int64, Int64)]
    )
    func loneStall(milliseconds: Int64, seconds: Int64) throws {
        for seed in 0..<30 as Range<UInt64> {
            let start = 80_000_000_000 + Int64(seed) * 1_700_000
            let trace = trace(stalls: [(start, milliseconds)], seed: seed, seconds: 105)
            let result = JitterTraceRun().measure(trace)
            let stall = try #require(trace.loneStalls.first)
            #expect(abs(stall.lengthNanoseconds / 1_000_000 - milliseconds) <= 30)
            let recovery = try #require(result.recoveries(from: [stall]).first)
            let bound = recovery.beforeNanoseconds + 20_000_000
            let settled = result.settlingNanoseconds(below: bound, after: stall.endNanoseconds)
            #expect(settled <= seconds * 1_000_000_000, "seed \(seed): \(settled) ns")
            // What is later than the ceiling, 600 ms, is dropped.
            let dropped = max(0, milliseconds - 600) / 20 + 2
            #expect(result.framesDiscarded <= dropped, "seed \(seed): \(result.framesDiscarded)")
            let longest = try #require(result.delayNanoseconds(quantilePercent: 100))
            #expect(longest > min(milliseconds, 600) * 900_000, "no delay to recover from")
        }
    }

    @Test("A stall early in a stream, when little else is known, is forgotten as soon (K-21)")
    func earlyStall() throws {
        for milliseconds in [500, 1000] as [Int64] {
            let trace = trace(stalls: [(20_000_000_000, milliseconds)], seed: 3)
            let result = JitterTraceRun().measure(trace)
            let end = 20_000_000_000 + milliseconds * 1_000_000
            let settled = result.settlingNanoseconds(below: 45_000_000, after: end)
            #expect(settled <= (milliseconds == 500 ? 10 : 15) * 1_000_000_000)
        }
    }

    @Test("Stalls of one length every 8 s are a habit, which the target delay keeps")
    func habit() throws {
        let stalls = (0..<20 as Range<Int64>).map { (20_000_000_000 + $0 * 8_000_000_000, 300) }
            .map { (start: $0.0, milliseconds: Int64($0.1)) }
        let result = JitterTraceRun().measure(trace(stalls: stalls, seed: 1))
        let late = result.played.filter { (150..<176).contains($0.place / 50) }
        #expect(late.allSatisfy { $0.delayNanoseconds > 150_000_000 })
    }

    @Test("Only a stall with a quiet minute before it is a lone one, and a longer route is none")
    func loneStalls() {
        let second: Int64 = 1_000_000_000
        let stalls = [(70, 500), (100, 300), (161, 400)] as [(Int64, Int64)]
        let trace = trace(
            stalls: stalls.map { (start: $0.0 * second, milliseconds: $0.1) },
            seed: 2
        )
        #expect(trace.loneStalls.map { $0.endNanoseconds / 10_000_000 } == [7050, 16140])
        var route = NetworkKind.wifi.trace(seconds: 200, seed: 2)
        for position in 4000..<10_000 where !route.frames[position].isLost {
            route.frames[position].arrivedNanoseconds += 300_000_000
        }
        #expect(route.loneStalls.isEmpty)
        #expect(NetworkKind.edge.trace(seconds: 600, seed: 1).loneStalls.count <= 2)
    }
}
