import RealtimeVoice
import SansIO
import SansIOTesting
import Testing

private typealias Story = SessionStory
private typealias Effect = RealtimeSession.Effect

@Suite("A room whose agent is heard is not given up for a microphone before TCP gets through")
struct RealtimeSessionOpeningTests {
    /// Statistics that show the agent's voice and none of the user's.
    private func hear(
        _ story: inout Transcript<RealtimeSession>,
        seconds: Range<Int64>
    ) throws {
        for second in seconds {
            let voice = Story.statistics(1, consents: second, received: 50 * second)
            try story.expect(voice, at: .milliseconds(second * 1_000 + 500))
        }
    }

    /// A session that hears its agent, and whose track the server has not taken by 7 s.
    ///
    /// It asks whether TCP gets through, and the user reads that nobody hears them.
    private func asking() throws -> Transcript<RealtimeSession> {
        var story = try Story.connected(opensMicrophone: false)
        try hear(&story, seconds: 1..<7)
        try story.expectWake(at: .seconds(7)) {
            Story.fetch(4, resume: "room-1")
            Story.status(.reconnecting)
        }
        return story
    }

    @Test("Without TCP the room stays, and once it gets through another one takes over (D-21)")
    func waitsForTCP() throws {
        var story = try asking()
        try hear(&story, seconds: 7..<12)
        try story.expectWake(at: .seconds(12)) { Story.fetch(5, resume: "room-1") }
        try hear(&story, seconds: 12..<13)
        // The order has taken too long, and is given again.
        try story.expectWake(at: .seconds(13))
        try hear(&story, seconds: 13..<14)
        try story.expectWake(at: .seconds(14)) { Story.microphone(1, 6, true) }
        try story.expect(Story.answered(5, Story.credentials()), at: .milliseconds(14_200)) {
            Effect.cancelAPI(OperationID(number: 4))
            Effect.handOverOffline
        }
        try hear(&story, seconds: 14..<16)
        try story.expectWake(at: .milliseconds(16_200)) {
            Effect.writeLog(.failed(.reconnecting, code: RoomError.timedOut.rawValue))
            Story.order(1, .stopRenderer)
            Story.order(1, .release)
            Story.connect(2, operation: 7)
        }
    }

    @Test("A track that the server takes after all ends the question, however often it failed")
    func openedMeanwhile() throws {
        var story = try asking()
        let failed = Effect.writeLog(.microphoneFailed(RoomID(number: 1), .timedOut))
        for turn in 0..<3 as Range<Int64> {
            let operation = turn == 0 ? 3 : UInt32(4 + turn)
            let failure = Story.microphoneFinished(1, operation, .timedOut)
            try story.expect(failure, at: .milliseconds(7_100 + 1_100 * turn)) { failed }
            try story.expectWake(at: .milliseconds(8_100 + 1_100 * turn)) {
                Story.microphone(1, UInt32(5 + turn), true)
            }
        }
        try story.expect(Story.microphoneFinished(1, 7), at: .milliseconds(10_400)) {
            Effect.cancelAPI(OperationID(number: 4))
            Story.status(.connected)
        }
    }

    @Test("An SDK that finds signalling dead by itself ends the question")
    func reconnects() throws {
        var story = try asking()
        try story.expect(Story.says(1, .reconnectStarted(.quick)), at: .seconds(8)) {
            Effect.writeLog(.reconnect(RoomID(number: 1), .reconnectStarted(.quick)))
            Effect.cancelAPI(OperationID(number: 4))
        }
    }

    @Test("Who mutes meanwhile, or leaves, waits for no answer")
    func muted() throws {
        var story = try asking()
        var muted = story
        try muted.expect(.muteChanged(isMuted: true), at: .seconds(8)) {
            Effect.cancelAPI(OperationID(number: 4))
            Story.status(.connected)
        }
        try story.expect(.disconnectRequested, at: .seconds(8)) {
            Effect.cancelAPI(OperationID(number: 4))
            Story.order(1, .stopRenderer)
            Story.order(1, .disconnect(OperationID(number: 5)))
            Effect.writeLog(.disconnected(RoomID(number: 1), nil))
            Story.status(.disconnected)
        }
    }
}
