@testable import KodamaSpeech
import Testing

@Suite("Talk spurts")
struct TalkSpurtsTests {
    /// A clip at 16 kHz: pieces of so many milliseconds, of a square wave of so much amplitude.
    private func clip(_ pieces: [(milliseconds: Int, amplitude: Int16)]) -> [Int16] {
        pieces.flatMap { piece in
            (0..<piece.milliseconds * 16).map { $0 % 32 < 16 ? piece.amplitude : -piece.amplitude }
        }
    }

    private func cut(_ pieces: [(Int, Int16)]) -> [ClosedRange<Int>] {
        TalkSpurts.cut(clip(pieces.map { ($0.0, $0.1) }), sampleRateHertz: 16_000)
            .map { $0.lowerBound / 16...$0.upperBound / 16 }
    }

    @Test("A spurt is found to within a frame's half on either side")
    func edges() {
        #expect(cut([(500, 0), (1_000, 5_000), (500, 0)]) == [495...1_505])
    }

    @Test("A pause below 200 ms belongs to the spurt, a longer one ends it (P.56)")
    func bridging() {
        #expect(cut([(500, 0), (400, 5_000), (205, 0), (400, 5_000), (500, 0)]) == [495...1_510])
        let apart = cut([(500, 0), (400, 5_000), (215, 0), (400, 5_000), (500, 0)])
        #expect(apart == [495...905, 1_110...1_520])
    }

    @Test("A click of less than three frames opens no spurt")
    func clicks() {
        #expect(cut([(500, 0), (5, 5_000), (500, 0), (600, 5_000), (500, 0)]) == [1_000...1_610])
    }

    @Test("What never comes near the loud is a breath and no spurt")
    func breaths() {
        let spurts = cut([(500, 0), (400, 300), (300, 0), (900, 5_000), (500, 0)])
        #expect(spurts == [1_195...2_105])
    }

    @Test("Spurts shorter than 0.3 s or longer than 6 s are left out")
    func lengths() {
        #expect(cut([(500, 0), (250, 5_000), (500, 0), (500, 5_000), (500, 0)]) == [1_245...1_755])
        #expect(cut([(900, 0), (6_100, 5_000), (900, 0)]).isEmpty)
    }

    @Test("A clip without clear silence is refused, and so are a quiet and a short one")
    func refusals() {
        #expect(cut([(500, 300), (1_000, 5_000), (500, 300)]).isEmpty)
        #expect(cut([(500, 0), (1_000, 150), (500, 0)]).isEmpty)
        #expect(cut([(30, 0), (40, 5_000), (20, 0)]).isEmpty)
        #expect(TalkSpurts.cut([], sampleRateHertz: 16_000).isEmpty)
    }
}
