import SansIO

// Times: moments of the run, and stretches of it.

extension PlanBuilder {
    /// A moment of the run; `nil` after a report if there is none.
    ///
    /// A time of day is the first one after the start, so that a night's run can name the morning.
    package mutating func instant(_ value: CheckedValue?) -> Duration? {
        guard let value else { return nil }
        guard let time = value.timeOfDay else { return value.duration }
        guard let clock else {
            report(.noClock(value.written), at: value.place)
            return nil
        }
        guard time < clock else { return time - clock }
        let nextDay = time - clock + .seconds(86_400)
        guard nextDay <= runLength else {
            report(.beforeClock(value.written, clock: TimeOfDay.text(of: clock)), at: value.place)
            return nil
        }
        return nextDay
    }

    /// What lies between `from` and `until`, which is not nothing and ends within the run.
    package mutating func span(
        _ value: CheckedValue,
        plan: WorldPlan,
        _ what: String
    ) -> Range<Duration>? {
        let untilIsSound = value.field("until").map { $0.value != nil } ?? true
        guard let from = instant(value["from"]), untilIsSound else { return nil }
        var until = plan.duration
        if let written = value["until"] {
            guard let end = instant(written) else { return nil }
            until = end
        }
        guard within(plan.duration, until, what, value["until"]) else { return nil }
        guard from < until else {
            let kind = QuantityKind.duration
            report(
                .emptyInterval(
                    from: kind.text(of: from.wholeNanoseconds),
                    until: kind.text(of: until.wholeNanoseconds)
                ),
                at: value["from"]?.place ?? value.place
            )
            return nil
        }
        return from..<until
    }

    /// Whether a time lies in the run; if not, a report says so.
    package mutating func within(
        _ duration: Duration,
        _ time: Duration,
        _ what: String,
        _ value: CheckedValue?
    ) -> Bool {
        guard time > duration else { return true }
        let kind = QuantityKind.duration
        if let value {
            report(
                .outsideRun(
                    what: what,
                    time: kind.text(of: time.wholeNanoseconds),
                    duration: kind.text(of: duration.wholeNanoseconds)
                ),
                at: value.place
            )
        }
        return false
    }
}
