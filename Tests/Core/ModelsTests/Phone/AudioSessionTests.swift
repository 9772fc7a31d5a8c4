@testable import KodamaPhone
import SansIO
import SansIOTesting
import Testing

private typealias Effect = AudioSession.Effect

@Suite("Whose microphone and speaker it is")
struct AudioSessionTests {
    static let session = AppID(0)
    static let calls = AppID(1)
    static let first = OperationID(number: 1)
    static let second = OperationID(number: 2)

    static func start(
        _ app: AppID,
        _ operation: OperationID,
        isInBackground: Bool = false
    ) -> AudioSession.Event {
        .engineStartOrdered(app, operation, isInBackground: isInBackground)
    }

    /// Two apps that run.
    private func twoApps(
        _ condition: EngineCondition = EngineCondition()
    ) throws -> Transcript<AudioSession> {
        var story = Transcript(AudioSession(appCount: 2, condition: condition))
        try story.expect(.appListens(Self.session), at: .zero)
        try story.expect(.appListens(Self.calls), at: .zero)
        return story
    }

    /// Two apps, of which the first one's engine runs.
    func sounding() throws -> Transcript<AudioSession> {
        var story = try twoApps()
        try story.expect(Self.start(Self.session, Self.first), at: .seconds(1)) {
            Effect.soundChanged(Self.session, isOn: true)
            Effect.engineAnswered(Self.session, Self.first, .running)
        }
        return story
    }

    @Test("An app that starts its engine interrupts the other until it stops (RS-15)")
    func twoOwners() throws {
        var story = try sounding()
        try story.expect(Self.start(Self.calls, Self.second), at: .seconds(2)) {
            Effect.soundChanged(Self.session, isOn: false)
            Effect.news(Self.session, .interruptionBegan)
            Effect.soundChanged(Self.calls, isOn: true)
            Effect.engineAnswered(Self.calls, Self.second, .running)
        }
        #expect(!story.machine.soundIsOn(for: Self.session))
        try story.expect(.engineStopOrdered(Self.calls), at: .seconds(9)) {
            Effect.soundChanged(Self.calls, isOn: false)
            Effect.news(Self.session, .interruptionEnded(shouldResume: true))
        }
    }

    @Test("An app in the background can't take the audio from another")
    func background() throws {
        var story = try sounding()
        let start = Self.start(Self.calls, Self.second, isInBackground: true)
        try story.expect(start, at: .seconds(2)) {
            Effect.engineAnswered(Self.calls, Self.second, .failed(.cannotInterruptOthers))
        }
        #expect(story.machine.soundIsOn(for: Self.session))
    }

    @Test("What rings and is declined gives the audio back, and takes none that a call has (RS-15)")
    func ringing() throws {
        for answers in [false, true] {
            var story = try sounding()
            try story.expect(.ring(isOn: true), at: .seconds(2)) {
                Effect.soundChanged(Self.session, isOn: false)
                Effect.news(Self.session, .interruptionBegan)
                Effect.news(Self.calls, .interruptionBegan)
            }
            if answers {
                try story.expect(.phoneCall(isOn: true), at: .seconds(3))
                try story.expect(.ring(isOn: false), at: .seconds(3))
            }
            let end: AudioSession.Event = answers ? .phoneCall(isOn: false) : .ring(isOn: false)
            try story.expect(end, at: .seconds(5)) {
                Effect.news(Self.session, .interruptionEnded(shouldResume: true))
                Effect.news(Self.calls, .interruptionEnded(shouldResume: true))
            }
            try story.expect(.ring(isOn: false), at: .seconds(6))
        }
        var story = try sounding()
        try story.expect(.phoneCall(isOn: true), at: .seconds(2)) {
            Effect.soundChanged(Self.session, isOn: false)
            Effect.news(Self.session, .interruptionBegan)
            Effect.news(Self.calls, .interruptionBegan)
        }
        try story.expect(.ring(isOn: true), at: .seconds(3))
        try story.expect(.ring(isOn: false), at: .seconds(4))
    }

