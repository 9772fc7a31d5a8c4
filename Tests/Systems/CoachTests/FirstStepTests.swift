import KodamaEvidence
import KodamaLanguage
import SansIO
import Testing

@testable import KodamaCoach

@Suite("Onboarding and self-talk on a phone")
struct FirstStepTests {
    private static let day = Duration.seconds(86_400)

    @Test("A kill at any instant of the seven steps repeats one at most and loses none (AN-14)")
    func kills() throws {
        var repeats = 0
        for step in 1...7 {
            for delay in ["0s", "1ms", "1s", "3s", "5s", "6999ms", "7s", "7001ms"] {
                let kill = """
                      - after: { event: onboarding.shown, of: mika-phone-1, count: \(step), delay: \(delay) }
                        do: { end-process: { of: mika-phone-1 } }
                    """
                let story = try CoachStory(
                    app: "account: mika, onboards: true,",
                    radios: "wifi: wifi-internet",
                    timeline: kill,
                    duration: "2h"
                )
                let shown = story.records(OnboardingShown.self).map(\.1.step)
                var order: [Int64] = []
                for step in shown where order.last != step { order.append(step) }
                #expect(order == Array(1...8), "killed at \(delay) of step \(step)")
                #expect(shown.count <= 9)
                #expect(try story.share("onboarding.finished.rate") == (1, 1))
                let repeated = try story.count("onboarding.steps.repeated")
                #expect(repeated.total <= 1)
                repeats += Int(repeated.total)
                #expect(story.invariants.allSatisfy { $0.violationCount == 0 })
            }
        }
        #expect(repeats <= 7, "an answer that the store has is not asked for again: \(repeats)")
    }

    @Test("Another user of the phone has first steps of their own, twice in a row (AN-14, AN-08)")
    func guest() throws {
        let sign = "do: { user: { of: mika-phone-1, does: sign-in-to-coach"
        let story = try CoachStory(
            app: "account: mika, onboards: true,",
            radios: "wifi: wifi-internet",
            timeline: """
                  - after: { event: onboarding.shown, of: mika-phone-1, count: 3, delay: 2s }
                    \(sign)-as-guest } }
                  - { at: 40000s, \(sign) } } }
                  - { at: 42000s, \(sign)-as-guest } } }
                """,
            duration: "12h"
        )
        var order: [Int64] = []
        for (_, shown) in story.records(OnboardingShown.self) where order.last != shown.step {
            order.append(shown.step)
        }
        #expect(order == [1, 2, 3, 4] + Array(1...8) + Array(4...8))
        #expect(try story.share("onboarding.finished.rate") == (2, 2))
        #expect(try story.count("onboarding.steps.repeated").total == 0)
        #expect(story.invariants.allSatisfy { $0.violationCount == 0 })
    }

    @Test("An onboarding without an account, which keeps its steps, is refused (HN-02)")
    func nobody() {
        let error = #expect(throws: InvalidScenario.self) { try CoachStory(app: "onboards: true,") }
        #expect(error?.diagnostics.map(\.code).contains("onboards-nobody") == true)
    }

    private func talk(_ orders: [String], until hours: Int = 14) throws -> CoachStory {
        let lines = ["  - { at: 60s, do: { clone-voice: { of: mika-phone-1 } } }"] + orders
        return try CoachStory(
            app: "account: mika,",
            radios: "wifi: wifi-internet",
            timeline: lines.joined(separator: "\n"),
            duration: "\(hours)h"
        )
    }

    private func headset(_ word: String, at second: Int) -> String {
        "  - { at: \(second)s, do: { bedroom: { of: mika-phone-1, headset: \(word) } } }"
    }

    private func distract(at second: Int) -> String {
        "  - { at: \(second)s, do: { distract: { of: mika-phone-1 } } }"
    }

    @Test("The user's own phrase sounds in headphones and nowhere else (AN-16)")
    func headphones() throws {
        let noon = 12 * 3_600
        for (word, outputs) in [
            ("worn", [.worn, nil]), ("beside", [.beside, nil]), ("car", []), ("none", []),
        ] as [(String, [PhraseOutput?])] {
            let story = try talk([headset(word, at: noon), distract(at: noon + 600)])
            #expect(story.records(TriggerSeen.self).map(\.1.phrases) == [2])
            #expect(story.records(PhraseSounded.self).map(\.1.output.value) == outputs, "\(word)")
            #expect(try story.count("selftalk.aloud").total == 0)
        }
    }

    @Test(
        "A phrase stops when the headphones are taken away, and comes once in five minutes (AN-16)"
    )
    func takenAway() throws {
        let noon = 12 * 3_600
        let away = """
              - after: { event: selftalk.sounds, of: mika-phone-1, count: 1, delay: 1s }
                do: { bedroom: { of: mika-phone-1, headset: none } }
            """
        let story = try talk([headset("worn", at: noon), distract(at: noon + 600), away])
        let sounded = story.records(PhraseSounded.self)
        // The app hears of it in the instant in which the sound goes elsewhere.
        #expect(sounded.map(\.1.output.value) == [.worn, .aloud, nil])
        #expect(try story.count("selftalk.aloud").total == 0)
        let length = try #require(sounded.first).at.duration(to: try #require(sounded.last).at)
        #expect(length == .seconds(1))
        let often = try talk([
            headset("worn", at: noon), distract(at: noon + 600), distract(at: noon + 700),
            distract(at: noon + 1_000),
        ])
        #expect(try often.share("selftalk.rate") == (2, 3))
    }

    @Test("A phrase lasts its whole length, though the process before ended in one (AN-16)")
    func endedProcess() throws {
        let noon = 12 * 3_600
        let after = "after: { event: selftalk.sounds, of: mika-phone-1, count: 1, delay:"
        let story = try talk([
            headset("worn", at: noon), distract(at: noon + 600),
            "  - { \(after) 1s }, do: { end-process: { of: mika-phone-1 } } }",
            "  - { \(after) 1200ms }, do: { distract: { of: mika-phone-1 } } }",
        ])
        let sounded = story.records(PhraseSounded.self)
        #expect(sounded.map(\.1.output.value) == [.worn, nil, .worn, nil])
        let lengths = [0, 2].map { sounded[$0].at.duration(to: sounded[$0 + 1].at) }
        #expect(lengths == [.seconds(1), .seconds(3)])
    }

    @Test("Without a voice of their own, or an evening told, nothing is said to a user (AN-16)")
    func silence() throws {
        let noon = 12 * 3_600
        let story = try CoachStory(
            app: "account: mika,",
            radios: "wifi: wifi-internet",
            timeline: [headset("worn", at: noon), distract(at: noon + 600)].joined(separator: "\n"),
            duration: "14h"
        )
        #expect(story.records(TriggerSeen.self).map(\.1.phrases) == [0])
        #expect(story.records(PhraseSounded.self).isEmpty)
    }
}
