import AppCoordination
import IncomingCalls
import KodamaBackend
import KodamaEvidence
import KodamaLanguage
import KodamaNetwork
import KodamaPhone
import KodamaSession
import KodamaSimulation
import KodamaWorld
import RealtimeVoice
import SansIO

/// The calling app on a phone: its process, its storage, the room objects of its calls, and what its user
/// is in the habit of doing.
final class CallApp: RoomUser, PathWitness {
    /// What the app schedules.
    enum Word: UInt8 {
        /// The process wants to be woken.
        case wake
        /// A room object, by serial, wants to be woken.
        case roomWake
        /// A request, by number, wants to be woken.
        case requestWake
        /// The user answers a call, by number.
        case answers
        /// The user ends a call, by number.
        case hangsUp
    }

    let installation: Installation
    let plan: CallAppPlan
    unowned(unsafe) let system: CallSystem

    /// The app's process; `nil` while there is none.
    @exclusivity(unchecked) var process: CallProcess?
    /// What the app keeps in files, which outlive its process.
    var storage = CallAppStorage()
    /// Its token, as the push service gave it last.
    var token: String?
    @exclusivity(unchecked) var roomObjects: [RoomObject] = []
    var roomCount: UInt32 = 0
    @exclusivity(unchecked) var calls: [APICall] = []
    var callCount: UInt32 = 0
    /// What the user does as soon as the app runs.
    private var touches: [CallAppAct] = []
    /// Whom the user called last.
    private(set) var dialled: CallDial?
    /// What the user was asked to sign, if anything.
    private var signInChallenge: String?
    /// Whether the user has tapped to sign in while there was nothing to sign, and waits for it.
    private var awaitsSheet = false
    /// The identity by which the app first spoke of each call of its process.
    var callIdTold: [UniqueID: String] = [:]
    /// The call of the push that is being handled, and of each call that the system has.
    private var handledCall: Int64?
    private(set) var callOfSystem: [UniqueID: Int64] = [:]
    /// The apps whose users are heard here, with the call and the way, sorted by their indices.
    @exclusivity(unchecked) var voices: [CallVoice] = []
    /// Its microphone, encoder and ear, where voices are real.
    let roomSound: RoomSound?
    /// People who speak at the phone now.
    var speakers = 0
    /// Whether the user lets the app have the microphone, as the trace has it.
    var microphone = MicrophoneState.allowed
    /// Whether no packets pass, as the trace has it.
    var hasLostPath = false
    @exclusivity(unchecked) var isTouched = false

    init(
        _ plan: CallAppPlan,
        _ installation: Installation,
        of system: CallSystem,
        sound: RoomSound?
    ) {
        roomSound = sound
        self.plan = plan
        self.installation = installation
        self.system = system
    }

    var rooms: RoomService { system.session.rooms }
    var api: APIService { system.session.api }
    var sdk: RoomClientConfiguration { plan.sdk }
    var roomPurpose: StaticString { "call-room" }

    func receive(_ word: Word, _ argument: UInt32, on stage: inout Stage) {
        switch word {
        case .wake: process?.awaken(on: &stage)
        case .roomWake: roomObjects.first { $0.serial == argument }?.awaken(on: &stage)
        case .requestWake: calls.first { $0.number == argument }?.awaken(on: &stage)
        case .answers: answer(Int64(argument), on: &stage)
        case .hangsUp: hangUp(Int64(argument), on: &stage)
        }
    }

    /// A packet reaches one of the app's sockets.
    func receive(_ packet: Packet, on stage: inout Stage) {
        guard phase != .suspended else { return }
        if packet.destination.port - firstPort >= RoomPorts.firstProbe {
            guard let (operation, line) = answeredProbe(packet) else { return }
            let event = CallAppEvent.probeAnswered(CallLine(index: line), operation)
            process?.tell(event, on: &stage)
        } else {
            deliver(packet, on: &stage)
            if case .media(let frame) = packet.content {
                return take(frame, in: packet, on: &stage)
            }
        }
        touchFlows(on: &stage)
    }

    func scheduleWake(of room: RoomObject, at instant: Instant, on stage: inout Stage) {
        scheduleWake(.roomWake, room.serial, at: instant, on: &stage)
    }

