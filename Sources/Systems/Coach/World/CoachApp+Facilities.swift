import AppCoordination
import CoachAccount
import KodamaEvidence
import KodamaLanguage
import KodamaPhone
import KodamaWorld
import RealtimeVoice
import SansIO
import WakeFlow

/// What the phone's system has for the app, seen from outside.
struct Armory {
    /// A sound that the system has, and will fire.
    struct Held {
        let entry: WakeEntry
        var due: Instant
        var id: WakeEntryID { entry.id }
        var route: WakeRoute { WakeRoute(entry.path) }
    }

    var operations = OperationCounter()
    var held: [Held] = []
    /// Sounds that were ordered and not answered.
    var ordered: [(operation: OperationID, held: Held)] = []
    /// The alarms that alert, the latest at the end.
    var alerting: [WakeEntryID] = []
    /// The notification that came last and was not answered.
    var shown: WakeEntryID?
    /// How the alarm that ended last did.
    var lastEnd: AlarmEnd?
    /// Whether the system, and not the user, ends the process now.
    var endsProcess = false
    /// Whether the phone was not unlocked since it was switched on.
    var isBeforeFirstUnlock = false
    /// When the mirror last had the system run the app.
    var hasWoken: Instant?

    mutating func release(_ id: WakeEntryID) -> Held? {
        guard let index = held.firstIndex(where: { $0.id == id }) else { return nil }
        return held.remove(at: index)
    }
}

// How the app's orders reach the phone's alarms and notifications, and what those do.

extension CoachApp {
    // MARK: Orders

    func arm(_ entry: WakeEntry, on stage: inout Stage) {
        let operation = armory.operations.next()
        let reading = wallTime(on: stage)
        let due = dueInstant(of: entry, on: stage)
        armory.ordered.append((operation, Armory.Held(entry: entry, due: due)))
        switch entry.path {
        case .systemAlarm:
            let alarm = AlarmConfiguration(
                entry.schedule.alarmSchedule(from: zone.local(reading)),
                sound: .named(entry.sound.fileName),
                stopIntent: .opensApp,
                secondaryButton: .custom(.inBackground)
            )
            let order = AlarmOrder.schedule(operation, id: entry.id.uuid, alarm)
            alarms.tell(.ordered(Self.own, order), on: &stage)
        case .criticalAlert, .timeSensitive:
            let request = NotificationRequest(
                entry.id.text,
                entry.schedule.notificationTrigger,
                level: entry.path == .criticalAlert ? .critical : .timeSensitive,
                sound: .named(entry.sound.fileName),
                actions: [WakeEntry.snoozeAction]
            )
            center.tell(.ordered(Self.own, .add(operation, request)), on: &stage)
        }
    }

    /// When an entry is due by the phone's clock and zone.
    private func dueInstant(of entry: WakeEntry, on stage: borrowing Stage) -> Instant {
        let reading = wallTime(on: stage).nanosecondsSince1970
        let due = entry.schedule.wallTime(in: zone).nanosecondsSince1970
        return stage.now.advanced(by: .nanoseconds(due - reading))
    }

    /// The clock or the zone changed: what is armed is due at another instant.
    func locateHeld(on stage: inout Stage) {
        for index in armory.held.indices {
            armory.held[index].due = dueInstant(of: armory.held[index].entry, on: stage)
        }
        for index in armory.ordered.indices {
            let entry = armory.ordered[index].held.entry
            armory.ordered[index].held.due = dueInstant(of: entry, on: stage)
        }
    }

    func disarm(_ id: WakeEntryID, on stage: inout Stage) {
        _ = armory.release(id)
        armory.ordered.removeAll { $0.held.id == id }
        if armory.shown == id { armory.shown = nil }
        let operation = armory.operations.next()
        alarms.tell(.ordered(Self.own, .cancel(operation, id: id.uuid)), on: &stage)
        center.tell(.ordered(Self.own, .removePending([id.text])), on: &stage)
        center.tell(.ordered(Self.own, .removeDelivered([id.text])), on: &stage)
    }

    /// An order to arm something was answered.
    ///
    /// - Returns: Whether the answer was to one.
    private func armed(
        _ operation: OperationID,
        _ error: WakeFlow.ArmingError?,
        on stage: inout Stage
    ) -> Bool {
        let index = armory.ordered.firstIndex { $0.operation == operation }
        guard let index else { return false }
        let held = armory.ordered.remove(at: index).held
        if let error {
            tell(.armingFailed(held.id, error), on: &stage)
        } else {
            armory.held.append(held)
        }
        return true
    }