    @Test("A phone call stops the engine and refuses the next until it is over (RS-15)")
    func phoneCall() throws {
        var story = try sounding()
        try story.expect(.phoneCall(isOn: true), at: .seconds(2)) {
            Effect.soundChanged(Self.session, isOn: false)
            Effect.news(Self.session, .interruptionBegan)
            Effect.news(Self.calls, .interruptionBegan)
        }
        try story.expect(.phoneCall(isOn: true), at: .seconds(3))
        try story.expect(Self.start(Self.session, Self.second), at: .seconds(4)) {
            Effect.engineAnswered(Self.session, Self.second, .failed(.insufficientPriority))
        }
        try story.expect(.phoneCall(isOn: false), at: .seconds(5)) {
            Effect.news(Self.session, .interruptionEnded(shouldResume: true))
            Effect.news(Self.calls, .interruptionEnded(shouldResume: true))
        }
        #expect(!story.machine.soundIsOn(for: Self.session), "the app has to start it anew")
    }

    /// Two apps that were suspended in a phone call, which took the audio from the first.
    private func suspendedInCall() throws -> Transcript<AudioSession> {
        var story = try sounding()
        try story.expect(.phoneCall(isOn: true), at: .seconds(2)) {
            Effect.soundChanged(Self.session, isOn: false)
            Effect.news(Self.session, .interruptionBegan)
            Effect.news(Self.calls, .interruptionBegan)
        }
        try story.expect(.appSuspended(Self.session), at: .seconds(7))
        try story.expect(.appSuspended(Self.calls), at: .seconds(7))
        return story
    }

    @Test("The end of a phone call wakes the app that it silenced, and is told once (RS-15)")
    func wokenAfterCall() throws {
        var story = try suspendedInCall()
        try story.expect(.phoneCall(isOn: false), at: .seconds(9)) { Effect.wake(Self.session) }
        try story.expect(.appListens(Self.session), at: .seconds(9)) {
            Effect.news(Self.session, .interruptionEnded(shouldResume: true))
        }
        // It has started no engine, so that the next call takes nothing from it.
        try story.expect(.phoneCall(isOn: true), at: .seconds(10)) {
            Effect.news(Self.session, .interruptionBegan)
        }
        try story.expect(.appSuspended(Self.session), at: .seconds(14))
        try story.expect(.phoneCall(isOn: false), at: .seconds(20))
    }

    @Test("An app that ended in the call, or gave its session back, is not woken after it")
    func notWokenAfterCall() throws {
        var ended = try suspendedInCall()
        try ended.expect(.appEnded(Self.session), at: .seconds(8))
        try ended.expect(.phoneCall(isOn: false), at: .seconds(9))
        var story = try sounding()
        try story.expect(.phoneCall(isOn: true), at: .seconds(2)) {
            Effect.soundChanged(Self.session, isOn: false)
            Effect.news(Self.session, .interruptionBegan)
            Effect.news(Self.calls, .interruptionBegan)
        }
        try story.expect(.engineStopOrdered(Self.session), at: .seconds(2))
        try story.expect(.appSuspended(Self.session), at: .seconds(7))
        try story.expect(.phoneCall(isOn: false), at: .seconds(9)) {
            Effect.news(Self.calls, .interruptionEnded(shouldResume: true))
        }
    }

    @Test("Another app's call wakes whom it silenced when it ends, another app's sound does not")
    func wokenAfterCallOfApp() throws {
        var story = try sounding()
        try story.expect(.callAudio(Self.calls, isTaken: true), at: .seconds(2)) {
            Effect.soundChanged(Self.session, isOn: false)
            Effect.news(Self.session, .interruptionBegan)
        }
        try story.expect(.appSuspended(Self.session), at: .seconds(7))
        try story.expect(.callAudio(Self.calls, isTaken: false), at: .seconds(9)) {
            Effect.wake(Self.session)
        }
        var sound = try sounding()
        try sound.expect(Self.start(Self.calls, Self.second), at: .seconds(2)) {
            Effect.soundChanged(Self.session, isOn: false)
            Effect.news(Self.session, .interruptionBegan)
            Effect.soundChanged(Self.calls, isOn: true)
            Effect.engineAnswered(Self.calls, Self.second, .running)
        }
        try sound.expect(.appSuspended(Self.session), at: .seconds(7))
        try sound.expect(.engineStopOrdered(Self.calls), at: .seconds(9)) {
            Effect.soundChanged(Self.calls, isOn: false)
        }
    }

