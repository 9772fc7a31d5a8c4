import SansIO

/// What answered probes start: nothing that began on a dead path waits out its time (K-19), and nobody
/// joins a storm on a server that was away (K-20).
extension RealtimeSession {
    /// After which silence transports have failed and do not come back by themselves: 15 s in the client
    /// (libwebrtc, `p2p/base/p2p_constants`) as in the server (livekit/livekit, `pkg/rtc/transport.go`).
    private static var iceFailedTime: Duration { .seconds(15) }
    /// How long after the path is back transports that live have shown it: they check every 48 ms while
    /// nothing comes in (libwebrtc, as above).
    static var revivalTime: Duration { .milliseconds(150) }

    /// Sends the probe that is due, as long as voice is lost or may be.
    ///
    /// What makes the SDK reconnect is known by its probes when statistics say that voice went with it.
    /// Where the app's own server does not answer, probes tell whether it is away.
    mutating func settleProbe(in turn: inout Turn<Effect>) {
        let wantsProbe = wantsProbe(at: turn.now)
        probe.isPathKnown = wasConnected
        probe.settle(isWanted: wantsProbe, known: knownRoundTrip, at: turn.now)
        if !wantsProbe {
            restraint = .none
            sharesTokenTime = false
        }
        if needsToken(at: turn.now), let operation = probe.acquaintOther(at: turn.now) {
            turn.order(.probe(operation, .other))
        }
        // The room server is named by the first credentials.
        guard let (operation, host) = probe.next(at: turn.now, hasServer: roomsMade > 0) else {
            return
        }
        turn.order(.probe(operation, host))
    }

    /// Whether statistics have just shown life, and the next connect will need the app's own server.
    ///
    /// Only then does it matter whether that one answers probes.
    private func needsToken(at now: Instant) -> Bool {
        guard case .connected(let room) = state, !room.isLost, room.resumingSince == nil,
            room.statisticsAt == now, room.livedAt == now, now > room.joinedAt
        else { return false }
        return ticket.map { !serves($0, at: now) } ?? true
    }

    /// A first connect that goes well needs no probe; one that takes long is asked how long the path is.
    ///
    /// Who waits has failed, or was kept from a server that is away, and is to feel it come back.
    private func wantsProbe(at now: Instant) -> Bool {
        guard configuration.probe.isEnabled else { return false }
        return switch state {
        case .disconnected: false
        case .waiting: true
        case .fetchingToken, .connecting:
            wasConnected || failures > 0 || firstProbeAt.map { now >= $0 } ?? false
        case .connected(let room):
            room.isLost || room.suspectsPath || room.renewal?.isWaitedFor == true
        }
    }

    /// The round trip of a slow path, as the room's statistics had it.
    ///
    /// What connects after an outage has its time at once, and not only when a probe has found the path slow again.
    private var knownRoundTrip: Duration? {
        guard case .connected(let room) = state, let roundTrip = room.statistics.roundTrip else {
            return nil
        }
        return Self.isSlow(roundTrip) ? roundTrip : nil
    }

    /// When what goes on has taken longer than on most paths.
    private var firstProbeAt: Instant? {
        switch state {
        case .disconnected, .waiting, .connected: nil
        case .fetchingToken: tokens.pending?.since.advanced(by: Self.connectTimeOnMostPaths)
        case .connecting(let attempt): attempt.since.advanced(by: Self.connectTimeOnMostPaths)
        }
    }

    /// When a first connect begins to be probed, if it is not.
    var firstProbeDeadline: Deadline? {
        guard configuration.probe.isEnabled, isFirstAttempt, probe.deadline == nil
        else { return nil }
        return firstProbeAt.map { Deadline($0, "first probe") }
    }

    mutating func probeAnswered(_ operation: OperationID, in turn: inout Turn<Effect>) {
        guard probe.awaits(operation) else { return }
        switch probe.answered(operation, at: turn.now) {
        case .pathReturned(let lostUntil):
            pathReturned(lostUntil: lostUntil, in: &turn)
        case .serverReturned(let lostUntil):
            serverReturned(lostUntil: lostUntil, in: &turn)
        case .otherReturned(let lostUntil):
            otherReturned(lostUntil: lostUntil, in: &turn)
            doubtIfCutOff(in: &turn)
        case .nothing:
            if probe.isServerAway { serverIsAway(in: &turn) }
            doubtIfCutOff(in: &turn)
        }
        if case .connecting(var attempt) = state {
            attempt.isInTheDark = false
            state = .connecting(attempt)
        }
    }

