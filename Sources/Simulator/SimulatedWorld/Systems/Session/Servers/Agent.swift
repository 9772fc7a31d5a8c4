import Evidence
import Models
import SansIO
import Scenarios
import Simulation

/// A voice agent, from the call for it on.
final class Agent: Host {
    /// Its number among all that were ever called.
    let number: UInt32
    let room: String
    @exclusivity(unchecked) var seat: Seat<VoiceAgent>
    unowned(unsafe) let pool: AgentPool
    /// The app whose user it listens to, once it knows.
    unowned var app: SessionApp?
    private(set) var hasJoined = false
    /// Whether it has ended its session; it hears nothing more.
    var isClosed = false
    /// The answer under way, or the last one.
    private(set) var turn = 0
    private(set) var isAnswering = false
    /// The number of its latest frame.
    private var sequence: Int64 = 0
    /// What it hears of its user's voice.
    private var hearsSpeech = false
    private var lastFrame = Instant.zero

    /// An agent that hears no frame for this long takes the user for silent.
    private static let hearingGap = Duration.milliseconds(200)

    init(_ machine: VoiceAgent, number: UInt32, room: String, in pool: AgentPool, at now: Instant) {
        seat = Seat(machine, at: now)
        self.number = number
        self.room = room
        self.pool = pool
    }

    var isAwake: Bool { !isClosed }

    func scheduleWake(at instant: Instant, on stage: inout Stage) {
        pool.scheduleWake(of: self, at: instant, on: &stage)
    }

    /// The agent reaches its room.
    func arrive(on stage: inout Stage) {
        guard !isClosed else { return }
        hasJoined = true
        pool.rooms.hear(.agentJoined(room: room), on: &stage)
        pool.note(AgentJoined(), of: self, on: &stage)
        if pool.mode != .reachability {
            pool.schedule(.frame, of: self, after: SessionVoice.frame, on: &stage)
        }
        app?.touchFlows(on: &stage)
    }

    /// The binding of the agent's effects.
    func perform(_ effect: VoiceAgentEffect, on stage: inout Stage) {
        switch effect {
        case .answerBegan(let turn, lasting: _):
            self.turn = turn
            isAnswering = true
            pool.note(AnswerBegan(turn: Int64(turn)), of: self, on: &stage)
            app?.hearAnswer(of: self, on: &stage)
        case .answerEnded(let turn, let wasInterrupted):
            self.turn = turn
            isAnswering = false
            let ended = AnswerEnded(turn: Int64(turn), interrupted: wasInterrupted)
            pool.note(ended, of: self, on: &stage)
        case .closed(let reason):
            isAnswering = false
            pool.note(AgentClosed(reason: reason), of: self, on: &stage)
            pool.close(self, on: &stage)
        }
    }

    /// A frame of its user's voice reaches the agent.
    func hear(_ frame: MediaFrame, on stage: inout Stage) {
        lastFrame = stage.now
        setHearing(frame.isSpeech, on: &stage)
    }

    /// The user begins or ends to be heard speaking.
    func setHearing(_ isSpeech: Bool, on stage: inout Stage) {
        guard hearsSpeech != isSpeech else { return }
        hearsSpeech = isSpeech
        hear(isSpeech ? .speechBegan : .speechEnded, on: &stage)
    }

    /// A frame is ready: for everybody in the room.
    func sendFrame(on stage: inout Stage) {
        guard !isClosed else { return }
        pool.schedule(.frame, of: self, after: SessionVoice.frame, on: &stage)
        sequence += 1
        if hearsSpeech, lastFrame.duration(to: stage.now) > Self.hearingGap {
            setHearing(false, on: &stage)
        }
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
