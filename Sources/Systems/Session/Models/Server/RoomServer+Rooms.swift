import KodamaNetwork
import KodamaPhone
import SansIO

/// Rooms, who is in them, and their time-outs (livekit/livekit, `pkg/rtc/room.go`).
extension RoomServer {
    /// The number of a room, which is opened if there is none: then an agent is called for it, once
    /// (livekit/agents, `worker.py`: jobs are per room by default).
    mutating func openRoom(_ name: String, in turn: inout Turn<RoomServerEffect>) -> UInt32 {
        if let number = roomsByName[name] { return number }
        roomsMade += 1
        var room = ServerRoom(number: roomsMade, name: name)
        room.closesAt = sweep(after: configuration.emptyTimeout, from: turn.now)
        rooms.append(room, number: roomsMade)
        roomsByName[name] = roomsMade
        turn.order(.note(.roomOpened(room: name)))
        turn.order(.agentWanted(room: name))
        return roomsMade
    }

    /// Who is in a room, and came before all others there.
    func firstIdentity(in name: String) -> String? {
        guard let number = roomsByName[name], let place = rooms.place(of: number),
            let first = rooms[place].members.first, let member = participants.place(of: first)
        else { return nil }
        return participants[member].identity
    }

    /// The number of the participant with this identity in a room.
    func member(named identity: String, of room: UInt32) -> UInt32? {
        guard let place = rooms.place(of: room) else { return nil }
        return rooms[place].members.first { number in
            participants.place(of: number).map { participants[$0].identity == identity } ?? false
        }
    }

    /// Puts a new participant into its room and tells the others.
    mutating func enter(_ number: UInt32, _ room: UInt32, in turn: inout Turn<RoomServerEffect>) {
        guard let roomPlace = rooms.place(of: room), let place = participants.place(of: number)
        else { return }
        rooms[roomPlace].members.append(number)
        rooms[roomPlace].closesAt = nil
        let identity = participants[place].identity
        turn.order(.note(.participantJoined(identity: identity, participant: number)))
        if rooms[roomPlace].agent != nil {
            let arrival = VoiceAgentEvent.participantConnected(identity: identity)
            turn.order(.agent(room: rooms[roomPlace].name, arrival))
        }
        tellOthers(of: info(of: place), in: room, in: &turn)
    }

    /// Closes a participant: it is told why if it can be, and so are the others.
    mutating func remove(
        _ number: UInt32,
        leave: LeaveRequest?,
        reason: DisconnectReason? = nil,
        in turn: inout Turn<RoomServerEffect>
    ) {
        guard let participant = participants.remove(number) else { return }
        let reason = reason ?? leave?.reason ?? .unknownReason
        if let connection = participant.connection {
            if let leave {
                send(.leave(leave), on: connection, in: &turn)
            }
            hangUp(connection, in: &turn)
        }
        let identity = participant.identity
        turn.order(.note(.participantLeft(identity: identity, participant: number, reason)))
        guard let place = rooms.place(of: participant.room) else { return }
        rooms[place].members.removeAll { $0 == number }
        if rooms[place].members.isEmpty {
            rooms[place].closesAt = sweep(after: configuration.departureTimeout, from: turn.now)
        }
        if rooms[place].agent != nil {
            let departure = VoiceAgentEvent.participantDisconnected(identity: identity, reason)
            turn.order(.agent(room: rooms[place].name, departure))
        }
        farewell(number, identity, in: participant.room, in: &turn)
    }

    /// Ends a room: whoever is in it is told, and the agent's session with it.
    mutating func closeRoom(
        _ number: UInt32,
        leave: LeaveRequest,
        in turn: inout Turn<RoomServerEffect>
    ) {
        guard let room = rooms.place(of: number).map({ rooms[$0] }) else { return }
        for member in room.members {
            remove(member, leave: leave, in: &turn)
        }
        rooms.remove(number)
        roomsByName[room.name] = nil
        if room.agent != nil {
            turn.order(.agent(room: room.name, .roomClosed))
        }
        turn.order(.note(.roomClosed(room: room.name)))
    }

    /// An agent came: it hears who is there, and they can subscribe to it.
    mutating func admitAgent(to name: String, in turn: inout Turn<RoomServerEffect>) {
        guard let number = roomsByName[name], let place = rooms.place(of: number) else {
            // The room was closed while the agent was on its way.
            return turn.order(.agent(room: name, .roomClosed))
        }
        guard rooms[place].agent == nil else { return }
        participantsMade += 1
        let agent = ServerRoom.Agent(number: participantsMade)
        rooms[place].agent = agent
        for member in rooms[place].members {
            guard let present = participants.place(of: member) else { continue }
            let arrival = VoiceAgentEvent.participantConnected(
                identity: participants[present].identity
            )
            turn.order(.agent(room: name, arrival))
        }
        tellOthers(of: agent.info, in: number, in: &turn)
    }

