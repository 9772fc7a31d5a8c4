import AppCoordination
import RealtimeVoice
import SansIO
import SansIOTesting
import Testing

private typealias Story = VoiceAppStory
private typealias Effect = VoiceAppEffect

@Suite("The voice app: a call of another app had the audio before it was opened (RS-15)")
struct VoiceAppOutrankedTests {
    /// An app that was opened during the call, and whose first start is refused.
    private func refused() throws -> Transcript<VoiceAppCoordinator> {
        var story = Story.begin()
        try story.expect(.launched, at: .zero) {
            Story.show(.preparingDevice)
            Effect.readSecureStorage(Story.id(2), .deviceIdentity)
        }
        try story.expect(.scenePhaseChanged(.active), at: .zero)
        try Story.finishWalk(&story)
        try story.expect(.voiceEngineOutranked(Story.id(5)), at: .zero) {
            Story.show(.audioTaken)
        }
        return story
    }

    @Test("It says so, tries until the call is over, and goes on then, though nobody tells it")
    func goesOnAfterCall() throws {
        var story = try refused()
        var now = Duration.zero
        var operation: UInt32 = 5
        // More often than an engine that fails otherwise is tried.
        for _ in 0..<5 {
            now += .seconds(2)
            operation += 4
            let start = Story.id(operation)
            try story.expectWake(at: now) { Effect.startVoiceEngine(start) }
            try story.expect(.voiceEngineOutranked(start), at: now)
        }
        let last = Story.id(operation + 4)
        try story.expectWake(at: .seconds(12)) { Effect.startVoiceEngine(last) }
        try story.expect(.voiceEngineAnswered(last, isRunning: true), at: .seconds(12)) {
            Story.fetch(4)
            Story.show(.fetchingToken)
        }
    }

    @Test("An engine that fails otherwise after the call is not taken for the call")
    func failsOtherwise() throws {
        var story = try refused()
        try story.expectWake(at: .seconds(2)) { Effect.startVoiceEngine(Story.id(9)) }
        try story.expect(.voiceEngineAnswered(Story.id(9), isRunning: false), at: .seconds(2)) {
            Story.show(.startingEngine)
        }
        try story.expectWake(at: .seconds(3)) { Effect.startVoiceEngine(Story.id(13)) }
        try story.expect(.voiceEngineAnswered(Story.id(13), isRunning: false), at: .seconds(3))
        try story.expectWake(at: .seconds(4)) { Effect.startVoiceEngine(Story.id(17)) }
        try story.expect(.voiceEngineAnswered(Story.id(17), isRunning: false), at: .seconds(4)) {
            Story.show(.engineFailed)
        }
        #expect(story.machine.deadline == nil)
    }

    @Test("Who ends the walk during the call is not tried for any more")
    func ended() throws {
        var story = try refused()
        try story.expect(.disconnectTapped, at: .seconds(1)) { Story.show(.disconnected) }
        #expect(story.machine.deadline == nil)
    }

    @Test("An interruption that is told after the refusal is waited for, and not tried against")
    func toldLater() throws {
        var story = try refused()
        try story.expect(.audioSessionTaken, at: .zero)
        #expect(story.machine.deadline == nil)
        try story.expect(.audioSessionReturned, at: .seconds(30)) {
            Story.show(.startingEngine)
            Effect.startVoiceEngine(Story.id(9))
        }
    }
}
