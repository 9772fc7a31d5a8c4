import AppCoordination
import IncomingCalls
import RealtimeVoice
import SansIO
import SansIOTesting
import Testing

private typealias Story = CallAppStory
private typealias Effect = CallAppEffect

@Suite("The calling app")
struct CallAppCoordinatorTests {
    private let uuid = CallAppStory.uuids[0]
    private let line = CallAppStory.line
    private let room = CallAppStory.room

    @Test("A push to a killed app is reported before anything is known (VP-04, D-01)")
    func pushed() throws {
        let story = try Story.ready()
        #expect(story.machine.calls == [Story.description(uuid)])
    }

    @Test("Answered, consented, audio activated, connected: voice flows both ways (VP-05, RS-15)")
    func talking() throws {
        _ = try Story.talking()
    }

    @Test("Without the system's activation there is no sound, whatever is connected (RS-15)")
    func noActivation() throws {
        var story = try Story.joining()
        let credentials = RoomCredentials(
            token: "t",
            url: "u",
            timeToLive: .seconds(600),
            room: "call-x"
        )
        let options = VoiceAppStory.firstOptions
        try story.expect(.apiAnswered(Story.id(7), .credentials(credentials)), at: .seconds(2)) {
            Effect.writeLog(.connecting(room))
            Effect.room(line, room, .create)
            Effect.room(line, room, .connect(Story.id(15), url: "u", token: "t", options))
            Story.show(uuid, .connecting)
        }
        try story.expect(.room(line, room, .remoteAudioSubscribed), at: .seconds(3))
        try story.expect(.room(line, room, .connectFinished(Story.id(15), nil)), at: .seconds(3)) {
            Effect.writeLog(.connected(room))
            Effect.room(line, room, .setMicrophone(Story.id(23), isEnabled: false))
            Story.show(uuid, .connected)
            Effect.announce(.connected(uuid, callId: "c-1"))
        }
        try story.expect(.room(line, room, .microphoneFinished(Story.id(23), nil)), at: .seconds(3))
        try story.expect(.audioActivated, at: .seconds(4)) {
            Effect.announce(.audioActivated)
            Effect.startVoiceEngine(Story.id(1))
        }
        try story.expect(.voiceEngineAnswered(Story.id(1), isRunning: true), at: .seconds(4)) {
            Effect.room(line, room, .startRenderer)
            Effect.room(line, room, .setMicrophone(Story.id(31), isEnabled: true))
        }
    }

    @Test("Another user's device loses the call and gets an identity of its own (RS-03, RS-12)")
    func foreignDevice() throws {
        var story = try Story.joining()
        var seeds = SeededGenerator(seed: 1)
        var drawn = SeededGenerator(seed: seeds.next())
        let identity = UniqueID(from: &drawn).text
        try story.expect(.apiAnswered(Story.id(7), .foreignDevice), at: .seconds(2)) {
            Effect.writeLog(.failed(.tokenFailed, code: 403))
            Story.show(uuid, .preparingDevice)
            Effect.writeSecureStorage(Story.id(10), .deviceIdentity, identity)
            Effect.system(.reportEnded(uuid, .failed))
            Effect.announce(.ended(uuid, callId: "c-1", .failed))
            Effect.writeCallLog(.ended(.failed))
            Story.memory(ofLeaving: "c-1", .failed, at: 2_000)
            Effect.cancelAPI(Story.id(36))
            Story.server(44, .end(callId: "c-1", reason: .failed))
            Effect.beginBackgroundTask
        }
        #expect(story.machine.calls.isEmpty)
    }

