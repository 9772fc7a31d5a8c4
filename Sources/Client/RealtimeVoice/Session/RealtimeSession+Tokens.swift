import SansIO

/// The tokens by which rooms are joined: fetched, waited for, kept.
extension RealtimeSession {
    /// What a token may take on a path that is there and slow: five round trips of three seconds.
    private static var longTokenTimeout: Duration { .seconds(15) }

    /// Whether the token at hand can be used for a connect.
    func serves(_ ticket: Ticket, at now: Instant) -> Bool {
        !configuration.refreshesToken
            || clock.reading(at: now).advanced(by: configuration.tokenReserve) <= ticket.expiresAt
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

    mutating func fetchToken(at now: Instant, into effects: inout EffectBuffer<Effect>) {
        guard let request = tokenRequest else { return }
        let operation = operations.next()
        effects.append(.callAPI(operation, request))
        let timeout = configuration.tokenTimeout
        let patience = isLongAttempt ? max(timeout, Self.longTokenTimeout) : timeout
        tokens.sent(operation, at: now, patience: patience)
        var cause: APIError?
        if case .waiting(_, let latest) = state { cause = latest }
        state = .fetchingToken(after: cause)
    }

    /// A request has taken too long; where a person waits in the room, it may still be answered.
    ///
    /// They hear nothing meanwhile, and on a path with a round trip of more than a second only the
    /// third request would have the time that it takes. An agent waits for nobody.
    mutating func tokenTimedOut(at now: Instant, into effects: inout EffectBuffer<Effect>) {
        switch configuration.partner {
        case .agent: tokens.giveUp { effects.append(.cancelAPI($0)) }
        case .person: tokens.leaveLate { effects.append(.cancelAPI($0)) }
        }
        tokenFailed(.failed(.timedOut), at: now, into: &effects)
    }

    mutating func tokenAnswered(
        _ operation: OperationID,
        _ answer: APIAnswer,
        at now: Instant,
        into effects: inout EffectBuffer<Effect>
    ) {
        if inquiryAnswered(operation, answer, at: now) { return }
        if renewalAnswered(operation, answer, at: now, into: &effects) { return }
        let outcome = tokens.answered(operation, settles: settles(answer)) {
            effects.append(.cancelAPI($0))
        }
        switch outcome {
        case .ignored:
            return
        case .failed:
            guard let cause = APIErrorCause(answer) else { return }
            tokenFailed(cause, at: now, into: &effects)
        case .settled(let since, let isLate):
            tokenSettled(answer, since: since, isLate: isLate, at: now, into: &effects)
        }
    }

    /// Whether the server has said the last word on who asks.
    private func settles(_ answer: APIAnswer) -> Bool {
        switch answer {
        case .credentials, .foreignDevice: true
        case .refused(let statusCode): statusCode == 401 && identity?.bearer != nil
        case .challenge, .session, .malformed, .failed: false
        }
    }

    private mutating func tokenSettled(
        _ answer: APIAnswer,
        since: Instant,
        isLate: Bool,
        at now: Instant,
        into effects: inout EffectBuffer<Effect>
    ) {
        switch answer {
        case .credentials(let credentials):
            store(credentials, askedAt: since)
            if roomName != credentials.room { hasJoined = false }
            roomName = credentials.room
            // What waits for the sake of its server waits on, with a token.
            guard restraint == .none else { return }
            guard !meetsCrowd else { return spreadConnect(at: now) }
            connect(credentials, isPathSlow: isLate, at: now, into: &effects)
        case .foreignDevice:
            effects.append(.writeLog(.failed(.tokenFailed, code: 403)))
            effects.append(.deviceIdentityRefused)
            end(.preparingDevice)
        case .refused:
            effects.append(.writeLog(.failed(.tokenFailed, code: 401)))
            effects.append(.signInRequired)
            end(.signedOut)
        case .challenge, .session, .malformed, .failed:
            return
        }
    }

    private mutating func tokenFailed(
        _ cause: APIErrorCause,
        at now: Instant,
        into effects: inout EffectBuffer<Effect>
    ) {
        effects.append(.writeLog(.failed(.tokenFailed, code: cause.code)))
        failures += 1
        waitForRetry(after: .realtimeTokenFetchFailed(cause), at: now)
    }
}

extension Duration {
    /// This duration as a token's life: what a server says, within a sane range of 0 to 30 days.
    var asTokenLife: Duration {
        min(max(self, .zero), .seconds(30 * 86_400))
    }
}
