/// How long a voice agent takes to answer (livekit/agents 1.7, files as named).
public struct VoiceAgentConfiguration: Sendable, Equatable {
    /// The pipeline.
    public var pipeline = AgentPipeline.cascaded
    /// Silence after which the agent's detector says that speech ended: 550 ms
    /// (livekit-plugins-silero, `vad.py`).
    public var minimumSilence: Duration = .milliseconds(550)
    /// The least wait for the end of a turn: 500 ms (`voice/turn.py`).
    public var endpointingMinimum: Duration = .milliseconds(500)
    /// The wait if the turn detector thinks that the user goes on: 3 s (as above).
    public var endpointingMaximum: Duration = .seconds(3)
    /// The agent's input frame: 50 ms (`voice/room_io/types.py`).
    public var inputFrame: Duration = .milliseconds(50)
    /// How long an agent needs to join a room after it was called; an assumption.
    public var joinTime: Duration = .milliseconds(500)
    /// How long an answer sounds; an assumption.
    public var answerLength: Duration = .seconds(3)

    /// The framework's own defaults.
    public init() {}
}

/// What answers the user.
public enum AgentPipeline: String, Sendable, Hashable, CaseIterable {
    /// Speech to text, a language model, text to speech.
    case cascaded
    /// One model from speech to speech.
    case realtime
}
