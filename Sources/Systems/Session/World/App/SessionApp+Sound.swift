import KodamaEvidence
import KodamaNetwork
import KodamaPhone
package import KodamaWorld
import RealtimeVoice
import SansIO

// Voice as sound (`voice: real`): the microphone's frames through libopus to the agent, and the agent's through
// our jitter buffer and libopus to the speaker, by the phone's own clocks.

extension SessionApp {
    package var usesFrames: Bool { roomSound != nil }

    /// The microphone has a frame ready: it leaves if its track is published.
    package func captureFrame(_ number: Int64, on stage: inout Stage) {
        guard process != nil, let roomSound, let room = currentRoom,
            let route = room.seat.ask({ $0.mediaRoute })
        else { return }
        room.noteMediaSent()
        let clock = phone.sound.microphoneClock
        let isSpeaking = voice.isSpeaking
        for packet in roomSound.capture(number, by: clock, along: [route], isSpeech: isSpeaking) {
            room.noteSent(bytes: packet.wireBytes - SessionVoice.headerBytes)
            stage.send(packet)
        }
    }

    /// A frame of the agent's that can be played has come in.
    func take(_ frame: MediaFrame, on stage: inout Stage) {
        guard let packet = agent?.packet(of: frame) else { return }
        roomSound?.ear.receive(frame, packet, of: agents.index, on: &stage)
    }

    /// The speaker asks for sound.
    package func renderSound(on stage: inout Stage) {
        guard process != nil, let roomSound else { return }
        roomSound.ear.render(SoundHardware.samplesPerRender, on: &stage) { frame, heard, stage in
            guard frame.isSpeech, let agent else { return }
            noteAnswer(of: agent, heard: heard, on: &stage)
        }
    }
}
