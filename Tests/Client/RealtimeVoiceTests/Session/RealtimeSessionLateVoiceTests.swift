import RealtimeVoice
import SansIO
import SansIOTesting
import Testing

private typealias Story = SessionStory
private typealias Effect = RealtimeSession.Effect

@Suite("A session whose voice comes late, or ends late in a reconnect")
struct RealtimeSessionLateVoiceTests {
    /// A room that shows a path and no voice in each of these seconds.
    private func wait(
        _ story: inout Transcript<RealtimeSession>,
        seconds: ClosedRange<Int64>
    ) throws(TranscriptMismatch) {
        for second in seconds {
            let statistics = Story.statistics(1, consents: second, received: 0, others: 1)
            try story.expect(statistics, at: .seconds(second))
        }
    }

    @Test("However late tracks come, nobody reads for 10 s of a conversation not heard (K-01c)")
    func trackComesLate() throws {
        var story = try Story.connected()
        try wait(&story, seconds: 2...5)
        try story.expect(Story.says(1, .remoteAudioSubscribed), at: .milliseconds(5_900))
        try wait(&story, seconds: 6...9)
        // Connected at 1 s.
        try story.expectWake(at: .seconds(10)) {
            Effect.handOverOffline
            Story.status(.reconnecting)
        }
    }

    @Test("A track that comes once the user has read of the loss has its time (D-22)")
    func trackComesAfterLoss() throws {
        var story = try Story.connected()
        try wait(&story, seconds: 2...6)
        try story.expectWake(at: .seconds(7)) {
            Effect.handOverOffline
            Story.status(.reconnecting)
        }
        try story.expect(Story.says(1, .remoteAudioSubscribed), at: .milliseconds(7_500))
        let back = Story.statistics(1, consents: 8, received: 0, others: 1)
        try story.expect(back, at: .seconds(8)) {
            Effect.takeBackOnline
            Story.status(.reconnected)
        }
        try wait(&story, seconds: 9...9)
        try story.expectWake(at: .seconds(10)) { Story.status(.connected) }
        try wait(&story, seconds: 10...13)
        try story.expectWake(at: .milliseconds(13_500)) {
            Effect.handOverOffline
            Story.status(.reconnecting)
        }
    }

    @Test(
        "Voice that ends long after signalling has all the time in which ICE may bring it back (D-21)",
        arguments: [10, 40] as [Int64]
    )
    func voiceEndsInReconnect(last: Int64) throws {
        var session = try Story.connected().machine
        var losses: [Int64] = []
        for second in 1...70 as ClosedRange<Int64> {
            let now = Instant.zero.advanced(by: .milliseconds(second * 1_000 + 500))
            var effects: [Effect] = []
            while let due = session.deadline?.instant, due < now {
                effects += session.drive(nil, at: due)
            }
            if second == 5 {
                effects += session.drive(Story.says(1, .reconnectStarted(.quick)), at: now)
            }
            let statistics = Story.statistics(
                1,
                consents: second,
                received: 50 * min(second, last),
                sent: 75 + 50 * second
            )
            effects += session.drive(statistics, at: now)
            if effects.contains(.handOverOffline) { losses.append(second) }
        }
        // 24 s: the pair is given up, another one takes over, and its voice shows.
        #expect(losses.first == last + 24)
    }
}
