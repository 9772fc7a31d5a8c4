package import AppCoordination
import AppServer
package import KodamaEvidence
package import KodamaLanguage
package import KodamaNetwork
package import KodamaPhone
import KodamaSimulation
package import KodamaWorld
package import RealtimeVoice
package import SansIO

/// The voice session app on a phone: its process, the room objects of the SDK that live in it, and its
/// requests.
package final class SessionApp: RoomUser {
    /// What the app schedules.
    package enum Word: UInt8 {
        /// The process wants to be woken.
        case wake
        /// A room object, by serial, wants to be woken.
        case roomWake
        /// A request, by number, wants to be woken.
        case requestWake
        /// A frame of voice is ready.
        case voiceFrame
        /// What the user says, or stops saying, reaches the agent.
        case agentHears
        /// The user speaks into the agent's answer, or has done so.
        case interjects
    }

    package let installation: Installation
    package let plan: SessionAppPlan
    package let mode: VoiceMode
    package unowned(unsafe) let rooms: RoomService
    package unowned(unsafe) let agents: AgentPool
    package unowned(unsafe) let api: APIService

    /// The app's process; `nil` while there is none.
    @exclusivity(unchecked) package var process: SessionProcess?
    /// What the user does as soon as the app runs.
    private var touches: [SessionAppAct] = []
    /// The room objects, also those that were let go of and still close their sockets.
    @exclusivity(unchecked) package var roomObjects: [RoomObject] = []
    /// How many room objects there were.
    package var roomCount: UInt32 = 0
    /// Requests to the app's own server that are under way.
    @exclusivity(unchecked) package var calls: [APICall] = []
    /// How many there were.
    package var callCount: UInt32 = 0
    /// What the sign-in sheet that is shown asks the authenticator to sign.
    package var signInChallenge: String?
    /// Whether the app shows that its user has to sign in.
    package var isLoginShown = false
    /// How the user has tapped to sign in while there was nothing to sign; they wait for it.
    private var awaitedSignIn: SessionAppAct?
    /// Whether the sign-in that the app hears next is what the user had tapped before.
    private var repeatsSignIn = false
    /// What the server granted last to a user who has not logged out since.
    private var session: String?
    /// Why no path carries packets both ways; `nil` if one does.
    @exclusivity(unchecked) package var pathLossCause: PathLossCause?
    /// Whether what `pathLossCause` says may be out of date.
    @exclusivity(unchecked) package var pathIsStale = false
    /// What the current room object lacks although it says that it is connected.
    @exclusivity(unchecked) package var lacks: [RoomLack] = []
    /// Whether what `lacks` says may be out of date.
    @exclusivity(unchecked) package var footingIsStale = false
    @exclusivity(unchecked) package var isTouched = false
    /// The open agents that listen to the phone's user.
    @exclusivity(unchecked) package var agentsListening: [Agent] = []
    /// Voice: what is captured, heard and flowing.
    @exclusivity(unchecked) package var voice = SessionVoice()
    /// Its microphone, encoder and ear, where voices are real.
    package let roomSound: RoomSound?
    /// What the user hears of the agent, and says into it.
    @exclusivity(unchecked) package var listener = SessionListener()

    package init(
        _ plan: SessionAppPlan,
        _ installation: Installation,
        mode: VoiceMode,
        sound: RoomSound? = nil,
        servers: (rooms: RoomService, agents: AgentPool, api: APIService)
    ) {
        self.plan = plan
        self.installation = installation
        self.mode = mode
        roomSound = sound
        (rooms, agents, api) = servers
    }

    package func receive(_ word: Word, _ argument: UInt32, on stage: inout Stage) {
        switch word {
        case .wake: process?.awaken(on: &stage)
        case .roomWake: roomObjects.first { $0.serial == argument }?.awaken(on: &stage)
        case .requestWake: calls.first { $0.number == argument }?.awaken(on: &stage)
        case .voiceFrame: sendFrame(on: &stage)
        case .agentHears: reviewHearing(on: &stage)
        case .interjects: interjects(argument, on: &stage)
        }
    }

    /// A packet reaches one of the app's sockets.
    package func receive(_ packet: Packet, on stage: inout Stage) {
        guard phase != .suspended else { return }
        if packet.destination.port - firstPort >= RoomPorts.firstProbe {
            hearProbe(packet, on: &stage)
        } else {
            deliver(packet, on: &stage)
            if case .media(let frame) = packet.content {
                play(frame, in: packet, on: &stage)
            }
        }
        touchFlows(on: &stage)
    }

    package var sdk: RoomClientConfiguration { plan.sdk }
    package var roomPurpose: StaticString { "room" }

    package func scheduleWake(of room: RoomObject, at instant: Instant, on stage: inout Stage) {
        scheduleWake(.roomWake, room.serial, at: instant, on: &stage)
    }

    package func scheduleWake(of call: APICall, at instant: Instant, on stage: inout Stage) {
        scheduleWake(.requestWake, call.number, at: instant, on: &stage)
    }

    package func heard(_ callback: RoomCallback, from room: RoomObject, on stage: inout Stage) {
        process?.tell(.room(room.id, callback), on: &stage)
    }

    package func heard(_ response: HTTPResponseOrLoss, to call: APICall, on stage: inout Stage) {
        guard let request = call.request as? APIRequest else { return }
        let answer = APIAnswer(response, to: request)
        if case .session(let token, _) = answer {
            session = token
            // A challenge is good for one assertion.
            signInChallenge = nil
            awaitedSignIn = nil
        }
        process?.tell(.apiAnswered(call.operation, answer), on: &stage)
    }

    /// The agent that serves the user now: the latest of those that listen.
    package var agent: Agent? {
        agentsListening.count < 2
            ? agentsListening.first : agentsListening.max { $0.number < $1.number }
    }

    /// The room object that the app uses: the last one that it made.
    package var currentRoom: RoomObject? {
        guard process != nil, let room = roomObjects.last, room.launch == launchCount else {
            return nil
        }
        return room
    }
}

