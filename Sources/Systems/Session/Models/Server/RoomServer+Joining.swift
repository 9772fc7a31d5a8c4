import KodamaNetwork
import KodamaPhone
import SansIO

/// Joins and resumes (livekit/livekit, `pkg/service/rtcservice.go` and `pkg/service/roommanager.go`).
extension RoomServer {
    /// Looks at a token, and starts a session if it is good; the answer comes when that is done.
    mutating func begin(
        _ token: String,
        isResume: Bool,
        on number: UInt32,
        in turn: inout Turn<RoomServerEffect>
    ) {
        do throws(TokenDesk.Refusal) {
            let (claims, room) = try tokens.verify(token, at: clock.reading(at: turn.now))
            if let statusCode = limitReached(room: room) {
                throw TokenDesk.Refusal(statusCode: statusCode)
            }
            guard let place = connections.place(of: number) else { return }
            var start = SessionStart(
                claims: claims,
                room: room,
                isResume: isResume,
                readyAt: turn.now.advanced(by: configuration.sessionStartTime)
            )
            if isResume { start.resumed = takeOver(start, by: number, in: &turn) }
            connections[place].stage = .starting(start)
        } catch {
            turn.order(.note(.refused(statusCode: error.statusCode)))
            send(.refused(statusCode: error.statusCode), on: number, in: &turn)
            hangUp(number, in: &turn)
        }
    }

    /// From the request to resume on, what there is to say goes by the new connection.
    ///
    /// It waits there for the reconnect response, which a client wants to hear first, if it is to be held.
    private mutating func takeOver(
        _ start: SessionStart,
        by number: UInt32,
        in turn: inout Turn<RoomServerEffect>
    ) -> UInt32? {
        guard let room = roomsByName[start.room],
            let present = member(named: start.identity, of: room),
            let place = participants.place(of: present)
        else { return nil }
        if let old = participants[place].connection { hangUp(old, in: &turn) }
        participants[place].connection = number
        if configuration.holdsMessagesUntilResumed, let place = connections.place(of: number) {
            let until = turn.now.advanced(by: configuration.resumeHoldTimeout)
            connections[place].hold = ServerConnection.Hold(until: until)
        }
        return present
    }

    /// A full node turns everybody away, also from rooms that it hosts (livekit/livekit,
    /// `pkg/service/roomallocator.go`); one that drains only opens no rooms.
    private func limitReached(room: String) -> Int? {
        if ailments.isFull { return 503 }
        if !configuration.createsRooms, roomsByName[room] == nil { return 404 }
        return ailments.isDraining && roomsByName[room] == nil ? 500 : nil
    }

    /// The session is started: the room is there from now on, and the client is answered.
    mutating func finish(
        _ start: SessionStart,
        on number: UInt32,
        in turn: inout Turn<RoomServerEffect>
    ) {
        guard let place = connections.place(of: number) else { return }
        connections[place].stage = .accepted
        guard !ailments.isSilent else { return }
        let room = openRoom(start.room, in: &turn)
        let present = member(named: start.identity, of: room)
        if start.isResume {
            resume(present, on: number, in: &turn)
        } else {
            if let present {
                let leave = LeaveRequest(.disconnect, .duplicateIdentity)
                remove(present, leave: leave, in: &turn)
            }
            join(start, room: room, on: number, in: &turn)
        }
    }

    private mutating func join(
        _ start: SessionStart,
        room: UInt32,
        on number: UInt32,
        in turn: inout Turn<RoomServerEffect>
    ) {
        guard let roomPlace = rooms.place(of: room) else { return }
        guard rooms[roomPlace].members.count < configuration.maxParticipants else {
            return turnAway(number, .init(.disconnect, .joinFailure), in: &turn)
        }
        participantsMade += 1
        var participant = ServerParticipant(
            number: participantsMade,
            room: room,
            claims: start.claims,
            configuration: configuration
        )
        participant.connection = number
        participant.signalledAt = turn.now
        participant.activeBy = turn.now.advanced(by: configuration.joinVerifyTimeout)
        participants.append(participant, number: participantsMade)
        attach(number, to: participantsMade)
        let response = JoinResponse(
            participant: participant.number,
            room: start.room,
            others: others(of: participant.number, in: room),
            pingInterval: configuration.pingInterval,
            pingTimeout: configuration.pingTimeout,
            mediaAddress: mediaSocket,
            streamAddress: streamSocket
        )
        send(.join(response), on: number, in: &turn)
        refreshToken(of: participant.number, in: &turn)
        enter(participant.number, room, in: &turn)
        makeOffer(to: participant.number, restartsIce: false, in: &turn)
    }

    /// Who is looked for by identity alone, and is there, goes on with another connection; the session
    /// number that the client sends is not compared.
    private mutating func resume(
        _ present: UInt32?,
        on number: UInt32,
        in turn: inout Turn<RoomServerEffect>
    ) {
        let mismatch = LeaveRequest(.reconnect, .stateMismatch)
        guard let present, let place = participants.place(of: present) else {
            return turnAway(number, mismatch, in: &turn)
        }
        guard participants[place].subscriber.connectivity != .closed else {
            remove(present, leave: mismatch, in: &turn)
            return turnAway(number, mismatch, in: &turn)
        }
        if let old = participants[place].connection, old != number {
            hangUp(old, in: &turn)
        }
        participants[place].connection = number
        participants[place].cleanupAt = nil
        participants[place].migratesAt = nil
        attach(number, to: present)
        let identity = participants[place].identity
        turn.order(.note(.participantResumed(identity: identity, participant: present)))
        let response = ReconnectResponse(
            mediaAddress: mediaSocket,
            streamAddress: streamSocket
        )
        send(.reconnect(response), on: number, in: &turn)
        catchUp(present, in: &turn)
        refreshToken(of: present, in: &turn)
        makeOffer(to: present, restartsIce: true, in: &turn)
    }

    /// A leave is the first message, and the last.
    private mutating func turnAway(
        _ number: UInt32,
        _ leave: LeaveRequest,
        in turn: inout Turn<RoomServerEffect>
    ) {
        send(.leave(leave), on: number, in: &turn)
        hangUp(number, in: &turn)
    }

    private mutating func attach(_ number: UInt32, to participant: UInt32) {
        guard let place = connections.place(of: number) else { return }
        connections[place].stage = .joined(participant: participant)
    }

    /// Signs a fresh token for a participant, and says when the next is due.
    mutating func refreshToken(of number: UInt32, in turn: inout Turn<RoomServerEffect>) {
        guard let place = participants.place(of: number) else { return }
        participants[place].refreshAt = turn.now.advanced(by: configuration.tokenRefreshInterval)
        guard let connection = participants[place].connection else { return }
        let token = tokens.refresh(participants[place].claims, at: clock.reading(at: turn.now))
        send(.refreshToken(token), on: connection, in: &turn)
    }
}
