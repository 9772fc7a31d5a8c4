import PeerTransport
import SansIO
import SansIOTesting
import Testing

/// Stalls that deliver at once what they held up.
struct JitterBufferStallTests {
    /// Frames that each take 10 ms, but for those that come at the end of a stall.
    private func packets(count: Int64, stalls: [Range<Int64>]) -> [Packet] {
        (0..<count).map { index in
            let stall = stalls.first { $0.contains(index) }
            return Packet(arrives: Int(stall?.upperBound ?? index) * 20 + 10, index: index)
        }
    }

    private func lag(of index: Int64, in bench: PlayoutBench) throws -> Int {
        try #require(bench.frames.first { $0.index == index }).lag
    }

    @Test("After a short stall the two frames past their time are dropped (S-AUD-004)")
    func shortStall() throws {
        var bench = PlayoutBench()
        bench.run(packets(count: 3200, stalls: [3000..<3003]), until: 64_000)
        #expect((1...2).contains(bench.discards.count))
        let before = try lag(of: 2990, in: bench)
        let after = try lag(of: 3012, in: bench)
        #expect(abs(after - before) <= 12)
    }

    @Test("After a longer stall no speech is lost: frames play late, and the lag is caught up")
    func longStall() throws {
        var bench = PlayoutBench()
        bench.run(packets(count: 3400, stalls: [3000..<3025]), until: 68_000)
        #expect(bench.discards.isEmpty)
        #expect(bench.deviation(from: Array(0..<Int64(bench.frames.count))) == nil)
        #expect(try lag(of: 3000, in: bench) >= 500)
        #expect(try lag(of: 3390, in: bench) <= lag(of: 2990, in: bench) + 5)
    }

    @Test("What is later than the ceiling is dropped (S-AUD-004, D-15)")
    func ceiling() throws {
        var bench = PlayoutBench(.asSpecified)
        bench.run(packets(count: 3200, stalls: [3000..<3010]), until: 64_000)
        #expect((6...8).contains(bench.discards.count))
        #expect(bench.frames.allSatisfy { $0.lag <= 10 + 60 + 12 })
    }

    @Test("The worst stall counts for 5 s, and as long as the window once a worse one has come")
    func worstIsLeftOut() {
        var bench = PlayoutBench()
        let packets = packets(count: 3000, stalls: [1000..<1025, 1800..<1830])
        func target(at index: Int) -> Duration {
            let waiting = packets.filter { $0.arrives <= index * 20 && $0.arrives > reached }
            bench.run(waiting, until: index * 20)
            reached = index * 20
            return bench.driver.machine.targetDelay
        }
        var reached = -1
        #expect(target(at: 999) == .milliseconds(20))
        #expect(target(at: 1100) > .milliseconds(200))
        #expect(target(at: 1300) == .milliseconds(20))
        #expect(target(at: 1900) > .milliseconds(200))
        #expect(target(at: 2500) > .milliseconds(100), "the first of two stalls counts again")
    }

    @Test("A stall is one stall in whatever order it delivers")
    func shuffledStall() {
        var random = LawRandom(seed: 5)
        var packets = packets(count: 1500, stalls: [])
        var held = Array(packets[1000..<1040])
        for position in held.indices {
            held.swapAt(position, random.below(held.count))
        }
        for position in held.indices { held[position].arrives = 1040 * 20 + 10 }
        packets.replaceSubrange(1000..<1040, with: held)
        var bench = PlayoutBench()
        bench.run(packets, until: 30_000)
        #expect(bench.driver.machine.targetDelay == .milliseconds(20))
    }

    @Test("A route that becomes longer is no stall: the target delay keeps it")
    func longerRoute() {
        var bench = PlayoutBench()
        let packets = (0..<1500 as Range<Int64>).map {
            Packet(arrives: Int($0) * 20 + ($0 < 750 ? 10 : 310), index: $0)
        }
        bench.run(packets, until: 30_000)
        #expect(bench.driver.machine.targetDelay >= .milliseconds(300))
        #expect(bench.frames.filter { $0.index > 800 }.allSatisfy { $0.samples == 960 })
    }

    @Test(
        "A route that is slower than the ceiling costs no frame once it is known, after 6 s (D-15)",
        arguments: [40, 60, 200],
        [700, 3_000]
    )
    func slowerThanTheCeiling(together: Int, slower: Int) {
        // Frames come two, three or ten at a time; from 20 s on later than any target lets them.
        let packets: [Packet] = (0..<3000 as Range<Int64>).map { index in
            let arrives = Int(index) * 20 + 10 + (index < 1000 ? 0 : slower)
            return Packet(arrives: (arrives + together - 1) / together * together, index: index)
        }
        var bench = PlayoutBench()
        bench.run(packets, until: 59_000)
        let lost = Set(1300..<2700).subtracting(bench.frames.map(\.index))
        #expect(lost.isEmpty, "lost \(lost.count)")
    }
}
