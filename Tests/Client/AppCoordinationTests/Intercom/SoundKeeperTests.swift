import SansIO
import SansIOTesting
import Testing

@testable import AppCoordination

@Suite("Microphone and speaker are kept at work")
struct SoundKeeperTests {
    private typealias Effect = SoundKeeper.Effect

    private static func operation(_ number: UInt32) -> OperationID { OperationID(number: number) }

    /// A keeper whose engine runs since 0 s, after operations 1 and 2.
    private static func running() throws -> Transcript<SoundKeeper> {
        var story = Transcript(SoundKeeper())
        try story.expect(.wanted(true), at: .zero) {
            Effect.requestMicrophonePermission(operation(1))
        }
        try story.expect(
            .microphonePermissionAnswered(operation(1), isGranted: true),
            at: .zero
        ) {
            Effect.configureAudioSession(AudioSessionConfiguration())
            Effect.startVoiceEngine(operation(2))
        }
        try story.expect(.voiceEngineAnswered(operation(2), isRunning: true), at: .zero) {
            Effect.soundChanged(isOn: true)
        }
        return story
    }

    @Test("The audio session is for voice, beside others' music, and by Bluetooth (S-AUD-001)")
    func session() {
        let session = SoundKeeper.Configuration().session
        #expect(session.mode == .voiceChat && session.mixesWithOthers && session.allowsBluetooth)
    }

    @Test("The keeper keeps the laws of its contract", arguments: 0..<20 as Range<UInt64>)
    func laws(seed: UInt64) throws {
        var starts = 0
        try checkLaws(
            seed: seed,
            steps: 400,
            make: { SoundKeeper() },
            foreign: [
                .microphonePermissionAnswered(OperationID(number: .max), isGranted: true),
                .microphonePermissionAnswered(OperationID(number: .max), isGranted: false),
                .voiceEngineAnswered(OperationID(number: .max), isRunning: true),
                .voiceEngineAnswered(OperationID(number: .max), isRunning: false),
                .voiceEngineOutranked(OperationID(number: .max)),
            ],
            frame: { effect in
                if case .startVoiceEngine = effect { starts += 1 }
                return nil
            },
            finish: .wanted(false)
        ) { random, _ in
            let operation = Self.operation(UInt32(1 + random.below(8)))
            return switch random.below(8) {
            case 0: .wanted(random.chance(percent: 80))
            case 1, 2:
                .microphonePermissionAnswered(operation, isGranted: random.chance(percent: 90))
            case 3, 4: .voiceEngineAnswered(operation, isRunning: random.chance(percent: 60))
            case 5: .voiceEngineOutranked(operation)
            case 6:
                random.chance(percent: 60) ? .audioSessionTaken : .engineConfigurationChanged
            default: .audioSessionReturned
            }
        }
        #expect(starts > 0)
    }

    @Test("An interruption ends the sound, and its end brings it back")
    func interruption() throws {
        var story = try Self.running()
        try story.expect(.audioSessionTaken, at: .seconds(5)) { Effect.soundChanged(isOn: false) }
        try story.expect(.audioSessionReturned, at: .seconds(9)) {
            Effect.startVoiceEngine(Self.operation(3))
        }
        try story.expect(
            .voiceEngineAnswered(Self.operation(3), isRunning: true),
            at: .seconds(9)
        ) {
            Effect.soundChanged(isOn: true)
        }
    }

    @Test("An interruption whose end nobody tells is tried out every ten seconds")
    func silentEnd() throws {
        var story = try Self.running()
        try story.expect(.audioSessionTaken, at: .seconds(5)) { Effect.soundChanged(isOn: false) }
        try story.expectWake(at: .seconds(15)) { Effect.startVoiceEngine(Self.operation(3)) }
        // It lasts: the system refuses, and says once more that somebody else has the audio.
        try story.expect(
            .voiceEngineAnswered(Self.operation(3), isRunning: false),
            at: .seconds(15)
        )
        try story.expect(.audioSessionTaken, at: .seconds(15))
        try story.expectWake(at: .seconds(25)) { Effect.startVoiceEngine(Self.operation(4)) }
    }

