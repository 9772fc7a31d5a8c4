import SansIO

/// What the user does to calls, in the system's call UI or in the app.
extension CallRegistry {
    mutating func perform(
        _ asked: SystemCallAction,
        as action: ActionID,
        in turn: inout Turn<Effect>
    ) {
        switch asked {
        case .start(let uuid, _, _): start(uuid, action, in: &turn)
        case .answer(let uuid): answer(uuid, action, in: &turn)
        case .end(let uuid):
            turn.order(.system(.fulfill(action)))
            settleReports(of: uuid)
            guard let call = call(uuid) else { return }
            end(uuid, call.reasonOfEnding, by: .system, in: &turn)
        case .setMuted(let uuid, let isMuted):
            guard let index = index(of: uuid) else {
                return turn.order(.system(.fail(action)))
            }
            calls[index].isMuted = isMuted
            turn.order(.system(.fulfill(action)))
            if calls[index].isJoined { turn.order(.media(uuid, .setMuted(isMuted))) }
            turn.order(.announce(.muted(uuid, isMuted: isMuted)))
        case .setHeld(let uuid, let isHeld):
            guard let index = index(of: uuid) else {
                return turn.order(.system(.fail(action)))
            }
            calls[index].isHeld = isHeld
            // The media first: the system waits for them before it gives the audio to another call.
            if calls[index].isJoined { turn.order(.media(uuid, .setHeld(isHeld))) }
            turn.order(.system(.fulfill(action)))
            turn.order(.announce(.held(uuid, isHeld: isHeld)))
        }
    }

    /// The system starts a call that was asked for in the app.
    private mutating func start(_ uuid: UniqueID, _ action: ActionID, in turn: inout Turn<Effect>) {
        guard let index = index(of: uuid), case .requesting = calls[index].phase else {
            return turn.order(.system(.fail(action)))
        }
        let description = calls[index].description
        calls[index].phase = .placing(until: turn.now.advanced(by: configuration.connectTimeout))
        turn.order(.configureAudio)
        turn.order(.system(.fulfill(action)))
        turn.order(.system(.reportConnecting(uuid)))
        turn.order(.announce(.started(description)))
        enter(description.callId, in: &turn)
        let call = OutgoingCall(
            callId: description.callId,
            contactId: description.partyId,
            hasVideo: description.hasVideo
        )
        signal(uuid, .placeRequested(call), in: &turn)
    }

    /// The user answers; the action stays open until the server has consented, but not for long.
    private mutating func answer(
        _ uuid: UniqueID,
        _ action: ActionID,
        in turn: inout Turn<Effect>
    ) {
        guard let index = index(of: uuid) else { return turn.order(.system(.fail(action))) }
        switch calls[index].phase {
        case .ringing:
            break
        case .answering, .joining, .connected:
            return turn.order(.system(.fulfill(action)))
        case .doubted, .requesting, .placing, .calling:
            return turn.order(.system(.fail(action)))
        }
        let answering = Call.Answering(
            action: action,
            fulfillAt: turn.now.advanced(by: configuration.answerActionPatience)
        )
        let until = answerEnd(of: calls[index], at: turn.now)
        calls[index].phase = .answering(answering, until: until)
        turn.order(.configureAudio)
        turn.order(.announce(.answered(calls[index].description)))
        tellAnswer(of: uuid, in: &turn)
    }

    mutating func timedOut(_ action: ActionID, in turn: inout Turn<Effect>) {
        turn.order(.writeLog(.actionTimedOut))
        for call in calls {
            guard case .answering(let answering, _) = call.phase,
                answering.fulfillAt != nil, answering.action == action
            else { continue }
            closeAnswer(of: call.uuid)
            return end(call.uuid, .failed, by: .app, in: &turn)
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
    mutating func fulfillAnswer(of uuid: UniqueID, in turn: inout Turn<Effect>) {
        guard case .answering(let answering, _) = call(uuid)?.phase, answering.fulfillAt != nil
        else { return }
        closeAnswer(of: uuid)
        turn.order(.system(.fulfill(answering.action)))
    }

    mutating func reset(in turn: inout Turn<Effect>) {
        turn.order(.announce(.reset))
        isAudioActive = false
        for report in reports {
            if let push = report.push { turn.order(.completePush(push)) }
        }
        reports = []
        requests = []
        for uuid in calls.map(\.uuid) {
            closeAnswer(of: uuid)
            end(uuid, .failed, by: .system, in: &turn)
        }
    }
}

// MARK: In the app

extension CallRegistry {
    mutating func dial(
        _ contactId: String,
        _ name: String,
        _ hasVideo: Bool,
        in turn: inout Turn<Effect>
    ) {
        let rings = calls.firstIndex { $0.isRinging && $0.description.partyId == contactId }
        if let rings {
            // Both want to talk to each other: one call is left, as when both call at once.
            calls[rings].callBack = Call.CallBack(name: name, hasVideo: hasVideo)
            return request(.answer(calls[rings].uuid), in: &turn)
        }
        let uuid = UniqueID(from: &generator)
        let callId = UniqueID(from: &generator).text
        let isTalking = known.contains { $0.description.partyId == contactId }
        guard known.count < configuration.callsMax, !isTalking else {
            return turn.order(.announce(.ended(uuid, callId: callId, .busy)))
        }
        let description = CallDescription(
            uuid: uuid,
            callId: callId,
            direction: .outgoing,
            partyId: contactId,
            name: name,
            hasVideo: hasVideo
        )
        let until = turn.now.advanced(by: configuration.connectTimeout)
        let line = SignallingLine(signalling(of: callId))
        calls.append(Call(description: description, phase: .requesting(until: until), line: line))
        request(.start(uuid, handle: contactId, hasVideo: hasVideo), in: &turn)
    }

    mutating func request(_ action: SystemCallAction, in turn: inout Turn<Effect>) {
        guard call(action.uuid) != nil else { return }
        let operation = operations.next()
        turn.order(.system(.request(operation, action)))
        if requests.count == Self.requestsMax { requests.removeFirst() }
        requests.append(PendingRequest(operation: operation, action: action))
    }

    /// What the system refuses is lost, except what the user must be able to rely on: an end.
    mutating func requestFinished(
        _ operation: OperationID,
        _ isAccepted: Bool,
        in turn: inout Turn<Effect>
    ) {
        guard let index = requests.firstIndex(where: { $0.operation == operation }) else { return }
        let action = requests.remove(at: index).action
        guard !isAccepted, let call = call(action.uuid) else { return }
        switch action {
        case .start: end(call.uuid, .failed, by: .system, in: &turn)
        case .end: end(call.uuid, call.reasonOfEnding, by: .app, in: &turn)
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
