import AppCoordination
import IncomingCalls
import RealtimeVoice
import SansIO
import SansIOTesting
import Testing

private typealias Story = CallAppStory
private typealias Effect = CallAppEffect

@Suite("The calling app: its user and the microphone")
struct CallAppMicrophoneTests {
    private let uuid = CallAppStory.uuids[0]

    /// An app in front since 3 s whose user is signed in, has not decided and is being asked (1).
    private func asking() throws -> Transcript<CallAppCoordinator> {
        var story = Story.begin(microphone: .undecided)
        try story.expect(.launched, at: .zero) {
            Effect.readSecureStorage(Story.id(2), .deviceIdentity)
            Effect.readSecureStorage(Story.id(3), .sessionToken)
        }
        // Nobody is asked before they are signed in.
        try story.expect(.scenePhaseChanged(.active), at: .seconds(1))
        try story.expect(.scenePhaseChanged(.inactive), at: .seconds(2))
        let device = CallAppEvent.secureStorageRead(Story.id(2), .value(Story.deviceID))
        try story.expect(device, at: .seconds(2))
        try story.expect(.secureStorageRead(Story.id(3), .value("login")), at: .seconds(2)) {
            Story.server(6, .missed(after: 0))
            Effect.beginBackgroundTask
        }
        try story.expect(Story.answered(6, .missed([])), at: .seconds(2)) {
            Effect.endBackgroundTask
        }
        try story.expect(.scenePhaseChanged(.active), at: .seconds(3)) {
            Story.server(14, .missed(after: 0))
            Effect.requestMicrophonePermission(Story.id(1))
            Effect.beginBackgroundTask
        }
        // The alert makes the app inactive, and is the only one.
        try story.expect(.scenePhaseChanged(.inactive), at: .seconds(3))
        try story.expect(Story.answered(14, .missed([])), at: .seconds(3)) {
            Effect.endBackgroundTask
        }
        return story
    }

    private let dialled = CallAppEvent.dialled(contactId: "u-9", name: "次郎", hasVideo: false)
    /// The order to the system to start the call that was dialled.
    private var start: Effect {
        .system(.request(Story.id(4), .start(uuid, handle: "u-9", hasVideo: false)))
    }

    @Test("Who is signed in and sees the app is asked for the microphone, once (RS-08)")
    func asked() throws {
        var story = try asking()
        let granted = CallAppEvent.microphonePermissionAnswered(Story.id(1), isGranted: true)
        try story.expect(granted, at: .seconds(5))
        try story.expect(.scenePhaseChanged(.active), at: .seconds(5)) {
            Story.server(22, .missed(after: 0))
            Effect.beginBackgroundTask
        }
        try story.expect(Story.answered(22, .missed([])), at: .seconds(5)) {
            Effect.endBackgroundTask
        }
        try story.expect(dialled, at: .seconds(6)) { start }
    }

    @Test("Who calls somebody while they are asked calls once they have allowed it (VP-09)")
    func dialledWhileAsked() throws {
        for isGranted in [true, false] {
            var story = try asking()
            try story.expect(dialled, at: .seconds(4))
            let answer = CallAppEvent.microphonePermissionAnswered(
                Story.id(1),
                isGranted: isGranted
            )
            let outcome = isGranted ? start : Effect.explainMicrophone(.refused)
            try story.expect(answer, at: .seconds(5)) { outcome }
            // An answer to a question that is no longer asked says nothing.
            try story.expect(answer, at: .seconds(6))
        }
    }

    @Test("Who leaves the app while they are asked does not call any more (VP-09)")
    func leftWhileAsked() throws {
        var story = try asking()
        try story.expect(dialled, at: .seconds(4))
        try story.expect(.scenePhaseChanged(.background), at: .seconds(5))
        let granted = CallAppEvent.microphonePermissionAnswered(Story.id(1), isGranted: true)
        try story.expect(granted, at: .seconds(60))
    }

