import SansIO

/// What the phone, its system and its user say outside the morning.
extension WakeFlow {
    mutating func resumed(_ phone: PhoneFacts, at now: Instant) {
        clock = WallClock(showing: phone.time, at: now)
        zone = phone.zone
        isInFront = phone.isInFront
        clockWentTo(phone.time)
        grantsChanged(phone.grants)
        shown = phone.delivered
        if !isReady {
            isReady = true
            interrupted(at: phone.time)
        }
        reconcile(phone.pending, at: phone.time)
        advance(at: now)
        if phone.isInFront, isPreloadDue(at: phone.time) {
            beginPreload(at: now)
        }
    }

    /// No more than the system holds of an app.
    private static var straysMax: Int { 64 }

    /// Forgets entries that the system lacks, so that their ladder is armed anew, and takes back what a
    /// kill between two orders has left with the system.
    private mutating func reconcile(_ pending: [WakeEntryID], at time: WallTime) {
        let known = record.armed.map(\.entry.id)
        for id in pending.prefix(Self.straysMax) where !known.contains(id) {
            orders.append(.disarm(id))
        }
        for index in record.armed.indices {
            record.armed[index].due = record.armed[index].entry.schedule.time(in: zone)
        }
        record.armed.removeAll { $0.due > time && !pending.contains($0.entry.id) }
    }

    /// A guide that was going on when the process died: it has led to nothing.
    private mutating func interrupted(at time: WallTime) {
        guard record.morning != nil else { return }
        guard record.morning?.isGuiding == true || record.morning?.ladderFrom == nil else { return }
        record.morning?.isGuiding = false
        rearm(after: configuration.rearmDelay, at: time)
    }

    mutating func clockWentTo(_ time: WallTime) {
        for index in record.wakes.indices {
            let wake = record.wakes[index]
            // What lies ahead again has not been, unless it is the same morning.
            record.wakes[index].after = min(wake.after, time)
            if let ended = wake.ended,
                time < ended.due.advanced(by: .zero - configuration.sameMorning)
            {
                record.wakes[index].ended = nil
            }
        }
    }

    /// Forgets entries that have sounded and whose time lies ahead again: the system will not sound them
    /// twice, so their ladder is armed anew.
    mutating func forget(_ sounded: [WakeRecord.Armed], at time: WallTime) {
        for armed in sounded where armed.entry.schedule.time(in: zone) > time {
            orders.append(.disarm(armed.entry.id))
            record.armed.removeAll { $0.entry.id == armed.entry.id }
        }
    }

    mutating func grantsChanged(_ grants: WakeGrants) {
        self.grants = grants
        brokenPaths = []
        capacity = nil
    }

    /// More than a user sets, few enough for one sound each among the armed entries.
    private static var wakesMax: Int { 20 }

    mutating func set(_ setting: WakeSetting, at time: WallTime) {
        remove(setting.id)
        guard record.wakes.count < Self.wakesMax else {
            return orders.append(.wakeRefused(setting.id))
        }
        let index = record.wakes.firstIndex { $0.setting.id.number > setting.id.number }
        let wake = WakeRecord.Wake(setting: setting, after: time)
        record.wakes.insert(wake, at: index ?? record.wakes.count)
    }

    mutating func remove(_ id: WakeID) {
        if record.morning?.wake == id {
            endConversation()
            record.morning = nil
        }
        record.wakes.removeAll { $0.setting.id == id }
    }

    mutating func armingFailed(_ id: WakeEntryID, _ error: ArmingError) {
        guard let index = record.armed.firstIndex(where: { $0.entry.id == id }) else { return }
        let path = record.armed.remove(at: index).entry.path
        switch error {
        case .denied:
            switch path {
            case .systemAlarm: grants.systemAlarm = .denied
            case .criticalAlert: grants.criticalAlert = .denied
            case .timeSensitive: grants.notifications = .denied
            }
        case .limitReached where !record.armed.isEmpty:
            capacity = min(capacity ?? configuration.entriesMax, record.armed.count)
        case .limitReached, .failed:
            brokenPaths.append(path)
        }
    }

