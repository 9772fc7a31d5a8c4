import PlayoutTrials
import Testing

struct JitterTraceTests {
    @Test("Several kinds in one text become several traces, -1 a loss, decimals nanoseconds")
    func parse() throws {
        let traces = try JitterTrace.parse("a,0,4.125\nb,0,7\na,20,-1\r\na,40,45.0000019\n\n")
        #expect(traces.map(\.name) == ["a", "b"])
        #expect(
            traces[0].frames == [
                .init(sentNanoseconds: 0, arrivedNanoseconds: 4_125_000),
                .init(sentNanoseconds: 20_000_000, arrivedNanoseconds: -1),
                .init(sentNanoseconds: 40_000_000, arrivedNanoseconds: 45_000_001),
            ]
        )
        #expect(traces[0].fastestTransitNanoseconds == 4_125_000)
    }

    @Test(
        "A line that cannot be read is named",
        arguments: [
            ("a,0,1\na,20", 2), ("a,0,1\na,30,31", 2), ("a,0,x", 1), ("a,,1", 1), (",0,1", 1),
            ("a,0,1\nb,0,1\na,20,19", 3), ("a,0,1.2.3", 1), ("a,0,9999999999999", 1),
            ("a,-20,1", 1),
        ]
    )
    func parseFailure(text: String, line: Int) {
        #expect { try JitterTrace.parse(text) } throws: { error in
            (error as? JitterTrace.ParseFailure)?.line == line
        }
    }

    @Test("A perfect network costs the floor and nothing else")
    func perfectNetwork() {
        let frames = (0..<1000).map { place in
            JitterTrace.Frame(
                sentNanoseconds: Int64(place) * 20_000_000,
                arrivedNanoseconds: Int64(place) * 20_000_000 + 10_000_000
            )
        }
        let result = JitterTraceRun().measure(JitterTrace(name: "perfect", frames: frames))
        #expect(result.played.count == 1000)
        #expect(result.delayMeanNanoseconds == 20_000_000)
        #expect(result.changes == 0)
        #expect(result.concealedSamples == 0)
        #expect(result.framesDiscarded == 0)
    }

    @Test("The network's own losses are not charged to the buffer, a late frame is")
    func ownLoss() {
        var frames = (0..<4000).map { place in
            JitterTrace.Frame(
                sentNanoseconds: Int64(place) * 20_000_000,
                arrivedNanoseconds: Int64(place) * 20_000_000 + 10_000_000
            )
        }
        for place in [100, 101, 102, 500] { frames[place].arrivedNanoseconds = -1 }
        let lossy = JitterTraceRun().measure(JitterTrace(name: "lossy", frames: frames))
        #expect(lossy.framesLost == 4)
        #expect(lossy.concealedSamples == 0)
        frames[3500].arrivedNanoseconds += 60_000_000
        let late = JitterTraceRun().measure(JitterTrace(name: "late", frames: frames))
        #expect((960...1920).contains(late.concealedSamples))
        #expect(late.played.count + late.framesDiscarded == 3996)
    }

    @Test("A frame that comes when nobody listens any more is late, not forgotten")
    func afterTheEnd() {
        let frames = (0..<100 as Range<Int64>).map { place in
            let sent = place * 20_000_000
            let transit: Int64 = place < 90 ? 1_000_000 : 9_000_000_000
            return JitterTrace.Frame(sentNanoseconds: sent, arrivedNanoseconds: sent + transit)
        }
        let result = JitterTraceRun().measure(JitterTrace(name: "tail", frames: frames))
        #expect(result.framesLost == 0)
        #expect(result.played.count == 90)
        #expect(result.framesDiscarded == 10)
        #expect(result.latePartsPerMillion == 100_000)
    }

    @Test("The models lose, delay and stall as much as they say", arguments: [5] as [UInt64])
    func models(seed: UInt64) {
        for (kind, loss) in [
            (NetworkKind.wifi, 2_000), (.p2p, 10_000), (.lte, 5_000), (.edge, 40_000),
            (.shift, 2_000),
        ] {
            let trace = kind.trace(seconds: 1200, seed: seed)
            let lost = trace.frames.count { $0.isLost } * 1_000_000 / trace.frames.count
            #expect((loss * 7 / 10...loss * 13 / 10).contains(lost), "\(kind): \(lost) ppm lost")
            #expect(trace == kind.trace(seconds: 1200, seed: seed))
            #expect(trace != kind.trace(seconds: 1200, seed: seed + 1))
        }
        // The mean of gamma(3/2) with scale 2 is 3 ms: wifi's transit has a mean of 7 ms.
        let transits = NetworkKind.wifi.trace(seconds: 1200, seed: seed).frames
            .filter { !$0.isLost }.map(\.transitNanoseconds)
        let mean = transits.reduce(0, +) / Int64(transits.count)
        #expect((6_900_000...7_100_000).contains(mean), "\(mean) ns")
    }
}