    /// The path is back: a wait ends, and what began before the last lost probe begins anew.
    private mutating func pathReturned(lostUntil: Instant, in turn: inout Turn<Effect>) {
        switch state {
        case .disconnected:
            return
        case .waiting:
            retryUponPath(in: &turn)
        case .fetchingToken:
            askAnew(lostUntil: lostUntil, in: &turn)
        case .connecting(let attempt):
            guard isToBeginAnew(attempt.since, lostUntil: lostUntil, at: turn.now) else { return }
            abandon(attempt, in: &turn)
            latestPathAttempt = turn.now
            retryNow(in: &turn)
        case .connected(let room):
            // The next check of a server that was cut off may tell that the agent has gone.
            let checkTime = room.cutOffUntil == nil ? .zero : LiveRoom.serverCheckInterval
            doubt(room, for: Self.revivalTime + checkTime, in: &turn)
        }
    }

    /// The other host is back, and most likely the app's own server: a token is asked for anew.
    ///
    /// At once, since a request for a token weighs little; the connects of those who have lost a
    /// room spread behind it. Whoever opens the app meets no crowd that did so at the same time.
    private mutating func otherReturned(lostUntil: Instant, in turn: inout Turn<Effect>) {
        switch state {
        case .disconnected, .connecting, .connected:
            return
        case .waiting(_, let error):
            guard error != nil else { return }
            sharesTokenTime = sharesTokenTime || wasConnected
            retryUponPath(in: &turn)
        case .fetchingToken:
            sharesTokenTime = sharesTokenTime || wasConnected
            askAnew(lostUntil: lostUntil, in: &turn)
        }
    }

    /// Asks anew for a token that was asked for before the last lost probe.
    private mutating func askAnew(lostUntil: Instant, in turn: inout Turn<Effect>) {
        guard let request = tokens.pending else { return }
        guard isToBeginAnew(request.since, lostUntil: lostUntil, at: turn.now) else { return }
        tokens.giveUp { turn.order(.cancelAPI($0)) }
        latestPathAttempt = turn.now
        retryNow(in: &turn)
    }

    /// Whether what began at `since` is begun anew, since a probe was answered after some that were lost.
    ///
    /// What lived longer before the path was lost than the path was away goes on: TCP repeats after as
    /// long again at most (RFC 6298 §5.5), and beginning anew takes the whole time.
    private mutating func isToBeginAnew(
        _ since: Instant,
        lostUntil: Instant,
        at now: Instant
    ) -> Bool {
        if since <= lostUntil {
            guard let gap = probe.gap else { return true }
            return since.duration(to: gap.from) <= gap.from.duration(to: gap.until)
        }
        // By the probe that was answered the path was back.
        guard probe.gap.map({ since < $0.until }) ?? true else { return false }
        let due = since.advanced(by: timeOnThisPath)
        if now < due { hurry(until: due) }
        return now >= due
    }

    /// How long a connect or a token takes on a path that has just answered a probe, at most.
    ///
    /// What began after the last lost probe has no longer. The path may have come back only after that,
    /// since probes are seconds apart late in an outage: a socket that a captive portal took, or whose
    /// server was silent, is never answered.
    private var timeOnThisPath: Duration {
        .milliseconds(500) + (probe.roundTrip ?? .zero) * Self.roundTripsOfConnect
    }

    /// Doubts a room whose server is cut off, since a probe was answered.
    ///
    /// By the path that the system prefers another room object gets through.
    private mutating func doubtIfCutOff(in turn: inout Turn<Effect>) {
        guard case .connected(let room) = state, room.cutOffUntil != nil, room.blamedFrom == nil
        else { return }
        doubt(room, for: Self.revivalTime, in: &turn)
    }

    /// Lets go of a room object that still connects; its join may yet reach the server.
    private mutating func abandon(_ attempt: Attempt, in turn: inout Turn<Effect>) {
        turn.order(.writeLog(.failed(.connecting, code: RoomError.cancelled.rawValue)))
        turn.order(.room(attempt.room, .release))
        awaitStrayJoin(of: attempt, at: turn.now)
    }

