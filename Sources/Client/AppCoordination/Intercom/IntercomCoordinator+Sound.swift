import PeerTransport
import SansIO
import VoiceActivity

extension IntercomCoordinator {
    /// Gives the keeper of the sound a fact, or wakes it, and follows what it orders.
    mutating func tellSound(
        _ event: SoundKeeper.Event?,
        at now: Instant,
        into effects: inout EffectBuffer<Effect>
    ) {
        sound.drive(event, at: now, into: &soundEffects)
        for effect in soundEffects.effects {
            switch effect {
            case .soundChanged(let isOn):
                if isOn {
                    soundIsTaken = false
                } else if group != nil {
                    interrupt(at: now, into: &effects)
                }
            case .configureAudioSession, .requestMicrophonePermission, .startVoiceEngine,
                .stopVoiceEngine:
                effects.append(.sound(effect))
            }
        }
        soundEffects.removeAll()
    }

    /// Somebody else has the audio: what was being said ends here, and what waits is out of date when
    /// the speaker works again.
    private mutating func interrupt(at now: Instant, into effects: inout EffectBuffer<Effect>) {
        soundIsTaken = true
        stopTalking(at: now, into: &effects)
        for index in receptions.indices {
            tellPlayout(index, .stop, at: now, into: &effects)
            // A frame that was heard already is not followed by an earlier one on its slower way.
            receptions[index].buffer = JitterBuffer(
                configuration: configuration.jitterBuffer,
                from: receptions[index].buffer.earliestIndex,
                heardAt: receptions[index].buffer.heardAt
            )
        }
    }

    /// Ends what is being said, where no next frame can.
    mutating func stopTalking(at now: Instant, into effects: inout EffectBuffer<Effect>) {
        tellGate(.stop, at: now, into: &effects)
        gate = TalkGate(configuration: configuration.gate)
    }
}
