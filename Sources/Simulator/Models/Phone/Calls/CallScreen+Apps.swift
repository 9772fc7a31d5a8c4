import IncomingCalls
import SansIO

/// What apps report, request and do.
extension CallScreen {
    mutating func perform(
        _ command: SystemCallCommand,
        of app: AppID,
        at now: Instant,
        into effects: inout EffectBuffer<Effect>
    ) {
        switch command {
        case .reportIncoming(let operation, let uuid, _):
            let error = refusal(of: uuid, from: app)
            effects.append(.news(app, .reportFinished(operation, error)))
            guard error == nil else { return }
            calls.append(Call(app: app, uuid: uuid, phase: .ringing))
            effects.append(.ringBegan(app, uuid))
        case .reportEnded(let uuid, _):
            guard owns(app, uuid) else { return }
            remove(uuid, .endedByApp, into: &effects)
        case .reportConnecting, .reportConnected:
            // What the screen says of an outgoing call; nothing follows from it.
            return
        case .fulfill(let id): finish(id, of: app, isFulfilled: true, into: &effects)
        case .fail(let id): finish(id, of: app, isFulfilled: false, into: &effects)
        case .request(let operation, let action):
            request(action, operation, of: app, at: now, into: &effects)
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
        at now: Instant,
        into effects: inout EffectBuffer<Effect>
    ) {
        var isAccepted = owns(app, action.uuid)
        if case .start(let uuid, _, _) = action {
            isAccepted =
                calls.count < Self.callsMax && !calls.contains { $0.uuid == uuid }
                && !phoneCallIsOn
        }
        effects.append(.news(app, .requestFinished(operation, isAccepted: isAccepted)))
        guard isAccepted else { return }
        switch action {
        case .start(let uuid, _, _):
            // As for an answer: one call is heard at a time, and all of them can be held.
            for other in goingOn { hold(other, at: now, into: &effects) }
            calls.append(Call(app: app, uuid: uuid, phase: .pending))
        case .end(let uuid): remove(uuid, .endedByApp, into: &effects)
        case .answer(let uuid):
            // As if the user had answered on the screen.
            let call = calls.first { $0.uuid == uuid && $0.phase == .ringing }
            if let call { return answer(call, endsOthers: false, at: now, into: &effects) }
        case .setMuted, .setHeld: break
        }
        ask(action, of: app, at: now, into: &effects)
    }

    private func owns(_ app: AppID, _ uuid: UniqueID) -> Bool {
        calls.contains { $0.uuid == uuid && $0.app == app }
    }

    /// An app has performed an action, or says that it cannot.
    private mutating func finish(
        _ id: ActionID,
        of app: AppID,
        isFulfilled: Bool,
        into effects: inout EffectBuffer<Effect>
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
                remove(action.uuid, .endedByApp, into: &effects)
            }
        case .setHeld(_, let isHeld):
            if isFulfilled { calls[index].isHeld = isHeld }
        case .setMuted, .end:
            return
        }
    }
}
