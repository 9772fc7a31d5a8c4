import GroupSecurity
import SansIO
import SansIOTesting
import Testing

/// A small share of what the bench does ten million times.
@Suite("Forged and replayed packets")
struct ForgeryTests {
    @Test(
        "Of thousands of changed and repeated packets none is accepted (A-NF-003)",
        arguments: 0..<4 as Range<UInt64>
    )
    func forgeries(seed: UInt64) throws {
        let ends = SessionEnds(seed: seed)
        let others = SessionEnds(in: People.strangers, seed: seed)
        var random = LawRandom(seed: seed)
        let sealer = Sender(ends.anna)
        let stranger = Sender(others.anna)
        let opener = Receiver(ends.ben)
        var sent: [[UInt8]] = []
        var (accepted, lost) = (0, 0)
        for _ in 0..<400 {
            let message = (0..<1 + random.below(80)).map { _ in UInt8(random.below(256)) }
            let packet = try sealer.seal(message, stream: UInt8(random.below(2)))
            for _ in 0..<5 {
                var changed = packet
                switch random.below(4) {
                case 0: changed[random.below(packet.count)] ^= 1 << UInt8(random.below(8))
                case 1: changed.swapAt(random.below(12), 12 + random.below(packet.count - 12))
                case 2:
                    changed = try stranger.seal(message, stream: 0)
                    changed.replaceSubrange(4..<8, with: packet[4..<8])
                default:
                    guard !sent.isEmpty else { continue }
                    changed = sent[random.below(sent.count)]
                }
                guard changed != packet else { continue }
                if opener.refusal(of: changed) == nil { accepted += 1 }
            }
            if opener.refusal(of: packet) != nil { lost += 1 }
            sent.append(packet)
        }
        #expect(accepted == 0)
        #expect(lost == 0, "what is refused must not cost an honest packet")
    }
}
