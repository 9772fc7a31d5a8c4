@testable import KodamaIntercom
import Testing

@Suite("A handover under way")
struct HandoverChangeTests {
    @Test("A path's own loss takes no more silence away than it made (K-13)")
    func ownLoss() {
        let frame: Int64 = 20_000_000
        var change = HandoverChange(start: 0, hasVoice: true)
        change.add(3 * frame, doubtful: [], frameDuration: frame)
        // Of three lost frames two were lost while a call had the sound.
        change.add(frame, doubtful: [10, 11, 12], frameDuration: frame)
        change.carried(13)
        #expect(change.silence == 3 * frame)
    }

    @Test("What only the other path lost is no loss of the former one's own (K-13)")
    func onItsWay() {
        let frame: Int64 = 20_000_000
        var change = HandoverChange(start: 0, hasVoice: true)
        change.add(3 * frame, doubtful: [10, 11, 12], frameDuration: frame)
        change.carried(10)
        change.carried(11)
        change.carried(13)
        #expect(change.silence == 2 * frame, "of three only the last was lost")
    }
}