    @Test("A hang-up leaves the room, stops the engine and tells the server (VP-05)")
    func hangUp() throws {
        var story = try Story.talking()
        try story.expect(.actionRequested(ActionID(number: 2), .end(uuid)), at: .seconds(9)) {
            Effect.system(.fulfill(ActionID(number: 2)))
            Effect.announce(.ended(uuid, callId: "c-1", .hungUp))
            Effect.writeCallLog(.ended(.hungUp))
            Story.memory(ofLeaving: "c-1", .hungUp, at: 9_000)
            Effect.cancelAPI(Story.id(36))
            Story.server(44, .end(callId: "c-1", reason: .hungUp))
            Effect.room(line, room, .stopRenderer)
            Effect.room(line, room, .disconnect(Story.id(31)))
            Effect.writeLog(.disconnected(room, nil))
            Effect.stopVoiceEngine
            Effect.beginBackgroundTask
        }
        try story.expect(.audioDeactivated, at: .seconds(9)) {
            Effect.announce(.audioDeactivated)
        }
        try story.expect(Story.answered(44, .accepted), at: .seconds(9)) {
            Story.memory([(9_000, "c-1", .hungUp)])
            Effect.endBackgroundTask
        }
        #expect(story.machine.deadline == nil)
    }

    @Test("The other side's hang-up is learned when its media leave (VP-05)")
    func remoteHangUp() throws {
        var story = try Story.talking()
        try story.expect(Story.answered(36, .status(.answered)), at: .seconds(2))
        let left = CallAppEvent.room(line, room, .remoteParticipantDisconnected)
        try story.expect(left, at: .seconds(3)) { Story.server(44, .status(callId: "c-1")) }
        try story.expect(Story.answered(44, .status(.ended(.hungUp))), at: .seconds(3)) {
            Effect.system(.reportEnded(uuid, .remoteEnded))
            Effect.announce(.ended(uuid, callId: "c-1", .hungUp))
            Effect.writeCallLog(.ended(.hungUp))
            Story.memory([(0, "c-1", nil), (3_000, "c-1", .hungUp)])
            Effect.room(line, room, .stopRenderer)
            Effect.room(line, room, .disconnect(Story.id(31)))
            Effect.writeLog(.disconnected(room, nil))
            Effect.stopVoiceEngine
        }
    }

    @Test("A call on hold stays in its room without sound, and comes back with the audio (VP-05)")
    func hold() throws {
        var story = try Story.talking()
        let held = SystemCallAction.setHeld(uuid, isHeld: true)
        try story.expect(.actionRequested(ActionID(number: 2), held), at: .seconds(3)) {
            Effect.system(.fulfill(ActionID(number: 2)))
            Effect.announce(.held(uuid, isHeld: true))
            Effect.room(line, room, .stopRenderer)
            Effect.room(line, room, .setMicrophone(Story.id(31), isEnabled: false))
            Story.show(uuid, .audioTaken)
        }
        try story.expect(.room(line, room, .microphoneFinished(Story.id(31), nil)), at: .seconds(3))
        try story.expect(.audioDeactivated, at: .seconds(3)) {
            Effect.announce(.audioDeactivated)
            Effect.stopVoiceEngine
        }
        let back = SystemCallAction.setHeld(uuid, isHeld: false)
        try story.expect(.actionRequested(ActionID(number: 3), back), at: .seconds(4)) {
            Effect.system(.fulfill(ActionID(number: 3)))
            Effect.announce(.held(uuid, isHeld: false))
            Story.show(uuid, .connected)
        }
        try story.expect(.audioActivated, at: .seconds(4)) {
            Effect.announce(.audioActivated)
            Effect.startVoiceEngine(Story.id(9))
        }
        try story.expect(.voiceEngineAnswered(Story.id(9), isRunning: true), at: .seconds(4)) {
            Effect.room(line, room, .startRenderer)
            Effect.room(line, room, .setMicrophone(Story.id(39), isEnabled: true))
        }
    }

    @Test("A mute closes the microphone of the call that is muted (VP-08)")
    func mute() throws {
        var story = try Story.talking()
        let muted = SystemCallAction.setMuted(uuid, isMuted: true)
        try story.expect(.actionRequested(ActionID(number: 2), muted), at: .seconds(3)) {
            Effect.system(.fulfill(ActionID(number: 2)))
            Effect.announce(.muted(uuid, isMuted: true))
            Effect.room(line, room, .setMicrophone(Story.id(31), isEnabled: false))
        }
    }

