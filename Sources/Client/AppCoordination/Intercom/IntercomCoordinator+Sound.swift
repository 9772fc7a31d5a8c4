import PeerTransport
import SansIO
import VoiceActivity

extension IntercomCoordinator {
    /// Routes what the keeper of the sound ordered, and follows it.
    mutating func routeSound(at now: Instant, into effects: inout EffectBuffer<Effect>) {
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
            stopReception(at: index, now, into: &effects)
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
        gate.handle(.stop, at: now, into: &gateEffects)
        routeGate(at: now, into: &effects)
        gate = TalkGate(configuration: configuration.gate)
    }
}
