import SansIO

/// What the user does to calls, in the system's call UI or in the app.
extension CallRegistry {
    mutating func perform(
        _ asked: SystemCallAction,
        as action: ActionID,
        at now: Instant,
        into effects: inout EffectBuffer<Effect>
    ) {
        switch asked {
        case .start(let uuid, _, _): start(uuid, action, at: now, into: &effects)
        case .answer(let uuid): answer(uuid, action, at: now, into: &effects)
        case .end(let uuid):
            effects.append(.system(.fulfill(action)))
            settleReports(of: uuid)
            guard let call = call(uuid) else { return }
            end(uuid, call.reasonOfEnding, by: .system, at: now, into: &effects)
        case .setMuted(let uuid, let isMuted):
            guard let index = index(of: uuid) else {
                return effects.append(.system(.fail(action)))
            }
            calls[index].isMuted = isMuted
            effects.append(.system(.fulfill(action)))
            if calls[index].isJoined { effects.append(.media(uuid, .setMuted(isMuted))) }
            effects.append(.announce(.muted(uuid, isMuted: isMuted)))
        case .setHeld(let uuid, let isHeld):
            guard let index = index(of: uuid) else {
                return effects.append(.system(.fail(action)))
            }
            calls[index].isHeld = isHeld
            // The media first: the system waits for them before it gives the audio to another call.
            if calls[index].isJoined { effects.append(.media(uuid, .setHeld(isHeld))) }
            effects.append(.system(.fulfill(action)))
            effects.append(.announce(.held(uuid, isHeld: isHeld)))
        }
    }

    /// The system starts a call that was asked for in the app.
    private mutating func start(
        _ uuid: UniqueID,
        _ action: ActionID,
        at now: Instant,
        into effects: inout EffectBuffer<Effect>
    ) {
        guard let index = index(of: uuid), case .requesting = calls[index].phase else {
            return effects.append(.system(.fail(action)))
        }
        let description = calls[index].description
        calls[index].phase = .placing(until: now.advanced(by: configuration.connectTimeout))
        effects.append(.configureAudio)
        effects.append(.system(.fulfill(action)))
        effects.append(.system(.reportConnecting(uuid)))
        effects.append(.announce(.started(description)))
        enter(description.callId, at: now, into: &effects)
        let call = OutgoingCall(
            callId: description.callId,
            contactId: description.partyId,
            hasVideo: description.hasVideo
        )
        signal(uuid, .placeRequested(call), at: now, into: &effects)
    }

    /// The user answers; the action stays open until the server has consented, but not for long.
    private mutating func answer(
        _ uuid: UniqueID,
        _ action: ActionID,
        at now: Instant,
        into effects: inout EffectBuffer<Effect>
    ) {
        guard let index = index(of: uuid) else { return effects.append(.system(.fail(action))) }
        switch calls[index].phase {
        case .ringing:
            break
        case .answering, .joining, .connected:
            return effects.append(.system(.fulfill(action)))
        case .doubted, .requesting, .placing, .calling:
            return effects.append(.system(.fail(action)))
        }
        let answering = Call.Answering(
            action: action,
            fulfillAt: now.advanced(by: configuration.answerActionPatience)
        )
        let until = answerEnd(of: calls[index], at: now)
        calls[index].phase = .answering(answering, until: until)
        effects.append(.configureAudio)
        effects.append(.announce(.answered(calls[index].description)))
        tellAnswer(of: uuid, at: now, into: &effects)
    }

    mutating func timedOut(
        _ action: ActionID,
        at now: Instant,
        into effects: inout EffectBuffer<Effect>
    ) {
        effects.append(.writeLog(.actionTimedOut))
        for call in calls {
            guard case .answering(let answering, _) = call.phase,
                answering.fulfillAt != nil, answering.action == action
            else { continue }
            closeAnswer(of: call.uuid)
            return end(call.uuid, .failed, by: .app, at: now, into: &effects)
        }
    }

