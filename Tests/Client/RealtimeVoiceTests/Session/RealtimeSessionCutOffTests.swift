import RealtimeVoice
import SansIO
import SansIOTesting
import Testing

private typealias Story = SessionStory
private typealias Effect = RealtimeSession.Effect
private typealias Event = RealtimeSession.Event

@Suite("A server that sends by a dead way is no agent that has gone (D-18, D-22)")
struct RealtimeSessionCutOffTests {
    private var probing: RealtimeSessionConfiguration {
        var configuration = Story.configuration
        configuration.probe.isEnabled = true
        return configuration
    }

    /// The probe of that number in the outage; the one before it went out with the first connect.
    private func probe(_ number: UInt32) -> Effect {
        .probe(OperationID(number: number + 1), number % 2 == 1 ? .roomServer : .other)
    }

    /// Statistics after so many seconds in which everything came in.
    private func voice(_ second: Int64) -> Event {
        Story.statistics(1, consents: second, received: second * 50, serverChecks: second)
    }

    /// Statistics after so many seconds of which only checks were answered since 4 s.
    private func answers(_ second: Int64, serverChecks: Int64 = 4) -> Event {
        Story.statistics(1, consents: second, received: 200, serverChecks: serverChecks)
    }

    /// The app's own server is asked whether TCP gets through, as operation 4.
    private let asks = Story.fetch(4, resume: "room-1")

    /// Nobody waits for its answer any more.
    private let cancels = Effect.cancelAPI(OperationID(number: 4))

    /// The room object is let go of, and one for the same room connects.
    private func rejoins(cancelling: Bool = true) -> [Effect] {
        var effects = [Effect.writeLog(.failed(.reconnecting, code: RoomError.timedOut.rawValue))]
        if cancelling { effects.append(cancels) }
        effects.append(Story.order(1, .stopRenderer))
        effects.append(Story.order(1, .release))
        return effects + Story.connect(2, operation: 5)
    }

    /// The room object is let go of, and another agent called.
    private func startsAnew(_ operation: UInt32 = 5) -> [Effect] {
        [
            .writeLog(.failed(.reconnecting, code: RoomError.timedOut.rawValue)),
            Story.order(1, .stopRenderer), Story.order(1, .release), Story.fetch(operation),
            .handOverOffline, Story.status(.reconnecting),
        ]
    }

    /// A session that heard voice and the server's checks until 4 s, and only answers since.
    ///
    /// At 9 s it asks its own server, and at 10 s it says that voice is lost.
    private func cutOff(
        _ configuration: RealtimeSessionConfiguration = Story.configuration,
        timeToLive: Duration = .seconds(600)
    ) throws -> Transcript<RealtimeSession> {
        var story = try Story.connected(configuration, timeToLive: timeToLive)
        for second in 2...4 as ClosedRange<Int64> {
            try story.expect(voice(second), at: .seconds(second))
        }
        for second in 5...8 as ClosedRange<Int64> {
            try story.expect(answers(second), at: .seconds(second))
        }
        try story.expect(answers(9), at: .seconds(9)) { asks }
        try story.expect(answers(10), at: .seconds(10)) {
            Effect.handOverOffline
            Story.status(.reconnecting)
            configuration.probe.isEnabled ? [probe(1)] : []
        }
        return story
    }

    @Test(
        "The room is kept for as long as ICE may need, whatever the SDK tries, then joined again",
        arguments: [0, 17] as [Int64]
    )
    func kept(resumesAt: Int64) throws {
        var story = try cutOff()
        for second in 11...27 as ClosedRange<Int64> {
            try story.expect(answers(second), at: .seconds(second))
            guard second == resumesAt else { continue }
            let begins = RoomCallback.reconnectStarted(.quick)
            try story.expect(Story.says(1, begins), at: .milliseconds(second * 1_000 + 500)) {
                Effect.writeLog(.reconnect(RoomID(number: 1), begins))
            }
        }
        try story.expectWake(at: .seconds(28)) { rejoins() }
    }

    @Test("A room that has had no check yet is known to be cut off by the checks of the one before")
    func cutOffAtOnce() throws {
        var story = try Story.connected()
        try story.expect(voice(2), at: .seconds(2))
        try story.expect(Story.says(1, .disconnected(.network)), at: .seconds(3)) {
            Effect.writeLog(.disconnected(RoomID(number: 1), .network))
            Story.order(1, .stopRenderer)
            Story.order(1, .release)
            Effect.handOverOffline
            Story.status(.reconnecting)
        }
        try story.expectWake(at: .milliseconds(3_200)) { Story.connect(2, operation: 4) }
        try story.expect(Story.says(2, .remoteAudioSubscribed), at: .milliseconds(3_900))
        try story.expect(Story.connectFinished(2, 4), at: .seconds(4)) {
            Effect.writeLog(.connected(RoomID(number: 2)))
            Story.order(2, .startRenderer)
            Story.microphone(2, 5, true)
            Effect.takeBackOnline
            Story.status(.reconnected)
        }
        try story.expect(Story.microphoneFinished(2, 5), at: .seconds(4))
        func hear(_ second: Int64, @EffectList<Effect> _ expected: () -> [Effect]) throws {
            let answers = Story.statistics(2, consents: second, received: 50, serverChecks: 0)
            try story.expect(answers, at: .seconds(second), expected)
        }
        try hear(5) {}
        try story.expectWake(at: .seconds(6)) { Story.status(.connected) }
        for second in 6...9 as ClosedRange<Int64> { try hear(second) {} }
        try hear(10) { Story.fetch(6, resume: "room-1") }
        try hear(11) {
            Effect.handOverOffline
            Story.status(.reconnecting)
        }
    }

