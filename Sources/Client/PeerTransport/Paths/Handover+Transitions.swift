import SansIO

extension Handover {
    /// Follows all transitions that are due, then orders what the phase needs.
    mutating func settle(in turn: inout Turn<Effect>) {
        let time = turn.now.nanoseconds
        if let end = backingEnds, end <= time { backingEnds = nil }
        prove(at: time)
        for _ in 0..<Self.transitionsMax {
            guard let (next, cause) = transition(at: time) else { break }
            enter(next, cause, at: time, in: &turn)
            prove(at: time)
        }
        releaseIfDue(at: time, in: &turn)
        if wantsInternet, !internet.isUp, requestDue <= time {
            turn.order(.bringUpInternet)
            requestDue = time + limits.internetTimeout
        }
        notify(at: time, in: &turn)
    }

    /// The next state and why, if it is time to leave the present one.
    private func transition(at time: Int64) -> (State, Cause)? {
        switch state {
        case .idle: nil
        case .disconnected(let since): leaveDisconnected(since, time)
        case .localConnected: leaveLocal(time)
        case .internetConnecting: leaveConnecting(time)
        case .handoverToInternet(let since): leaveHandoverToInternet(since, time)
        case .internetConnected(let since): leaveInternet(since)
        case .localCandidate(let notBefore): leaveCandidate(notBefore, time)
        case .localProbing(let since): leaveProbing(since, time)
        case .handoverToLocal(let since): leaveHandoverToLocal(since, time)
        }
    }

    private func leaveDisconnected(_ since: Int64, _ time: Int64) -> (State, Cause)? {
        if local.isActive { return (.localConnected(since: time), .appeared) }
        if internet.isActive { return (.internetConnected(since: time), .appeared) }
        guard time >= since + limits.localPatience else { return nil }
        return (.internetConnecting, .elapsed)
    }

    private func leaveLocal(_ time: Int64) -> (State, Cause)? {
        guard localHealth < .good else { return nil }
        guard internet.isActive else { return (.internetConnecting, whyPoor) }
        guard local.isUp else { return (.internetConnected(since: time), whyPoor) }
        return (.handoverToInternet(since: time), whyPoor)
    }

    private func leaveConnecting(_ time: Int64) -> (State, Cause)? {
        if isRecovered { return (.localConnected(since: time), .proven) }
        guard internet.isActive else { return nil }
        guard local.isUp else { return (.internetConnected(since: time), .appeared) }
        return (.handoverToInternet(since: time), .appeared)
    }

    private func leaveHandoverToInternet(_ since: Int64, _ time: Int64) -> (State, Cause)? {
        guard internet.isActive else { return (.internetConnecting, .internetLost) }
        guard local.isUp else { return (.internetConnected(since: time), .localLost) }
        if isRecovered { return (.localConnected(since: time), .proven) }
        // While neither carries, giving one up helps nobody.
        guard !isInternetBad else { return nil }
        if localHealth == .bad, time >= since + limits.doubleSending {
            return (.internetConnected(since: time), .quality)
        }
        guard time >= since + limits.doubleSendingMax else { return nil }
        return (.internetConnected(since: time), .elapsed)
    }

    private func leaveInternet(_ since: Int64) -> (State, Cause)? {
        guard internet.isActive else { return (.internetConnecting, .internetLost) }
        guard local.isUp else { return nil }
        return (.localCandidate(notBefore: since + returnDelay), .appeared)
    }

    private func leaveCandidate(_ notBefore: Int64, _ time: Int64) -> (State, Cause)? {
        guard internet.isActive else { return (.internetConnecting, .internetLost) }
        guard local.isUp else { return (.internetConnected(since: time), .localLost) }
        guard isWorthProbing, time >= notBefore else { return nil }
        return (.localProbing(since: time), .elapsed)
    }

    private func leaveProbing(_ since: Int64, _ time: Int64) -> (State, Cause)? {
        guard internet.isActive else { return (.internetConnecting, .internetLost) }
        guard local.isUp else { return (.internetConnected(since: time), .localLost) }
        let again = State.localCandidate(notBefore: time + returnDelay)
        if local.verdict == .bad { return (again, .quality) }
        if isRecovered { return (.handoverToLocal(since: time), .proven) }
        guard !isProven, time >= since + limits.probingTimeMax else { return nil }
        return (again, .elapsed)
    }

    private func leaveHandoverToLocal(_ since: Int64, _ time: Int64) -> (State, Cause)? {
        if localHealth < .good {
            guard internet.isActive else { return (.internetConnecting, whyPoor) }
            return (.internetConnected(since: time), whyPoor)
        }
        guard internet.isActive else { return (.localConnected(since: time), .internetLost) }
        guard time >= since + limits.doubleSending else { return nil }
        return (.localConnected(since: time), .elapsed)
    }

