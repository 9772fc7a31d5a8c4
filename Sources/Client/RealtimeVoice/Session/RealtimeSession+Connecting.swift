import SansIO

/// From being asked to being connected: room object, retries.
extension RealtimeSession {
    mutating func connectRequested(_ identity: SessionIdentity, in turn: inout Turn<Effect>) {
        self.identity = identity
        switch state {
        case .disconnected: attempt(in: &turn)
        case .fetchingToken, .connecting, .connected: return
        case .waiting: retryNow(in: &turn)
        }
    }

    mutating func becameReady(_ identity: SessionIdentity, in turn: inout Turn<Effect>) {
        if let phase, !isActive, configuration.leaveOn.forbids(phase) {
            self.identity = identity
            state = .disconnected(.disconnected, resumes: true)
        } else {
            connectRequested(identity, in: &turn)
        }
    }

    /// Starts an attempt with new hope: the fast phase begins anew.
    mutating func retryNow(in turn: inout Turn<Effect>) {
        failures = 0
        attempt(in: &turn)
    }

    /// Starts an attempt; with the token at hand if it still serves, with a fresh one otherwise.
    mutating func attempt(in turn: inout Turn<Effect>) {
        guard identity != nil else { return }
        restraint = .none
        if let ticket, serves(ticket, at: turn.now) {
            return connect(ticket.credentials, in: &turn)
        }
        fetchToken(in: &turn)
    }

    /// Connects a room object; one whose token came late by a path that is there and slow has the time
    /// that such a path takes.
    mutating func connect(
        _ credentials: RoomCredentials,
        isPathSlow: Bool = false,
        in turn: inout Turn<Effect>
    ) {
        tokens.giveUp { turn.order(.cancelAPI($0)) }
        let isLong = isPathSlow || isLongAttempt || probe.isLossy
        roomsMade &+= 1
        let room = RoomID(number: roomsMade)
        let operation = operations.next()
        turn.order(.writeLog(.connecting(room)))
        turn.order(.room(room, .create))
        let connect = RoomCommand.connect(
            operation,
            url: credentials.url,
            token: credentials.token,
            connectOptions(isLong: isLong)
        )
        turn.order(.room(room, connect))
        let until = turn.now.advanced(by: patience(isLong: isLong))
        let attempt = Attempt(
            room: room,
            operation: operation,
            since: turn.now,
            until: until,
            isInTheDark: beginsInTheDark(at: turn.now)
        )
        state = .connecting(attempt)
    }

    /// How long a connect may take: a first one long; a later one less, but now and then as long, for
    /// the sake of a path that may be there and slow; as long as it takes where that is known.
    private func patience(isLong: Bool) -> Duration {
        let isRetry = wasConnected || failures > 0
        let short = max(configuration.retryTimeout, slowRoundTrip * Self.roundTripsOfConnect)
        return isRetry && !isLong ? short : max(configuration.connectTimeout, short)
    }

    /// What the SDK is told: a step of a connect that has more time than its neighbours, as the first has, of
    /// whose path nothing is known, has the SDK's own 10 s, and enough round trips where a probe has measured one.
    private func connectOptions(isLong: Bool) -> ConnectOptions {
        var options = configuration.connectOptions
        var least = slowRoundTrip * Self.roundTripsOfStep
        if isLong || isFirstAttempt { least = max(least, ConnectOptions.sdk.socketConnectTimeout) }
        options.socketConnectTimeout = max(options.socketConnectTimeout, least)
        options.primaryTransportConnectTimeout = max(options.primaryTransportConnectTimeout, least)
        options.publisherTransportConnectTimeout = max(
            options.publisherTransportConnectTimeout,
            least
        )
        return options
    }

    /// The round trip of a path that a probe found to be there and slow, or a room before; zero otherwise.
    var slowRoundTrip: Duration {
        probe.roundTrip.map { Self.isSlow($0) ? $0 : .zero } ?? .zero
    }

    /// Whether a round trip takes so long that what has the usual time fails.
    static func isSlow(_ roundTrip: Duration) -> Bool { roundTrip > .milliseconds(500) }

    /// A socket takes four round trips, and two or three more where TCP repeats after 1 s what was not lost
    /// (RFC 6298).
    static var roundTripsOfStep: Int { 8 }
    /// A connect takes some seven and as many more.
    static var roundTripsOfConnect: Int { 16 }

