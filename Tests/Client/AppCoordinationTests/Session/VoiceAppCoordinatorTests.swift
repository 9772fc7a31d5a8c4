import AppCoordination
import RealtimeVoice
import SansIO
import SansIOTesting
import Testing

private typealias Story = VoiceAppStory
private typealias Effect = VoiceAppEffect

@Suite("The voice app")
struct VoiceAppCoordinatorTests {
    private let room = RoomID(number: 1)

    @Test("A launch walks through identity, microphone and engine to a live conversation (RS-08)")
    func launch() throws {
        _ = try Story.live()
    }

    @Test("Without an identity the walk says so and stops there (RS-03)")
    func noIdentity() throws {
        var story = Story.begin()
        try story.expect(.launched, at: .zero) {
            Story.show(.preparingDevice)
            Effect.readSecureStorage(Story.id(2), .deviceIdentity)
        }
        try story.expect(.secureStorageRead(Story.id(2), .failed), at: .zero) {
            Story.show(.deviceIdentityFailed)
        }
        try story.expect(.scenePhaseChanged(.active), at: .seconds(1))
        #expect(story.machine.deadline == nil)
        try story.expect(.connectTapped, at: .seconds(2)) {
            Story.show(.preparingDevice)
            Effect.readSecureStorage(Story.id(6), .deviceIdentity)
        }
    }

    @Test("A user who comes back connects if the identity can be had by then (RS-03)")
    func identityLater() throws {
        var story = Story.begin()
        try story.expect(.launched, at: .zero) {
            Story.show(.preparingDevice)
            Effect.readSecureStorage(Story.id(2), .deviceIdentity)
        }
        try story.expect(.scenePhaseChanged(.active), at: .zero)
        try story.expect(.secureStorageRead(Story.id(2), .failed), at: .zero) {
            Story.show(.deviceIdentityFailed)
        }
        try story.expect(.scenePhaseChanged(.inactive), at: .seconds(1))
        try story.expect(.scenePhaseChanged(.background), at: .seconds(2))
        try story.expect(.scenePhaseChanged(.inactive), at: .seconds(3))
        var ended = story
        try story.expect(.scenePhaseChanged(.active), at: .seconds(4)) {
            Story.show(.preparingDevice)
            Effect.readSecureStorage(Story.id(6), .deviceIdentity)
        }
        let kept = VoiceAppEvent.secureStorageRead(Story.id(6), .value(Story.deviceID))
        try story.expect(kept, at: .seconds(4)) {
            Story.show(.askingForMicrophone)
            Effect.requestMicrophonePermission(Story.id(1))
        }
        // Who has ended the conversation meanwhile has not asked for it again.
        try ended.expect(.disconnectTapped, at: .seconds(3))
        try ended.expect(.scenePhaseChanged(.active), at: .seconds(4))
    }

    @Test("Without the microphone's permission the walk says so and stops there (RS-08)")
    func noMicrophone() throws {
        var story = Story.begin()
        try story.expect(.launched, at: .zero) {
            Story.show(.preparingDevice)
            Effect.readSecureStorage(Story.id(2), .deviceIdentity)
        }
        try story.expect(.secureStorageRead(Story.id(2), .value(Story.deviceID)), at: .zero) {
            Story.show(.askingForMicrophone)
            Effect.requestMicrophonePermission(Story.id(1))
        }
        let refusal = VoiceAppEvent.microphonePermissionAnswered(Story.id(1), isGranted: false)
        try story.expect(refusal, at: .zero) { Story.show(.microphoneRefused) }
        let late = VoiceAppEvent.microphonePermissionAnswered(Story.id(1), isGranted: true)
        try story.expect(late, at: .zero)
    }

