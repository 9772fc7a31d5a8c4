import KodamaEvidence
import KodamaLanguage
import KodamaPhone
import KodamaSimulation
import KodamaWorld
import SansIO

/// What the user hears of the agent, and says into it.
package struct SessionListener {
    /// The latest frame of the agent's that was heard with speech, and until when it sounds.
    var latest = Instant.zero
    var until = Instant.zero
    /// Whether the agent is heard speaking.
    var isHearing = false
    /// What the user says now.
    var speaks: Interjection?
}

// Users who interrupt the agent or say "mhm" (`listener.*`), as frames carry it.

extension SessionApp {
    /// From the first sample of an answer to when a user speaks into it; an assumption.
    private static let onset: ClosedRange<Int64> = 500_000_000...2_000_000_000

    private var listens: Bool { plan.listener.isOn && mode == .sized }

    /// An answer begins to be heard: the user may speak into it.
    func listen(toAnswer turn: Int, of agent: Agent, on stage: inout Stage) {
        guard listens else { return }
        let number = agent.number << 16 | UInt32(turn & 0xFFFF)
        let seed = phone.seed("session.listener", number, on: stage)
        var draws = RandomStream(seed: seed, purpose: "session.listener", entity: name)
        let kind: Interjection
        if draws.bernoulli(plan.listener.bargesIn) {
            kind = .bargeIn
        } else if draws.bernoulli(plan.listener.backchannels) {
            kind = .backchannel
        } else {
            return
        }
        let wait = Duration.nanoseconds(draws.uniform(in: Self.onset))
        let law = kind == .bargeIn ? plan.listener.bargeIn : plan.listener.backchannel
        let milliseconds = draws.latency(law).wholeNanoseconds / 1_000_000
        let length = UInt32(clamping: max(1, milliseconds)) & 0x7FFF_FFFF
        schedule(.interjects, length << 1 | UInt32(kind.rawValue), after: wait, on: &stage)
    }

    /// The user begins to speak, if there is still something to speak into, or has spoken.
    func interjects(_ argument: UInt32, on stage: inout Stage) {
        let (length, kind) = (argument >> 1, Interjection(rawValue: Int64(argument & 1)))
        guard let kind else { return }
        guard length > 0 else { return endInterjection(on: &stage) }
        guard listener.isHearing, listener.speaks == nil, soundIsOn else { return }
        listener.speaks = kind
        personSpoke(begins: true, on: &stage)
        note(
            Interjected(interjection: TraceWord(kind), begins: TraceFlag(true)),
            on: &stage
        )
        let lasting = Duration.milliseconds(Int64(length))
        schedule(.interjects, UInt32(kind.rawValue), after: lasting, on: &stage)
    }

    /// The process that played the agent is gone: nobody speaks into what the next one plays for that.
    func hearNoMore(on stage: inout Stage) {
        guard listener.isHearing else { return }
        listener.isHearing = false
        let until = min(listener.until, stage.now)
        note(AgentFellSilent(until: until, isBrokenOff: TraceFlag(false)), on: &stage)
    }

    private func endInterjection(on stage: inout Stage) {
        guard let kind = listener.speaks else { return }
        listener.speaks = nil
        personSpoke(begins: false, on: &stage)
        note(
            Interjected(interjection: TraceWord(kind), begins: TraceFlag(false)),
            on: &stage
        )
    }

    /// A frame of the agent's is heard: it speaks, or has fallen silent.
    func follow(
        speech isSpeech: Bool,
        captured: Instant,
        heard: Instant,
        on stage: inout Stage
    ) {
        guard listens, captured >= listener.latest else { return }
        listener.latest = captured
        if isSpeech {
            listener.isHearing = true
            listener.until = heard.advanced(by: SessionVoice.frame)
        } else if listener.isHearing {
            listener.isHearing = false
            let isBrokenOff = TraceFlag(agent?.wasInterrupted ?? false)
            note(AgentFellSilent(until: listener.until, isBrokenOff: isBrokenOff), on: &stage)
        }
    }
}
