import RealtimeVoice
import SansIO
import SansIOTesting
import Testing

private typealias Story = SessionStory
private typealias Effect = RealtimeSession.Effect

@Suite("Sessions that waited for their tokens together do not connect together (K-20)")
struct RealtimeSessionTokenCrowdTests {
    /// The probe of that number in the outage; the two before it went out while voice lived.
    private func probe(_ number: UInt32) -> Effect {
        .probe(OperationID(number: number + 2), number % 2 == 1 ? .roomServer : .other)
    }

    /// A session that fetches a token from 10.2 s on, with probes every half second from 10 s until
    /// 12.5 s, of which some are answered; its old token does not serve any more.
    ///
    /// Where `knowsOther`, the other host answered a probe while voice lived.
    private func fetching(
        answers: Set<UInt32>,
        knowsOther: Bool = true
    ) throws -> Transcript<RealtimeSession> {
        var configuration = Story.configuration
        configuration.probe.isEnabled = true
        var story = try Story.connected(configuration, timeToLive: .seconds(60))
        let acquainted = RealtimeSession.Event.probeAnswered(OperationID(number: 1))
        try story.expect(acquainted, at: .milliseconds(1_040))
        try story.expect(Story.statistics(1, consents: 1), at: .seconds(2)) {
            Effect.probe(OperationID(number: 2), .other)
        }
        if knowsOther {
            let other = RealtimeSession.Event.probeAnswered(OperationID(number: 2))
            try story.expect(other, at: .milliseconds(2_040))
        }
        try story.expect(Story.says(1, .disconnected(.network)), at: .seconds(10)) {
            Effect.writeLog(.disconnected(RoomID(number: 1), .network))
            Story.order(1, .stopRenderer)
            Story.order(1, .release)
            Effect.handOverOffline
            Story.status(.reconnecting)
            probe(1)
        }
        try answer(&story, 1, of: answers)
        try story.expectWake(at: .milliseconds(10_200)) { Story.fetch(4, resume: "room-1") }
        for number in 2...6 as ClosedRange<UInt32> {
            let due = Duration.milliseconds(10_000 + 500 * Int64(number - 1))
            try story.expectWake(at: due) { probe(number) }
            if number < 6 { try answer(&story, number, of: answers) }
        }
        return story
    }

    private func answer(
        _ story: inout Transcript<RealtimeSession>,
        _ number: UInt32,
        of answers: Set<UInt32>
    ) throws {
        guard answers.contains(number) else { return }
        let came = Duration.milliseconds(10_000 + 500 * Int64(number - 1) + 40)
        try story.expect(.probeAnswered(OperationID(number: number + 2)), at: came)
    }

    /// One whose request has failed at 12.6 s, while only the room server answered, and is repeated.
    private func repeating(knowsOther: Bool = true) throws -> Transcript<RealtimeSession> {
        var story = try fetching(answers: [1, 3, 5], knowsOther: knowsOther)
        try story.expect(Story.answered(4, .failed(.timedOut)), at: .milliseconds(12_600)) {
            Effect.writeLog(.failed(.tokenFailed, code: -1001))
            Story.status(.tokenFailed, APIErrorCause.failed(.timedOut).text)
        }
        story.pass(until: .milliseconds(13_300))
        return story
    }

    /// When a session connects that has no more answers to come, if it does within 8 s.
    private func connect(of session: RealtimeSession) -> Instant? {
        var session = session
        var effects: [Effect] = []
        let end = Instant.zero.advanced(by: .seconds(21))
        while let due = session.deadline?.instant, due < end {
            effects += session.wake(at: due)
            if effects.contains(.room(RoomID(number: 2), .create)) { return due }
            effects.removeAll()
        }
        return nil
    }

    @Test("When the app's own server is back, tokens are fetched at once and connects spread")
    func otherReturns() throws {
        var story = try fetching(answers: [1, 3, 5])
        let back = RealtimeSession.Event.probeAnswered(OperationID(number: 8))
        try story.expect(back, at: .milliseconds(12_540)) {
            Effect.cancelAPI(OperationID(number: 4))
            Story.fetch(5, resume: "room-1")
        }
        try story.expect(Story.answered(5, Story.credentials()), at: .milliseconds(12_700))
        let connects = try #require(connect(of: story.machine))
        #expect(connects <= Instant.zero.advanced(by: .milliseconds(19_700)))
    }

    @Test("So do those whose request was repeated in vain and gets through before a probe does")
    func requestReturns() throws {
        var story = try repeating()
        try story.expect(Story.answered(5, Story.credentials()), at: .milliseconds(13_300))
        let connects = try #require(connect(of: story.machine))
        #expect(connects <= Instant.zero.advanced(by: .milliseconds(20_300)))
    }

    @Test("A room server that comes back while a token is fetched spreads the connect behind it")
    func serverReturns() throws {
        var story = try fetching(answers: [2, 4, 5])
        try story.expect(Story.answered(4, Story.credentials()), at: .milliseconds(12_600))
        let connects = try #require(connect(of: story.machine))
        #expect(connects <= Instant.zero.advanced(by: .milliseconds(19_600)))
    }

    @Test("Nobody waits for a host that answered no probe while voice lived, either (K-19)")
    func otherFiltered() throws {
        var story = try repeating(knowsOther: false)
        try story.expect(Story.answered(5, Story.credentials()), at: .milliseconds(13_300)) {
            Story.connect(2, operation: 6)
        }
    }

    @Test("It is asked three times at most, and not before a retry needs it")
    func asksSeldom() throws {
        var configuration = Story.configuration
        configuration.probe.isEnabled = true
        var story = try Story.connected(configuration, timeToLive: .seconds(64))
        let acquainted = RealtimeSession.Event.probeAnswered(OperationID(number: 1))
        try story.expect(acquainted, at: .milliseconds(1_040))
        for second in 2..<12 as Range<Int64> {
            let life = Story.statistics(1, consents: second)
            let asked: [Effect] =
                (5...7).contains(second)
                ? [.probe(OperationID(number: UInt32(second) - 3), .other)] : []
            try story.expect(life, at: .seconds(second)) { asked }
        }
    }

    @Test("Where both hosts answer, a token that comes late is used at once")
    func tokenLate() throws {
        var story = try fetching(answers: [1, 2, 3, 4, 5])
        try story.expect(Story.answered(4, Story.credentials()), at: .milliseconds(12_600)) {
            Story.connect(2, operation: 5)
        }
    }
}