    private mutating func enter(
        _ next: State,
        _ cause: Cause,
        at time: Int64,
        in turn: inout Turn<Effect>
    ) {
        if state.phase == .localProbing { turn.order(.probeLocal(false)) }
        let last = state.phase
        state = next
        isAsking = false
        switch next {
        case .idle, .disconnected, .handoverToInternet: break
        case .localConnected:
            // An Internet that came up stands by, whoever asked for it: the other side may still send by
            // it alone.
            if internet.isUp { wantsInternet = true }
        case .internetConnecting:
            if !wantsInternet { requestDue = time }
            wantsInternet = true
        case .internetConnected:
            wantsInternet = true
            isProven = false
            settleReturnDelay(at: time)
        case .localCandidate:
            isProven = false
            if last == .localProbing { returnDelay = min(2 * returnDelay, limits.returnDelayMax) }
        case .localProbing:
            isProven = false
            turn.order(.probeLocal(true))
        case .handoverToLocal: returnedAt = time
        }
        turn.order(.phaseChanged(next.phase, cause))
    }

    /// Makes the next return wait twice as long if the last one did not last.
    private mutating func settleReturnDelay(at time: Int64) {
        guard let returnedAt else { return }
        let hasLasted = time - returnedAt >= limits.stableTime
        returnDelay = hasLasted ? limits.returnDelay : min(2 * returnDelay, limits.returnDelayMax)
        self.returnedAt = nil
    }

    private mutating func releaseIfDue(at time: Int64, in turn: inout Turn<Effect>) {
        guard let due = releaseDue, due <= time else { return }
        (wantsInternet, isAsking) = (false, false)
        turn.order(.releaseInternet)
    }
}

// MARK: The radio as this pair sees it

extension Handover {
    /// How the radio carries, as the worse of both sides sees it; bad while it is not active.
    var localHealth: LinkVerdict {
        guard local.isActive else { return .bad }
        return min(local.verdict ?? .good, toldStatus == .backup ? .poor : .good)
    }

    private var whyPoor: Cause {
        guard local.isUp else { return .localLost }
        return local.verdict ?? .good < .good ? .quality : .notice
    }

    /// Whether both sides find the radio good for long enough.
    private var isRecovered: Bool { isProven && local.isActive && toldStatus == .available }

    private var isWorthProbing: Bool { local.isActive && local.verdict != .bad }

    /// When the radio will have been good for long enough; `nil` if nothing waits for it.
    var provenDue: Int64? {
        guard let goodSince, !isProven, local.isActive else { return nil }
        switch state {
        case .localConnected, .internetConnecting, .handoverToInternet:
            return goodSince + limits.recoveryTime
        case .localProbing(let since): return max(goodSince, since) + limits.probingTime
        case .idle, .disconnected, .internetConnected, .localCandidate, .handoverToLocal:
            return nil
        }
    }

    private mutating func prove(at time: Int64) {
        if let due = provenDue, due <= time { isProven = true }
    }

    private var releaseDue: Int64? {
        guard case .localConnected(let since) = state, wantsInternet else { return nil }
        return since + limits.standbyTime
    }

    /// When the present state ends by itself.
    var stateDeadline: Deadline? {
        func deadline(_ nanoseconds: Int64, _ reason: StaticString) -> Deadline {
            Deadline(Instant(nanoseconds: nanoseconds), reason)
        }
        switch state {
        case .idle, .internetConnecting, .internetConnected: return nil
        case .disconnected(let since): return deadline(since + limits.localPatience, "patience")
        case .localConnected: return releaseDue.map { deadline($0, "standby over") }
        case .handoverToInternet(let since):
            guard !isInternetBad else { return nil }
            let isBad = localHealth == .bad
            let length = isBad ? limits.doubleSending : limits.doubleSendingMax
            return deadline(since + length, "double sending over")
        case .localCandidate(let notBefore):
            return isWorthProbing ? deadline(notBefore, "return delay over") : nil
        case .localProbing(let since):
            return isProven ? nil : deadline(since + limits.probingTimeMax, "probing over")
        case .handoverToLocal(let since):
            return deadline(since + limits.doubleSending, "double sending over")
        }
    }
}

// MARK: Notices

extension Handover {
    /// How far the other side may use the radio for sending to this one.
    private var status: PathStatus {
        switch state {
        case .idle, .disconnected, .localConnected, .internetConnecting, .handoverToInternet:
            if !local.isUp || local.verdict ?? .good < .good { return .backup }
            return isProven || local.verdict == nil ? .available : ownStatus
        case .internetConnected, .localCandidate: return .backup
        case .localProbing: return isProven ? .available : .backup
        case .handoverToLocal: return local.verdict ?? .good < .good ? .backup : .available
        }
    }

    private mutating func notify(at time: Int64, in turn: inout Turn<Effect>) {
        let internetStatus = ownInternetStatus.map { _ in
            isInternetCutOff ? PathStatus.backup : .available
        }
        if status != ownStatus || internetStatus != ownInternetStatus {
            (ownStatus, ownInternetStatus) = (status, internetStatus)
            noticeNumber = noticeNumber.advanced(by: 1)
            noticeRepeatsLeft = Self.noticeRepeats
            if noticeDue != nil { noticeDue = time }
        }
        guard let due = noticeDue, due <= time else { return }
        turn.order(.sendNotice(ownStatus, number: noticeNumber))
        if let ownInternetStatus {
            turn.order(.sendNotice(ownInternetStatus, of: .internet, number: noticeNumber))
        }
        let isRepeating = noticeRepeatsLeft > 0
        noticeRepeatsLeft = max(0, noticeRepeatsLeft - 1)
        noticeDue = time + (isRepeating ? Self.noticeRepeatNanoseconds : limits.noticePeriod)
    }
}
