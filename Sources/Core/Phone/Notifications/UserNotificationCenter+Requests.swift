import SansIO
import KodamaSimulation

/// What apps order of the notification centre, and how notifications come.
extension UserNotificationCenter {
    mutating func perform(_ order: NotificationOrder, of app: AppID, in turn: inout Turn<Effect>) {
        switch order {
        case .requestAuthorization(let operation):
            guard !clients[app.index].prompt.holds(operation, at: turn.now) else { return }
            answer([operation], of: app, in: &turn)
        case .getSettings(let operation):
            turn.order(.answered(app, operation, .settings(clients[app.index].settings)))
        case .add(let operation, let request): add(request, operation, of: app, in: &turn)
        case .removePending(let identifiers):
            pending.removeAll { $0.app == app && identifiers.contains($0.request.identifier) }
        case .removeAllPending: pending.removeAll { $0.app == app }
        case .getPending(let operation):
            let requests = pending.filter { $0.app == app }.map(\.request)
            turn.order(.answered(app, operation, .pending(requests)))
        case .getDelivered(let operation):
            let list = delivered.filter { $0.app == app }.map(\.notification)
            turn.order(.answered(app, operation, .delivered(list)))
        case .removeDelivered(let identifiers): removeDelivered(app, identifiers)
        }
    }

    func answer(
        _ operations: [OperationID],
        of app: AppID,
        in turn: inout Turn<Effect>
    ) {
        let isGranted = clients[app.index].prompt.isGranted
        for operation in operations {
            turn.order(.answered(app, operation, .authorization(isGranted: isGranted)))
        }
    }

    mutating func removeDelivered(_ app: AppID, _ identifiers: [String]) {
        delivered.removeAll {
            $0.app == app && identifiers.contains($0.notification.identifier)
        }
    }

    // MARK: Pending

    private mutating func add(
        _ request: NotificationRequest,
        _ operation: OperationID,
        of app: AppID,
        in turn: inout Turn<Effect>
    ) {
        if case .interval(let interval, let repeats) = request.trigger,
            interval <= .zero || (repeats && interval < .seconds(60))
        {
            return turn.order(.answered(app, operation, .failed))
        }
        pending.removeAll { $0.app == app && $0.request.identifier == request.identifier }
        let local = clock.local(at: turn.now)
        var target: CivilTime?
        switch request.trigger {
        case .calendar(let time): target = time
        case .repeating(let time, let weekdays): target = local.next(time, on: weekdays)
        case .date, .interval, nil: break
        }
        turn.order(.answered(app, operation, .done))
        // A date that is past has no next trigger date: it never comes.
        if let target, target <= local { return }
        if case .date(let time) = request.trigger, time <= clock.reading(at: turn.now) { return }
        let delay = draws.duration(in: configuration.delay)
        pending.append(
            Pending(app: app, request: request, base: turn.now, target: target, delay: delay)
        )
        keepLimit(app, in: &turn)
    }

    /// Drops a request where there are more than 64; no error says so.
    private mutating func keepLimit(_ app: AppID, in turn: inout Turn<Effect>) {
        let indices = pending.indices.filter { pending[$0].app == app }
        guard indices.count > Self.pendingMax, var dropped = indices.first else { return }
        if configuration.limitRule == .soonest {
            for index in indices where due(pending[index]) >= due(pending[dropped]) {
                dropped = index
            }
        }
        let identifier = pending.remove(at: dropped).request.identifier
        turn.order(.suppressed(app, identifier: identifier, .overLimit))
    }

    func due(_ next: Pending) -> Instant {
        let time: Instant
        if let target = next.target {
            time = clock.instant(of: target)
        } else if case .date(let date) = next.request.trigger {
            time = clock.instant(of: date)
        } else if case .interval(let interval, _) = next.request.trigger {
            time = next.base.held(after: interval)
        } else {
            time = next.base
        }
        // A time at the edge of what can be said stays there.
        return time.nanoseconds > .max / 2 ? time : time.advanced(by: next.delay)
    }

    /// Lets what repeats come at the next such hour of a clock that was set back.
    mutating func reschedule(at now: Instant) {
        let local = clock.local(at: now)
        for index in pending.indices {
            guard case .repeating(let time, let weekdays) = pending[index].request.trigger,
                let target = pending[index].target
            else { continue }
            pending[index].target = min(target, local.next(time, on: weekdays))
        }
    }

    /// Takes what is due out of what waits, in the order in which it is; what repeats waits again.
    mutating func takeDue(at now: Instant) -> [Pending] {
        let ready = pending.enumerated().map { (offset: $0, due: due($1), element: $1) }
            .filter { $0.due <= now }
        guard !ready.isEmpty else { return [] }
        for position in ready.reversed() { pending.remove(at: position.offset) }
        for position in ready {
            var next = position.element
            switch next.request.trigger {
            case .interval(let interval, repeats: true):
                let elapsed = next.base.duration(to: now).wholeNanoseconds
                let rounds = max(1, elapsed / interval.wholeNanoseconds)
                next.base = next.base.advanced(
                    by: .nanoseconds(rounds * interval.wholeNanoseconds)
                )
            case .repeating(let time, let weekdays):
                let latest = max(clock.local(at: now), next.target ?? clock.local(at: now))
                next.target = latest.next(time, on: weekdays)
            default: continue
            }
            next.delay = draws.duration(in: configuration.delay)
            pending.append(next)
        }
        return ready.sorted { ($0.due, $0.offset) < ($1.due, $1.offset) }.map(\.element)
    }

