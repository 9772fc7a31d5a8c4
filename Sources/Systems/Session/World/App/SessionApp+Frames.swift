import KodamaEvidence
import KodamaLanguage
package import KodamaNetwork
import KodamaPhone
import KodamaSimulation
package import KodamaWorld
package import RealtimeVoice
package import SansIO

// Voice as frames (`voice: sized`): one every 20 ms while it is published, a test tone where nobody
// speaks.

extension SessionApp {
    /// A person at the phone begins or ends a talk spurt.
    package func personSpoke(begins: Bool, on stage: inout Stage) {
        voice.speakers += begins ? 1 : -1
        guard mode == .reachability, let radio = phone.radios.first else { return }
        let delay = stage.delay(of: radio.link.forward)
        schedule(.agentHears, after: delay, on: &stage)
    }

    /// Begins to make frames of the phone's voice, once.
    package func startFrames(on stage: inout Stage) {
        guard mode != .reachability, roomSound == nil, !voice.isTicking else { return }
        voice.isTicking = true
        schedule(.voiceFrame, after: .zero, on: &stage)
    }

    /// The app has the microphone published so from now on.
    package func publish(_ audio: PublishedAudio) {
        voice.published = audio
        roomSound?.sender.encode(at: audio.bitRate)
    }

    /// The microphone has a frame ready.
    package func sendFrame(on stage: inout Stage) {
        guard process != nil else {
            voice.isTicking = false
            return
        }
        schedule(.voiceFrame, after: SessionVoice.frame, on: &stage)
        guard soundIsOn, let room = currentRoom, let route = room.seat.ask({ $0.mediaRoute }) else {
            return
        }
        voice.sequence += 1
        let payload = SessionVoice.payloadBytes(at: voice.published.bitRate)
        room.seat.ask {
            $0.noteMediaSent()
            $0.noteSent(bytes: payload)
        }
        let captured =
            stage.now.nanoseconds - SessionVoice.frame.wholeNanoseconds - SoundHardware.inputLatency
        let frame = MediaFrame(
            track: route.track,
            sequence: voice.sequence,
            captured: Instant(nanoseconds: captured),
            isSpeech: voice.isSpeaking
        )
        let packet = Packet(
            from: route.source,
            to: route.destination,
            wireBytes: payload + SessionVoice.headerBytes,
            .media(frame)
        )
        stage.send(packet)
    }

    /// A frame of the agent's is played after the jitter buffer's delay.
    package func play(_ frame: MediaFrame, in packet: Packet, on stage: inout Stage) {
        guard soundIsOn, let room = currentRoom,
            room.seat.ask({ $0.hears(packet) && $0.isPlaying })
        else { return }
        guard roomSound == nil else { return take(frame, on: &stage) }
        let heard = Instant(nanoseconds: stage.now.nanoseconds + playoutNanoseconds)
        let voice = VoiceHeard(
            direction: TraceWord(.toPhone),
            captured: frame.captured,
            heard: heard,
            speech: TraceFlag(frame.isSpeech)
        )
        note(voice, on: &stage)
        follow(speech: frame.isSpeech, captured: frame.captured, heard: heard, on: &stage)
        guard frame.isSpeech, let agent else { return }
        noteAnswer(of: agent, heard: heard, on: &stage)
    }

    /// What the phone adds between a frame's arrival and the ear.
    package var playoutNanoseconds: Int64 {
        plan.sdk.playoutDelay.wholeNanoseconds + SoundHardware.outputLatency
    }

    /// The first sample of an answer is heard, once.
    package func noteAnswer(of agent: Agent, heard: Instant, on stage: inout Stage) {
        let answer = SessionVoice.Answer(agent: agent.number, turn: agent.turn)
        guard agent.isAnswering, voice.answerHeard != answer else { return }
        voice.answerHeard = answer
        note(AnswerHeard(turn: Int64(answer.turn), heard: heard), on: &stage)
        listen(toAnswer: answer.turn, of: agent, on: &stage)
    }
}