    @Test("Voice that ICE brings back finds its room and its agent")
    func returns() throws {
        var story = try cutOff()
        for second in 11...21 as ClosedRange<Int64> {
            try story.expect(answers(second), at: .seconds(second))
        }
        try story.expect(voice(22), at: .seconds(22)) {
            cancels
            Effect.takeBackOnline
            Story.status(.reconnected)
        }
        try story.expectWake(at: .seconds(24)) { Story.status(.connected) }
        for second in 25...60 as ClosedRange<Int64> {
            try story.expect(voice(second), at: .seconds(second))
        }
    }

    @Test("Once the server is heard, an agent that is not has gone: the next statistics say so")
    func goneMeanwhile() throws {
        var story = try cutOff()
        for second in 11...21 as ClosedRange<Int64> {
            try story.expect(answers(second), at: .seconds(second))
        }
        // A check of the server's is life enough, answers may come later.
        try story.expect(answers(21, serverChecks: 5), at: .seconds(22)) {
            cancels
            Effect.takeBackOnline
            Story.status(.reconnected)
        }
        try story.expect(answers(22, serverChecks: 5), at: .seconds(23)) { startsAnew() }
    }

    @Test(
        "An agent that falls silent while the server's checks go on has gone, though one is lost",
        arguments: [(6, true), (5, false)] as [(Int64, Bool)]
    )
    func gone(latestCheck: Int64, isGone: Bool) throws {
        var story = try Story.connected()
        for second in 2...4 as ClosedRange<Int64> {
            try story.expect(voice(second), at: .seconds(second))
        }
        for second in 5...9 as ClosedRange<Int64> {
            let silence = answers(second, serverChecks: min(second, latestCheck))
            try story.expect(silence, at: .seconds(second))
        }
        let silence = answers(10, serverChecks: latestCheck)
        guard isGone else {
            return try story.expect(silence, at: .seconds(10)) {
                asks
                Effect.handOverOffline
                Story.status(.reconnecting)
            }
        }
        // Other phones may have lost theirs as well: another is asked for after a drawn time.
        try story.expect(silence, at: .seconds(10)) {
            startsAnew().filter { $0 != Story.fetch(5) }
        }
    }

    @Test("A completed reconnect shows that the server is heard: who has gone is missed as ever")
    func resumed() throws {
        var story = try cutOff()
        let begins = RoomCallback.reconnectStarted(.quick)
        try story.expect(Story.says(1, begins), at: .milliseconds(10_500)) {
            Effect.writeLog(.reconnect(RoomID(number: 1), begins))
        }
        let ends = RoomCallback.reconnectCompleted(.quick)
        try story.expect(Story.says(1, ends), at: .milliseconds(10_900)) {
            Effect.writeLog(.reconnect(RoomID(number: 1), ends))
            cancels
        }
        try story.expect(answers(11), at: .seconds(11)) {
            Effect.takeBackOnline
            Story.status(.reconnected)
        }
        try story.expect(answers(12), at: .seconds(12))
        try story.expectWake(at: .seconds(13)) { Story.status(.connected) }
        try story.expect(answers(13), at: .milliseconds(13_500))
        try story.expect(answers(14), at: .seconds(14)) { startsAnew() }
    }

    @Test("A room that seems to hold nobody is not left for a new one before the server is heard")
    func deserted() throws {
        var story = try Story.connected()
        try story.expect(Story.says(1, .remoteAudioUnsubscribed), at: .milliseconds(1_200)) {
            Story.order(1, .stopRenderer)
        }
        for second in 2...6 as ClosedRange<Int64> {
            let statistics = Story.statistics(
                1,
                consents: second,
                received: 0,
                others: 0,
                serverChecks: 1
            )
            try story.expect(statistics, at: .seconds(second))
        }
        try story.expectWake(at: .seconds(7)) {
            Effect.handOverOffline
            Story.status(.reconnecting)
        }
        try story.expectWake(at: .seconds(9)) {
            Effect.writeLog(.failed(.reconnecting, code: RoomError.timedOut.rawValue))
            Story.order(1, .release)
            Story.connect(2, operation: 4)
        }
    }

