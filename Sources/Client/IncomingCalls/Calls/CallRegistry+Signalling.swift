import SansIO

/// What is said to the server, and what it says.
extension CallRegistry {
    /// Gives a call's signalling a fact, and the call what comes of it.
    mutating func signal(
        _ uuid: UniqueID,
        _ event: CallSignalling.Event,
        at now: Instant,
        into effects: inout EffectBuffer<Effect>
    ) {
        guard let index = index(of: uuid) else { return }
        let found = calls[index].line.handle(
            event,
            at: now,
            numbers: &operations,
            into: &effects
        )
        for outcome in found { heard(outcome, of: uuid, at: now, into: &effects) }
    }

    mutating func signalAll(
        _ event: CallSignalling.Event,
        at now: Instant,
        into effects: inout EffectBuffer<Effect>
    ) {
        for uuid in calls.map(\.uuid) { signal(uuid, event, at: now, into: &effects) }
        // Who has logged out says farewell in their own name still.
        if isSignedOut, event == .credentialsChanged(nil) { return }
        for index in farewells.indices {
            if case .credentialsChanged(let latest) = event {
                let isTaken = latest.map { farewells[index].goesOver(to: $0) }
                guard isTaken ?? (farewells[index].former == nil) else { continue }
            }
            _ = farewells[index].handle(event, at: now, numbers: &operations, into: &effects)
        }
    }

    /// Has the server asked how a call stands, now and every so often; not at all if `interval` is `nil`.
    mutating func watch(
        _ uuid: UniqueID,
        every interval: Duration?,
        at now: Instant,
        into effects: inout EffectBuffer<Effect>
    ) {
        guard let interval else { return }
        signal(uuid, .watchRequested(every: interval), at: now, into: &effects)
    }

    /// Asks how the calls with somebody stand who calls anew: their app may have died in one.
    mutating func doubtCalls(
        with party: String,
        at now: Instant,
        into effects: inout EffectBuffer<Effect>
    ) {
        for call in calls where call.isJoined && call.description.partyId == party {
            signal(call.uuid, .checkRequested, at: now, into: &effects)
        }
    }

    mutating func apiAnswered(
        _ operation: OperationID,
        _ answer: CallAnswer,
        at now: Instant,
        into effects: inout EffectBuffer<Effect>
    ) {
        for index in calls.indices {
            guard let request = calls[index].line.takeRequest(operation) else { continue }
            let event = CallSignalling.Event.apiAnswered(request, answer)
            return signal(calls[index].uuid, event, at: now, into: &effects)
        }
        for index in farewells.indices {
            guard let request = farewells[index].takeRequest(operation) else { continue }
            let event = CallSignalling.Event.apiAnswered(request, answer)
            let found = farewells[index].handle(
                event,
                at: now,
                numbers: &operations,
                into: &effects
            )
            if farewells[index].machine.isFinished {
                let farewell = farewells.remove(at: index)
                told(farewell.machine.callId, at: now, into: &effects)
            }
            guard found.contains(.signInRequired) else { return }
            guard farewells[index].former != nil else {
                return signInRequired(at: now, into: &effects)
            }
            // A login that is over for good: whoever is signed in stays so, its user may come back.
            guard farewells[index].user == nil else { return farewells[index].loseName() }
            let farewell = farewells.remove(at: index)
            return told(farewell.machine.callId, at: now, into: &effects)
        }
    }

    private mutating func heard(
        _ outcome: CallSignalling.Effect,
        of uuid: UniqueID,
        at now: Instant,
        into effects: inout EffectBuffer<Effect>
    ) {
        switch outcome {
        case .callAPI, .cancelAPI:
            return
        case .placed(let room): placed(uuid, room, at: now, into: &effects)
        case .learned(let status): learned(status, of: uuid, at: now, into: &effects)
        case .answered(let offer):
            guard case .answering = call(uuid)?.phase else { return }
            fulfillAnswer(of: uuid, into: &effects)
            join(uuid, offer.room, at: now, into: &effects)
        case .refused(let reason): end(uuid, reason, by: .server, at: now, into: &effects)
        case .signInRequired: signInRequired(at: now, into: &effects)
        }
    }

    /// The login is not valid any more: all signalling waits for another one.
    private mutating func signInRequired(
        at now: Instant,
        into effects: inout EffectBuffer<Effect>
    ) {
        guard credentials != nil else { return }
        credentials = nil
        isLoginOver = true
        signalAll(.credentialsChanged(nil), at: now, into: &effects)
        effects.append(.signInRequired)
    }

    private mutating func placed(
        _ uuid: UniqueID,
        _ room: String,
        at now: Instant,
        into effects: inout EffectBuffer<Effect>
    ) {
        guard let index = index(of: uuid), case .placing = calls[index].phase else { return }
        calls[index].room = room
        calls[index].phase = .calling(until: now.advanced(by: Self.callingTimeout))
        watch(uuid, every: Self.callingWatchInterval, at: now, into: &effects)
    }

    private mutating func learned(
        _ status: CallStatus,
        of uuid: UniqueID,
        at now: Instant,
        into effects: inout EffectBuffer<Effect>
    ) {
        switch status {
        case .ringing(let left):
            if let left { rings(uuid, until: now.advanced(by: left)) }
            ringAfterAll(uuid, at: now, into: &effects)
            ringOn(uuid, isTimed: left != nil, at: now)
        case .answered:
            guard let call = call(uuid), case .calling = call.phase, let room = call.room else {
                return
            }
            join(uuid, room, at: now, into: &effects)
        case .ended(let reason):
            end(uuid, reason, by: .server, at: now, into: &effects)
        }
    }

    /// Both sides agreed: the media may join.
    private mutating func join(
        _ uuid: UniqueID,
        _ room: String,
        at now: Instant,
        into effects: inout EffectBuffer<Effect>
    ) {
        guard let index = index(of: uuid) else { return }
        let until = now.advanced(by: configuration.connectTimeout)
        calls[index].phase = .joining(until: until)
        calls[index].separation.meetUntil = until
        calls[index].isJoined = true
        effects.append(.media(uuid, .join(room: room)))
        if calls[index].isMuted { effects.append(.media(uuid, .setMuted(true))) }
        if calls[index].isHeld { effects.append(.media(uuid, .setHeld(true))) }
        enter(calls[index].callId, at: now, into: &effects)
        watch(uuid, every: Self.conversationWatchInterval, at: now, into: &effects)
    }

    mutating func wakeSignalling(
        of uuid: UniqueID,
        at now: Instant,
        into effects: inout EffectBuffer<Effect>
    ) {
        guard let index = index(of: uuid), calls[index].line.isDue(at: now) else { return }
        let found = calls[index].line.wake(at: now, numbers: &operations, into: &effects)
        for outcome in found { heard(outcome, of: uuid, at: now, into: &effects) }
    }

    mutating func wakeFarewells(at now: Instant, into effects: inout EffectBuffer<Effect>) {
        for index in farewells.indices where farewells[index].isDue(at: now) {
            _ = farewells[index].wake(at: now, numbers: &operations, into: &effects)
        }
    }
}
