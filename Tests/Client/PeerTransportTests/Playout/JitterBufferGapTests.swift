import PeerTransport
import SansIO
import SansIOTesting
import Testing

/// Losses, late frames, empty buffers, slower paths and drifting clocks.
struct JitterBufferGapTests {
    private func steady(_ indices: Range<Int64>, delay: Int, path: UInt8 = 0) -> [Packet] {
        indices.map { Packet(arrives: Int($0) * 20 + delay, index: $0, path: path) }
    }

    @Test("A lost frame is concealed for exactly its length, and the lag stays")
    func lossIsConcealed() {
        var bench = PlayoutBench()
        bench.run(steady(0..<100, delay: 10).filter { $0.index != 50 }, until: 1_950)
        #expect(bench.heard.filter { $0.content == .concealed }.allSatisfy { $0.index == 50 })
        #expect(bench.concealedMilliseconds == 20)
        #expect(Set(bench.frames.map(\.lag)).count == 1)
    }

    @Test("A lost frame is recovered when the next one carries its copy")
    func lossIsRecovered() throws {
        var bench = PlayoutBench()
        var packets = steady(0..<100, delay: 10)
        for place in packets.indices { packets[place].carriesFEC = true }
        // The next frame comes 5 ms early, so that it is here when frame 50 is due.
        packets.remove(at: 50)
        packets[50].arrives -= 5
        bench.run(packets, until: 1_950)
        let recovered = bench.heard.filter { $0.content == .recovered }
        #expect(recovered.map(\.index) == [50])
        #expect(bench.deviation(from: Array(0...bench.frames[bench.frames.count - 1].index)) == nil)
        #expect(bench.handlesOut.count == Set(bench.handlesOut).count)
        #expect(bench.concealedMilliseconds == 0)
    }

    @Test(
        "Of a run of lost frames the last is recovered and only the others are concealed",
        arguments: [1, 2, 3, 5],
        [0, 5]
    )
    func runOfLossesIsRecovered(lost: Int, early: Int) {
        var bench = PlayoutBench()
        var packets = steady(0..<100, delay: 10)
        for position in packets.indices { packets[position].carriesFEC = true }
        // Where the first frame after the run comes early, it is here before the run is made up.
        packets[50 + lost].arrives -= early
        packets.removeSubrange(50..<50 + lost)
        bench.run(packets, until: 1_950)
        let recovered = bench.heard.filter { $0.content == .recovered }
        #expect(recovered.map(\.index) == [Int64(49 + lost)])
        #expect(bench.concealedMilliseconds == (lost - 1) * 20)
        #expect(Set(bench.frames.map(\.lag)).count == 1)
    }

    @Test("A frame 30 ms late in an empty buffer is waited for and played")
    func lateFrameIsPlayed() {
        var packets = steady(0..<200, delay: 10)
        packets[50].arrives += 50  // the floor is 20 ms: 30 ms too late
        for place in 51..<53 {
            packets[place].arrives = max(packets[place].arrives, packets[50].arrives)
        }
        packets[51].arrives = packets[50].arrives + 15
        packets[52].arrives = packets[51].arrives + 15
        var bench = PlayoutBench()
        bench.run(packets.sorted { $0.arrives < $1.arrives }, until: 4_000)
        #expect(bench.discards.isEmpty)
        #expect(bench.deviation(from: Array(0..<Int64(bench.frames.count))) == nil)
        #expect((30...33).contains(bench.concealedMilliseconds - tail(of: bench)))
    }

    @Test("A path that is 60 ms slower takes over without a frame lost (D-15, K-13)")
    func slowerPathLosesNothing() {
        let packets = steady(0..<200, delay: 8, path: 0) + steady(200..<500, delay: 68, path: 1)
        var bench = PlayoutBench()
        bench.run(packets, until: 10_500)
        #expect(bench.discards.isEmpty)
        #expect(bench.deviation(from: Array(0..<500)) == nil)
        #expect((40...65).contains(bench.concealedMilliseconds - tail(of: bench)))
    }

