import PeerTransport
import SansIO
import VoiceActivity

extension IntercomCoordinator {
    /// Gives the keeper of the sound a fact, or wakes it, and follows what it orders.
    mutating func tellSound(_ event: SoundKeeper.Event?, in turn: inout Turn<Effect>) {
        for effect in sound.drive(event, at: turn.now) {
            switch effect {
            case .soundChanged(let isOn):
                if isOn {
                    soundIsTaken = false
                } else if group != nil {
                    interrupt(in: &turn)
                }
            case .configureAudioSession, .requestMicrophonePermission, .startVoiceEngine,
                .stopVoiceEngine:
                turn.order(.sound(effect))
            }
        }
    }

    /// Somebody else has the audio: what was being said ends here, and what waits is out of date when
    /// the speaker works again.
    private mutating func interrupt(in turn: inout Turn<Effect>) {
        soundIsTaken = true
        stopTalking(in: &turn)
        for index in receptions.indices {
            tellPlayout(index, .stop, in: &turn)
            // A frame that was heard already is not followed by an earlier one on its slower way.
            receptions[index].buffer = JitterBuffer(
                configuration: configuration.jitterBuffer,
                from: receptions[index].buffer.earliestIndex,
                heardAt: receptions[index].buffer.heardAt
            )
        }
    }

    /// Ends what is being said, where no next frame can.
    mutating func stopTalking(in turn: inout Turn<Effect>) {
        tellGate(.stop, in: &turn)
        gate = TalkGate(configuration: configuration.gate)
    }
}
