import SansIO
import SansIOTesting
import Testing
import VoiceActivity

@Suite("A talk gate: the second round is like the first")
struct TalkGateRoundTests {
    private static func frame(
        _ index: Int64,
        _ frame: FrameHandle,
        isSpeech: Bool
    ) -> TalkGate.Event {
        .frameCaptured(
            CapturedFrame(
                captureIndex: index,
                frame: frame,
                decision: SpeechDecision(
                    isSpeech: isSpeech,
                    score: 500,
                    threshold: 500,
                    level: .silence
                )
            )
        )
    }

    @Test(
        "Talk after a gap in the microphone is sent as the first was (L12, S-VAD-003)",
        arguments: 0..<20 as Range<UInt64>
    )
    func secondRound(seed: UInt64) throws {
        let compared = try checkSecondRound(
            seed: seed,
            steps: 400,
            make: { TalkGate() },
            // The microphone was off for hours: whatever was before it is no talk of now.
            rule: SecondRoundRule(
                rest: [Self.frame(1_000_000, FrameHandle(slot: 1_000_000), isSpeech: false)],
                kept: []
            )
        ) { round in
            var index = Int64(round) * 1_000_000
            var isSpeech = false
            return { random, _, _ in
                index += random.chance(percent: 97) ? 1 : Int64(random.below(9)) - 4
                if random.chance(percent: 8) { isSpeech.toggle() }
                return Self.frame(index, random.newFrame(), isSpeech: isSpeech)
            }
        }
        #expect(compared > 0)
    }
}
