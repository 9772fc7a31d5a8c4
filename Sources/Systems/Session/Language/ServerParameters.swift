import KodamaLanguage
import KodamaNetwork
import KodamaPhone
import KodamaSimulation
import SansIO

extension ParameterCatalog {
    /// Everything that can be tuned in the servers that sessions talk to; calls have no agents.
    static let servers = ParameterCatalog(
        rooms.shared(with: Tenant.calls) + agent + agentModels
            + api.shared(with: Tenant.calls),
        constraints: [
            Constraint("agent.endpointing_minimum", notAbove: "agent.endpointing_maximum")
        ]
    ).scoped(.servers(of: SessionAppPlan.system))

    private static let rooms: [Parameter] = [
        timer("ping_interval", \ServicesPlan.rooms.pingInterval, "How often clients ping."),
        timer("ping_timeout", \ServicesPlan.rooms.pingTimeout, "How long an answer may take."),
        timer(
            "ice_disconnected_timeout",
            \ServicesPlan.rooms.iceDisconnectedTimeout,
            "The silence after which the server's ICE counts as disconnected."
        ),
        timer(
            "ice_failed_timeout",
            \ServicesPlan.rooms.iceFailedTimeout,
            "How much later it counts as failed."
        ),
        timer(
            "ice_keepalive_interval",
            \ServicesPlan.rooms.iceKeepaliveInterval,
            "The time between the server's own checks."
        ),
        timer(
            "disconnect_cleanup",
            \ServicesPlan.rooms.disconnectCleanup,
            "How long a participant whose media failed is kept."
        ),
        timer(
            "join_verify_timeout",
            \ServicesPlan.rooms.joinVerifyTimeout,
            "Within which a participant must become active."
        ),
        timer(
            "negotiation_timeout",
            \ServicesPlan.rooms.negotiationTimeout,
            "How long an offer may stay without an answer."
        ),
        timer(
            "dtls_retransmit_interval",
            \ServicesPlan.rooms.dtlsRetransmitInterval,
            "When the server repeats a flight of DTLS."
        ),
        timer(
            "empty_timeout",
            \ServicesPlan.rooms.emptyTimeout,
            "How long a room that nobody joined lives."
        ),
        timer(
            "departure_timeout",
            \ServicesPlan.rooms.departureTimeout,
            "How long a room lives after its last participant who is no agent."
        ),
        timer(
            "sweep_interval",
            \ServicesPlan.rooms.sweepInterval,
            "How often rooms are looked at."
        ),
        timer(
            "token_refresh_interval",
            \ServicesPlan.rooms.tokenRefreshInterval,
            "How often connected clients get a fresh token.",
            // More tokens than a link carries pile up without end.
            from: .seconds(1)
        ),
        timer(
            "token_refresh_ttl",
            \ServicesPlan.rooms.tokenRefreshTimeToLive,
            "The least life of a fresh token."
        ),
        timer(
            "session_start_time",
            \ServicesPlan.rooms.sessionStartTime,
            "What the server needs to start a session."
        ),
        .choice(
            "rooms.ice_agent",
            \ServicesPlan.rooms.iceAgent,
            meaning: "Whether ICE takes every nomination, or only one of higher priority.",
            source: "pion/ice, pull request 739; livekit/livekit, config-sample.yaml"
        ),
        .boolean(
            "rooms.awaits_nomination",
            \ServicesPlan.rooms.awaitsNomination,
            meaning:
                "Whether a lite ICE agent answers DTLS only once the client has nominated a way.",
            source: "pion/ice, selection.go; libwebrtc, p2p/base/basic_ice_controller.cc"
        ),
        .boolean(
            "rooms.media_by_tcp",
            \ServicesPlan.rooms.takesMediaByTCP,
            meaning: "Whether media goes by TCP where no datagrams pass.",
            source: "RFC 6544; livekit/livekit, config-sample.yaml"
        ),
        .boolean(
            "rooms.multipath",
            \ServicesPlan.rooms.takesMultipath,
            meaning: "Whether signal connections go by both radios where Wi-Fi does not answer.",
            source: "RFC 8684; livekit/client-sdk-swift, WebSocket.swift"
        ),
        .boolean(
            "rooms.forgets_pairs_upon_restart",
            \ServicesPlan.rooms.forgetsPairsUponRestart,
            meaning: "Whether an ICE restart at once forgets the pair that carries media.",
            source: "RFC 8445 §9; pion/ice, agent.go"
        ),
        .boolean(
            "rooms.holds_messages_until_resumed",
            \ServicesPlan.rooms.holdsMessagesUntilResumed,
            meaning: "Whether a resumed connection says nothing before its reconnect response.",
            source: "livekit/livekit, pull request 4827"
        ),
        timer(
            "resume_hold_timeout",
            \ServicesPlan.rooms.resumeHoldTimeout,
            "How long it says nothing at most."
        ),
        .seconds(
            "rooms.token_leeway",
            \ServicesPlan.rooms.tokenLeewaySeconds,
            0...86_400,
            meaning: "By how much tokens may be early or late.",
            source: "livekit/protocol, auth/verifier.go"
        ),
        .boolean(
            "rooms.auto_create",
            \ServicesPlan.rooms.createsRooms,
            meaning: "Whether a room that does not exist is made for who joins it; if not, 404.",
            source: "livekit/livekit, pkg/config/config.go"
        ),
        .integer(
            "rooms.max_participants",
            \ServicesPlan.rooms.maxParticipants,
            1...100_000,
            meaning: "The most participants that a room takes.",
            source: "livekit/livekit, pkg/config/config.go"
        ),
    ]