    @Test("An app that a phone call silences in a call of its own is not woken by its end")
    func ownCall() throws {
        var story = try twoApps()
        try story.expect(.callAudio(Self.calls, isTaken: true), at: .seconds(1))
        try story.expect(Self.start(Self.calls, Self.second), at: .seconds(1)) {
            Effect.soundChanged(Self.calls, isOn: true)
            Effect.engineAnswered(Self.calls, Self.second, .running)
        }
        try story.expect(.phoneCall(isOn: true), at: .seconds(2)) {
            Effect.soundChanged(Self.calls, isOn: false)
            Effect.news(Self.session, .interruptionBegan)
            Effect.news(Self.calls, .interruptionBegan)
        }
        try story.expect(.callAudio(Self.calls, isTaken: false), at: .seconds(3))
        try story.expect(.appSuspended(Self.calls), at: .seconds(8))
        try story.expect(.phoneCall(isOn: false), at: .seconds(9)) {
            Effect.news(Self.session, .interruptionEnded(shouldResume: true))
        }
    }

    @Test("An engine starts late, and may fail as often as it is told to (RS-15)")
    func lateAndFailing() throws {
        var condition = EngineCondition()
        condition.delay = .seconds(2)
        condition.failures = 1
        var story = try twoApps(condition)
        try story.expect(Self.start(Self.session, Self.first), at: .seconds(1))
        try story.expectWake(at: .seconds(3)) {
            Effect.engineAnswered(Self.session, Self.first, .failed(.cannotStartRecording))
        }
        try story.expect(Self.start(Self.session, Self.second), at: .seconds(4))
        try story.expectWake(at: .seconds(6)) {
            Effect.soundChanged(Self.session, isOn: true)
            Effect.engineAnswered(Self.session, Self.second, .running)
        }
    }

    @Test("A call that comes while an engine starts makes it fail")
    func callDuringStart() throws {
        var condition = EngineCondition()
        condition.delay = .seconds(2)
        var story = try twoApps(condition)
        try story.expect(Self.start(Self.session, Self.first), at: .seconds(1))
        try story.expect(.phoneCall(isOn: true), at: .seconds(2)) {
            Effect.engineAnswered(Self.session, Self.first, .failed(.insufficientPriority))
            Effect.news(Self.session, .interruptionBegan)
            Effect.news(Self.calls, .interruptionBegan)
        }
        #expect(story.machine.deadline == nil)
    }

    @Test("An app whose process ends gives the audio back")
    func ended() throws {
        var story = try sounding()
        try story.expect(Self.start(Self.calls, Self.second), at: .seconds(2)) {
            Effect.soundChanged(Self.session, isOn: false)
            Effect.news(Self.session, .interruptionBegan)
            Effect.soundChanged(Self.calls, isOn: true)
            Effect.engineAnswered(Self.calls, Self.second, .running)
        }
        try story.expect(.appEnded(Self.calls), at: .seconds(3)) {
            Effect.soundChanged(Self.calls, isOn: false)
            Effect.news(Self.session, .interruptionEnded(shouldResume: true))
        }
    }

    // MARK: A call's audio

    @Test("A call's audio interrupts another app, whose start fails until it is taken back (RS-15)")
    func callAudio() throws {
        var story = try sounding()
        try story.expect(.callAudio(Self.calls, isTaken: true), at: .seconds(2)) {
            Effect.soundChanged(Self.session, isOn: false)
            Effect.news(Self.session, .interruptionBegan)
        }
        // A call's app may be in the background, on the lock screen for one.
        let start = Self.start(Self.calls, Self.second, isInBackground: true)
        try story.expect(start, at: .seconds(2)) {
            Effect.soundChanged(Self.calls, isOn: true)
            Effect.engineAnswered(Self.calls, Self.second, .running)
        }
        try story.expect(Self.start(Self.session, Self.first), at: .seconds(3)) {
            Effect.engineAnswered(Self.session, Self.first, .failed(.insufficientPriority))
        }
        try story.expect(.callAudio(Self.calls, isTaken: false), at: .seconds(9)) {
            Effect.soundChanged(Self.calls, isOn: false)
            Effect.news(Self.session, .interruptionEnded(shouldResume: true))
        }
        try story.expect(Self.start(Self.session, Self.first), at: .seconds(10)) {
            Effect.soundChanged(Self.session, isOn: true)
            Effect.engineAnswered(Self.session, Self.first, .running)
        }
    }