    @Test("An engine that does not start ends the walk; a conversation waits for it (RS-08)")
    func noEngine() throws {
        var story = Story.begin()
        try story.expect(.launched, at: .zero) {
            Story.show(.preparingDevice)
            Effect.readSecureStorage(Story.id(2), .deviceIdentity)
        }
        try Story.finishWalk(&story)
        try story.expect(.voiceEngineAnswered(Story.id(5), isRunning: false), at: .zero) {
            Story.show(.engineFailed)
        }

        var live = try Story.live()
        try live.expect(.audioSessionTaken, at: .seconds(2)) {
            Effect.stopVoiceEngine
            Effect.room(room, .setMicrophone(Story.id(16), isEnabled: false))
            Story.show(.audioTaken)
        }
        try live.expect(.room(room, .microphoneFinished(Story.id(16), nil)), at: .seconds(2))
        try live.expect(.audioSessionReturned, at: .seconds(3)) {
            Effect.startVoiceEngine(Story.id(9))
        }
        try live.expectWake(at: .seconds(4)) { Story.show(.startingEngine) }
        try live.expect(.voiceEngineAnswered(Story.id(9), isRunning: false), at: .seconds(4))
        try live.expectWake(at: .seconds(5)) { Effect.startVoiceEngine(Story.id(13)) }
        try live.expect(.voiceEngineAnswered(Story.id(13), isRunning: false), at: .seconds(5))
        try live.expectWake(at: .seconds(6)) { Effect.startVoiceEngine(Story.id(17)) }
        // Nobody else has the audio now, as far as the app was told.
        try live.expect(.voiceEngineAnswered(Story.id(17), isRunning: false), at: .seconds(6)) {
            Story.show(.engineFailed)
        }
        #expect(live.machine.status == SessionStatus(.engineFailed))
        // The user's return is reason to try again.
        try live.expect(.scenePhaseChanged(.inactive), at: .milliseconds(6_100))
        try live.expect(.scenePhaseChanged(.active), at: .milliseconds(6_200)) {
            Effect.startVoiceEngine(Story.id(21))
        }
        let started = VoiceAppEvent.voiceEngineAnswered(Story.id(21), isRunning: true)
        try live.expect(started, at: .milliseconds(6_300)) {
            Effect.room(room, .setMicrophone(Story.id(20), isEnabled: true))
            Story.show(.connected)
        }
    }

    @Test("A call takes the audio: engine and microphone off, the room stays; then back (RS-15)")
    func call() throws {
        var story = try Story.live()
        try story.expect(.room(room, .remoteAudioSubscribed), at: .seconds(1)) {
            Effect.room(room, .startRenderer)
        }
        try story.expect(.audioSessionTaken, at: .seconds(2)) {
            Effect.stopVoiceEngine
            Effect.room(room, .stopRenderer)
            Effect.room(room, .setMicrophone(Story.id(16), isEnabled: false))
            Story.show(.audioTaken)
        }
        try story.expect(.room(room, .microphoneFinished(Story.id(16), nil)), at: .seconds(2))
        try story.expect(.audioSessionReturned, at: .seconds(3)) {
            Effect.startVoiceEngine(Story.id(9))
        }
        try story.expect(.voiceEngineAnswered(Story.id(9), isRunning: true), at: .seconds(3)) {
            Effect.room(room, .startRenderer)
            Effect.room(room, .setMicrophone(Story.id(20), isEnabled: true))
            Story.show(.connected)
        }
    }

    @Test("Out of sight the room is left and the engine stops; in front both come back (RS-07)")
    func phases() throws {
        var story = try Story.live()
        try story.expect(.scenePhaseChanged(.inactive), at: .seconds(2))
        try story.expect(.scenePhaseChanged(.background), at: .seconds(2)) {
            Effect.room(room, .disconnect(Story.id(16)))
            Effect.writeLog(.disconnected(room, nil))
            Story.show(.disconnected)
            Effect.stopVoiceEngine
        }
        try story.expect(.scenePhaseChanged(.inactive), at: .seconds(9))
        try story.expect(.scenePhaseChanged(.active), at: .seconds(9)) {
            Story.fetch(20)
            Story.show(.fetchingToken)
            Effect.startVoiceEngine(Story.id(9))
        }
    }