    @Test("Media that are lost for good end the call on both sides (VP-05)")
    func mediaLost() throws {
        var story = try Story.talking()
        let removed = CallAppEvent.room(line, room, .disconnected(.roomDeleted))
        try story.expect(removed, at: .seconds(3)) {
            Effect.writeLog(.disconnected(room, .roomDeleted))
            Effect.room(line, room, .stopRenderer)
            Effect.room(line, room, .release)
            Story.show(uuid, .takenOver)
            Effect.system(.reportEnded(uuid, .failed))
            Effect.announce(.ended(uuid, callId: "c-1", .failed))
            Effect.writeCallLog(.ended(.failed))
            Story.memory(ofLeaving: "c-1", .failed, at: 3_000)
            Effect.cancelAPI(Story.id(36))
            Story.server(44, .end(callId: "c-1", reason: .failed))
            Effect.stopVoiceEngine
            Effect.beginBackgroundTask
        }
    }

    @Test("The app asks not to be suspended until the server knows how a call ended (VP-05)")
    func backgroundTask() throws {
        var story = try Story.ready()
        let decline = SystemCallAction.end(uuid)
        try story.expect(.actionRequested(ActionID(number: 1), decline), at: .seconds(1)) {
            Effect.system(.fulfill(ActionID(number: 1)))
            Effect.announce(.ended(uuid, callId: "c-1", .declined))
            Effect.writeCallLog(.ended(.declined))
            Story.memory([(0, "c-1", nil), (1_000, "c-1", .declined)])
            Effect.cancelAPI(Story.id(12))
            Story.server(20, .end(callId: "c-1", reason: .declined))
            Effect.beginBackgroundTask
        }
        // The system gives no more time: the app does not ask again before it is woken.
        try story.expect(.backgroundTimeExpired, at: .seconds(2)) { Effect.endBackgroundTask }
        try story.expect(Story.answered(20, .failed), at: .seconds(3))
        try story.expectDrawnWake(within: .milliseconds(500), after: .seconds(3)) {
            Story.server(28, .end(callId: "c-1", reason: .declined))
        }
        try story.expect(.scenePhaseChanged(.active), at: .seconds(5)) {
            Story.server(14, .missed(after: 0))
            Effect.beginBackgroundTask
        }
        try story.expect(Story.answered(28, .accepted), at: .seconds(6))
        try story.expect(Story.answered(14, .missed([])), at: .seconds(7)) {
            Effect.endBackgroundTask
        }
    }

    @Test("The app asks not to be suspended until it knows whether a late push rings (VP-04)")
    func backgroundTaskOfDoubt() throws {
        var story = try Story.ready()
        let late = PayloadValue.object([
            "aps": .object(["content-available": .integer(1)]),
            "type": .string("call.incoming"), "callId": .string("c-2"),
            "fromUserId": .string("u-7"), "fromDisplayName": .string("花子"),
            "room": .string("call-x"),
            "expiresAt": .integer(Story.launch.secondsSince1970 - 10),
        ])
        try story.expect(.pushReceived(PushID(number: 2), late), at: .seconds(1)) {
            Effect.system(.reportIncoming(Story.id(20), Story.uuids[1], Story.update))
            Story.memory([(0, "c-1", nil), (1_000, "c-2", nil)])
            Story.server(28, .status(callId: "c-2"))
            Effect.beginBackgroundTask
        }
        let over = CallAnswer.status(.ended(.answeredElsewhere))
        try story.expect(Story.answered(28, over), at: .seconds(2)) {
            Effect.writeCallLog(.ended(.answeredElsewhere))
            Story.memory([
                (0, "c-1", nil), (1_000, "c-2", nil), (2_000, "c-2", .answeredElsewhere),
            ])
            Effect.endBackgroundTask
        }
    }

    /// A call whose audio was activated at 1.3 s and whose engine has failed three times by 3.3 s.
    private func engineFailed() throws -> Transcript<CallAppCoordinator> {
        var story = try Story.joining()
        try story.expect(.audioActivated, at: .milliseconds(1_300)) {
            Effect.announce(.audioActivated)
            Effect.startVoiceEngine(Story.id(1))
        }
        for attempt in 0..<3 as Range<UInt32> {
            let instant = Duration.milliseconds(1_300 + 1_000 * Int64(attempt))
            let failed = CallAppEvent.voiceEngineAnswered(
                Story.id(1 + 8 * attempt),
                isRunning: false
            )
            try story.expect(failed, at: instant)
            guard attempt < 2 else { break }
            try story.expectWake(at: instant + .seconds(1)) {
                Effect.startVoiceEngine(Story.id(9 + 8 * attempt))
            }
        }
        return story
    }

