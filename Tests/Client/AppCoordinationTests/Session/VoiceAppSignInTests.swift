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
        try story.expectWake(at: .seconds(2)) {
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
}
