import SansIO

/// From being asked to being connected: token, room object, retries.
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
        guard let request = tokenRequest else { return }
        restraint = .none
        if let ticket, serves(ticket, at: now) {
            return connect(ticket.credentials, at: now, into: &effects)
        }
        let operation = operations.next()
        effects.append(.callAPI(operation, request))
        let timeout = configuration.tokenTimeout
        let until = now.advanced(by: isLongAttempt ? max(timeout, Self.longTokenTimeout) : timeout)
        var token = TokenRequest(operation: operation, since: now, until: until)
        if case .waiting(_, let cause) = state { token.cause = cause }
        state = .fetchingToken(token)
    }

    /// What asks for a token; `nil` as long as nobody talks.
    var tokenRequest: APIRequest? {
        guard let identity else { return nil }
        return .ephemeralToken(
            deviceID: identity.deviceID,
            bearer: identity.bearer,
            resumeRoom: roomName ?? identity.room
        )
    }

    /// Keeps what was asked for at `since` for this connect and the next ones.
    mutating func store(_ credentials: RoomCredentials, askedAt since: Instant) {
        ticket = Ticket(
            credentials: credentials,
            expiresAt: clock.reading(at: since).advanced(by: credentials.timeToLive.asTokenLife)
        )
    }

    private func serves(_ ticket: Ticket, at now: Instant) -> Bool {
        !configuration.refreshesToken
            || clock.reading(at: now).advanced(by: configuration.tokenReserve) <= ticket.expiresAt
    }

    mutating func tokenAnswered(
        _ operation: OperationID,
        _ answer: APIAnswer,
        at now: Instant,
        into effects: inout EffectBuffer<Effect>
    ) {
        if inquiryAnswered(operation, answer, at: now) { return }
        guard case .fetchingToken(let request) = state, request.operation == operation else {
            return
        }
        if case .credentials(let credentials) = answer {
            store(credentials, askedAt: request.since)
            if roomName != credentials.room { hasJoined = false }
            roomName = credentials.room
            return connect(credentials, at: now, into: &effects)
        }
        if answer == .refused(statusCode: 401), identity?.bearer != nil {
            effects.append(.writeLog(.failed(.tokenFailed, code: 401)))
            effects.append(.signInRequired)
            return end(.signedOut)
        }
        if answer == .foreignDevice {
            effects.append(.writeLog(.failed(.tokenFailed, code: 403)))
            effects.append(.deviceIdentityRefused)
            return end(.preparingDevice)
        }
        guard let cause = APIErrorCause(answer) else { return }
        tokenFailed(cause, at: now, into: &effects)
    }

    mutating func tokenFailed(
        _ cause: APIErrorCause,
        at now: Instant,
        into effects: inout EffectBuffer<Effect>
    ) {
        effects.append(.writeLog(.failed(.tokenFailed, code: cause.code)))
        failures += 1
        waitForRetry(after: .realtimeTokenFetchFailed(cause), at: now)
    }

    private mutating func connect(
        _ credentials: RoomCredentials,
        at now: Instant,
        into effects: inout EffectBuffer<Effect>
    ) {
        roomsMade &+= 1
        let room = RoomID(number: roomsMade)
        let operation = operations.next()
        effects.append(.writeLog(.connecting(room)))
        effects.append(.room(room, .create))
        let connect = RoomCommand.connect(
            operation,
            url: credentials.url,
            token: credentials.token,
            connectOptions
        )
        effects.append(.room(room, connect))
        let until = now.advanced(by: patience)
        let attempt = Attempt(
            room: room,
            operation: operation,
            since: now,
            until: until,
            isInTheDark: beginsInTheDark(at: now)
        )
        state = .connecting(attempt)
    }

    /// What a token may take on a path that is there and slow: five round trips of three seconds.
    private static var longTokenTimeout: Duration { .seconds(15) }

    /// How long a connect may take: a first one long; a later one less, but now and then as long, for
    /// the sake of a path that is there and slow; as long as it takes where that is known.
    private var patience: Duration {
        let isRetry = wasConnected || failures > 0
        let short = max(configuration.retryTimeout, slowRoundTrip * Self.roundTripsOfConnect)
        return isRetry && !isLongAttempt ? short : max(configuration.connectTimeout, short)
    }

    /// What the SDK is told: a step of a connect that has more time than its neighbours has the SDK's own
    /// 10 s, and enough round trips where a probe has measured one.
    private var connectOptions: ConnectOptions {
        var options = configuration.connectOptions
        var least = slowRoundTrip * Self.roundTripsOfStep
        if isLongAttempt { least = max(least, ConnectOptions.sdk.socketConnectTimeout) }
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
    private var isLongAttempt: Bool { failures % 3 == 2 }

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
        failures += 1
        lost(error, at: now)
        if error == .timedOut { awaitStrayJoin(of: attempt, at: now) }
    }

    /// How long the user reads that the link is restored.
    static var restoredNotice: Duration { .seconds(2) }
}

extension Duration {
    /// This duration as a token's life: what a server says, held within a sane range of 0 to 30 days.
    var asTokenLife: Duration {
        min(max(self, .zero), .seconds(30 * 86_400))
    }
}
