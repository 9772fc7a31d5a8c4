import AppCoordination
import KodamaEvidence
import KodamaLanguage
import KodamaPhone
import KodamaSimulation
import KodamaWorld
import SansIO
import WakeFlow

// The user's days by the local time of where they are: when they want to be woken, and when they go to bed.

extension CoachApp {
    /// What the phone has before the story begins, and the days that come.
    func begin(on stage: inout Stage) {
        center.tell(.soundsChanged(Self.own, [CoachAppPlan.bundledSound]), on: &stage)
        if let focus = plan.focus { center.tell(.focusChanged(focus), on: &stage) }
        if plan.isMuted { output.tell(.muteSwitch(isOn: true), on: &stage) }
        // By how much the phone's clock is wrong at the start the user's days are not.
        let shown = phone.seat.ask { $0.wallTime(at: .zero) }.nanosecondsSince1970
        person.start = shown - phone.plan.condition.clockOffset.wholeNanoseconds
        person.isUp = isDaytime
        billingMoves(on: &stage)
        beginMirroring(on: &stage)
        scheduleDays(on: &stage)
        schedule(.putsDown, after: .seconds(60), on: &stage)
        beginHabit(on: &stage)
        stage.readMail()
    }

    private func scheduleDays(on stage: inout Stage) {
        for (index, wake) in plan.wakes.enumerated() {
            schedule(.morning, UInt32(index), next: wake, on: &stage)
        }
        schedule(.bedtime, next: plan.bedtime, on: &stage)
    }

    /// Schedules what happens each day at a time of day, by true local time, for the next such time.
    ///
    /// A journey makes it void: `isOfHere` says so, and `travel` schedules it anew.
    ///
    /// - Parameters:
    ///   - word: What happens.
    ///   - number: Which of several, below 256.
    ///   - timeOfDay: Since midnight; before midnight if negative.
    ///   - stage: The world.
    func schedule(
        _ word: Word,
        _ number: UInt32 = 0,
        next timeOfDay: Duration,
        on stage: inout Stage
    ) {
        let now = timeOfDayNanoseconds(at: stage.now)
        let away = (timeOfDay.wholeNanoseconds - now - 1 + 2 * Self.day) % Self.day + 1
        let instant = stage.now.advanced(by: .nanoseconds(away))
        schedule(word, person.journeys << 8 | number, at: instant, by: &source, on: &stage)
    }

    private static var day: Int64 { 86_400 * 1_000_000_000 }

    /// Nanoseconds since midnight, by true local time.
    private func timeOfDayNanoseconds(at now: Instant) -> Int64 {
        (person.start + zoneSeconds * 1_000_000_000 + now.nanoseconds) % Self.day
    }

    /// Whether a daily event was scheduled by the local time that holds.
    func isOfHere(_ argument: UInt32) -> Bool { argument >> 8 == person.journeys }

    /// Whether the story begins between the first wake of a day and bedtime.
    private var isDaytime: Bool {
        guard let wake = firstWake else { return false }
        func since(_ time: Int64) -> Int64 { (time - wake.wholeNanoseconds + Self.day) % Self.day }
        return since(timeOfDayNanoseconds(at: .zero)) < since(plan.bedtime.wholeNanoseconds)
    }

    /// The first wake after bedtime.
    var firstWake: Duration? {
        func sleep(until wake: Duration) -> Int64 {
            (wake - plan.bedtime).wholeNanoseconds.modulo(Self.day)
        }
        return plan.wakes.min { sleep(until: $0) < sleep(until: $1) }
    }

    // MARK: Morning

    func morningComes(_ argument: UInt32, on stage: inout Stage) {
        guard isOfHere(argument) else { return }
        let index = argument & 0xFF
        // A journey may bring a wake's time again to one who was not roused: an alarm rings once a day.
        if person.isUp || isTalking || !person.dueWakes.contains(index) {
            let isFirst = person.dueWakes.isEmpty
            person.dueWakes.append(index)
            dueMorning(index, isFirst: isFirst, on: &stage)
        }
        schedule(.morning, index, next: plan.wakes[Int(index)], on: &stage)
    }