    @Test("An engine that does not start is tried again, and once more when the audio comes back")
    func engine() throws {
        var story = try engineFailed()
        try story.expect(.audioActivated, at: .milliseconds(3_300)) {
            Effect.announce(.audioActivated)
            Effect.startVoiceEngine(Story.id(25))
        }
    }

    @Test("An engine that keeps failing is tried for as long as the call lasts (VP-05)")
    func enginePersists() throws {
        var story = try engineFailed()
        for attempt in 0..<3 as Range<UInt32> {
            let due = Duration.milliseconds(8_300 + 5_000 * Int64(attempt))
            story.pass(until: due)
            try story.expectWake(at: due) { Effect.startVoiceEngine(Story.id(25 + 8 * attempt)) }
            let failed = CallAppEvent.voiceEngineAnswered(
                Story.id(25 + 8 * attempt),
                isRunning: false
            )
            try story.expect(failed, at: due)
        }
    }

    @Test(
        "An engine that its SDK could not start for a headset is started again, each time (RS-15)"
    )
    func engineStoppedBySDK() throws {
        var app = try Story.talking().machine
        for second in [4, 20] as [Int64] {
            let stopped = Instant.zero.advanced(by: .seconds(second))
            _ = app.handle(.voiceEngineStopped, at: stopped)
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

    @Test("An engine that failed in one activation has its tries again in the next")
    func engineAfterFailures() throws {
        var story = try engineFailed()
        try story.expect(.audioDeactivated, at: .milliseconds(3_400)) {
            Effect.announce(.audioDeactivated)
        }
        try story.expect(.audioActivated, at: .milliseconds(3_500)) {
            Effect.announce(.audioActivated)
            Effect.startVoiceEngine(Story.id(25))
        }
        let failed = CallAppEvent.voiceEngineAnswered(Story.id(25), isRunning: false)
        try story.expect(failed, at: .milliseconds(3_500))
        try story.expectWake(at: .milliseconds(4_500)) { Effect.startVoiceEngine(Story.id(33)) }
    }

    @Test("A token for pushes is registered as soon as the app knows who it is (VP-03)")
    func registration() throws {
        var story = Story.begin()
        try story.expect(.pushTokenReceived([0xAB]), at: .zero)
        try story.expect(.launched, at: .zero) {
            Effect.readSecureStorage(Story.id(2), .deviceIdentity)
            Effect.readSecureStorage(Story.id(3), .sessionToken)
        }
        let device = CallAppEvent.secureStorageRead(Story.id(2), .value(Story.deviceID))
        try story.expect(device, at: .zero)
        let registration = DeviceRegistration(
            voipDeviceToken: try #require(DeviceToken([0xAB])),
            bundleId: "app"
        )
        try story.expect(.secureStorageRead(Story.id(3), .value("login")), at: .zero) {
            Story.server(5, .registerDevice(registration))
            Story.server(6, .missed(after: 0))
            Effect.beginBackgroundTask
        }
        // Who logs out is not called here any more: the server is told in their name.
        var leaving = story
        try leaving.expect(.logoutTapped, at: .seconds(1)) {
            Effect.cancelAPI(Story.id(5))
            Story.server(13, .unregisterDevice)
            Effect.writeSecureStorage(Story.id(11), .sessionToken, nil)
            Effect.callAPI(Story.id(19), .passkeyBegin)
            Effect.cancelAPI(Story.id(6))
            Effect.endBackgroundTask
        }
        try leaving.expect(Story.answered(13, .failed), at: .seconds(2))
        try leaving.expectWake(at: .seconds(4)) { Story.server(21, .unregisterDevice) }
        // The server does not take the login: the user is asked, and all wait.
        try story.expect(Story.answered(5, .refused(statusCode: 401)), at: .seconds(1)) {
            Effect.writeSecureStorage(Story.id(11), .sessionToken, nil)
            Effect.callAPI(Story.id(19), .passkeyBegin)
            Effect.cancelAPI(Story.id(6))
            Effect.endBackgroundTask
        }
    }
}
