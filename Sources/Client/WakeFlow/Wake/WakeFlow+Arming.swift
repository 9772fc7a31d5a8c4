import SansIO

/// What the system is to have armed, and the orders that make it so.
extension WakeFlow {
    /// A ladder that is wanted.
    private struct Ladder {
        var wake: WakeID
        var day: LocalDay
        /// When its first sound is due.
        var start: WallTime
        /// Whether a change of the zone moves it.
        var isFollowingZone = false
        var rungs = 0
    }

    /// Brings everything outside to what the state says, and stores what changed.
    mutating func settle(in turn: inout Turn<Effect>) {
        advance(at: turn.now)
        announcePath()
        requestPreload(at: turn.now)
        arrange(at: clock.reading(at: turn.now))
        if removesPreloaded {
            removesPreloaded = false
            orders.append(.clearCaches(keeping: .bundled))
        }
        if record != storedRecord || !facts.isEmpty {
            turn.order(.store(record, facts))
            storedRecord = record
            facts = []
        }
        for order in orders { turn.order(order) }
        orders = []
    }

    private mutating func arrange(at time: WallTime) {
        let ladders = ladders(at: time)
        guard !isArmed(ladders, at: time) else { return }
        let wanted = ladders.flatMap { entries(of: $0, after: time) }
        var groups: [(wake: WakeID, day: LocalDay)] = []
        for armed in record.armed + wanted
        where !groups.contains(where: {
            $0.wake == armed.entry.id.wake && $0.day == armed.day
        }) {
            groups.append((armed.entry.id.wake, armed.day))
        }
        var kept: [WakeRecord.Armed] = []
        var disarmed: [WakeEntryID] = []
        for group in groups {
            let has = record.armed.filter { $0.belongs(to: group.wake, group.day) }.map {
                $0.located(in: zone)
            }
            let wants = wanted.filter { $0.belongs(to: group.wake, group.day) }
            let pending = has.filter { $0.due > time }
            if pending.count == wants.count, zip(pending, wants).allSatisfy({ $0.isLike($1) }),
                !wants.isEmpty || isDue(group.wake, group.day, at: time)
            {
                kept += has
                continue
            }
            disarmed += has.map(\.entry.id)
            guard !wants.isEmpty else { continue }
            record.arming &+= 1
            for want in wants {
                var armed = want
                armed.entry.id.arming = record.arming
                kept.append(armed)
                orders.append(.arm(armed.entry))
            }
        }
        // The former ladder goes last: a kill before it leaves one sound too many, not none.
        for id in disarmed { orders.append(.disarm(id)) }
        record.armed = kept
    }

    /// Whether the system has these ladders as they are wanted, one behind the other, and nothing else.
    ///
    /// So it is after nearly every call: this makes no entry to find that out.
    private func isArmed(_ ladders: [Ladder], at time: WallTime) -> Bool {
        var index = 0
        for ladder in ladders {
            var isNew = true
            for (rung, due) in dues(of: ladder) where due > time {
                while isNew, index < record.armed.count, hasSounded(index, of: ladder, at: time) {
                    index += 1
                }
                isNew = false
                guard index < record.armed.count,
                    isArmed(record.armed[index], as: rung, of: ladder, due)
                else { return false }
                index += 1
            }
        }
        return index == record.armed.count
    }

    /// Whether an entry is one of a ladder's that has sounded.
    private func hasSounded(_ index: Int, of ladder: Ladder, at time: WallTime) -> Bool {
        let armed = record.armed[index]
        return armed.belongs(to: ladder.wake, ladder.day) && armed.due <= time
            && armed.entry.schedule.time(in: zone) == armed.due
    }

    private func isArmed(
        _ armed: WakeRecord.Armed,
        as rung: Int,
        of ladder: Ladder,
        _ due: WallTime
    ) -> Bool {
        armed.belongs(to: ladder.wake, ladder.day) && armed.due == due
            && armed.entry.id.rung == UInt16(rung) && armed.entry.path == path
            && armed.entry.schedule.time(in: zone) == due
            && armed.entry.sound == sound(of: ladder)
            && path.map { schedule(due, isFollowingZone: ladder.isFollowingZone, $0) }
                == armed.entry.schedule
    }

    /// When the rungs of a ladder are due; to add is cheaper than to multiply a duration.
    private func dues(of ladder: Ladder) -> some Sequence<(offset: Int, element: WallTime)> {
        let spacing = configuration.spacing
        let first = ladder.start
        return sequence(first: first) { $0.advanced(by: spacing) }.prefix(ladder.rungs).enumerated()
    }

    private func sound(of ladder: Ladder) -> WakeSound {
        ladder.day == record.preloadedFor ? record.sound : .bundled
    }

    /// Whether a morning's sounds may still be ringing, with none to come.
    private func isDue(_ id: WakeID, _ day: LocalDay, at time: WallTime) -> Bool {
        let isMorning = record.morning?.wake == id
        guard isMorning ? record.morning?.ladderFrom != nil : conversation == .none
        else { return false }
        return record.wakes.contains {
            guard $0.setting.id == id, let next = $0.next else { return false }
            return next.day == day && next.due <= time
        }
    }

