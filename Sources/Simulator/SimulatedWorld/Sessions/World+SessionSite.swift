import Evidence
import Models
import RealtimeVoice
import SansIO
import Scenarios
import Simulation

extension World {
    /// Gives the room server an event, or wakes it.
    mutating func driveRooms(_ event: RoomServerEvent?, at now: Instant) {
        guard let site else { return }
        let perform = { (world: inout World, effect: RoomServerEffect) in
            world.perform(effect, at: now)
        }
        site.rooms.drive(event, at: now) { perform(&self, $0) }
        armSiteWake(at: now)
    }

    /// The binding of the room server's effects.
    private mutating func perform(_ effect: RoomServerEffect, at now: Instant) {
        guard let site else { return }
        switch effect {
        case .transmit(let packet):
            transmitFromSite(packet, at: now)
        case .agentWanted(let room):
            let number = site.agents.count
            let stream = RandomStream(seed: seed, purpose: "agent", entity: room)
            let agent = VoiceAgent(configuration: plan.services.agent, seed: stream.bits(at: 0))
            site.call(agent, to: room, at: now)
            queue.push(
                .agentArrives(agent: UInt32(number)),
                at: site.ownSource.key(at: now.advanced(by: plan.services.agent.joinTime))
            )
        case .agent(let room, let event):
            guard let place = site.agent(in: room) else { return }
            if case .participantConnected(let identity) = event {
                site.attach(place, to: phone(of: identity)?.place)
            }
            sessionInbox.append(.agent(place, event))
        case .note(let note):
            write(note, at: now)
        }
    }

    /// An agent that was called for reaches its room.
    mutating func seatAgent(_ place: Int, at now: Instant) {
        guard let site, !site.agents[place].isClosed else { return }
        site.agents[place].hasJoined = true
        sendSession(.rooms(.agentJoined(room: site.agents[place].room)), at: now)
        writeAgent(.agentJoined, place, 0, at: now)
        if plan.media == .sized { scheduleAgentFrame(of: place, at: now) }
        reviewFlows(withAgent: place, at: now)
    }

    /// Gives an agent an event, or wakes it.
    mutating func driveAgent(_ place: Int, _ event: VoiceAgentEvent?, at now: Instant) {
        guard let site, !site.agents[place].isClosed else { return }
        let hosted = site.agents[place].agent
        let perform = { (world: inout World, effect: VoiceAgentEffect) in
            world.perform(effect, ofAgent: place, at: now)
        }
        hosted.drive(event, at: now) { perform(&self, $0) }
        armWake(ofAgent: place, at: now)
    }

    /// Keeps one wake entry per agent.
    private mutating func armWake(ofAgent place: Int, at now: Instant) {
        guard let site, let deadline = site.agents[place].agent.deadline else { return }
        let due = max(deadline, now)
        if let pending = site.agents[place].pendingWake, pending <= due { return }
        site.agents[place].pendingWake = due
        queue.push(
            .agentWake(agent: UInt32(place)),
            at: site.agents[place].wakeSource.key(at: due)
        )
    }

    /// Wakes an agent if it is due.
    mutating func wakeAgent(_ place: Int, at now: Instant) {
        guard let site, site.agents[place].pendingWake == now else { return }
        site.agents[place].pendingWake = nil
        if site.agents[place].agent.isDue(at: now) { driveAgent(place, nil, at: now) }
        armWake(ofAgent: place, at: now)
    }

    /// The binding of an agent's effects.
    private mutating func perform(
        _ effect: VoiceAgentEffect,
        ofAgent place: Int,
        at now: Instant
    ) {
        guard let site else { return }
        switch effect {
        case .answerBegan(let turn, lasting: _):
            answering.append(AgentAnswer(agent: place, turn: turn, isBeginning: true))
            writeAgent(.answerBegan, place, Int64(turn), at: now)
        case .answerEnded(let turn, let wasInterrupted):
            answering.append(AgentAnswer(agent: place, turn: turn, isBeginning: false))
            let values = SIMD4(Int64(turn), wasInterrupted ? 1 : 0, 0, 0)
            log.write(
                TraceRecord(
                    .answerEnded,
                    at: now,
                    of: site.agentsComponent,
                    subject: subject(ofAgent: place),
                    values
                )
            )
        case .closed(let reason):
            closing.append(place)
            writeAgent(.agentClosed, place, reason.rawValue, at: now)
        }
    }

    /// Does what agents began or ended while they were driven.
    mutating func settleAgents(at now: Instant) {
        guard let site, !(answering.isEmpty && closing.isEmpty) else { return }
        let (answers, closed) = (answering, closing)
        answering.removeAll()
        closing.removeAll()
        for answer in answers {
            site.agents[answer.agent].turn = answer.turn
            site.agents[answer.agent].isAnswering = answer.isBeginning
            if answer.isBeginning { hearAnswerIfFlowing(from: answer.agent, at: now) }
        }
        for place in closed {
            site.close(place)
            site.agents[place].isAnswering = false
            sendSession(.rooms(.agentLeft(room: site.agents[place].room)), at: now)
        }
        for place in closed { reviewFlows(withAgent: place, at: now) }
    }

    func subject(ofAgent place: Int) -> ComponentIndex {
        guard let phone = site?.agents[place].phone else { return .none }
        return phones[phone].component
    }

    private mutating func writeAgent(
        _ kind: TraceKind,
        _ place: Int,
        _ value: Int64,
        at now: Instant
    ) {
        guard let site else { return }
        let subject = subject(ofAgent: place)
        let values = SIMD4(value, 0, 0, 0)
        log.write(
            TraceRecord(kind, at: now, of: site.agentsComponent, subject: subject, values)
        )
    }

    private mutating func write(_ note: RoomServerNote, at now: Instant) {
        switch note {
        case .participantJoined(let identity, let participant):
            writeRooms(.participantJoined, identity, SIMD4(Int64(participant), 0, 0, 0), at: now)
        case .participantResumed(let identity, let participant):
            writeRooms(.participantResumed, identity, SIMD4(Int64(participant), 0, 0, 0), at: now)
        case .participantActive(let identity, let participant):
            writeRooms(.participantActive, identity, SIMD4(Int64(participant), 0, 0, 0), at: now)
        case .participantLeft(let identity, let participant, let reason):
            let values = SIMD4(Int64(participant), reason.rawValue, 0, 0)
            writeRooms(.participantLeft, identity, values, at: now)
        case .refused(let statusCode):
            writeRooms(.joinRefused, nil, SIMD4(Int64(statusCode), 0, 0, 0), at: now)
        case .roomOpened, .roomClosed:
            // Told by who joins and by the agent.
            break
        }
    }

    private mutating func writeRooms(
        _ kind: TraceKind,
        _ identity: String?,
        _ values: SIMD4<Int64>,
        at now: Instant
    ) {
        guard let site else { return }
        let subject = identity.flatMap { phone(of: $0)?.component } ?? .none
        log.write(
            TraceRecord(kind, at: now, of: site.roomsComponent, subject: subject, values)
        )
    }

    /// The phone whose app goes by this identity: its device's.
    func phone(of identity: String) -> SessionPhone? {
        phones.first { $0.keychain[.deviceIdentity] == identity }
    }
}

/// A change of what an agent says, noted while it is being driven.
struct AgentAnswer {
    var agent: Int
    var turn: Int
    var isBeginning: Bool
}
