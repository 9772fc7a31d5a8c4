import RealtimeVoice
import SansIO
import SansIOTesting
import Testing

private typealias Story = SessionStory
private typealias Effect = RealtimeSession.Effect

@Suite("A session tells a late join of its own from another device (D-08)")
struct RealtimeSessionStrayJoinTests {
    private let evicted = RoomError.duplicateIdentity

    private func lost(_ room: UInt32, _ error: RoomError) -> [Effect] {
        [
            .writeLog(.disconnected(RoomID(number: room), error)),
            Story.order(room, .release),
        ]
    }

    private func givenUp(_ room: UInt32, _ error: RoomError) -> [Effect] {
        [
            .writeLog(.failed(.connecting, code: error.rawValue)),
            Story.order(room, .release),
        ]
    }

    private func connected(_ room: UInt32, microphone operation: UInt32) -> [Effect] {
        [
            .writeLog(.connected(RoomID(number: room))),
            Story.microphone(room, operation, true),
            .takeBackOnline,
            Story.status(.reconnected),
        ]
    }

    /// A connect that began at 10.2 s timed out; the next one was answered at 17.5 s, and heard.
    private func heard(until end: Int64) throws -> Transcript<RealtimeSession> {
        var story = try Story.connected()
        try story.expect(Story.says(1, .disconnected(.network)), at: .seconds(10)) {
            Effect.writeLog(.disconnected(RoomID(number: 1), .network))
            Story.order(1, .stopRenderer)
            Story.order(1, .release)
            Effect.handOverOffline
            Story.status(.reconnecting)
        }
        try story.expectWake(at: .milliseconds(10_200)) { Story.connect(2, operation: 4) }
        try story.expectWake(at: .milliseconds(16_700)) { givenUp(2, .timedOut) }
        try story.expectWake(at: .milliseconds(17_100)) { Story.connect(3, operation: 5) }
        try story.expect(Story.connectFinished(3, 5), at: .milliseconds(17_500)) {
            connected(3, microphone: 6)
        }
        try story.expect(Story.microphoneFinished(3, 6), at: .milliseconds(17_500))
        for second in 18..<end {
            let voice = Story.statistics(3, consents: second, received: 50 * second)
            try story.expect(voice, at: .seconds(second))
        }
        return story
    }

    @Test("A join that comes after its successor was heard is nobody else's, and is retried")
    func afterSuccessor() throws {
        var story = try heard(until: 29)
        try story.expect(Story.says(3, .disconnected(evicted)), at: .seconds(29)) {
            lost(3, evicted)
            Effect.handOverOffline
            Story.status(.reconnecting)
        }
        try story.expectWake(at: .milliseconds(29_200)) { Story.connect(4, operation: 7) }
    }

    @Test("Once it would have come, whoever evicts the session is another device")
    func overdue() throws {
        var story = try heard(until: 31)
        try story.expect(Story.says(3, .disconnected(evicted)), at: .seconds(31)) {
            lost(3, evicted)
            Story.status(.takenOver)
        }
        #expect(story.machine.deadline == nil)
    }

    /// A silent room object was replaced at 9 s; the third one connects when a probe is answered,
    /// and the fourth begins.
    private func pathReturned() throws -> Transcript<RealtimeSession> {
        var configuration = Story.configuration
        configuration.probe.isEnabled = true
        var story = try Story.connected(configuration)
        try story.expect(.probeAnswered(OperationID(number: 1)), at: .milliseconds(1_040))
        // Suspected at 7 s, when the probes begin; the first attempt times out at 15.5 s.
        story.pass(until: .milliseconds(17_001))
        let answered = RealtimeSession.Event.probeAnswered(OperationID(number: 22))
        try story.expect(answered, at: .milliseconds(17_040)) {
            givenUp(3, .cancelled)
            Story.connect(4, operation: 6)
        }
        return story
    }

    @Test("What connected while nobody answered has sent no join: an eviction is another device's")
    func inTheDark() throws {
        var story = try pathReturned()
        try story.expect(Story.connectFinished(4, 6), at: .milliseconds(17_400)) {
            connected(4, microphone: 7)
        }
        try story.expect(Story.says(4, .disconnected(evicted)), at: .seconds(18)) {
            lost(4, evicted)
            Story.status(.takenOver)
        }
    }

