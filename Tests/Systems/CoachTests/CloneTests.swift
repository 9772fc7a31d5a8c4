import KodamaEvidence
import KodamaLanguage
import SansIO
import Testing

@testable import KodamaCoach

@Suite("A cloned voice is registered whole or not at all, and deleted for good (AN-17, AN-04)")
struct CloneTests {
    private static func story(
        _ timeline: String = "",
        duration: String = "25h"
    ) throws -> CoachStory {
        try CoachStory(
            app: "account: mika,",
            radios: "wifi: wifi-internet",
            timeline: "  - { at: 600s, do: { clone-voice: { of: mika-phone-1 } } }\n" + timeline,
            duration: duration
        )
    }

    @Test("A recording becomes a voice, and nothing of it is left on phone and server (AN-10)")
    func cloned() throws {
        let story = try Self.story(duration: "1h")
        let states = story.records(VoiceKept.self).compactMap(\.1.state.value)
        #expect(states == [.sealed, .registered])
        let vault = try #require(story.records(VaultHeld.self).last).1
        #expect(!vault.hasRecording.isSet && vault.hasVoiceKey.isSet)
        let server = try #require(story.records(VoiceAtServer.self).last).1
        #expect(server.voices == 1 && !server.hasRecording.isSet)
        #expect(story.invariants.allSatisfy { $0.violationCount == 0 })
    }

    @Test(
        "A kill after any step leaves nothing half registered",
        arguments: [1, 2, 3, 4, 20, 36, 37, 38]
    )
    func kills(count: Int) throws {
        let kill = """
              - after: { event: clone.step, of: mika-phone-1, count: \(count), delay: 10ms }
                do: { end-process: { of: mika-phone-1 } }
            """
        let story = try Self.story(kill)
        #expect(story.invariants.allSatisfy { $0.violationCount == 0 })
        #expect(story.records(VoiceKept.self).last?.1.state.value == .registered)
        #expect(story.records(VaultHeld.self).last?.1.hasRecording.isSet == false)
    }

    @Test(
        "A deletion leaves nothing, whether the clone was there or on its way",
        arguments: [643, 90_000]
    )
    func deleted(second: Int) throws {
        let delete = "  - { at: \(second)s, do: { delete-voice: { of: mika-phone-1 } } }"
        let story = try Self.story(delete, duration: "49h")
        #expect(story.invariants.allSatisfy { $0.violationCount == 0 })
        #expect(story.records(VoiceKept.self).last?.1.state.value == VoiceState.none)
        #expect(story.records(VoiceAtServer.self).last.map { $0.1.voices } ?? 0 == 0)
        #expect(story.records(VaultHeld.self).last?.1.hasVoiceKey.isSet == false)
    }

    @Test(
        "The guide speaks with a voice from when it is kept, and no more from its deletion (AN-04)"
    )
    func guideVoice() throws {
        let story = try CoachStory(
            app: "account: mika, realtime: true,",
            radios: "wifi: wifi-internet",
            timeline: """
                  - { at: 600s, do: { clone-voice: { of: mika-phone-1 } } }
                  - { at: 3000s, do: { delete-voice: { of: mika-phone-1 } } }
                """,
            duration: "2h"
        )
        let changes = story.records(FactKept.self).filter {
            $0.1.fact.value == .voiceModeChanged
        }
        let kept = story.records(VoiceKept.self).filter {
            [.registered, .deleting].contains($0.1.state.value)
        }
        #expect(kept.count == 2)
        #expect(changes.map(\.at) == kept.map(\.at))
    }
}

@Suite("What is measured of a cloned voice (AN-17)")
struct VoiceMeterTests {
    private let directory = TraceDirectory(
        names: ["api-server", "mika-phone.coach"],
        systems: CoachStory.registry.evidence
    )

    private func broken(_ forms: [any TraceForm]) -> [Int] {
        var meter = VoiceMeter()
        for (second, form) in forms.enumerated() {
            let at = Instant.zero.advanced(by: .seconds(second))
            let isVoice = meter.take(TraceRecord(form, at: at, of: ComponentIndex(1)), at: second)
            #expect(isVoice)
        }
        return meter.invariants.map { $0.result(TraceLines(directory)).violationCount }
    }

    private func wish(_ isWanted: Bool) -> any TraceForm {
        VoiceWish(account: 1, isWanted: TraceFlag(isWanted))
    }

    private func kept(_ state: VoiceState) -> any TraceForm {
        VoiceKept(account: 1, state: TraceWord(state))
    }

    private func server(_ voices: Int64, recording: Bool = false) -> any TraceForm {
        VoiceAtServer(account: 1, voices: voices, hasRecording: TraceFlag(recording))
    }

    private func vault(_ hasRecording: Bool, _ hasVoiceKey: Bool) -> any TraceForm {
        VaultHeld(
            account: 1,
            hasRecording: TraceFlag(hasRecording),
            hasVoiceKey: TraceFlag(hasVoiceKey)
        )
    }

    @Test("A phone that is registered finds its voice at the server, and no recording")
    func whole() {
        #expect(broken([wish(true), kept(.sealed), server(1), kept(.registered)]) == [0, 0])
        #expect(broken([wish(true), kept(.sealed), kept(.registered)]) == [1, 0])
        #expect(broken([wish(true), server(1, recording: true), kept(.registered)]) == [1, 0])
        #expect(broken([wish(true), server(1), kept(.none)]) == [1, 0])
    }

    @Test("A deletion is over when nothing is left, and nothing comes back after it")
    func deletion() {
        let gone: [any TraceForm] = [
            wish(true), server(1), kept(.registered), vault(false, true), wish(false),
            kept(.deleting), vault(false, false), server(0), kept(.none),
        ]
        #expect(broken(gone) == [0, 0])
        #expect(broken(gone + [server(1)]) == [0, 1])
        #expect(broken(gone + [vault(false, true)]) == [0, 1])
        #expect(broken(gone + [wish(true), server(1)]) == [0, 0])
    }
}
