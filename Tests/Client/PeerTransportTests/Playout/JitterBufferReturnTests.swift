import PeerTransport
import SansIO
import SansIOTesting
import Testing

/// Playout that a slow path has put far back, and what brings it forward again.
struct JitterBufferReturnTests {
    /// A talk of 50 s whose frames take longer from 20 s to 40 s.
    private func talk(slower milliseconds: Int, path: UInt8) -> [Packet] {
        (0..<2500 as Range<Int64>).map { index in
            let isSlow = (1000..<2000).contains(index)
            return Packet(
                arrives: Int(index) * 20 + 10 + (isSlow ? milliseconds : 0),
                index: index,
                path: isSlow ? path : 0
            )
        }
    }

    private func inOrderOfArrival(_ packets: [Packet]) -> [Packet] {
        packets.sorted { ($0.arrives, $0.index, $0.path) < ($1.arrives, $1.index, $1.path) }
    }

    /// The longest time from the beginning of one frame to that of the next, in milliseconds.
    private func longestStep(_ bench: PlayoutBench, from start: Int) -> Int {
        let begins = bench.frames.map(\.milliseconds).filter { $0 >= start }
        return zip(begins, begins.dropFirst()).map { $1 - $0 }.max() ?? .max
    }

    /// Whether all frames sounded that were quick again.
    private func heardAllAfter(_ bench: PlayoutBench) -> Bool {
        bench.frames.map(\.index).filter { $0 >= 2000 } == Array(2000..<2494)
    }

    private func isInOrder(_ bench: PlayoutBench) -> Bool {
        let indices = bench.frames.map(\.index)
        return zip(indices, indices.dropFirst()).allSatisfy { $0 < $1 }
    }

    @Test(
        "After a path that is slower than the buffer is long speech goes on at once (K-13, K-14)",
        arguments: [2_600, 3_000, 8_000],
        [0, 1] as [UInt8]
    )
    func slowPathGivesWay(slower: Int, path: UInt8) throws {
        var bench = PlayoutBench()
        bench.run(inOrderOfArrival(talk(slower: slower, path: path)), until: 49_900)
        #expect(longestStep(bench, from: 39_000) <= 100)
        #expect(heardAllAfter(bench))
        let last = try #require(bench.frames.last)
        #expect(last.lag <= 40)
        #expect(isInOrder(bench))
    }

    @Test("Copies that come later than the buffer is long move playout by nothing (S-HO-004)")
    func farCopiesMoveNothing() {
        var packets = talk(slower: 0, path: 0)
        packets += (1000..<2000 as Range<Int64>).map {
            Packet(arrives: Int($0) * 20 + 3_010, index: $0, path: 1, kind: .copy)
        }
        var bench = PlayoutBench()
        bench.run(inOrderOfArrival(packets), until: 49_900)
        #expect(bench.deviation(from: Array(0..<2494)) == nil)
        #expect(Set(bench.frames.map(\.lag)).count == 1)
    }

    @Test(
        "Frames lost on their way by a slow path are waited for no longer than 1 s (K-13)",
        arguments: [1_500, 2_000, 2_500]
    )
    func lostInFlight(slower: Int) {
        let packets = talk(slower: slower, path: 1).filter {
            $0.path == 0 || $0.arrives < 40_000
        }
        var bench = PlayoutBench()
        bench.run(inOrderOfArrival(packets), until: 49_900)
        #expect(longestStep(bench, from: 39_000) <= 1_050)
        #expect(heardAllAfter(bench))
    }

    @Test(
        "A sender's clock that jumps ahead costs a second at most, and no frame",
        arguments: [2_000, 2_700, 10_000, 3_600_000] as [Int64]
    )
    func clockJumpsAhead(milliseconds: Int64) {
        let jump = milliseconds / 20
        let packets = (0..<1000 as Range<Int64>).map {
            Packet(arrives: Int($0) * 20 + 10, index: $0 < 500 ? $0 : $0 + jump)
        }
        var bench = PlayoutBench()
        bench.run(packets, until: 19_900)
        #expect(longestStep(bench, from: 9_000) <= 1_050)
        let after = bench.frames.map(\.index).filter { $0 >= 500 + jump }
        #expect(after == Array(500 + jump..<994 + jump))
    }