    /// Gives a connect whose time is over what a path takes that has meanwhile been found to be slow or lossy.
    ///
    /// The path is the one by which the connect began.
    ///
    /// - Returns: Whether it goes on.
    mutating func extend(_ attempt: Attempt, at now: Instant) -> Bool {
        let lossy = probe.isLossy ? configuration.connectTimeout : .zero
        let patience = max(slowRoundTrip * Self.roundTripsOfConnect, lossy)
        let until = attempt.since.advanced(by: patience)
        guard attempt.pathChangedAt == nil, until > now else { return false }
        var attempt = attempt
        attempt.until = until
        state = .connecting(attempt)
        return true
    }

    /// Whether the conversation has never been connected, and nothing has failed since it was asked for.
    var isFirstAttempt: Bool { !wasConnected && failures == 0 }

    /// Whether this attempt has more time than its neighbours: every third, unless the path is short.
    var isLongAttempt: Bool { isThirdAttempt && !isPathShort }

    /// Whether this is every third attempt in a row.
    var isThirdAttempt: Bool { failures % 3 == 2 }

    /// Whether probes get through, and none late or often in vain: what takes long waits for a silent server.
    ///
    /// At half a second and 10 % loss each way, which few probes show, a connect needs the time.
    var isPathShort: Bool {
        guard let roundTrip = probe.roundTrip else { return false }
        return roundTrip <= .milliseconds(200) && !probe.isLossy && !probe.isUnanswered
    }

    /// What a room object says while it connects.
    ///
    /// Only the answer to the connect, or a disconnect, ends the attempt: the other callbacks say the
    /// same earlier or later, and less reliably.
    mutating func attemptSpoke(
        _ attempt: Attempt,
        _ callback: RoomCallback,
        in turn: inout Turn<Effect>
    ) {
        var attempt = attempt
        switch callback {
        case .connectFinished(let operation, let error):
            guard operation == attempt.operation else { return }
            guard let error else { return connected(attempt, in: &turn) }
            attemptFailed(attempt, error, in: &turn)
        case .disconnected(let error):
            attemptFailed(attempt, error ?? .unknown, in: &turn)
        case .remoteAudioSubscribed:
            attempt.remoteTracks += 1
            state = .connecting(attempt)
        case .remoteAudioUnsubscribed:
            attempt.remoteTracks = max(0, attempt.remoteTracks - 1)
            state = .connecting(attempt)
        case .microphoneFinished, .disconnectFinished, .connectionStateChanged, .connected,
            .failedToConnect, .reconnecting, .reconnected, .reconnectStarted,
            .reconnectModeChanged, .reconnectCompleted, .remoteParticipantConnected,
            .remoteParticipantDisconnected, .statistics:
            return
        }
    }

    private mutating func connected(_ attempt: Attempt, in turn: inout Turn<Effect>) {
        turn.order(.writeLog(.connected(attempt.room)))
        var room = LiveRoom(
            id: attempt.room,
            link: .live(until: silence(from: turn.now)),
            remoteTracks: attempt.remoteTracks,
            isRejoined: hasJoined,
            awaitsVoice: configuration.partner == .agent,
            tokenUntil: ticket?.until ?? turn.now,
            at: turn.now
        )
        if !hasJoined { agentCalledAt = turn.now }
        if attempt.remoteTracks > 0 { agentCalledAt = nil }
        hasJoined = true
        if wasConnected { room.restoredUntil = turn.now.advanced(by: Self.restoredNotice) }
        // Media find the new interface by themselves; signalling was opened by the old one.
        room.signallingDoubtedSince = attempt.pathChangedAt
        state = .connected(room)
        replaceIfUnheard(in: &turn)
        guard case .connected = state else { return }
        wasConnected = true
        if let operation = probe.acquaint(at: turn.now) {
            turn.order(.probe(operation, .roomServer))
        }
    }

    mutating func attemptFailed(
        _ attempt: Attempt,
        _ error: RoomError,
        in turn: inout Turn<Effect>
    ) {
        turn.order(.writeLog(.failed(.connecting, code: error.rawValue)))
        turn.order(.room(attempt.room, .release))
        probe.connectFailed(isRefused: error == .refused)
        failures += 1
        lost(error, at: turn.now)
        if error == .timedOut { awaitStrayJoin(of: attempt, at: turn.now) }
        // Nobody else answers a probe, upon which it would be let alone again.
        if probe.asksServerOnly { serverIsAway(in: &turn) }
        if probe.isRefused { serverIsAway(in: &turn) }
    }

    /// How long the user reads that the link is restored.
    static var restoredNotice: Duration { .seconds(2) }
}
