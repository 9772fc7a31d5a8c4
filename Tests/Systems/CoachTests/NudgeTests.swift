import KodamaEvidence
import SansIO
import Testing

@testable import KodamaCoach

@Suite("Nudges")
struct NudgeTests {
    /// Distractions at these seconds of an evening.
    private func story(_ seconds: [Int], app: String = "", seed: UInt64 = 1) throws -> CoachStory {
        let orders = seconds.map { "  - { at: \($0)s, do: { distract: { of: mika-phone-1 } } }" }
        return try CoachStory(
            app: app,
            parameters: "nudge.persona: committed",
            timeline: orders.joined(separator: "\n"),
            seed: seed
        )
    }

    @Test("A distraction leads to a nudge, a short intervention and back (AN-03, D-24)")
    func toEnd() throws {
        let stories = try (1...30).map { try story([120], seed: $0) }
        let done = stories.filter { !$0.records(InstructionDone.self).isEmpty }
        #expect(done.count >= 12, "most of the committed do what is asked: \(done.count)")
        for story in done {
            #expect(story.records(NudgeCame.self).count == 1)
            #expect(story.records(NudgeActed.self).first?.1.deed.value == .taps)
            #expect(try story.share("nudge.response.rate") == (1, 1))
        }
        let back = done.filter { story in
            let deeds = story.records(NudgeActed.self).compactMap(\.1.deed.value)
            return deeds.contains(.tapsBreadcrumb) || deeds.contains(.reopens)
        }
        #expect(!back.isEmpty && back.count < done.count, "some go back, some don't")
    }

    @Test("Of two distractions within a quarter of an hour one is nudged (D-25)")
    func gap() throws {
        #expect(try story([120, 500]).records(NudgeCame.self).count == 1)
        #expect(try story([120, 1_200]).records(NudgeCame.self).count == 2)
    }

    @Test(
        "A tap that comes after the app has taken the nudge back is served and not counted (D-26)"
    )
    func late() throws {
        let stories = try (1...60).map { try story([120], seed: $0) }
        let late = stories.filter { story in
            let tap = story.records(NudgeActed.self).first { $0.1.deed.value == .taps }
            return tap.map { $0.at > Instant.zero.advanced(by: .seconds(430)) } ?? false
        }
        #expect(!late.isEmpty, "a sixth of taps comes after 5 min")
        for story in late {
            #expect(story.records(NudgeEnded.self).map(\.1.reach.value) == [.unopened])
            #expect(try story.share("nudge.response.app_rate") == (0, 1))
        }
        #expect(late.contains { !$0.records(InstructionDone.self).isEmpty })
    }

    @Test("A nudge that a Focus keeps out lies in the list and is lost at the first link (AN-20)")
    func focus() throws {
        let kept = try story([120], app: "focus: strict,")
        #expect(kept.records(NudgeCame.self).map(\.1.isShown.isSet) == [false])
        #expect(try kept.share("nudge.chain.shown") == (0, 1))
        #expect(kept.records(NudgeActed.self).isEmpty)
    }

    @Test("Who breaks interventions off leaves those alone whose process has ended (AN-03)")
    func endedProcess() throws {
        let end = """
              - after: { event: nudge.began, of: mika-phone-1, count: 1, delay: 1s }
                do: { end-process: { of: mika-phone-1 } }
            """
        for (timeline, brokenOff) in [("", 2), (end, 0)] {
            let stories = try [49, 61].map { (seed: UInt64) in
                try CoachStory(
                    parameters: "nudge.persona: committed",
                    timeline: "  - { at: 120s, do: { distract: { of: mika-phone-1 } } }\n"
                        + timeline,
                    duration: "1h",
                    seed: seed
                )
            }
            #expect(stories.allSatisfy { !$0.records(InterventionBegan.self).isEmpty })
            let deeds = stories.flatMap { $0.records(NudgeActed.self).compactMap(\.1.deed.value) }
            #expect(deeds.count { $0 == .breaksOff } == brokenOff)
        }
    }

    @Test("Who sleeps is not distracted")
    func asleep() throws {
        #expect(try story([7_200]).records(NudgeCame.self).isEmpty)
    }

