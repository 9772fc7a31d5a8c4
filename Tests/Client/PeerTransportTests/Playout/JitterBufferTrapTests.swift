import PeerTransport
import SansIO
import Testing

/// The first five traps of the specification (D-14), each as a timeline.
struct JitterBufferTrapTests {
    /// A first spurt that teaches the buffer the path, then a pause, then a spurt from 300 on.
    private func twoSpurts(delay: Int = 8, live: Int = 150) -> [Packet] {
        talkSpurt(first: 10, preRoll: 10, live: 100, delay: delay)
            + talkSpurt(first: 300, preRoll: 10, live: live, delay: delay)
    }

    @Test("Every pre-roll frame that arrives is played, none dropped as late (D-14)")
    func preRollIsPlayed() {
        var bench = PlayoutBench()
        bench.run(twoSpurts(), until: 12_000)
        #expect(bench.deviation(from: Array(10..<120) + Array(300..<460)) == nil)
        #expect(bench.discards.isEmpty)
        #expect(bench.concealedMilliseconds == 0)
    }

    @Test("A pre-roll starts to sound within 10 ms of its arrival (D-16)")
    func preRollStartsAtOnce() throws {
        var bench = PlayoutBench()
        bench.run(twoSpurts(), until: 12_000)
        let first = try #require(bench.frames.first { $0.index == 300 })
        let arrived = 300 * 20 + 200 + 8
        #expect((arrived...arrived + 10).contains(first.milliseconds))
    }

    @Test("After a pre-roll the delay is back within 20 ms of the steady one in 2 s (D-16, K-12)")
    func preRollIsCaughtUp() throws {
        var bench = PlayoutBench()
        bench.run(twoSpurts(), until: 12_000)
        let second = bench.frames.filter { $0.index >= 300 }
        let steady = try #require(second.last).lag
        #expect(second.filter { $0.index < 315 }.allSatisfy { $0.lag <= steady + 200 })
        let start = try #require(second.first).began
        let after = second.filter { $0.began >= start + 2_000_000_000 }
        #expect(after.allSatisfy { $0.lag <= steady + 20 })
        #expect(bench.frames.allSatisfy { $0.samples >= 816 }, "compressed by more than 15 %")
    }

    @Test("A pre-roll leaves the target delay where it was (trap 3)")
    func preRollTeachesNothing() {
        var bench = PlayoutBench()
        bench.run(twoSpurts(), until: 12_000)
        #expect(bench.driver.machine.targetDelay == .milliseconds(20))
    }

    @Test("Live frames behind a first pre-roll find at least the target delay")
    func liveFramesKeepTheTarget() {
        var bench = PlayoutBench()
        let packets = talkSpurt(first: 10, preRoll: 10, live: 200, delay: 60)
        bench.run(packets, until: 8_000)
        for frame in bench.frames where frame.index >= 20 {
            #expect(frame.lag >= 20 + 60 + 18, "frame \(frame.index) lags only \(frame.lag) ms")
        }
        #expect(bench.concealedMilliseconds == 0)
    }

    @Test("Speech that returns right after the release goes on without a seam (trap 4)")
    func overlapIsSeamless() {
        let old = talkSpurt(first: 10, preRoll: 10, live: 90, delay: 8)
        var new = talkSpurt(first: 105, preRoll: 10, live: 90, delay: 8)
        new.removeFirst(5)  // 105 to 109 were sent already
        new[0].marks.insert(.talkStart)
        var bench = PlayoutBench()
        bench.run(old + new, until: 8_000)
        #expect(bench.deviation(from: Array(10..<205)) == nil)
        #expect(bench.concealedMilliseconds == 0)
    }

    @Test("The end of a talk spurt is not concealed (trap 5)")
    func endIsNoLoss() {
        var bench = PlayoutBench()
        bench.run(talkSpurt(first: 10, preRoll: 10, live: 50, delay: 8), until: 4_000)
        #expect(bench.concealedMilliseconds == 0)
        #expect(bench.heard.last?.content == .silence)
    }

    @Test("An end mark by message ends a spurt whose last frame was lost: one frame is concealed")
    func endMarkReplacesLastFrame() {
        var packets = talkSpurt(first: 10, preRoll: 10, live: 50, delay: 8)
        packets.removeLast()
        packets.append(Packet(arrives: 69 * 20 + 28, index: 69, kind: .endMark))
        var bench = PlayoutBench()
        bench.run(packets, until: 4_000)
        #expect(bench.concealedMilliseconds == 20)
    }

    @Test("A lost end costs five concealed frames at most, then silence")
    func lostEndFades() throws {
        var packets = talkSpurt(first: 10, preRoll: 10, live: 50, delay: 8)
        packets.removeLast()
        packets += talkSpurt(first: 300, preRoll: 10, live: 50, delay: 8)
        var bench = PlayoutBench()
        bench.run(packets, until: 9_000)
        #expect(bench.concealedMilliseconds == 100)
        #expect(bench.deviation(from: Array(10..<69) + Array(300..<360)) == nil)
    }

    @Test("When the end and the next start are lost, the rest of the next spurt is still played")
    func lostSeam() {
        var packets = talkSpurt(first: 10, preRoll: 10, live: 50, delay: 8)
        packets.removeLast()
        packets += talkSpurt(first: 90, preRoll: 10, live: 50, delay: 8).dropFirst()
        var bench = PlayoutBench()
        bench.run(packets, until: 6_000)
        #expect(bench.deviation(from: Array(10..<69) + Array(91..<150)) == nil)
        #expect(bench.concealedMilliseconds <= 120)
    }
}
