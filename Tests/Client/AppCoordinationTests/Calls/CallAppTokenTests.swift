import AppCoordination
import IncomingCalls
import RealtimeVoice
import SansIO
import SansIOTesting
import Testing

private typealias Story = CallAppStory
private typealias Effect = CallAppEffect

@Suite("The calling app: its token for pushes")
struct CallAppTokenTests {
    @Test("Whose token is known late looks for the calls that were missed meanwhile (D-04, VP-05)")
    func registeredLate() throws {
        var story = Story.begin()
        try story.expect(.pushTokenReceived([0xAB]), at: .zero)
        try story.expect(.launched, at: .zero) {
            Effect.readSecureStorage(Story.id(2), .deviceIdentity)
            Effect.readSecureStorage(Story.id(3), .sessionToken)
        }
        try story.expect(.secureStorageRead(Story.id(2), .value(Story.deviceID)), at: .zero)
        let registration = DeviceRegistration(
            voipDeviceToken: try #require(DeviceToken([0xAB])),
            bundleId: "app"
        )
        try story.expect(.secureStorageRead(Story.id(3), .value("login")), at: .zero) {
            Story.server(5, .registerDevice(registration))
            Story.server(6, .missed(after: 0))
            Effect.beginBackgroundTask
        }
        try story.expect(Story.answered(6, .missed([])), at: .seconds(1)) {
            Effect.endBackgroundTask
        }
        try story.expect(Story.answered(5, .refused(statusCode: 503)), at: .seconds(1))
        try story.expectWake(at: .seconds(3)) { Story.server(13, .registerDevice(registration)) }
        try story.expect(Story.answered(13, .accepted), at: .seconds(4)) {
            Story.server(14, .missed(after: 0))
            Effect.beginBackgroundTask
        }
    }

    @Test("A token refused on another user's device has an identity of its own made (VP-03, RS-03)")
    func foreignDevice() throws {
        var seeds = SeededGenerator(seed: 1)
        var drawn = SeededGenerator(seed: seeds.next())
        let identity = UniqueID(from: &drawn).text
        var story = try Story.signedIn()
        let registration = DeviceRegistration(
            voipDeviceToken: try #require(DeviceToken([0xAB])),
            bundleId: "app"
        )
        try story.expect(.pushTokenReceived([0xAB]), at: .seconds(2)) {
            Story.server(5, .registerDevice(registration))
        }
        try story.expect(Story.answered(5, .foreignDevice), at: .seconds(3)) {
            Effect.writeSecureStorage(Story.id(10), .deviceIdentity, identity)
        }
        // A keychain that refuses it is asked again: without an identity nobody can call.
        try story.expect(.secureStorageWritten(Story.id(10), isKept: false), at: .seconds(3))
        let another = UniqueID(from: &drawn).text
        try story.expectWake(at: .seconds(63)) {
            Effect.writeSecureStorage(Story.id(18), .deviceIdentity, another)
        }
    }
}
