import RealtimeVoice
import SansIO
import SansIOTesting

/// What the transcripts of a session have in common.
enum SessionStory {
    typealias Effect = RealtimeSession.Effect
    typealias Event = RealtimeSession.Event

    static let identity = SessionIdentity(deviceID: "device")
    static let url = "wss://rooms"

    /// The default preset without jitter, so that transcripts show the policy's own figures, and without
    /// probes, which have a suite of their own.
    static var configuration: RealtimeSessionConfiguration {
        var configuration = RealtimeSessionConfiguration()
        configuration.outerRetry.jitter = .zero
        configuration.probe.isEnabled = false
        return configuration
    }

    static var options: ConnectOptions { configuration.connectOptions }

    /// What the first attempt and every third one in a row tell the SDK.
    static var longOptions: ConnectOptions { long(options) }

    private static func long(_ options: ConnectOptions) -> ConnectOptions {
        var options = options
        options.socketConnectTimeout = max(options.socketConnectTimeout, .seconds(10))
        options.primaryTransportConnectTimeout = .seconds(10)
        options.publisherTransportConnectTimeout = .seconds(10)
        return options
    }

    static func begin(
        _ configuration: RealtimeSessionConfiguration = configuration
    ) -> Transcript<RealtimeSession> {
        Transcript(RealtimeSession(configuration: configuration, seed: 1))
    }

    static func credentials(
        room: String = "room-1",
        timeToLive: Duration = .seconds(600)
    ) -> APIAnswer {
        .credentials(
            RoomCredentials(
                token: "token of \(room)",
                url: url,
                timeToLive: timeToLive,
                room: room
            )
        )
    }

    /// The order to fetch a token.
    static func fetch(
        _ operation: UInt32,
        resume: String? = nil,
        bearer: String? = nil
    ) -> Effect {
        .callAPI(
            OperationID(number: operation),
            .ephemeralToken(deviceID: "device", bearer: bearer, resumeRoom: resume)
        )
    }

    /// The orders that make room object `room` and connect it.
    static func connect(
        _ room: UInt32,
        operation: UInt32,
        to name: String = "room-1",
        _ options: ConnectOptions? = nil
    ) -> [Effect] {
        let id = RoomID(number: room)
        let options = options ?? (room == 1 ? longOptions : configuration.connectOptions)
        return [
            .writeLog(.connecting(id)),
            .room(id, .create),
            .room(
                id,
                .connect(
                    OperationID(number: operation),
                    url: url,
                    token: "token of \(name)",
                    options
                )
            ),
        ]
    }

    static func status(_ stage: SessionStage, _ cause: String = "") -> Effect {
        .statusChanged(SessionStatus(stage, cause: cause))
    }

    static func order(_ room: UInt32, _ command: RoomCommand) -> Effect {
        .room(RoomID(number: room), command)
    }

    static func microphone(_ room: UInt32, _ operation: UInt32, _ isEnabled: Bool) -> Effect {
        order(room, .setMicrophone(OperationID(number: operation), isEnabled: isEnabled))
    }

    static func says(_ room: UInt32, _ callback: RoomCallback) -> Event {
        .room(RoomID(number: room), callback)
    }

    static func connectFinished(
        _ room: UInt32,
        _ operation: UInt32,
        _ error: RoomError? = nil
    ) -> Event {
        says(room, .connectFinished(OperationID(number: operation), error))
    }

    static func microphoneFinished(
        _ room: UInt32,
        _ operation: UInt32,
        _ error: RoomError? = nil
    ) -> Event {
        says(room, .microphoneFinished(OperationID(number: operation), error))
    }

    static func statistics(
        _ room: UInt32,
        consents: Int64,
        received: Int64? = nil,
        sent: Int64 = 0,
        others: Int? = nil,
        audible: Int? = nil,
        serverChecks: Int64? = nil,
        pairChanges: Int64? = nil,
        roundTrip: Duration? = nil
    ) -> Event {
        var statistics = RoomStatistics()
        statistics.roundTrip = roundTrip
        statistics.consentResponses = consents
        statistics.serverChecks = serverChecks
        statistics.pairChanges = pairChanges
        statistics.packetsReceived = received
        statistics.packetsSent = sent
        statistics.othersPresent = others
        statistics.audibleTracks = audible
        return says(room, .statistics(statistics))
    }

    static func answered(_ operation: UInt32, _ answer: APIAnswer) -> Event {
        .apiAnswered(OperationID(number: operation), answer)
    }

    /// A session that is connected at 1 s by room object 1, with the agent's track and its microphone on.
    ///
    /// Operations 1 to 3 are used up, and the first silence would end at 7 s. Where the microphone is not opened, its order
    /// has no answer yet.
    static func connected(
        _ configuration: RealtimeSessionConfiguration = configuration,
        timeToLive: Duration = .seconds(600),
        opensMicrophone: Bool = true
    ) throws(TranscriptMismatch) -> Transcript<RealtimeSession> {
        var story = begin(configuration)
        try story.expect(.scenePhaseChanged(.active), at: .zero)
        try story.expect(.pathChanged(.satisfied(.wifi)), at: .zero)
        try story.expect(.connectRequested(identity), at: .zero) {
            fetch(1)
            status(.fetchingToken)
        }
        let token = credentials(timeToLive: timeToLive)
        try story.expect(answered(1, token), at: .milliseconds(300)) {
            connect(1, operation: 2, long(configuration.connectOptions))
            status(.connecting)
        }
        try story.expect(says(1, .remoteAudioSubscribed), at: .milliseconds(900))
        try story.expect(connectFinished(1, 2), at: .seconds(1)) {
            Effect.writeLog(.connected(RoomID(number: 1)))
            configuration.probe.isEnabled
                ? [.probe(OperationID(number: 1), .roomServer)] : []
            order(1, .startRenderer)
            microphone(1, 3, true)
            status(.connected)
        }
        if opensMicrophone { try story.expect(microphoneFinished(1, 3), at: .seconds(1)) }
        return story
    }

    /// A session whose connected room object is gone at 10 s for want of a network.
    static func lost() throws(TranscriptMismatch) -> Transcript<RealtimeSession> {
        var story = try connected()
        try story.expect(says(1, .disconnected(.network)), at: .seconds(10)) {
            Effect.writeLog(.disconnected(RoomID(number: 1), .network))
            order(1, .stopRenderer)
            order(1, .release)
            Effect.handOverOffline
            status(.reconnecting)
        }
        return story
    }
}
