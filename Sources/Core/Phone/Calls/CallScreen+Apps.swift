import SansIO

/// What apps report, request and do.
extension CallScreen {
    mutating func perform(
        _ command: SystemCallCommand,
        of app: AppID,
        in turn: inout Turn<Effect>
    ) {
        switch command {
        case .reportIncoming(let operation, let uuid, _):
            let error = refusal(of: uuid, from: app)
            turn.order(.news(app, .reportFinished(operation, error)))
            guard error == nil else { return }
            calls.append(Call(app: app, uuid: uuid, phase: .ringing))
            turn.order(.ringBegan(app, uuid))
        case .reportEnded(let uuid, _):
            guard owns(app, uuid) else { return }
            remove(uuid, .endedByApp, in: &turn)
        case .reportConnecting, .reportConnected:
            // What the screen says of an outgoing call; nothing follows from it.
            return
        case .fulfill(let id): finish(id, of: app, isFulfilled: true, in: &turn)
        case .fail(let id): finish(id, of: app, isFulfilled: false, in: &turn)
        case .request(let operation, let action):
            request(action, operation, of: app, in: &turn)
        }
    }

    /// Why a call is not taken; more than two at a time have no code of their own.
    private func refusal(of uuid: UniqueID, from app: AppID) -> SystemReportError? {
        if calls.contains(where: { $0.uuid == uuid }) { return .callUUIDAlreadyExists }
        if isSilenced(app) { return .filteredByDoNotDisturb }
        return calls.count >= Self.callsMax ? .unknown : nil
    }

    private mutating func request(
        _ action: SystemCallAction,
        _ operation: OperationID,
        of app: AppID,
        in turn: inout Turn<Effect>
    ) {
        var isAccepted = owns(app, action.uuid)
        if case .start(let uuid, _, _) = action {
            isAccepted =
                calls.count < Self.callsMax && !calls.contains { $0.uuid == uuid }
                && !phoneCallIsOn
        }
        turn.order(.news(app, .requestFinished(operation, isAccepted: isAccepted)))
        guard isAccepted else { return }
        switch action {
        case .start(let uuid, _, _):
            // As for an answer: one call is heard at a time, and all of them can be held.
            for other in goingOn { hold(other, in: &turn) }
            calls.append(Call(app: app, uuid: uuid, phase: .pending))
        case .end(let uuid): remove(uuid, .endedByApp, in: &turn)
        case .answer(let uuid):
            // As if the user had answered on the screen.
            let call = calls.first { $0.uuid == uuid && $0.phase == .ringing }
            if let call { return answer(call, endsOthers: false, in: &turn) }
        case .setMuted, .setHeld: break
        }
        ask(action, of: app, in: &turn)
    }

    private func owns(_ app: AppID, _ uuid: UniqueID) -> Bool {
        calls.contains { $0.uuid == uuid && $0.app == app }
    }

    /// An app has performed an action, or says that it cannot.
    private mutating func finish(
        _ id: ActionID,
        of app: AppID,
        isFulfilled: Bool,
        in turn: inout Turn<Effect>
    ) {
        guard let index = actions.firstIndex(where: { $0.id == id && $0.app == app }) else {
            return
        }
        let action = actions.remove(at: index).action
        guard let index = calls.firstIndex(where: { $0.uuid == action.uuid }) else { return }
        switch action {
        case .answer, .start:
            if isFulfilled {
                calls[index].phase = .going
            } else {
                remove(action.uuid, .endedByApp, in: &turn)
            }
        case .setHeld(_, let isHeld):
            if isFulfilled { calls[index].isHeld = isHeld }
        case .setMuted, .end:
            return
        }
    }
}
