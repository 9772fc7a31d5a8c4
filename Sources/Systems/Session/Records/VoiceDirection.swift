import KodamaEvidence

/// The two directions of a session's voice.
package enum VoiceDirection: Int64, Sendable, CaseIterable {
    /// From the phone to the agent.
    case fromPhone
    /// From the agent to the phone.
    case toPhone
}