    /// A wake's time has come.
    ///
    /// - Parameters:
    ///   - index: Which wake, from 0.
    ///   - isFirst: Whether none has come since bedtime.
    ///   - stage: The world.
    private func dueMorning(_ index: UInt32, isFirst: Bool, on stage: inout Stage) {
        // Who is up before needs no waking, and whoever has deleted the app wakes by themselves.
        guard !habit.isAlone else { return }
        guard !habit.hasLeft else { return schedule(.wakesUp, after: .seconds(7_200), on: &stage) }
        guard isFirst || !(person.isUp || isTalking) else {
            return note(WakeUnneeded(wake: Int64(index) + 1), on: &stage)
        }
        person.mornings += 1
        let end = stage.now.advanced(by: .seconds(1_800))
        let armed = armory.held.count {
            $0.id.wake.number == index + 1 && stage.now <= $0.due && $0.due < end
        }
        let due = MorningDue(
            morning: person.mornings,
            armed: Int64(armed),
            route: TraceWord(look.shown),
            isPhoneOn: TraceFlag(isPowered)
        )
        note(due, on: &stage)
        // Well behind what is measured; an assumption.
        schedule(.wakesUp, after: .seconds(7_200), on: &stage)
    }

    // MARK: Evening

    func bedtimeComes(on stage: inout Stage) {
        // A journey may bring it a second time to a user who is in bed.
        if person.isUp || !person.dueWakes.isEmpty || person.nights == 0 {
            endHabitDay(on: &stage)
            goToBed(on: &stage)
        }
        schedule(.bedtime, next: plan.bedtime, on: &stage)
    }

    private func goToBed(on stage: inout Stage) {
        countDay(on: &stage)
        person.nights += 1
        (person.isUp, person.dueWakes) = (false, [])
        sleeper.seat.restart(newSleeper(), at: stage.now)
        note(SleeperActed(deed: TraceWord(.goesToBed)), on: &stage)
        reclaimMemory(on: &stage)
        guard isPowered, !habit.hasLeft else { return }
        phone.undergo(PhoneAct.openApp(CoachAppPlan.system), on: &stage)
        schedule(.putsDown, after: .seconds(60), on: &stage)
        guard hasAccount else { return }
        signIn(on: &stage)
        schedule(.reflects, after: .seconds(50), on: &stage)
        guard vault.isWanted != nil else { return }
        schedule(.records, after: .seconds(20), on: &stage)
        schedule(.deletesVoice, after: .seconds(20), on: &stage)
    }

    /// Lets the process end a minute before the morning is due, if the lot has it so.
    private func reclaimMemory(on stage: inout Stage) {
        var draws = self.draws("coach.reclaim")
        draws.index = UInt64(person.nights)
        person.isReclaimed = draws.bernoulli(plan.bedroom.endsOvernight)
        scheduleReclaim(on: &stage)
    }

    private func scheduleReclaim(on stage: inout Stage) {
        guard person.isReclaimed, let wake = firstWake else { return }
        schedule(.reclaims, next: wake - .seconds(60), on: &stage)
    }

    func reclaims(on stage: inout Stage) {
        person.isReclaimed = false
        if phase == .suspended { endProcess(on: &stage) }
    }

    /// A person of this phone's kind, with a night of its own.
    func newSleeper() -> Sleeper {
        let entity = "\(installation.name) \(person.nights)"
        var persona = self.persona
        persona.noise = person.noise ?? persona.noise
        return Sleeper(
            persona,
            draws: RandomStream(seed: seed, purpose: "coach.sleeper", entity: entity)
        )
    }

    /// Locks the phone, unless it is talked with.
    func putDown(on stage: inout Stage) {
        let isLocked = phone.seat.ask { $0.isLocked }
        guard isPowered, !isLocked, !isTalking, !nudging.isIntervening else { return }
        phone.undergo(PhoneAct.lock, on: &stage)
    }

    // MARK: Journeys

    /// The user is in another zone: the phone's clock and the user's days follow its local time.
    ///
    /// What was armed for a local time is due at another instant, and the battery's day is no whole one.
    func travel(to seconds: Int64, on stage: inout Stage) {
        zoneSeconds = seconds
        person.journeys += 1
        battery.isWholeDay = false
        changeClock(.zone(secondsFromGMT: seconds), on: &stage)
        if look.isKnown { tell(.zoneChanged(zone), on: &stage) }
        scheduleDays(on: &stage)
        scheduleReclaim(on: &stage)
        scheduleHabit(on: &stage)
    }
}

extension Int64 {
    /// What is left of this number after whole multiples of a positive one, never negative.
    fileprivate func modulo(_ number: Int64) -> Int64 { (self % number + number) % number }
}
