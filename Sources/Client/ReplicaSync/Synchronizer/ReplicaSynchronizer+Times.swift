import SansIO

/// When a sync begins, and how it ends (RP-02, RP-03).
extension ReplicaSynchronizer {
    /// Whether a sync could begin now.
    var canBegin: Bool {
        state == .idle && storing == nil && standing != nil && isOnline == true && !isForeign
            && !isOutdated && session != .missing
    }

    /// When the next sync begins; what is written does not hasten one that waits after a failure.
    var due: Instant? {
        guard ending != .backingOff, let writeDue else { return next }
        return next.map { min($0, writeDue) } ?? writeDue
    }

    /// A file is open, the first one or another.
    mutating func opened(
        _ standing: ReplicaStanding,
        at now: Instant,
        into effects: inout EffectBuffer<ReplicaEffect>
    ) {
        stop(into: &effects)
        self.standing = standing
        storing = nil
        staging = nil
        isForeign = false
        isOutdated = false
        next = now
        proceedIfDue(at: now, into: &effects)
    }

    mutating func wrote(at now: Instant, into effects: inout EffectBuffer<ReplicaEffect>) {
        // From the first of several on: whoever writes without a pause is not put off for ever.
        guard writeDue == nil else { return }
        writeDue = now.advanced(by: configuration.writeDelay)
        proceedIfDue(at: now, into: &effects)
    }

    mutating func pathChanged(
        _ isSatisfied: Bool,
        at now: Instant,
        into effects: inout EffectBuffer<ReplicaEffect>
    ) {
        let wasOnline = isOnline == true
        isOnline = isSatisfied
        guard isSatisfied else { return stop(into: &effects) }
        let soonest = latestPathTry.map { max(now, $0.advanced(by: Self.pathGrace)) } ?? now
        switch state {
        case .idle:
            // Another path is new hope where something failed, and else no news.
            guard !wasOnline || ending == .backingOff else { return }
            next = wasOnline ? min(next ?? soonest, soonest) : soonest
            // That sync loads what was written without a network.
            if !wasOnline { writeDue = nil }
        case .asking where requests.pending == nil:
            retryAt = min(retryAt ?? soonest, soonest)
        case .asking, .readingSession, .readingCredential, .loading, .storing:
            return
        }
        failures.reset()
        isPathTry = true
        proceedIfDue(at: now, into: &effects)
    }

    /// Somebody wants to have what the primary has.
    mutating func hasten(at now: Instant, into effects: inout EffectBuffer<ReplicaEffect>) {
        switch state {
        case .idle: next = now
        case .asking where requests.pending == nil: retryAt = now
        case .asking, .readingSession, .readingCredential, .loading, .storing: return
        }
        proceedIfDue(at: now, into: &effects)
    }

    /// Begins the sync that is due, or makes the request again that is.
    mutating func proceedIfDue(at now: Instant, into effects: inout EffectBuffer<ReplicaEffect>) {
        switch state {
        case .idle:
            guard canBegin, let due, due <= now else { return }
            notePathTry(at: now)
            next = nil
            repeats = Repeats()
            proceed(at: now, into: &effects)
        case .asking(let question):
            guard requests.pending == nil, let retryAt, retryAt <= now else { return }
            notePathTry(at: now)
            if case .exchange = question, requests.late == nil {
                // What was written meanwhile goes with it.
                load(into: &effects)
            } else {
                ask(question, at: now, into: &effects)
            }
        case .readingSession, .readingCredential, .loading, .storing:
            return
        }
    }

    private mutating func notePathTry(at now: Instant) {
        guard isPathTry else { return }
        isPathTry = false
        latestPathTry = now
    }

    /// Both sides have all that was known.
    mutating func finish(at now: Instant, into effects: inout EffectBuffer<ReplicaEffect>) {
        state = .idle
        ending = .synced
        setbacks.reset()
        next = isWantedAgain ? now : now.advanced(by: configuration.syncInterval)
        isWantedAgain = false
        proceedIfDue(at: now, into: &effects)
    }

    /// Ends a sync that leads nowhere; the next follows after a wait.
    mutating func giveUp(at now: Instant) {
        state = .idle
        ending = .backingOff
        next = now.advanced(by: setbacks.next(configuration, &generator))
        isWantedAgain = false
    }

    /// Cuts a sync short: nobody waits for its answers any more, and none follows of itself.
    ///
    /// What the file is taking it takes to its end, before another sync begins.
    mutating func stop(into effects: inout EffectBuffer<ReplicaEffect>) {
        requests.giveUp { effects.append(.cancelCall($0)) }
        if case .storing(.rows) = state { staging = nil }
        state = .idle
        retryAt = nil
        next = nil
        ending = nil
        isWantedAgain = false
    }
}
