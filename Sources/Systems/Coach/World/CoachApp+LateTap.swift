import AppCoordination
import KodamaEvidence
import KodamaPhone
import KodamaSimulation
import KodamaWorld
import SansIO
import WakeFlow

// Who was not woken, finds the wake's notification later, and talks with the agent for no morning (RS-13, AN-20).

extension CoachApp {
    /// A user who was not woken has woken by themselves.
    func wakesUp(on stage: inout Stage) {
        let hasOverslept = !person.isUp
        person.isUp = true
        guard hasOverslept, isPowered, !habit.hasLeft, armory.shown != nil, tapsLate() else {
            return putDown(on: &stage)
        }
        answer(on: &stage)
        var draws = self.draws("coach.late.talk")
        draws.index = UInt64(person.mornings)
        let length = draws.latency(plan.bedroom.lateTalk)
        schedule(.leavesTalk, after: length, on: &stage)
    }

    private func tapsLate() -> Bool {
        var draws = self.draws("coach.late.tap")
        draws.index = UInt64(person.mornings)
        return draws.bernoulli(plan.bedroom.tapsLate)
    }

    /// The user has talked enough: they hang up, or just put the phone down.
    func leavesTalk(on stage: inout Stage) {
        var draws = self.draws("coach.late.end")
        draws.index = UInt64(person.mornings)
        let hangsUp = draws.bernoulli(plan.bedroom.hangsUp)
        note(TalkLeft(hangsUp: TraceFlag(hangsUp)), on: &stage)
        if hangsUp { tell(.hungUp, on: &stage) }
        // What the app does for that comes before the phone is locked.
        stage.readMail()
        putDown(on: &stage)
    }
}
