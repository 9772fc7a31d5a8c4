@testable import KodamaSession
import KodamaEvidence
import Testing

@Suite("What counts as heard on a path of seconds")
struct LongPathVoiceTests {
    private static let millisecond: Int64 = 1_000_000

    /// Ten seconds of frames, each of which takes as long as the path.
    private func line(_ pathMilliseconds: Int64) -> AudioLine {
        var line = AudioLine()
        for number in 0..<500 as Range<Int64> {
            let captured = number * AudioLine.frameLength
            line.frame(captured: captured, heard: captured + pathMilliseconds * Self.millisecond)
        }
        return line
    }

    @Test("Voice that takes as long as its path is heard, up to 2 s and more (K-01c)")
    func heard() {
        for path in [100, 900, 1_000, 1_500, 2_000, 2_400] as [Int64] {
            let gaps = line(path).gaps
            #expect(gaps.count == 1, "\(path) ms")
            #expect(gaps.first?.missing.end == 0, "\(path) ms")
            #expect(gaps.first?.back == path * Self.millisecond, "\(path) ms")
        }
    }

    @Test("Voice that comes later than twice its path's time, and than 1 s, is not (K-01a)")
    func late() {
        let cases: [(Int64, Int64)] = [(100, 1_001), (400, 1_001), (900, 1_801), (2_000, 4_001)]
        for (path, late) in cases {
            var line = line(path)
            let captured = 20_000 * Self.millisecond
            line.frame(captured: captured, heard: captured + late * Self.millisecond)
            #expect(line.gaps.count == 1, "\(late) ms over \(path) ms")
            line.frame(captured: captured, heard: captured + (late - 1) * Self.millisecond)
            #expect(line.gaps.count == 2, "\(late - 1) ms over \(path) ms")
        }
    }

    /// Ten seconds of frames over a quick path, and more over one that became longer.
    private func lengthened(for milliseconds: Int64, to path: Int64) -> AudioLine {
        var line = line(20)
        for number in 500..<(500 + milliseconds / 20) {
            let captured = number * AudioLine.frameLength
            line.frame(captured: captured, heard: captured + path * Self.millisecond)
        }
        return line
    }

    @Test("A path that becomes longer is known after 5 s of late sound, and not before (K-01c)")
    func lengthens() {
        for path in [1_001, 1_220, 3_000, 5_000] as [Int64] {
            for known in [false, true] {
                var line = lengthened(for: known ? 30_000 : 5_000, to: path)
                line.end(at: 45_000 * Self.millisecond)
                let gap = line.gaps.dropFirst().first
                #expect(gap?.missing.start == 10_000 * Self.millisecond, "\(path) ms")
                let end = known ? 15_000 * Self.millisecond : nil
                #expect(!known || gap?.missing.end == end, "\(path) ms")
                #expect((gap?.back == Span.future) == !known, "\(path) ms")
            }
            // Without frames it is the same.
            var flow = AudioLine()
            flow.flows(captured: 0, heard: 20 * Self.millisecond)
            flow.stops(captured: 10_000 * Self.millisecond)
            let late = (10_000 + path) * Self.millisecond
            flow.flows(captured: 10_000 * Self.millisecond, heard: late)
            var short = flow
            flow.end(at: 45_000 * Self.millisecond)
            #expect(flow.gaps.count == 2 && flow.gaps[1].missing.end == 15_000 * Self.millisecond)
            #expect(flow.gaps[1].back == (15_000 + path) * Self.millisecond)
            short.stops(captured: 14_990 * Self.millisecond)
            short.end(at: 45_000 * Self.millisecond)
            #expect(short.gaps.count == 2 && short.gaps[1].back == Span.future)
        }
    }

    /// Ten seconds of frames over a quick path, and 30 s of which so many in a hundred are in time, and the others
    /// a second and a half late; all of them in their order.
    private func mixed(inTime share: Int64) -> AudioLine {
        var line = line(20)
        for number in 500..<2_000 as Range<Int64> {
            let captured = number * AudioLine.frameLength
            let path: Int64 = number % 100 < share ? 20 : 1_500
            line.frame(captured: captured, heard: captured + path * Self.millisecond)
        }
        return line
    }

    @Test("Of late sound and sound in time the greater part says what a path takes (K-01a, K-01c)")
    func staysShort() {
        // 2 s of sound, of which this is in time: without more of it the path is known to be long.
        for (share, isLong) in [(1, true), (20, true), (40, true), (50, false), (80, false)]
            as [(Int64, Bool)]
        {
            let last = mixed(inTime: share).gaps.last
            #expect((last?.back ?? 0 < 38_000 * Self.millisecond) == isLong, "\(share) %")
        }
    }

    @Test("What the ear heard of a long path before it fell silent shortens the silence (K-01c)")
    func quiet() {
        for delay in [60, 3_000] as [Int64] {
            var line = AudioLine()
            for captured in stride(from: 0, to: 30_000, by: 20) where !(20_000..<21_000 ~= captured)
            {
                let heard = (Int64(captured) + delay) * Self.millisecond
                line.frame(captured: Int64(captured) * Self.millisecond, heard: heard)
            }
            let from = (20_000 + delay) * Self.millisecond
            let to = (21_000 + delay) * Self.millisecond
            #expect(line.quiet.all.last == Span(start: from, end: to), "\(delay) ms")
        }
        // Without frames it is the same.
        var flow = AudioLine()
        flow.flows(captured: 0, heard: 900 * Self.millisecond)
        flow.stops(captured: 20_000 * Self.millisecond)
        flow.flows(captured: 21_000 * Self.millisecond, heard: 21_900 * Self.millisecond)
        let span = Span(start: 20_900 * Self.millisecond, end: 21_900 * Self.millisecond)
        #expect(flow.quiet.all.last == span)
    }

    @Test("What no conversation bears is not heard, whatever the path takes")
    func longest() {
        #expect(line(5_001).gaps.isEmpty)
    }
}
