import SansIO

/// What is said to the server, and what it says.
extension CallRegistry {
    /// Gives a call's signalling a fact, and the call what comes of it.
    mutating func signal(
        _ uuid: UniqueID,
        _ event: CallSignalling.Event,
        in turn: inout Turn<Effect>
    ) {
        guard let index = index(of: uuid) else { return }
        let outcomes = calls[index].line.drive(event, numbers: &operations, in: &turn)
        for outcome in outcomes { heard(outcome, of: uuid, in: &turn) }
    }

    mutating func signalAll(_ event: CallSignalling.Event, in turn: inout Turn<Effect>) {
        for uuid in calls.map(\.uuid) { signal(uuid, event, in: &turn) }
        // Who has logged out says farewell in their own name still.
        if isSignedOut, event == .credentialsChanged(nil) { return }
        for index in farewells.indices {
            if case .credentialsChanged(let latest) = event {
                let isTaken = latest.map { farewells[index].goesOver(to: $0) }
                guard isTaken ?? (farewells[index].former == nil) else { continue }
            }
            _ = farewells[index].drive(event, numbers: &operations, in: &turn)
        }
    }

    /// Has the server asked how a call stands, now and every so often; not at all if `interval` is `nil`.
    mutating func watch(_ uuid: UniqueID, every interval: Duration?, in turn: inout Turn<Effect>) {
        guard let interval else { return }
        signal(uuid, .watchRequested(every: interval), in: &turn)
    }

    /// Asks how the calls with somebody stand who calls anew: their app may have died in one.
    mutating func doubtCalls(with party: String, in turn: inout Turn<Effect>) {
        for call in calls where call.isJoined && call.description.partyId == party {
            signal(call.uuid, .checkRequested, in: &turn)
        }
    }

    mutating func apiAnswered(
        _ operation: OperationID,
        _ answer: CallAnswer,
        in turn: inout Turn<Effect>
    ) {
        for index in calls.indices {
            guard let request = calls[index].line.takeRequest(operation) else { continue }
            let event = CallSignalling.Event.apiAnswered(request, answer)
            return signal(calls[index].uuid, event, in: &turn)
        }
        for index in farewells.indices {
            guard let request = farewells[index].takeRequest(operation) else { continue }
            let event = CallSignalling.Event.apiAnswered(request, answer)
            let found = farewells[index].drive(event, numbers: &operations, in: &turn)
            if farewells[index].machine.isFinished {
                let farewell = farewells.remove(at: index)
                told(farewell.machine.callId, in: &turn)
            }
            guard found.contains(.signInRequired) else { return }
            guard farewells[index].former != nil else {
                return signInRequired(in: &turn)
            }
            // A login that is over for good: whoever is signed in stays so, its user may come back.
            guard farewells[index].user == nil else { return farewells[index].loseName() }
            let farewell = farewells.remove(at: index)
            return told(farewell.machine.callId, in: &turn)
        }
    }

    private mutating func heard(
        _ outcome: CallSignalling.Effect,
        of uuid: UniqueID,
        in turn: inout Turn<Effect>
    ) {
        switch outcome {
        case .callAPI, .cancelAPI:
            return
        case .placed(let room): placed(uuid, room, in: &turn)
        case .learned(let status): learned(status, of: uuid, in: &turn)
        case .answered(let offer):
            guard case .answering = call(uuid)?.phase else { return }
            fulfillAnswer(of: uuid, in: &turn)
            join(uuid, offer.room, in: &turn)
        case .refused(let reason): end(uuid, reason, by: .server, in: &turn)
        case .signInRequired: signInRequired(in: &turn)
        }
    }

    /// The login is not valid any more: all signalling waits for another one.
    private mutating func signInRequired(in turn: inout Turn<Effect>) {
        guard credentials != nil else { return }
        credentials = nil
        isLoginOver = true
        signalAll(.credentialsChanged(nil), in: &turn)
        turn.order(.signInRequired)
    }

    private mutating func placed(_ uuid: UniqueID, _ room: String, in turn: inout Turn<Effect>) {
        guard let index = index(of: uuid), case .placing = calls[index].phase else { return }
        calls[index].room = room
        calls[index].phase = .calling(until: turn.now.advanced(by: Self.callingTimeout))
        watch(uuid, every: Self.callingWatchInterval, in: &turn)
    }

    private mutating func learned(
        _ status: CallStatus,
        of uuid: UniqueID,
        in turn: inout Turn<Effect>
    ) {
        switch status {
        case .ringing(let left):
            if let left { rings(uuid, until: turn.now.advanced(by: left)) }
            ringAfterAll(uuid, in: &turn)
            ringOn(uuid, isTimed: left != nil, at: turn.now)
        case .answered:
            guard let call = call(uuid), case .calling = call.phase, let room = call.room else {
                return
            }
            join(uuid, room, in: &turn)
        case .ended(let reason):
            end(uuid, reason, by: .server, in: &turn)
        }
    }

    /// Both sides agreed: the media may join.
    private mutating func join(_ uuid: UniqueID, _ room: String, in turn: inout Turn<Effect>) {
        guard let index = index(of: uuid) else { return }
        // A token takes as long as any request, and a connect four times as long at most.
        let leastTime = calls[index].line.machine.answerTime * 6
        let until = turn.now.advanced(by: max(configuration.connectTimeout, leastTime))
        calls[index].phase = .joining(until: until)
        calls[index].separation.meetUntil = until
        calls[index].isJoined = true
        turn.order(.media(uuid, .join(room: room)))
        if calls[index].isMuted { turn.order(.media(uuid, .setMuted(true))) }
        if calls[index].isHeld { turn.order(.media(uuid, .setHeld(true))) }
        enter(calls[index].callId, in: &turn)
        watch(uuid, every: Self.conversationWatchInterval, in: &turn)
    }

    mutating func wakeSignalling(of uuid: UniqueID, in turn: inout Turn<Effect>) {
        guard let index = index(of: uuid), calls[index].line.isDue(at: turn.now) else { return }
        let outcomes = calls[index].line.drive(nil, numbers: &operations, in: &turn)
        for outcome in outcomes { heard(outcome, of: uuid, in: &turn) }
    }

    mutating func wakeFarewells(in turn: inout Turn<Effect>) {
        for index in farewells.indices where farewells[index].isDue(at: turn.now) {
            _ = farewells[index].drive(nil, numbers: &operations, in: &turn)
        }
    }
}