    /// Gives a room object without voice `time` in which one that lives shows it, if it still can.
    private mutating func doubt(_ room: LiveRoom, for time: Duration, in turn: inout Turn<Effect>) {
        guard room.isLost else { return }
        failures = 0
        var room = room
        guard turn.now < room.livedAt.advanced(by: Self.iceFailedTime) else {
            return replace(room, in: &turn)
        }
        let revived = turn.now.advanced(by: time + (probe.roundTrip ?? .zero))
        room.blamedFrom = revived
        room.shorten(to: revived.advanced(by: LiveRoom.statisticsInterval))
        state = .connected(room)
    }

    /// Whether statistics since the path came back show no life.
    func isToBlame(_ room: LiveRoom) -> Bool {
        guard let blamedFrom = room.blamedFrom else { return false }
        return room.isLost && room.statisticsAt >= blamedFrom
    }
}

/// A server that is away while other hosts answer: one that is cut off is not, its answers come in.
extension RealtimeSession {
    /// How long a connect needs on most paths: one that is older meets silence like all others.
    private static var connectTimeOnMostPaths: Duration { .seconds(3) }

    /// The server is away: what would meet it the moment it is back, at the same time as all others, is
    /// given up, the SDK's own attempts with the room object that makes them.
    mutating func serverIsAway(in turn: inout Turn<Effect>) {
        guard restraint == .none else { return }
        switch state {
        case .disconnected, .fetchingToken:
            return
        case .waiting:
            break
        case .connecting(let attempt):
            guard turn.now >= attempt.since.advanced(by: Self.connectTimeOnMostPaths) else {
                return
            }
            abandon(attempt, in: &turn)
        case .connected(let room):
            guard room.isLost, room.cutOffUntil == nil else { return }
            release(room, in: &turn)
            awaitStrayJoin(of: room, at: turn.now)
        }
        restraint = .away
        waitForServer(at: turn.now)
    }

    /// The server is back, and every session that it had knows: their attempts spread.
    private mutating func serverReturned(lostUntil: Instant, in turn: inout Turn<Effect>) {
        guard restraint != .spread else { return }
        switch state {
        case .disconnected:
            return
        case .fetchingToken:
            sharesTokenTime = true
            return
        case .waiting:
            break
        case .connecting(let attempt):
            guard attempt.since <= lostUntil else { return }
            abandon(attempt, in: &turn)
        case .connected(let room):
            guard room.cutOffUntil == nil else { return }
            restraint = .spread
            return doubt(room, for: Self.revivalTime, in: &turn)
        }
        failures = 0
        restraint = .spread
        waitForServer(at: turn.now)
    }

    /// Whether a connect that begins with the token's answer meets those of all sessions.
    ///
    /// They have been waiting for the app's own server, which alone is away, or has just come back.
    var meetsCrowd: Bool {
        if sharesTokenTime { return true }
        guard wasConnected, case .fetchingToken(after: _?) = state else { return false }
        return probe.isOtherAway
    }

    /// Lets the connect for which all sessions have got their tokens wait its part of the spread.
    mutating func spreadConnect(at now: Instant) {
        sharesTokenTime = false
        failures = 0
        restraint = .spread
        waitForServer(at: now)
    }

    /// How long a server that shuts down is given to be back, as when its process is replaced by another.
    private static var shutdownTime: Duration { .seconds(1) }

    /// Waits for the successor of a server that shuts down: all its sessions read so in one instant.
    ///
    /// If probes find it away, its return spreads them anew.
    mutating func partFromServer(at now: Instant) {
        restraint = .away
        let spread = configuration.probe.spread.wholeNanoseconds * 9 / 10
        let wait = Self.shutdownTime + .nanoseconds(generator.below(spread))
        state = .waiting(until: now.advanced(by: wait), after: nil)
    }

    /// Waits a drawn time, by why the session waits.
    mutating func waitForServer(at now: Instant) {
        let spread = configuration.probe.spreadTime(isSlow: probe.isSlow).wholeNanoseconds
        let away = configuration.probe.awayDelay.wholeNanoseconds
        let wait =
            switch restraint {
            case .none: Int64(0)
            case .away: away + generator.below(away)
            case .spread: generator.below(spread)
            }
        if restraint == .away { probe.part(by: .nanoseconds(wait)) }
        state = .waiting(until: now.advanced(by: .nanoseconds(max(wait, 1_000_000))), after: nil)
    }
}