    @Test(
        "What the user ended stays ended, with the engine off, until the user asks (RS-05, RS-06)"
    )
    func ended() throws {
        var story = try Story.live()
        try story.expect(.disconnectTapped, at: .seconds(2)) {
            Effect.room(room, .disconnect(Story.id(16)))
            Effect.writeLog(.disconnected(room, nil))
            Story.show(.disconnected)
            Effect.stopVoiceEngine
        }
        try story.expect(.scenePhaseChanged(.background), at: .seconds(3))
        try story.expect(.scenePhaseChanged(.active), at: .seconds(4))
        try story.expect(.pathChanged(.satisfied(.wifi)), at: .seconds(5))
        try story.expect(.connectTapped, at: .seconds(6)) {
            Story.fetch(20)
            Story.show(.fetchingToken)
            Effect.startVoiceEngine(Story.id(9))
        }
    }

    @Test("A walk that the user ends leads to no connection, whatever is still answered (RS-05)")
    func endedWalk() throws {
        var story = Story.begin()
        try story.expect(.launched, at: .zero) {
            Story.show(.preparingDevice)
            Effect.readSecureStorage(Story.id(2), .deviceIdentity)
        }
        try Story.finishWalk(&story)
        try story.expect(.disconnectTapped, at: .zero) {
            Story.show(.disconnected)
            Effect.stopVoiceEngine
        }
        try story.expect(.voiceEngineAnswered(Story.id(5), isRunning: true), at: .zero)
        #expect(story.machine.deadline == nil)
    }

    @Test("A tapped notification connects at once, out of sight and from a cold start (RS-13)")
    func notification() throws {
        var story = Story.begin()
        try story.expect(.scenePhaseChanged(.background), at: .zero)
        try story.expect(.notificationTapped, at: .zero) {
            Story.show(.preparingDevice)
            Effect.readSecureStorage(Story.id(2), .deviceIdentity)
        }
        try story.expect(.launched, at: .zero)
        try Story.finishWalk(&story)
        try story.expect(.voiceEngineAnswered(Story.id(5), isRunning: true), at: .zero) {
            Story.fetch(4)
            Story.show(.fetchingToken)
        }
    }

    @Test("A launch that ends out of sight connects in front, and keeps no engine running (RS-07)")
    func launchOutOfSight() throws {
        var story = Story.begin()
        try story.expect(.launched, at: .zero) {
            Story.show(.preparingDevice)
            Effect.readSecureStorage(Story.id(2), .deviceIdentity)
        }
        try story.expect(.scenePhaseChanged(.background), at: .zero)
        try Story.finishWalk(&story)
        try story.expect(.voiceEngineAnswered(Story.id(5), isRunning: true), at: .zero) {
            Story.show(.disconnected)
            Effect.stopVoiceEngine
        }
        try story.expect(.scenePhaseChanged(.active), at: .seconds(5)) {
            Story.fetch(4)
            Story.show(.fetchingToken)
            Effect.startVoiceEngine(Story.id(9))
        }
    }

    @Test("A lost room hands over to whoever talks offline, its return takes over again (AN-05)")
    func handOver() throws {
        var story = try Story.live()
        try story.expect(.room(room, .disconnected(.network)), at: .seconds(2)) {
            Effect.writeLog(.disconnected(room, .network))
            Effect.room(room, .release)
            Effect.handOverOffline
            Story.show(.reconnecting)
        }
        let options = VoiceAppConfiguration().session.connectOptions
        let next = RoomID(number: 2)
        try story.expectWake(at: .milliseconds(2_200)) {
            Effect.writeLog(.connecting(next))
            Effect.room(next, .create)
            Effect.room(next, .connect(Story.id(16), url: "u", token: "t", options))
        }
        try story.expect(.room(next, .connectFinished(Story.id(16), nil)), at: .seconds(3)) {
            Effect.writeLog(.connected(next))
            Effect.room(next, .setMicrophone(Story.id(20), isEnabled: true))
            Effect.takeBackOnline
            Story.show(.reconnected)
        }
    }
}

