import PeerTransport
import SansIO
import Testing

/// Frames that their successors overtake.
struct JitterBufferReorderTests {
    /// A spurt of 20 s on a path of 10 ms; after 2 s every tenth frame is held up.
    private func reordered(by milliseconds: Int) -> [Packet] {
        (Int64(0)..<1000).map { index in
            let heldUp = index >= 100 && index % 10 == 0 ? milliseconds : 0
            return Packet(arrives: Int(index) * 20 + 10 + heldUp, index: index)
        }
        .sorted { ($0.arrives, $0.index) < ($1.arrives, $1.index) }
    }

    @Test(
        "Frames that are overtaken again and again are lost for 1.2 s at most (K-21, S-AUD-004)",
        arguments: [30, 35, 40, 50, 80, 150]
    )
    func overtakenFramesAreWaitedFor(milliseconds: Int) {
        var bench = PlayoutBench()
        bench.run(reordered(by: milliseconds), until: 19_900)
        let lost = Set(0..<980).subtracting(bench.frames.map(\.index))
        #expect(lost.allSatisfy { (100..<160).contains($0) }, "lost \(lost.sorted())")
        #expect(bench.frames.last.map { $0.lag <= 10 + milliseconds + 20 } == true)
    }

    @Test("A lone frame that is overtaken and lost moves playout by nothing", arguments: [30, 40])
    func oneOvertakenFrameIsNoHabit(milliseconds: Int) {
        var packets = reordered(by: 0)
        packets[500].arrives += milliseconds
        packets.sort { ($0.arrives, $0.index) < ($1.arrives, $1.index) }
        var bench = PlayoutBench()
        bench.run(packets, until: 19_900)
        #expect(bench.discards.count == 1)
        #expect(Set(bench.frames.map(\.lag)).count == 1)
    }

    @Test("Frames of a pre-roll that were overtaken by their spurt do not slow it down (D-14)")
    func overtakenPreRoll() {
        var packets = (2..<500 as Range<Int64>).map {
            Packet(arrives: Int($0) * 20 + 10, index: $0)
        }
        // By another path copies come 5 ms later: a little more than playout has in hand.
        packets += (20..<500 as Range<Int64>).map {
            Packet(arrives: Int($0) * 20 + 15, index: $0, path: 1, kind: .copy)
        }
        packets += (0..<2 as Range<Int64>).map {
            Packet(arrives: 1_000, index: $0, marks: .burst)
        }
        packets.sort { ($0.arrives, $0.index) < ($1.arrives, $1.index) }
        var bench = PlayoutBench()
        bench.run(packets, until: 9_900)
        #expect(bench.discards.count == 2)
        #expect(Set(bench.frames.map(\.lag)).count == 1)
    }
}
