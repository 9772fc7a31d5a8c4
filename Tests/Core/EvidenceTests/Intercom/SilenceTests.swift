@testable import KodamaEvidence
@testable import KodamaIntercom
@testable import KodamaNetwork
import Testing

@Suite("A handover's silence counts over talk spurts, less what nobody said (K-13)")
struct SilenceTests {
    /// The radio ends at 20 s, and the Internet is heard after so long; who talks pauses from 22 s to
    /// 25 s and from 30 s to 31 s.
    private func talk(silentFor milliseconds: Int64) -> HandoverTalk {
        var talk = HandoverTalk(spokenUntil: 22_000)
        talk.spurt(25_000..<30_000)
        talk.spurt(31_000..<60_000)
        talk.frames(0..<20_000, by: [.local])
        talk.link(.stopped, at: 20_000)
        for range in [Int64(20_000)..<22_000, 25_000..<30_000, 31_000..<60_000] {
            let back = min(max(range.lowerBound, 20_000 + milliseconds), range.upperBound)
            talk.frames(range.lowerBound..<back, by: [.local], arrive: false)
            talk.frames(back..<range.upperBound, by: [.internet])
        }
        return talk
    }

    @Test(
        "A silence that outlasts the talk spurt is a sample of what was said in it",
        arguments: [(1_000, 1_000), (6_000, 3_000), (9_000, 6_000), (12_000, 8_000)]
    )
    func outlasting(silence: Int64, said: Int64) {
        let name = "handover.silence.to_internet.other.time"
        let found = talk(silentFor: silence).samples(name)
        #expect(found.count == 1)
        #expect(abs((found.max ?? 0) - said) <= 40)
    }

    @Test("A change while nobody speaks is excluded, for that reason")
    func unspoken() {
        var talk = HandoverTalk(spokenUntil: 22_000)
        talk.spurt(25_000..<60_000)
        talk.frames(0..<22_000, by: [.local])
        talk.link(.stopped, at: 23_000)
        talk.frames(25_000..<60_000, by: [.internet])
        let occasions = talk.occasions("handover.silence.to_internet.other.time")
        #expect(occasions?.count == 1)
        #expect(occasions?.exclusions.map(\.reason) == ["nobody spoke"])
    }

    @Test("While no path carries anything no handover is silent, and from then on it is")
    func cutOff() {
        var talk = HandoverTalk()
        talk.frames(0..<20_000, by: [.local])
        talk.link(.stopped, at: 20_000)
        talk.builder.add(FaultBegan(fault: .radioDown, parameter: 0), at: 20_000, "b/cellular")
        talk.builder.add(FaultBegan(fault: .radioUp, parameter: 0), at: 30_000, "b/cellular")
        talk.frames(33_000..<60_000, by: [.internet])
        let found = talk.samples("handover.silence.to_internet.other.time")
        #expect(found.count == 1)
        #expect(abs((found.max ?? 0) - 3_000) <= 40)
    }

    @Test("A talker who is not heard again before the run ends is censored, with what was said")
    func endless() {
        var talk = HandoverTalk()
        talk.frames(0..<20_000, by: [.local])
        talk.link(.stopped, at: 20_000)
        talk.frames(20_000..<60_000, by: [.internet], arrive: false)
        let name = "handover.silence.to_internet.other.time"
        #expect(talk.occasions(name)?.censoredCount == 1)
        #expect((talk.samples(name).max ?? 0) >= 39_900)
    }
}