    /// The agent went: the room stays without one (D-18).
    mutating func dismissAgent(from name: String, in turn: inout Turn<RoomServerEffect>) {
        guard let number = roomsByName[name], let place = rooms.place(of: number),
            let agent = rooms[place].agent
        else { return }
        rooms[place].agent = nil
        farewell(agent.number, ServerRoom.agentIdentity, in: number, in: &turn)
    }

    /// Tells a room's participants that one has left, and remembers it for those who resume.
    private mutating func farewell(
        _ number: UInt32,
        _ identity: String,
        in room: UInt32,
        in turn: inout Turn<RoomServerEffect>
    ) {
        guard let place = rooms.place(of: room) else { return }
        let departed = RemoteParticipant(
            participant: number,
            identity: identity,
            tracks: [],
            hasLeft: true
        )
        rooms[place].remember(departed, leftAt: turn.now)
        tellOthers(of: departed, in: room, in: &turn)
    }

    /// The numbers of a room's participants but one.
    func othersNumbers(of number: UInt32, in room: UInt32) -> [UInt32] {
        guard let place = rooms.place(of: room) else { return [] }
        return rooms[place].members.filter { $0 != number }
    }

    /// Tells a room's participants but the one what has become of it, and offers them what there is to
    /// hear.
    mutating func tellOthers(
        of one: RemoteParticipant,
        in room: UInt32,
        in turn: inout Turn<RoomServerEffect>
    ) {
        for other in othersNumbers(of: one.participant, in: room) {
            sendParticipants([one], to: other, in: &turn)
            renegotiate(other, in: &turn)
        }
    }

    private mutating func sendParticipants(
        _ updates: [RemoteParticipant],
        to number: UInt32,
        in turn: inout Turn<RoomServerEffect>
    ) {
        guard let place = participants.place(of: number),
            let connection = participants[place].connection
        else { return }
        send(.participants(updates), on: connection, in: &turn)
    }

    /// Tells who resumes of the departures since they were heard last, then who is there.
    ///
    /// Who has said something since is taken to have been told, though only their words may have come
    /// through (`pkg/rtc/participant_signal.go`, `sendDisconnectUpdatesForReconnect`).
    mutating func catchUp(_ number: UInt32, in turn: inout Turn<RoomServerEffect>) {
        guard let place = participants.place(of: number),
            let room = rooms.place(of: participants[place].room)
        else { return }
        let since = participants[place].signalledAt
        let departed = rooms[room].departures
            .filter { $0.at >= since && $0.participant.participant != number }
            .map(\.participant)
        if !departed.isEmpty { sendParticipants(departed, to: number, in: &turn) }
        let present = others(of: number, in: participants[place].room)
        sendParticipants(present, to: number, in: &turn)
    }

    /// A participant as others are told of it.
    func info(of place: Int) -> RemoteParticipant {
        RemoteParticipant(
            participant: participants[place].number,
            identity: participants[place].identity,
            tracks: participants[place].tracks.map(\.number),
            mutedTracks: participants[place].tracks.filter(\.isMuted).map(\.number)
        )
    }

    /// Everybody in a room but one, the agent last.
    func others(of number: UInt32, in room: UInt32) -> [RemoteParticipant] {
        guard let place = rooms.place(of: room) else { return [] }
        let others = othersNumbers(of: number, in: room)
            .compactMap { participants.place(of: $0).map(info) }
        return others + [rooms[place].agent?.info].compactMap(\.self)
    }

    /// When an empty room is closed: rooms are looked at in steps, and whole seconds of the wall's
    /// clock are compared (`Room.CloseIfEmpty`), so up to a second passes beyond the time-out.
    private func sweep(after timeout: Duration, from now: Instant) -> Instant {
        let second: Int64 = 1_000_000_000
        let emptySince = clock.reading(at: now).secondsSince1970
        let started = clock.reading(at: .zero).nanosecondsSince1970
        let over = (emptySince + timeout.components.seconds) * second - started
        let step = max(1, configuration.sweepInterval.wholeNanoseconds)
        let elapsed = max(over, now.nanoseconds) - startedAt.nanoseconds
        return startedAt.advanced(by: .nanoseconds((elapsed + step - 1) / step * step))
    }
}
