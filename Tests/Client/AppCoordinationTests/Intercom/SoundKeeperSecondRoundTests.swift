import SansIO
import SansIOTesting
import Testing

@testable import AppCoordination

@Suite("Microphone and speaker, the second time")
struct SoundKeeperSecondRoundTests {
    private typealias Effect = SoundKeeper.Effect

    private static func operation(_ number: UInt32) -> OperationID { OperationID(number: number) }

    /// A keeper whose engine runs since 0 s, after operations 1 and 2.
    private static func running() throws -> Transcript<SoundKeeper> {
        var story = Transcript(SoundKeeper())
        try story.expect(.wanted(true), at: .zero) {
            Effect.requestMicrophonePermission(operation(1))
        }
        let granted = SoundKeeper.Event.microphonePermissionAnswered(operation(1), isGranted: true)
        try story.expect(granted, at: .zero) {
            Effect.configureAudioSession(AudioSessionConfiguration())
            Effect.startVoiceEngine(operation(2))
        }
        try story.expect(.voiceEngineAnswered(operation(2), isRunning: true), at: .zero) {
            Effect.soundChanged(isOn: true)
        }
        return story
    }

    /// Starts that the system refuses for a call that it never told of, from an engine's start on.
    private static func outranked(
        _ story: inout Transcript<SoundKeeper>,
        from first: UInt32,
        at start: Duration
    ) throws {
        var now = start
        for (number, delay) in [500, 1_000, 2_000, 2_000, 2_000].enumerated() {
            let place = first + UInt32(number)
            try story.expect(.voiceEngineOutranked(operation(place)), at: now)
            now += .milliseconds(delay)
            try story.expectWake(at: now) { Effect.startVoiceEngine(operation(place + 1)) }
        }
    }

    @Test(
        "After an interruption that was told and has ended, an untold call is tried every two seconds"
    )
    func untoldAfterTold() throws {
        var story = try Self.running()
        try story.expect(.audioSessionTaken, at: .seconds(5)) { Effect.soundChanged(isOn: false) }
        try story.expect(.audioSessionReturned, at: .seconds(9)) {
            Effect.startVoiceEngine(Self.operation(3))
        }
        try Self.outranked(&story, from: 3, at: .seconds(9))
    }

    @Test("An engine that ran again has ended its interruption, though nobody told of the end")
    func untoldAfterRunning() throws {
        var story = try Self.running()
        try story.expect(.audioSessionTaken, at: .seconds(5)) { Effect.soundChanged(isOn: false) }
        try story.expectWake(at: .seconds(15)) { Effect.startVoiceEngine(Self.operation(3)) }
        let runs = SoundKeeper.Event.voiceEngineAnswered(Self.operation(3), isRunning: true)
        try story.expect(runs, at: .seconds(15)) { Effect.soundChanged(isOn: true) }
        try story.expect(.engineConfigurationChanged, at: .seconds(20)) {
            Effect.soundChanged(isOn: false)
            Effect.startVoiceEngine(Self.operation(4))
        }
        try Self.outranked(&story, from: 4, at: .seconds(20))
    }

    @Test("An interruption of sound that nobody wants any more is over for those who want it next")
    func untoldAfterEnd() throws {
        var story = try Self.running()
        try story.expect(.audioSessionTaken, at: .seconds(5)) { Effect.soundChanged(isOn: false) }
        try story.expect(.wanted(false), at: .seconds(6)) { Effect.stopVoiceEngine }
        try story.expect(.audioSessionReturned, at: .seconds(7))
        try story.expect(.wanted(true), at: .seconds(8)) {
            Effect.requestMicrophonePermission(Self.operation(3))
        }
        let granted = SoundKeeper.Event.microphonePermissionAnswered(
            Self.operation(3),
            isGranted: true
        )
        try story.expect(granted, at: .seconds(8)) { Effect.startVoiceEngine(Self.operation(4)) }
        try Self.outranked(&story, from: 4, at: .seconds(8))
    }
}
