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

    /// A session whose user unmutes at 700 s, long after a resume: it asks if TCP gets through.
    private func unmuted() throws -> Transcript<RealtimeSession> {
        var story = try Story.connected()
        try Story.reconnects(&story, at: .seconds(2))
        try Story.resumes(&story, at: .seconds(3))
        try Story.hear(&story, seconds: 3..<5)
        try story.expectWake(at: .seconds(5)) { Story.status(.connected) }
        try Story.hear(&story, seconds: 5..<700)
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
        try story.expect(Story.voice(701), at: .milliseconds(701_500)) { replaces(operation: 7) }
    }

    @Test("Without a token for another room the SDK goes on until there is one (K-01b)")
    func refusedForLong() throws {
        var story = try resuming(.refused(statusCode: 500))
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
        var story = try Story.connected()
        try Story.reconnects(&story, at: .seconds(2))
        try Story.resumes(&story, at: .seconds(3))
        try Story.hear(&story, seconds: 3..<5)
        try story.expectWake(at: .seconds(5)) { Story.status(.connected) }
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
            try story.expect(statistics, at: .milliseconds(second * 1_000 + 500))
            guard (second - 5) % 15 == 0 else { continue }
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
            Effect.cancelAPI(OperationID(number: operation - 1))
            Effect.cancelAPI(OperationID(number: operation))
            Story.fetch(operation + 2, resume: "room-1")
        }
        let token = Story.answered(operation + 2, Story.credentials())
        try story.expect(token, at: .milliseconds(699_700)) {
            replaces(operation: operation + 3)
            Story.status(.reconnecting)
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

    /// Both sides hear each other from 100 s on, when the SDK begins to reconnect: the user reads so soon.
    private func hearsOn(_ story: inout Transcript<RealtimeSession>) throws {
        try Story.hear(&story, seconds: 100..<107)
        try story.expect(Story.voice(107), at: .milliseconds(107_500)) {
            Story.status(.reconnected)
        }
        try Story.hear(&story, seconds: 108..<109)
        try story.expectWake(at: .milliseconds(109_500)) { Story.status(.connected) }
    }

    @Test("Where both sides hear each other the SDK is left alone, whatever its token (D-21)")
    func tokenRunOutWhileHeard() throws {
        var story = try Story.connected()
        try Story.hear(&story, seconds: 1..<100)
        try Story.reconnects(&story, at: .seconds(100))
        try hearsOn(&story)
        try Story.hear(&story, seconds: 109..<1_000)
    }

    @Test("Who unmutes while the SDK is shut out reads that nobody hears them (K-01c)")
    func unmutedWhileShutOut() throws {
        var story = try Story.connected()
        try Story.hear(&story, seconds: 1..<100)
        try Story.reconnects(&story, at: .seconds(100))
        try hearsOn(&story)
        try Story.hear(&story, seconds: 109..<441)
        try story.expect(.muteChanged(isMuted: true), at: .seconds(441)) {
            Story.microphone(1, 4, false)
        }
        try story.expect(Story.microphoneFinished(1, 4), at: .seconds(441))
        try story.expect(.muteChanged(isMuted: false), at: .milliseconds(441_200)) {
            Story.fetch(5, resume: "room-1")
            Story.status(.reconnecting)
        }
    }
}
