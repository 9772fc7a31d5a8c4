import RealtimeVoice
import SansIO
import SansIOTesting
import Testing

private typealias Story = SessionStory
private typealias Effect = RealtimeSession.Effect

@Suite("An SDK that goes on in vain is given up only for a user whom nobody hears")
struct RealtimeSessionShutOutTests {
    /// Statistics of a microphone that was closed at 700 s.
    private func unsent(_ second: Int64) -> RealtimeSession.Event {
        Story.statistics(1, consents: second, received: 50 * second, sent: 75 + 50 * 699)
    }

    /// A session whose SDK has resumed by then, and whose agent is heard up to another time.
    private func resumed(
        at second: Int64 = 3,
        heardUntil end: Int64,
        timeToLive: Duration = .seconds(600)
    ) throws -> Transcript<RealtimeSession> {
        var story = try Story.connected(timeToLive: timeToLive)
        try Story.hear(&story, seconds: 1..<second - 1)
        try Story.reconnects(&story, at: .seconds(second - 1))
        try Story.resumes(&story, at: .seconds(second))
        try Story.hear(&story, seconds: second..<second + 2)
        try story.expectWake(at: .seconds(second + 2)) { Story.status(.connected) }
        try Story.hear(&story, seconds: second + 2..<end)
        return story
    }

    /// A session whose user unmutes at 700 s, long after a resume: it asks if TCP gets through.
    private func unmuted() throws -> Transcript<RealtimeSession> {
        var story = try resumed(heardUntil: 700)
        try Story.mutes(&story, at: .seconds(700), operation: 4)
        try Story.unmutesAfterResume(&story, at: .milliseconds(700_100), operation: 5)
        return story
    }

    /// A session whose SDK resumes by its order since that unmute, which signalling was to tell.
    private func resuming(_ answer: APIAnswer) throws -> Transcript<RealtimeSession> {
        var story = try unmuted()
        try story.expect(Story.answered(6, answer), at: .milliseconds(700_200)) {
            Story.order(1, .resume)
        }
        try Story.reconnects(&story, at: .milliseconds(700_300))
        try Story.hear(&story, seconds: 700..<701)
        return story
    }

    private func replaces(operation: UInt32) -> [Effect] {
        let log = Effect.writeLog(.failed(.reconnecting, code: RoomError.timedOut.rawValue))
        return [log, Story.order(1, .stopRenderer), Story.order(1, .release)]
            + Story.connect(2, operation: operation) + [.handOverOffline]
    }

    @Test(
        "An ordered resume with a token that may have run out is refused after 1 s: the room goes (RS-11)"
    )
    func refusedAtOnce() throws {
        var story = try resuming(Story.credentials())
        // Statistics come only at 701.5 s.
        try story.expectWake(at: .milliseconds(701_300)) { replaces(operation: 7) }
    }

    @Test("Without a token for another room the SDK goes on until there is one (K-01b)")
    func refusedForLong() throws {
        var story = try resuming(.refused(statusCode: 500))
        try story.expectWake(at: .milliseconds(701_300))
        try Story.hear(&story, seconds: 701..<760)
        try story.expect(Story.voice(760), at: .milliseconds(760_500)) {
            Story.fetch(7, resume: "room-1")
        }
        try story.expect(Story.answered(7, Story.credentials()), at: .milliseconds(760_600))
        try story.expect(Story.voice(761), at: .milliseconds(761_500)) {
            replaces(operation: 8)
        }
    }

    @Test("An SDK that gets in meanwhile keeps its room (D-21)")
    func getsIn() throws {
        var story = try resuming(Story.credentials())
        try Story.resumes(&story, at: .milliseconds(701_200)) { Story.microphone(1, 7, false) }
    }