    /// Marks the answer action as done.
    mutating func closeAnswer(of uuid: UniqueID) {
        guard let index = index(of: uuid),
            case .answering(var answering, let until) = calls[index].phase
        else { return }
        answering.fulfillAt = nil
        calls[index].phase = .answering(answering, until: until)
    }

    /// Fulfils the answer action, if it is still open.
    mutating func fulfillAnswer(of uuid: UniqueID, into effects: inout EffectBuffer<Effect>) {
        guard case .answering(let answering, _) = call(uuid)?.phase, answering.fulfillAt != nil
        else { return }
        closeAnswer(of: uuid)
        effects.append(.system(.fulfill(answering.action)))
    }

    mutating func reset(at now: Instant, into effects: inout EffectBuffer<Effect>) {
        effects.append(.announce(.reset))
        isAudioActive = false
        for report in reports {
            if let push = report.push { effects.append(.completePush(push)) }
        }
        reports = []
        requests = []
        for uuid in calls.map(\.uuid) {
            closeAnswer(of: uuid)
            end(uuid, .failed, by: .system, at: now, into: &effects)
        }
    }
}

// MARK: In the app

extension CallRegistry {
    mutating func dial(
        _ contactId: String,
        _ name: String,
        _ hasVideo: Bool,
        at now: Instant,
        into effects: inout EffectBuffer<Effect>
    ) {
        let rings = calls.firstIndex { $0.isRinging && $0.description.partyId == contactId }
        if let rings {
            // Both want to talk to each other: one call is left, as when both call at once.
            calls[rings].callBack = Call.CallBack(name: name, hasVideo: hasVideo)
            return request(.answer(calls[rings].uuid), into: &effects)
        }
        let uuid = UniqueID(from: &generator)
        let callId = UniqueID(from: &generator).text
        let isTalking = known.contains { $0.description.partyId == contactId }
        guard known.count < configuration.callsMax, !isTalking else {
            return effects.append(.announce(.ended(uuid, callId: callId, .busy)))
        }
        let description = CallDescription(
            uuid: uuid,
            callId: callId,
            direction: .outgoing,
            partyId: contactId,
            name: name,
            hasVideo: hasVideo
        )
        let until = now.advanced(by: configuration.connectTimeout)
        let line = SignallingLine(signalling(of: callId))
        calls.append(Call(description: description, phase: .requesting(until: until), line: line))
        request(.start(uuid, handle: contactId, hasVideo: hasVideo), into: &effects)
    }

    mutating func request(
        _ action: SystemCallAction,
        into effects: inout EffectBuffer<Effect>
    ) {
        guard call(action.uuid) != nil else { return }
        let operation = operations.next()
        effects.append(.system(.request(operation, action)))
        if requests.count == Self.requestsMax { requests.removeFirst() }
        requests.append(PendingRequest(operation: operation, action: action))
    }

    /// What the system refuses is lost, except what the user must be able to rely on: an end.
    mutating func requestFinished(
        _ operation: OperationID,
        _ isAccepted: Bool,
        at now: Instant,
        into effects: inout EffectBuffer<Effect>
    ) {
        guard let index = requests.firstIndex(where: { $0.operation == operation }) else { return }
        let action = requests.remove(at: index).action
        guard !isAccepted, let call = call(action.uuid) else { return }
        switch action {
        case .start: end(call.uuid, .failed, by: .system, at: now, into: &effects)
        case .end: end(call.uuid, call.reasonOfEnding, by: .app, at: now, into: &effects)
        case .answer, .setMuted, .setHeld: return
        }
    }
}

extension Call {
    /// What it means that this side's user ends the call now.
    var reasonOfEnding: CallEndReason {
        switch phase {
        case .doubted, .ringing: .declined
        case .requesting, .placing, .calling: .cancelled
        case .answering, .joining, .connected: .hungUp
        }
    }
}
