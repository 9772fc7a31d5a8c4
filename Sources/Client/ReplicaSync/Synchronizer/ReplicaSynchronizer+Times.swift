import SansIO

/// When a sync begins, and how it ends (RP-02, RP-03).
extension ReplicaSynchronizer {
    /// Whether a sync could begin now.
    var canBegin: Bool {
        state == .idle && storing == nil && standing != nil && isOnline == true && !isForeign
            && !isOutdated && session != .missing
    }

    /// Whether the last sync ended without success.
    var hasFailed: Bool { ending == .backingOff || ending == .noRoom }

    /// When the next sync begins; what is written does not hasten one that waits after a failure.
    var due: Instant? {
        guard !hasFailed, let writeDue else { return next }
        return next.map { min($0, writeDue) } ?? writeDue
    }

    /// A file is open, the first one or another.
    mutating func opened(_ standing: ReplicaStanding, in turn: inout Turn<ReplicaEffect>) {
        stop(in: &turn)
        self.standing = standing
        storing = nil
        staging = nil
        isForeign = !claim(in: &turn)
        isOutdated = false
        next = turn.now
        proceedIfDue(in: &turn)
    }

    mutating func wrote(in turn: inout Turn<ReplicaEffect>) {
        // From the first of several on: whoever writes without a pause is not put off for ever.
        guard writeDue == nil else { return }
        writeDue = turn.now.advanced(by: configuration.writeDelay)
        proceedIfDue(in: &turn)
    }

    mutating func pathChanged(_ isSatisfied: Bool, in turn: inout Turn<ReplicaEffect>) {
        let wasOnline = isOnline == true
        isOnline = isSatisfied
        guard isSatisfied else { return stop(in: &turn) }
        let graceEnd = latestPathTry.map { $0.advanced(by: Self.pathGrace) } ?? turn.now
        let soonest = max(turn.now, max(graceEnd, busyUntil))
        switch state {
        case .idle:
            // Another path is new hope where something failed, and else no news.
            guard !wasOnline || hasFailed else { return }
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
        proceedIfDue(in: &turn)
    }

    /// Somebody wants to have what the primary has.
    mutating func hasten(in turn: inout Turn<ReplicaEffect>) {
        switch state {
        case .idle: next = turn.now
        case .asking where requests.pending == nil: retryAt = turn.now
        case .asking, .readingSession, .readingCredential, .loading, .storing: return
        }
        proceedIfDue(in: &turn)
    }

    /// Begins the sync that is due, or makes the request again that is.
    mutating func proceedIfDue(in turn: inout Turn<ReplicaEffect>) {
        switch state {
        case .idle:
            guard canBegin, let due, due <= turn.now else { return }
            notePathTry(at: turn.now)
            next = nil
            repeats = Repeats()
            proceed(in: &turn)
        case .asking(let question):
            guard requests.pending == nil, let retryAt, retryAt <= turn.now else { return }
            notePathTry(at: turn.now)
            if case .exchange = question, requests.late == nil {
                // What was written meanwhile goes with it.
                load(in: &turn)
            } else {
                ask(question, in: &turn)
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
    mutating func finish(in turn: inout Turn<ReplicaEffect>) {
        state = .idle
        ending = .synced
        setbacks.reset()
        next = isWantedAgain ? turn.now : turn.now.advanced(by: configuration.syncInterval)
        isWantedAgain = false
        proceedIfDue(in: &turn)
    }

    /// Ends a sync that leads nowhere; the next follows after a wait.
    ///
    /// - Parameters:
    ///   - reason: What the user reads until then.
    ///   - now: The present.
    mutating func giveUp(as reason: ReplicaStatus = .backingOff, at now: Instant) {
        state = .idle
        ending = reason
        next = now.advanced(by: setbacks.next(configuration, &generator))
        isWantedAgain = false
    }

    /// Cuts a sync short: nobody waits for its answers any more, and none follows of itself.
    ///
    /// What the file is taking it takes to its end, before another sync begins.
    mutating func stop(in turn: inout Turn<ReplicaEffect>) {
        requests.giveUp { turn.order(.cancelCall($0)) }
        if case .storing(.rows) = state { staging = nil }
        state = .idle
        retryAt = nil
        next = nil
        ending = nil
        isWantedAgain = false
    }
}

extension Backoff {
    /// The wait after one more failure of a replica's.
    mutating func next(
        _ configuration: ReplicaConfiguration,
        _ generator: inout SeededGenerator
    ) -> Duration {
        next(first: configuration.backoffFirst, longest: configuration.backoffMax, by: &generator)
    }
}
