import AppCoordination
import RealtimeVoice
import SansIO
import SansIOTesting
import Testing

private typealias Story = VoiceAppStory
private typealias Effect = VoiceAppEffect

@Suite("The voice app: a call has the audio, or the engine does not start (RS-15)")
struct VoiceAppAudioTests {
    private let room = RoomID(number: 1)

    /// An app that was opened and whose engine starts.
    private func starting() throws -> Transcript<VoiceAppCoordinator> {
        var story = Story.begin()
        try story.expect(.launched, at: .zero) {
            Story.show(.preparingDevice)
            Effect.readSecureStorage(Story.id(2), .deviceIdentity)
        }
        try story.expect(.scenePhaseChanged(.active), at: .zero)
        try Story.finishWalk(&story)
        return story
    }

    /// The call ends, the engine starts and the app connects.
    private func endCall(
        _ story: inout Transcript<VoiceAppCoordinator>,
        engine: UInt32
    ) throws {
        try story.expect(.audioSessionReturned, at: .seconds(30)) {
            Story.show(.startingEngine)
            Effect.startVoiceEngine(Story.id(engine))
        }
        let started = VoiceAppEvent.voiceEngineAnswered(Story.id(engine), isRunning: true)
        try story.expect(started, at: .seconds(30)) {
            Story.fetch(4)
            Story.show(.fetchingToken)
        }
        try story.expect(.scenePhaseChanged(.active), at: .seconds(31))
    }

    @Test("A call while the engine starts is waited for, and the walk goes on after it")
    func callWhileStarting() throws {
        var story = try starting()
        try story.expect(.audioSessionTaken, at: .seconds(1)) {
            Story.show(.audioTaken)
            Effect.stopVoiceEngine
        }
        try story.expect(.voiceEngineAnswered(Story.id(5), isRunning: false), at: .seconds(1))
        try story.expect(.scenePhaseChanged(.inactive), at: .seconds(1))
        #expect(story.machine.deadline == nil)
        try endCall(&story, engine: 9)
    }

    @Test("Right after the call the audio may not be had yet: the engine is tried three times")
    func failsAfterCall() throws {
        var story = try starting()
        try story.expect(.audioSessionTaken, at: .seconds(1)) {
            Story.show(.audioTaken)
            Effect.stopVoiceEngine
        }
        try story.expect(.audioSessionReturned, at: .seconds(30)) {
            Story.show(.startingEngine)
            Effect.startVoiceEngine(Story.id(9))
        }
        var vain = story
        try story.expect(.voiceEngineAnswered(Story.id(9), isRunning: false), at: .seconds(30))
        try story.expectWake(at: .seconds(31)) { Effect.startVoiceEngine(Story.id(13)) }
        try story.expect(.voiceEngineAnswered(Story.id(13), isRunning: true), at: .seconds(31)) {
            Story.fetch(4)
            Story.show(.fetchingToken)
        }
        try vain.expect(.voiceEngineAnswered(Story.id(9), isRunning: false), at: .seconds(30))
        try vain.expectWake(at: .seconds(31)) { Effect.startVoiceEngine(Story.id(13)) }
        try vain.expect(.voiceEngineAnswered(Story.id(13), isRunning: false), at: .seconds(31))
        try vain.expectWake(at: .seconds(32)) { Effect.startVoiceEngine(Story.id(17)) }
        try vain.expect(.voiceEngineAnswered(Story.id(17), isRunning: false), at: .seconds(32)) {
            Story.show(.engineFailed)
        }
        #expect(vain.machine.deadline == nil)
    }

    @Test("A walk that the user ends after a call leaves the next one no more tries than others")
    func endedAfterCall() throws {
        var story = try starting()
        try story.expect(.audioSessionTaken, at: .seconds(1)) {
            Story.show(.audioTaken)
            Effect.stopVoiceEngine
        }
        try story.expect(.audioSessionReturned, at: .seconds(30)) {
            Story.show(.startingEngine)
            Effect.startVoiceEngine(Story.id(9))
        }
        try story.expect(.disconnectTapped, at: .seconds(30)) {
            Story.show(.disconnected)
            Effect.stopVoiceEngine
        }
        try story.expect(.connectTapped, at: .seconds(60)) {
            Story.show(.preparingDevice)
            Story.show(.askingForMicrophone)
            Effect.requestMicrophonePermission(Story.id(13))
        }
        let granted = VoiceAppEvent.microphonePermissionAnswered(Story.id(13), isGranted: true)
        try story.expect(granted, at: .seconds(60)) {
            Story.show(.startingEngine)
            Effect.startVoiceEngine(Story.id(17))
        }
        try story.expect(.voiceEngineAnswered(Story.id(17), isRunning: false), at: .seconds(60)) {
            Story.show(.engineFailed)
        }
    }