    @Test(
        "A token of which too long nothing was heard is no reason to resume, but for another room (RS-11)"
    )
    func deadToken() throws {
        var story = try resumed(heardUntil: 5)
        try Story.mutes(&story, at: .milliseconds(5_600), operation: 4)
        // Signalling may be dead from here on, and TCP with it.
        try story.expect(.pathChanged(.satisfied(.cellular)), at: .milliseconds(5_700)) {
            Story.fetch(5, resume: "room-1")
        }
        var operation: UInt32 = 5
        for second in 6..<700 as Range<Int64> {
            let statistics = Story.statistics(
                1,
                consents: second,
                received: 50 * second,
                sent: 350
            )
            // From eleven minutes after the resume on no answer would lead to another one.
            let cancelled: [Effect] =
                second == 663
                ? [operation - 1, operation].map { .cancelAPI(OperationID(number: $0)) } : []
            try story.expect(statistics, at: .milliseconds(second * 1_000 + 500)) { cancelled }
            guard (second - 5) % 15 == 0, second < 663 else { continue }
            operation += 1
            let late: [Effect] =
                operation == 6 ? [] : [.cancelAPI(OperationID(number: operation - 2))]
            try story.expectWake(at: .milliseconds(second * 1_000 + 700)) {
                late
                Story.fetch(operation, resume: "room-1")
            }
        }
        try story.expect(.muteChanged(isMuted: false), at: .milliseconds(699_600)) {
            Story.microphone(1, operation + 1, true)
        }
        try story.expect(
            Story.microphoneFinished(1, operation + 1),
            at: .milliseconds(699_600)
        ) {
            Story.fetch(operation + 2, resume: "room-1")
        }
        let token = Story.answered(operation + 2, Story.credentials())
        try story.expect(token, at: .milliseconds(699_700)) {
            replaces(operation: operation + 3)
            Story.status(.reconnecting)
        }
    }

    @Test(
        "A doubt that comes when the token of the latest resume has run out orders no resume; the next unmute does (RS-11, D-21)"
    )
    func doubtedLate() throws {
        var story = try resumed(heardUntil: 701)
        // Both sides hear each other, and signalling may have died at 4 s.
        try story.expect(.pathChanged(.satisfied(.cellular)), at: .milliseconds(700_700))
        try Story.hear(&story, seconds: 701..<710)
        try story.expect(.pathChanged(.satisfied(.wifi)), at: .milliseconds(709_700))
        try Story.hear(&story, seconds: 710..<720)
        try Story.mutes(&story, at: .milliseconds(719_600), operation: 4)
        try Story.unmutesAfterResume(&story, at: .milliseconds(719_700), operation: 5)
        // Signalling may as well have lived until 701 s.
        try story.expect(Story.answered(6, Story.credentials()), at: .milliseconds(719_800)) {
            Story.order(1, .resume)
        }
        try Story.reconnects(&story, at: .milliseconds(719_900))
        try Story.hear(&story, seconds: 720..<721)
        try story.expectWake(at: .milliseconds(720_900)) { replaces(operation: 7) }
    }

    @Test(
        "A token of an hour serves the SDK for the hour of the join, and not for one from each resume (RS-11)",
        arguments: [(1_000, 2_000, false), (3_000, 4_300, true)]
    )
    func tokenOfAnHour(resumedAt: Int64, unmutedAt: Int64, isOver: Bool) throws {
        let hour = Duration.seconds(3_600)
        var story = try resumed(at: resumedAt, heardUntil: unmutedAt, timeToLive: hour)
        let unmute = Duration.seconds(unmutedAt)
        try Story.mutes(&story, at: unmute, operation: 4)
        try Story.unmutesAfterResume(&story, at: unmute + .milliseconds(100), operation: 5)
        let token = Story.answered(6, Story.credentials(timeToLive: hour))
        try story.expect(token, at: unmute + .milliseconds(200)) { Story.order(1, .resume) }
        try Story.reconnects(&story, at: unmute + .milliseconds(300))
        try Story.hear(&story, seconds: unmutedAt..<unmutedAt + 1)
        if isOver {
            try story.expectWake(at: unmute + .milliseconds(1_300)) { replaces(operation: 7) }
        } else {
            try Story.hear(&story, seconds: unmutedAt + 1..<unmutedAt + 3)
        }
    }

