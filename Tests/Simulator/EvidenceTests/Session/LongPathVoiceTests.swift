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

    @Test("What no conversation bears is not heard, whatever the path takes")
    func longest() {
        #expect(line(5_001).gaps.isEmpty)
    }
}