    func scheduleWake(of call: APICall, at instant: Instant, on stage: inout Stage) {
        scheduleWake(.requestWake, call.number, at: instant, on: &stage)
    }

    func heard(_ callback: RoomCallback, from room: RoomObject, on stage: inout Stage) {
        process?.tell(.room(CallLine(index: room.line), room.id, callback), on: &stage)
    }

    func heard(_ response: HTTPResponseOrLoss, to call: APICall, on stage: inout Stage) {
        switch call.request {
        case let request as APIRequest:
            let answer = APIAnswer(response, to: request)
            process?.tell(.apiAnswered(call.operation, answer), on: &stage)
        case let order as CallOrder:
            let answer = CallAnswer(response, to: order.request)
            if case .registerDevice = order.request, answer == .accepted {
                note(DeviceRegistered(), on: &stage)
            }
            process?.tell(.callAnswered(call.operation, answer), on: &stage)
        case let order:
            preconditionFailure("the calling app does not ask \(order)")
        }
    }
}

// MARK: What the system does with the app

extension CallApp {
    func launch(on stage: inout Stage) {
        let now = stage.now
        let machine = CallAppCoordinator(
            configuration: plan.configuration,
            restoring: storage,
            clock: WallClock(showing: phone.seat.ask { $0.wallTime(at: now) }, at: now),
            microphone: microphoneAccess,
            seed: phone.seed("calls", launchCount, on: stage)
        )
        process = CallProcess(machine, of: self, at: now)
        note(AppLaunched(), on: &stage)
        microphone = .allowed
        reviewMicrophone(on: &stage)
    }

    func terminate(on stage: inout Stage) {
        note(AppTerminated(), on: &stage)
        process = nil
        roomSound?.clear()
        touches = []
        signInChallenge = nil
        awaitsSheet = false
        handledCall = nil
        callIdTold = [:]
        closeSockets(on: &stage)
    }

    func resume(on stage: inout Stage) {
        resume(process, on: &stage)
    }

    func inform(_ news: SystemNews, on stage: inout Stage) {
        restartEngine(after: news, on: &stage)
        guard let process, let event = CallAppEvent(news) else { return }
        if case .backgroundTimeExpired(let duty) = news { process.expiry = duty }
        process.tell(event, on: &stage)
        // `PKPushRegistry` is made in `application(_:didFinishLaunchingWithOptions:)`.
        if event == .launched { order(.registerForPushes, on: &stage) }
    }

    func systemSettled(on stage: inout Stage) {
        while phase == .running, !touches.isEmpty {
            guard let event = event(of: touches.removeFirst()) else { continue }
            process?.tell(event, on: &stage)
        }
        reviewMicrophone(on: &stage)
        touchFlows(on: &stage)
    }

    /// The user does something in the app, which is opened for it.
    func undergo(_ act: any SystemAct, on stage: inout Stage) {
        guard let act = act as? CallAppAct else {
            preconditionFailure("the plan does \(act) to \(name)")
        }
        phone.note(UserActed(action: act.word), on: &stage)
        touches.append(act)
        phone.hear(.user(.openApp(id)), on: &stage)
    }

    /// What the app hears of an act; `nil` if there is no call of its own to do it to.
    private func event(of act: CallAppAct) -> CallAppEvent? {
        switch act {
        case .dial(let dial):
            dialled = dial
            return .dialled(contactId: dial.contact, name: dial.contact, hasVideo: dial.hasVideo)
        case .logOut:
            awaitsSheet = false
            return .logoutTapped
        case .signIn:
            awaitsSheet = signInChallenge == nil
            let challenge = signInChallenge ?? ""
            let user = plan.user
            let assertion = SimulatedAuthenticator.assertion(user: user, challenge: challenge)
            return .signedIn(.passkey(assertion: assertion))
        case .choose(let act):
            let own = process?.seat.ask { $0.calls } ?? []
            guard let uuid = phone.seat.ask({ $0.call(reachedBy: act) }),
                own.contains(where: { $0.uuid == uuid })
            else { return nil }
            return .actionChosen(act.action(on: uuid))
        }
    }

