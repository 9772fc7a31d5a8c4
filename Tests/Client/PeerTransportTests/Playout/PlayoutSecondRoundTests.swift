import SansIO
import SansIOTesting
import Testing

@testable import PeerTransport

@Suite("Playout of the second spurt, and of what comes after an adjustment")
struct PlayoutSecondRoundTests {
    @Test(
        "A spurt begins at its own pace, though the one before was still being compressed (S-AUD-004)"
    )
    func paceOfSecondSpurt() throws {
        var bench = PlayoutBench()
        let spurts: [[Packet]] = [0, 200, 400].map {
            talkSpurt(first: $0, preRoll: 10, live: 18, delay: 8)
        }
        bench.run(spurts.flatMap { $0 }, until: 10_000)
        func samples(of spurt: Int) -> [Int] {
            bench.frames.filter { $0.index / 200 == spurt }.map(\.samples)
        }
        #expect(
            samples(of: 0).last.map { $0 < 960 } == true,
            "the first ends while it is compressed"
        )
        for spurt in 0..<3 {
            let played = samples(of: spurt)
            #expect(played.count == 28)
            #expect(played.prefix(8).allSatisfy { $0 == 960 }, "spurt \(spurt): \(played)")
        }
    }

    @Test("The end mark of a spurt that was given up says nothing of the next one (S-AUD-004)")
    func endOfLostSpurt() {
        var bench = PlayoutBench()
        // Of the first spurt all is lost after frame 30, but for the mark that frame 100 is its last.
        var packets = talkSpurt(first: 10, preRoll: 10, live: 10, delay: 8)
        packets[packets.count - 1].marks = []
        packets.append(Packet(arrives: 700, index: 100, kind: .endMark))
        // Of the second one two frames are lost behind the first.
        packets += talkSpurt(first: 200, preRoll: 0, live: 60, delay: 8)
            .filter { ![201, 202].contains($0.index) }
        bench.run(packets, until: 7_000)
        #expect(bench.deviation(from: Array(10..<30) + [200] + Array(203..<260)) == nil)
        let second = bench.heard.filter { $0.began >= 4_000_000_000 && $0.began < 5_200_000_000 }
        let first = second.firstIndex { $0.content == .frame } ?? 0
        let inside = second[first...].prefix { !($0.content == .frame && $0.index == 203) }
        #expect(inside.contains { $0.content == .concealed })
        #expect(!inside.contains { $0.content == .silence }, "a loss inside a spurt is concealed")
    }

    @Test(
        "Each compression is preceded by its own patience: what the last one took is forgotten (D-15)"
    )
    func patienceAnew() {
        var packets: [Packet] = []
        for spurt in 0..<6 as Range<Int64> {
            packets += talkSpurt(first: spurt * 150, preRoll: 10, live: 110, delay: 8)
        }
        var buffer = JitterBuffer()
        var waiting = packets[...]
        var ended = 0
        for milliseconds in stride(from: 0, to: 18_000, by: 10) {
            let now = Instant.zero.advanced(by: .milliseconds(milliseconds))
            while let packet = waiting.first, packet.arrives <= milliseconds {
                waiting = waiting.dropFirst()
                let received = ReceivedFrame(
                    captureIndex: packet.index,
                    frame: FrameHandle(slot: UInt32(packet.index)),
                    marks: packet.marks,
                    path: 0,
                    carriesFEC: false
                )
                buffer.handle(.frameReceived(received), at: now)
            }
            let before = buffer.pace
            buffer.handle(.renderRequested(samples: 480), at: now)
            guard before == .compressing, buffer.pace == .level else { continue }
            ended += 1
            #expect(buffer.excessFrameSamples == 0)
        }
        #expect(ended >= 4)
    }

    @Test("A path's newest frame stays its newest, whatever comes late by it (K-13)")
    func newestNeverFalls() {
        let limits = JitterBuffer.Limits(JitterBuffer.Configuration())
        var target = PlayoutTarget(limits)
        func observe(_ index: Int64, path: UInt8, at milliseconds: Int64) {
            let now = Instant.zero.advanced(by: .milliseconds(milliseconds))
            target.observe(index, marks: [], path: path, at: now, limits: limits)
        }
        for index in 0..<50 as Range<Int64> { observe(index, path: 1, at: index * 20 + 50) }
        for index in 0..<40 as Range<Int64> { observe(index, path: 2, at: index * 20 + 250) }
        observe(20, path: 2, at: 1_035)
        let now = Instant.zero.advanced(by: .milliseconds(1_040))
        #expect(!target.mayBring(39, at: now), "it has brought that or lost it")
        #expect(target.mayBring(40, at: now))
    }

    private static let rule = TransitWindow.Rule(
        windowFrames: 500,
        latePartsPerMillion: 0,
        lateGrowthPartsPerMillion: 0,
        ceilingBins: 600
    )

    @Test("Slow frames make a slower route only if no quick one comes between them (D-15)")
    func slowInARow() {
        var window = TransitWindow(rule: Self.rule)
        for index in 0..<400 as Range<Int64> {
            let transit: Int64 = index < 50 || index % 4 == 0 ? 60_000_000 : 760_000_000
            window.record(index: index, transitNanoseconds: transit, rule: Self.rule)
        }
        #expect(window.count == 400, "nothing of it was void")
        #expect(window.fastestNanoseconds == 60_000_000)
    }

    @Test("A second slower route takes as long to be believed as the first (D-15)")
    func secondRoute() {
        var window = TransitWindow(rule: Self.rule)
        func record(_ indices: Range<Int64>, _ milliseconds: Int64) {
            for index in indices {
                let transit = milliseconds * 1_000_000
                window.record(index: index, transitNanoseconds: transit, rule: Self.rule)
            }
        }
        record(0..<50, 60)
        record(50..<300, 760)
        #expect(window.fastestNanoseconds == 60_000_000)
        record(300..<301, 760)
        #expect(window.fastestNanoseconds == 760_000_000)
        record(301..<302, 1_460)
        #expect(window.fastestNanoseconds == 760_000_000, "one slow frame is no route")
        record(302..<350, 760)
        record(350..<600, 1_460)
        #expect(window.fastestNanoseconds == 760_000_000)
        record(600..<601, 1_460)
        #expect(window.fastestNanoseconds == 1_460_000_000)
    }
}
