import KodamaNetwork
import KodamaPhone
import SansIO

/// What is done to a server (livekit/livekit, `pkg/service/server.go` for stopping and draining).
extension RoomServer {
    /// How long a migration keeps the old subscriber's transport: 3 s (livekit/livekit,
    /// `pkg/rtc/participant.go`, `migrationWaitDuration`).
    static let migrationWait: Duration = .seconds(3)

    mutating func suffer(_ fault: RoomServerFault, in turn: inout Turn<RoomServerEffect>) {
        switch fault {
        case .crash(let downtime):
            forgetSessions(.unknownReason, in: &turn)
            for number in connections.numbers { reset(number, in: &turn) }
            stop(for: downtime, isDark: false, at: turn.now)
        case .goDark(let downtime):
            forgetSessions(.unknownReason, in: &turn)
            stop(for: downtime, isDark: true, at: turn.now)
        case .restart(let downtime):
            for number in participants.numbers {
                guard let place = participants.place(of: number),
                    let connection = participants[place].connection
                else { continue }
                let leave = LeaveRequest(.disconnect, .serverShutdown)
                send(.leave(leave), on: connection, in: &turn)
                hangUp(connection, in: &turn)
            }
            forgetSessions(.serverShutdown, in: &turn)
            stop(for: downtime, isDark: false, at: turn.now)
        case .drain: ailments.isDraining = true
        case .full: ailments.isFull = true
        case .refuseConnections: ailments.refusesConnections = true
        case .blockIce: ailments.blocksDatagrams = true
        case .goSilent: ailments.isSilent = true
        case .clear: ailments = Ailments()
        case .leave(let identity, let leave):
            ask(identity, to: leave, in: &turn)
        case .joinElsewhere(let identity):
            joinElsewhere(identity, in: &turn)
        }
    }

    /// All sessions end with the process; agents lose their rooms.
    private mutating func forgetSessions(
        _ reason: DisconnectReason,
        in turn: inout Turn<RoomServerEffect>
    ) {
        for place in participants.indices {
            let participant = participants[place]
            turn.order(
                .note(
                    .participantLeft(
                        identity: participant.identity,
                        participant: participant.number,
                        reason
                    )
                )
            )
        }
        for place in rooms.indices {
            if rooms[place].agent != nil {
                turn.order(.agent(room: rooms[place].name, .roomClosed))
            }
            turn.order(.note(.roomClosed(room: rooms[place].name)))
        }
        participants.removeAll()
        rooms.removeAll()
        roomsByName = [:]
    }

    /// The process, or its machine, is gone, and another one takes its place.
    private mutating func stop(for downtime: Duration, isDark: Bool, at now: Instant) {
        connections.removeAll()
        connectionsByPeer = [:]
        ailments.isDraining = false
        ailments.isSilent = false
        self.isDark = isDark
        startedAt = max(downUntil, now.advanced(by: downtime))
        downUntil = startedAt
    }

    /// Somebody asks a participant to leave: the server's API, or a migration.
    private mutating func ask(
        _ identity: String,
        to leave: LeaveRequest,
        in turn: inout Turn<RoomServerEffect>
    ) {
        guard let number = participant(named: identity),
            let place = participants.place(of: number)
        else { return }
        switch leave.action {
        case .disconnect where leave.reason == .roomDeleted:
            closeRoom(participants[place].room, leave: leave, in: &turn)
        case .disconnect, .reconnect:
            remove(number, leave: leave, in: &turn)
        case .resume:
            if leave.reason == .migration {
                participants[place].migratesAt = turn.now.advanced(by: Self.migrationWait)
            }
            askToResume(number, reason: leave.reason, in: &turn)
        }
    }

    /// A second client takes the identity; it stays, and needs nothing to stay.
    private mutating func joinElsewhere(_ identity: String, in turn: inout Turn<RoomServerEffect>) {
        guard let number = participant(named: identity),
            let place = participants.place(of: number)
        else { return }
        let (room, claims) = (participants[place].room, participants[place].claims)
        let leave = LeaveRequest(.disconnect, .duplicateIdentity)
        remove(number, leave: leave, in: &turn)
        participantsMade += 1
        let other = ServerParticipant(
            number: participantsMade,
            room: room,
            claims: claims,
            configuration: configuration
        )
        participants.append(other, number: participantsMade)
        enter(participantsMade, room, in: &turn)
    }

    private func participant(named identity: String) -> UInt32? {
        participants.indices.first { participants[$0].identity == identity }
            .map { participants[$0].number }
    }
}
