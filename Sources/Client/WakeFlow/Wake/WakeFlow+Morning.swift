import SansIO

/// The morning: from the first answer to the end of the guide.
extension WakeFlow {
    enum Answer {
        case tap
        case stop
        case snooze
    }

    mutating func answered(_ id: WakeEntryID, _ answer: Answer, at now: Instant) {
        let time = clock.reading(at: now)
        advance(at: now)
        guard let wake = record.wakes.first(where: { $0.setting.id == id.wake }),
            let next = wake.next
        else {
            // A sound of a morning that is over, or of a wake that was removed: the user wants to talk.
            orders.append(.disarm(id))
            if answer == .tap { orders.append(.openConversation) }
            return
        }
        guard next.due <= time.advanced(by: configuration.earlinessMax) else {
            sounded(id, answer, outsideOf: next)
            return
        }
        if record.morning?.wake != id.wake {
            // Another wake sounds while the user talks: it is silenced with the morning's own ladder.
            guard conversation == .none else { return orders.append(.disarm(id)) }
            // A morning that the later wake finds unfinished came to nothing.
            if let former = record.morning {
                finish(former.wake, former.occurrence, .notDone, at: time)
            }
            record.morning = WakeRecord.Morning(wake: id.wake, occurrence: next)
            tell(.wakeTriggered, id.wake, next, at: time)
        }
        switch answer {
        case .snooze where (record.morning?.snoozes ?? 0) < configuration.snoozesMax:
            record.morning?.snoozes += 1
            endConversation()
            rearm(after: configuration.snoozeInterval, isSnooze: true, at: time)
        case .snooze, .stop:
            // A hardware button stops an alarm that nobody has heard: the ladder goes on until they talk.
            if conversation == .none { rearm(after: configuration.rearmDelay, at: time) }
            converse(at: now)
        case .tap:
            // In the guide the ladder is already behind the line that is to be answered.
            if conversation == .none { silence(for: configuration.connectPatience, at: time) }
            converse(at: now)
        }
    }

    /// An entry was answered, and the wake's next morning is far.
    private mutating func sounded(
        _ id: WakeEntryID,
        _ answer: Answer,
        outsideOf next: WakeRecord.Occurrence
    ) {
        orders.append(.disarm(id))
        if record.armed.contains(where: { $0.entry.id == id }) {
            // It sounded hours early, and is used up: its ladder is armed anew.
            record.armed.removeAll { $0.entry.id == id }
        } else if answer == .tap {
            // It has lain in the notification centre since another morning: the user wants to talk.
            orders.append(.openConversation)
        }
    }

    /// Takes the ladder back while the user talks, or moves it behind what is to happen in `patience`.
    private mutating func silence(for patience: Duration, at time: WallTime) {
        record.morning?.ladderFrom = nil
        guard configuration.guideGuard > .zero else { return }
        rearm(after: patience + configuration.guideGuard, at: time)
    }

    /// Lets the ladder begin again; unless it is for a snooze, only while the morning isn't over by then.
    mutating func rearm(after delay: Duration, isSnooze: Bool = false, at time: WallTime) {
        guard let morning = record.morning else { return }
        let start = time.advanced(by: delay)
        record.morning?.ladderFrom = start
        if !isSnooze, start >= morning.occurrence.due.advanced(by: configuration.window) {
            record.morning?.ladderFrom = nil
        }
    }

    private mutating func converse(at now: Instant) {
        guard conversation == .none else { return }
        guard flags.usesRealtime else { return beginGuide(at: now) }
        conversation = .connecting(until: now.advanced(by: configuration.connectPatience))
        orders.append(.connectSession)
    }

    mutating func beginGuide(at now: Instant) {
        let time = clock.reading(at: now)
        guard let morning = record.morning else { return conversation = .none }
        if !morning.wasJoined { tell(.wakeJoined, morning.wake, morning.occurrence, at: time) }
        record.morning?.wasJoined = true
        record.morning?.isGuiding = true
        conversation = .guiding(GuidedScript(configuration: configuration.script))
        driveScript(.begun, at: now)
    }

    mutating func driveScript(_ event: GuidedScript.Event?, at now: Instant) {
        guard case .guiding(var script) = conversation else { return }
        let ordered = script.drive(event, at: now)
        conversation = .guiding(script)
        for order in ordered {
            switch order {
            case .say(let line):
                let patience = configuration.script.steps[line.step].timeout
                silence(for: patience, at: clock.reading(at: now))
                orders.append(.say(line))
            case .ended(let outcome): scriptEnded(outcome, at: clock.reading(at: now))
            }
        }
    }

    /// The user gave up, or a call took the audio; also while the session still connects.
    mutating func broken(_ event: GuidedScript.Event, at now: Instant) {
        switch conversation {
        case .none:
            guard event == .gaveUp, let morning = record.morning else { return }
            end(morning, .gaveUp, at: clock.reading(at: now))
        case .connecting:
            scriptEnded(event == .gaveUp ? .gaveUp : .cutOff, at: clock.reading(at: now))
        case .guiding: driveScript(event, at: now)
        }
    }

    /// The user left the conversation, and the bed or not: the morning is not done.
    mutating func hungUp(at now: Instant) {
        guard conversation != .none else { return }
        scriptEnded(.notDone, at: clock.reading(at: now))
    }

    private mutating func scriptEnded(_ outcome: GuidedScript.Outcome, at time: WallTime) {
        endConversation()
        guard let morning = record.morning else { return }
        switch outcome {
        case .done: end(morning, .done, at: time)
        case .gaveUp: end(morning, .gaveUp, at: time)
        case .cutOff: end(morning, .cutOff, at: time)
        case .notDone:
            record.morning?.isGuiding = false
            rearm(after: configuration.rearmDelay, at: time)
            if record.morning?.ladderFrom == nil { end(morning, .notDone, at: time) }
        }
    }

    /// Closes the morning, and that of every other wake that came due meanwhile.
    private mutating func end(
        _ morning: WakeRecord.Morning,
        _ outcome: MorningOutcome,
        at time: WallTime
    ) {
        finish(morning.wake, morning.occurrence, outcome, at: time)
        for wake in record.wakes where wake.setting.id != morning.wake {
            guard let next = wake.next, next.due <= time else { continue }
            tell(.wakeTriggered, wake.setting.id, next, at: time)
            finish(wake.setting.id, next, outcome, at: time)
        }
    }

    mutating func endConversation() {
        guard conversation != .none else { return }
        conversation = .none
        record.morning?.isGuiding = false
        orders.append(.endSession)
    }
}