    @Test("A slower path heard double for 1 s takes over with 40 ms concealed at most (K-13)")
    func slowerPathWithWarning() {
        var packets = steady(0..<200, delay: 8, path: 0) + steady(200..<500, delay: 66, path: 1)
        packets += (150..<200).map {
            Packet(arrives: $0 * 20 + 66, index: Int64($0), path: 1, kind: .copy)
        }
        packets.sort { $0.arrives < $1.arrives }
        var bench = PlayoutBench()
        bench.run(packets, until: 10_500)
        #expect(bench.deviation(from: Array(0..<500)) == nil)
        #expect(bench.concealedMilliseconds - tail(of: bench) <= 40)
        let before = bench.frames.filter { (195..<200).contains($0.index) }
        #expect(before.allSatisfy { $0.lag >= 66 + 10 }, "not stretched in time")
        let stretched = bench.frames.filter { $0.samples > 960 }.map(\.index)
        #expect(stretched == stretched.first.map { Array($0..<$0 + Int64(stretched.count)) })
    }

    @Test("After a return to a path 58 ms quicker the extra delay is gone within 2 s (K-13)")
    func quickerPathIsCaughtUp() throws {
        var packets = steady(0..<250, delay: 66, path: 0) + steady(200..<500, delay: 8, path: 1)
        packets.sort { $0.arrives < $1.arrives }
        var seen: Set<Int64> = []
        for place in packets.indices where !seen.insert(packets[place].index).inserted {
            packets[place].kind = .copy
        }
        var bench = PlayoutBench()
        bench.run(packets, until: 10_500)
        #expect(bench.deviation(from: Array(0..<500)) == nil)
        #expect(bench.concealedMilliseconds - tail(of: bench) == 0)
        let settled = try #require(bench.frames.last).lag
        let doubleEnds = 250 * 20 + 66
        let early = bench.frames.filter { (10 * 20..<doubleEnds).contains($0.milliseconds) }
        #expect(early.allSatisfy { $0.samples == 960 }, "compressed while both paths deliver")
        let late = bench.frames.filter { $0.milliseconds > doubleEnds + 2_000 }
        #expect(late.allSatisfy { $0.lag <= settled + 5 })
        #expect(settled <= 8 + 20 + 5)
    }

    @Test("A speaker that slept for 3 s does not play 3 s of old speech (A-F-007)")
    func sleepIsNotPlayedBack() throws {
        var bench = PlayoutBench()
        var slot: UInt32 = 0
        for index in Int64(0)..<400 {
            slot += 1
            let arrives = index * 20_000_000 + 10_000_000
            bench.send(
                .frameReceived(ReceivedFrame(captureIndex: index, frame: FrameHandle(slot: slot))),
                at: arrives,
                request: arrives
            )
            guard !(100..<250).contains(index) else { continue }
            for part in 0..<2 {
                let now = arrives + Int64(part) * 10_000_000
                bench.send(.renderRequested(samples: 480), at: now, request: now)
            }
        }
        #expect(bench.discards.count > 50)
        #expect(bench.handlesOut.count == Set(bench.handlesOut).count)
    }

    @Test(
        "A clock that drifts by 100 ppm for 30 min costs no frame and 20 ms at most",
        arguments: [-100, 100] as [Int64]
    )
    func driftIsFollowed(partsPerMillion: Int64) {
        var random = LawRandom(seed: 7)
        let count: Int64 = 90_000
        var bench = PlayoutBench()
        bench.requestSamples = 480
        var lags: [Int] = []
        for index in 0..<count {
            let sent = index * 20_000_000
            let drift = sent / 1_000_000 * partsPerMillion
            let arrives = sent + drift + 10_000_000 + Int64(random.below(3_000_000))
            bench.send(
                .frameReceived(
                    ReceivedFrame(captureIndex: index, frame: FrameHandle(slot: UInt32(index)))
                ),
                at: arrives,
                request: arrives
            )
            let due = bench.rendersDue(until: arrives)
            for now in due { bench.send(.renderRequested(samples: 480), at: now, request: now) }
            if index % 500 == 499, let last = bench.frames.last {
                lags.append(last.lag - Int(drift / 1_000_000))
                bench.forget()
            }
        }
        #expect(bench.discards.count <= Int(count / 1000))
        #expect(lags.dropFirst(2).allSatisfy { $0 <= 10 + 20 + 20 }, "lags \(lags.max() ?? 0) ms")
    }

    /// The concealment after the last frame: these streams have no end mark.
    private func tail(of bench: PlayoutBench) -> Int {
        guard let last = bench.frames.last else { return 0 }
        return bench.heard.filter { $0.content == .concealed && $0.began > last.began }
            .reduce(0) { $0 + $1.samples } / 48
    }
}
