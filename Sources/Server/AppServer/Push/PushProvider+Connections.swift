import SansIO

/// The connection that pushes go by.
struct PushConnection: Sendable, Equatable {
    enum State: Sendable, Equatable {
        case opening(until: Instant)
        /// It is open and was last heard of at `lastHeard`.
        case open(lastHeard: Instant)
        /// It has been silent and was pinged.
        case pinged(until: Instant)
    }

    let id: PushConnectionID
    var state: State

    var isOpen: Bool {
        switch state {
        case .opening: false
        case .open, .pinged: true
        }
    }

    var deadline: Deadline {
        switch state {
        case .opening(let until): Deadline(until, "push connect timeout")
        case .open(let lastHeard):
            Deadline(lastHeard.advanced(by: PushProvider.pingAfter), "push ping")
        case .pinged(let until): Deadline(until, "push ping timeout")
        }
    }

    mutating func heard(at now: Instant) {
        if isOpen { state = .open(lastHeard: now) }
    }
}

extension PushProvider {
    mutating func opened(_ id: PushConnectionID, at now: Instant) {
        guard connection?.id == id, connection?.isOpen == false else { return }
        connection?.state = .open(lastHeard: now)
        connectFailures = 0
    }

    /// A connection is gone: what it had not answered may have arrived or not.
    mutating func closed(_ id: PushConnectionID, in turn: inout Turn<Effect>) {
        retiring.removeAll { $0 == id }
        if connection?.id == id {
            if connection?.isOpen == false {
                connectAt = turn.now.advanced(by: Self.delay(afterFailures: connectFailures))
                connectFailures += 1
            }
            connection = nil
        }
        for index in pushes.indices.reversed() {
            guard case .sent(let sent) = pushes[index].state, sent.connection == id else {
                continue
            }
            sendAgain(index, in: &turn)
        }
    }

    mutating func wakeConnection(in turn: inout Turn<Effect>) {
        guard let current = connection, turn.now >= current.deadline.instant else { return }
        switch current.state {
        case .opening, .pinged:
            turn.order(.closeConnection(current.id))
            closed(current.id, in: &turn)
        case .open:
            turn.order(.ping(current.id))
            connection?.state = .pinged(until: turn.now.advanced(by: Self.answerTimeout))
        }
    }

    /// Opens a connection if there is none, as soon as one may be opened.
    mutating func connect(in turn: inout Turn<Effect>) {
        guard connection == nil, turn.now >= connectAt else { return }
        let id = nextConnection()
        turn.order(.openConnection(id))
        let until = turn.now.advanced(by: Self.openTimeout)
        connection = PushConnection(id: id, state: .opening(until: until))
    }

    /// Sends nothing more by a connection, and closes it when all it has sent is answered.
    mutating func retire(_ id: PushConnectionID) {
        guard connection?.id == id else { return }
        connection = nil
        retiring.append(id)
    }

    /// Closes the retired connections that have nothing more to answer.
    mutating func closeRetired(in turn: inout Turn<Effect>) {
        let busy = pushes.compactMap { push -> PushConnectionID? in
            guard case .sent(let sent) = push.state else { return nil }
            return sent.connection
        }
        for id in retiring where !busy.contains(id) { turn.order(.closeConnection(id)) }
        retiring.removeAll { !busy.contains($0) }
    }

    static func delay(afterFailures failures: Int) -> Duration {
        retryDelays[min(failures, retryDelays.count - 1)]
    }
}
