import SansIO

/// Which morning of a wake comes next, and which is over.
extension WakeFlow {
    /// The first morning of a wake after a time.
    func occurrence(of wake: WakeRecord.Wake, after time: WallTime) -> WakeRecord.Occurrence? {
        switch wake.setting.time {
        case .fixed(let due):
            return due > time ? WakeRecord.Occurrence(due: due, day: zone.local(due).day) : nil
        case .relative(let timeOfDay, let weekdays):
            let today = zone.local(time).day.number
            // A week and a day back and ahead: zones differ by more than a day.
            for number in today.saturating(-1)...today.saturating(9) {
                let day = LocalDay(number: number)
                guard weekdays.isEmpty || weekdays.contains(Weekdays(of: day)) else { continue }
                let due = zone.resolve(LocalTime(day: day, time: timeOfDay)).time
                guard due > time, !isSameMorning(due, day, as: wake.ended) else { continue }
                return WakeRecord.Occurrence(due: due, day: day)
            }
            return nil
        }
    }

    private func isSameMorning(
        _ due: WallTime,
        _ day: LocalDay,
        as ended: WakeRecord.Occurrence?
    ) -> Bool {
        guard let ended, ended.day == day else { return false }
        return due < ended.due.advanced(by: configuration.sameMorning)
    }

    /// Computes the next morning of each wake and closes those that are over.
    mutating func advance(at now: Instant) {
        let time = clock.reading(at: now)
        var index = 0
        while index < record.wakes.count {
            let id = record.wakes[index].setting.id
            advanceWake(index, at: time)
            if index < record.wakes.count, record.wakes[index].setting.id == id { index += 1 }
        }
    }

    private mutating func advanceWake(_ index: Int, at time: WallTime) {
        let wake = record.wakes[index]
        // The morning that goes on stays where it is, whatever becomes of the zone.
        if let morning = record.morning, morning.wake == wake.setting.id {
            record.wakes[index].next = morning.occurrence
            guard conversation == .none, expiry(of: record.wakes[index]) <= time else { return }
            finish(wake.setting.id, morning.occurrence, .notDone, at: time)
            return goOn(wake.setting.id, at: time)
        }
        guard var next = occurrence(of: wake, after: wake.after) else {
            record.wakes.remove(at: index)
            return
        }
        if next.due <= time, let planned = wake.next, planned.due > time {
            // The zone jumped over it: where the phone was, its time had not come.
            record.wakes[index].after = time
            guard let later = occurrence(of: record.wakes[index], after: time) else {
                record.wakes.remove(at: index)
                return
            }
            next = later
        }
        record.wakes[index].next = next
        guard conversation == .none, expiry(of: record.wakes[index]) <= time else { return }
        let entries = record.armed.filter {
            $0.entry.id.wake == wake.setting.id && $0.day == next.day
        }
        let wasShown = entries.contains { shown.contains($0.entry.id) }
        if wasShown { tell(.wakeTriggered, wake.setting.id, next, at: time) }
        finish(wake.setting.id, next, .missed(wasShown: wasShown), at: time)
        goOn(wake.setting.id, at: time)
    }

    /// Finds the morning after one that is over, if the wake repeats.
    ///
    /// Mornings before the last one are not told one by one: months may have passed.
    private mutating func goOn(_ id: WakeID, at time: WallTime) {
        guard let left = record.wakes.firstIndex(where: { $0.setting.id == id }) else { return }
        let horizon = time.advanced(by: .zero - configuration.window)
        record.wakes[left].after = max(record.wakes[left].after, horizon)
        record.wakes[left].next = occurrence(
            of: record.wakes[left],
            after: record.wakes[left].after
        )
    }

    /// Closes the mornings of this day that are to come yet; one that has begun goes on.
    mutating func ranAlone(at now: Instant) {
        advance(at: now)
        guard record.morning == nil else { return }
        let time = clock.reading(at: now)
        let today = zone.local(time).day
        for wake in record.wakes {
            guard let next = wake.next, next.day == today, next.due > time else { continue }
            finish(wake.setting.id, next, .ranAlone, at: time)
        }
    }

    /// When a morning is over that nothing came of.
    private func expiry(of wake: WakeRecord.Wake) -> WallTime {
        guard let next = wake.next else { return WallTime(nanosecondsSince1970: .max) }
        let end = next.due.advanced(by: configuration.window)
        guard let morning = record.morning, morning.wake == wake.setting.id,
            let start = morning.ladderFrom
        else { return end }
        return max(end, start.advanced(by: configuration.spacing * configuration.length))
    }

    /// When the next morning is over, if nothing comes of it.
    var nextExpiry: WallTime? { record.wakes.map { expiry(of: $0) }.min() }

    /// When the first sound of a wake is due that the present morning doesn't belong to.
    var nextSoundOfOthers: WallTime? {
        record.armed.lazy.filter { $0.entry.id.wake != record.morning?.wake }.map(\.due).min()
    }

    /// Closes a morning: the wake goes on to the next one, or is gone if it was set for one.
    mutating func finish(
        _ id: WakeID,
        _ occurrence: WakeRecord.Occurrence,
        _ outcome: MorningOutcome,
        at time: WallTime
    ) {
        if record.morning?.wake == id { record.morning = nil }
        if outcome == .done { tell(.wakeDone, id, occurrence, at: time) }
        orders.append(.morningEnded(id, outcome))
        guard let index = record.wakes.firstIndex(where: { $0.setting.id == id }) else { return }
        switch record.wakes[index].setting.time {
        case .relative(_, let weekdays) where !weekdays.isEmpty:
            record.wakes[index].after = occurrence.due
            record.wakes[index].ended = occurrence
            record.wakes[index].next = nil
        case .fixed, .relative:
            record.wakes.remove(at: index)
        }
    }

    mutating func tell(
        _ kind: CoachFact.Kind,
        _ id: WakeID,
        _ occurrence: WakeRecord.Occurrence,
        at time: WallTime
    ) {
        let due = occurrence.due.secondsSince1970
        facts.append(CoachFact(kind, key: "\(kind.rawValue)/\(id.number)/\(due)", time: time))
    }
}

extension Int32 {
    /// The number that lies `step` further, held within the type.
    fileprivate func saturating(_ step: Int32) -> Int32 {
        let (sum, isTooFar) = addingReportingOverflow(step)
        return isTooFar ? (step < 0 ? .min : .max) : sum
    }
}
