import AppCoordination
import IncomingCalls
import RealtimeVoice
import SansIO
import SansIOTesting

/// What the transcripts of the calling app have in common.
enum CallAppStory {
    typealias Effect = CallAppEffect

    static let launch = WallTime(secondsSince1970: 1_800_000_000)
    static let deviceID = "6F1C9A52-0B7E-4C3D-9A11-5E2F8D7C6B5A"
    static let credentials = CallCredentials(bearer: "login", deviceID: deviceID)

    static func id(_ number: UInt32) -> OperationID { OperationID(number: number) }

    static var configuration: CallAppConfiguration {
        var configuration = CallAppConfiguration(bundleId: "app")
        configuration.session.outerRetry.jitter = .zero
        // The probe has a suite of its own.
        configuration.session.probe.isEnabled = false
        return configuration
    }

    static func begin(
        restoring storage: CallAppStorage = CallAppStorage(),
        microphone: MicrophoneAccess = .allowed
    ) -> Transcript<CallAppCoordinator> {
        Transcript(
            CallAppCoordinator(
                configuration: configuration,
                restoring: storage,
                clock: WallClock(showing: launch),
                microphone: microphone,
                seed: 1
            )
        )
    }

    /// The identities that the registry's calls get, in order: its seed is the coordinator's second.
    static let uuids: [UniqueID] = {
        var seeds = SeededGenerator(seed: 1)
        _ = seeds.next()
        var generator = SeededGenerator(seed: seeds.next())
        return (0..<4).map { _ in UniqueID(from: &generator) }
    }()

    static func payload(_ callId: String = "c-1") -> PayloadValue {
        .object([
            "aps": .object(["content-available": .integer(1)]),
            "type": .string("call.incoming"), "callId": .string(callId),
            "fromUserId": .string("u-7"), "fromDisplayName": .string("花子"),
            "room": .string("call-x"),
        ])
    }

    static let update = CallUpdate(handle: "u-7", name: "花子", hasVideo: false)

    static func description(_ uuid: UniqueID, _ callId: String = "c-1") -> CallDescription {
        CallDescription(
            uuid: uuid,
            callId: callId,
            direction: .incoming,
            partyId: "u-7",
            name: "花子",
            hasVideo: false
        )
    }

    static func memory(_ history: [(Int64, String, CallEndReason?)]) -> Effect {
        var memory = CallMemory()
        for (milliseconds, callId, reason) in history {
            memory.remember(callId, reason, at: launch.advanced(by: .milliseconds(milliseconds)))
        }
        return .writeStorage(.callMemory, memory.stored)
    }

    /// The memory of a phone whose only call is one that its user is in since then.
    static func memory(ofEntering callId: String, at milliseconds: Int64) -> Effect {
        var memory = CallMemory()
        memory.enter(callId, at: launch.advanced(by: .milliseconds(milliseconds)))
        return .writeStorage(.callMemory, memory.stored)
    }

    /// The memory of a phone whose only call is one that its user has left, untold to the server.
    static func memory(
        ofLeaving callId: String,
        _ reason: CallEndReason,
        at milliseconds: Int64
    ) -> Effect {
        var memory = CallMemory()
        memory.leave(callId, reason, at: launch.advanced(by: .milliseconds(milliseconds)))
        return .writeStorage(.callMemory, memory.stored)
    }

    static func server(_ operation: UInt32, _ request: CallRequest) -> Effect {
        .callServer(id(operation), request, credentials)
    }

    static func show(_ uuid: UniqueID, _ stage: SessionStage) -> Effect {
        .show(uuid, SessionStatus(stage))
    }

    static let line = CallLine(index: 0)
    static let room = RoomID(number: 1)

    static func answered(_ operation: UInt32, _ answer: CallAnswer) -> CallAppEvent {
        .callAnswered(id(operation), answer)
    }

    /// An app whose keychain knows its user, and that learns at 1 s that no call was missed (6).
    static func signedIn() throws(TranscriptMismatch) -> Transcript<CallAppCoordinator> {
        var story = begin()
        try story.expect(.launched, at: .zero) {
            Effect.readSecureStorage(id(2), .deviceIdentity)
            Effect.readSecureStorage(id(3), .sessionToken)
        }
        try story.expect(.secureStorageRead(id(2), .value(deviceID)), at: .zero)
        try story.expect(.secureStorageRead(id(3), .value("login")), at: .zero) {
            server(6, .missed(after: 0))
            Effect.beginBackgroundTask
        }
        try story.expect(answered(6, .missed([])), at: .seconds(1)) {
            Effect.endBackgroundTask
        }
        return story
    }

