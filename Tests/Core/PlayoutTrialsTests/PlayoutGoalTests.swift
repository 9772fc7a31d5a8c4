import PeerTransport
import PlayoutTrials
import Testing

/// The goals of the jitter buffer on five kinds of network, for the default configuration (D-15).
///
/// Single traces of `lte` and `edge` differ in how many stalls they have, which no buffer can
/// foresee; their figures are therefore judged over 30 seeds together. Those of networks without
/// stalls are alike for all seeds.
struct PlayoutGoalTests {
    private struct Figures {
        var delayNanoseconds: Int64 = 0
        var concealedPartsPerMillion: Int64 = 0
        var discardedPartsPerMillion: Int64 = 0
        var changesThousandths: Int64 = 0
    }

    private func mean(
        of kind: NetworkKind,
        seeds: Range<UInt64>,
        seconds: Int
    ) throws -> Figures {
        var sum = Figures()
        for seed in seeds {
            let result = JitterTraceRun().measure(kind.trace(seconds: seconds, seed: seed))
            #expect(result.orderBreaks == 0, "\(kind) seed \(seed)")
            sum.delayNanoseconds += try #require(result.delayMeanNanoseconds)
            sum.concealedPartsPerMillion += result.concealedPartsPerMillion
            sum.discardedPartsPerMillion += result.latePartsPerMillion
            sum.changesThousandths += result.changesPerMinuteThousandths
        }
        let count = Int64(seeds.count)
        return Figures(
            delayNanoseconds: sum.delayNanoseconds / count,
            concealedPartsPerMillion: sum.concealedPartsPerMillion / count,
            discardedPartsPerMillion: sum.discardedPartsPerMillion / count,
            changesThousandths: sum.changesThousandths / count
        )
    }

    @Test(
        "Delay, concealment and changes stay within the goals (S-AUD-004, K-12)",
        arguments: [
            (NetworkKind.wifi, 10, 22, 500, 2),
            (.p2p, 30, 65, 6_000, 20),
            (.lte, 30, 45, 3_500, 10),
            (.edge, 30, 330, 20_000, 60),
            (.shift, 10, 48, 1_000, 5),
        ] as [(NetworkKind, UInt64, Int64, Int64, Int64)]
    )
    func goals(
        kind: NetworkKind,
        seeds: UInt64,
        milliseconds: Int64,
        partsPerMillion: Int64,
        changes: Int64
    ) throws {
        let figures = try mean(of: kind, seeds: 0..<seeds, seconds: 600)
        #expect(figures.delayNanoseconds <= milliseconds * 1_000_000)
        #expect(figures.concealedPartsPerMillion <= partsPerMillion)
        #expect(figures.discardedPartsPerMillion <= 11_500)
        #expect(figures.changesThousandths <= changes * 1000)
    }

    @Test(
        "After a route becomes 80 ms shorter the delay is under 30 ms within 10 s",
        arguments: 0..<3 as Range<UInt64>
    )
    func settles(seed: UInt64) throws {
        let trace = NetworkKind.shift.trace(seconds: 600, seed: seed)
        let result = JitterTraceRun().measure(trace)
        let settled = result.settlingNanoseconds(below: 30_000_000, after: 400_000_000_000)
        #expect(settled <= 10_000_000_000)
        let slowest = try #require(result.delayNanoseconds(quantilePercent: 99))
        #expect(slowest > 80_000_000, "no step to recover from")
    }

    @Test(
        "A speaker whose clock drifts by 100 ppm for 30 min loses no more than a frame in 1,000",
        arguments: [-100, 100] as [Int64]
    )
    func speakerDrift(partsPerMillion: Int64) throws {
        var run = JitterTraceRun()
        run.requestSamples = 480
        run.speakerDriftPartsPerMillion = partsPerMillion
        let result = run.measure(NetworkKind.wifi.trace(seconds: 1800, seed: 1))
        #expect(result.latePartsPerMillion <= 1_000)
        #expect(result.concealedPartsPerMillion <= 1_000)
        let longest = try #require(result.delayNanoseconds(quantilePercent: 100))
        #expect(longest <= 20_000_000 + 20_000_000)
        #expect(result.orderBreaks == 0)
    }
}