    @Test("Who has refused it calls nobody, and is told why each time (VP-09, RS-08)")
    func refusedDial() throws {
        var story = Story.begin(microphone: .refused)
        for second in 1...2 as ClosedRange<Int64> {
            try story.expect(dialled, at: .seconds(second)) {
                Effect.explainMicrophone(.refused)
            }
        }
        #expect(story.machine.calls.isEmpty)
    }

    /// A call that rang on a locked phone and was answered at 1 s; nobody has asked for the microphone.
    private func answeredLocked() throws -> Transcript<CallAppCoordinator> {
        var story = try Story.ready(microphone: .undecided)
        let answer = SystemCallAction.answer(uuid)
        try story.expect(.actionRequested(ActionID(number: 1), answer), at: .seconds(1)) {
            Effect.configureAudio
            Effect.announce(.answered(Story.description(uuid)))
            Effect.explainMicrophone(.openApp)
        }
        try story.expect(Story.answered(12, .status(.ringing())), at: .milliseconds(1_500))
        return story
    }

    @Test("Nobody is asked on the lock screen: the app says that it is to be opened, once (VP-05)")
    func answerLocked() throws {
        var story = try answeredLocked()
        // It is on its way to the front.
        try story.expect(.scenePhaseChanged(.inactive), at: .seconds(2))
        try story.expect(.scenePhaseChanged(.active), at: .seconds(3)) {
            Story.server(14, .missed(after: 0))
            Effect.requestMicrophonePermission(Story.id(1))
            Effect.beginBackgroundTask
        }
        let granted = CallAppEvent.microphonePermissionAnswered(Story.id(1), isGranted: true)
        try story.expect(granted, at: .milliseconds(3_400)) {
            Story.server(20, .offer(callId: "c-1"))
        }
    }

    @Test("An app that the answer brings to the front asks when it is there (VP-05)")
    func answerUnlocked() throws {
        var story = try Story.ready(microphone: .undecided)
        try story.expect(.scenePhaseChanged(.inactive), at: .milliseconds(900))
        let answer = SystemCallAction.answer(uuid)
        try story.expect(.actionRequested(ActionID(number: 1), answer), at: .seconds(1)) {
            Effect.configureAudio
            Effect.announce(.answered(Story.description(uuid)))
        }
        try story.expect(.scenePhaseChanged(.active), at: .milliseconds(1_200)) {
            Story.server(14, .missed(after: 0))
            Effect.requestMicrophonePermission(Story.id(1))
            Effect.beginBackgroundTask
        }
        // Who leaves it there is told that the call still waits.
        try story.expect(.scenePhaseChanged(.background), at: .seconds(2)) {
            Effect.explainMicrophone(.openApp)
        }
    }

    @Test("Who has refused it and answers is told why; the call is over on both sides (VP-05)")
    func refusedAnswer() throws {
        var story = try Story.ready(microphone: .refused)
        let answer = SystemCallAction.answer(uuid)
        try story.expect(.actionRequested(ActionID(number: 1), answer), at: .seconds(1)) {
            Effect.configureAudio
            Effect.announce(.answered(Story.description(uuid)))
            Effect.explainMicrophone(.refused)
            Effect.system(.fail(ActionID(number: 1)))
            Effect.system(.reportEnded(uuid, .failed))
            Effect.announce(.ended(uuid, callId: "c-1", .failed))
            Effect.writeCallLog(.ended(.failed))
            Story.memory([(0, "c-1", nil), (1_000, "c-1", .failed)])
            Effect.cancelAPI(Story.id(12))
            Story.server(20, .end(callId: "c-1", reason: .failed))
            Story.server(14, .missed(after: 0))
            Effect.beginBackgroundTask
        }
    }

    @Test("What the user reads of the microphone names what they have to do")
    func texts() {
        #expect(MicrophoneNotice.refused.text.contains("設定"))
        #expect(MicrophoneNotice.openApp.text.contains("アプリを開いて"))
    }
}
