import AppCoordination
import RealtimeVoice
import SansIO
import SansIOTesting
import Testing

private typealias Story = VoiceAppStory
private typealias Effect = VoiceAppEffect

@Suite("The voice app: whoever asked leaves while it starts")
struct VoiceAppLeavingTests {
    private let room = RoomID(number: 1)

    /// An app in front, asked for by a tap on a notification, whose engine starts.
    private func starting(_ rule: LeaveRule) throws -> Transcript<VoiceAppCoordinator> {
        var story = Story.begin(leaveOn: rule)
        try story.expect(.scenePhaseChanged(.active), at: .zero)
        try story.expect(.notificationTapped, at: .zero) {
            Story.show(.preparingDevice)
            Effect.readSecureStorage(Story.id(2), .deviceIdentity)
        }
        try Story.finishWalk(&story)
        return story
    }

    @Test("Whoever leaves after the tap is connected when they are back, not before (RS-07, D-05)")
    func leaves() throws {
        var story = try starting(.background)
        try story.expect(.scenePhaseChanged(.inactive), at: .seconds(1))
        try story.expect(.scenePhaseChanged(.background), at: .seconds(1))
        try story.expect(.voiceEngineAnswered(Story.id(5), isRunning: true), at: .seconds(3)) {
            Story.show(.disconnected)
            Effect.stopVoiceEngine
        }
        try story.expect(.scenePhaseChanged(.inactive), at: .seconds(9))
        try story.expect(.scenePhaseChanged(.active), at: .seconds(9)) {
            Story.fetch(4)
            Story.show(.fetchingToken)
            Effect.startVoiceEngine(Story.id(9))
        }
    }

    @Test("Whoever is back before the app has started is connected at once (RS-07)")
    func returnsInTime() throws {
        var story = try starting(.background)
        try story.expect(.scenePhaseChanged(.background), at: .seconds(1))
        try story.expect(.scenePhaseChanged(.active), at: .seconds(2))
        try story.expect(.voiceEngineAnswered(Story.id(5), isRunning: true), at: .seconds(3)) {
            Story.fetch(4)
            Story.show(.fetchingToken)
        }
    }

    @Test("An engine that does not start out of sight is tried again in front (RS-07, RS-08)")
    func engineDeniedAway() throws {
        var story = try starting(.background)
        try story.expect(.scenePhaseChanged(.inactive), at: .seconds(1))
        try story.expect(.scenePhaseChanged(.background), at: .seconds(1))
        try story.expect(.voiceEngineAnswered(Story.id(5), isRunning: false), at: .seconds(9)) {
            Story.show(.engineFailed)
        }
        try story.expect(.scenePhaseChanged(.inactive), at: .seconds(9))
        var ended = story
        try story.expect(.scenePhaseChanged(.active), at: .seconds(10)) {
            Story.show(.preparingDevice)
            Story.show(.askingForMicrophone)
            Effect.requestMicrophonePermission(Story.id(9))
        }
        let granted = VoiceAppEvent.microphonePermissionAnswered(Story.id(9), isGranted: true)
        try story.expect(granted, at: .seconds(10)) {
            Story.show(.startingEngine)
            Effect.startVoiceEngine(Story.id(13))
        }
        let started = VoiceAppEvent.voiceEngineAnswered(Story.id(13), isRunning: true)
        try story.expect(started, at: .seconds(11)) {
            Story.fetch(4)
            Story.show(.fetchingToken)
        }
        // Who has ended the conversation meanwhile has not asked for it again.
        try ended.expect(.disconnectTapped, at: .seconds(9))
        try ended.expect(.scenePhaseChanged(.active), at: .seconds(10))
    }

    @Test("Each setting decides in which phase an app that has started connects (D-05)")
    func rules() throws {
        for (rule, phase, connects) in [
            (LeaveRule.never, ScenePhase.background, true), (.background, .inactive, true),
            (.inactive, .inactive, false),
        ] {
            var story = try starting(rule)
            try story.expect(.scenePhaseChanged(phase), at: .seconds(1))
            let answered = VoiceAppEvent.voiceEngineAnswered(Story.id(5), isRunning: true)
            if connects {
                try story.expect(answered, at: .seconds(3)) {
                    Story.fetch(4)
                    Story.show(.fetchingToken)
                }
            } else {
                try story.expect(answered, at: .seconds(3)) {
                    Story.show(.disconnected)
                    Effect.stopVoiceEngine
                }
            }
        }
    }

    /// An app out of sight, asked for by a tap, that connects (RS-13).
    private func connecting(_ rule: LeaveRule) throws -> Transcript<VoiceAppCoordinator> {
        var story = Story.begin(leaveOn: rule)
        try story.expect(.scenePhaseChanged(.background), at: .zero)
        try story.expect(.notificationTapped, at: .zero) {
            Story.show(.preparingDevice)
            Effect.readSecureStorage(Story.id(2), .deviceIdentity)
        }
        try Story.finishWalk(&story)
        try story.expect(.voiceEngineAnswered(Story.id(5), isRunning: true), at: .zero) {
            Story.fetch(4)
            Story.show(.fetchingToken)
        }
        return story
    }

    @Test("Who has left before the app could come to the front is let go of, and awaited (RS-07)")
    func neverInFront() throws {
        var story = try connecting(.background)
        try story.expectWake(at: .milliseconds(1_999))
        try story.expectWake(at: .seconds(2)) {
            Effect.cancelAPI(Story.id(4))
            Story.show(.disconnected)
            Effect.stopVoiceEngine
        }
        try story.expect(.scenePhaseChanged(.inactive), at: .seconds(9))
        try story.expect(.scenePhaseChanged(.active), at: .seconds(9)) {
            Story.fetch(8)
            Story.show(.fetchingToken)
            Effect.startVoiceEngine(Story.id(9))
        }
    }

    @Test("Where no phase leaves, nobody is let go of (D-05)")
    func staysOutOfSight() throws {
        var story = try connecting(.never)
        try story.expectWake(at: .seconds(2))
        #expect(story.machine.status == SessionStatus(.fetchingToken))
    }

    @Test("What a tap connects out of sight is silent until the app comes to the front (RS-13)")
    func silentOutOfSight() throws {
        var story = try connecting(.background)
        let options = Story.firstOptions
        try story.expect(.apiAnswered(Story.id(4), Story.credentials), at: .zero) {
            Effect.writeLog(.connecting(room))
            Effect.room(room, .create)
            Effect.room(room, .connect(Story.id(8), url: "u", token: "t", options))
            Story.show(.connecting)
        }
        try story.expect(.room(room, .connectFinished(Story.id(8), nil)), at: .seconds(1)) {
            Effect.writeLog(.connected(room))
            Effect.room(room, .setMicrophone(Story.id(12), isEnabled: false))
            Story.show(.startingEngine)
        }
        try story.expect(.room(room, .microphoneFinished(Story.id(12), nil)), at: .seconds(1))
        try story.expect(.scenePhaseChanged(.inactive), at: .milliseconds(1_200)) {
            Effect.room(room, .setMicrophone(Story.id(16), isEnabled: true))
            Story.show(.connected)
        }
        try story.expect(.scenePhaseChanged(.active), at: .milliseconds(1_500))
        #expect(story.machine.status == SessionStatus(.connected))
    }
}
