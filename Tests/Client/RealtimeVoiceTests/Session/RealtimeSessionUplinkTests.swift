import RealtimeVoice
import SansIO
import SansIOTesting
import Testing

private typealias Story = SessionStory

@Suite("A session sees that nothing passes up although voice comes in")
struct RealtimeSessionUplinkTests {
    /// Statistics of a second in which the agent is heard, and the last check was answered at 9.5 s.
    private func unanswered(_ second: Int64) -> RealtimeSession.Event {
        Story.statistics(1, consents: 9, received: 50 * second, sent: 75 + 50 * second)
    }

    private func connected() throws -> Transcript<RealtimeSession> {
        var story = try Story.connected()
        try Story.hear(&story, seconds: 1..<10)
        return story
    }

    @Test("After 6 s without an answered check the user reads that nobody hears them (K-01c)")
    func nothingPassesUp() throws {
        var story = try connected()
        for second in 10..<15 as Range<Int64> {
            try story.expect(unanswered(second), at: .milliseconds(second * 1_000 + 500))
        }
        try story.expect(unanswered(15), at: .milliseconds(15_500)) { Story.status(.reconnecting) }
        // The room stays: ICE may know another way.
        for second in 16..<30 as Range<Int64> {
            try story.expect(unanswered(second), at: .milliseconds(second * 1_000 + 500))
        }
        try story.expect(Story.voice(30), at: .milliseconds(30_500)) { Story.status(.connected) }
    }

    @Test("Voice that is back after an outage is not doubted before an answer is due (RS-08)")
    func outage() throws {
        var story = try connected()
        let silence = Story.statistics(1, consents: 9, received: 500, sent: 575)
        try story.expect(unanswered(10), at: .milliseconds(10_500))
        for second in 11..<15 as Range<Int64> {
            try story.expect(silence, at: .milliseconds(second * 1_000 + 500))
        }
        // Checks are rarer than statistics.
        try story.expect(unanswered(15), at: .milliseconds(15_500))
        try story.expect(unanswered(16), at: .milliseconds(16_500))
        var oneWay = story
        try Story.hear(&story, seconds: 17..<30)
        for second in 17..<19 as Range<Int64> {
            try oneWay.expect(unanswered(second), at: .milliseconds(second * 1_000 + 500))
        }
        try oneWay.expect(unanswered(19), at: .milliseconds(19_500)) {
            Story.status(.reconnecting)
        }
    }

    @Test("Who is muted has nobody to be heard by")
    func muted() throws {
        var story = try connected()
        try story.expect(.muteChanged(isMuted: true), at: .seconds(10)) {
            Story.microphone(1, 4, false)
        }
        try story.expect(Story.microphoneFinished(1, 4), at: .seconds(10))
        for second in 10..<30 as Range<Int64> {
            let silence = Story.statistics(1, consents: 9, received: 50 * second, sent: 525)
            try story.expect(silence, at: .milliseconds(second * 1_000 + 500))
        }
    }

    @Test("What nobody counted during a suspension proves nothing (L4)")
    func suspended() throws {
        var story = try connected()
        try story.expectWake(at: .seconds(600), isLate: true)
        try story.expect(unanswered(600), at: .milliseconds(600_500))
        try story.expect(Story.voice(601), at: .milliseconds(601_500))
    }
}
