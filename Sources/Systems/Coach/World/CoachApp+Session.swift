import AppCoordination
import KodamaEvidence
import KodamaNetwork
import KodamaPhone
import KodamaSession
import KodamaWorld
import RealtimeVoice
import SansIO
import WakeFlow

/// The engine of the session with the agent.
struct OnlineTalk {
    /// Whether the session has the engine running, and whether the phone's own voice keeps it so without one.
    var hasEngine = false
    var keepsEngine = false
    /// The engine's start that waits for the app to come to the front, where it may not begin behind it.
    var heldEngine: OperationID?
    /// Whether the agent was heard at all; the truth.
    var wasThere = false
}

// The session with the agent: the code of the voice app, over the rooms of sessions.

extension CoachApp {
    /// The system's news, as the session hears them.
    func informSession(_ news: SystemNews, on stage: inout Stage) {
        restartEngine(after: news, on: &stage)
        guard let event = VoiceAppEvent(news) else { return }
        tellSession(event, on: &stage)
    }

    func tellSession(_ event: VoiceAppEvent, on stage: inout Stage) {
        if plan.isOnline { coordinator?.tell(.session(event), on: &stage) }
    }

    /// The app wants the session no longer.
    func endSession(on stage: inout Stage) {
        let keepsEngine = online.keepsEngine
        online = OnlineTalk()
        reviewRadio(on: &stage)
        if keepsEngine { order(.stopVoiceEngine, on: &stage) }
    }

    /// The binding of the session's effects.
    func perform(_ effect: VoiceAppEffect, on stage: inout Stage) {
        switch effect {
        case .room(let room, let command):
            if command == .create { makeRoom(room, on: &stage) }
            self.room(room)?.obey(command, on: &stage)
        case .callAPI(let operation, let request):
            carryBurst(on: &stage)
            call(request, operation, on: &stage)
        case .cancelAPI(let operation): endCall(operation)
        case .probe(let operation, let host): probe(operation, host, on: &stage)
        case .readSecureStorage(let operation, let key):
            order(.readSecureStorage(operation, key: key.account), on: &stage)
        case .writeSecureStorage(let operation, let key, let value):
            if key == .deviceIdentity, let value { rooms.expect(self, as: value) }
            order(.writeSecureStorage(operation, key: key.account, value: value), on: &stage)
        case .requestMicrophonePermission(let operation):
            order(.requestMicrophonePermission(operation), on: &stage)
        case .publish(let audio): publish(audio, on: &stage)
        case .startVoiceEngine(let operation):
            let isInFront = phone.seat.ask { $0.isInFront(self.id) }
            guard isInFront || plan.bedroom.speaksInBackground else {
                return online.heldEngine = operation
            }
            startEngine(operation, on: &stage)
        case .stopVoiceEngine:
            online.heldEngine = nil
            online.hasEngine = false
            // The phone's own voice goes on without a session, and the engine keeps the process running.
            online.keepsEngine = wantsSession && isTalking && talk.hasVoice
            if !online.keepsEngine { order(.stopVoiceEngine, on: &stage) }
        case .show, .handOverOffline, .takeBackOnline, .endOffline, .showSignIn, .writeLog: break
        }
    }

    private func startEngine(_ operation: OperationID, on stage: inout Stage) {
        online.heldEngine = nil
        online.hasEngine = true
        // The SDK's own doing.
        order(.configureAudioSession(.voiceSDK), on: &stage)
        order(.startVoiceEngine(operation), on: &stage)
    }

    /// The app is in front: an engine that waits for it may start.
    func releaseEngine(on stage: inout Stage) {
        if let operation = online.heldEngine { startEngine(operation, on: &stage) }
    }
}

extension CoachApp {
    var rooms: RoomService { session.rooms }
    var api: APIService { session.api }
    var sdk: RoomClientConfiguration { plan.sdk }
    var roomPurpose: StaticString { "coach-room" }

    func scheduleWake(of room: RoomObject, at instant: Instant, on stage: inout Stage) {
        scheduleWake(.roomWake, room.serial, at: instant, on: &stage)
    }

    func scheduleWake(of call: APICall, at instant: Instant, on stage: inout Stage) {
        scheduleWake(.requestWake, call.number, at: instant, on: &stage)
    }

    func heard(_ callback: RoomCallback, from room: RoomObject, on stage: inout Stage) {
        tellSession(.room(room.id, callback), on: &stage)
    }

    func heard(_ response: HTTPResponseOrLoss, to call: APICall, on stage: inout Stage) {
        if case .offline = response {} else { carryBurst(on: &stage) }
        if let order = call.request as? CoachCall { return heard(response, to: order, on: &stage) }
        guard let request = call.request as? APIRequest else {
            preconditionFailure("the coach does not ask \(call.request)")
        }
        let answer = APIAnswer(response, to: request)
        tellSession(.apiAnswered(call.operation, answer), on: &stage)
    }

    /// A packet reaches one of the app's sockets.
    func receive(_ packet: Packet, on stage: inout Stage) {
        guard phase != .suspended else { return }
        if packet.destination.port - firstPort >= RoomPorts.firstProbe {
            guard let (operation, _) = answeredProbe(packet) else { return }
            tellSession(.probeAnswered(operation), on: &stage)
        } else {
            deliver(packet, on: &stage)
            if sound != nil, case .media(let frame) = packet.content {
                hear(frame, in: packet, on: &stage)
            }
        }
        touchFlows(on: &stage)
    }
}
