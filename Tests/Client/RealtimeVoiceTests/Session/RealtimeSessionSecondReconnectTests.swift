import RealtimeVoice
import SansIO
import SansIOTesting
import Testing

private typealias Story = SessionStory
private typealias Effect = RealtimeSession.Effect

@Suite("A session whose SDK reconnects a second time, or says a thing twice")
struct RealtimeSessionSecondReconnectTests {
    private func log(_ callback: RoomCallback) -> Effect {
        .writeLog(.reconnect(RoomID(number: 1), callback))
    }

    /// A session whose voice was lost, came back at 9.5 s and was told of at 10.5 s, all while the SDK brought
    /// signalling back from 9 to 11 s.
    private func returned() throws -> Transcript<RealtimeSession> {
        var story = try Story.connected()
        for second in 2...7 as ClosedRange<Int64> {
            let heard = Story.statistics(1, consents: 2, received: 100)
            try story.expect(heard, at: .seconds(second))
        }
        try story.expectWake(at: .seconds(8)) {
            Effect.handOverOffline
            Story.status(.reconnecting)
        }
        try story.expect(Story.says(1, .reconnectStarted(.quick)), at: .seconds(9)) {
            log(.reconnectStarted(.quick))
        }
        let first = Story.statistics(1, consents: 3, received: 150)
        try story.expect(first, at: .milliseconds(9_500)) { Effect.takeBackOnline }
        let second = Story.statistics(1, consents: 4, received: 200)
        try story.expect(second, at: .milliseconds(10_500)) { Story.status(.reconnected) }
        try story.expect(Story.says(1, .reconnectCompleted(.quick)), at: .seconds(11)) {
            log(.reconnectCompleted(.quick))
        }
        try story.expectWake(at: .milliseconds(12_500)) { Story.status(.connected) }
        return story
    }

    @Test("What voice showed in one reconnect proves nothing in the next (D-06, K-01c)")
    func staleReturn() throws {
        var story = try returned()
        for second in 13...19 as ClosedRange<Int64> {
            let heard = Story.statistics(1, consents: second, received: 50 * second)
            try story.expect(heard, at: .seconds(second))
        }
        try story.expect(Story.says(1, .reconnectStarted(.quick)), at: .seconds(20)) {
            log(.reconnectStarted(.quick))
            Story.status(.reconnecting)
        }
        let heard = Story.statistics(1, consents: 20, received: 1_000)
        try story.expect(heard, at: .milliseconds(20_500))
        try story.expect(Story.says(1, .reconnectCompleted(.quick)), at: .seconds(21)) {
            log(.reconnectCompleted(.quick))
            Story.status(.reconnected)
        }
    }

    @Test("A start that the SDK says once more changes nothing: the first counts (D-06)")
    func startedTwice() throws {
        var story = try Story.connected()
        try story.expect(Story.says(1, .reconnectStarted(.quick)), at: .seconds(3)) {
            log(.reconnectStarted(.quick))
            Story.status(.reconnecting)
        }
        let before = story.machine
        for second in 4...5 as ClosedRange<Int64> {
            try story.expect(Story.says(1, .reconnectStarted(.quick)), at: .seconds(second)) {
                log(.reconnectStarted(.quick))
            }
            #expect(story.machine == before)
        }
    }

    @Test("A full reconnect that the SDK says once more began with the first as well (D-06)")
    func rejoinedTwice() throws {
        var story = try Story.connected()
        try story.expect(Story.says(1, .reconnectStarted(.full)), at: .seconds(3)) {
            log(.reconnectStarted(.full))
            Story.status(.reconnecting)
        }
        try story.expect(Story.says(1, .reconnecting), at: .seconds(3)) {
            log(.reconnecting)
            Effect.handOverOffline
        }
        let before = story.machine
        try story.expect(Story.says(1, .reconnecting), at: .seconds(5)) { log(.reconnecting) }
        #expect(story.machine == before)
    }

    @Test("Checks answered over the former transports do not count after a full reconnect (K-01c)")
    func formerAnswers() throws {
        var story = try Story.connected()
        let heard = Story.statistics(1, consents: 2, received: 9)
        try story.expect(heard, at: .seconds(2))
        try story.expect(Story.says(1, .reconnectStarted(.full)), at: .seconds(3)) {
            log(.reconnectStarted(.full))
            Story.status(.reconnecting)
        }
        try story.expect(Story.says(1, .reconnecting), at: .seconds(3)) {
            log(.reconnecting)
            Effect.handOverOffline
        }
        try story.expect(Story.says(1, .reconnectCompleted(.full)), at: .seconds(4)) {
            log(.reconnectCompleted(.full))
            Story.microphone(1, 4, true)
        }
        try story.expect(Story.microphoneFinished(1, 4), at: .seconds(4))
        let baseline = Story.statistics(1, consents: 0, received: 9)
        try story.expect(baseline, at: .seconds(6))
        let back = Story.statistics(1, consents: 0, received: 50)
        try story.expect(back, at: .seconds(7)) {
            Effect.takeBackOnline
            Story.status(.reconnected)
        }
        let more = Story.statistics(1, consents: 0, received: 100)
        try story.expect(more, at: .seconds(8))
        try story.expectWake(at: .seconds(9)) { Story.status(.connected) }
        // Voice comes in, and the first check is not answered yet: nothing says that none goes out.
        for second in 9...14 as ClosedRange<Int64> {
            let heard = Story.statistics(1, consents: 0, received: 50 * second)
            try story.expect(heard, at: .seconds(second))
        }
    }
}
