import AppCoordination
import IncomingCalls
import RealtimeVoice
import SansIO
import SansIOTesting
import Testing

private typealias Story = CallAppStory
private typealias Effect = CallAppEffect

@Suite("The calling app: its user logs out and signs in")
struct CallAppSignInTests {
    /// An app in front whose user has logged out at 2 s, and is asked to sign in since 3 s.
    private func loggedOut() throws -> Transcript<CallAppCoordinator> {
        var story = try Story.signedIn()
        try story.expect(.logoutTapped, at: .seconds(2)) {
            Story.server(5, .unregisterDevice)
            Effect.writeSecureStorage(Story.id(11), .sessionToken, nil)
            Effect.callAPI(Story.id(19), .passkeyBegin)
        }
        try story.expect(Story.answered(5, .accepted), at: .seconds(2))
        try story.expect(.apiAnswered(Story.id(19), .challenge("c")), at: .seconds(3)) {
            Effect.showSignIn(challenge: "c")
        }
        return story
    }

    /// An app that a push launched with the keychain locked, and that asks to sign in since 1 s.
    private func locked() throws -> Transcript<CallAppCoordinator> {
        var story = try Story.pushed()
        let failed = SecureAnswer.failed
        try story.expect(.secureStorageRead(Story.id(2), failed), at: .milliseconds(500))
        try story.expect(.secureStorageRead(Story.id(3), failed), at: .milliseconds(500)) {
            Effect.callAPI(Story.id(11), .passkeyBegin)
        }
        try story.expect(.apiAnswered(Story.id(11), .challenge("c")), at: .seconds(1)) {
            Effect.showSignIn(challenge: "c")
        }
        return story
    }

    @Test("An app launched before the phone's first unlock signs in at the next call (VP-04)")
    func lockedAtLaunch() throws {
        var story = try locked()
        // Its user unlocks the phone, and nobody says so.
        let push = CallAppEvent.pushReceived(PushID(number: 2), Story.payload("c-2"))
        try story.expect(push, at: .seconds(10)) {
            Effect.system(.reportIncoming(Story.id(12), Story.uuids[1], Story.update))
            Story.memory([(0, "c-1", nil), (10_000, "c-2", nil)])
            Effect.readSecureStorage(Story.id(10), .deviceIdentity)
            Effect.readSecureStorage(Story.id(19), .sessionToken)
        }
        let device = CallAppEvent.secureStorageRead(Story.id(10), .value(Story.deviceID))
        try story.expect(device, at: .seconds(10))
        try story.expect(.secureStorageRead(Story.id(19), .value("login")), at: .seconds(10)) {
            Story.server(20, .status(callId: "c-1"))
            Story.server(28, .status(callId: "c-2"))
            Story.server(6, .missed(after: 0))
            Effect.beginBackgroundTask
        }
    }

    @Test("Who unlocks the phone while a call rings can be let in a moment later (VP-04, VP-05)")
    func unlockedWhileRinging() throws {
        var story = try locked()
        try story.expectWake(at: .milliseconds(2_500)) {
            Effect.readSecureStorage(Story.id(10), .deviceIdentity)
            Effect.readSecureStorage(Story.id(19), .sessionToken)
        }
        let device = CallAppEvent.secureStorageRead(Story.id(10), .value(Story.deviceID))
        try story.expect(device, at: .milliseconds(2_500))
        let login = CallAppEvent.secureStorageRead(Story.id(19), .value("login"))
        try story.expect(login, at: .milliseconds(2_500)) {
            Story.server(12, .status(callId: "c-1"))
            Story.server(6, .missed(after: 0))
            Effect.beginBackgroundTask
        }
    }

    @Test("A phone that is unlocked between two reads has the first one repeated (VP-04, RS-03)")
    func unlockedBetweenReads() throws {
        var app = try Story.pushed().machine
        let answers: [CallAppEvent] = [
            .secureStorageRead(Story.id(2), .failed),
            .secureStorageRead(Story.id(3), .value("login")),
        ]
        let read = Instant.zero.advanced(by: .milliseconds(500))
        for answer in answers { app.handle(answer, at: read) }
        let effects = app.wake(at: read.advanced(by: .seconds(2)))
        #expect(effects.contains(.readSecureStorage(Story.id(10), .deviceIdentity)))
    }

    @Test("Who is asked to sign in during a call is not asked anew by time (RS-12)")
    func askedInFront() throws {
        var app = try Story.pushed().machine
        let answers: [CallAppEvent] = [
            .scenePhaseChanged(.active), .secureStorageRead(Story.id(2), .failed),
            .secureStorageRead(Story.id(3), .failed), .apiAnswered(Story.id(11), .challenge("c")),
        ]
        let read = Instant.zero.advanced(by: .milliseconds(500))
        let asked = answers.flatMap { app.handle($0, at: read) }
        #expect(asked.contains(.showSignIn(challenge: "c")))
        let isReading = app.wake(at: read.advanced(by: .seconds(2))).contains {
            if case .readSecureStorage = $0 { true } else { false }
        }
        #expect(!isReading)
    }

    @Test("A log-out that the keychain refuses is written again (RS-12)")
    func refusedLogout() throws {
        var story = try loggedOut()
        try story.expect(.secureStorageWritten(Story.id(11), isKept: false), at: .seconds(3))
        try story.expectDrawnWake(within: .seconds(1), after: .seconds(3)) {
            Effect.writeSecureStorage(Story.id(27), .sessionToken, nil)
        }
        try story.expect(.secureStorageWritten(Story.id(27), isKept: true), at: .seconds(4))
    }

    @Test("Who signs in learns at once whom they missed meanwhile (VP-05, RS-12)")
    func missedWhileLoggedOut() throws {
        var story = try loggedOut()
        try story.expect(.signedIn(.passkey(assertion: "a")), at: .seconds(90)) {
            Effect.callAPI(Story.id(27), .passkeyComplete(assertion: "a"))
        }
        let session = APIAnswer.session(token: "again", timeToLive: .seconds(600))
        let credentials = CallCredentials(bearer: "again", deviceID: Story.deviceID)
        try story.expect(.apiAnswered(Story.id(27), session), at: .seconds(91)) {
            Effect.writeSecureStorage(Story.id(35), .sessionToken, "again")
            Effect.callServer(Story.id(14), .missed(after: 0), credentials)
            Effect.beginBackgroundTask
        }
        let missed = MissedCall(
            sequence: 8,
            callId: "c-8",
            fromUserId: "u-7",
            fromDisplayName: "花子",
            endedAt: Story.launch,
            reason: .unanswered
        )
        try story.expect(Story.answered(14, .missed([missed])), at: .seconds(91)) {
            Effect.notify(missed)
            Effect.writeStorage(.missedCalls, SealedLine.seal("8"))
            Effect.endBackgroundTask
        }
    }
}