    /// The app asks its user to sign in; whoever has tapped to before confirms it, unless they have left the app.
    func showSignIn(_ challenge: String?, on stage: inout Stage) {
        signInChallenge = challenge
        guard challenge != nil, awaitsSheet else { return }
        awaitsSheet = false
        guard phone.seat.ask({ $0.front }) == id, let event = event(of: .signIn) else { return }
        process?.tell(event, on: &stage)
    }

    /// A background notification says that a call is over; a process that does not run never hears of it.
    func hearEnd(of callId: String, _ reason: CallEndReason, on stage: inout Stage) {
        guard phase == .running else { return }
        let members = [
            PayloadMember("aps", .object(["content-available": .integer(1)])),
            PayloadMember("type", .string("call.ended")),
            PayloadMember("callId", .string(callId)),
            PayloadMember("reason", .string(reason.rawValue)),
        ]
        note(EndSignalled(call: system.desk.number(of: callId)), on: &stage)
        process?.tell(.endSignalReceived(.dictionary(members)), on: &stage)
    }
}

// MARK: What the app does with calls, seen from outside

extension CallApp {
    /// How the app stands, to the push service's eye.
    var state: AppState {
        switch phase {
        case .notRunning, .launching: .killed
        case .suspended: .suspended
        case .running: phone.seat.ask { $0.isInFront(id) } ? .foreground : .background
        }
    }

    /// A push reached the phone.
    func received(_ notification: PushNotification, on stage: inout Stage) {
        let call = system.desk.call(ofNotification: notification.id) ?? 0
        note(PushReceived(call: call), on: &stage)
    }

    /// The app handles a push with this payload.
    func handles(_ payload: PayloadValue) {
        guard case .dictionary(let members) = payload,
            case .string(let callId)? = members.first(where: { $0.name == "callId" })?.value
        else {
            handledCall = 0
            return
        }
        handledCall = system.desk.number(of: callId)
    }

    /// The handler of a push, or of whatever else, has returned.
    func handledAll() { handledCall = nil }

    /// The app reports a call to the system: the one of the push that is being handled, or, where none is, the
    /// one that it says.
    func reports(_ uuid: UniqueID) {
        guard callOfSystem[uuid] == nil else { return }
        callOfSystem[uuid] = handledCall ?? numberTold(of: uuid)
    }

    private func numberTold(of uuid: UniqueID) -> Int64? {
        let calls = process?.seat.ask { $0.calls } ?? []
        return calls.first { $0.uuid == uuid }.map { system.desk.number(of: $0.callId) }
    }

    func observe(_ fact: CallFact, on stage: inout Stage) {
        switch fact {
        case .ringBegan(let uuid):
            let call = callOfSystem[uuid] ?? 0
            note(CallRinging(call: call), on: &stage)
            planAnswer(of: call, on: &stage)
        case .ringEnded(let uuid, let end):
            note(CallRingEnded(call: callOfSystem[uuid] ?? 0, end: TraceWord(end)), on: &stage)
        case .pushUnreported(let breach):
            note(PushUnreported(breach: TraceWord(breach)), on: &stage)
        case .pushesBlocked:
            note(PushesBlocked(), on: &stage)
        }
    }
}

extension CallAppAct {
    /// What the trace calls it.
    fileprivate var word: UserAct {
        switch self {
        case .dial: .dial
        case .logOut: .logOutOfCalls
        case .signIn: .signInToCalls
        case .choose(.answer): .answerCall
        case .choose(.endAndAnswer): .endAndAnswerCall
        case .choose(.decline): .declineCall
        case .choose(.hangUp): .endCall
        case .choose(.mute): .muteCall
        case .choose(.unmute): .unmuteCall
        case .choose(.hold): .holdCall
        case .choose(.unhold): .unholdCall
        }
    }
}

extension CallScreenAct {
    /// What an app asks the system for by it.
    fileprivate func action(on uuid: UniqueID) -> SystemCallAction {
        switch self {
        case .answer, .endAndAnswer: .answer(uuid)
        case .decline, .hangUp: .end(uuid)
        case .mute: .setMuted(uuid, isMuted: true)
        case .unmute: .setMuted(uuid, isMuted: false)
        case .hold: .setHeld(uuid, isHeld: true)
        case .unhold: .setHeld(uuid, isHeld: false)
        }
    }
}
