import KodamaEvidence
import KodamaLanguage
package import KodamaNetwork
import KodamaPhone
import KodamaSimulation
package import KodamaWorld
package import SansIO

/// A voice agent, from the call for it on.
package final class Agent: Host {
    /// Its number among all that were ever called.
    package let number: UInt32
    package let room: String
    @exclusivity(unchecked) package var seat: Seat<VoiceAgent>
    package unowned(unsafe) let pool: AgentPool
    /// The app whose user it listens to, once it knows.
    package unowned var app: SessionApp?
    package private(set) var hasJoined = false
    /// Whether it found nobody in its room, so that its record says of no phone that it has joined.
    package var joinedUnseen = false
    /// Whether it has ended its session; it hears nothing more.
    package var isClosed = false
    /// The answer under way, or the last one.
    package private(set) var turn = 0
    package private(set) var isAnswering = false
    /// Whether the latest answer that is over was broken off.
    package private(set) var wasInterrupted = false
    /// The number of its latest frame.
    private var sequence: Int64 = 0
    /// What it hears of its user's voice.
    private var hearsSpeech = false
    private var lastFrame = Instant.zero
    /// Its voice and its ear, where voices are real.
    private var sound: AgentSound?

    /// An agent that hears no frame for this long takes the user for silent.
    private static let hearingGap = Duration.milliseconds(200)

    package init(
        _ machine: VoiceAgent,
        number: UInt32,
        room: String,
        in pool: AgentPool,
        at now: Instant
    ) {
        seat = Seat(machine, at: now)
        self.number = number
        self.room = room
        self.pool = pool
    }

    package var isAwake: Bool { !isClosed }

    package func scheduleWake(at instant: Instant, on stage: inout Stage) {
        pool.scheduleWake(of: self, at: instant, on: &stage)
    }

    /// The agent reaches its room.
    package func arrive(on stage: inout Stage) {
        guard !isClosed else { return }
        hasJoined = true
        pool.rooms.hear(.agentJoined(room: room), on: &stage)
        pool.note(AgentJoined(), of: self, on: &stage)
        joinedUnseen = app == nil
        if pool.mode != .reachability {
            pool.schedule(.frame, of: self, after: SessionVoice.frame, on: &stage)
        }
        app?.touchFlows(on: &stage)
    }

    /// The binding of the agent's effects.
    package func perform(_ effect: VoiceAgentEffect, on stage: inout Stage) {
        switch effect {
        case .answerBegan(let turn, lasting: _):
            self.turn = turn
            isAnswering = true
            pool.note(AnswerBegan(turn: Int64(turn)), of: self, on: &stage)
            app?.hearAnswer(of: self, on: &stage)
        case .answerEnded(let turn, let wasInterrupted):
            self.turn = turn
            isAnswering = false
            self.wasInterrupted = wasInterrupted
            let ended = AnswerEnded(turn: Int64(turn), interrupted: TraceFlag(wasInterrupted))
            pool.note(ended, of: self, on: &stage)
        case .closed(let reason):
            isAnswering = false
            pool.note(AgentClosed(reason: TraceWord(reason)), of: self, on: &stage)
            pool.close(self, on: &stage)
        }
    }

    /// A frame of its user's voice reaches the agent.
    package func hear(_ frame: MediaFrame, on stage: inout Stage) {
        lastFrame = stage.now
        setHearing(frame.isSpeech, on: &stage)
    }

    /// The user begins or ends to be heard speaking.
    package func setHearing(_ isSpeech: Bool, on stage: inout Stage) {
        guard hearsSpeech != isSpeech else { return }
        hearsSpeech = isSpeech
        hear(isSpeech ? .speechBegan : .speechEnded, on: &stage)
    }

    /// A frame is ready: for everybody in the room.
    package func sendFrame(on stage: inout Stage) {
        guard !isClosed else { return }
        pool.schedule(.frame, of: self, after: SessionVoice.frame, on: &stage)
        sequence += 1
        if sound != nil { listen(on: &stage) }
        if hearsSpeech, lastFrame.duration(to: stage.now) > Self.hearingGap {
            setHearing(false, on: &stage)
        }
        guard sound == nil else { return sendSound(on: &stage) }
        for route in pool.rooms.seat.ask({ $0.mediaRoutes(room: room) }) {
            let frame = MediaFrame(
                track: route.track,
                sequence: sequence,
                captured: stage.now.advanced(by: .zero - SessionVoice.frame),
                isSpeech: isAnswering
            )
            let packet = Packet(
                from: route.source,
                to: route.destination,
                wireBytes: SessionVoice.wireBytes,
                .media(frame)
            )
            pool.rooms.transmit(packet, on: &stage)
        }
    }
}

// MARK: - Sound

extension Agent {
    /// Gives the agent a voice and an ear for its user's, where voices are real.
    package func openSound(_ speech: AgentSpeech, to app: SessionApp) {
        guard sound == nil, app.roomSound != nil else { return }
        sound = AgentSound(
            speech,
            agent: number,
            of: app.index,
            playout: app.sdk.playoutDelay
        )
    }

    /// The packet of a frame that it has sent.
    package func packet(of frame: MediaFrame) -> [UInt8]? { sound?.sender.packet(of: frame) }

    /// A frame of its user's voice comes in, as a packet; whether it has an ear for that.
    package func receive(_ frame: MediaFrame, of user: any RoomUser, on stage: inout Stage) -> Bool
    {
        guard let sound, let roomSound = user.roomSound else { return false }
        if let packet = roomSound.sender.packet(of: frame) {
            sound.ear.receive(frame, packet, of: pool.index, on: &stage)
        }
        return true
    }

    /// Hears 20 ms of its user's voice, as much of it as has come.
    private func listen(on stage: inout Stage) {
        sound?.ear.render(SoundHardware.samplesPerFrame, on: &stage) { frame, _, stage in
            hear(frame, on: &stage)
        }
    }

    /// Encodes a frame, once for whoever is in the room.
    private func sendSound(on stage: inout Stage) {
        let captured = stage.now.advanced(by: .zero - SessionVoice.frame)
        var frame = MediaFrame(
            track: 0,
            sequence: captured.nanoseconds / SessionVoice.frame.wholeNanoseconds,
            captured: captured,
            isSpeech: isAnswering
        )
        guard let size = sound?.encode(frame, ofAnswer: isAnswering ? turn : nil) else { return }
        for route in pool.rooms.seat.ask({ $0.mediaRoutes(room: room) }) {
            frame.track = route.track
            let packet = VoiceSender.datagram(of: frame, along: route, payloadBytes: size)
            pool.rooms.transmit(packet, on: &stage)
        }
    }
}
