import PeerTransport
import SansIO
import Testing

/// Ends that come late or not at all, and frames that are overtaken.
struct JitterBufferEndTests {
    @Test("A pre-roll whose first frame was overtaken waits for it and plays all (S-VAD-004)")
    func overtakenPreRoll() {
        var packets =
            talkSpurt(first: 10, preRoll: 10, live: 50, delay: 8)
            + talkSpurt(first: 300, preRoll: 10, live: 50, delay: 8)
        packets[60].arrives += 15
        packets.sort { $0.arrives < $1.arrives }
        var bench = PlayoutBench()
        bench.run(packets, until: 9_000)
        #expect(bench.deviation(from: Array(10..<70) + Array(300..<360)) == nil)
        #expect(bench.discards.isEmpty)
    }

    @Test("An end mark that comes when all has been played ends the made-up sound (S-AUD-004)")
    func endOfDryBuffer() {
        var packets = talkSpurt(first: 10, preRoll: 10, live: 50, delay: 8)
        packets[59].marks.remove(.talkEnd)
        var unended = PlayoutBench()
        unended.run(packets, until: 4_000)
        #expect(unended.concealedMilliseconds == 100)
        packets.append(Packet(arrives: packets[59].arrives + 120, index: 69, kind: .endMark))
        var ended = PlayoutBench()
        ended.run(packets, until: 4_000)
        #expect((40...70).contains(ended.concealedMilliseconds))
    }

    @Test("Frames that come too late raise the target, so that the next spurt has them all (D-15)")
    func lateFramesRaiseTheTarget() {
        var packets =
            talkSpurt(first: 0, preRoll: 0, live: 100, delay: 8)
            + talkSpurt(first: 200, preRoll: 0, live: 100, delay: 8)
        // Every other frame is overtaken by four.
        for position in packets.indices where position % 2 == 1 {
            packets[position].arrives += 72 + position * 7 % 17
        }
        packets.sort { $0.arrives < $1.arrives }
        var bench = PlayoutBench()
        bench.run(packets, until: 7_000)
        let late = bench.discards.compactMap { effect in
            if case .discard(_, let index, .late) = effect { index } else { nil }
        }
        #expect(!late.isEmpty)
        #expect(late.allSatisfy { $0 < 100 })
    }

    @Test(
        "A second after a lost end, or at the mark of a start, the next spurt begins with the path's delay",
        arguments: [
            (pause: 400, losesStart: true, lag: 180...220),
            (pause: 400, losesStart: false, lag: 28...60),
            (pause: 2_000, losesStart: true, lag: 28...60),
        ]
    )
    func lostEndIsBounded(pause: Int, losesStart: Bool, lag: ClosedRange<Int>) throws {
        var packets = talkSpurt(first: 10, preRoll: 10, live: 10, delay: 8)
        packets.removeLast()
        let next = Int64(30 + pause / 20)
        packets += talkSpurt(first: next, preRoll: 0, live: 30, delay: 8)
            .dropFirst(losesStart ? 1 : 0)
        var bench = PlayoutBench()
        bench.run(packets, until: 5_000)
        let first = try #require(bench.frames.first { $0.index > next })
        #expect(lag.contains(first.lag), "the next spurt lags \(first.lag) ms")
    }
}
