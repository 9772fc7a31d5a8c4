import AppCoordination
import Evidence
import Models
import RealtimeVoice
import SansIO
import Scenarios
import Simulation

extension World {
    /// Does to phones and servers what an entry of the timeline, or chance, says.
    mutating func actOnSessions(_ action: TimelineAction, at now: Instant) {
        switch action {
        case .block(let name, let interface, let traffic, let duration):
            block(phone(named: name), interface, traffic, for: duration, at: now)
        case .radio(let name, let interface, let isUp, let notice):
            let phone = phone(named: name)
            let fault = isUp ? SessionFault.radioUp : .radioDown
            writeFault(.faultBegan, fault, of: component(of: phone, interface), at: now)
            sendSession(
                .system(
                    phone: phone.place,
                    .interfaceChanged(interface, isUp: isUp, notice)
                ),
                at: now
            )
        case .user(let name, let action):
            act(action, at: phone(named: name), now)
        case .rooms(let fault):
            act(fault, at: now)
        case .silenceAPI(let duration):
            guard let site else { return }
            site.apiIsSilent = true
            writeFault(.faultBegan, .silentAPI, of: site.apiComponent, duration, at: now)
            queue.push(.apiBack, at: site.ownSource.key(at: now.advanced(by: duration)))
        case .disrupt, .change:
            preconditionFailure("links are disrupted by the timeline itself")
        }
        settleAgents(at: now)
        reviewPaths(at: now)
    }

    private mutating func block(
        _ phone: SessionPhone,
        _ interface: NetworkInterface?,
        _ traffic: TrafficClass?,
        for duration: Duration,
        at now: Instant
    ) {
        let end = now.advanced(by: duration)
        phone.blocks.append(.init(interface: interface, traffic: traffic, until: end))
        let fault: SessionFault =
            switch traffic {
            case nil: .blackHole
            case .signalling: .signallingCut
            case .media: .mediaCut
            }
        writeFault(.faultBegan, fault, of: component(of: phone, interface), duration, at: now)
        schedule(
            .unblock(phone: UInt16(phone.place), fault: UInt8(fault.rawValue)),
            of: phone,
            at: end
        )
    }

    /// A block has ended.
    mutating func unblock(_ place: Int, _ fault: UInt8, at now: Instant) {
        let phone = phones[place]
        phone.blocks.removeAll { $0.until <= now }
        let fault = SessionFault(rawValue: Int64(fault)) ?? .blackHole
        writeFault(.faultEnded, fault, of: phone.component, at: now)
        reviewPath(of: phone, at: now)
    }

    /// The user does something with the phone or the app.
    private mutating func act(_ action: SessionAction, at phone: SessionPhone, _ now: Instant) {
        write(.userActed, phone, SIMD4(action.rawValue, 0, 0, 0), at: now)
        if let action = UserAction(rawValue: action.rawValue) {
            sendSession(.system(phone: phone.place, .user(action)), at: now)
            return
        }
        if action == .tapNotification {
            sendSession(.system(phone: phone.place, .user(.openApp)), at: now)
        }
        guard let event = action.appEvent(on: phone) else { return }
        tell(phone, event)
        drainSessions(at: now)
    }

    private mutating func act(_ fault: RoomServerFault, at now: Instant) {
        guard let site else { return }
        let (number, downtime) = fault.traceNumbers
        let kind: TraceKind = fault == .clear ? .faultEnded : .faultBegan
        writeFault(
            kind,
            number,
            of: site.roomsComponent,
            about: fault.victim.map { phone(named: $0).component },
            downtime,
            at: now
        )
        switch fault {
        case .crash(let downtime), .restart(let downtime):
            site.roomsAreAway = true
            queue.push(.roomsBack, at: site.ownSource.key(at: now.advanced(by: downtime)))
        case .goSilent, .blockIce:
            site.roomsAreAway = true
        case .clear:
            site.roomsAreAway = false
        case .drain, .full, .leave, .joinElsewhere:
            break
        }
        sendSession(.rooms(.fault(named(fault))), at: now)
        settleAgents(at: now)
        if case .crash = fault { loseAgents(at: now) }
    }

