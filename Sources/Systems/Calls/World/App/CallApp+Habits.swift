import AppCoordination
import IncomingCalls
import KodamaEvidence
import KodamaLanguage
import KodamaNetwork
import KodamaPhone
import KodamaWorld
import SansIO

// When the user answers and ends calls: each at its own time, whatever became of the one before.

extension CallApp {
    /// A call rings: the user will answer it.
    func planAnswer(of call: Int64, on stage: inout Stage) {
        guard let delay = plan.answersAfter else { return }
        schedule(.answers, UInt32(call), after: delay, on: &stage)
    }

    /// The app says that a call is connected: the user will end it.
    func planEnd(of call: Int64, on stage: inout Stage) {
        guard let delay = plan.hangsUpAfter else { return }
        schedule(.hangsUp, UInt32(call), after: delay, on: &stage)
    }

    /// The user answers a call, and no other that rings in its place.
    func answer(_ call: Int64, on stage: inout Stage) {
        guard isReached(call, by: .answer) else { return }
        use(.answer, .answerCall, on: &stage)
    }

    /// The user ends a call, or tries again later while another is heard and this one is on hold.
    func hangUp(_ call: Int64, on stage: inout Stage) {
        if isReached(call, by: .hangUp) { return use(.hangUp, .endCall, on: &stage) }
        guard has(call), let delay = plan.hangsUpAfter else { return }
        schedule(.hangsUp, UInt32(call), after: max(delay, .seconds(1)), on: &stage)
    }

    /// Whether an act on the call screen reaches no other call than this; it may reach none.
    private func isReached(_ call: Int64, by act: CallScreenAct) -> Bool {
        guard let reached = phone.seat.ask({ $0.call(reachedBy: act) }) else { return true }
        return number(ofSystemCall: reached) == call
    }

    /// The number of a call that the system has.
    private func number(ofSystemCall uuid: UniqueID) -> Int64 {
        if let number = callOfSystem[uuid] { return number }
        guard let callId = callIdTold[uuid] else { return 0 }
        return system.desk.number(of: callId)
    }

    /// Whether the app has a call.
    private func has(_ call: Int64) -> Bool {
        let descriptions = process?.seat.ask { $0.calls } ?? []
        return descriptions.contains { system.desk.number(of: $0.callId) == call }
    }

    private func use(_ act: CallScreenAct, _ word: UserAct, on stage: inout Stage) {
        phone.note(UserActed(action: word), on: &stage)
        phone.hear(.user(.call(act)), on: &stage)
    }
}
