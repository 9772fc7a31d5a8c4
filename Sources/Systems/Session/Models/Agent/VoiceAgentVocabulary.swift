import KodamaNetwork
import KodamaPhone

/// What a voice agent hears of its room.
package enum VoiceAgentEvent: Sendable, Equatable {
    /// Somebody joined, or is there when the agent comes.
    case participantConnected(identity: String)
    /// Somebody left, for this reason.
    case participantDisconnected(identity: String, DisconnectReason)
    /// The first frame of a stretch of speech of the linked participant came in.
    case speechBegan
    /// A frame without speech followed speech, or frames stopped coming.
    case speechEnded
    /// The agent's job ends, by itself or with its worker.
    case jobEnded
    /// The room was closed under the agent.
    case roomClosed
}

/// What a voice agent does.
package enum VoiceAgentEffect: Sendable, Equatable {
    /// An answer begins; its sound lasts so long.
    case answerBegan(turn: Int, lasting: Duration)
    /// The answer ends, or is broken off because the user speaks.
    case answerEnded(turn: Int, wasInterrupted: Bool)
    /// The session is closed: the agent neither hears nor speaks from now on.
    case closed(DisconnectReason)
}
