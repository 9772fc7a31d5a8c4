import KodamaEvidence
import KodamaSession
import SansIO
import Testing

@testable import KodamaCoach

@Suite("Sleepers who speak into the agent's lines")
struct TurnTests {
    private func story(_ parameter: String) throws -> CoachStory {
        try CoachStory(
            app: "realtime: true,",
            radios: "wifi: wifi-internet",
            parameters: """
                sleeper.kind: light, wake.snoozes_max: 0, sleeper.answers: 100%, \
                sleeper.stops_half_asleep: 0%, sleeper.gives_up: 0%, \(parameter)
                """
        )
    }

    @Test("A word that comes before a line's end is understood, and the next step follows (K-09)")
    func bargeIns() throws {
        let story = try story("sleeper.barges_in: 100%")
        let said = story.records(Interjected.self)
        let silent = story.records(AgentFellSilent.self)
        #expect(said.count == 3 && silent.count == 3, "one for each step")
        for (word, stop) in zip(said, silent) {
            #expect(word.1.interjection.value == .bargeIn && stop.1.isBrokenOff.isSet)
            let time = word.at.duration(to: stop.1.until)
            #expect(time > .milliseconds(360) && time < .milliseconds(600))
        }
        #expect(try story.share("wake.success.rate") == (1, 1))
        #expect(story.records(LineBegan.self).map(\.1.step) == [0, 1, 2])
    }

    @Test("A backchannel stops nothing: the line is said to its end (K-09)")
    func backchannels() throws {
        let story = try story("sleeper.backchannels: 100%")
        #expect(story.records(Interjected.self).count >= 3)
        #expect(story.records(AgentFellSilent.self).allSatisfy { !$0.1.isBrokenOff.isSet })
        let stops = try story.share("turns.backchannel.stops")
        #expect(stops.part == 0 && stops.whole >= 3)
        #expect(try story.share("wake.success.rate") == (1, 1))
    }
}