    // MARK: Alarms

    func perform(_ effect: SystemAlarms.Effect, on stage: inout Stage) {
        switch effect {
        case .answered(_, let operation, let answer): take(answer, operation, on: &stage)
        case .alertBegan(_, let id, _):
            guard let entry = WakeEntryID(id) else { return }
            noteFired(entry, on: &stage)
            armory.alerting.append(entry)
        case .alertEnded(_, let id, let end):
            armory.lastEnd = end
            armory.alerting.removeAll { $0.uuid == id }
        case .soundChanged(let sound): output.tell(.alarm(sound), on: &stage)
        case .runIntent(_, let id, let intent):
            guard let entry = WakeEntryID(id) else { return }
            let isSnooze = armory.lastEnd == .secondary
            run(intent, telling: isSnooze ? .entrySnoozed(entry) : .entryStopped(entry), on: &stage)
        case .failed(_, let id, let fault):
            guard let entry = WakeEntryID(id) else { return }
            noteLost(entry, EntryLoss(fault), on: &stage)
        case .stateChanged, .liveActivityStayed: break
        }
    }

    private func take(_ answer: AlarmAnswer, _ operation: OperationID, on stage: inout Stage) {
        switch answer {
        case .done: _ = armed(operation, nil, on: &stage)
        case .authorization(let isGranted):
            look.alarms = isGranted ? .granted : .denied
            tell(.grantsChanged(grants), on: &stage)
        case .alarms(let alarms):
            look.pending += alarms.compactMap { WakeEntryID($0.id) }
            answered(operation, on: &stage)
        case .failed(let error):
            if armed(operation, WakeFlow.ArmingError(error), on: &stage) { return }
            if look.asked.contains(operation) { answered(operation, on: &stage) }
        }
    }

    /// Runs the app for what the user did, in the background or in front of them.
    private func run(_ intent: AlarmIntent, telling event: CoachEvent, on stage: inout Stage) {
        tell(event, on: &stage)
        switch intent {
        case .inBackground: phone.tell(.ranInBackground(id), on: &stage)
        case .opensApp: phone.tell(.user(.tapNotification(id)), on: &stage)
        }
    }

    // MARK: Notifications

    func perform(_ effect: UserNotificationCenter.Effect, on stage: inout Stage) {
        switch effect {
        case .answered(_, let operation, let answer): take(answer, operation, on: &stage)
        case .willPresent(_, let identifier):
            let chosen = UserNotificationCenter.Event.presentationChosen(
                Self.own,
                identifier: identifier,
                isShown: true
            )
            center.tell(chosen, on: &stage)
        case .delivered(_, let identifier, let presentation):
            guard let entry = WakeEntryID(identifier) else {
                if let id = NudgeID(identifier) { nudgeCame(id, presentation, on: &stage) }
                return
            }
            noteFired(entry, on: &stage)
            armory.shown = entry
            guard let sound = presentation.sound else { return }
            let played = SoundOutput.Event.notification(sound, isCritical: presentation.isCritical)
            output.tell(played, on: &stage)
        case .responded(_, let identifier):
            if let id = NudgeID(identifier) {
                tell(.nudgeOpened(id), on: &stage)
                return phone.tell(.user(.tapNotification(self.id)), on: &stage)
            }
            guard let entry = answeredNotification(identifier, on: &stage) else { return }
            run(.opensApp, telling: .entryTapped(entry), on: &stage)
        case .actionChosen(_, let identifier, _):
            guard let entry = answeredNotification(identifier, on: &stage) else { return }
            run(.inBackground, telling: .entrySnoozed(entry), on: &stage)
        case .suppressed(_, let identifier, let fault):
            guard let entry = WakeEntryID(identifier) else {
                let isHidden = NotificationPresentation(isShown: false, sound: nil)
                if let id = NudgeID(identifier) { nudgeCame(id, isHidden, on: &stage) }
                return
            }
            noteLost(entry, EntryLoss(fault), on: &stage)
        case .summaryShown: break
        }
    }

