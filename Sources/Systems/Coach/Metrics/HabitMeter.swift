import KodamaEvidence
import SansIO

/// Measures habits over weeks: who runs the routine alone and for how long, who leaves the app, and how the
/// nudges fade out.
struct HabitMeter {
    private var three = share(
        "habit.chain.three",
        "Of all who began the programme: those who ran the routine alone on 3 days in a row, at some time."
    )
    private var five = share("habit.chain.five", "Of these: those who did on 5 days in a row.")
    private var seven = share("habit.chain.seven", "Of these: those who did on 7 days in a row.")
    private var streak = share(
        "habit.streak.rate",
        "Of all who began the programme: those who ran the routine alone on 7 days in a row; the product of habit.chain.*."
    )
    private var streakStayed = share(
        "habit.streak.stayed.rate",
        "Of those who had not left the app by the end: those who did. What a report of survivors shows."
    )
    private var stays = [15, 22, 30].map { day in
        share(
            "habit.stays.day\(day).rate",
            "Of all who began the programme: those who had not left the app on day \(day)."
        )
    }
    private var first = share(
        "habit.alone.first.rate",
        "Of the days of the first week, of all who began: those on which the routine was run alone."
    )
    private var last = share(
        "habit.alone.last.rate",
        "Of the last seven days, of all who began: those on which the routine was run alone."
    )
    private var rising = share(
        "habit.weeks.rising.rate",
        """
        Of the weeks after the first, of those who kept the app through both: those with as many days alone \
        as the week before, or more.
        """
    )
    private var truth = Measure.number(
        "habit.strength.true",
        "How strong the habit is at the end, of those who kept the app, in percent of the most (Lally and others 2010).",
        "K-11",
        better: .higher,
        occasions: .atOnce
    )
    private var shown = Measure.number(
        "habit.strength.app",
        "The same as the app reckons it, from the days alone that it was told of.",
        "K-11, AN-07",
        better: .higher,
        occasions: .atOnce
    )
    private var nudges = Measure.number(
        "habit.nudges.day",
        "How many nudges a day without a call brings, of those who keep the app, after 7 days alone in a row.",
        "AN-07",
        occasions: .atOnce
    )
    private var called = Measure.number(
        "habit.nudges.called",
        "How many nudges come on a day after a call by the phrase.",
        "AN-07",
        better: .higher,
        occasions: .atOnce
    )
    private var served = Measure.share(
        "habit.call.rate",
        "Of the calls by the phrase: those after which an intervention began within 10 s.",
        "AN-07",
        better: .higher,
        occasions: .atOnce
    )
    private var fades = Invariant(
        "habit.fades-out",
        """
        A day has at most 8 nudges, 4 after 3 days alone in a row, 2 after 5 and none after 7; 8 from a call \
        by the phrase on, and none once the app was left.
        """,
        "AN-07"
    )
    private var counts = Invariant(
        "habit.streak-is-true",
        "The app counts the days alone in a row as they were.",
        "AN-07, K-11"
    )

    private var unwoken = Invariant(
        "habit.alone-unwoken",
        "On a day on which the routine was run alone, before the wake, no alarm sounds.",
        "AN-07"
    )

    private static func share(_ name: String, _ meaning: String) -> Measure<Proportion> {
        .share(name, meaning, "K-11", better: .higher, occasions: .atOnce)
    }

    /// Somebody's weeks.
    private struct Weeks {
        let start: TraceRecord
        /// The days alone in a row, and the most of them.
        var streak: Int64 = 0
        var best: Int64 = 0
        var uses = true
        /// The latest days, at most 14.
        var days: [(isAlone: Bool, uses: Bool)] = []
        var strength: HabitStrength?
    }

    /// What the day that goes on has had.
    private struct Today {
        var nudges: Int64 = 0
        var sounds = 0
        /// How many nudges there were before the first call.
        var nudgesBeforeCall: Int64?
        var call: TraceRecord?
    }

    private var weeks: [ComponentIndex: Weeks] = [:]
    private var today: [ComponentIndex: Today] = [:]

    var metrics: [any AnyMeasure] {
        [three, five, seven, streak, streakStayed] + stays
            + [first, last, rising, truth, shown, nudges, called, served]
    }
    var invariants: [Invariant] { [fades, counts, unwoken] }