    @Test("From one call of an app to another the audio is kept from others (RS-15)")
    func callAudioPaused() throws {
        var story = try sounding()
        try story.expect(.callAudio(Self.calls, isTaken: true), at: .seconds(2)) {
            Effect.soundChanged(Self.session, isOn: false)
            Effect.news(Self.session, .interruptionBegan)
        }
        try story.expect(Self.start(Self.calls, Self.second), at: .seconds(2)) {
            Effect.soundChanged(Self.calls, isOn: true)
            Effect.engineAnswered(Self.calls, Self.second, .running)
        }
        try story.expect(.callAudioPaused(Self.calls), at: .seconds(5)) {
            Effect.soundChanged(Self.calls, isOn: false)
        }
        try story.expect(Self.start(Self.session, Self.first), at: .seconds(5)) {
            Effect.engineAnswered(Self.session, Self.first, .failed(.insufficientPriority))
        }
        try story.expect(.callAudio(Self.calls, isTaken: true), at: .seconds(6))
        try story.expect(.callAudio(Self.calls, isTaken: false), at: .seconds(9)) {
            Effect.news(Self.session, .interruptionEnded(shouldResume: true))
        }
    }

    @Test("An app that stops its engine within its call keeps the audio from others (RS-15)")
    func stopWithinCall() throws {
        var story = try sounding()
        try story.expect(.callAudio(Self.calls, isTaken: true), at: .seconds(2)) {
            Effect.soundChanged(Self.session, isOn: false)
            Effect.news(Self.session, .interruptionBegan)
        }
        try story.expect(Self.start(Self.calls, Self.second), at: .seconds(2)) {
            Effect.soundChanged(Self.calls, isOn: true)
            Effect.engineAnswered(Self.calls, Self.second, .running)
        }
        try story.expect(.engineStopOrdered(Self.calls), at: .seconds(3)) {
            Effect.soundChanged(Self.calls, isOn: false)
        }
        try story.expect(Self.start(Self.session, Self.first), at: .seconds(4)) {
            Effect.engineAnswered(Self.session, Self.first, .failed(.insufficientPriority))
        }
        try story.expect(.callAudio(Self.calls, isTaken: false), at: .seconds(5)) {
            Effect.news(Self.session, .interruptionEnded(shouldResume: true))
        }
    }

    @Test("An app that dies in its call gives the audio back (RS-15)")
    func deathWithinCall() throws {
        var story = try sounding()
        try story.expect(.callAudio(Self.calls, isTaken: true), at: .seconds(2)) {
            Effect.soundChanged(Self.session, isOn: false)
            Effect.news(Self.session, .interruptionBegan)
        }
        try story.expect(.appEnded(Self.calls), at: .seconds(3)) {
            Effect.news(Self.session, .interruptionEnded(shouldResume: true))
        }
        try story.expect(.callAudio(Self.calls, isTaken: false), at: .seconds(3))
    }

    @Test("The owner alone is told of another route")
    func route() throws {
        var story = try sounding()
        try story.expect(.accessoryChanged(.headset, isAttached: true), at: .seconds(2)) {
            Effect.news(Self.session, .routeChanged(.headset))
            Effect.soundChanged(Self.session, isOn: false)
            Effect.news(Self.session, .engineConfigurationChanged)
            Effect.routed(Self.routing(.headset, .headset, isRunning: false))
        }
        try story.expect(.accessoryChanged(.headset, isAttached: true), at: .seconds(3))
        try story.expect(Self.start(Self.session, Self.second), at: .seconds(4)) {
            Effect.soundChanged(Self.session, isOn: true)
            Effect.engineAnswered(Self.session, Self.second, .running)
            Effect.routed(Self.routing(.headset, .headset, isRunning: true))
        }
    }

    private static func routing(
        _ attached: AudioRoute?,
        _ used: AudioRoute,
        isRunning: Bool
    ) -> AudioRouting {
        var routing = AudioRouting()
        (routing.attached, routing.used, routing.isRunning) = (attached, used, isRunning)
        return routing
    }

    @Test("The mode of what sounds is the one that its app asked for (S-AUD-001)")
    func mode() throws {
        var story = try sounding()
        #expect(story.machine.soundMode == .standard)
        try story.expect(.configured(Self.session, .voiceSDK), at: .seconds(2))
        #expect(story.machine.soundMode == .videoChat)
        try story.expect(.engineStopOrdered(Self.session), at: .seconds(3)) {
            Effect.soundChanged(Self.session, isOn: false)
        }
        #expect(story.machine.soundMode == nil)
    }

