package import KodamaEvidence
package import SansIO

// Turns: what a user says while they hear the agent, and when it falls silent. Sessions and the coach write them.

/// A user speaks while they hear the agent; the truth.
package struct Interjected: TraceForm {
    package static let kind = TraceKind(.session, 66)
    package static let text = TraceFormText(
        "turn.interjected",
        .milestone,
        "The user begins (1) or ends (0) to speak while they hear the agent.",
        .words("kind", Interjection.self),
        "begins"
    )
    package var interjection: TraceWord<Interjection>
    package var begins: TraceFlag

    package init(interjection: TraceWord<Interjection>, begins: TraceFlag) {
        (self.interjection, self.begins) = (interjection, begins)
    }
}

/// The agent falls silent at the user's ear.
package struct AgentFellSilent: TraceForm {
    package static let kind = TraceKind(.session, 67)
    package static let text = TraceFormText(
        "turn.silent",
        .milestone,
        "What the agent says is heard until until_ns: broken off (1) or said to its end (0).",
        "until_ns",
        "broken_off"
    )
    /// When its last sample leaves the speaker.
    package var until: Instant
    package var isBrokenOff: TraceFlag

    package init(until: Instant, isBrokenOff: TraceFlag) {
        (self.until, self.isBrokenOff) = (until, isBrokenOff)
    }
}

/// Why a user speaks into what the agent says.
package enum Interjection: Int64, Sendable, CaseIterable {
    /// They want to have the word.
    case bargeIn
    /// They show that they listen ("mhm"), and want it to go on.
    case backchannel
}
