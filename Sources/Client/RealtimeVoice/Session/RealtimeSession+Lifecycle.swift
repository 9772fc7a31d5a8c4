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
    ///   - turn: Where the orders go.
    mutating func leave(resumes: Bool, in turn: inout Turn<Effect>) {
        tokens.giveUp { turn.order(.cancelAPI($0)) }
        switch state {
        case .disconnected, .fetchingToken, .waiting:
            break
        case .connecting(let attempt):
            leave(attempt.room, in: &turn)
        case .connected(let room):
            cancelRequests(of: room, in: &turn)
            if room.isRendering { turn.order(.room(room.id, .stopRenderer)) }
            leave(room.id, in: &turn)
        }
        end(.disconnected, resumes: resumes)
    }

    private mutating func leave(_ room: RoomID, in turn: inout Turn<Effect>) {
        turn.order(.room(room, .disconnect(operations.next())))
        turn.order(.writeLog(.disconnected(room, nil)))
    }

    /// Forgets the conversation; nothing of it may be joined again.
    mutating func end(_ stage: SessionStage, resumes: Bool = false) {
        ticket = nil
        tokensBusyUntil = .zero
        roomName = nil
        hasJoined = false
        wasConnected = false
        failures = 0
        agentCalledAt = nil
        roomsDeserted = 0
        missesAgent = false
        strayJoinUntil = nil
        state = .disconnected(stage, resumes: resumes)
    }

    mutating func phaseChanged(_ phase: ScenePhase, in turn: inout Turn<Effect>) {
        let previous = self.phase
        self.phase = phase
        if phase == .active {
            resume(in: &turn)
        } else if isActive, configuration.leaveOn.leaves(on: phase, after: previous) {
            leave(resumes: true, in: &turn)
        }
    }

    /// Connects from disconnected only, and only what a phase had ended (RS-06); does not wait for the
    /// slow phase (D-19).
    private mutating func resume(in turn: inout Turn<Effect>) {
        switch state {
        case .disconnected(_, let resumes):
            if resumes { attempt(in: &turn) }
        case .fetchingToken, .connecting, .connected:
            return
        case .waiting:
            retryNow(in: &turn)
        }
    }

    /// Follows what the system says of the network, if it is to be followed.
    ///
    /// No path: what is connected is said to be lost, but kept; packets may still flow, and the path
    /// may come back before anything has noticed. A path, or another one: whatever is under way gets
    /// `pathGrace` to succeed, then it is replaced; a wait ends at once. The first notice after launch
    /// is no change. Each later one is, of whichever interface: there is news of a path only when
    /// something of it has changed, such as its address (Network.framework, `NWPathMonitor`).
    mutating func pathChanged(_ path: NetworkPath, in turn: inout Turn<Effect>) {
        let previous = self.path
        self.path = path
        if previous != nil { probe.pathChanged(at: turn.now) }
        pathLostAt = path == .unsatisfied ? pathLostAt ?? turn.now : nil
        guard configuration.outerRetry.followsPath else { return }
        switch path {
        case .unsatisfied:
            losePath(at: turn.now)
        case .satisfied:
            if case .waiting = state { return retryUponPath(in: &turn) }
            guard previous != nil else { return }
            hurry(until: turn.now.advanced(by: pathGrace))
            if case .connecting(var attempt) = state {
                attempt.pathChangedAt = attempt.pathChangedAt ?? turn.now
                state = .connecting(attempt)
            }
            if case .connected(var room) = state {
                room.doubtSignalling()
                state = .connected(room)
                replaceIfUnheard(in: &turn)
            }
        }
    }

    /// What is under way has `pathGrace`, and on a long path, where a room lives, what it takes to show that: its
    /// address anew, a check, its nomination and one more answer (RFC 8445).
    private var pathGrace: Duration {
        let grace = configuration.outerRetry.pathGrace
        guard case .connected(let room) = state else { return grace }
        return max(grace, longestRoundTrip(of: room) * 4)
    }

    private mutating func losePath(at now: Instant) {
        guard case .connected(var room) = state, !room.isLost else { return }
        let actAfter = configuration.watchdog.actAfter
        lose(&room, until: silence(from: now).map { $0.advanced(by: actAfter) }, at: now)
        state = .connected(room)
    }

    /// Attempts at once, but no more often than every `pathGrace`, nor for a token of a busy server.
    mutating func retryUponPath(in turn: inout Turn<Effect>) {
        let grace = configuration.outerRetry.pathGrace
        failures = 0
        var soonest = latestPathAttempt?.advanced(by: grace) ?? turn.now
        if ticket.map({ !serves($0, at: turn.now) }) ?? true {
            soonest = max(soonest, tokensBusyUntil)
        }
        if turn.now < soonest {
            guard case .waiting(let until, let error) = state else { return }
            state = .waiting(until: min(until, soonest), after: error)
        } else {
            latestPathAttempt = turn.now
            attempt(in: &turn)
        }
    }

    /// Gives what is under way no longer than `until`.
    mutating func hurry(until: Instant) {
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