    @Test("What began when a probe was answered may have sent one before the path died again")
    func diesAgain() throws {
        var story = try pathReturned()
        // The fourth times out at 23.54 s; the fifth begins in the dark.
        story.pass(until: .milliseconds(24_501))
        let answered = RealtimeSession.Event.probeAnswered(OperationID(number: 37))
        try story.expect(answered, at: .milliseconds(24_540)) {
            givenUp(5, .cancelled)
            Story.connect(6, operation: 8)
        }
        try story.expect(Story.connectFinished(6, 8), at: .milliseconds(24_900)) {
            connected(6, microphone: 9)
        }
        try story.expect(Story.says(6, .disconnected(evicted)), at: .seconds(26)) {
            lost(6, evicted)
            Effect.handOverOffline
            Story.status(.reconnecting)
            Effect.probe(OperationID(number: 38), .roomServer)
        }
        try story.expectWake(at: .milliseconds(26_200)) { Story.connect(7, operation: 10) }
    }

    @Test("What a path notice began may have sent a join, though no probe was answered (D-08)")
    func begunUponNotice() throws {
        var configuration = Story.configuration
        configuration.probe.isEnabled = true
        var story = try Story.connected(configuration)
        try story.expect(.probeAnswered(OperationID(number: 1)), at: .milliseconds(1_040))
        try story.expect(Story.says(1, .disconnected(.network)), at: .seconds(10)) {
            Effect.writeLog(.disconnected(RoomID(number: 1), .network))
            Story.order(1, .stopRenderer)
            Story.order(1, .release)
            Effect.handOverOffline
            Story.status(.reconnecting)
            Effect.probe(OperationID(number: 2), .roomServer)
        }
        // The first attempt is refused, and two more probes are lost.
        story.pass(until: .milliseconds(11_001))
        try story.expect(Story.connectFinished(2, 4, .network), at: .milliseconds(11_100)) {
            givenUp(2, .network)
        }
        try story.expect(.pathChanged(.satisfied(.cellular)), at: .milliseconds(11_200)) {
            Story.connect(3, operation: 5)
        }
        // The third times out at 17.7 s; the fourth begins in the dark.
        story.pass(until: .milliseconds(18_001))
        try story.expectWake(at: .milliseconds(18_100)) { Story.connect(4, operation: 6) }
        try story.expect(Story.connectFinished(4, 6), at: .milliseconds(18_400)) {
            connected(4, microphone: 7)
        }
        try story.expect(Story.says(4, .disconnected(evicted)), at: .seconds(20)) {
            lost(4, evicted)
            Effect.handOverOffline
            Story.status(.reconnecting)
            Effect.probe(OperationID(number: 19), .roomServer)
        }
    }

    @Test("The SDK's own join, on its way when its room object is let go of, may come late, too")
    func joinOfTheSDK() throws {
        var configuration = Story.configuration
        configuration.probe.isEnabled = true
        var story = try Story.connected(configuration)
        try story.expect(.probeAnswered(OperationID(number: 1)), at: .milliseconds(1_040))
        try story.expect(Story.says(1, .reconnecting), at: .seconds(3)) {
            Effect.writeLog(.reconnect(RoomID(number: 1), .reconnecting))
            Effect.handOverOffline
            Story.status(.reconnecting)
            Effect.probe(OperationID(number: 2), .roomServer)
        }
        // The second room object connects in the dark, since 13 s.
        story.pass(until: .milliseconds(13_501))
        let answered = RealtimeSession.Event.probeAnswered(OperationID(number: 23))
        try story.expect(answered, at: .milliseconds(13_540)) {
            givenUp(2, .cancelled)
            Story.connect(3, operation: 5)
        }
        try story.expect(Story.connectFinished(3, 5), at: .milliseconds(13_900)) {
            connected(3, microphone: 6)
        }
        try story.expect(Story.says(3, .disconnected(evicted)), at: .seconds(15)) {
            lost(3, evicted)
            Effect.handOverOffline
            Story.status(.reconnecting)
            Effect.probe(OperationID(number: 24), .roomServer)
        }
    }
}
