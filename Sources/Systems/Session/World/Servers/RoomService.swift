package import KodamaEvidence
package import KodamaLanguage
package import KodamaNetwork
import KodamaPhone
import KodamaSimulation
package import KodamaWorld
import RealtimeVoice
package import SansIO

/// The room server, bound to the network and to its agents.
package final class RoomService: Component, Host {
    /// What the room server schedules.
    package enum Word: UInt8 {
        /// The server wants to be woken.
        case wake
        /// The server is back after a crash or restart.
        case back
    }

    /// How the names of calls' rooms begin.
    package static let callPrefix = "call-"

    package let name = Deployment.serverNames[0]
    package let index: ComponentIndex
    @exclusivity(unchecked) package var seat: Seat<RoomServer>
    package unowned(unsafe) let agents: AgentPool
    /// The apps that talk with it, in the order of their phones, and by their hosts' numbers.
    @exclusivity(unchecked) private var apps: [any RoomUser] = []
    @exclusivity(unchecked) private var byHost: [[any RoomUser]] = []
    /// Who wrote an identity down last, or was found to have it.
    private var byIdentity: [String: any RoomUser] = [:]
    /// Whether the server is down, silent or deaf to media; for the truth about paths.
    package private(set) var isAway = false
    /// Whether signal connections take several radios.
    let takesMultipath: Bool
    /// Whether media goes by TCP where no datagrams pass.
    let takesMediaByTCP: Bool
    /// How it went down last.
    private var absence = WorldFault.serverDown
    @exclusivity(unchecked) private var wakeSource: EventSource
    @exclusivity(unchecked) private var ownSource: EventSource

    package init(of plan: WorldPlan, index: ComponentIndex, agents: AgentPool) {
        let address = NetworkAddress(ofServer: index)
        seat = Seat(Deployment.roomServer(of: plan, at: address))
        takesMultipath = plan.services.rooms.takesMultipath
        takesMediaByTCP = plan.services.rooms.takesMediaByTCP
        self.index = index
        self.agents = agents
        wakeSource = EventSource(rank: DeliveryRank.wake, component: Int(index.index))
        ownSource = EventSource(rank: DeliveryRank.server, component: Int(index.index))
    }

    /// Where the server takes signal connections.
    package var signalling: SocketAddress {
        SocketAddress(address: NetworkAddress(ofServer: index), port: RoomServer.signalPort)
    }

    package func receive(_ word: Word, _ argument: UInt32, on stage: inout Stage) {
        switch word {
        case .wake: awaken(on: &stage)
        case .back: comeBack(on: &stage)
        }
    }

    package func scheduleWake(at instant: Instant, on stage: inout Stage) {
        schedule(.wake, at: instant, by: &wakeSource, on: &stage)
    }

    /// A packet reaches the server; a frame of voice goes on to the agent.
    package func receive(_ packet: Packet, on stage: inout Stage) {
        if answerProbe(packet, on: &stage) { return }
        if case .media(let frame) = packet.content {
            carry(frame, in: packet, on: &stage)
        } else {
            let room = room(at: packet.source)
            hear(.packet(room?.receivedByServer(packet) ?? packet), on: &stage)
        }
        app(at: packet.source)?.touchFlows(on: &stage)
    }

    private func carry(_ frame: MediaFrame, in packet: Packet, on stage: inout Stage) {
        let now = stage.now
        let receiver = seat.ask { $0.receive(media: packet, at: now) }
        if receiver == nil { return forward(frame, in: packet, on: &stage) }
        guard case .agent(let room, _) = receiver, let agent = agents.agent(in: room),
            agent.hasJoined
        else { return }
        armWake(on: &stage)
        let user = app(at: packet.source)
        if let user, agent.receive(frame, of: user, on: &stage) { return }
        let heard = VoiceHeard(
            direction: TraceWord(.fromPhone),
            captured: frame.captured,
            heard: now,
            speech: TraceFlag(frame.isSpeech)
        )
        user?.note(heard, on: &stage)
        agent.hear(frame, on: &stage)
        user?.reachedAgent(frame, on: &stage)
    }

    /// A frame of sound goes on to the others in its room (livekit/livekit, `pkg/sfu/downtrack.go`).
    private func forward(_ frame: MediaFrame, in packet: Packet, on stage: inout Stage) {
        guard app(at: packet.source)?.roomSound != nil else { return }
        armWake(on: &stage)
        let route = MediaRoute(from: packet.source, to: packet.destination, track: frame.track)
        for next in forwardedRoutes(of: route) {
            let copy = Packet(
                from: next.source,
                to: next.destination,
                wireBytes: packet.wireBytes,
                .media(frame)
            )
            transmit(copy, on: &stage)
        }
    }

    /// Sends a packet to a phone.
    package func transmit(_ packet: Packet, on stage: inout Stage) {
        app(at: packet.destination)?.touchFlows(on: &stage)
        stage.send(room(at: packet.destination)?.sentByServer(packet) ?? packet)
    }

    /// The binding of the room server's effects.
    package func perform(_ effect: RoomServerEffect, on stage: inout Stage) {
        switch effect {
        case .transmit(let packet):
            transmit(packet, on: &stage)
        case .agentWanted(let room):
            // An agent's worker takes no job in a call's room (livekit/agents, `worker.py`, `request_fnc`).
            guard !room.hasPrefix(Self.callPrefix) else { return }
            let first = seat.ask { $0.firstIdentity(in: room) }
            agents.call(to: room, of: first.flatMap { app(of: $0)?.index }, on: &stage)
        case .agent(let room, let event):
            guard let agent = agents.agent(in: room) else { return }
            if case .participantConnected(let identity) = event {
                agents.attach(agent, to: app(of: identity) as? SessionApp, on: &stage)
            }
            agent.tell(event, on: &stage)
        case .note(let note):
            write(note, on: &stage)
        }
    }

    /// Something is done to the server.
    package func undergo(_ act: any SystemAct, on stage: inout Stage) {
        if let act = act as? SignalAct { return disturb(act, on: &stage) }
        guard let fault = act as? RoomServerFault else {
            preconditionFailure("the plan does \(act) to the room server")
        }
        let (word, downtime) = fault.traceWords
        if fault == .clear {
            stage.note(FaultEnded(fault: word), of: index)
        } else {
            let victim = fault.victim.flatMap { app(named: $0)?.index } ?? .none
            let began = FaultBegan(fault: word, parameter: downtime.wholeNanoseconds)
            stage.note(began, of: index, about: victim)
        }
        switch fault {
        case .crash(let downtime), .goDark(let downtime), .restart(let downtime):
            let back = stage.now.advanced(by: downtime)
            absence = word
            schedule(.back, at: back, by: &ownSource, on: &stage)
        default: break
        }
        hear(.fault(named(fault)), on: &stage)
        switch fault {
        case .crash, .goDark:
            reviewAway(on: &stage)
            agents.loseRooms(on: &stage)
        case .restart, .goSilent, .blockIce, .clear: reviewAway(on: &stage)
        case .drain, .refuseConnections, .full, .leave, .joinElsewhere: break
        }
    }

    /// A box in the middle does something to a phone's signal connection, if it has one.
    private func disturb(_ act: SignalAct, on stage: inout Stage) {
        let (name, fault): (String, WorldFault) =
            switch act {
            case .reset(let phone): (phone, .signalReset)
            case .forget(let phone): (phone, .signalForgotten)
            }
        guard let app = app(named: name), let room = app.roomObjects.last,
            let socket = room.seat.ask({ $0.signal.socket?.source })
        else { return }
        stage.note(FaultBegan(fault: fault, parameter: 0), of: index, about: app.index)
        if case .forget = act {
            room.forgottenSocket = socket
            app.footingChanged(on: &stage)
            return
        }
        let reset = Packet.Content.stream(StreamSegment(.reset, sequence: 0, acknowledgement: 0))
        hear(.packet(Packet(from: socket, to: signalling, wireBytes: 40, reset)), on: &stage)
        room.hear(.packet(Packet(from: signalling, to: socket, wireBytes: 40, reset)), on: &stage)
    }

    private func comeBack(on stage: inout Stage) {
        // It may have gone down once more meanwhile.
        let now = stage.now
        guard seat.ask({ $0.isUp(at: now) }) else { return }
        stage.note(FaultEnded(fault: absence), of: index)
        reviewAway(on: &stage)
    }

    /// Follows the server itself: what ends one reason to be away may leave another.
    private func reviewAway(on stage: inout Stage) {
        let now = stage.now
        isAway = seat.ask { $0.isAway(at: now) }
        for app in apps { app.touchPath(on: &stage) }
    }

    /// The plan names phones; the room server knows their identities.
    private func named(_ fault: RoomServerFault) -> RoomServerFault {
        switch fault {
        case .leave(let name, let request):
            .leave(identity: app(named: name)?.stored(.deviceIdentity) ?? "", request)
        case .joinElsewhere(let name):
            .joinElsewhere(identity: app(named: name)?.stored(.deviceIdentity) ?? "")
        case .crash, .goDark, .restart, .drain, .refuseConnections, .full, .blockIce, .goSilent,
            .clear:
            fault
        }
    }

    private func write(_ note: RoomServerNote, on stage: inout Stage) {
        switch note {
        case .participantJoined(let identity, let participant):
            let joined = ParticipantJoined(participant: Int64(participant))
            stage.note(joined, of: index, about: subject(identity))
        case .participantResumed(let identity, let participant):
            let resumed = ParticipantResumed(participant: Int64(participant))
            stage.note(resumed, of: index, about: subject(identity))
        case .participantActive(let identity, let participant):
            let active = ParticipantActive(participant: Int64(participant))
            stage.note(active, of: index, about: subject(identity))
        case .participantLeft(let identity, let participant, let reason):
            let left = ParticipantLeft(participant: Int64(participant), reason: TraceWord(reason))
            stage.note(left, of: index, about: subject(identity))
        case .refused(let statusCode):
            stage.note(JoinRefused(status: Int64(statusCode)), of: index)
        case .roomOpened, .roomClosed:
            // Told by who joins and by the agent.
            break
        }
    }

    private func subject(_ identity: String) -> ComponentIndex {
        app(of: identity)?.index ?? .none
    }

    // MARK: Who is who

    /// An app will talk with the server.
    package func serve(_ app: any RoomUser) {
        apps.append(app)
        let host = Int(app.phone.host)
        while byHost.count <= host { byHost.append([]) }
        byHost[host].append(app)
    }

    /// An app writes down its device's identity, so that it is found without asking every app.
    package func expect(_ app: any RoomUser, as identity: String) {
        byIdentity[identity] = app
    }

    /// The app that goes by this identity: its device's.
    private func app(of identity: String) -> (any RoomUser)? {
        if let known = byIdentity[identity], known.stored(.deviceIdentity) == identity {
            return known
        }
        let app = apps.first { $0.stored(.deviceIdentity) == identity }
        byIdentity[identity] = app
        return app
    }

    /// The app that has a socket.
    private func app(at socket: SocketAddress) -> (any RoomUser)? {
        let host = Int(socket.address.host)
        guard byHost.indices.contains(host) else { return nil }
        let app = Int(socket.port >> Phone.appPortShift)
        return byHost[host].first { $0.id.index == app }
    }

    /// The room object that has a socket, if connections take several radios.
    private func room(at socket: SocketAddress) -> RoomObject? {
        guard takesMultipath, let app = app(at: socket) else { return nil }
        return app.room(at: socket.port)
    }

    /// The app on the phone of this name: of sessions, if it has one.
    func app(named name: String) -> (any RoomUser)? {
        let here = apps.filter { $0.phone.name == name }
        return here.first { $0 is SessionApp } ?? here.first
    }
}

extension RoomServerFault {
    /// The phone that it throws out, by name.
    fileprivate var victim: String? {
        switch self {
        case .leave(let name, let request): request.action == .disconnect ? name : nil
        case .joinElsewhere(let name): name
        case .crash, .goDark, .restart, .drain, .refuseConnections, .full, .blockIce, .goSilent,
            .clear:
            nil
        }
    }

    /// The trace's word for the fault, and its length.
    fileprivate var traceWords: (WorldFault, Duration) {
        switch self {
        case .crash(let downtime), .restart(let downtime): (.serverDown, downtime)
        case .goDark(let downtime): (.serverDark, downtime)
        case .refuseConnections: (.portClosed, .zero)
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