    mutating func take(_ record: TraceRecord, at position: Int) {
        let app = record.component
        switch record.kind {
        case DistractionNoticed.kind: today[app, default: Today()].nudges += 1
        case PhraseCalled.kind:
            leaveCall(app)
            var day = today[app] ?? Today()
            day.nudgesBeforeCall = day.nudgesBeforeCall ?? day.nudges
            day.call = record
            today[app] = day
        case SoundHeard.kind:
            if SoundHeard(record).levelDecibels > 0 { today[app, default: Today()].sounds += 1 }
        case InterventionBegan.kind:
            guard InterventionBegan(record).number == 0, let call = today[app]?.call else { return }
            let isSoon = call.instant.duration(to: record.instant) <= .seconds(10)
            served.add(isSoon ? 1 : 0, of: 1, at: Occurrence(call))
            today[app]?.call = nil
        case HabitDay.kind: end(HabitDay(record), record, at: position)
        case HabitStrength.kind: weeks[app]?.strength = HabitStrength(record)
        case SleeperActed.kind:
            // What comes before the first bedtime belongs to no day of the programme.
            if SleeperActed(record).deed.value == .goesToBed { today[app] = nil }
        default: return
        }
    }

    private mutating func leaveCall(_ app: ComponentIndex) {
        guard let call = today[app]?.call else { return }
        served.add(0, of: 1, at: Occurrence(call))
        today[app]?.call = nil
    }

    private mutating func end(_ form: HabitDay, _ record: TraceRecord, at position: Int) {
        let app = record.component
        leaveCall(app)
        let day = today.removeValue(forKey: app) ?? Today()
        var person = weeks[app] ?? Weeks(start: record)
        let place = Occurrence(record)
        let isAlone = form.isAlone.isSet
        // A streak holds until a whole day has gone by without.
        let inForce = isAlone ? person.streak + 1 : person.streak
        person.streak = isAlone ? inForce : 0
        person.best = max(person.best, person.streak)
        person.uses = form.uses.isSet
        if person.uses {
            let most: Int64 = inForce >= 7 ? 0 : inForce >= 5 ? 2 : inForce >= 3 ? 4 : 8
            let before = day.nudgesBeforeCall ?? day.nudges
            fades.check(before <= most && day.nudges <= 8, record, at: position)
            counts.check(form.streak == inForce, record, at: position)
            if isAlone { unwoken.check(day.sounds == 0, record, at: position) }
            if let before = day.nudgesBeforeCall {
                called.add(day.nudges - before, at: place)
            } else if inForce >= 7 {
                nudges.add(day.nudges, at: place)
            }
        } else {
            fades.check(day.nudges == 0, record, at: position)
        }
        person.days.append((isAlone, person.uses))
        let alone: Int64 = isAlone ? 1 : 0
        if form.day <= 7 { first.add(alone, of: 1, at: place) }
        for (index, limit) in [15, 22, 30].enumerated() where form.day == limit {
            stays[index].add(person.uses ? 1 : 0, of: 1, at: place)
        }
        if form.day % 7 == 0, form.day >= 14, person.uses {
            let before = person.days.prefix(7).count { $0.isAlone }
            let now = person.days.suffix(7).count { $0.isAlone }
            rising.add(now >= before ? 1 : 0, of: 1, at: place)
        }
        if person.days.count > 13 { person.days.removeFirst(person.days.count - 13) }
        weeks[app] = person
    }

    /// The run is over.
    mutating func end(at now: Instant) {
        for app in weeks.keys.sorted(by: { $0.index < $1.index }) {
            leaveCall(app)
            guard let person = weeks[app] else { continue }
            let place = Occurrence(from: person.start.instant, until: now, of: app, person.start)
            func one(_ isSo: Bool) -> Int64 { isSo ? 1 : 0 }
            three.add(one(person.best >= 3), of: 1, at: place)
            if person.best >= 3 { five.add(one(person.best >= 5), of: 1, at: place) }
            if person.best >= 5 { seven.add(one(person.best >= 7), of: 1, at: place) }
            streak.add(one(person.best >= 7), of: 1, at: place)
            for day in person.days.suffix(7) { last.add(one(day.isAlone), of: 1, at: place) }
            guard person.uses else { continue }
            streakStayed.add(one(person.best >= 7), of: 1, at: place)
            guard let strength = person.strength else { continue }
            truth.add(strength.truth / 10_000, at: place)
            shown.add(strength.app / 10_000, at: place)
        }
        (weeks, today) = ([:], [:])
    }
}