@Suite("The voice app with a login (RS-12)")
struct VoiceAppLoginTests {
    /// An app whose user signed in at launch with a token kept from before.
    private func signedIn() throws -> Transcript<VoiceAppCoordinator> {
        var story = Story.begin(.signedIn)
        try story.expect(.launched, at: .zero) {
            Effect.readSecureStorage(Story.id(3), .sessionToken)
        }
        try story.expect(.secureStorageRead(Story.id(3), .value("login")), at: .zero) {
            Story.show(.preparingDevice)
            Effect.readSecureStorage(Story.id(2), .deviceIdentity)
        }
        try Story.finishWalk(&story)
        try story.expect(.voiceEngineAnswered(Story.id(5), isRunning: true), at: .zero) {
            Story.fetch(4, bearer: "login")
            Story.show(.fetchingToken)
        }
        return story
    }

    @Test("The walk begins with the login, and the token request carries it")
    func kept() throws {
        _ = try signedIn()
    }

    @Test("Who is not signed in is asked to, and connects afterwards")
    func signsIn() throws {
        var story = Story.begin(.signedIn)
        try story.expect(.launched, at: .zero) {
            Effect.readSecureStorage(Story.id(3), .sessionToken)
        }
        try story.expect(.secureStorageRead(Story.id(3), .value(nil)), at: .zero) {
            Effect.callAPI(Story.id(7), .passkeyBegin)
        }
        try story.expect(.apiAnswered(Story.id(7), .challenge("c")), at: .zero) {
            Story.show(.signedOut)
            Effect.showSignIn(challenge: "c")
        }
        try story.expect(.signedIn(.passkey(assertion: "a")), at: .seconds(5)) {
            Effect.callAPI(Story.id(11), .passkeyComplete(assertion: "a"))
        }
        let answer = APIAnswer.session(token: "login", timeToLive: .seconds(600))
        try story.expect(.apiAnswered(Story.id(11), answer), at: .seconds(6)) {
            Effect.writeSecureStorage(Story.id(15), .sessionToken, "login")
            Story.show(.preparingDevice)
            Effect.readSecureStorage(Story.id(2), .deviceIdentity)
        }
    }

    @Test("A walk that the user ends at the login leads to no connection (RS-05, RS-12)")
    func endedAtLogin() throws {
        var kept = Story.begin(.signedIn)
        try kept.expect(.launched, at: .zero) {
            Effect.readSecureStorage(Story.id(3), .sessionToken)
        }
        try kept.expect(.disconnectTapped, at: .zero) { Story.show(.disconnected) }
        try kept.expect(.secureStorageRead(Story.id(3), .value("login")), at: .seconds(1))

        var asked = Story.begin(.signedIn)
        try asked.expect(.launched, at: .zero) {
            Effect.readSecureStorage(Story.id(3), .sessionToken)
        }
        try asked.expect(.secureStorageRead(Story.id(3), .value(nil)), at: .zero) {
            Effect.callAPI(Story.id(7), .passkeyBegin)
        }
        try asked.expect(.apiAnswered(Story.id(7), .challenge("c")), at: .zero) {
            Story.show(.signedOut)
            Effect.showSignIn(challenge: "c")
        }
        try asked.expect(.disconnectTapped, at: .seconds(1))
        try asked.expect(.signedIn(.passkey(assertion: "a")), at: .seconds(5)) {
            Effect.callAPI(Story.id(11), .passkeyComplete(assertion: "a"))
        }
        let answer = APIAnswer.session(token: "login", timeToLive: .seconds(600))
        try asked.expect(.apiAnswered(Story.id(11), answer), at: .seconds(6)) {
            Effect.writeSecureStorage(Story.id(15), .sessionToken, "login")
            Story.show(.disconnected)
        }
        try asked.expect(.connectTapped, at: .seconds(9)) {
            Story.show(.preparingDevice)
            Effect.readSecureStorage(Story.id(2), .deviceIdentity)
        }
    }

