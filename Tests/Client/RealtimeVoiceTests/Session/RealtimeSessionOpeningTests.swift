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

    /// The microphone fails thrice to open, from 7.1 s on; a fourth order (7) is out.
    private func failThrice(_ story: inout Transcript<RealtimeSession>) throws {
        let failed = Effect.writeLog(.microphoneFailed(RoomID(number: 1), .timedOut))
        for turn in 0..<3 as Range<Int64> {
            let operation = turn == 0 ? 3 : UInt32(4 + turn)
            let failure = Story.microphoneFinished(1, operation, .timedOut)
            try story.expect(failure, at: .milliseconds(7_100 + 1_100 * turn)) { failed }
            try story.expectWake(at: .milliseconds(8_100 + 1_100 * turn)) {
                Story.microphone(1, UInt32(5 + turn), true)
            }
        }
    }

    @Test("A track that the server takes after all ends the question, however often it failed")
    func openedMeanwhile() throws {
        var story = try asking()
        try failThrice(&story)
        try story.expect(Story.microphoneFinished(1, 7), at: .milliseconds(10_400)) {
            Effect.cancelAPI(OperationID(number: 4))
            Story.status(.connected)
        }
    }

    /// A session that asks, and whose microphone has failed thrice to open; a fourth order is out.
    ///
    /// Packets have been counted, so that a confirmation alone proves nothing.
    private func failing() throws -> Transcript<RealtimeSession> {
        var story = try asking()
        let counted = Story.statistics(1, consents: 7, received: 350, sent: 5)
        try story.expect(counted, at: .milliseconds(7_050))
        try failThrice(&story)
        return story
    }

    @Test("Who mutes after it has failed thrice keeps the agent (D-21)")
    func mutedAfterFailures() throws {
        var story = try failing()
        try story.expect(.muteChanged(isMuted: true), at: .milliseconds(10_350)) {
            Effect.cancelAPI(OperationID(number: 4))
            Story.status(.connected)
        }
        try story.expect(Story.microphoneFinished(1, 7, .timedOut), at: .milliseconds(10_400)) {
            Effect.writeLog(.microphoneFailed(RoomID(number: 1), .timedOut))
        }
        try story.expectWake(at: .milliseconds(11_400)) { Story.microphone(1, 8, false) }
        try story.expect(Story.microphoneFinished(1, 8), at: .milliseconds(11_400))
        let heard = Story.statistics(1, consents: 8, received: 400, sent: 5)
        try story.expect(heard, at: .milliseconds(11_500))
    }

    @Test("However often it failed, an SDK that reconnects by itself is let (D-21)")
    func reconnectsAfterFailures() throws {
        var story = try failing()
        try story.expect(Story.says(1, .reconnectStarted(.quick)), at: .milliseconds(10_350)) {
            Effect.writeLog(.reconnect(RoomID(number: 1), .reconnectStarted(.quick)))
            Effect.cancelAPI(OperationID(number: 4))
        }
        try Story.resumes(&story, at: .milliseconds(10_500))
        try story.expect(Story.microphoneFinished(1, 7), at: .milliseconds(10_600))
    }

    @Test("A gap in the agent's voice is no reason to give up the room meanwhile (D-21)")
    func gap() throws {
        var story = try asking()
        let silence = Story.statistics(1, consents: 7, received: 300)
        try story.expect(silence, at: .milliseconds(7_500))
        try hear(&story, seconds: 8..<10)
    }

    @Test("Who mutes and unmutes meanwhile reads at once that nobody hears them (K-01c)")
    func unmutedAgain() throws {
        var story = try asking()
        try story.expect(.muteChanged(isMuted: true), at: .seconds(8)) {
            Effect.cancelAPI(OperationID(number: 4))
            Story.status(.connected)
        }
        try story.expect(.muteChanged(isMuted: false), at: .milliseconds(8_100)) {
            Story.fetch(5, resume: "room-1")
            Story.status(.reconnecting)
        }
    }

    @Test("While the app's own server is away the SDK has to try, once (K-01b)")
    func serverAway() throws {
        var story = try Story.resumedWithProbes(opensMicrophone: false)
        try hear(&story, seconds: 3..<4)
        try story.expectWake(at: .milliseconds(4_600)) { Story.status(.connected) }
        try hear(&story, seconds: 5..<8)
        try story.expectWake(at: .milliseconds(8_600)) {
            Story.fetch(4, resume: "room-1")
            Story.status(.reconnecting)
        }
        try hear(&story, seconds: 9..<12)
        // The order has taken too long, and is given again.
        try story.expectWake(at: .seconds(13))
        try story.expectWake(at: .milliseconds(13_600)) {
            Story.fetch(5, resume: "room-1")
            Effect.probe(OperationID(number: 4), .roomServer)
        }
        try story.expect(.probeAnswered(OperationID(number: 4)), at: .milliseconds(13_650))
        try story.expectWake(at: .seconds(14)) { Story.microphone(1, 6, true) }
        try story.expectWake(at: .milliseconds(14_100)) {
            Effect.probe(OperationID(number: 5), .other)
        }
        try story.expectWake(at: .milliseconds(14_600)) {
            Effect.probe(OperationID(number: 6), .roomServer)
        }
        try story.expect(.probeAnswered(OperationID(number: 6)), at: .milliseconds(14_650))
        try story.expectWake(at: .milliseconds(15_100)) {
            Effect.probe(OperationID(number: 7), .other)
        }
        try story.expectWake(at: .milliseconds(15_600)) {
            Effect.probe(OperationID(number: 8), .roomServer)
        }
        try story.expect(.probeAnswered(OperationID(number: 8)), at: .milliseconds(15_650)) {
            Story.order(1, .resume)
        }
        try story.expectWake(at: .milliseconds(16_100)) {
            Effect.probe(OperationID(number: 9), .other)
        }
        try hear(&story, seconds: 16..<17)
        try story.expect(Story.says(1, .reconnectStarted(.quick)), at: .milliseconds(16_550)) {
            Effect.writeLog(.reconnect(RoomID(number: 1), .reconnectStarted(.quick)))
            Effect.cancelAPI(OperationID(number: 4))
            Effect.cancelAPI(OperationID(number: 5))
        }
    }

    @Test("A publication that the server answers after all shows that signalling lives (D-06)")
    func openedAfterResume() throws {
        var story = try Story.connected(opensMicrophone: false)
        try Story.reconnects(&story, at: .seconds(2))
        try Story.resumes(&story, at: .milliseconds(2_200))
        try story.expect(.muteChanged(isMuted: true), at: .seconds(3))
        try story.expect(.muteChanged(isMuted: false), at: .milliseconds(3_100))
        try hear(&story, seconds: 3..<4)
        try story.expectWake(at: .milliseconds(4_200)) { Story.status(.connected) }
        try hear(&story, seconds: 4..<8)
        try story.expectWake(at: .milliseconds(8_200)) {
            Story.fetch(4, resume: "room-1")
            Story.status(.reconnecting)
        }
        try story.expect(Story.microphoneFinished(1, 3), at: .seconds(9)) {
            Effect.cancelAPI(OperationID(number: 4))
            Story.status(.connected)
        }
    }

    @Test(
        "Over round trips of 3 s a room has four of them to open, lost as it looks at 6 s (K-01c)"
    )
    func longPath() throws {
        var configuration = Story.configuration
        configuration.probe.isEnabled = true
        var story = try Story.connected(configuration, opensMicrophone: false)
        try story.expect(.probeAnswered(OperationID(number: 1)), at: .seconds(4))
        for second in 4..<7 as Range<Int64> {
            let consents = Story.statistics(1, consents: second)
            try story.expect(consents, at: .milliseconds(second * 1_000 + 500))
        }
        try story.expectWake(at: .seconds(7)) {
            Effect.handOverOffline
            Story.status(.reconnecting)
            Effect.probe(OperationID(number: 2), .roomServer)
        }
        var session = story.machine
        var released: Instant?
        while released == nil, let deadline = session.deadline {
            let effects = session.wake(at: deadline.instant)
            if effects.contains(Story.order(1, .release)) { released = deadline.instant }
        }
        #expect(released == .zero.advanced(by: .seconds(13)))
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