    /// The best path that is granted and takes entries (D-23).
    var path: WakePath? {
        WakePath.allCases.first { isGranted($0) && !brokenPaths.contains($0) }
    }

    private func isGranted(_ path: WakePath) -> Bool {
        switch path {
        case .systemAlarm: grants.systemVersion >= 26 && grants.systemAlarm == .granted
        case .criticalAlert:
            flags.usesCriticalAlert && grants.criticalAlert == .granted
                && grants.notifications == .granted
        case .timeSensitive: grants.notifications == .granted
        }
    }

    /// Tells the path, and asks for the permission of a better one that was never asked for.
    mutating func announcePath() {
        guard !record.wakes.isEmpty else { return }
        if shownPath != .some(path) {
            shownPath = .some(path)
            orders.append(.pathChanged(path))
        }
        guard isInFront else { return }
        let wanted: WakePath
        if grants.systemVersion >= 26, grants.systemAlarm != .denied {
            guard grants.systemAlarm == .undecided else { return }
            wanted = .systemAlarm
        } else {
            guard grants.notifications == .undecided else { return }
            wanted = .timeSensitive
        }
        guard !askedFor.contains(wanted) else { return }
        askedFor.append(wanted)
        orders.append(.askPermission(wanted))
    }

    // MARK: The evening's preload

    /// The next morning of all wakes.
    private var nextMorning: WakeRecord.Occurrence? {
        record.wakes.compactMap(\.next).min { $0.due < $1.due }
    }

    private func isPreloadDue(at time: WallTime) -> Bool {
        guard let next = nextMorning, record.preloadedFor != next.day, time < next.due
        else { return false }
        return time >= next.due.advanced(by: .zero - configuration.preload.lead)
    }

    mutating func beginPreload(at now: Instant) {
        guard !preload.isRunning else { return }
        // Old sounds go first, so that the new one has room; one that is armed stays.
        let isArmed = record.armed.contains { $0.entry.sound == record.sound }
        orders.append(.clearCaches(keeping: isArmed ? record.sound : .bundled))
        let isWanted = nextMorning.map { $0.day != record.preloadedFor } ?? false
        run(preload.begin(having: isWanted ? nil : record.sound, at: now))
    }

    /// Forgets the preloaded audio, also that of a fetch under way; its file goes once the ladders name another.
    mutating func voiceDeleted() {
        run(preload.stop())
        record.sound = .bundled
        record.preloadedFor = nil
        removesPreloaded = true
    }

    mutating func run(_ preloadOrders: [WakePreload.Order]) {
        for order in preloadOrders {
            switch order {
            case .fetchAudio(let operation): orders.append(.fetchAudio(operation))
            case .syncConversation(let operation): orders.append(.syncConversation(operation))
            case .cancel(let operation): orders.append(.cancel(operation))
            case .finished(let sound, let isSynced):
                if let sound, let next = nextMorning {
                    record.sound = sound
                    record.preloadedFor = next.day
                }
                let hasFailed = sound == nil || !isSynced
                preloadFailedFor = hasFailed ? nextMorning?.day : nil
                if hasFailed { requestedFor = nil }
                guard runsInBackground else { continue }
                runsInBackground = false
                orders.append(.completeBackgroundTask(success: !hasFailed))
            }
        }
    }

    /// Asks for the background task before the next morning, once, and again where it led to nothing.
    mutating func requestPreload(at now: Instant) {
        guard let next = nextMorning, requestedFor != next, !preload.isRunning else { return }
        // Of another day it says nothing that a preload failed.
        let hasFailed = next.day == preloadFailedFor
        guard next.day != record.preloadedFor || hasFailed else { return }
        let time = clock.reading(at: now)
        let evening = next.due.advanced(by: .zero - configuration.preload.lead)
        let pause = hasFailed ? configuration.preload.retryInterval : .zero
        let soonest = max(evening, time.advanced(by: pause))
        requestedFor = next
        guard soonest < next.due else { return }
        orders.append(.requestBackgroundTask(notBefore: soonest))
    }
}