    // MARK: Delivery

    mutating func deliver(
        _ request: NotificationRequest,
        of app: AppID,
        in turn: inout Turn<Effect>
    ) {
        let client = clients[app.index]
        let identifier = request.identifier
        guard isOn else {
            return turn.order(.suppressed(app, identifier: identifier, .phoneOff))
        }
        guard client.prompt.isGranted else {
            return turn.order(.suppressed(app, identifier: identifier, .notAuthorized))
        }
        guard !client.isInFront || client.asked.count >= Self.pendingMax else {
            clients[app.index].asked.removeAll { $0.identifier == identifier }
            clients[app.index].asked.append(request)
            return turn.order(.willPresent(app, identifier: identifier))
        }
        let level = client.settings.effective(request.level)
        list(request, of: app, at: turn.now)
        if let fault = obstacle(to: level, of: client.settings) {
            if fault == .summary {
                delivered[delivered.count - 1].waitsForSummary = true
                nextSummary = nextSummary ?? summary(after: clock.local(at: turn.now))
            }
            return turn.order(.suppressed(app, identifier: identifier, fault))
        }
        show(request, level, of: app, in: &turn)
    }

    /// What keeps a notification in the list, if anything.
    private func obstacle(
        to level: InterruptionLevel,
        of settings: NotificationSettings
    ) -> NotificationFault? {
        if let focus, level != .critical, !settings.isAllowedInFocus,
            level != .timeSensitive || !focus.allowsTimeSensitive
        {
            return .focus
        }
        let isLow = level == .active || level == .passive
        return settings.isInSummary && isLow && !configuration.summaries.isEmpty ? .summary : nil
    }

    private mutating func show(
        _ request: NotificationRequest,
        _ level: InterruptionLevel,
        of app: AppID,
        in turn: inout Turn<Effect>
    ) {
        let client = clients[app.index]
        let isCritical = level == .critical
        var sound: SystemSound?
        if level != .passive, client.settings.allowsSounds || isCritical, let name = request.sound {
            sound = .resolve(name, among: client.sounds)
        }
        // Each critical alert takes its draw, whether a Focus is on or not.
        let fails = isCritical && draws.bernoulli(configuration.criticalIsSilentInSleepFocus)
        if fails, focus?.kind == .sleep { sound = nil }
        let presentation = NotificationPresentation(
            isShown: level != .passive && client.settings.allowsAlerts,
            sound: sound,
            isCritical: isCritical
        )
        turn.order(.delivered(app, identifier: request.identifier, presentation))
    }

    /// Does as the app in front chose.
    mutating func present(
        _ identifier: String,
        of app: AppID,
        isShown: Bool,
        in turn: inout Turn<Effect>
    ) {
        let asked = clients[app.index].asked
        guard let request = asked.first(where: { $0.identifier == identifier }) else { return }
        clients[app.index].asked.removeAll { $0.identifier == identifier }
        guard isShown else { return }
        list(request, of: app, at: turn.now)
        show(request, clients[app.index].settings.effective(request.level), of: app, in: &turn)
    }

    /// Takes a notification out of the list by one of its buttons.
    mutating func choose(
        _ action: String,
        of identifier: String,
        _ app: AppID,
        in turn: inout Turn<Effect>
    ) {
        let hasButton = delivered.contains {
            $0.app == app && $0.notification.identifier == identifier && $0.actions.contains(action)
        }
        guard hasButton else { return }
        removeDelivered(app, [identifier])
        turn.order(.actionChosen(app, identifier: identifier, action: action))
    }

    /// Puts a notification into the list, in the place of one of the same identifier.
    mutating func list(_ request: NotificationRequest, of app: AppID, at now: Instant) {
        removeDelivered(app, [request.identifier])
        delivered.append(
            Delivered(
                app: app,
                notification: DeliveredNotification(request.identifier, at: clock.reading(at: now)),
                actions: request.actions,
                waitsForSummary: false
            )
        )
        let count = delivered.count { $0.app == app }
        guard count > Self.deliveredMax,
            let oldest = delivered.firstIndex(where: { $0.app == app })
        else { return }
        delivered.remove(at: oldest)
    }

    mutating func power(isOn: Bool, in turn: inout Turn<Effect>) {
        guard self.isOn != isOn else { return }
        self.isOn = isOn
        guard isOn, !configuration.deliversMissedAtStart else { return }
        for missed in takeDue(at: turn.now) {
            let identifier = missed.request.identifier
            turn.order(.suppressed(missed.app, identifier: identifier, .phoneOff))
        }
    }
}
