import Testing

@testable import PeerTransport

@Suite("The worst stall of a window")
struct StallHistoryTests {
    private typealias Frame = StallHistory.Frame

    @Test("A stall leaves the window frame by frame, and what is left of it is left out as before")
    func leaves() {
        var history = StallHistory()
        // Frames 0 to 9 on time; 10 to 15 held up together; then on time again, until it is over for a while.
        let bins: [Int32] = Array(repeating: 0, count: 10) + [120, 100, 80, 60, 40, 20]
        let frames = (0..<400).map { index in
            Frame(index: Int32(index), bin: index < bins.count ? bins[index] : 0)
        }
        for frame in frames { history.record(frame) }
        #expect(history.framesLeftOut(above: 0) == 6)
        for index in 0..<10 { history.forget(Int32(index), next: frames[index + 1]) }
        #expect(history.framesLeftOut(above: 0) == 6)
        // The frame that comes last, on time, was held up as well.
        for left in (1...5).reversed() {
            history.forget(Int32(15 - left), next: frames[16 - left])
            #expect(history.framesLeftOut(above: 0) == left)
        }
        history.forget(15, next: frames[16])
        #expect(history.framesLeftOut(above: 0) == 0)
    }

    @Test("After other trouble a stall counts for a while, and not for half a wrap again")
    func counts() {
        var history = StallHistory()
        /// Plays 400 frames, of which six are held up, and gives how many of them do not count.
        func leftOut(from start: Int32) -> Int {
            for index in 0..<400 as Range<Int32> {
                let bin = (10..<16).contains(index) ? 120 - (index - 10) * 20 : 0
                history.record(Frame(index: start &+ index, bin: bin))
            }
            return history.framesLeftOut(above: 0)
        }
        history.forget(countingUntil: 500)
        #expect(leftOut(from: 0) == 0)
        #expect(leftOut(from: 400) == 6)
        // By the difference of 32 bits this lies before 500 again.
        #expect(leftOut(from: .min + 600) == 6)
    }
}