// MARK: - What the system does with the app

extension SessionApp {
    package func launch(on stage: inout Stage) {
        let machine = VoiceAppCoordinator(
            configuration: plan.configuration,
            seed: phone.seed("app", launchCount, on: stage)
        )
        process = SessionProcess(machine, of: self, at: stage.now)
        publish(.speech)
        note(AppLaunched(), on: &stage)
        if microphone == .denied { note(MicrophoneChanged(state: .refused), on: &stage) }
    }

    /// The process ends: its sockets are closed by the system, its machines are gone.
    package func terminate(on stage: inout Stage) {
        hearNoMore(on: &stage)
        note(AppTerminated(), on: &stage)
        process = nil
        roomSound?.clear()
        touches = []
        (isLoginShown, signInChallenge) = (false, nil)
        (awaitedSignIn, repeatsSignIn) = (nil, false)
        closeSockets(on: &stage)
    }

    package func resume(on stage: inout Stage) {
        resume(process, on: &stage)
    }

    package func inform(_ news: SystemNews, on stage: inout Stage) {
        restartEngine(after: news, on: &stage)
        guard let process, let event = VoiceAppEvent(news) else { return }
        process.tell(event, on: &stage)
        if event == .launched { startFrames(on: &stage) }
    }

    package func systemSettled(on stage: inout Stage) {
        deliverTouches(on: &stage)
        touchFlows(on: &stage)
    }

    /// The user does something in the app, which is opened for it unless it is in front.
    ///
    /// None of it can be done from outside: the app has no call on the lock screen, and does not
    /// listen to a headset's buttons. It is written down when it reaches the app.
    package func undergo(_ act: any SystemAct, on stage: inout Stage) {
        guard let act = act as? SessionAppAct else {
            preconditionFailure("the plan does \(act) to \(name)")
        }
        if phone.seat.ask({ $0.front }) != id {
            phone.undergo(PhoneAct.openApp(SessionAppPlan.system), on: &stage)
        }
        touches.append(act)
        deliverTouches(on: &stage)
    }

    private func deliverTouches(on stage: inout Stage) {
        guard !touches.isEmpty, phase == .running else { return }
        for touch in touches {
            if touch == .logOut { session = nil }
            awaitSheet(after: touch)
            process?.tell(VoiceAppEvent(touch, of: self), on: &stage)
        }
        touches = []
    }
}

// MARK: - What the app waits for its user for

extension SessionApp {
    /// Whether the user lets the app have the microphone.
    package var microphone: PermissionCondition.Status { phone.seat.ask { $0.microphone(of: id) } }

    /// Whoever taps to sign in while there is nothing to sign waits for it.
    private func awaitSheet(after touch: SessionAppAct) {
        switch touch {
        case .signIn, .signInAsGuest:
            awaitedSignIn = isLoginShown && signInChallenge == nil ? touch : nil
        case .logOut, .disconnect, .connect:
            awaitedSignIn = nil
        case .mute, .unmute:
            break
        }
    }

    /// Whether what the app hears is a sign-in that the user had tapped before: no act of its own.
    package func takesRepeatedSignIn(_ event: VoiceAppEvent) -> Bool {
        guard repeatsSignIn, case .signedIn = event else { return false }
        repeatsSignIn = false
        return true
    }

    /// The app asks its user to sign in, whether there is need to or not.
    ///
    /// Whoever has tapped to before, and waits for the system's sheet, confirms it, unless they have left
    /// the app.
    package func showSignIn(_ challenge: String?, on stage: inout Stage) {
        signInChallenge = challenge
        if challenge != nil, let act = awaitedSignIn, let process {
            awaitedSignIn = nil
            if phone.seat.ask({ $0.front }) == id {
                repeatsSignIn = true
                return process.tell(VoiceAppEvent(act, of: self), on: &stage)
            }
        }
        let claims = session.flatMap { try? AccessToken.claims(of: $0) }
        let isSignedIn = claims.map { $0.expires > api.wallTime(at: stage.now) } ?? false
        note(SignInShown(isSignedIn: TraceFlag(isSignedIn)), on: &stage)
    }
}