    @Test("A start that fails just before its call is told has failed of the call")
    func callToldLate() throws {
        var story = try starting()
        try story.expect(.voiceEngineAnswered(Story.id(5), isRunning: false), at: .seconds(1)) {
            Story.show(.engineFailed)
        }
        try story.expect(.audioSessionTaken, at: .seconds(2)) { Story.show(.audioTaken) }
        try story.expect(.scenePhaseChanged(.inactive), at: .seconds(2))
        try endCall(&story, engine: 9)
    }

    @Test("A call that comes later revives no walk that the engine ended, nor one of the user's")
    func laterCall() throws {
        var story = try starting()
        try story.expect(.voiceEngineAnswered(Story.id(5), isRunning: false), at: .seconds(1)) {
            Story.show(.engineFailed)
        }
        var ended = story
        try story.expect(.audioSessionTaken, at: .milliseconds(2_001))
        try story.expect(.audioSessionReturned, at: .seconds(30))
        #expect(story.machine.status == SessionStatus(.engineFailed))
        try ended.expect(.disconnectTapped, at: .seconds(1))
        try ended.expect(.audioSessionTaken, at: .seconds(1))
        try ended.expect(.audioSessionReturned, at: .seconds(30))
    }

    @Test("An app that is opened in a call says so, and starts after it")
    func openedInCall() throws {
        var story = Story.begin()
        try story.expect(.launched, at: .zero) {
            Story.show(.preparingDevice)
            Effect.readSecureStorage(Story.id(2), .deviceIdentity)
        }
        try story.expect(.audioSessionTaken, at: .zero)
        try story.expect(.scenePhaseChanged(.inactive), at: .zero)
        try askForMicrophone(&story)
        let granted = VoiceAppEvent.microphonePermissionAnswered(Story.id(1), isGranted: true)
        try story.expect(granted, at: .zero) { Story.show(.audioTaken) }
        try endCall(&story, engine: 5)
    }

    private func askForMicrophone(_ story: inout Transcript<VoiceAppCoordinator>) throws {
        let read = VoiceAppEvent.secureStorageRead(Story.id(2), .value(Story.deviceID))
        try story.expect(read, at: .zero) {
            Story.show(.askingForMicrophone)
            Effect.requestMicrophonePermission(Story.id(1))
        }
    }

    @Test("A tap in a call tries the engine, ends nothing, and leads to a conversation after it")
    func tappedInCall() throws {
        var story = Story.begin()
        try story.expect(.launched, at: .zero) {
            Story.show(.preparingDevice)
            Effect.readSecureStorage(Story.id(2), .deviceIdentity)
        }
        try story.expect(.audioSessionTaken, at: .zero)
        try story.expect(.scenePhaseChanged(.inactive), at: .zero)
        try story.expect(.notificationTapped, at: .zero)
        try askForMicrophone(&story)
        let granted = VoiceAppEvent.microphonePermissionAnswered(Story.id(1), isGranted: true)
        try story.expect(granted, at: .zero) {
            Story.show(.audioTaken)
            Effect.startVoiceEngine(Story.id(5))
        }
        try story.expect(.voiceEngineAnswered(Story.id(5), isRunning: false), at: .zero)
        try story.expectWake(at: .seconds(1)) { Effect.startVoiceEngine(Story.id(9)) }
        try story.expect(.voiceEngineAnswered(Story.id(9), isRunning: false), at: .seconds(1))
        try story.expectWake(at: .seconds(2)) { Effect.startVoiceEngine(Story.id(13)) }
        try story.expect(.voiceEngineAnswered(Story.id(13), isRunning: false), at: .seconds(2))
        #expect(story.machine.deadline == nil)
        try endCall(&story, engine: 17)
    }