    @Test("Bluetooth is used by a session that allows it (A-F-002)")
    func bluetooth() throws {
        var story = try sounding()
        try story.expect(.accessoryChanged(.bluetooth, isAttached: true), at: .seconds(2)) {
            Effect.routed(Self.routing(.bluetooth, .speaker, isRunning: true))
        }
        try story.expect(.configured(Self.session, .voiceSDK), at: .seconds(3)) {
            Effect.news(Self.session, .routeChanged(.bluetooth))
            Effect.routed(Self.routing(.bluetooth, .bluetooth, isRunning: true))
        }
    }

    private static func music(_ isPlaying: Bool, _ isTakenByCall: Bool = false) -> Effect {
        var state = MusicState()
        (state.isWanted, state.isPlaying) = (true, isPlaying)
        state.isTakenByCall = isTakenByCall
        return .musicChanged(state)
    }

    @Test("Music stops for a session that does not mix, and for a call (A-F-001)")
    func music() throws {
        var story = try twoApps()
        try story.expect(.musicWanted(true), at: .seconds(1)) { Self.music(true) }
        try story.expect(Self.start(Self.session, Self.first), at: .seconds(2)) {
            Effect.soundChanged(Self.session, isOn: true)
            Effect.engineAnswered(Self.session, Self.first, .running)
            Self.music(false)
        }
        try story.expect(.engineStopOrdered(Self.session), at: .seconds(3)) {
            Effect.soundChanged(Self.session, isOn: false)
            Self.music(true)
        }
        try story.expect(.configured(Self.session, .voiceSDK), at: .seconds(4))
        try story.expect(Self.start(Self.session, Self.second), at: .seconds(4)) {
            Effect.soundChanged(Self.session, isOn: true)
            Effect.engineAnswered(Self.session, Self.second, .running)
        }
        try story.expect(.phoneCall(isOn: true), at: .seconds(5)) {
            Effect.soundChanged(Self.session, isOn: false)
            Effect.news(Self.session, .interruptionBegan)
            Effect.news(Self.calls, .interruptionBegan)
            Self.music(false, true)
        }
        try story.expect(.phoneCall(isOn: false), at: .seconds(6)) {
            Effect.news(Self.session, .interruptionEnded(shouldResume: true))
            Effect.news(Self.calls, .interruptionEnded(shouldResume: true))
            Self.music(true)
        }
    }

    @Test(
        "The session keeps the laws of its contract, and never sounds in two apps",
        arguments: 0..<4 as Range<UInt64>
    )
    func laws(decade: UInt64) throws {
        for seed in decade * 50..<decade * 50 + 50 {
            var sounding: Set<AppID> = []
            var condition = EngineCondition()
            condition.delay = .milliseconds(500)
            condition.failures = 3
            try checkLaws(
                seed: seed,
                steps: 300,
                make: { AudioSession(appCount: 2, condition: condition) },
                frame: { effect in
                    if case .soundChanged(let app, let isOn) = effect {
                        _ = isOn ? sounding.insert(app).inserted : sounding.remove(app) != nil
                        #expect(sounding.count <= 1)
                    }
                    return nil
                },
                event: { random, _ in Self.event(&random) }
            )
        }
    }

    private static func event(_ random: inout LawRandom) -> AudioSession.Event {
        let app = AppID(random.below(2))
        let operation = OperationID(number: UInt32(random.below(100)))
        switch random.below(15) {
        case 12: return .configured(app, random.chance(percent: 50) ? .voiceSDK : .init())
        case 13: return .musicWanted(random.chance(percent: 60))
        case 10, 11: return .callAudio(app, isTaken: random.chance(percent: 60))
        case 0: return .engineStopOrdered(app)
        case 1: return .phoneCall(isOn: random.chance(percent: 40))
        case 2, 14:
            let accessory = random.chance(percent: 50) ? AudioRoute.headset : .bluetooth
            return .accessoryChanged(accessory, isAttached: random.chance(percent: 50))
        case 3: return .appSuspended(app)
        case 4: return .appEnded(app)
        case 5, 6: return .appListens(app)
        default: return start(app, operation, isInBackground: random.chance(percent: 30))
        }
    }
}