    @Test("A room whose unmute a slow path has told long ago is left to resume (D-21)")
    func resumesOnSlowPath() throws {
        var story = try unmuted()
        try Story.hear(&story, seconds: 700..<701)
        try story.expectWake(at: .milliseconds(701_100)) { Story.status(.reconnecting) }
        try Story.hear(&story, seconds: 701..<705)
        try story.expectWake(at: .milliseconds(705_100)) { Story.fetch(7, resume: "room-1") }
        try Story.hear(&story, seconds: 705..<707)
        try story.expect(Story.answered(6, Story.credentials()), at: .seconds(707))
        try Story.hear(&story, seconds: 707..<710)
        try story.expectWake(at: .milliseconds(710_100)) { Story.fetch(8, resume: "room-1") }
        try Story.hear(&story, seconds: 710..<711)
        try story.expect(Story.answered(7, Story.credentials()), at: .seconds(711)) {
            Effect.cancelAPI(OperationID(number: 8))
            Story.status(.connected)
        }
        try Story.hear(&story, seconds: 711..<1_400)
        try Story.reconnects(&story, at: .seconds(1_400))
        try Story.hear(&story, seconds: 1_400..<1_410)
        try Story.resumes(&story, at: .seconds(1_410)) { Story.microphone(1, 9, false) }
    }

    @Test("An SDK that pings is not doubted before its token can have run out (D-21)")
    func tokenOfLivingSignalling() throws {
        var story = try Story.connected()
        try Story.hear(&story, seconds: 1..<700)
        try Story.reconnects(&story, at: .seconds(700))
        try story.expect(.muteChanged(isMuted: true), at: .milliseconds(700_100)) {
            Story.microphone(1, 4, false)
        }
        try story.expect(Story.microphoneFinished(1, 4), at: .milliseconds(700_100))
        try story.expect(.muteChanged(isMuted: false), at: .milliseconds(700_200))
        for second in 700..<1_040 as Range<Int64> {
            try story.expect(unsent(second), at: .milliseconds(second * 1_000 + 500))
        }
        // Five minutes after a token came that serves for ten, and a minute for the clocks.
        try story.expect(unsent(1_040), at: .milliseconds(1_040_500)) {
            Story.fetch(5, resume: "room-1")
        }
    }

    /// Both sides hear each other although the SDK begins to reconnect then: the user reads so soon.
    private func hearsOn(since start: Int64) throws -> Transcript<RealtimeSession> {
        var story = try Story.connected()
        try Story.hear(&story, seconds: 1..<start)
        try Story.reconnects(&story, at: .seconds(start))
        try Story.hear(&story, seconds: start..<start + 7)
        try story.expect(Story.voice(start + 7), at: .milliseconds(start * 1_000 + 7_500)) {
            Story.status(.reconnected)
        }
        try Story.hear(&story, seconds: start + 8..<start + 9)
        try story.expectWake(at: .milliseconds(start * 1_000 + 9_500)) { Story.status(.connected) }
        return story
    }

    @Test("Where both sides hear each other the SDK is left alone, whatever its token (D-21)")
    func tokenRunOutWhileHeard() throws {
        var story = try hearsOn(since: 100)
        try Story.hear(&story, seconds: 109..<1_000)
    }

    @Test("Who unmutes while the SDK is shut out reads that nobody hears them (K-01c)")
    func unmutedWhileShutOut() throws {
        // The token of the join serves until 660 s, the last one that it was sent until 740 s.
        var story = try hearsOn(since: 400)
        try Story.hear(&story, seconds: 409..<741)
        try story.expect(.muteChanged(isMuted: true), at: .seconds(741)) {
            Story.microphone(1, 4, false)
        }
        try story.expect(Story.microphoneFinished(1, 4), at: .seconds(741))
        try story.expect(.muteChanged(isMuted: false), at: .milliseconds(741_200)) {
            Story.fetch(5, resume: "room-1")
            Story.status(.reconnecting)
        }
    }
}