    @Test("Where a probe is answered, another room object gets through: the room is joined again")
    func answeredProbe() throws {
        var story = try cutOff(probing)
        try story.expect(.probeAnswered(OperationID(number: 2)), at: .milliseconds(10_040))
        try story.expectWake(at: .milliseconds(10_500)) { probe(2) }
        try story.expect(answers(11), at: .milliseconds(10_900)) { rejoins() }
    }

    @Test("Where the app's own server answers at once, TCP gets through: the room is joined again")
    func answeredInquiry() throws {
        var story = try Story.connected()
        for second in 2...4 as ClosedRange<Int64> {
            try story.expect(voice(second), at: .seconds(second))
        }
        for second in 5...8 as ClosedRange<Int64> {
            try story.expect(answers(second), at: .seconds(second))
        }
        try story.expect(answers(9), at: .seconds(9)) { asks }
        try story.expect(Story.answered(4, Story.credentials()), at: .milliseconds(9_200))
        try story.expect(answers(10), at: .seconds(10)) {
            rejoins(cancelling: false)
            Effect.handOverOffline
            Story.status(.reconnecting)
        }
    }

    @Test("Statistics tell that a room seems cut off, and no wake before a deadline does (L2)")
    func earlyWake() throws {
        var story = try Story.connected()
        for second in 2...4 as ClosedRange<Int64> {
            try story.expect(voice(second), at: .seconds(second))
        }
        for second in 5...8 as ClosedRange<Int64> {
            try story.expect(answers(second), at: .seconds(second))
        }
        // The server's last check is more than 4 s old by now.
        try story.expectWake(at: .milliseconds(8_500))
        try story.expect(answers(9), at: .seconds(9)) { asks }
    }

    @Test("An answer that comes when voice is lost already counts upon the next statistics")
    func answeredLater() throws {
        var story = try cutOff()
        try story.expect(Story.answered(4, .refused(statusCode: 503)), at: .seconds(10))
        try story.expect(answers(11), at: .seconds(11)) { rejoins(cancelling: false) }
    }

    @Test("An answer that is late says that the way was dead, and a broken connection says nothing")
    func lateInquiry() throws {
        for (answer, time) in [
            (Story.credentials(), 10_200), (.failed(.connectionLost), 10_000),
        ] as [(APIAnswer, Int64)] {
            var story = try cutOff()
            try story.expect(Story.answered(4, answer), at: .milliseconds(time))
            for second in 11...13 as ClosedRange<Int64> {
                try story.expect(answers(second), at: .seconds(second))
            }
            try story.expect(voice(14), at: .seconds(14)) {
                Effect.takeBackOnline
                Story.status(.reconnected)
            }
        }
    }

    @Test(
        "Where the token at hand is too old and the server gives none, the room is kept (D-21)",
        arguments: [401, 503]
    )
    func noToken(statusCode: Int) throws {
        var story = try cutOff(timeToLive: .seconds(65))
        let refusal = APIAnswer.refused(statusCode: statusCode)
        try story.expect(Story.answered(4, refusal), at: .seconds(10))
        for second in 11...13 as ClosedRange<Int64> {
            try story.expect(answers(second), at: .seconds(second))
        }
        try story.expect(voice(14), at: .seconds(14)) {
            Effect.takeBackOnline
            Story.status(.reconnected)
        }
    }

    @Test("Whoever leaves meanwhile asks no more")
    func leavesMeanwhile() throws {
        var story = try cutOff()
        try story.expect(.disconnectRequested, at: .seconds(11)) {
            cancels
            Story.order(1, .stopRenderer)
            Story.order(1, .disconnect(OperationID(number: 5)))
            Effect.writeLog(.disconnected(RoomID(number: 1), nil))
            Effect.endOffline
            Story.status(.disconnected)
        }
    }

    @Test("When the path is back, the server's next check tells whether the agent has gone")
    func pathReturns() throws {
        var story = try cutOff(probing)
        for number in 2...4 as ClosedRange<UInt32> {
            let due = Duration.milliseconds(9_500 + 500 * Int64(number))
            try story.expectWake(at: due) { probe(number) }
        }
        // The fourth answers, after three that are lost.
        try story.expect(.probeAnswered(OperationID(number: 5)), at: .milliseconds(11_540))
        try story.expectWake(at: .seconds(12)) { probe(5) }
        // The room server's answer is no sign that it had been away.
        try story.expect(.probeAnswered(OperationID(number: 6)), at: .milliseconds(12_040))
        try story.expect(answers(12), at: .milliseconds(12_400))
        try story.expectWake(at: .milliseconds(12_500)) { probe(6) }
        try story.expectWake(at: .seconds(13)) { probe(7) }
        try story.expect(answers(13, serverChecks: 5), at: .milliseconds(13_200)) {
            cancels
            Effect.takeBackOnline
            Story.status(.reconnected)
        }
        try story.expect(answers(14, serverChecks: 5), at: .milliseconds(14_200)) {
            startsAnew()
            Effect.probe(OperationID(number: 9), .roomServer)
        }
    }
}
