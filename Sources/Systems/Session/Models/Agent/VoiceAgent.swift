import KodamaNetwork
import KodamaPhone
import KodamaSimulation
import SansIO

/// A voice agent in a room: it listens to one participant and answers each turn of theirs.
///
/// It is linked to the first participant who comes, unlinked when they go, and linked to the next one
/// or the same one again; its session ends only if they left on purpose: `CLIENT_INITIATED`,
/// `ROOM_DELETED` or `USER_REJECTED` (livekit/agents, `voice/room_io/room_io.py` and `types.py`). So
/// a network loss does not end it, and an app that calls `disconnect()` does.
///
/// An answer begins when the turn is over and the pipeline has made its first sound. The turn is over
/// at the latest of three times that run at once: the endpointing delay, the detector's silence, and
/// the final transcript (`voice/audio_recognition.py`). Who speaks again before the answer sounds goes
/// on with the turn; who speaks into the answer long enough breaks it off. What the agent says is
/// nothing but sound of a known length.
package struct VoiceAgent: StateMachine {
    /// What the agent has to say.
    enum Answer: Sendable, Equatable {
        /// Nothing: it listens.
        case none
        /// An answer is being made; its sound begins then.
        case due(turn: Int, at: Instant)
        /// An answer sounds until then.
        case sounding(turn: Int, until: Instant)
    }

    /// An answer that is over, broken off, and the end of the session.
    static var effectsPerCallMax: Int { 4 }

    let configuration: VoiceAgentConfiguration
    /// The latencies of turn `n` are the draws from `n · drawsPerTurn` on, whatever happened before.
    private let latencies: RandomStream
    /// Whom the agent listens to; `nil` while it waits for somebody.
    package private(set) var linkedIdentity: String?
    private var answer = Answer.none
    /// Since when the user is speaking.
    private var speakingSince: Instant?
    private var turns = 0
    /// Whether the session is closed.
    package private(set) var isFinished = false

    private static let drawsPerTurn: UInt64 = 4

    /// Makes an agent that has joined a room and heard of nobody in it.
    ///
    /// - Parameters:
    ///   - configuration: Its pipeline and latencies.
    ///   - seed: Chooses the latencies of each turn.
    init(configuration: VoiceAgentConfiguration, seed: UInt64) {
        self.configuration = configuration
        latencies = RandomStream(seed: seed, purpose: "agent latency", entity: "")
    }

    /// Whether an answer sounds.
    var isAnswering: Bool {
        switch answer {
        case .none, .due: false
        case .sounding: true
        }
    }

    /// When an answer begins or ends, or the user's speech has become long enough to matter.
    var deadline: Deadline? {
        switch answer {
        case .none:
            nil
        case .due(_, let instant):
            .earliest(Deadline(instant, "answer"), noticedAt.map { Deadline($0, "speech") })
        case .sounding(_, let until):
            .earliest(
                Deadline(until, "end of answer"),
                interruptsAt.map { Deadline($0, "interruption") }
            )
        }
    }

    /// Takes one fact.
    mutating func handle(_ event: VoiceAgentEvent, in turn: inout Turn<VoiceAgentEffect>) {
        guard !isFinished else { return }
        advance(in: &turn)
        switch event {
        case .participantConnected(let identity):
            guard linkedIdentity == nil else { return }
            linkedIdentity = identity
        case .participantDisconnected(let identity, let reason):
            guard linkedIdentity == identity else { return }
            linkedIdentity = nil
            speakingSince = nil
            guard Self.closeReasons.contains(reason) else { return }
            close(reason, in: &turn)
        case .speechBegan:
            guard linkedIdentity != nil else { return }
            speakingSince = speakingSince ?? turn.now
        case .speechEnded:
            endSpeech(at: turn.now)
        case .jobEnded:
            close(.unknownReason, in: &turn)
        case .roomClosed:
            close(.roomClosed, in: &turn)
        }
    }

    /// Begins, ends or gives up the answer as its time has come.
    mutating func wake(in turn: inout Turn<VoiceAgentEffect>) {
        advance(in: &turn)
    }

    /// The reasons of a participant's leaving that end the session (`DEFAULT_CLOSE_ON_DISCONNECT_REASONS`).
    private static let closeReasons: Set<DisconnectReason> = [
        .clientInitiated, .roomDeleted, .userRejected,
    ]

    /// When sound has become speech.
    private var noticedAt: Instant? { speakingSince?.advanced(by: configuration.minimumSpeech) }

    /// When speech breaks off an answer.
    private var interruptsAt: Instant? {
        speakingSince?.advanced(by: configuration.interruptionMinimum)
    }

    /// Does what was due up to now, in the order in which it was due.
    private mutating func advance(in turn: inout Turn<VoiceAgentEffect>) {
        if case .due(let number, let instant) = answer {
            if let noticedAt, noticedAt <= min(turn.now, instant) {
                answer = .none
            } else if instant <= turn.now {
                let length = configuration.answerLength
                answer = .sounding(turn: number, until: turn.now.advanced(by: length))
                turn.order(.answerBegan(turn: number, lasting: length))
            }
        }
        if case .sounding(let number, let until) = answer {
            if let interruptsAt, interruptsAt <= min(turn.now, until) {
                end(number, wasInterrupted: true, in: &turn)
            } else if until <= turn.now {
                end(number, wasInterrupted: false, in: &turn)
            }
        }
    }

    private mutating func end(
        _ number: Int,
        wasInterrupted: Bool,
        in turn: inout Turn<VoiceAgentEffect>
    ) {
        answer = .none
        turn.order(.answerEnded(turn: number, wasInterrupted: wasInterrupted))
    }

    private mutating func close(_ reason: DisconnectReason, in turn: inout Turn<VoiceAgentEffect>) {
        if case .sounding(let number, _) = answer {
            end(number, wasInterrupted: true, in: &turn)
        }
        answer = .none
        linkedIdentity = nil
        speakingSince = nil
        isFinished = true
        turn.order(.closed(reason))
    }

    /// Speech that was long enough, and did not disappear in an answer, makes a turn.
    private mutating func endSpeech(at now: Instant) {
        guard let noticedAt else { return }
        speakingSince = nil
        guard noticedAt <= now, answer == .none else { return }
        turns += 1
        answer = .due(turn: turns, at: now.advanced(by: latency(ofTurn: turns)))
    }

    /// From the arrival of the first frame without speech to the first sound of the answer.
    private func latency(ofTurn turn: Int) -> Duration {
        var stream = latencies
        stream.index = UInt64(turn) * Self.drawsPerTurn
        switch configuration.pipeline {
        case .cascaded:
            let isMistaken = stream.bernoulli(configuration.endpointingMistakes)
            let endpointing =
                isMistaken ? configuration.endpointingMaximum : configuration.endpointingMinimum
            let transcript = stream.latency(configuration.speechToText)
            let endOfTurn = max(endpointing, configuration.minimumSilence, transcript)
            let firstToken = stream.latency(configuration.languageModel)
            return configuration.inputFrame + endOfTurn + firstToken
                + stream.latency(configuration.textToSpeech)
        case .realtime:
            return configuration.inputFrame + stream.latency(configuration.realtimeModel)
        }
    }
}
