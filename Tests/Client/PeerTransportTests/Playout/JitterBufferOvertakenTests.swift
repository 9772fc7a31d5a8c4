import PeerTransport
import SansIO
import Testing

@Suite("Frames that newer ones overtook by a quicker path (K-13, S-HO-004)")
struct JitterBufferOvertakenTests {
    /// The first frame that goes by both paths: the slow one takes 200 ms, the quick one 10 ms.
    private static let double: Int64 = 208
    /// The first that goes by the quick path alone.
    private static let alone: Int64 = 260
    /// The slow path is later from this frame on; when it is due, the quick path's are here.
    private static let late: Int64 = 200

    /// A talk of 10 s that changes to a quicker path while the slow one gets `later`.
    ///
    /// What it held up begins to come at `together`, if it comes at once; it loses the frames in `lost`,
    /// copies included.
    private func change(
        later milliseconds: Int,
        together: Int = 0,
        lost: Range<Int64> = 0..<0
    ) -> [Packet] {
        let slow = (0..<Self.alone).filter { !lost.contains($0) }.map { index in
            let isLate = index >= Self.late
            let arrives = Int(index) * 20 + 200 + (isLate ? milliseconds : 0)
            return Packet(
                arrives: isLate ? max(arrives, together) : arrives,
                index: index,
                kind: index < Self.double ? .frame : .copy
            )
        }
        let quick = (Self.double..<500).map {
            Packet(arrives: Int($0) * 20 + 10, index: $0, path: 1)
        }
        return (slow + quick).sorted { ($0.arrives, $0.index) < ($1.arrives, $1.index) }
    }

    private func play(_ packets: [Packet]) -> PlayoutBench {
        var bench = PlayoutBench()
        bench.run(packets, until: 9_800)
        return bench
    }

    /// What was made up before the last frame, in milliseconds.
    private func madeUp(_ bench: PlayoutBench) -> Int {
        guard let last = bench.frames.last else { return .max }
        return bench.heard.filter {
            $0.began < last.began && ($0.content == .concealed || $0.content == .silence)
                && $0.milliseconds > 3_000
        }
        .reduce(0) { $0 + $1.samples } / 48
    }

    private func isInOrder(_ bench: PlayoutBench) -> Bool {
        let indices = bench.frames.map(\.index)
        return zip(indices, indices.dropFirst()).allSatisfy { $0 < $1 }
    }

    @Test(
        "Where the slow path gets later at the change, playout holds for what it brings (K-13)",
        arguments: [65, 85, 120]
    )
    func lateIsNotLost(milliseconds: Int) {
        let bench = play(change(later: milliseconds))
        #expect(bench.deviation(from: Array(0..<Int64(bench.frames.count))) == nil)
        #expect(bench.discards.isEmpty)
        // Playout has the floor of 20 ms in hand; requests are 2.5 ms apart.
        #expect((milliseconds - 25...milliseconds - 15).contains(madeUp(bench)))
    }

    @Test("The extra delay is gone 3 s after the slow path's end (K-12)")
    func delayIsCaughtUp() {
        let bench = play(change(later: 85))
        let end = Int(Self.alone - 1) * 20 + 200 + 85
        let after = bench.frames.filter { $0.milliseconds >= end + 3_000 }
        #expect(!after.isEmpty && after.allSatisfy { $0.lag <= 10 + 20 + 5 })
        #expect(bench.frames.allSatisfy { $0.samples >= 816 })
    }

    @Test(
        "Among two paths the slow one is held for no longer than alone (K-13)",
        arguments: [25, 45, 65, 85, 120, 150],
        [0, 4_330]
    )
    func noLongerThanAlone(milliseconds: Int, together: Int) {
        let both = change(later: milliseconds, together: together)
        let alone = (0..<500 as Range<Int64>).map { index in
            let isLate = index >= Self.late
            let arrives = Int(index) * 20 + 200 + (isLate ? milliseconds : 0)
            return Packet(arrives: isLate ? max(arrives, together) : arrives, index: index)
        }
        #expect(madeUp(play(both)) <= madeUp(play(alone)) + 3)
    }

    @Test("A slow path that is dead is not waited for: the newer frames play in their turn (K-13)")
    func deadPath() throws {
        let bench = play(change(later: 0, lost: Self.late..<Self.alone))
        let before = try #require(bench.frames.first { $0.index == Self.late - 1 })
        let after = try #require(bench.frames.first { $0.index == Self.double })
        #expect(after.lag == before.lag)
        #expect(madeUp(bench) == 8 * 20)
        #expect(isInOrder(bench))
    }

    @Test("A slow path that stalls for more than 500 ms is held for as well (K-13)")
    func longStall() {
        // The quick path's first frame comes at 4,710 ms, 530 ms after the slow one's last.
        let first: Int64 = 235
        let quick = (first..<500).map { Packet(arrives: Int($0) * 20 + 10, index: $0, path: 1) }
        let slow = (0..<Self.alone).map { index in
            Packet(
                arrives: max(Int(index) * 20 + 200, index < Self.late ? 0 : 4_750),
                index: index,
                kind: index < first ? .frame : .copy
            )
        }
        func bench(_ slow: [Packet]) -> PlayoutBench {
            play((slow + quick).sorted { ($0.arrives, $0.index) < ($1.arrives, $1.index) })
        }
        let stalled = bench(slow)
        #expect(stalled.deviation(from: Array(0..<Int64(stalled.frames.count))) == nil)
        #expect(stalled.discards.isEmpty)
        let dead = bench(slow.filter { $0.index < Self.late })
        #expect(madeUp(dead) <= Int(first - Self.late) * 20 + 3)
        #expect(isInOrder(dead))
    }

    @Test(
        "Whatever the slow path then loses, no more is made up than if all of it were lost (K-13)",
        arguments: [201..<208, 203..<208, 201..<260, 204..<207, 200..<203] as [Range<Int64>],
        [25, 65, 110, 150]
    )
    func lostAmongLate(lost: Range<Int64>, milliseconds: Int) {
        let bench = play(change(later: milliseconds, lost: lost))
        #expect(madeUp(bench) <= 8 * 20 + 3)
        #expect(isInOrder(bench))
        let heard = Set(bench.frames.map(\.index))
        #expect(heard.isSuperset(of: Self.double..<480))
        #expect(bench.handlesOut.count == Set(bench.handlesOut).count)
    }

    @Test("A frame that ends a hold does not wait for a slower path's delay (K-13)")
    func holdEndsWithItsOwnPath() throws {
        var packets = (0..<500 as Range<Int64>).map { index in
            // Nothing is left from 3,030 ms on; three frames come at 3,070 ms.
            let arrives = Int(index) * 20 + 10
            return Packet(arrives: (150..<153).contains(index) ? 3_070 : arrives, index: index)
        }
        // Copies come by a path that is 400 ms slower, the first of them during the hold.
        packets += (132..<200 as Range<Int64>).map {
            Packet(arrives: Int($0) * 20 + 410, index: $0, path: 1, kind: .copy)
        }
        packets.sort { ($0.arrives, $0.index) < ($1.arrives, $1.index) }
        let bench = play(packets)
        #expect(bench.deviation(from: Array(0..<Int64(bench.frames.count))) == nil)
        let first = try #require(bench.frames.first { $0.index == 150 })
        #expect((3_070...3_075).contains(first.milliseconds))
        #expect(bench.frames.contains { $0.index > 150 && $0.samples > 960 }, "not stretched")
    }
}
