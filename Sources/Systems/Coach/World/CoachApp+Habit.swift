import AppCoordination
import KodamaEvidence
import KodamaLanguage
import KodamaPhone
import KodamaSimulation
import KodamaWorld
import SansIO
import WakeFlow

/// What weeks of the routine have come to; the truth.
struct Habit {
    /// The user's habit; `nil` where there is no programme.
    var days: HabitualPerson?
    /// The nights before the latest day that began, and before the latest on which the user was to call.
    var dawned = -1
    var asked = -1
    /// Whether the user has run the routine alone today.
    var isAlone = false
    /// Whether the user has left the app for good.
    var hasLeft = false
    /// How many days are over.
    var count: Int64 = 0
}

// Weeks of the routine: who runs it alone, who leaves the app, and who wishes for its nudges again (AN-07).

extension CoachApp {
    /// How long before the wake those are up who need none; an assumption.
    private static let rising: Duration = .seconds(1_200)

    func beginHabit(on stage: inout Stage) {
        habit.days = HabitualPerson(plan.habit, draws: draws("coach.habit"))
        scheduleHabit(on: &stage)
    }

    /// Schedules what a day of the programme has.
    func scheduleHabit(on stage: inout Stage) {
        guard habit.days != nil else { return }
        scheduleDawn(on: &stage)
        scheduleCall(on: &stage)
    }

    private func scheduleDawn(on stage: inout Stage) {
        guard let wake = firstWake else { return }
        schedule(.runsAlone, next: wake - Self.rising, on: &stage)
    }

    /// When on a day a user calls is an assumption.
    private func scheduleCall(on stage: inout Stage) {
        schedule(.calls, next: .seconds(11 * 3_600), on: &stage)
    }

    /// A day begins: the user may have left, or be up before the wake.
    func dawns(on stage: inout Stage) {
        scheduleDawn(on: &stage)
        // A journey may bring the hour twice.
        guard habit.dawned != person.nights else { return }
        habit.dawned = person.nights
        guard !habit.hasLeft, let day = habit.days?.dawns(at: stage.now) else { return }
        switch day {
        case .left: deleteApp(on: &stage)
        case .alone:
            guard isPowered, !person.isUp else { return }
            habit.isAlone = true
            habit.days?.repeated(alone: true)
            person.isUp = true
            unlockAndOpen(on: &stage)
            tell(.ranAlone(zone.local(wallTime(on: stage)).day), on: &stage)
            schedule(.putsDown, after: .seconds(60), on: &stage)
        case .prompted: break
        }
    }

    /// A user whose nudges have faded may want them, and says the phrase to the app.
    func callsForHelp(on stage: inout Stage) {
        scheduleCall(on: &stage)
        guard habit.asked != person.nights else { return }
        habit.asked = person.nights
        let day = zone.local(wallTime(on: stage)).day
        // Of an app that does not run the user remembers how often it nudged.
        let hasFaded = NudgeFlow(restoring: nudgeRecord).streak(on: day) > 0
        guard habit.days?.calls() == true, hasFaded, isPowered, person.isUp, !habit.hasLeft,
            !nudging.isIntervening
        else { return }
        note(PhraseCalled(), on: &stage)
        unlockAndOpen(on: &stage)
        tell(.helpCalled, on: &stage)
    }

    /// What the nudges have come to, also where the process is gone.
    private var nudgeRecord: NudgeRecord {
        coordinator?.seat.ask { $0.nudgeRecord } ?? disk.nudge
    }

    private func unlockAndOpen(on stage: inout Stage) {
        let isLocked = phone.seat.ask { $0.isLocked }
        if isLocked { phone.undergo(PhoneAct.unlock, on: &stage) }
        phone.undergo(PhoneAct.openApp(CoachAppPlan.system), on: &stage)
    }

    /// A day of the programme is over.
    func endHabitDay(on stage: inout Stage) {
        // The first bedtime is before the first morning.
        guard let days = habit.days, person.nights > 0 else { return }
        habit.count += 1
        let record = habit.hasLeft ? disk.nudge : nudgeRecord
        let day = zone.local(wallTime(on: stage)).day
        let form = HabitDay(
            day: habit.count,
            isAlone: TraceFlag(habit.isAlone),
            uses: TraceFlag(!habit.hasLeft),
            streak: Int64(NudgeFlow(restoring: record).streak(on: day))
        )
        note(form, on: &stage)
        let strength = HabitStrength(
            truth: days.automaticity.millionths,
            app: 1_000_000 - record.habitGapPartsPerMillion
        )
        note(strength, on: &stage)
        habit.isAlone = false
    }

    /// The user deletes the app; the system forgets what it held for it.
    private func deleteApp(on stage: inout Stage) {
        habit.hasLeft = true
        for held in armory.held { disarm(held.id, on: &stage) }
        disk = CoachMemory()
        nudging.shown = nil
        phone.tell(.user(.killApp(id)), on: &stage)
    }
}
