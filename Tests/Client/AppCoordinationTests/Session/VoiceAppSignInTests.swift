import AppCoordination
import RealtimeVoice
import SansIO
import SansIOTesting
import Testing

private typealias Story = VoiceAppStory
private typealias Effect = VoiceAppEffect

@Suite("The voice app: its login hears of keychain, path and phase (RS-12)")
struct VoiceAppSignInTests {
    @Test("A token that the keychain does not remove at the logout is removed later")
    func removedLater() throws {
        var story = Story.begin(.signedIn)
        try story.expect(.launched, at: .zero) {
            Effect.readSecureStorage(Story.id(3), .sessionToken)
        }
        try story.expect(.secureStorageRead(Story.id(3), .value("login")), at: .zero) {
            Story.show(.preparingDevice)
            Effect.readSecureStorage(Story.id(2), .deviceIdentity)
        }
        try story.expect(.logoutTapped, at: .seconds(1)) {
            Effect.writeSecureStorage(Story.id(7), .sessionToken, nil)
            Story.show(.signedOut)
            Effect.callAPI(Story.id(11), .passkeyBegin)
        }
        let refused = VoiceAppEvent.secureStorageWritten(Story.id(7), isKept: false)
        try story.expect(refused, at: .seconds(1))
        try story.expectDrawnWake(within: .seconds(1), after: .seconds(1)) {
            Effect.writeSecureStorage(Story.id(15), .sessionToken, nil)
        }
        let removed = VoiceAppEvent.secureStorageWritten(Story.id(15), isKept: true)
        try story.expect(removed, at: .seconds(2))
    }

    @Test("Who is asked to sign in without a network is asked with a challenge once there is one")
    func pathReturns() throws {
        var story = Story.begin(.signedIn)
        try story.expect(.launched, at: .zero) {
            Effect.readSecureStorage(Story.id(3), .sessionToken)
        }
        try story.expect(.scenePhaseChanged(.active), at: .zero)
        try story.expect(.secureStorageRead(Story.id(3), .value(nil)), at: .zero) {
            Effect.callAPI(Story.id(7), .passkeyBegin)
        }
        try story.expect(.apiAnswered(Story.id(7), .failed(.offline)), at: .zero) {
            Story.show(.signedOut)
            Effect.showSignIn(challenge: nil)
        }
        try story.expect(.pathChanged(.satisfied(.wifi)), at: .seconds(1)) {
            Effect.callAPI(Story.id(11), .passkeyBegin)
        }
        try story.expect(.apiAnswered(Story.id(11), .challenge("c")), at: .seconds(1)) {
            Effect.showSignIn(challenge: "c")
        }
    }

    /// An app whose user is signed in and was called while the engine started; the call is over.
    private func afterCall() throws -> Transcript<VoiceAppCoordinator> {
        var story = Story.begin(.signedIn)
        try story.expect(.launched, at: .zero) {
            Effect.readSecureStorage(Story.id(3), .sessionToken)
        }
        try story.expect(.secureStorageRead(Story.id(3), .value("login")), at: .zero) {
            Story.show(.preparingDevice)
            Effect.readSecureStorage(Story.id(2), .deviceIdentity)
        }
        try Story.finishWalk(&story)
        try story.expect(.audioSessionTaken, at: .seconds(1)) {
            Story.show(.audioTaken)
            Effect.stopVoiceEngine
        }
        try story.expect(.audioSessionReturned, at: .seconds(30)) {
            Story.show(.startingEngine)
            Effect.startVoiceEngine(Story.id(9))
        }
        return story
    }

    @Test("Who logs out after a call leaves the next user's engine no more tries than others")
    func loggedOutAfterCall() throws {
        var story = try afterCall()
        try story.expect(.logoutTapped, at: .seconds(30)) {
            Effect.writeSecureStorage(Story.id(7), .sessionToken, nil)
            Story.show(.signedOut)
            Effect.callAPI(Story.id(11), .passkeyBegin)
            Effect.stopVoiceEngine
        }
        let removed = VoiceAppEvent.secureStorageWritten(Story.id(7), isKept: true)
        try story.expect(removed, at: .seconds(30))
        try story.expect(.apiAnswered(Story.id(11), .challenge("c")), at: .seconds(30)) {
            Effect.showSignIn(challenge: "c")
        }
        try story.expect(.signedIn(.passkey(assertion: "a")), at: .seconds(60)) {
            Effect.callAPI(Story.id(15), .passkeyComplete(assertion: "a"))
        }
        let answer = APIAnswer.session(token: "login", timeToLive: .seconds(600))
        try story.expect(.apiAnswered(Story.id(15), answer), at: .seconds(61)) {
            Effect.writeSecureStorage(Story.id(19), .sessionToken, "login")
            Story.show(.preparingDevice)
            Story.show(.askingForMicrophone)
            Effect.requestMicrophonePermission(Story.id(13))
        }
        let granted = VoiceAppEvent.microphonePermissionAnswered(Story.id(13), isGranted: true)
        try story.expect(granted, at: .seconds(61)) {
            Story.show(.startingEngine)
            Effect.startVoiceEngine(Story.id(17))
        }
        try story.expect(.voiceEngineAnswered(Story.id(17), isRunning: false), at: .seconds(62)) {
            Story.show(.engineFailed)
        }
    }
}
