import AppCoordination
import IncomingCalls
import RealtimeVoice
import SansIO
import SansIOTesting
import Testing

private typealias Story = CallAppStory
private typealias Effect = CallAppEffect

@Suite("The calling app: somebody is gone")
struct CallAppPartingTests {
    private let line = CallAppStory.line
    private let room = CallAppStory.room

    /// When the app ends a conversation whose other side has left after 3 s, in seconds.
    ///
    /// Its own media live, and the server says nothing.
    private func end(isHeard: Bool) throws -> Int64? {
        var app = try Story.talking().machine
        for second in 3..<90 as Range<Int64> {
            let now = Instant.zero.advanced(by: .seconds(second))
            while let due = app.deadline?.instant, due < now { app.wake(at: due) }
            var statistics = RoomStatistics()
            statistics.consentResponses = second
            statistics.packetsSent = 50 * second
            statistics.packetsReceived = isHeard ? 50 : 0
            statistics.othersPresent = second == 3 ? 1 : 0
            app.handle(.room(line, room, .statistics(statistics)), at: now)
            if app.calls.isEmpty { return second }
        }
        return nil
    }

    @Test("Who was heard and has left has a minute to come back, others have the time of a join")
    func otherGone() throws {
        #expect(try end(isHeard: true) == 65)
        #expect(try end(isHeard: false) == 32)
    }

    @Test("A phone that has been without a network for 80 s ends its call (VP-05)")
    func networkGone() throws {
        var app = try Story.talking().machine
        let lost = Instant.zero.advanced(by: .seconds(3))
        app.handle(.pathChanged(.unsatisfied), at: lost)
        var story = Transcript(app)
        story.pass(until: .seconds(83))
        #expect(story.machine.calls.count == 1)
        story.pass(until: .milliseconds(83_001))
        #expect(story.machine.calls.isEmpty)
    }

    @Test("An app that died in a call tells the server as soon as it knows who it is (VP-05)")
    func processGone() throws {
        var memory = CallMemory()
        memory.enter("c-1", at: Story.launch)
        var story = Story.begin(restoring: CallAppStorage(callMemory: memory.stored))
        try story.expect(.launched, at: .zero) {
            Effect.readSecureStorage(Story.id(2), .deviceIdentity)
            Effect.readSecureStorage(Story.id(3), .sessionToken)
            Effect.beginBackgroundTask
        }
        try story.expect(.secureStorageRead(Story.id(2), .value(Story.deviceID)), at: .zero)
        try story.expect(.secureStorageRead(Story.id(3), .value("login")), at: .zero) {
            Story.server(4, .end(callId: "c-1", reason: .failed))
            Story.server(6, .missed(after: 0))
        }
        try story.expect(Story.answered(6, .missed([])), at: .seconds(1))
        try story.expect(Story.answered(4, .accepted), at: .seconds(2)) {
            Story.memory([(2_000, "c-1", .failed)])
            Effect.endBackgroundTask
        }
    }

    @Test("Who logs out before the keychain is read leaves no hang-up untold (VP-05, RS-12)")
    func loggedOutUnread() throws {
        var memory = CallMemory()
        memory.leave("c-1", .hungUp, at: Story.launch)
        var story = Story.begin(restoring: CallAppStorage(callMemory: memory.stored))
        try story.expect(.launched, at: .zero) {
            Effect.readSecureStorage(Story.id(2), .deviceIdentity)
            Effect.readSecureStorage(Story.id(3), .sessionToken)
            Effect.beginBackgroundTask
        }
        try story.expect(.logoutTapped, at: .milliseconds(10))
        try story.expect(.secureStorageRead(Story.id(3), .value("login")), at: .milliseconds(20))
        let device = CallAppEvent.secureStorageRead(Story.id(2), .value(Story.deviceID))
        try story.expect(device, at: .milliseconds(30)) {
            Story.server(4, .end(callId: "c-1", reason: .hungUp))
            Story.server(6, .missed(after: 0))
            Story.server(5, .unregisterDevice)
            Effect.writeSecureStorage(Story.id(11), .sessionToken, nil)
            Effect.callAPI(Story.id(19), .passkeyBegin)
            Effect.cancelAPI(Story.id(6))
        }
        try story.expect(Story.answered(4, .accepted), at: .seconds(1)) {
            Story.memory([(1_000, "c-1", .hungUp)])
            Effect.endBackgroundTask
        }
    }
}