    /// The plan names phones; the room server knows their identities.
    private func named(_ fault: RoomServerFault) -> RoomServerFault {
        switch fault {
        case .leave(let name, let request):
            .leave(identity: phone(named: name).keychain[.deviceIdentity] ?? "", request)
        case .joinElsewhere(let name):
            .joinElsewhere(identity: phone(named: name).keychain[.deviceIdentity] ?? "")
        case .crash, .restart, .drain, .full, .blockIce, .goSilent, .clear:
            fault
        }
    }

    /// A crashed server's agents lose their room, which ends their jobs (livekit/agents, `job.py`).
    private mutating func loseAgents(at now: Instant) {
        guard let site else { return }
        for place in site.agents.indices where !site.agents[place].isClosed {
            sendSession(.agent(place, .roomClosed), at: now)
        }
        settleAgents(at: now)
    }

    /// The room server is back after a crash or restart.
    mutating func bringRoomsBack(at now: Instant) {
        guard let site else { return }
        site.roomsAreAway = false
        writeFault(.faultEnded, .serverDown, of: site.roomsComponent, at: now)
        reviewPaths(at: now)
    }

    /// The app's own server answers again.
    mutating func bringAPIBack(at now: Instant) {
        guard let site else { return }
        site.apiIsSilent = false
        writeFault(.faultEnded, .silentAPI, of: site.apiComponent, at: now)
    }

    private mutating func writeFault(
        _ kind: TraceKind,
        _ fault: SessionFault,
        of component: ComponentIndex,
        about victim: ComponentIndex? = nil,
        _ duration: Duration = .zero,
        at now: Instant
    ) {
        let values = SIMD4(fault.rawValue, duration.wholeNanoseconds, 0, 0)
        log.write(TraceRecord(kind, at: now, of: component, subject: victim ?? .none, values))
    }

    private func component(
        of phone: SessionPhone,
        _ interface: NetworkInterface?
    ) -> ComponentIndex {
        interface.flatMap { phone.radio($0.rawValue)?.component } ?? phone.component
    }

    func phone(named name: String) -> SessionPhone {
        guard let phone = phones.first(where: { $0.plan.name == name }) else {
            preconditionFailure("the plan names phone \(name), which it does not have")
        }
        return phone
    }
}

/// What `fault.began` and `fault.ended` say was done.
enum SessionFault: Int64 {
    case blackHole
    case signallingCut
    case mediaCut
    case radioDown
    case radioUp
    case serverDown
    case serverDrained
    case serverFull
    case iceBlocked
    case silentServer
    case serverCleared
    case serverLeave
    case joinElsewhere
    case silentAPI
}

extension RoomServerFault {
    /// The phone that it throws out, by name.
    fileprivate var victim: String? {
        switch self {
        case .leave(let name, let request): request.action == .disconnect ? name : nil
        case .joinElsewhere(let name): name
        case .crash, .restart, .drain, .full, .blockIce, .goSilent, .clear: nil
        }
    }

    /// The fault's number and length.
    var traceNumbers: (SessionFault, Duration) {
        switch self {
        case .crash(let downtime), .restart(let downtime): (.serverDown, downtime)
        case .drain: (.serverDrained, .zero)
        case .full: (.serverFull, .zero)
        case .blockIce: (.iceBlocked, .zero)
        case .goSilent: (.silentServer, .zero)
        case .clear: (.serverCleared, .zero)
        case .leave: (.serverLeave, .zero)
        case .joinElsewhere: (.joinElsewhere, .zero)
        }
    }
}

extension SessionAction {
    /// What the app is told of it; `nil` if it is the phone's own affair.
    func appEvent(on phone: SessionPhone) -> VoiceAppEvent? {
        switch self {
        case .connect: .connectTapped
        case .disconnect: .disconnectTapped
        case .mute: .muteTapped(isMuted: true)
        case .unmute: .muteTapped(isMuted: false)
        case .tapNotification: .notificationTapped
        case .signIn:
            .signedIn(
                .passkey(
                    assertion: SimulatedAuthenticator.assertion(
                        user: phone.plan.name,
                        challenge: phone.signInChallenge ?? ""
                    )
                )
            )
        case .logOut: .logoutTapped
        case .openApp, .leaveApp, .openControlCentre, .closeControlCentre, .killApp,
            .phoneCallBegins, .phoneCallEnds:
            nil
        }
    }
}
