import AppServer
import IncomingCalls
import KodamaEvidence
import KodamaLanguage
import KodamaWorld
import SansIO

// What the app says of its calls, against what the user did and the server has (VP-08, D-02).

extension CallApp {
    /// Writes down what the app says of a call, and whether it is right.
    func check(_ event: CallEvent, on stage: inout Stage) {
        let told: (callId: String, telling: CallTelling, isRight: Bool)
        switch event {
        case .answered(let call): told = (call.callId, .answered, isRight(incoming: call))
        case .started(let call): told = (call.callId, .started, isRight(outgoing: call))
        case .ended(let uuid, let callId, _):
            let known = callIdTold[uuid].map { $0 == callId }
            let reported = callOfSystem[uuid].map { $0 == system.desk.number(of: callId) }
            told = (callId, .ended, known ?? reported ?? true)
        case .muted(let uuid, let isMuted):
            let telling = isMuted ? CallTelling.muted : .unmuted
            told = (callIdTold[uuid] ?? "", telling, callIdTold[uuid] != nil)
        case .connected, .held, .audioActivated, .audioDeactivated, .reset: return
        }
        if case .answered(let call) = event { callIdTold[call.uuid] = call.callId }
        if case .started(let call) = event { callIdTold[call.uuid] = call.callId }
        let record = CallTold(
            call: system.desk.number(of: told.callId),
            event: TraceWord(told.telling),
            isRight: TraceFlag(told.isRight)
        )
        note(record, on: &stage)
    }

    /// Whether a call that was answered has the fields that the server gave it, under the identity that
    /// the system was told.
    private func isRight(incoming call: CallDescription) -> Bool {
        guard let standing = system.desk.standing(of: call.callId) else { return false }
        return call.direction == .incoming
            && callOfSystem[call.uuid] == system.desk.number(of: call.callId)
            && call.partyId == standing.caller && call.name == standing.callerName
            && call.hasVideo == standing.hasVideo
    }

    /// Whether a call that was begun is the one that the user asked for.
    private func isRight(outgoing call: CallDescription) -> Bool {
        call.direction == .outgoing && !call.callId.isEmpty && call.partyId == dialled?.contact
            && call.name == dialled?.contact && call.hasVideo == dialled?.hasVideo
    }
}