    /// The ladders that are wanted, with their share of the entries, the soonest first.
    private func ladders(at time: WallTime) -> [Ladder] {
        guard path != nil else { return [] }
        var ladders = record.wakes.flatMap { self.ladders(of: $0, at: time) }
        ladders.sort { ($0.start, $0.wake.number) < ($1.start, $1.wake.number) }
        var left = max(1, min(configuration.entriesMax, 60, capacity ?? 60))
        // One sound for each morning, then the ladders of each wake's next one.
        for index in ladders.indices where left > 0 {
            ladders[index].rungs = 1
            left -= 1
        }
        var full: [WakeID] = []
        for index in ladders.indices where !full.contains(ladders[index].wake) {
            full.append(ladders[index].wake)
            guard ladders[index].rungs > 0 else { continue }
            let more = min(left, max(1, min(configuration.length, 60)) - 1)
            ladders[index].rungs += more
            left -= more
        }
        return ladders
    }

    /// The next morning of a wake and those of the days that follow.
    private func ladders(of wake: WakeRecord.Wake, at time: WallTime) -> [Ladder] {
        guard let next = wake.next else { return [] }
        let id = wake.setting.id
        var ladders: [Ladder] = []
        if let morning = record.morning, morning.wake == id {
            if let from = morning.ladderFrom {
                ladders.append(Ladder(wake: id, day: next.day, start: from))
            }
        } else if next.due > silentUntil(time) {
            ladders.append(ladder(of: wake, next))
        }
        guard case .relative(_, let weekdays) = wake.setting.time, !weekdays.isEmpty else {
            return ladders
        }
        var later = wake
        later.ended = next
        var latest = next
        let days = Int64(max(1, min(configuration.daysAhead, 7)))
        var last = time.advanced(by: .seconds(86_400 * days))
        // A system alarm has a weekday and no date. For this day a week from now it is armed only once the clock
        // could not be set back to this morning: it would ring the same morning again.
        if path == .systemAlarm {
            last = min(last, time.advanced(by: .seconds(604_800) - configuration.sameMorning))
        }
        while let further = occurrence(of: later, after: latest.due), further.due <= last {
            ladders.append(ladder(of: wake, further))
            latest = further
        }
        return ladders
    }

    /// Until when the wakes that the present morning doesn't belong to are silent.
    ///
    /// In a conversation that is until the morning's own ladder would begin again: it wakes in their place should the
    /// process die meanwhile.
    private func silentUntil(_ time: WallTime) -> WallTime {
        guard conversation != .none else { return WallTime(nanosecondsSince1970: .min) }
        return max(time, record.morning?.ladderFrom ?? time)
    }

    private func ladder(of wake: WakeRecord.Wake, _ occurrence: WakeRecord.Occurrence) -> Ladder {
        var ladder = Ladder(
            wake: wake.setting.id,
            day: occurrence.day,
            start: occurrence.due
        )
        if case .relative(let time, _) = wake.setting.time {
            let local = LocalTime(day: occurrence.day, time: time)
            ladder.isFollowingZone = zone.resolve(local).occurrence == .once
        }
        return ladder
    }

    private func entries(of ladder: Ladder, after time: WallTime) -> [WakeRecord.Armed] {
        guard let path else { return [] }
        var entries: [WakeRecord.Armed] = []
        for (rung, due) in dues(of: ladder) where due > time {
            let entry = WakeEntry(
                id: WakeEntryID(wake: ladder.wake, arming: 0, rung: UInt16(rung)),
                path: path,
                schedule: schedule(due, isFollowingZone: ladder.isFollowingZone, path),
                sound: sound(of: ladder)
            )
            entries.append(WakeRecord.Armed(entry: entry, day: ladder.day, due: due))
        }
        return entries
    }

    /// A local time where the zone is followed, the clock shows it exactly once, and the system can be told.
    private func schedule(
        _ due: WallTime,
        isFollowingZone: Bool,
        _ path: WakePath
    ) -> WakeSchedule {
        guard isFollowingZone else { return .fixed(due) }
        let local = zone.local(due)
        let resolution = zone.resolve(local)
        guard resolution.occurrence == .once, resolution.time == due,
            path != .systemAlarm || local.time.seconds % 60 == 0
        else { return .fixed(due) }
        return .relative(local)
    }
}

extension WakeRecord.Armed {
    fileprivate func belongs(to wake: WakeID, _ day: LocalDay) -> Bool {
        entry.id.wake == wake && self.day == day
    }

    fileprivate func located(in zone: TimeZoneRules) -> WakeRecord.Armed {
        var located = self
        located.due = entry.schedule.time(in: zone)
        return located
    }

    /// Whether the system would sound the same at the same time.
    fileprivate func isLike(_ other: WakeRecord.Armed) -> Bool {
        entry.id.rung == other.entry.id.rung && entry.path == other.entry.path
            && entry.schedule == other.entry.schedule && entry.sound == other.entry.sound
    }
}

extension WakeSchedule {
    /// When it sounds in a zone.
    func time(in zone: TimeZoneRules) -> WallTime {
        switch self {
        case .fixed(let time): time
        case .relative(let local): zone.resolve(local).time
        }
    }
}
