import AppCoordination
import KodamaEvidence
import KodamaSession
import KodamaSimulation
import KodamaWorld
import SansIO
import WakeFlow

// Sleepers who speak into the agent's line: to have it over with, or to show that they listen (`sleeper.barges_in`,
// `sleeper.backchannels`).

extension CoachApp {
    /// After which share of a line they speak, in per cent; an assumption.
    private static let onset: ClosedRange<Int64> = 20...80

    /// A line of the agent's begins to be heard.
    func listen(to line: ScriptLine, _ number: UInt32, on stage: inout Stage) {
        let bedroom = plan.bedroom
        guard bedroom.bargesIn != .zero || bedroom.backchannels != .zero, sound == nil,
            talk.isAgents, !person.isUp
        else { return }
        var draws = self.draws("coach.turns")
        draws.index = UInt64(person.mornings) << 32 | UInt64(number) << 2
        let kind: Interjection
        if draws.bernoulli(bedroom.bargesIn) {
            kind = .bargeIn
        } else if draws.bernoulli(bedroom.backchannels) {
            kind = .backchannel
        } else {
            return
        }
        let wait = line.length * Int(draws.uniform(in: Self.onset)) / 100
        schedule(.speaksInto, number << 1 | UInt32(kind.rawValue), after: wait, on: &stage)
    }

    /// The sleeper speaks, if the line is still heard: the word that the step asks for, or "mhm".
    func speaksInto(_ argument: UInt32, on stage: inout Stage) {
        guard let kind = Interjection(rawValue: Int64(argument & 1)),
            argument >> 1 == talk.lineCount & 0x7FFF_FFFF, let line = talk.line, talk.isAgents,
            agentVoice.isThere, !person.isUp, !talk.isInterjected
        else { return }
        talk.isInterjected = true
        note(
            Interjected(interjection: TraceWord(kind), begins: TraceFlag(true)),
            on: &stage
        )
        switch kind {
        case .bargeIn: sayToAgent(plan.wake.script.steps[line.step].expectedWord, on: &stage)
        case .backchannel: sayToAgent("うん", on: &stage)
        }
    }

    /// The line is not heard any more.
    func fallSilent(isBrokenOff: Bool, on stage: inout Stage) {
        guard talk.isInterjected else { return }
        talk.isInterjected = false
        note(
            AgentFellSilent(until: stage.now, isBrokenOff: TraceFlag(isBrokenOff)),
            on: &stage
        )
    }
}
