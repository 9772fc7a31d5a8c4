import PeerTransport
import SansIO
import SansIOTesting
import Testing

/// Stretches in which frames come later than before, 20 ms apart as ever.
struct JitterBufferStretchTests {
    /// Frames that take 10 ms, or so much more in a stretch; none overtakes another.
    private func packets(
        count: Int64,
        stretches: [Range<Int64>],
        by slower: Int = 500,
        stall: Range<Int64> = 0..<0
    ) -> [Packet] {
        var latest = 0
        return (0..<count).map { index in
            let sent = Int(stall.contains(index) ? stall.upperBound : index) * 20
            let isSlow = stretches.contains { $0.contains(index) }
            latest = max(latest, sent + 10 + (isSlow ? slower : 0))
            return Packet(arrives: latest, index: index)
        }
    }

    /// The target delay when each of these frames is sent.
    private func targets(_ packets: [Packet], at indices: [Int]) -> [Duration] {
        var bench = PlayoutBench()
        var reached = -1
        return indices.map { index in
            let now = index * 20
            bench.run(packets.filter { $0.arrives > reached && $0.arrives <= now }, until: now)
            reached = now
            return bench.driver.machine.targetDelay
        }
    }

    @Test(
        "15 s after a lone slow stretch speech sounds as soon as before it (K-21)",
        arguments: [50, 150] as [Int64]
    )
    func loneStretch(length: Int64) throws {
        var bench = PlayoutBench()
        let end = 1000 + length
        bench.run(packets(count: 2500, stretches: [1000..<end]), until: 50_000)
        func lag(of index: Int64) throws -> Int {
            try #require(bench.frames.first { $0.index == index }).lag
        }
        #expect(try lag(of: end - 1) >= 500)
        // What was sent last came 500 ms later: 25 frames. 15 s are 750.
        #expect(try lag(of: end + 775) <= lag(of: 990) + 20)
        #expect(bench.driver.machine.targetDelay == .milliseconds(20))
    }

    @Test("A stretch is forgotten as well where quick frames overtake its last ones")
    func overtaken() {
        let packets = packets(count: 1200, stretches: []).map { packet in
            var packet = packet
            if (700..<850).contains(packet.index) { packet.arrives += 500 }
            return packet
        }
        let sorted = packets.sorted { ($0.arrives, $0.index) < ($1.arrives, $1.index) }
        let found = targets(sorted, at: [800, 1190])
        #expect(found[0] > .milliseconds(400))
        #expect(found[1] == .milliseconds(20))
    }

    @Test("Two stretches within a minute are a habit: the target keeps the second for the window")
    func twoStretches() {
        let packets = packets(count: 4600, stretches: [1000..<1150, 2500..<2650])
        let found = targets(packets, at: [999, 1650, 3500, 4500])
        #expect(found[0] == .milliseconds(20))
        #expect(found[1] == .milliseconds(20))
        #expect(found[2] > .milliseconds(400))
        #expect(found[3] > .milliseconds(400))
    }

    @Test("A second stretch more than a minute after the first is a lone one again")
    func farApart() {
        let packets = packets(count: 5400, stretches: [1000..<1150, 4500..<4650])
        let found = targets(packets, at: [4600, 5300])
        #expect(found[0] > .milliseconds(400))
        #expect(found[1] == .milliseconds(20))
    }

    @Test("A stall within a minute of a forgotten stretch counts: it is not the first trouble")
    func stallAfter() {
        let packets = packets(count: 3500, stretches: [1000..<1150], stall: 2500..<2525)
        let found = targets(packets, at: [2450, 3000, 3400])
        #expect(found[0] == .milliseconds(20))
        #expect(found[1] >= .milliseconds(80))
        #expect(found[2] >= .milliseconds(80))
    }

    @Test("A stretch counts for the whole window if it is long, or the path is hardly known")
    func keptStretch() {
        let cases: [(Range<Int64>, Int)] = [
            (1000..<2000, 150), (1000..<1250, 500), (300..<450, 500),
        ]
        for (stretch, slower) in cases {
            let packets = packets(count: 2800, stretches: [stretch], by: slower)
            let found = targets(packets, at: [2790])
            #expect(found[0] > .milliseconds(slower - 20), "\(stretch)")
        }
    }
}