    /// A push that launched a killed app, at the start of time: reported, and the keychain being read.
    ///
    /// Used up: operations 4 of the registry, 2 of the store and 3 of the login.
    static func pushed(
        microphone: MicrophoneAccess = .allowed
    ) throws(TranscriptMismatch) -> Transcript<CallAppCoordinator> {
        var story = begin(microphone: microphone)
        try story.expect(.pushReceived(PushID(number: 1), payload()), at: .zero) {
            Effect.system(.reportIncoming(id(4), uuids[0], update))
            memory([(0, "c-1", nil)])
        }
        try story.expect(.launched, at: .zero) {
            Effect.readSecureStorage(id(2), .deviceIdentity)
            Effect.readSecureStorage(id(3), .sessionToken)
        }
        try story.expect(.reportFinished(id(4), nil), at: .milliseconds(100)) {
            Effect.completePush(PushID(number: 1))
        }
        return story
    }

    /// The same app when it knows who it is, at 0.5 s: it asks how the call stands (12) and what was
    /// missed (6).
    static func ready(
        microphone: MicrophoneAccess = .allowed
    ) throws(TranscriptMismatch) -> Transcript<CallAppCoordinator> {
        var story = try pushed(microphone: microphone)
        try story.expect(.secureStorageRead(id(2), .value(deviceID)), at: .milliseconds(500))
        try story.expect(.secureStorageRead(id(3), .value("login")), at: .milliseconds(500)) {
            server(12, .status(callId: "c-1"))
            server(6, .missed(after: 0))
            Effect.beginBackgroundTask
        }
        try story.expect(answered(6, .missed([])), at: .milliseconds(600)) {
            Effect.endBackgroundTask
        }
        return story
    }

    /// The same app with the call answered at 1 s and its server's consent at 1.2 s: the session fetches a
    /// token (7) for the call's room, and the registry watches (36).
    static func joining() throws(TranscriptMismatch) -> Transcript<CallAppCoordinator> {
        var story = try ready()
        try story.expect(.actionRequested(ActionID(number: 1), .answer(uuids[0])), at: .seconds(1))
        {
            Effect.configureAudio
            Effect.announce(.answered(description(uuids[0])))
            Effect.cancelAPI(id(12))
            server(20, .offer(callId: "c-1"))
        }
        let offer = CallOffer(room: "call-x", hasVideo: false)
        try story.expect(answered(20, .offer(offer)), at: .milliseconds(1_100)) {
            server(28, .answer(callId: "c-1"))
        }
        try story.expect(answered(28, .answered(room: "call-x")), at: .milliseconds(1_200)) {
            Effect.system(.fulfill(ActionID(number: 1)))
            memory(ofEntering: "c-1", at: 1_200)
            server(36, .status(callId: "c-1"))
            token(7)
            show(uuids[0], .fetchingToken)
        }
        return story
    }

    /// The order to fetch a token for a call's room.
    static func token(_ operation: UInt32, room: String = "call-x") -> Effect {
        .callAPI(
            id(operation),
            .ephemeralToken(deviceID: deviceID, bearer: "login", resumeRoom: room)
        )
    }

    /// The same app in conversation from 2 s: the audio was activated at 1.3 s (engine: 1), the room is
    /// joined (15) and the microphone opened (23).
    static func talking() throws(TranscriptMismatch) -> Transcript<CallAppCoordinator> {
        var story = try joining()
        try story.expect(.audioActivated, at: .milliseconds(1_300)) {
            Effect.announce(.audioActivated)
            Effect.startVoiceEngine(id(1))
        }
        try story.expect(.voiceEngineAnswered(id(1), isRunning: true), at: .milliseconds(1_400))
        let credentials = RoomCredentials(
            token: "t",
            url: "u",
            timeToLive: .seconds(600),
            room: "call-x"
        )
        let options = VoiceAppStory.firstOptions
        try story.expect(.apiAnswered(id(7), .credentials(credentials)), at: .milliseconds(1_500)) {
            Effect.writeLog(.connecting(room))
            Effect.room(line, room, .create)
            Effect.room(line, room, .connect(id(15), url: "u", token: "t", options))
            show(uuids[0], .connecting)
        }
        try story.expect(.room(line, room, .remoteAudioSubscribed), at: .milliseconds(1_900))
        try story.expect(.room(line, room, .connectFinished(id(15), nil)), at: .seconds(2)) {
            Effect.writeLog(.connected(room))
            Effect.room(line, room, .startRenderer)
            Effect.room(line, room, .setMicrophone(id(23), isEnabled: true))
            show(uuids[0], .connected)
            Effect.announce(.connected(uuids[0], callId: "c-1"))
        }
        try story.expect(.room(line, room, .microphoneFinished(id(23), nil)), at: .seconds(2))
        return story
    }
}
