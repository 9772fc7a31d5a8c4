import KodamaEvidence
import KodamaLanguage
import SansIO
import Testing

@testable import KodamaCoach

@Suite("The preload brings the user's voice; where it fails the bundled sound rings (AN-01)")
struct PreloadTests {
    private static func sounds(_ timeline: String) throws -> [FiredSound] {
        let story = try CoachStory(
            app: "account: mika,",
            radios: "wifi: wifi-internet",
            timeline: timeline,
            duration: "34h"
        )
        #expect(story.invariants.allSatisfy { $0.violationCount == 0 })
        return story.records(EntryFired.self).compactMap(\.1.sound.value)
    }

    private static let clone = "  - { at: 60s, do: { clone-voice: { of: mika-phone-1 } } }\n"

    @Test("The morning after a clone sounds in its voice")
    func preloaded() throws {
        let sounds = try Self.sounds(Self.clone)
        #expect(sounds.contains(.preloaded))
        #expect(!sounds.contains(.missing))
    }

    @Test("A download takes as long as ever, though the process before ended in one")
    func endedProcess() throws {
        let phone = "of: mika-phone-1"
        let launch = Instant.zero.advanced(by: .milliseconds(81_001_100))
        let story = try CoachStory(
            app: "account: mika,",
            radios: "wifi: wifi-internet",
            timeline: """
                \(Self.clone)  - { at: 81001s, do: { end-process: { \(phone) } } }
                  - { at: 81001100ms, do: { user: { \(phone), does: open-app } } }
                """,
            duration: "24h"
        )
        // The background task of the second evening is what ended.
        #expect(story.records(AudioFetched.self).count == 2)
        let fetched = try #require(story.records(AudioFetched.self).last)
        #expect(fetched.1.isThere.isSet)
        #expect(launch.duration(to: fetched.at) > .seconds(3))
        #expect(launch.duration(to: fetched.at) < .seconds(10))
    }

    @Test("Without a clone, and without a network since, the bundled sound rings")
    func bundled() throws {
        let without = try Self.sounds("")
        #expect(!without.isEmpty && without.allSatisfy { $0 == .bundled })
        let outage = "  - { at: 400s, do: { outage: { of: mika-phone-1, for: 30h } } }\n"
        let offline = try Self.sounds(Self.clone + outage)
        #expect(!offline.isEmpty && !offline.contains(.missing))
    }

    @Test(
        "An alarm whose audio was preloaded in a voice that is deleted by then sounds in none (AN-04)"
    )
    func deleted() throws {
        for at in [nil, "19000s"] as [String?] {
            let deletion = at.map {
                "  - { at: \($0), do: { delete-voice: { of: mika-phone-1 } } }\n"
            }
            let story = try CoachStory(
                app: "account: mika,",
                radios: "wifi: wifi-internet",
                timeline: "  - { at: 600s, do: { clone-voice: { of: mika-phone-1 } } }\n"
                    + (deletion ?? ""),
                clock: "18:00:00"
            )
            let sounds = story.records(EntryFired.self).compactMap(\.1.sound.value)
            #expect(!sounds.isEmpty)
            #expect(sounds.allSatisfy { $0 == (at == nil ? .preloaded : .bundled) })
        }
    }
}