    @Test("What a slow path still brings from before a stream started again teaches nothing")
    func formerCopies() {
        var packets: [Packet] = (0..<600 as Range<Int64>).map { index in
            let arrives = Int(index) * 20 + 8_000
            return Packet(
                arrives: arrives,
                index: 1_000_000 + index,
                kind: arrives < 12_000 ? .frame : .copy
            )
        }
        // Two at a time: the first would be dropped if it counted as a second too late.
        packets += (0..<600 as Range<Int64>).map {
            Packet(arrives: (Int($0) * 20 + 12_049) / 40 * 40, index: $0, path: 1)
        }
        var bench = PlayoutBench()
        bench.run(inOrderOfArrival(packets), until: 23_500)
        let heard = bench.frames.map(\.index).filter { $0 < 1_000_000 }
        #expect(heard.count > 500)
        #expect(zip(heard, heard.dropFirst()).allSatisfy { $1 == $0 + 1 })
    }

    @Test("A buffer that goes on with a stream takes no frames held back for a new start (K-14)")
    func goesOn() {
        func frame(_ index: Int64) -> JitterBuffer.Event {
            let handle = FrameHandle(slot: UInt32(index))
            return .frameReceived(ReceivedFrame(captureIndex: index, frame: handle))
        }
        var former = JitterBuffer()
        former.handle(frame(2_000), at: Instant(nanoseconds: 40_000_000_000))
        var buffer = JitterBuffer(from: former.earliestIndex, heardAt: former.heardAt)
        var effects: [JitterBuffer.Effect] = []
        // Longer ago than the buffer is long, and three in a row.
        for index in 1_700..<1_703 as Range<Int64> {
            effects += buffer.handle(frame(index), at: Instant(nanoseconds: 40_100_000_000))
        }
        let isHandedBack = effects.map { effect in
            if case .discard = effect { true } else { false }
        }
        #expect(isHandedBack == [true, true, true])
    }

    /// A talk of 40 s over two paths whose delays, jitter and losses are drawn again and again.
    private func wanderingTalk(seed: UInt64) -> [Packet] {
        var random = LawRandom(seed: seed)
        var packets: [Packet] = []
        var first = 0
        while first < 2000 {
            let count = 20 + random.below(random.chance(percent: 50) ? 100 : 1000)
            let delays = [
                random.below(60), random.below(600), random.below(2_600),
                2_400 + random.below(300), random.below(10_000),
            ]
            let delay = delays[random.below(5)]
            let jitter = [1, 5, 30, 100][random.below(4)]
            let together = [20, 20, 40, 60, 100][random.below(5)]
            let path = UInt8(random.below(2))
            let isCut = random.chance(percent: 30)
            let isDouble = random.chance(percent: 30)
            for index in first..<min(first + count, 2000) {
                let exact = index * 20 + delay + random.below(jitter)
                let arrives = (exact + together - 1) / together * together
                if !isCut || arrives < (first + count) * 20 {
                    packets.append(Packet(arrives: arrives, index: Int64(index), path: path))
                }
                guard isDouble else { continue }
                let other = index * 20 + delays[0] + 10
                packets.append(Packet(arrives: other, index: Int64(index), path: 1 - path))
            }
            first += count
        }
        return withCopies(inOrderOfArrival(packets))
    }

    /// The packets as the replay window tells them apart.
    private func withCopies(_ packets: [Packet]) -> [Packet] {
        var window = ReplayWindow()
        return packets.map { packet in
            var told = packet
            let isFirst = window.admit(SerialNumber(UInt32(packet.index))) == .first
            told.kind = isFirst ? .frame : .copy
            return told
        }
    }

    /// The longest time without a frame that sounds while newer ones come, in milliseconds.
    private func longestSilence(_ packets: [Packet], _ bench: PlayoutBench) -> Int {
        var begins = bench.frames.map(\.milliseconds)[...]
        var (newest, latest, since) = (Int64(-1), 0, 0)
        var (heard, longest) = (0, 0)
        for packet in packets where packet.index > newest {
            newest = packet.index
            if packet.arrives - latest > 150 { since = packet.arrives }
            latest = packet.arrives
            while let begin = begins.first, begin <= latest {
                heard = begin
                begins.removeFirst()
            }
            longest = max(longest, latest - max(heard, since))
        }
        return longest
    }

    @Test(
        "While newer frames come, no silence is longer than the buffer is (K-13, K-14)",
        arguments: 0..<60 as Range<UInt64>
    )
    func neverSilentForLong(seed: UInt64) {
        let packets = wanderingTalk(seed: seed)
        var bench = PlayoutBench()
        bench.requestSamples = 480
        bench.run(packets, until: packets.last?.arrives ?? 0)
        #expect(longestSilence(packets, bench) <= 2_600)
        #expect(bench.frames.count > 500)
        #expect(isInOrder(bench))
        #expect(bench.handlesOut.count == Set(bench.handlesOut).count)
    }
}
