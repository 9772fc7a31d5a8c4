import SansIO

/// What apps order of the alarms, and how they are answered.
extension SystemAlarms {
    mutating func perform(_ order: AlarmOrder, of app: AppID, in turn: inout Turn<Effect>) {
        guard configuration.version >= IOSVersion(26) else {
            return answer(order, of: app, .failed(.unavailable), in: &turn)
        }
        switch order {
        case .requestAuthorization, .schedule:
            // The user is asked once, at the first order that needs it.
            guard clients[app.index].app.hasUsageDescription,
                clients[app.index].prompt.holds(order, at: turn.now)
            else { return carryOut(order, of: app, in: &turn) }
        case .cancel(_, let id):
            guard let index = index(of: id, app) else { return refuse(order, of: app, in: &turn) }
            remove(index, in: &turn)
            answer(order, of: app, .done, in: &turn)
        case .stop(_, let id):
            // Inside the stop intent the alarm is over, and this is an error (Apple, developer forums, thread
            // 797158).
            guard let index = index(of: id, app), isAlertingOrSnoozed(index) else {
                return refuse(order, of: app, in: &turn)
            }
            end(index, .byApp, in: &turn)
            answer(order, of: app, .done, in: &turn)
        case .countdown(_, let id):
            guard let index = index(of: id, app), case .alerting = entries[index].state,
                case .countdown(let postAlert) = entries[index].configuration.secondaryButton
            else { return refuse(order, of: app, in: &turn) }
            snooze(index, for: postAlert, in: &turn)
            answer(order, of: app, .done, in: &turn)
        case .listAlarms:
            let alarms = entries.filter { $0.app == app }.map { AlarmEntry($0.id, $0.alarmState) }
            answer(order, of: app, .alarms(alarms), in: &turn)
        }
    }

    mutating func carryOut(_ order: AlarmOrder, of app: AppID, in turn: inout Turn<Effect>) {
        let client = clients[app.index]
        let isGranted = client.app.hasUsageDescription && client.prompt.isGranted
        switch order {
        case .schedule(_, let id, let alarm):
            guard isGranted else {
                return answer(order, of: app, .failed(.notAuthorized), in: &turn)
            }
            schedule(id, alarm, for: order, of: app, in: &turn)
        default:
            answer(order, of: app, .authorization(isGranted: isGranted), in: &turn)
        }
    }

    private mutating func schedule(
        _ id: UniqueID,
        _ alarm: AlarmConfiguration,
        for order: AlarmOrder,
        of app: AppID,
        in turn: inout Turn<Effect>
    ) {
        if case .fixed(let time) = alarm.schedule, time <= clock.reading(at: turn.now) {
            return refuse(order, of: app, in: &turn)
        }
        let old = index(of: id, app)
        let count = entries.count { $0.app == app }
        guard old != nil || (count < configuration.alarmsMax && entries.count < Self.entriesMax)
        else { return answer(order, of: app, .failed(.maximumLimitReached), in: &turn) }
        // An identifier that is used again replaces its alarm, by assumption.
        if let old { remove(old, in: &turn) }
        occurrenceCount += 1
        let local = clock.local(at: turn.now)
        let (target, nominal) = target(of: alarm.schedule, occurrenceCount, after: local)
        entries.append(
            Entry(
                app: app,
                id: id,
                configuration: alarm,
                state: .scheduled(target),
                nominal: nominal,
                occurrence: occurrenceCount
            )
        )
        turn.order(.stateChanged(app, id, .scheduled))
        answer(order, of: app, .done, in: &turn)
    }

    /// When an alarm is due next, at the midnight before if that bug meets it, and when it is meant to be.
    func target(
        of schedule: AlarmConfiguration.Schedule,
        _ occurrence: UInt64,
        after now: CivilTime
    ) -> (target: Target, nominal: CivilTime) {
        let target: Target
        let time: CivilTime
        switch schedule {
        case .fixed(let wall):
            target = .wall(wall)
            time = clock.local(at: clock.instant(of: wall))
        case .relative(let timeOfDay, let weekdays):
            time = now.next(timeOfDay, on: weekdays)
            target = .local(time)
        }
        let midnight = CivilTime(day: time.day, .midnight)
        let isMoved = happens(.midnight, occurrence, configuration.faults.firesAtMidnight)
        return (isMoved && midnight > now ? .local(midnight) : target, time)
    }

    /// Lets what waits for a local hour come at the next one of a clock that was set back.
    mutating func reschedule(at now: Instant) {
        let local = clock.local(at: now)
        for index in entries.indices {
            guard case .scheduled = entries[index].state else { continue }
            let (schedule, occurrence) = (
                entries[index].configuration.schedule, entries[index].occurrence
            )
            let next = target(of: schedule, occurrence, after: local)
            guard next.nominal < entries[index].nominal else { continue }
            entries[index].nominal = next.nominal
            entries[index].state = .scheduled(next.target)
        }
    }

    func index(of id: UniqueID, _ app: AppID) -> Int? {
        entries.firstIndex { $0.id == id && $0.app == app }
    }

    private func isAlertingOrSnoozed(_ index: Int) -> Bool {
        switch entries[index].state {
        case .alerting, .countdown: true
        case .scheduled, .late: false
        }
    }

    private func refuse(_ order: AlarmOrder, of app: AppID, in turn: inout Turn<Effect>) {
        answer(order, of: app, .failed(.invalid), in: &turn)
    }

    private func answer(
        _ order: AlarmOrder,
        of app: AppID,
        _ answer: AlarmAnswer,
        in turn: inout Turn<Effect>
    ) {
        turn.order(.answered(app, order.operation, answer))
    }
}

extension AlarmOrder {
    var operation: OperationID {
        switch self {
        case .requestAuthorization(let operation), .listAlarms(let operation): operation
        case .schedule(let operation, _, _): operation
        case .cancel(let operation, _), .stop(let operation, _), .countdown(let operation, _):
            operation
        }
    }
}

extension SystemAlarms.Entry {
    /// Where the app sees it.
    var alarmState: AlarmState {
        switch state {
        case .scheduled, .late: .scheduled
        case .countdown: .countdown
        case .alerting: .alerting
        }
    }
}
