import KodamaEvidence
import SansIO
import Testing

@testable import KodamaCoach

@Suite("Another user of the same phone has another store (AN-08, AN-09)")
struct UserTests {
    /// An evening whose reflection stays unsent, after which somebody else signs in.
    private static func evening(_ day: Int, signsIn word: String) -> String {
        let start = day * 86_400
        return """
              - { at: \(start + 1_830)s, do: { outage: { of: mika-phone-1, for: 60s } } }
              - { at: \(start + 1_865)s, do: { user: { of: mika-phone-1, does: sign-out-of-coach } } }
              - { at: \(start + 1_980)s, do: { user: { of: mika-phone-1, does: \(word) } } }

            """
    }

    private static func story(_ timeline: String, seed: UInt64 = 1) throws -> CoachStory {
        try CoachStory(
            app: "account: mika,",
            radios: "wifi: wifi-internet",
            parameters: "sleeper.kind: light, sleeper.answers: 100%, sleeper.gives_up: 0%",
            timeline: timeline,
            duration: "73h",
            seed: seed
        )
    }

    @Test("What a user has written arrives under their name, also when another user was there")
    func turns() throws {
        let timeline =
            Self.evening(0, signsIn: "sign-in-to-coach-as-guest")
            + Self.evening(1, signsIn: "sign-in-to-coach")
        let story = try Self.story(timeline)
        for invariant in story.invariants {
            #expect(invariant.violationCount == 0, "\(invariant.name)")
        }
        let kept = story.records(ReportKept.self)
        #expect(Set(kept.map(\.1.account)) == [1, 2])
        let first = try #require(kept.first { $0.1.account == 1 && $0.1.isReflection.isSet })
        let arrived = try #require(
            story.records(ReportCounted.self).first {
                $0.1.account == 1 && $0.1.report == first.1.report
            }
        )
        #expect(arrived.at > Instant.zero.advanced(by: .seconds(86_400 + 1_980)), "not before")
        #expect(
            arrived.at < Instant.zero.advanced(by: .seconds(86_400 + 2_000)),
            "and then at once"
        )
        // The guest's morning was theirs, and so was its report.
        #expect(story.records(ReportCounted.self).contains { $0.1.account == 2 })
    }

    @Test("A clone that waits for its network is its user's, whoever signs in meanwhile (AN-17)")
    func voice() throws {
        let day = 86_400
        let phone = "of: mika-phone-1"
        let story = try Self.story(
            """
              - { at: 600s, do: { clone-voice: { \(phone) } } }
              - { at: 642s, do: { outage: { \(phone), for: 60s } } }
              - { at: 690s, do: { user: { \(phone), does: sign-out-of-coach } } }
              - { at: 900s, do: { user: { \(phone), does: sign-in-to-coach-as-guest } } }
              - { at: \(day)s, do: { user: { \(phone), does: sign-in-to-coach } } }

            """
        )
        let atServer = story.records(VoiceAtServer.self)
        #expect(atServer.allSatisfy { $0.1.account == 1 })
        #expect(atServer.last?.1.voices == 1)
        let kept = try #require(
            story.records(VoiceKept.self).last { $0.1.account == 1 }
        )
        #expect(kept.1.state.value == .registered)
        #expect(kept.at > Instant.zero.advanced(by: .seconds(day)))
        #expect(story.invariants.allSatisfy { $0.violationCount == 0 })
    }
}
