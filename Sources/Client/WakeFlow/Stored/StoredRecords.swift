import SansIO

// The records of wakes, nudges and the offline guide as they are stored. What an earlier version has written is
// read for as long as an app with it may be updated: see `CoachMemory`.

extension String: StoredForm {
    package func write(to writer: inout StoredWriter) { writer.write(self) }
    package init(from reader: inout StoredReader) throws(StoredFault) { self = try reader.read() }
}

extension WallTime: StoredForm {
    package func write(to writer: inout StoredWriter) { writer.write(nanosecondsSince1970) }
    package init(from reader: inout StoredReader) throws(StoredFault) {
        self.init(nanosecondsSince1970: try reader.read())
    }
}

extension LocalDay: StoredForm {
    package func write(to writer: inout StoredWriter) { writer.write(number) }
    package init(from reader: inout StoredReader) throws(StoredFault) {
        self.init(number: try reader.read())
    }
}

extension NudgeID: StoredForm {
    package func write(to writer: inout StoredWriter) { writer.write(number) }
    package init(from reader: inout StoredReader) throws(StoredFault) {
        self.init(number: try reader.read())
    }
}

extension WakeEntryID: StoredForm {
    package func write(to writer: inout StoredWriter) {
        writer.write(wake.number)
        writer.write(arming)
        writer.write(rung)
    }

    package init(from reader: inout StoredReader) throws(StoredFault) {
        let wake = WakeID(number: try reader.read())
        self.init(wake: wake, arming: try reader.read(), rung: try reader.read())
    }
}

extension WakeTime: StoredForm {
    package func write(to writer: inout StoredWriter) {
        switch self {
        case .fixed(let time):
            writer.write(UInt8(0))
            writer.write(time)
        case .relative(let time, let weekdays):
            writer.write(UInt8(1))
            writer.write(time.seconds)
            writer.write(weekdays.rawValue)
        }
    }

    package init(from reader: inout StoredReader) throws(StoredFault) {
        let kind: UInt8 = try reader.read()
        switch kind {
        case 0: self = .fixed(try reader.read())
        case 1:
            let time = TimeOfDay(seconds: try reader.read())
            self = .relative(time, Weekdays(rawValue: try reader.read()))
        default: throw .damaged
        }
    }
}

extension WakeSchedule: StoredForm {
    package func write(to writer: inout StoredWriter) {
        switch self {
        case .fixed(let time):
            writer.write(UInt8(0))
            writer.write(time)
        case .relative(let local):
            writer.write(UInt8(1))
            writer.write(local.day)
            writer.write(local.time.seconds)
        }
    }

    package init(from reader: inout StoredReader) throws(StoredFault) {
        let kind: UInt8 = try reader.read()
        switch kind {
        case 0: self = .fixed(try reader.read())
        case 1:
            let day: LocalDay = try reader.read()
            self = .relative(LocalTime(day: day, time: TimeOfDay(seconds: try reader.read())))
        default: throw .damaged
        }
    }
}

extension WakeSound: StoredForm {
    package func write(to writer: inout StoredWriter) {
        switch self {
        case .bundled: writer.write(String?.none)
        case .preloaded(let name): writer.write(String?.some(name))
        }
    }

    package init(from reader: inout StoredReader) throws(StoredFault) {
        let name: String? = try reader.read()
        self = name.map { .preloaded(name: $0) } ?? .bundled
    }
}

extension WakeEntry: StoredForm {
    package func write(to writer: inout StoredWriter) {
        writer.write(id)
        writer.write(path.rawValue)
        writer.write(schedule)
        writer.write(sound)
    }

    package init(from reader: inout StoredReader) throws(StoredFault) {
        let id: WakeEntryID = try reader.read()
        let word: String = try reader.read()
        guard let path = WakePath(rawValue: word) else { throw .damaged }
        let schedule: WakeSchedule = try reader.read()
        self.init(id: id, path: path, schedule: schedule, sound: try reader.read())
    }
}

extension WakeRecord.Occurrence: StoredForm {
    package func write(to writer: inout StoredWriter) {
        writer.write(due)
        writer.write(day)
    }

    package init(from reader: inout StoredReader) throws(StoredFault) {
        self.init(due: try reader.read(), day: try reader.read())
    }
}

extension WakeRecord.Wake: StoredForm {
    package func write(to writer: inout StoredWriter) {
        writer.write(setting.id.number)
        writer.write(setting.time)
        writer.write(after)
        writer.write(ended)
        writer.write(next)
    }