    private func take(
        _ answer: NotificationAnswer,
        _ operation: OperationID,
        on stage: inout Stage
    ) {
        switch answer {
        case .done: _ = armed(operation, nil, on: &stage)
        case .failed: _ = armed(operation, .failed, on: &stage)
        case .authorization(let isGranted):
            look.notifications = isGranted ? .granted : .denied
            tell(.grantsChanged(grants), on: &stage)
        case .pending(let requests):
            look.pending += requests.compactMap { WakeEntryID($0.identifier) }
            answered(operation, on: &stage)
        case .delivered(let list):
            look.delivered += list.compactMap { WakeEntryID($0.identifier) }
            answered(operation, on: &stage)
        case .settings: break
        }
    }

    /// A wake's notification is answered, and sounds no more.
    private func answeredNotification(
        _ identifier: String,
        on stage: inout Stage
    ) -> WakeEntryID? {
        armory.shown = nil
        output.tell(.notificationAnswered, on: &stage)
        return WakeEntryID(identifier)
    }

    private func noteFired(_ entry: WakeEntryID, on stage: inout Stage) {
        guard let held = armory.release(entry) else { return }
        let fired = EntryFired(
            scheduled: held.due,
            route: TraceWord(held.route),
            rung: Int64(entry.rung),
            sound: TraceWord(shown(held.entry.sound))
        )
        note(fired, on: &stage)
    }

    private func noteLost(_ entry: WakeEntryID, _ loss: EntryLoss, on stage: inout Stage) {
        _ = armory.release(entry)
        note(EntryLost(loss: TraceWord(loss), rung: Int64(entry.rung)), on: &stage)
    }

    // MARK: Background tasks

    func perform(_ effect: BackgroundTasks.Effect, on stage: inout Stage) {
        switch effect {
        case .began:
            tell(.backgroundTaskStarted, on: &stage)
            phone.tell(.ranInBackground(id), on: &stage)
        case .expired: tell(.backgroundTaskExpired, on: &stage)
        case .overran: endProcess(on: &stage)
        case .answered: break
        }
    }

    // MARK: What befalls the phone

    func undergo(_ act: any SystemAct, on stage: inout Stage) {
        guard let act = act as? CoachAct else {
            preconditionFailure("the plan does \(act) to \(name)")
        }
        switch act {
        case .restart(let off): restart(off: off, on: &stage)
        case .endProcess: endProcess(on: &stage)
        case .distract: distract(on: &stage)
        case .voice(let isWanted):
            if isWanted { cloneVoice(on: &stage) } else { deleteVoice(on: &stage) }
        case .signIn, .signOut: opensToSign(act, on: &stage)
        case .grant(let permission, let isGranted):
            change(permission, isGranted: isGranted, on: &stage)
        case .protect(let isProtected):
            alarms.tell(.protectionChanged(Self.own, isProtected: isProtected), on: &stage)
        case .ringer(let percent): output.tell(.ringerVolume(percent: percent), on: &stage)
        case .mute(let isOn): output.tell(.muteSwitch(isOn: isOn), on: &stage)
        case .noise(let decibels):
            let noise = SoundLevel(decibelsA: decibels)
            person.noise = noise
            sleeper.tell(.noise(noise), on: &stage)
        case .face(let isSeen): output.tell(.attention(seesFace: isSeen), on: &stage)
        case .headset(let isConnected, let isWorn):
            output.tell(.headset(isConnected: isConnected, isWorn: isWorn), on: &stage)
            let way = isConnected ? Self.headphones : .loudspeaker
            changeOutput(way, isWorn: isWorn, on: &stage)
        case .car:
            output.tell(.headset(isConnected: false, isWorn: false), on: &stage)
            changeOutput(Self.car, isWorn: false, on: &stage)
        case .zone(let seconds): travel(to: seconds, on: &stage)
        case .battery(let percent):
            changeReserves(on: &stage) { $0.batteryPercent = percent }
        case .charge(let isOn): changeReserves(on: &stage) { $0.isCharging = isOn }
        case .lowPower(let isOn): changeReserves(on: &stage) { $0.isLowPowerMode = isOn }
        case .lowData(let isOn): changeReserves(on: &stage) { $0.isLowDataMode = isOn }
        }
        stage.readMail()
    }

    /// The system ends the process, which the user did not throw out.
    func endProcess(on stage: inout Stage) {
        armory.endsProcess = true
        phone.tell(.user(.killApp(id)), on: &stage)
        stage.post(ProcessEnd(of: self))
    }