    @Test("A tap in a call that interrupts a conversation promises no sound before there is any")
    func tappedWhileInterrupted() throws {
        var story = try Story.live()
        try story.expect(.audioSessionTaken, at: .seconds(2)) {
            Effect.stopVoiceEngine
            Effect.room(room, .setMicrophone(Story.id(16), isEnabled: false))
            Story.show(.audioTaken)
        }
        try story.expect(.room(room, .microphoneFinished(Story.id(16), nil)), at: .seconds(2))
        try story.expect(.connectTapped, at: .seconds(3)) {
            Effect.startVoiceEngine(Story.id(9))
        }
        try story.expect(.voiceEngineAnswered(Story.id(9), isRunning: false), at: .seconds(3))
        try story.expectWake(at: .seconds(4)) { Effect.startVoiceEngine(Story.id(13)) }
        #expect(story.machine.status == SessionStatus(.audioTaken))
        // The system has not said that the call is over: that the engine runs says it, too.
        let started = VoiceAppEvent.voiceEngineAnswered(Story.id(13), isRunning: true)
        try story.expect(started, at: .seconds(4)) {
            Effect.room(room, .setMicrophone(Story.id(20), isEnabled: true))
            Story.show(.connected)
        }
    }

    @Test(
        "An engine that its SDK could not start for a headset is started again, each time (RS-15)"
    )
    func stoppedBySDK() throws {
        var app = try Story.live().machine
        for second in [2, 10] as [Int64] {
            let stopped = Instant.zero.advanced(by: .seconds(second))
            _ = app.handle(.voiceEngineStopped, at: stopped)
            // Said twice it is one failure.
            #expect(app.handle(.voiceEngineStopped, at: stopped).isEmpty)
            let retried = stopped.advanced(by: .seconds(1))
            let starts = app.wake(at: retried).compactMap { effect -> OperationID? in
                guard case .startVoiceEngine(let operation) = effect else { return nil }
                return operation
            }
            let operation = try #require(starts.first)
            #expect(starts.count == 1)
            _ = app.handle(.voiceEngineAnswered(operation, isRunning: true), at: retried)
        }
    }

    @Test(
        "An engine that fails on is tried every 5 s, and the user reads nothing else, each time (RS-08, RS-15)"
    )
    func failsOn() throws {
        var app = try Story.live().machine
        for round in [2, 21] as [Int64] {
            let stopped = Instant.zero.advanced(by: .seconds(round))
            var effects = app.handle(.voiceEngineStopped, at: stopped)
            var starts: [Int64] = []
            var shown: [SessionStage] = []
            for second in round + 1...round + 18 {
                let now = Instant.zero.advanced(by: .seconds(second))
                while let due = app.deadline?.instant, due <= now { effects += app.wake(at: due) }
                effects += app.handle(Story.voice(in: room, second: second), at: now)
                while !effects.isEmpty {
                    switch effects.removeFirst() {
                    case .show(let status): shown.append(status.stage)
                    case .startVoiceEngine(let start):
                        starts.append(second - round)
                        let isRunning = second == round + 17
                        effects += app.handle(
                            .voiceEngineAnswered(start, isRunning: isRunning),
                            at: now
                        )
                    case .room(_, .setMicrophone(let order, _)):
                        effects += app.handle(.room(room, .microphoneFinished(order, nil)), at: now)
                    default: break
                    }
                }
            }
            #expect(starts == [1, 2, 7, 12, 17])
            #expect(shown == [.startingEngine, .engineFailed, .connected])
        }
    }

    @Test("Whose fault it is that there is no sound is said anew when a call comes (RS-08)")
    func callAfterFailure() throws {
        var story = try Story.live()
        try story.expect(.audioSessionTaken, at: .seconds(2)) {
            Effect.stopVoiceEngine
            Effect.room(room, .setMicrophone(Story.id(16), isEnabled: false))
            Story.show(.audioTaken)
        }
        try story.expect(.room(room, .microphoneFinished(Story.id(16), nil)), at: .seconds(2))
        try story.expect(.audioSessionReturned, at: .seconds(3)) {
            Effect.startVoiceEngine(Story.id(9))
        }
        try story.expect(.voiceEngineAnswered(Story.id(9), isRunning: false), at: .seconds(3))
        try story.expectWake(at: .seconds(4)) {
            Story.show(.startingEngine)
            Effect.startVoiceEngine(Story.id(13))
        }
        try story.expect(.voiceEngineAnswered(Story.id(13), isRunning: false), at: .seconds(4))
        try story.expectWake(at: .seconds(5)) { Effect.startVoiceEngine(Story.id(17)) }
        try story.expect(.voiceEngineAnswered(Story.id(17), isRunning: false), at: .seconds(5)) {
            Story.show(.engineFailed)
        }
        try story.expect(.audioSessionTaken, at: .seconds(6)) { Story.show(.audioTaken) }
        try story.expect(.audioSessionReturned, at: .seconds(7)) {
            Effect.startVoiceEngine(Story.id(21))
        }
    }
}
