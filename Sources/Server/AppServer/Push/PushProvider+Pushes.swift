import SansIO

/// The pushes on their way.
extension PushProvider {
    mutating func ordered(
        _ order: PushOrder,
        at now: Instant,
        into effects: inout EffectBuffer<Effect>
    ) {
        if let index = pushes.firstIndex(where: { $0.isFor(order.callId, order.deviceToken) }) {
            // One that is under way may be wanted again, and must not be lost with its connection.
            pushes[index].isWithdrawn = false
            return
        }
        guard pushes.count < Self.pushesMax else {
            return finish(order, .overloaded, into: &effects)
        }
        let id = UniqueID(from: &generator)
        pushes.append(PendingPush(order: order, id: id, state: .waiting(until: now)))
    }

    mutating func withdrawn(
        _ callId: String,
        _ deviceToken: String,
        into effects: inout EffectBuffer<Effect>
    ) {
        guard let index = pushes.firstIndex(where: { $0.isFor(callId, deviceToken) }) else {
            return
        }
        switch pushes[index].state {
        case .waiting: finish(index, .withdrawn, into: &effects)
        case .sent: pushes[index].isWithdrawn = true
        }
    }

    /// Sends what is due, if there is a way to send it.
    mutating func pump(at now: Instant, into effects: inout EffectBuffer<Effect>) {
        let time = clock.reading(at: now)
        for index in pushes.indices.reversed() {
            guard case .waiting = pushes[index].state, pushes[index].order.expiresAt <= time else {
                continue
            }
            finish(index, .expired, into: &effects)
        }
        closeRetired(into: &effects)
        let due = pushes.indices.filter { pushes[$0].isDue(at: now) }
        guard !due.isEmpty else { return }
        connect(at: now, into: &effects)
        guard let connection, connection.isOpen else { return }
        let (token, isNew) = tokens.token(at: now)
        if isNew { effects.append(.mintToken(token, issuedAt: time)) }
        for index in due {
            let operation = operations.next()
            let push = pushes[index]
            effects.append(.send(operation, on: connection.id, push.order, id: push.id, token))
            let sent = PendingPush.Sent(
                operation: operation,
                connection: connection.id,
                token: token,
                at: time,
                until: now.advanced(by: Self.answerTimeout)
            )
            pushes[index].state = .sent(sent)
        }
    }

    mutating func answered(
        _ operation: OperationID,
        _ response: PushResponse,
        at now: Instant,
        into effects: inout EffectBuffer<Effect>
    ) {
        for (index, push) in pushes.enumerated() {
            guard case .sent(let sent) = push.state, sent.operation == operation else { continue }
            if connection?.id == sent.connection { connection?.heard(at: now) }
            return react(to: response, at: index, sent, at: now, into: &effects)
        }
    }

    private mutating func react(
        to response: PushResponse,
        at index: Int,
        _ sent: PendingPush.Sent,
        at now: Instant,
        into effects: inout EffectBuffer<Effect>
    ) {
        switch response.reaction {
        case .accepted: finish(index, .accepted, into: &effects)
        case .retry: sendAgain(index, at: now, into: &effects)
        case .retryElsewhere:
            retire(sent.connection)
            sendAgain(index, at: now, into: &effects)
        case .renewToken:
            guard !pushes[index].hasRenewed, let renewed = tokens.renew(sent.token, at: now) else {
                return finish(index, inVain: .refused(response), into: &effects)
            }
            if renewed.isNew {
                let time = clock.reading(at: now)
                effects.append(.mintToken(renewed.id, issuedAt: time))
            }
            pushes[index].hasRenewed = true
            pushes[index].state = .waiting(until: now)
        case .forgetDevice:
            let token = pushes[index].order.deviceToken
            // Without a time of death it was alive until the push was sent.
            let death = response.timestamp ?? sent.at
            effects.append(.forgetDevice(token: token, deadSince: death))
            finish(index, inVain: .unregistered, into: &effects)
        case .giveUp: finish(index, inVain: .refused(response), into: &effects)
        }
    }

    /// Waits to send a push once more, unless nobody wants it any more.
    mutating func sendAgain(
        _ index: Int,
        at now: Instant,
        into effects: inout EffectBuffer<Effect>
    ) {
        guard !pushes[index].isWithdrawn else {
            return finish(index, .withdrawn, into: &effects)
        }
        let delay = Self.delay(afterFailures: pushes[index].failures)
        pushes[index].failures += 1
        pushes[index].state = .waiting(until: now.advanced(by: delay))
    }

    /// Gives a push up; of a device that has been heard of since, that says nothing.
    private mutating func finish(
        _ index: Int,
        inVain outcome: PushOutcome,
        into effects: inout EffectBuffer<Effect>
    ) {
        finish(index, pushes[index].isWithdrawn ? .withdrawn : outcome, into: &effects)
    }

    private mutating func finish(
        _ index: Int,
        _ outcome: PushOutcome,
        into effects: inout EffectBuffer<Effect>
    ) {
        finish(pushes.remove(at: index).order, outcome, into: &effects)
    }

    private func finish(
        _ order: PushOrder,
        _ outcome: PushOutcome,
        into effects: inout EffectBuffer<Effect>
    ) {
        let finished = Effect.finished(
            callId: order.callId,
            deviceToken: order.deviceToken,
            outcome
        )
        effects.append(finished)
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
