import SansIO
import KodamaSimulation

/// How alarms alert, fail and end.
extension SystemAlarms {
    private var faults: AlarmFaultRates { configuration.faults }

    /// Lets all alarms that are due alert, those of one instant in an order drawn by lot.
    mutating func fireDue(in turn: inout Turn<Effect>) {
        var queue: [(due: Instant, tie: UInt64, app: AppID, id: UniqueID)] = []
        for entry in entries {
            guard let due = due(entry), due <= turn.now else { continue }
            var lot = bits(.tie, entry.occurrence)
            let tie = lot.next()
            queue.append((due, tie, entry.app, entry.id))
        }
        queue.sort { ($0.due, $0.tie) < ($1.due, $1.tie) }
        var wasLate = false
        for next in queue {
            guard let index = index(of: next.id, next.app) else { continue }
            if case .late = entries[index].state { wasLate = true }
            fire(index, due: next.due, in: &turn)
        }
        guard wasLate, faults.bunchesLateAlarms else { return }
        for entry in entries {
            guard case .late(let until) = entry.state, until > turn.now,
                let index = index(of: entry.id, entry.app)
            else { continue }
            fire(index, due: turn.now, in: &turn)
        }
    }

    private mutating func fire(_ index: Int, due: Instant, in turn: inout Turn<Effect>) {
        let entry = entries[index]
        let isOfDenseSeries = isOfDenseSeries(entry, due: due)
        clients[entry.app.index].lastDue = due
        if case .scheduled = entry.state, isLocked, isOfDenseSeries,
            happens(.late, entry.occurrence, faults.denseSeriesLate)
        {
            var stream = bits(.delay, entry.occurrence)
            let delay = stream.duration(in: faults.denseSeriesDelay)
            entries[index].state = .late(until: max(turn.now, due).advanced(by: delay))
            return
        }
        if let fault = fault(of: entry, at: turn.now) {
            turn.order(.failed(entry.app, entry.id, fault))
            return finish(index, in: &turn)
        }
        alertCount += 1
        var alert = Alert(number: alertCount, began: turn.now, alert: appearance(of: entry))
        if happens(.freeze, entry.occurrence, faults.freezes) {
            alert.frozenUntil = turn.now.advanced(by: faults.freezeTime)
        }
        entries[index].state = .alerting(alert)
        turn.order(.alertBegan(entry.app, entry.id, alert.alert))
        turn.order(.stateChanged(entry.app, entry.id, .alerting))
    }

    /// Whether another alarm of the app was or is due near this one.
    private func isOfDenseSeries(_ entry: Entry, due: Instant) -> Bool {
        func isNear(_ other: Instant?) -> Bool {
            guard let other else { return false }
            let distance = other.duration(to: due)
            return max(distance, .zero - distance) <= faults.denseSeriesSpacing
        }
        return isNear(clients[entry.app.index].lastDue)
            || entries.contains {
                $0.app == entry.app && $0.id != entry.id && isNear(self.due($0))
            }
    }

    /// Why an alarm that is due does not alert.
    private func fault(of entry: Entry, at now: Instant) -> AlarmFault? {
        let client = clients[entry.app.index]
        // That an alarm scheduled before stays silent when the permission is taken back is an assumption.
        if !client.prompt.isGranted { return .notAuthorized }
        if client.app.isProtected { return .appProtected }
        if configuration.isSimulator, isLocked, configuration.version >= IOSVersion(26, 1) {
            return .simulatorLocked
        }
        if case .countdown = entry.configuration.secondaryButton, !client.app.hasWidgetExtension,
            happens(.dismissed, entry.occurrence, faults.dismissedWithoutWidget)
        {
            return .dismissedUnrung
        }
        let collides = entries.contains {
            if case .alerting(let alert) = $0.state { alert.began == now } else { false }
        }
        if collides, happens(.collision, entry.occurrence, faults.collisionLosesOne) {
            return .lostCollision
        }
        return nil
    }

    private func appearance(of entry: Entry) -> AlarmAlert {
        if happens(.silence, entry.occurrence, faults.alertsInSilence) {
            return AlarmAlert(.nowhere, sound: nil)
        }
        let files = clients[entry.app.index].app.sounds
        var sound: SystemSound? = .resolve(entry.configuration.sound, among: files)
        if case .file = sound, configuration.version < IOSVersion(26, 1),
            happens(.errorTone, entry.occurrence, faults.errorTone)
        {
            sound = .errorTone
        }
        if happens(.reset, entry.occurrence, faults.soundReset) { sound = nil }
        guard !isLocked else { return AlarmAlert(.fullScreen, sound: sound) }
        let onlyBuzzes = happens(.buzz, entry.occurrence, faults.unlockedOnlyBuzzes)
        return AlarmAlert(.banner, sound: onlyBuzzes ? nil : sound)
    }

    // MARK: What ends an alert

