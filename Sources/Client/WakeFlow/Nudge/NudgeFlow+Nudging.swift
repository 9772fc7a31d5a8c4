import SansIO

/// From the detector's word to the way back.
extension NudgeFlow {
    mutating func detected(at now: Instant) {
        let time = clock.reading(at: now)
        guard grant == .granted, state == .idle, record.posted == nil else { return }
        let day = zone.local(time).day
        if record.day != day {
            record.day = day
            record.count = 0
        }
        guard record.count < nudgesMax(on: day) else { return }
        if let latest = record.latestAt, time < latest.advanced(by: configuration.gap) { return }
        record.latest &+= 1
        record.count += 1
        record.latestAt = time
        let id = NudgeID(number: record.latest)
        record.posted = NudgeRecord.Posted(id: id, at: time)
        tell(.nudgeSent, id, at: time)
        orders.append(.post(id, configuration.route))
    }

    /// Takes a nudge back that was not opened in time.
    mutating func withdrawIfOld(at now: Instant) {
        guard let posted = record.posted,
            posted.at.advanced(by: configuration.openPatience) <= clock.reading(at: now)
        else { return }
        record.posted = nil
        orders.append(.withdraw(posted.id))
        orders.append(.ended(posted.id, NudgeOutcome(.unopened)))
    }

    mutating func opened(_ id: NudgeID, at now: Instant) {
        // The system may still show one that was taken back: the user wants to talk, and it counts no more.
        let isPosted = record.posted?.id == id
        if isPosted {
            record.posted = nil
            tell(.nudgeJoined, id, at: clock.reading(at: now))
        }
        begin(isPosted ? id : nil, at: now)
    }

    mutating func called(at now: Instant) {
        record.calledOn = zone.local(clock.reading(at: now)).day
        begin(nil, at: now)
    }

    private mutating func begin(_ id: NudgeID?, at now: Instant) {
        switch state {
        case .idle: break
        case .returning(let former, let outcome, _): close(former, outcome, wentBack: false)
        case .connecting, .intervening:
            // One intervention at a time: the nudge that was opened into it ends with it, unserved.
            if let id { orders.append(.ended(id, NudgeOutcome(.opened))) }
            return
        }
        record.opened = id
        let intervention = Intervention(id: id, openedAt: now)
        guard flags.usesRealtime else { return begin(intervention, isOnline: false, at: now) }
        state = .connecting(intervention, until: now.advanced(by: configuration.connectPatience))
        orders.append(.connectSession)
    }

    mutating func connected(isOnline: Bool, at now: Instant) {
        guard case .connecting(let intervention, _) = state else { return }
        begin(intervention, isOnline: isOnline, at: now)
    }

    mutating func begin(_ intervention: Intervention, isOnline: Bool, at now: Instant) {
        var begun = intervention
        begun.isOnline = isOnline
        let form = isOnline ? configuration.form : .short
        begun.form = form
        state = .intervening(begun)
        orders.append(.intervene(form, isOnline: isOnline))
        if end(of: begun) <= now { end(begun, at: now) }
    }

    mutating func done(at now: Instant) {
        guard case .intervening(var intervention) = state, !intervention.isDone else { return }
        intervention.isDone = true
        state = .intervening(intervention)
        if let id = intervention.id { tell(.nudgeDone, id, at: clock.reading(at: now)) }
        if intervention.form == .short || end(of: intervention) <= now {
            end(intervention, at: now)
        }
    }

    mutating func brokenOff(at now: Instant) {
        switch state {
        case .idle, .returning: return
        case .connecting(let intervention, _), .intervening(let intervention):
            orders.append(.endSession)
            close(intervention.id, outcome(of: intervention, at: now), wentBack: nil)
        }
    }

    mutating func end(_ intervention: Intervention, at now: Instant) {
        orders.append(.endSession)
        orders.append(.offerReturn)
        let until = now.advanced(by: configuration.returnPatience)
        state = .returning(intervention.id, outcome(of: intervention, at: now), until: until)
    }

    private func outcome(of intervention: Intervention, at now: Instant) -> NudgeOutcome {
        NudgeOutcome(
            intervention.isDone ? .done : .opened,
            length: intervention.openedAt.duration(to: now)
        )
    }

    mutating func close(_ id: NudgeID?, _ outcome: NudgeOutcome, wentBack: Bool?) {
        state = .idle
        record.opened = nil
        guard let id else { return }
        var closed = outcome
        closed.wentBack = wentBack
        orders.append(.ended(id, closed))
    }

    mutating func ranAlone(on day: LocalDay) {
        if let last = record.lastAlone {
            guard day > last else { return }
            record.streak = Int64(day.number) - Int64(last.number) == 1 ? record.streak + 1 : 1
        } else {
            record.streak = 1
        }
        record.lastAlone = day
        let left = record.habitGapPartsPerMillion * configuration.habitGapPartsPerMillion
        record.habitGapPartsPerMillion = left / 1_000_000
    }

    private mutating func tell(_ kind: CoachFact.Kind, _ id: NudgeID, at time: WallTime) {
        facts.append(CoachFact(kind, key: "\(kind.rawValue)/\(id.number)", time: time))
    }
}
