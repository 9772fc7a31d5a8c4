import KodamaEvidence
import SansIO
import Testing

@testable import KodamaCoach

@Suite("Mornings with the agent in a room")
struct AgentTests {
    private func story(
        radios: String = "wifi: wifi-internet",
        parameters: String = "",
        timeline: String = "",
        seed: UInt64 = 1
    ) throws -> CoachStory {
        try CoachStory(
            app: "realtime: true,",
            radios: radios,
            parameters: Self.everybodyAnswers + parameters,
            timeline: timeline,
            seed: seed
        )
    }

    @Test("A tap connects at once, and the agent says every line of the guide (RS-13, K-04, AN-02)")
    func agent() throws {
        let story = try story()
        let lines = story.records(LineBegan.self)
        #expect(lines.filter { !$0.1.isRepetition.isSet }.map(\.1.step) == [0, 1, 2])
        #expect(lines.allSatisfy { !$0.1.isOffline.isSet })
        let answer = try #require(
            story.records(SleeperActed.self).first { $0.1.deed.value == .answers }
        )
        let wait = answer.at.duration(to: try #require(lines.first).at)
        #expect(wait > .milliseconds(500) && wait < .seconds(3))
        #expect(try story.share("wake.success.rate") == (1, 1))
        #expect(try story.share("wake.talk.agent") == (1, 1))
        #expect(try story.share("wake.saved.offline") == (0, 1))
        let microphone = story.records(ListeningChanged.self)
        #expect(microphone.contains { $0.1.isOpen.isSet && $0.1.isWanted.isSet })
        #expect(!(try #require(microphone.last)).1.isOpen.isSet, "it is closed in the end (AN-20)")
        #expect(microphone.filter { $0.1.isOpen.isSet && !$0.1.isWanted.isSet }.count <= 1)
    }

    @Test("A phone without a network is guided by its own voice, without waiting (AN-05)")
    func noNetwork() throws {
        let story = try story(radios: "")
        let lines = story.records(LineBegan.self)
        #expect(!lines.isEmpty && lines.allSatisfy { $0.1.isOffline.isSet })
        let answer = try #require(
            story.records(SleeperActed.self).first { $0.1.deed.value == .answers }
        )
        #expect(answer.at.duration(to: try #require(lines.first).at) < .seconds(3))
        #expect(try story.share("wake.saved.offline") == (1, 1))
    }

    @Test("A link that dies without a word costs the wait for the connection, and no more (AN-02)")
    func deadLink() throws {
        let outage =
            "  - { at: 8h, do: { outage: { of: mika-phone-1, for: 2h, notice: never } } }"
        let story = try story(timeline: outage)
        let lines = story.records(LineBegan.self)
        #expect(!lines.isEmpty && lines.allSatisfy { $0.1.isOffline.isSet })
        #expect(try story.share("wake.success.rate") == (1, 1))
    }

    @Test(
        "A link that is lost in a step leaves it to the phone's voice; the agent goes on after it (AN-05)",
        arguments: [1, 2, 3]
    )
    func lost(step: Int) throws {
        let outage = """
              - after: { event: coach.line, of: mika-phone-1, count: \(step), delay: 1s }
                do: { outage: { of: mika-phone-1, for: 20s, notice: never } }
            """
        let story = try story(timeline: outage)
        let gone = try #require(
            story.records(AgentVoiceChanged.self).first { !$0.1.isThere.isSet }
        )
        #expect(gone.1.isAwaited.isSet)
        let lines = story.records(LineBegan.self)
        let own = try #require(lines.first { $0.1.isOffline.isSet })
        #expect(gone.at.duration(to: own.at) <= .seconds(1), "AN-05's second")
        #expect(own.at > gone.at && own.1.step == lines[step - 1].1.step)
        #expect(try story.share("wake.success.rate") == (1, 1))
        #expect(try story.share("wake.saved.offline") == (1, 1))
        guard step < 3 else { return }
        #expect(!(try #require(lines.last)).1.isOffline.isSet, "the agent is back")
    }

    @Test("A phone call in the guide ends it, and voice with it (AN-02, AN-20)")
    func call() throws {
        let call = """
              - after: { event: coach.line, of: mika-phone-1, count: 2, delay: 1s }
                do: { user: { of: mika-phone-1, does: phone-call-begins } }
              - after: { event: coach.line, of: mika-phone-1, count: 2, delay: 61s }
                do: { user: { of: mika-phone-1, does: phone-call-ends } }
            """
        let story = try story(timeline: call)
        #expect(story.records(MorningEnded.self).first?.1.outcome.value == .cutOff)
        let line = try #require(story.records(LineBegan.self).dropFirst().first)
        #expect(story.records(LineBegan.self).allSatisfy { $0.at <= line.at })
        let last = try #require(story.records(AgentVoiceChanged.self).last)
        #expect(!last.1.isThere.isSet)
    }

    @Test("A guide behind the lock screen outlives its session, and a sound follows (D-23)")
    func halfAsleep() throws {
        let story = try CoachStory(
            app: "realtime: true,",
            radios: "wifi: wifi-internet",
            parameters: "sleeper.kind: light, sleeper.stops_half_asleep: 100%"
        )
        let stop = try #require(
            story.records(SleeperActed.self).first { $0.1.deed.value == .stopsHalfAsleep }
        )
        let lines = story.records(LineBegan.self).filter { $0.at > stop.at }
        #expect(lines.contains { $0.1.isRepetition.isSet }, "the process lives on")
        let later = stop.at.advanced(by: .seconds(120))
        #expect(story.records(EntryFired.self).contains { $0.at > later })
        #expect(try story.count("wake.sounds.in_guide").total == 0)
    }

    @Test("One seed gives one story (HN-01)")
    func repeatable() throws {
        let (one, two) = (try story(seed: 5), try story(seed: 5))
        #expect(one.trace.records == two.trace.records)
    }

    private static let everybodyAnswers = """
        sleeper.kind: light, wake.snoozes_max: 0, sleeper.answers: 100%, \
        sleeper.stops_half_asleep: 0%, sleeper.gives_up: 0%
        """
}
