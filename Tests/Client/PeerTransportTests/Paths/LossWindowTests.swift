import SansIO
import Testing

@testable import PeerTransport

@Suite("Loss of the last two seconds (S-HO-003)")
struct LossWindowTests {
    @Test("Loss is counted from gaps, over the wrap, and duplicates do not hide it (S-HO-003)")
    func loss() {
        var window = LossWindow()
        for number in 0..<1000 where number % 10 != 3 {
            let sequence = SerialNumber(UInt32.max - 950).advanced(by: UInt32(number))
            for _ in 0..<2 {
                window.receive(sequence, at: Instant(nanoseconds: Int64(number) * 20_000_000))
            }
        }
        #expect(window.expected == 100)
        #expect(window.received == 90)
        #expect(window.lossFraction == Probability(partsPerMillion: 100_000))
    }
}