    @Test("An engine that fails is started again after 0.5, 1, 2, 4, 8 and 8 seconds")
    func failures() throws {
        var story = Transcript(SoundKeeper())
        try story.expect(.wanted(true), at: .zero) {
            Effect.requestMicrophonePermission(Self.operation(1))
        }
        try story.expect(
            .microphonePermissionAnswered(Self.operation(1), isGranted: true),
            at: .zero
        ) {
            Effect.configureAudioSession(AudioSessionConfiguration())
            Effect.startVoiceEngine(Self.operation(2))
        }
        var now = Duration.zero
        for (number, delay) in [500, 1_000, 2_000, 4_000, 8_000, 8_000].enumerated() {
            let start = Self.operation(UInt32(2 + number))
            try story.expect(.voiceEngineAnswered(start, isRunning: false), at: now)
            now += .milliseconds(delay)
            try story.expectWake(at: now) {
                Effect.startVoiceEngine(Self.operation(UInt32(3 + number)))
            }
        }
    }

    @Test("In a call that nobody tells the end of, a start is tried every two seconds at least")
    func outranked() throws {
        var story = Transcript(SoundKeeper())
        try story.expect(.wanted(true), at: .zero) {
            Effect.requestMicrophonePermission(Self.operation(1))
        }
        try story.expect(
            .microphonePermissionAnswered(Self.operation(1), isGranted: true),
            at: .zero
        ) {
            Effect.configureAudioSession(AudioSessionConfiguration())
            Effect.startVoiceEngine(Self.operation(2))
        }
        var now = Duration.zero
        for (number, delay) in [500, 1_000, 2_000, 2_000, 2_000].enumerated() {
            let start = Self.operation(UInt32(2 + number))
            try story.expect(.voiceEngineOutranked(start), at: now)
            now += .milliseconds(delay)
            try story.expectWake(at: now) {
                Effect.startVoiceEngine(Self.operation(UInt32(3 + number)))
            }
        }
        try story.expect(.voiceEngineAnswered(Self.operation(7), isRunning: true), at: now) {
            Effect.soundChanged(isOn: true)
        }
    }

    @Test("In a call that was told, a refused start waits as long as one that failed")
    func outrankedAsTold() throws {
        var story = try Self.running()
        try story.expect(.audioSessionTaken, at: .seconds(5)) { Effect.soundChanged(isOn: false) }
        var now = Duration.seconds(15)
        for (number, delay) in [500, 1_000, 2_000, 4_000, 8_000].enumerated() {
            let start = Self.operation(UInt32(3 + number))
            try story.expectWake(at: now) { Effect.startVoiceEngine(start) }
            try story.expect(.voiceEngineOutranked(start), at: now)
            now += .milliseconds(delay)
        }
    }

    @Test("An engine that stopped for another headset is started at once (A-F-002)")
    func headset() throws {
        var story = try Self.running()
        try story.expect(.engineConfigurationChanged, at: .seconds(5)) {
            Effect.soundChanged(isOn: false)
            Effect.startVoiceEngine(Self.operation(3))
        }
        // A second change while it starts is part of the same start.
        try story.expect(.engineConfigurationChanged, at: .seconds(5))
        try story.expect(.voiceEngineAnswered(Self.operation(3), isRunning: true), at: .seconds(5))
        {
            Effect.soundChanged(isOn: true)
        }
    }

    @Test("A user who refuses the microphone is not asked again")
    func refusal() throws {
        var story = Transcript(SoundKeeper())
        try story.expect(.wanted(true), at: .zero) {
            Effect.requestMicrophonePermission(Self.operation(1))
        }
        try story.expect(
            .microphonePermissionAnswered(Self.operation(1), isGranted: false),
            at: .zero
        )
        try story.expect(.audioSessionReturned, at: .seconds(3))
        try story.expect(.wanted(true), at: .seconds(4))
    }

    @Test("An answer to a start that nobody waits for any more changes nothing")
    func staleAnswer() throws {
        var story = try Self.running()
        try story.expect(.wanted(false), at: .seconds(1)) {
            Effect.stopVoiceEngine
            Effect.soundChanged(isOn: false)
        }
        try story.expect(.voiceEngineAnswered(Self.operation(2), isRunning: true), at: .seconds(1))
    }
}
