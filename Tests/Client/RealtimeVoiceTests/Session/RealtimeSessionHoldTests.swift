import SansIO
import SansIOTesting
import Testing

@testable import RealtimeVoice

@Suite("Calls on hold")
struct RealtimeSessionHoldTests {
    private typealias Story = SessionStory
    private typealias Effect = RealtimeSession.Effect

    /// A call that is connected at 1 s and heard until 3 s.
    private func heard() throws -> Transcript<RealtimeSession> {
        var configuration = Story.configuration
        configuration.partner = .person
        var story = try Story.connected(configuration)
        for second in 2...3 as ClosedRange<Int64> {
            try story.expect(statistics(at: second, voice: 50 * second), at: .seconds(second))
        }
        return story
    }

    private func statistics(
        at second: Int64,
        voice: Int64,
        sent: Int64? = nil,
        audible: Int = 1
    ) -> RealtimeSession.Event {
        Story.statistics(
            1,
            consents: second,
            received: voice,
            sent: sent ?? 50 * second,
            audible: audible
        )
    }

    @Test("Who takes a call back from hold keeps the room, though nobody was heard (VP-05)")
    func ownHold() throws {
        var story = try heard()
        try story.expect(.audioAccessChanged(.taken), at: .milliseconds(3_100)) {
            Story.order(1, .stopRenderer)
            Story.microphone(1, 4, false)
            Story.status(.audioTaken)
        }
        try story.expect(Story.microphoneFinished(1, 4), at: .milliseconds(3_100))
        for second in 4...8 as ClosedRange<Int64> {
            try story.expect(statistics(at: second, voice: 155, sent: 155), at: .seconds(second))
        }
        try story.expect(.audioAccessChanged(.available), at: .milliseconds(8_100)) {
            Story.order(1, .startRenderer)
            Story.microphone(1, 5, true)
            Story.status(.connected)
        }
        try story.expect(Story.microphoneFinished(1, 5), at: .milliseconds(8_200))
        try story.expect(statistics(at: 9, voice: 200, sent: 200), at: .seconds(9))
    }

    @Test("Who was on hold at the other end, and muted there, leaves no doubt behind (VP-05)")
    func otherHold() throws {
        var story = try heard()
        for second in 4...8 as ClosedRange<Int64> {
            try story.expect(statistics(at: second, voice: 155, audible: 0), at: .seconds(second))
        }
        try story.expect(statistics(at: 9, voice: 200), at: .seconds(9))
        try story.expect(.muteChanged(isMuted: true), at: .milliseconds(9_100)) {
            Story.microphone(1, 4, false)
        }
        try story.expect(Story.microphoneFinished(1, 4), at: .milliseconds(9_200))
        try story.expect(.muteChanged(isMuted: false), at: .milliseconds(9_300)) {
            Story.microphone(1, 5, true)
        }
    }
}
