import AppCoordination
import RealtimeVoice
import SansIO
import SansIOTesting
import Testing

private typealias Story = VoiceAppStory
private typealias Effect = VoiceAppEffect

@Suite("The voice app: a second call, after the engine has failed (RS-15)")
struct VoiceAppSecondCallTests {
    @Test(
        "What the engine failed before a call is no failure after it: it is tried three times again"
    )
    func failuresBeforeCall() throws {
        var story = Story.begin()
        try story.expect(.launched, at: .zero) {
            Story.show(.preparingDevice)
            Effect.readSecureStorage(Story.id(2), .deviceIdentity)
        }
        try story.expect(.scenePhaseChanged(.active), at: .zero)
        try Story.finishWalk(&story)
        // Three times in a row a call comes, ends, and leaves the engine to fail twice.
        var engine: UInt32 = 9
        for round in 0..<3 as Range<Int64> {
            let start = Duration.milliseconds(1_000 + round * 30_500)
            try story.expect(.audioSessionTaken, at: start) {
                Story.show(.audioTaken)
                round == 0 ? [Effect.stopVoiceEngine] : []
            }
            let over = start + .seconds(29)
            try story.expect(.audioSessionReturned, at: over) {
                Story.show(.startingEngine)
                Effect.startVoiceEngine(Story.id(engine))
            }
            let first = VoiceAppEvent.voiceEngineAnswered(Story.id(engine), isRunning: false)
            try story.expect(first, at: over)
            engine += 4
            try story.expectWake(at: over + .seconds(1)) {
                Effect.startVoiceEngine(Story.id(engine))
            }
            let second = VoiceAppEvent.voiceEngineAnswered(Story.id(engine), isRunning: false)
            try story.expect(second, at: over + .seconds(1))
            engine += 4
        }
    }
}