    /// A time of the room server.
    private static func timer(
        _ name: String,
        _ path: any ConfigurationPath<ServicesPlan, Duration>,
        _ meaning: String,
        from least: Duration = .milliseconds(1)
    ) -> Parameter {
        .duration(
            "rooms.\(name)",
            path,
            least...(.seconds(86_400)),
            meaning: meaning,
            source: "livekit/livekit, pkg"
        )
    }

    private static let agent: [Parameter] = [
        .choice(
            "agent.pipeline",
            \ServicesPlan.agent.pipeline,
            meaning: "What answers the user: a chain of three models or one from speech to speech.",
            source: "K-09"
        ),
        pace(
            "minimum_speech",
            \ServicesPlan.agent.minimumSpeech,
            "The least length of sound that the agent's detector takes for speech."
        ),
        pace(
            "minimum_silence",
            \ServicesPlan.agent.minimumSilence,
            "The silence after which the agent's detector says that speech ended."
        ),
        pace(
            "endpointing_minimum",
            \ServicesPlan.agent.endpointingMinimum,
            "The least wait for the end of a turn."
        ),
        pace(
            "endpointing_maximum",
            \ServicesPlan.agent.endpointingMaximum,
            "The wait if the user seems to go on."
        ),
        .share(
            "agent.endpointing_mistakes",
            \ServicesPlan.agent.endpointingMistakes,
            .zero...(.one),
            meaning: "How often the turn detector thinks so although the user has finished.",
            source: "K-09"
        ),
        pace(
            "interruption_minimum",
            \ServicesPlan.agent.interruptionMinimum,
            "How long the user must speak to break off an answer."
        ),
        pace("input_frame", \ServicesPlan.agent.inputFrame, "The agent's input frame."),
        pace("join_time", \ServicesPlan.agent.joinTime, "How long an agent needs to join a room."),
        pace("answer_length", \ServicesPlan.agent.answerLength, "How long an answer sounds."),
    ]

    private static let agentModels: [Parameter] = [
        pace(
            "speech_to_text.median",
            \ServicesPlan.agent.speechToText.median,
            "The median time from the end of speech to its text."
        ),
        spread("speech_to_text", \ServicesPlan.agent.speechToText.sigmaMillionths),
        pace(
            "language_model.median",
            \ServicesPlan.agent.languageModel.median,
            "The median time from the end of the turn to the model's first token."
        ),
        spread("language_model", \ServicesPlan.agent.languageModel.sigmaMillionths),
        pace(
            "text_to_speech.median",
            \ServicesPlan.agent.textToSpeech.median,
            "The median time from the first token to the first sound."
        ),
        spread("text_to_speech", \ServicesPlan.agent.textToSpeech.sigmaMillionths),
        pace(
            "realtime_model.median",
            \ServicesPlan.agent.realtimeModel.median,
            "The median time from the end of speech to the first sound of a realtime model."
        ),
        spread("realtime_model", \ServicesPlan.agent.realtimeModel.sigmaMillionths),
    ]

    /// The spread of a latency whose logarithm is normal.
    private static func spread(
        _ name: String,
        _ path: any ConfigurationPath<ServicesPlan, Int64>
    ) -> Parameter {
        .millionths(
            "agent.\(name).spread",
            path,
            0...5_000_000,
            meaning: "The standard deviation of that time's natural logarithm; 100% is 1.",
            source: "livekit/agents, K-09"
        )
    }

    /// A time of the agents.
    private static func pace(
        _ name: String,
        _ path: any ConfigurationPath<ServicesPlan, Duration>,
        _ meaning: String
    ) -> Parameter {
        .duration(
            "agent.\(name)",
            path,
            .zero...(.seconds(600)),
            meaning: meaning,
            source: "livekit/agents, K-09"
        )
    }

    private static let api: [Parameter] = [
        .duration(
            "api.clock_offset",
            \ServicesPlan.apiClockOffset,
            .seconds(-86_400)...(.seconds(86_400)),
            meaning: "How much later than true the clock of the app's own server is.",
            source: "RS-01"
        ).shared(with: Tenant.replica),
        .boolean(
            "api.configured",
            \ServicesPlan.apiIsConfigured,
            meaning: "Whether the app's own server has its LiveKit key and secret.",
            source: "RS-01"
        ),
        .boolean(
            "api.key_is_known",
            \ServicesPlan.apiKeyIsKnown,
            meaning: "Whether the key with which the app's own server signs is the room server's.",
            source: "RS-01; livekit/livekit, pkg/service/auth.go"
        ),
        .duration(
            "api.work_time",
            \ServicesPlan.apiWorkTime,
            .zero...(.seconds(60)),
            meaning: "How long the app's own server works on a request.",
            source: "K-02"
        ).shared(with: Tenant.replica),
        .duration(
            "api.token_ttl",
            \ServicesPlan.tokenTimeToLive,
            .seconds(1)...(.seconds(86_400)),
            meaning: "How long a token lives.",
            source: "RS-01"
        ),
    ]
}
