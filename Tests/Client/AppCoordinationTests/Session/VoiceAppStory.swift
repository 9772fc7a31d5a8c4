import AppCoordination
import RealtimeVoice
import SansIO
import SansIOTesting

/// What the transcripts of the voice app have in common.
enum VoiceAppStory {
    /// What the first attempt of a conversation tells the SDK.
    static var firstOptions: ConnectOptions {
        var options = VoiceAppConfiguration().session.connectOptions
        options.socketConnectTimeout = .seconds(10)
        options.primaryTransportConnectTimeout = .seconds(10)
        options.publisherTransportConnectTimeout = .seconds(10)
        return options
    }

    typealias Effect = VoiceAppEffect

    static let deviceID = "6F1C9A52-0B7E-4C3D-9A11-5E2F8D7C6B5A"

    static func begin(
        _ login: LoginRule = .deviceIdentity,
        leaveOn: LeaveRule = .background
    ) -> Transcript<VoiceAppCoordinator> {
        var configuration = VoiceAppConfiguration()
        configuration.login = login
        configuration.session.leaveOn = leaveOn
        configuration.session.outerRetry.jitter = .zero
        // The probe has a suite of its own.
        configuration.session.probe.isEnabled = false
        return Transcript(VoiceAppCoordinator(configuration: configuration, seed: 1))
    }

    static func id(_ number: UInt32) -> OperationID { OperationID(number: number) }

    static func show(_ stage: SessionStage) -> Effect { .show(SessionStatus(stage)) }

    static func fetch(_ operation: UInt32, bearer: String? = nil, resume: String? = nil) -> Effect {
        .callAPI(
            id(operation),
            .ephemeralToken(deviceID: deviceID, bearer: bearer, resumeRoom: resume)
        )
    }

    static let credentials = APIAnswer.credentials(
        RoomCredentials(token: "t", url: "u", timeToLive: .seconds(600), room: "room-1")
    )

    /// Statistics that show the agent's voice up to a second.
    static func voice(in room: RoomID, second: Int64) -> VoiceAppEvent {
        var statistics = RoomStatistics()
        statistics.consentResponses = second
        statistics.packetsReceived = 50 * second
        statistics.othersPresent = 1
        return .room(room, .statistics(statistics))
    }

    /// Walks from the launch to the fetch of a token, at the start of time.
    ///
    /// Used up: operations 1 and 5 of the app, 2 of the store, 4 of the session.
    static func launched() throws(TranscriptMismatch) -> Transcript<VoiceAppCoordinator> {
        var story = begin()
        try story.expect(.launched, at: .zero) {
            show(.preparingDevice)
            Effect.readSecureStorage(id(2), .deviceIdentity)
        }
        try story.expect(.scenePhaseChanged(.active), at: .zero)
        try finishWalk(&story)
        try story.expect(.voiceEngineAnswered(id(5), isRunning: true), at: .zero) {
            fetch(4)
            show(.fetchingToken)
        }
        return story
    }

    /// Goes from the identity's read to the engine's start.
    static func finishWalk(
        _ story: inout Transcript<VoiceAppCoordinator>
    ) throws(TranscriptMismatch) {
        try story.expect(.secureStorageRead(id(2), .value(deviceID)), at: .zero) {
            show(.askingForMicrophone)
            Effect.requestMicrophonePermission(id(1))
        }
        try story.expect(.microphonePermissionAnswered(id(1), isGranted: true), at: .zero) {
            show(.startingEngine)
            Effect.startVoiceEngine(id(5))
        }
    }

    /// A conversation that is live at 1 s; operations 8, 12 and 16 of the session's lane follow.
    static func live() throws(TranscriptMismatch) -> Transcript<VoiceAppCoordinator> {
        var story = try launched()
        let room = RoomID(number: 1)
        let options = firstOptions
        try story.expect(.apiAnswered(id(4), credentials), at: .zero) {
            Effect.writeLog(.connecting(room))
            Effect.room(room, .create)
            Effect.room(room, .connect(id(8), url: "u", token: "t", options))
            show(.connecting)
        }
        try story.expect(.room(room, .connectFinished(id(8), nil)), at: .seconds(1)) {
            Effect.writeLog(.connected(room))
            Effect.room(room, .setMicrophone(id(12), isEnabled: true))
            show(.connected)
        }
        try story.expect(.room(room, .microphoneFinished(id(12), nil)), at: .seconds(1))
        return story
    }
}