    mutating func perform(_ act: AlarmAct, in turn: inout Turn<Effect>) {
        guard isOn, let index = shownIndex else { return }
        let entry = entries[index]
        let hasSlider = configuration.version >= IOSVersion(26, 1)
        switch act {
        case .tapStop where !hasSlider, .slideToStop where hasSlider:
            end(index, .stopped, in: &turn)
            let opens = !isLocked || configuration.opensAppWhenLocked
            run(entry.configuration.stopIntent, mayOpen: opens, of: entry, in: &turn)
        case .pressHardwareButton:
            end(index, .stoppedByHardwareButton, in: &turn)
            let opens = configuration.opensAppFromHardwareStop
            run(entry.configuration.stopIntent, mayOpen: opens, of: entry, in: &turn)
        case .tapSecondary: tapSecondary(index, in: &turn)
        case .tapStop, .slideToStop: return
        }
    }

    private mutating func tapSecondary(_ index: Int, in turn: inout Turn<Effect>) {
        let entry = entries[index]
        switch entry.configuration.secondaryButton {
        case nil: return
        case .countdown(let postAlert): snooze(index, for: postAlert, in: &turn)
        case .custom(let intent):
            // The intent runs only after the first unlock since the phone was switched on (Apple, developer
            // forums, thread 797158); that the alarm ends nevertheless is an assumption.
            end(index, .secondary, in: &turn)
            let opens = !isLocked || configuration.opensAppWhenLocked
            if wasUnlocked { run(intent, mayOpen: opens, of: entry, in: &turn) }
        }
    }

    private func run(
        _ intent: AlarmIntent?,
        mayOpen: Bool,
        of entry: Entry,
        in turn: inout Turn<Effect>
    ) {
        guard let intent else { return }
        turn.order(.runIntent(entry.app, entry.id, mayOpen ? intent : .inBackground))
    }

    mutating func snooze(_ index: Int, for postAlert: Duration, in turn: inout Turn<Effect>) {
        let (app, id) = (entries[index].app, entries[index].id)
        // An alarm that rings again draws anew.
        occurrenceCount += 1
        entries[index].occurrence = occurrenceCount
        let least = max(postAlert, .seconds(1))
        entries[index].state = .countdown(until: turn.now.held(after: least))
        turn.order(.alertEnded(app, id, .snoozed))
        turn.order(.stateChanged(app, id, .countdown))
    }

    /// Ends an alert or a countdown.
    mutating func end(_ index: Int, _ end: AlarmEnd, in turn: inout Turn<Effect>) {
        let entry = entries[index]
        if case .alerting = entry.state {
            turn.order(.alertEnded(entry.app, entry.id, end))
            if end == .stopped,
                happens(.liveActivity, entry.occurrence, faults.liveActivityStays)
            {
                turn.order(.liveActivityStayed(entry.app, entry.id))
            }
        }
        finish(index, in: &turn)
    }

    /// Removes an alarm, or schedules its next time.
    private mutating func finish(_ index: Int, in turn: inout Turn<Effect>) {
        let entry = entries[index]
        guard case .relative(_, let repeats) = entry.configuration.schedule, !repeats.isEmpty else {
            entries.remove(at: index)
            return turn.order(.stateChanged(entry.app, entry.id, nil))
        }
        occurrenceCount += 1
        entries[index].occurrence = occurrenceCount
        // One that came before its time, at midnight, has had that day.
        let latest = max(clock.local(at: turn.now), entry.nominal)
        let next = target(of: entry.configuration.schedule, occurrenceCount, after: latest)
        entries[index].nominal = next.nominal
        entries[index].state = .scheduled(next.target)
        turn.order(.stateChanged(entry.app, entry.id, .scheduled))
    }

    mutating func remove(_ index: Int, in turn: inout Turn<Effect>) {
        let entry = entries.remove(at: index)
        if case .alerting = entry.state { turn.order(.alertEnded(entry.app, entry.id, .byApp)) }
        turn.order(.stateChanged(entry.app, entry.id, nil))
    }

    // MARK: The phone

    /// A phone that goes off ends what alerts; one that comes on has missed what was due, by assumption.
    mutating func power(isOn: Bool, in turn: inout Turn<Effect>) {
        guard self.isOn != isOn else { return }
        self.isOn = isOn
        for entry in entries {
            guard let index = index(of: entry.id, entry.app) else { continue }
            if isOn {
                guard let due = due(entry), due <= turn.now else { continue }
                turn.order(.failed(entry.app, entry.id, .phoneOff))
                finish(index, in: &turn)
            } else if case .alerting = entry.state {
                end(index, .phoneOff, in: &turn)
            }
        }
        guard isOn else { return }
        isLocked = true
        wasUnlocked = false
    }

    /// A phone call may end the sound of what alerts.
    mutating func callBegan() {
        for index in entries.indices {
            guard case .alerting(var alert) = entries[index].state,
                happens(.call, entries[index].occurrence, faults.callEndsSound)
            else { continue }
            alert.alert.sound = nil
            entries[index].state = .alerting(alert)
        }
    }
}
