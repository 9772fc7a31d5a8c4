import KodamaNetwork
import KodamaPhone
import KodamaSimulation
import SansIO

/// How long a voice agent takes to answer (livekit/agents 1.7, files as named).
package struct VoiceAgentConfiguration: Sendable, Equatable {
    /// The pipeline.
    var pipeline = AgentPipeline.cascaded
    /// The least length of sound that the agent's detector takes for speech: 50 ms
    /// (livekit-plugins-silero, `vad.py`).
    var minimumSpeech: Duration = .milliseconds(50)
    /// Silence after which the agent's detector says that speech ended: 550 ms (as above).
    var minimumSilence: Duration = .milliseconds(550)
    /// The least wait for the end of a turn: 500 ms (`voice/turn.py`).
    var endpointingMinimum: Duration = .milliseconds(500)
    /// The wait if the turn detector thinks that the user goes on: 3 s (as above).
    var endpointingMaximum: Duration = .seconds(3)
    /// How often the turn detector thinks so although the user has finished: 8 %.
    ///
    /// An assumption, fitted to a 90th percentile of 3.0 s in all (package `apresvous`, measured with
    /// LiveKit Agents 1.8) and a 95th of 3.4 s (a community article of Hugging Face, March 2026).
    var endpointingMistakes = Probability(partsPerMillion: 80_000)
    /// How long the user must speak to break off an answer: 500 ms (`voice/turn.py`).
    var interruptionMinimum: Duration = .milliseconds(500)
    /// From the end of speech to its final transcript: median 0.36 s, 90th percentile 1.2 s (package
    /// `apresvous`, Deepgram nova-3).
    var speechToText = LatencyLaw(median: .milliseconds(360), sigmaMillionths: 939_465)
    /// From the end of the turn to the model's first token: median 0.42 s, 90th percentile 0.50 s (as
    /// above, Gemini Flash Lite).
    var languageModel = LatencyLaw(median: .milliseconds(420), sigmaMillionths: 136_049)
    /// From the first token to the first sound: median 0.14 s, 90th percentile 0.18 s (as above,
    /// Cartesia).
    var textToSpeech = LatencyLaw(median: .milliseconds(140), sigmaMillionths: 196_102)
    /// From the end of speech to the first sound of a realtime model: median 0.5 s (Fora Soft's guide to
    /// OpenAI Realtime, 2026), 90th percentile 0.8 s; the percentile is an assumption.
    var realtimeModel = LatencyLaw(median: .milliseconds(500), sigmaMillionths: 366_746)
    /// The agent's input frame: 50 ms (`voice/room_io/types.py`).
    var inputFrame: Duration = .milliseconds(50)
    /// How long an agent needs to join a room after it was called; an assumption.
    var joinTime: Duration = .milliseconds(500)
    /// How long an answer sounds; an assumption.
    var answerLength: Duration = .seconds(3)

    /// The framework's own defaults.
    init() {}
}

/// What answers the user.
enum AgentPipeline: String, Sendable, Hashable, CaseIterable {
    /// Speech to text, a language model, text to speech.
    case cascaded
    /// One model from speech to speech.
    case realtime
}
