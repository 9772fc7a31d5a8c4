import KodamaEvidence
import SansIO
import Testing

@testable import KodamaCoach

@Suite("A tap on the notification of a morning that is over")
struct LateTapTests {
    private func story(hangsUp: Bool) throws -> CoachStory {
        try CoachStory(
            app: "realtime: true, ios: ios-18, muted: true,",
            radios: "wifi: wifi-internet",
            parameters: """
                sleeper.kind: light, sleeper.taps_late: 100%, \
                sleeper.hangs_up: \(hangsUp ? "100%" : "0%")
                """,
            duration: "49h"
        )
    }

    /// For each talk that its user left, how long the microphone stayed open.
    private func stretches(of story: CoachStory) throws -> [Duration] {
        let listening = story.records(ListeningChanged.self)
        return try story.records(TalkLeft.self).map { left in
            let before = try #require(listening.last { $0.at <= left.at && $0.1.isOpen.isSet })
            #expect(before.1.isWanted.isSet, "they talk")
            let closed = try #require(listening.first { $0.at >= left.at && !$0.1.isOpen.isSet })
            return left.at.duration(to: closed.at)
        }
    }

    @Test("It connects at once, and the session ends when its user hangs up (RS-13, AN-20)")
    func hangsUp() throws {
        let story = try story(hangsUp: true)
        let stretches = try stretches(of: story)
        #expect(!stretches.isEmpty && stretches.allSatisfy { $0 < .seconds(1) })
        #expect(story.records(AgentVoiceChanged.self).contains { $0.1.isThere.isSet })
        #expect(story.records(LineBegan.self).isEmpty, "no guide leads a morning that is over")
    }

    @Test("One who locks the phone without hanging up is not listened to any more (AN-20)")
    func putsDown() throws {
        let stretches = try stretches(of: try story(hangsUp: false))
        #expect(!stretches.isEmpty && stretches.allSatisfy { $0 < .seconds(1) })
    }
}