    package init(from reader: inout StoredReader) throws(StoredFault) {
        let id = WakeID(number: try reader.read())
        let time: WakeTime = try reader.read()
        self.init(setting: WakeSetting(id: id, time: time), after: try reader.read())
        ended = try reader.read()
        next = try reader.read()
    }
}

extension WakeRecord.Armed: StoredForm {
    package func write(to writer: inout StoredWriter) {
        writer.write(entry)
        writer.write(day)
        writer.write(due)
    }

    package init(from reader: inout StoredReader) throws(StoredFault) {
        let entry: WakeEntry = try reader.read()
        self.init(entry: entry, day: try reader.read(), due: try reader.read())
    }
}

extension WakeRecord.Morning: StoredForm {
    package func write(to writer: inout StoredWriter) {
        writer.write(wake.number)
        writer.write(occurrence)
        writer.write(Int64(snoozes))
        writer.write(ladderFrom)
        writer.write(isGuiding)
        writer.write(wasJoined)
    }

    package init(from reader: inout StoredReader) throws(StoredFault) {
        let wake = WakeID(number: try reader.read())
        self.init(wake: wake, occurrence: try reader.read())
        snoozes = try reader.readInt()
        ladderFrom = try reader.read()
        isGuiding = try reader.read()
        wasJoined = try reader.read()
    }
}

extension WakeRecord: StoredForm {
    package func write(to writer: inout StoredWriter) {
        writer.write(wakes)
        writer.write(arming)
        writer.write(armed)
        writer.write(morning)
        writer.write(sound)
        writer.write(preloadedFor)
    }

    package init(from reader: inout StoredReader) throws(StoredFault) {
        self.init()
        wakes = try reader.read()
        arming = try reader.read()
        armed = try reader.read()
        morning = try reader.read()
        sound = try reader.read()
        preloadedFor = try reader.read()
    }
}

extension OfflineSummary: StoredForm {
    package func write(to writer: inout StoredWriter) {
        writer.write(key)
        writer.write(beganAt)
        writer.write(endedAt)
        writer.write(UInt32(lines.count))
        for line in lines { writer.write(Int64(line)) }
        writer.write(heard)
        writer.write(user)
    }

    package init(from reader: inout StoredReader) throws(StoredFault) {
        self.init(key: try reader.read(), beganAt: try reader.read())
        endedAt = try reader.read()
        let count: UInt32 = try reader.read()
        for _ in 0..<count { lines.append(try reader.readInt()) }
        heard = try reader.read()
        // The second version did not know whose a summary is.
        if reader.version > 2 { user = try reader.read() }
    }
}

extension OfflineRecord: StoredForm {
    package func write(to writer: inout StoredWriter) {
        writer.write(open)
        writer.write(unsent)
        writer.write(stretches)
        writer.write(mode.rawValue)
        writer.write(modeChanges)
        writer.write(user)
    }

    package init(from reader: inout StoredReader) throws(StoredFault) {
        self.init()
        open = try reader.read()
        unsent = try reader.read()
        stretches = try reader.read()
        let word: String = try reader.read()
        guard let mode = VoiceMode(rawValue: word) else { throw .damaged }
        self.mode = mode
        modeChanges = try reader.read()
        if reader.version > 2 { user = try reader.read() }
    }
}

extension NudgeRecord.Posted: StoredForm {
    package func write(to writer: inout StoredWriter) {
        writer.write(id)
        writer.write(at)
    }

    package init(from reader: inout StoredReader) throws(StoredFault) {
        self.init(id: try reader.read(), at: try reader.read())
    }
}

extension NudgeRecord: StoredForm {
    package func write(to writer: inout StoredWriter) {
        writer.write(latest)
        writer.write(latestAt)
        writer.write(day)
        writer.write(Int64(count))
        writer.write(posted)
        writer.write(opened)
        writer.write(Int64(streak))
        writer.write(lastAlone)
        writer.write(calledOn)
        writer.write(habitGapPartsPerMillion)
    }

    package init(from reader: inout StoredReader) throws(StoredFault) {
        self.init()
        latest = try reader.read()
        latestAt = try reader.read()
        day = try reader.read()
        count = try reader.readInt()
        posted = try reader.read()
        opened = try reader.read()
        streak = try reader.readInt()
        lastAlone = try reader.read()
        calledOn = try reader.read()
        habitGapPartsPerMillion = try reader.read()
    }
}