    private func restart(off: Duration, on stage: inout Stage) {
        guard isPowered else { return }
        isPowered = false
        armory.isBeforeFirstUnlock = true
        note(PhonePowered(isOn: TraceFlag(false)), on: &stage)
        endProcess(on: &stage)
        phone.tell(.user(.lock), on: &stage)
        alarms.tell(.powerChanged(isOn: false), on: &stage)
        center.tell(.powerChanged(isOn: false), on: &stage)
        tasks.tell(.conditionChanged(backgroundCondition), on: &stage)
        schedule(.switchesOn, after: off, on: &stage)
    }

    func switchOn(on stage: inout Stage) {
        isPowered = true
        note(PhonePowered(isOn: TraceFlag(true)), on: &stage)
        alarms.tell(.powerChanged(isOn: true), on: &stage)
        center.tell(.powerChanged(isOn: true), on: &stage)
    }

    /// The user changes a permission in Settings; the app looks when it runs next.
    private func change(
        _ permission: CoachPermission,
        isGranted: Bool,
        on stage: inout Stage
    ) {
        let route: WakeRoute
        switch permission {
        case .alarms:
            route = .systemAlarm
            look.alarms = isGranted ? .granted : .denied
            let event = SystemAlarms.Event.permissionChanged(Self.own, isGranted: isGranted)
            alarms.tell(event, on: &stage)
        case .notifications, .critical:
            route = permission == .critical ? .criticalAlert : .timeSensitive
            if permission == .critical {
                look.settings.allowsCritical = isGranted
            } else {
                look.settings.permission = PermissionCondition(isGranted ? .granted : .denied)
                look.notifications = isGranted ? .granted : .denied
            }
            center.tell(.settingsChanged(Self.own, look.settings), on: &stage)
        }
        note(GrantChanged(route: TraceWord(route), isGranted: TraceFlag(isGranted)), on: &stage)
        guard phase == .running else { return }
        tell(.grantsChanged(grants), on: &stage)
    }
}

/// Marks, in the mail, that the system has ended a process.
private final class ProcessEnd: MailReader {
    private let app: CoachApp

    init(of app: CoachApp) { self.app = app }

    func readMail(on stage: inout Stage) { app.armory.endsProcess = false }
}

extension EntryLoss {
    fileprivate init(_ fault: AlarmFault) {
        switch fault {
        case .appProtected: self = .appProtected
        case .notAuthorized: self = .notAuthorized
        case .dismissedUnrung: self = .dismissedUnrung
        case .lostCollision: self = .lostCollision
        case .simulatorLocked: self = .simulatorLocked
        case .phoneOff: self = .phoneOff
        }
    }

    fileprivate init(_ fault: NotificationFault) {
        switch fault {
        case .notAuthorized: self = .notAuthorized
        case .overLimit: self = .overLimit
        case .focus: self = .focus
        case .summary: self = .summary
        case .phoneOff: self = .phoneOff
        }
    }
}

extension WakeFlow.ArmingError {
    fileprivate init(_ error: AlarmError) {
        switch error {
        case .unavailable, .notAuthorized: self = .denied
        case .maximumLimitReached: self = .limitReached
        case .invalid: self = .failed
        }
    }
}

extension WakeSchedule {
    /// When it sounds, in a zone.
    fileprivate func wallTime(in zone: TimeZoneRules) -> WallTime {
        switch self {
        case .fixed(let time): time
        case .relative(let local): zone.resolve(local).time
        }
    }

    /// As a notification's calendar trigger takes it, with its time zone or without.
    fileprivate var notificationTrigger: NotificationRequest.Trigger {
        switch self {
        case .fixed(let time): .date(time)
        case .relative(let local):
            .calendar(
                CivilTime(
                    WallTime(
                        secondsSince1970: Int64(local.day.number) * 86_400
                            + Int64(local.time.seconds)
                    )
                )
            )
        }
    }

    /// As AlarmKit takes it, which knows weekdays and no dates.
    fileprivate func alarmSchedule(from now: LocalTime) -> AlarmConfiguration.Schedule {
        switch self {
        case .fixed(let time): return .fixed(time)
        case .relative(let local):
            let time = ClockTime(hour: Int(local.time.hour), minute: Int(local.time.minute))
            let isNext =
                local.day == now.day
                || (local.day.number == now.day.number + 1
                    && local.time.seconds <= now.time.seconds)
            guard !isNext else { return .relative(time) }
            // Bit 0 is Monday there and Sunday here.
            let monday = Weekdays(of: local.day).rawValue
            let sunday = (monday << 1 | monday >> 6) & 0x7F
            return .relative(time, repeats: CivilWeekdays(rawValue: sunday))
        }
    }
}