    @Test("A login that the server refuses is forgotten, and the app is back at the login")
    func refused() throws {
        var story = try signedIn()
        try story.expect(.apiAnswered(Story.id(4), .refused(statusCode: 401)), at: .seconds(1)) {
            Effect.writeLog(.failed(.tokenFailed, code: 401))
            Story.show(.signedOut)
            Effect.writeSecureStorage(Story.id(7), .sessionToken, nil)
            Effect.callAPI(Story.id(11), .passkeyBegin)
            Effect.stopVoiceEngine
        }
    }

    @Test("Another user of the phone gets an identity of their own, once (RS-03, RS-12)")
    func foreignDevice() throws {
        var story = try signedIn()
        var seeds = SeededGenerator(seed: 1)
        var drawn = SeededGenerator(seed: seeds.next())
        let identity = UniqueID(from: &drawn).text
        try story.expect(.apiAnswered(Story.id(4), .foreignDevice), at: .seconds(1)) {
            Effect.writeLog(.failed(.tokenFailed, code: 403))
            Story.show(.preparingDevice)
            Effect.writeSecureStorage(Story.id(6), .deviceIdentity, identity)
            Effect.stopVoiceEngine
        }
        let written = VoiceAppEvent.secureStorageWritten(Story.id(6), isKept: true)
        try story.expect(written, at: .seconds(1)) {
            Story.show(.askingForMicrophone)
            Effect.requestMicrophonePermission(Story.id(9))
        }
        let granted = VoiceAppEvent.microphonePermissionAnswered(Story.id(9), isGranted: true)
        try story.expect(granted, at: .seconds(1)) {
            Story.show(.startingEngine)
            Effect.startVoiceEngine(Story.id(13))
        }
        try story.expect(.voiceEngineAnswered(Story.id(13), isRunning: true), at: .seconds(1)) {
            Effect.callAPI(
                Story.id(8),
                .ephemeralToken(deviceID: identity, bearer: "login", resumeRoom: nil)
            )
            Story.show(.fetchingToken)
        }
        // A server that refuses this one, too, is not asked for ever.
        try story.expect(.apiAnswered(Story.id(8), .foreignDevice), at: .seconds(2)) {
            Effect.writeLog(.failed(.tokenFailed, code: 403))
            Story.show(.preparingDevice)
            Story.show(.deviceIdentityFailed)
            Effect.stopVoiceEngine
        }
    }

    @Test("Logging out leaves the room, forgets the login and stops the engine")
    func loggedOut() throws {
        var story = try signedIn()
        let room = RoomID(number: 1)
        let options = Story.firstOptions
        try story.expect(.apiAnswered(Story.id(4), Story.credentials), at: .seconds(1)) {
            Effect.writeLog(.connecting(room))
            Effect.room(room, .create)
            Effect.room(room, .connect(Story.id(8), url: "u", token: "t", options))
            Story.show(.connecting)
        }
        try story.expect(.logoutTapped, at: .seconds(2)) {
            Effect.writeSecureStorage(Story.id(7), .sessionToken, nil)
            Effect.room(room, .disconnect(Story.id(12)))
            Effect.writeLog(.disconnected(room, nil))
            Story.show(.signedOut)
            Effect.callAPI(Story.id(11), .passkeyBegin)
            Effect.stopVoiceEngine
        }
    }

    @Test("By device identity there is nothing to log out of")
    func deviceIdentity() throws {
        var story = try Story.live()
        try story.expect(.logoutTapped, at: .seconds(2))
    }
}
