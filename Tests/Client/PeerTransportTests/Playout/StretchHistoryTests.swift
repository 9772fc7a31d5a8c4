import Testing

@testable import PeerTransport

@Suite("The slow stretch of a window")
struct StretchHistoryTests {
    /// What is forgotten of a path on which these frames came 100 ms later than the rest, and when.
    private func forgotten(
        slow: Range<Int32>,
        heldUp: Bool = false,
        known: Int = 500
    ) -> [(Int32, StretchHistory.Stretch)] {
        var history = StretchHistory()
        return (0..<1000 as Range<Int32>).compactMap { index -> (Int32, StretchHistory.Stretch)? in
            let isSlow = slow.contains(index)
            let stretch = history.record(
                StallHistory.Frame(index: index, bin: isSlow ? 100 : 5),
                isHeldUp: heldUp && isSlow,
                mark: 10,
                count: known,
                windowFrames: 3000
            )
            return stretch.map { (index, $0) }
        }
    }

    @Test("A lone stretch is forgotten 5 s after its last slow frame, with its slow frames alone")
    func lone() throws {
        let found = forgotten(slow: 100..<110)
        #expect(found.count == 1)
        let (instant, stretch) = try #require(found.first)
        #expect(instant == 109 + 250)
        for (index, bin, isIn) in [
            (100, 100, true), (109, 100, true), (105, 31, true), (105, 30, false),
            (99, 100, false), (110, 100, false),
        ] as [(Int32, Int32, Bool)] {
            let frame = StallHistory.Frame(index: index, bin: bin)
            #expect(stretch.contains(frame) == isIn, "frame \(index), bin \(bin)")
        }
    }

    @Test("Nothing is forgotten that is jitter, a stall, a new level, or all that is known")
    func kept() {
        #expect(forgotten(slow: 100..<109).isEmpty)
        #expect(forgotten(slow: 100..<130, heldUp: true).isEmpty)
        #expect(forgotten(slow: 100..<350).count == 1)
        #expect(forgotten(slow: 100..<351).isEmpty)
        #expect(forgotten(slow: 100..<130, known: 499).isEmpty)
    }

    @Test(
        "A stretch is a lone one again after the window, however long after",
        arguments: [1, .max] as [Int32]
    )
    func loneAgain(pause: Int32) {
        var history = StretchHistory()
        /// Whether a stretch that begins there is forgotten.
        func isForgotten(from start: Int32) -> Bool {
            (0..<400 as Range<Int32>).reduce(false) { found, index in
                let stretch = history.record(
                    StallHistory.Frame(index: start &+ index, bin: index < 100 ? 100 : 5),
                    isHeldUp: false,
                    mark: 10,
                    count: 500,
                    windowFrames: 3_000
                )
                return found || stretch != nil
            }
        }
        #expect(isForgotten(from: 0))
        #expect(!isForgotten(from: 3_000))
        #expect(isForgotten(from: 6_099 &+ pause))
    }
}
