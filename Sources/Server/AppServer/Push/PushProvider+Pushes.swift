import SansIO

/// The pushes on their way.
extension PushProvider {
    mutating func ordered(_ order: PushOrder, in turn: inout Turn<Effect>) {
        if let index = pushes.firstIndex(where: { $0.isFor(order.callId, order.deviceToken) }) {
            // One that is under way may be wanted again, and must not be lost with its connection.
            pushes[index].isWithdrawn = false
            return
        }
        let caller = UserName(order.caller)
        guard pushes.count < Self.pushesMax,
            pushes.count(where: { UserName($0.order.caller) == caller }) < Self.pushesPerCallerMax
        else {
            return finish(order, .overloaded, in: &turn)
        }
        let id = UniqueID(from: &generator)
        pushes.append(PendingPush(order: order, id: id, state: .waiting(until: turn.now)))
    }

    mutating func withdrawn(_ callId: String, _ deviceToken: String, in turn: inout Turn<Effect>) {
        guard let index = pushes.firstIndex(where: { $0.isFor(callId, deviceToken) }) else {
            return
        }
        switch pushes[index].state {
        case .waiting: finish(index, .withdrawn, in: &turn)
        case .sent: pushes[index].isWithdrawn = true
        }
    }

    /// Sends what is due, if there is a way to send it.
    mutating func pump(in turn: inout Turn<Effect>) {
        let time = clock.reading(at: turn.now)
        for index in pushes.indices.reversed() {
            guard case .waiting = pushes[index].state, pushes[index].order.expiresAt <= time else {
                continue
            }
            finish(index, .expired, in: &turn)
        }
        closeRetired(in: &turn)
        let due = pushes.indices.filter { pushes[$0].isDue(at: turn.now) }
        guard !due.isEmpty else { return }
        connect(in: &turn)
        guard let connection, connection.isOpen else { return }
        let (token, isNew) = tokens.token(at: turn.now)
        if isNew { turn.order(.mintToken(token, issuedAt: time)) }
        for index in due {
            let operation = operations.next()
            let push = pushes[index]
            turn.order(.send(operation, on: connection.id, push.order, id: push.id, token))
            let sent = PendingPush.Sent(
                operation: operation,
                connection: connection.id,
                token: token,
                at: time,
                until: turn.now.advanced(by: Self.answerTimeout)
            )
            pushes[index].state = .sent(sent)
        }
    }

    mutating func answered(
        _ operation: OperationID,
        _ response: PushResponse,
        in turn: inout Turn<Effect>
    ) {
        for (index, push) in pushes.enumerated() {
            guard case .sent(let sent) = push.state, sent.operation == operation else { continue }
            if connection?.id == sent.connection { connection?.heard(at: turn.now) }
            return react(to: response, at: index, sent, in: &turn)
        }
    }

    private mutating func react(
        to response: PushResponse,
        at index: Int,
        _ sent: PendingPush.Sent,
        in turn: inout Turn<Effect>
    ) {
        switch response.reaction {
        case .accepted: finish(index, .accepted, in: &turn)
        case .retry: sendAgain(index, in: &turn)
        case .retryElsewhere:
            retire(sent.connection)
            sendAgain(index, in: &turn)
        case .renewToken:
            guard !pushes[index].hasRenewed, let renewed = tokens.renew(sent.token, at: turn.now)
            else {
                return finish(index, inVain: .refused(response), in: &turn)
            }
            if renewed.isNew {
                let time = clock.reading(at: turn.now)
                turn.order(.mintToken(renewed.id, issuedAt: time))
            }
            pushes[index].hasRenewed = true
            pushes[index].state = .waiting(until: turn.now)
        case .forgetDevice:
            let token = pushes[index].order.deviceToken
            // Without a time of death it was alive until the push was sent.
            let death = response.timestamp ?? sent.at
            turn.order(.forgetDevice(token: token, deadSince: death))
            finish(index, inVain: .unregistered, in: &turn)
        case .giveUp: finish(index, inVain: .refused(response), in: &turn)
        }
    }

    /// Waits to send a push once more, unless nobody wants it any more.
    mutating func sendAgain(_ index: Int, in turn: inout Turn<Effect>) {
        guard !pushes[index].isWithdrawn else {
            return finish(index, .withdrawn, in: &turn)
        }
        let delay = Self.delay(afterFailures: pushes[index].failures)
        pushes[index].failures += 1
        pushes[index].state = .waiting(until: turn.now.advanced(by: delay))
    }

    /// Gives a push up; of a device that has been heard of since, that says nothing.
    private mutating func finish(
        _ index: Int,
        inVain outcome: PushOutcome,
        in turn: inout Turn<Effect>
    ) {
        finish(index, pushes[index].isWithdrawn ? .withdrawn : outcome, in: &turn)
    }

    private mutating func finish(
        _ index: Int,
        _ outcome: PushOutcome,
        in turn: inout Turn<Effect>
    ) {
        finish(pushes.remove(at: index).order, outcome, in: &turn)
    }

    private func finish(_ order: PushOrder, _ outcome: PushOutcome, in turn: inout Turn<Effect>) {
        let finished = Effect.finished(
            callId: order.callId,
            deviceToken: order.deviceToken,
            outcome
        )
        turn.order(finished)
    }
}

extension PendingPush {
    func isFor(_ callId: String, _ deviceToken: String) -> Bool {
        order.callId == callId && order.deviceToken == deviceToken
    }

    func isDue(at now: Instant) -> Bool {
        guard case .waiting(let until) = state else { return false }
        return until <= now
    }
}
