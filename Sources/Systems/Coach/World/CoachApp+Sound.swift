import KodamaEvidence
import KodamaNetwork
import KodamaPhone
import KodamaSession
import KodamaWorld
import SansIO
import WakeFlow

// A conversation as sound: the agent's lines and the user's answers in frames over the links.

extension ScriptLine {
    /// How long it takes to say: about 7 characters of Japanese in a second, an assumption.
    var length: Duration { .milliseconds(150) * max(1, text.count) }
}

extension CoachApp {
    /// What the user may say: the script's words, and one that it does not expect.
    var words: [String] { plan.wake.script.steps.map(\.expectedWord) + ["うん"] }

    /// The agent has begun with a line; its frames are under way from now on.
    func agentSpeaks(_ number: UInt32, on stage: inout Stage) {
        guard number == talk.lineCount, let line = talk.line, talk.isAgents else { return }
        sound?.agentBegins(line, at: stage.now)
    }

    /// A frame of the agent's has come in; the first of a line is heard after the jitter buffer.
    func hear(_ frame: MediaFrame, in packet: Packet, on stage: inout Stage) {
        let route = MediaRoute(from: packet.source, to: packet.destination, track: frame.track)
        guard soundIsOn, let room = currentRoom, room.isPlaying, room.hears(by: route) else {
            return
        }
        let begins = sound?.frameArrived(frame.captured, at: stage.now, playout: sdk.playoutDelay)
        guard let begins else { return }
        let heard = begins.advanced(by: .nanoseconds(SoundHardware.outputLatency))
        schedule(.lineBegins, talk.lineCount, after: stage.now.duration(to: heard), on: &stage)
    }

    /// A line is over, or broken off.
    func endLineSound(on stage: inout Stage) {
        guard let sounded = sound?.endLine(at: stage.now) else { return }
        note(LineSounded(frames: sounded.frames, concealed: sounded.concealed), on: &stage)
    }

    // MARK: Answers

    /// The user says a word into the microphone, whose frames go to the agent.
    func speakToAgent(_ text: String, _ up: Duration, on stage: inout Stage) {
        guard let sound else { return }
        let frames = sound.say(text)
        microphone.answersUntil = stage.now.advanced(by: SessionVoice.frame * (frames + 1))
        for frame in 1...frames {
            let number = UInt32(frame) | sound.wordCount << 8
            schedule(.wordFrame, number, after: SessionVoice.frame * frame, on: &stage)
        }
        let wait = SessionVoice.frame * frames + up + plan.bedroom.transcript
        schedule(.agentRecognises, sound.wordCount, after: wait, on: &stage)
    }

    /// The process that was sending an answer is gone, and the answer with it.
    func endAnswer() {
        microphone.answersUntil = .zero
        sound?.endAnswer()
    }

    func sendWordFrame(_ number: UInt32, on stage: inout Stage) {
        guard let sound, number >> 8 == sound.wordCount, soundIsOn,
            let route = currentRoom?.mediaRoute
        else { return }
        sendFrame(number, bytes: sound.wordPacketBytes(number), along: route, on: &stage)
    }

    func reachedAgent(_ frame: MediaFrame, on stage: inout Stage) {
        sound?.wordArrived(UInt32(truncatingIfNeeded: frame.sequence))
    }

    /// The agent's recogniser has what it takes the answer for, or nothing.
    func agentRecognises(_ word: UInt32, on stage: inout Stage) {
        guard let sound, word == sound.wordCount, let said = talk.said else { return }
        let found = sound.recognise()
        let form = WordHeard(
            isRight: TraceFlag(found.text == said),
            frames: found.frames,
            lost: found.lost
        )
        note(form, on: &stage)
        talk.said = found.text
        guard found.text != nil, let down = agentVoice.down else { return }
        schedule(.agentHears, talk.lineCount, after: down, on: &stage)
    }
}
