import SansIO

/// What happens around the session: user, phases, network.
extension RealtimeSession {
    /// Ends the conversation for now: the only place where a room is left.
    ///
    /// The next conversation is a new one (D-18): in the room that was left the agent has closed its
    /// session.
    ///
    /// - Parameters:
    ///   - resumes: Whether it goes on when the app comes to the front.
    ///   - effects: Where the orders go.
    mutating func leave(resumes: Bool, into effects: inout EffectBuffer<Effect>) {
        tokens.giveUp { effects.append(.cancelAPI($0)) }
        switch state {
        case .disconnected, .fetchingToken, .waiting:
            break
        case .connecting(let attempt):
            leave(attempt.room, into: &effects)
        case .connected(let room):
            cancelRequests(of: room, into: &effects)
            if room.isRendering { effects.append(.room(room.id, .stopRenderer)) }
            leave(room.id, into: &effects)
        }
        end(.disconnected, resumes: resumes)
    }

    private mutating func leave(_ room: RoomID, into effects: inout EffectBuffer<Effect>) {
        effects.append(.room(room, .disconnect(operations.next())))
        effects.append(.writeLog(.disconnected(room, nil)))
    }

    /// Forgets the conversation; nothing of it may be joined again.
    mutating func end(_ stage: SessionStage, resumes: Bool = false) {
        ticket = nil
        roomName = nil
        hasJoined = false
        wasConnected = false
        failures = 0
        agentCalledAt = nil
        roomsDeserted = 0
        strayJoinUntil = nil
        state = .disconnected(stage, resumes: resumes)
    }

    mutating func phaseChanged(
        _ phase: ScenePhase,
        at now: Instant,
        into effects: inout EffectBuffer<Effect>
    ) {
        let previous = self.phase
        self.phase = phase
        if phase == .active {
            resume(at: now, into: &effects)
        } else if isActive, configuration.leaveOn.leaves(on: phase, after: previous) {
            leave(resumes: true, into: &effects)
        }
    }

    /// Connects from disconnected only, and only what a phase had ended (RS-06); does not wait for the
    /// slow phase (D-19).
    private mutating func resume(at now: Instant, into effects: inout EffectBuffer<Effect>) {
        switch state {
        case .disconnected(_, let resumes):
            if resumes { attempt(at: now, into: &effects) }
        case .fetchingToken, .connecting, .connected:
            return
        case .waiting:
            retryNow(at: now, into: &effects)
        }
    }

    /// Follows what the system says of the network, if it is to be followed.
    ///
    /// No path: what is connected is said to be lost, but kept; packets may still flow, and the path
    /// may come back before anything has noticed. A path, or another one: whatever is under way gets
    /// `pathGrace` to succeed, then it is replaced; a wait ends at once. The first notice after launch
    /// is no change.
    mutating func pathChanged(
        _ path: NetworkPath,
        at now: Instant,
        into effects: inout EffectBuffer<Effect>
    ) {
        let previous = self.path
        self.path = path
        if let previous, previous != path { probe.pathChanged(at: now) }
        pathLostAt = path == .unsatisfied ? pathLostAt ?? now : nil
        guard configuration.outerRetry.followsPath else { return }
        switch path {
        case .unsatisfied:
            losePath(at: now)
        case .satisfied:
            if case .waiting = state { return retryUponPath(at: now, into: &effects) }
            guard let previous, previous != path else { return }
            hurry(until: now.advanced(by: configuration.outerRetry.pathGrace))
            if case .connecting(var attempt) = state {
                attempt.pathChangedAt = attempt.pathChangedAt ?? now
                state = .connecting(attempt)
            }
            if case .connected(var room) = state {
                room.doubtSignalling()
                state = .connected(room)
                replaceIfUnheard(at: now, into: &effects)
            }
        }
    }

    private mutating func losePath(at now: Instant) {
        guard case .connected(var room) = state, !room.isLost else { return }
        let actAfter = configuration.watchdog.actAfter
        lose(&room, until: silence(from: now).map { $0.advanced(by: actAfter) }, at: now)
        state = .connected(room)
    }

    /// Attempts at once, but no more often than every `pathGrace`.
    mutating func retryUponPath(at now: Instant, into effects: inout EffectBuffer<Effect>) {
        let grace = configuration.outerRetry.pathGrace
        failures = 0
        if let latestPathAttempt, now < latestPathAttempt.advanced(by: grace) {
            guard case .waiting(let until, let error) = state else { return }
            state = .waiting(
                until: min(until, latestPathAttempt.advanced(by: grace)),
                after: error
            )
        } else {
            latestPathAttempt = now
            attempt(at: now, into: &effects)
        }
    }

    /// Gives what is under way no longer than `until`.
    private mutating func hurry(until: Instant) {
        failures = 0
        switch state {
        case .disconnected, .waiting:
            return
        case .fetchingToken:
            tokens.hurry(until: until)
        case .connecting(var attempt):
            attempt.until = min(attempt.until, until)
            state = .connecting(attempt)
        case .connected(var room):
            room.shorten(to: until)
            if room.isLost, !configuration.watchdog.isEnabled { room.link = .live(until: nil) }
            state = .connected(room)
        }
    }
}