    @Test("The agent leads an intervention in a room, 30 to 60 s in the full form (K-07, AN-03)")
    func agent() throws {
        for (form, least, most) in [("full", 30, 60), ("short", 0, 32)] {
            let stories = try (1...20).map { seed in
                try CoachStory(
                    app: "realtime: true,",
                    radios: "wifi: wifi-internet",
                    parameters: "nudge.persona: committed, nudge.form: \(form)",
                    timeline: "  - { at: 120s, do: { distract: { of: mika-phone-1 } } }",
                    duration: "1h",
                    seed: seed
                )
            }
            let done = stories.filter { story in
                story.records(InterventionEnded.self).contains { $0.1.isDone.isSet }
            }
            #expect(done.count >= 8)
            for story in done {
                let tap = try #require(
                    story.records(NudgeActed.self).first { $0.1.deed.value == .taps }
                ).at
                let began = try #require(story.records(InterventionBegan.self).first)
                let ended = try #require(story.records(InterventionEnded.self).first).at
                #expect(began.1.isOnline.isSet)
                #expect(tap.duration(to: began.at) < .seconds(4))
                let length = tap.duration(to: ended)
                #expect(length >= .seconds(least) && length <= .seconds(most))
                let microphone = try #require(story.records(ListeningChanged.self).last)
                #expect(!microphone.1.isOpen.isSet, "the microphone is closed at the end (AN-20)")
            }
        }
    }

    @Test(
        "A phone call ends an intervention undone, each time, by either voice (AN-03, D-24)",
        arguments: [false, true]
    )
    func call(isOnline: Bool) throws {
        let calls = [1, 2].map {
            """
              - after: { event: nudge.began, of: mika-phone-1, count: \($0), delay: 2s }
                do: { user: { of: mika-phone-1, does: phone-call-begins } }
              - after: { event: nudge.began, of: mika-phone-1, count: \($0), delay: 62s }
                do: { user: { of: mika-phone-1, does: phone-call-ends } }

            """
        }
        let distractions = """
              - { at: 120s, do: { distract: { of: mika-phone-1 } } }
              - { at: 1200s, do: { distract: { of: mika-phone-1 } } }

            """
        let stories = try (1...12).map { seed in
            try CoachStory(
                app: "realtime: \(isOnline),",
                radios: "wifi: wifi-internet",
                // Nobody has done what is asked within two seconds.
                parameters: "nudge.persona: committed, nudge.instruction.median: 60s",
                timeline: distractions + calls.joined(),
                duration: "29min",
                seed: seed
            )
        }
        #expect(stories.contains { $0.records(InterventionBegan.self).count == 2 })
        for story in stories {
            #expect(story.records(InstructionDone.self).isEmpty)
            #expect(story.records(InterventionEnded.self).isEmpty)
            let deeds = story.records(NudgeActed.self).map(\.1.deed.value)
            #expect(!deeds.contains(.breaksOff), "the call has done that")
            let calls = deeds.count { $0 == .takesCall }
            #expect(calls == story.records(InterventionBegan.self).count)
            let opened = story.records(NudgeEnded.self).filter { $0.1.reach.value == .opened }
            // One that the app had taken back counts no more.
            let begun = story.records(InterventionBegan.self).filter { $0.1.number > 0 }
            #expect(opened.count == begun.count)
        }
    }

    @Test("A call on the way back takes the breadcrumb away (D-24)")
    func breadcrumbLost() throws {
        let distraction = "  - { at: 120s, do: { distract: { of: mika-phone-1 } } }\n"
        let call = """
              - after: { event: nudge.over, of: mika-phone-1, count: 1, delay: 100ms }
                do: { user: { of: mika-phone-1, does: phone-call-begins } }

            """
        var returns = 0
        for seed: UInt64 in 1...30 {
            func story(_ timeline: String) throws -> CoachStory {
                try CoachStory(
                    parameters: "nudge.persona: committed",
                    timeline: timeline,
                    duration: "25min",
                    seed: seed
                )
            }
            func taps(_ story: CoachStory) -> Bool {
                story.records(NudgeActed.self).contains { $0.1.deed.value == .tapsBreadcrumb }
            }
            guard taps(try story(distraction)) else { continue }
            returns += 1
            let called = try story(distraction + call)
            #expect(!taps(called))
            #expect(try called.share("nudge.return.rate") == (0, 1))
        }
        #expect(returns >= 3)
    }

    @Test("Without a network the phone's own voice leads the short form (K-07)")
    func offline() throws {
        let stories = try (1...20).map { seed in
            try CoachStory(
                app: "realtime: true,",
                radios: "wifi: wifi-internet",
                parameters: "nudge.persona: committed",
                timeline: """
                      - { at: 60s, do: { outage: { of: mika-phone-1, for: 50min } } }
                      - { at: 120s, do: { distract: { of: mika-phone-1 } } }
                    """,
                duration: "1h",
                seed: seed
            )
        }
        let begun = stories.flatMap { $0.records(InterventionBegan.self) }
        #expect(begun.count >= 8)
        #expect(begun.allSatisfy { !$0.1.isOnline.isSet })
    }
}
