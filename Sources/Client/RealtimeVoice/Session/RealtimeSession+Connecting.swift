import SansIO

/// From being asked to being connected: room object, retries.
extension RealtimeSession {
    mutating func connectRequested(
        _ identity: SessionIdentity,
        at now: Instant,
        into effects: inout EffectBuffer<Effect>
    ) {
        self.identity = identity
        switch state {
        case .disconnected: attempt(at: now, into: &effects)
        case .fetchingToken, .connecting, .connected: return
        case .waiting: retryNow(at: now, into: &effects)
        }
    }

    mutating func becameReady(
        _ identity: SessionIdentity,
        at now: Instant,
        into effects: inout EffectBuffer<Effect>
    ) {
        if let phase, !isActive, configuration.leaveOn.forbids(phase) {
            self.identity = identity
            state = .disconnected(.disconnected, resumes: true)
        } else {
            connectRequested(identity, at: now, into: &effects)
        }
    }

    /// Starts an attempt with new hope: the fast phase begins anew.
    mutating func retryNow(at now: Instant, into effects: inout EffectBuffer<Effect>) {
        failures = 0
        attempt(at: now, into: &effects)
    }

    /// Starts an attempt; with the token at hand if it still serves, with a fresh one otherwise.
    mutating func attempt(at now: Instant, into effects: inout EffectBuffer<Effect>) {
        guard identity != nil else { return }
        restraint = .none
        if let ticket, serves(ticket, at: now) {
            return connect(ticket.credentials, at: now, into: &effects)
        }
        fetchToken(at: now, into: &effects)
    }

    /// Connects a room object; one whose token came late by a path that is there and slow has the time
    /// that such a path takes.
    mutating func connect(
        _ credentials: RoomCredentials,
        isPathSlow: Bool = false,
        at now: Instant,
        into effects: inout EffectBuffer<Effect>
    ) {
        tokens.giveUp { effects.append(.cancelAPI($0)) }
        let isLong = isPathSlow || isLongAttempt
        roomsMade &+= 1
        let room = RoomID(number: roomsMade)
        let operation = operations.next()
        effects.append(.writeLog(.connecting(room)))
        effects.append(.room(room, .create))
        let connect = RoomCommand.connect(
            operation,
            url: credentials.url,
            token: credentials.token,
            connectOptions(isLong: isLong)
        )
        effects.append(.room(room, connect))
        let until = now.advanced(by: patience(isLong: isLong))
        let attempt = Attempt(
            room: room,
            operation: operation,
            since: now,
            until: until,
            isInTheDark: beginsInTheDark(at: now)
        )
        state = .connecting(attempt)
    }

    /// How long a connect may take: a first one long; a later one less, but now and then as long, for
    /// the sake of a path that is there and slow; as long as it takes where that is known.
    private func patience(isLong: Bool) -> Duration {
        let isRetry = wasConnected || failures > 0
        let short = max(configuration.retryTimeout, slowRoundTrip * Self.roundTripsOfConnect)
        return isRetry && !isLong ? short : max(configuration.connectTimeout, short)
    }

    /// What the SDK is told: a step of a connect that has more time than its neighbours has the SDK's own
    /// 10 s, and enough round trips where a probe has measured one.
    private func connectOptions(isLong: Bool) -> ConnectOptions {
        var options = configuration.connectOptions
        var least = slowRoundTrip * Self.roundTripsOfStep
        if isLong { least = max(least, ConnectOptions.sdk.socketConnectTimeout) }
        options.socketConnectTimeout = max(options.socketConnectTimeout, least)
        options.primaryTransportConnectTimeout = max(options.primaryTransportConnectTimeout, least)
        options.publisherTransportConnectTimeout = max(
            options.publisherTransportConnectTimeout,
            least
        )
        return options
    }

    /// The round trip of a path that a probe found to be there and slow; zero otherwise.
    private var slowRoundTrip: Duration {
        probe.roundTrip.map { $0 > .milliseconds(500) ? $0 : .zero } ?? .zero
    }

    /// A socket takes four round trips, and one or two more where TCP repeats after 1 s what was not lost
    /// (RFC 6298).
    private static var roundTripsOfStep: Int { 6 }
    /// A connect takes some seven and as many more.
    private static var roundTripsOfConnect: Int { 16 }

    /// Whether this attempt has more time than its neighbours: every third.
    var isLongAttempt: Bool { failures % 3 == 2 }

    /// What a room object says while it connects.
    ///
    /// Only the answer to the connect, or a disconnect, ends the attempt: the other callbacks say the
    /// same earlier or later, and less reliably.
    mutating func attemptSpoke(
        _ attempt: Attempt,
        _ callback: RoomCallback,
        at now: Instant,
        into effects: inout EffectBuffer<Effect>
    ) {
        var attempt = attempt
        switch callback {
        case .connectFinished(let operation, let error):
            guard operation == attempt.operation else { return }
            guard let error else { return connected(attempt, at: now, into: &effects) }
            attemptFailed(attempt, error, at: now, into: &effects)
        case .disconnected(let error):
            attemptFailed(attempt, error ?? .unknown, at: now, into: &effects)
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

    private mutating func connected(
        _ attempt: Attempt,
        at now: Instant,
        into effects: inout EffectBuffer<Effect>
    ) {
        effects.append(.writeLog(.connected(attempt.room)))
        var room = LiveRoom(
            id: attempt.room,
            link: .live(until: silence(from: now)),
            remoteTracks: attempt.remoteTracks,
            isRejoined: hasJoined,
            awaitsVoice: configuration.partner == .agent,
            at: now
        )
        if !hasJoined { agentCalledAt = now }
        if attempt.remoteTracks > 0 { agentCalledAt = nil }
        hasJoined = true
        if wasConnected { room.restoredUntil = now.advanced(by: Self.restoredNotice) }
        // Media find the new interface by themselves; signalling was opened by the old one.
        room.signallingDoubtedSince = attempt.pathChangedAt
        state = .connected(room)
        replaceIfUnheard(at: now, into: &effects)
        guard case .connected = state else { return }
        wasConnected = true
        if let operation = probe.acquaint(at: now) {
            effects.append(.probe(operation, .roomServer))
        }
    }

    mutating func attemptFailed(
        _ attempt: Attempt,
        _ error: RoomError,
        at now: Instant,
        into effects: inout EffectBuffer<Effect>
    ) {
        effects.append(.writeLog(.failed(.connecting, code: error.rawValue)))
        effects.append(.room(attempt.room, .release))
        probe.connectFailed(isRefused: error == .refused)
        failures += 1
        lost(error, at: now)
        if error == .timedOut { awaitStrayJoin(of: attempt, at: now) }
        // Nobody else answers a probe, upon which it would be let alone again.
        if probe.asksServerOnly { serverIsAway(at: now, into: &effects) }
        if probe.isRefused { serverIsAway(at: now, into: &effects) }
    }

    /// How long the user reads that the link is restored.
    static var restoredNotice: Duration { .seconds(2) }
}
