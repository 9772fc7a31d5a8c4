extension TraceKind {
    /// The app was launched.
    @inlinable
    public static var appLaunched: TraceKind { TraceKind(place: 15) }
    /// The app's process ended.
    @inlinable
    public static var appTerminated: TraceKind { TraceKind(place: 16) }
    /// The scene's phase changed.
    @inlinable
    public static var sceneChanged: TraceKind { TraceKind(place: 17) }
    /// The app shows another status.
    @inlinable
    public static var statusShown: TraceKind { TraceKind(place: 18) }
    /// The system told the app of the network.
    @inlinable
    public static var pathNoticed: TraceKind { TraceKind(place: 19) }
    /// No path carries packets of a device in both directions any more.
    @inlinable
    public static var pathLost: TraceKind { TraceKind(place: 20) }
    /// Some path carries packets of a device in both directions again.
    @inlinable
    public static var pathUsable: TraceKind { TraceKind(place: 21) }
    /// Voice flows again, without frames being counted.
    @inlinable
    public static var audioFlowing: TraceKind { TraceKind(place: 22) }
    /// Voice flows no longer, without frames being counted.
    @inlinable
    public static var audioStopped: TraceKind { TraceKind(place: 23) }
    /// A frame of voice was heard.
    @inlinable
    public static var voiceHeard: TraceKind { TraceKind(place: 24) }
    /// The app asks for a token.
    @inlinable
    public static var tokenRequested: TraceKind { TraceKind(place: 25) }
    /// The app's request for a token ended.
    @inlinable
    public static var tokenAnswered: TraceKind { TraceKind(place: 26) }
    /// The app orders a room object to connect.
    @inlinable
    public static var connectBegan: TraceKind { TraceKind(place: 27) }
    /// A room object's connect ended.
    @inlinable
    public static var connectEnded: TraceKind { TraceKind(place: 28) }
    /// The app lets go of a room object.
    @inlinable
    public static var roomLeft: TraceKind { TraceKind(place: 29) }
    /// A room object reports its end to the app.
    @inlinable
    public static var roomDisconnected: TraceKind { TraceKind(place: 30) }
    /// A room object's connection state changed.
    @inlinable
    public static var roomStateChanged: TraceKind { TraceKind(place: 31) }
    /// A room object noticed that its link is lost.
    @inlinable
    public static var lossDetected: TraceKind { TraceKind(place: 32) }
    /// An attempt of a room object begins.
    @inlinable
    public static var attemptBegan: TraceKind { TraceKind(place: 33) }
    /// The signal connection of an attempt is up.
    @inlinable
    public static var attemptSignalled: TraceKind { TraceKind(place: 34) }
    /// The media of an attempt is up.
    @inlinable
    public static var attemptConnected: TraceKind { TraceKind(place: 35) }
    /// An attempt of a room object ended.
    @inlinable
    public static var attemptEnded: TraceKind { TraceKind(place: 36) }
    /// A room object waits before its next attempt.
    @inlinable
    public static var attemptWaiting: TraceKind { TraceKind(place: 37) }
    /// The app handed over to whoever talks without a link.
    @inlinable
    public static var offlineHandedOver: TraceKind { TraceKind(place: 38) }
    /// The app took the conversation back.
    @inlinable
    public static var offlineTakenBack: TraceKind { TraceKind(place: 39) }
    /// A user did something.
    @inlinable
    public static var userActed: TraceKind { TraceKind(place: 40) }
    /// A device's participant joined at the room server.
    @inlinable
    public static var participantJoined: TraceKind { TraceKind(place: 41) }
    /// A device's participant resumed at the room server.
    @inlinable
    public static var participantResumed: TraceKind { TraceKind(place: 42) }
    /// A device's participant has media at the room server.
    @inlinable
    public static var participantActive: TraceKind { TraceKind(place: 43) }
    /// A device's participant left the room server.
    @inlinable
    public static var participantLeft: TraceKind { TraceKind(place: 44) }
    /// The room server refused a connection.
    @inlinable
    public static var joinRefused: TraceKind { TraceKind(place: 45) }
    /// An agent joined a device's room.
    @inlinable
    public static var agentJoined: TraceKind { TraceKind(place: 46) }
    /// An agent closed its session.
    @inlinable
    public static var agentClosed: TraceKind { TraceKind(place: 47) }
    /// An agent begins to answer.
    @inlinable
    public static var answerBegan: TraceKind { TraceKind(place: 48) }
    /// An agent ends an answer.
    @inlinable
    public static var answerEnded: TraceKind { TraceKind(place: 49) }
    /// The first sample of an answer leaves a device's speaker.
    @inlinable
    public static var answerHeard: TraceKind { TraceKind(place: 50) }
    /// Something was done to a server or a radio.
    @inlinable
    public static var faultBegan: TraceKind { TraceKind(place: 51) }
    /// What was done to a server or a radio is over.
    @inlinable
    public static var faultEnded: TraceKind { TraceKind(place: 52) }
    /// The conversation ended while the app's offline part had it.
    @inlinable
    public static var offlineEnded: TraceKind { TraceKind(place: 53) }

    /// The kinds of sessions, in the order of their places.
    static let sessionDescriptions: [TraceKindDescription] = [
        .init(
            name: "app.launched",
            level: .milestone,
            fields: [],
            summary:
                "A device's app was launched."
        ),
        .init(
            name: "app.terminated",
            level: .milestone,
            fields: [],
            summary:
                "A device's app was thrown out of memory."
        ),
        .init(
            name: "scene.changed",
            level: .control,
            fields: [.init("phase", .scenePhase)],
            summary: "The app's scene became active, inactive or background."
        ),
        .init(
            name: "status.shown",
            level: .milestone,
            fields: [.init("stage", .stage)],
            summary: "The app shows another stage of its session (SessionStage)."
        ),
        .init(
            name: "path.noticed",
            level: .control,
            fields: [.init("interface", .interface)],
            summary: "The app was told by which interface it may use the network, if by any."
        ),
        .init(
            name: "path.lost",
            level: .milestone,
            fields: [.init("cause", .pathLoss)],
            summary:
                "No path of the device carries packets both ways, or none for signalling or for media."
        ),
        .init(
            name: "path.usable",
            level: .milestone,
            fields: [],
            summary:
                "A path of the device carries packets both ways again."
        ),
        .init(
            name: "audio.flowing",
            level: .milestone,
            fields: [.init("direction", .direction), "captured_ns", "heard_ns"],
            summary: "Voice captured from captured_ns on is heard, the first of it at heard_ns."
        ),
        .init(
            name: "audio.stopped",
            level: .milestone,
            fields: [.init("direction", .direction), "captured_ns"],
            summary: "Voice captured from captured_ns on is not heard."
        ),
        .init(
            name: "voice.heard",
            level: .media,
            fields: [.init("direction", .direction), "captured_ns", "heard_ns", "speech"],
            summary:
                "A frame captured at captured_ns is heard at heard_ns, by the agent or at the phone."
        ),
        .init(
            name: "token.requested",
            level: .control,
            fields: ["operation"],
            summary:
                "The app asked its server for a token."
        ),
        .init(
            name: "token.answered",
            level: .control,
            fields: ["operation", .init("outcome", .tokenOutcome)],
            summary: "Credentials came (200), another HTTP status, or a failure."
        ),
        .init(
            name: "connect.began",
            level: .milestone,
            fields: ["room"],
            summary:
                "The app ordered room object `room` to connect."
        ),
        .init(
            name: "connect.ended",
            level: .milestone,
            fields: ["room", .init("error", .roomError)],
            summary: "The connect of a room object ended: well, or with a RoomError."
        ),
        .init(
            name: "room.left",
            level: .milestone,
            fields: ["room", .init("manner", .leaving)],
            summary: "The app ended a room object by disconnect or let go of it."
        ),
        .init(
            name: "room.disconnected",
            level: .milestone,
            fields: ["room", .init("error", .roomError)],
            summary:
                "The room object told the app that it is disconnected: as asked for, or with a RoomError."
        ),
        .init(
            name: "room.state.changed",
            level: .control,
            fields: ["room", .init("state", .roomState)],
            summary: "The room object has another ConnectionState."
        ),
        .init(
            name: "loss.detected",
            level: .milestone,
            fields: ["room", .init("cause", .detection)],
            summary:
                "A room object noticed that its link is lost, by a closed socket, unanswered pings, a transport or the server's word."
        ),
        .init(
            name: "attempt.began",
            level: .milestone,
            fields: ["room", "number", .init("kind", .attemptKind)],
            summary: "Attempt `number` begins."
        ),
        .init(
            name: "attempt.signalled",
            level: .control,
            fields: ["room"],
            summary:
                "The server answered the attempt's join or resume."
        ),
        .init(
            name: "attempt.connected",
            level: .control,
            fields: ["room"],
            summary:
                "The attempt's primary transport is connected."
        ),
        .init(
            name: "attempt.ended",
            level: .milestone,
            fields: ["room", .init("failure", .attemptFailure)],
            summary: "The attempt ended: well, or with an AttemptFailure."
        ),
        .init(
            name: "attempt.waiting",
            level: .control,
            fields: ["room", "duration_ns"],
            summary:
                "The next attempt begins after duration_ns."
        ),
        .init(
            name: "offline.handed_over",
            level: .milestone,
            fields: [],
            summary:
                "The app lost its link and handed over to its offline part."
        ),
        .init(
            name: "offline.taken_back",
            level: .milestone,
            fields: [],
            summary:
                "The app has its link back and takes over from its offline part."
        ),
        .init(
            name: "user.acted",
            level: .milestone,
            fields: [.init("action", .userAct)],
            summary: "The user of the device did something."
        ),
        .init(
            name: "participant.joined",
            level: .milestone,
            fields: ["participant"],
            summary:
                "The subject's participant joined as session `participant`."
        ),
        .init(
            name: "participant.resumed",
            level: .control,
            fields: ["participant"],
            summary:
                "The subject's participant resumed session `participant`."
        ),
        .init(
            name: "participant.active",
            level: .control,
            fields: ["participant"],
            summary:
                "The subject's session `participant` is ACTIVE."
        ),
        .init(
            name: "participant.left",
            level: .milestone,
            fields: ["participant", .init("reason", .disconnectReason)],
            summary: "The subject's session `participant` was closed for a DisconnectReason."
        ),
        .init(
            name: "join.refused",
            level: .control,
            fields: ["status"],
            summary:
                "The room server refused a connection with an HTTP status."
        ),
        .init(
            name: "agent.joined",
            level: .milestone,
            fields: [],
            summary:
                "An agent joined the subject's room."
        ),
        .init(
            name: "agent.closed",
            level: .milestone,
            fields: [.init("reason", .disconnectReason)],
            summary:
                "The agent of the subject's room closed its session for a DisconnectReason."
        ),
        .init(
            name: "answer.began",
            level: .milestone,
            fields: ["turn"],
            summary:
                "The agent of the subject's room begins answer `turn`."
        ),
        .init(
            name: "answer.ended",
            level: .control,
            fields: ["turn", "interrupted"],
            summary:
                "The agent of the subject's room ended answer `turn`, interrupted (1) or not (0)."
        ),
        .init(
            name: "answer.heard",
            level: .milestone,
            fields: ["turn", "heard_ns"],
            summary:
                "The first sample of answer `turn` is heard at heard_ns."
        ),
        .init(
            name: "fault.began",
            level: .milestone,
            fields: [.init("fault", .sessionFault), "parameter"],
            summary: "A fault of the component began."
        ),
        .init(
            name: "fault.ended",
            level: .milestone,
            fields: [.init("fault", .sessionFault)],
            summary: "A fault of the component ended."
        ),
        .init(
            name: "offline.ended",
            level: .milestone,
            fields: [],
            summary:
                "The conversation ended while the app's offline part had it."
        ),
    ]
}
