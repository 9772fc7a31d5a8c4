import SansIO

/// The tokens by which rooms are joined: fetched, waited for, kept.
extension RealtimeSession {
    /// What a token may take on a path that is there and slow: five round trips of three seconds.
    static var longTokenTimeout: Duration { .seconds(15) }

    /// A token takes five round trips: TCP's, TLS's two, and the request's, whose answer may need two; and as
    /// many more.
    private static var roundTripsOfToken: Int { 10 }

    /// What a token may take on the path of a room, where that is known to be slow; zero otherwise.
    func slowTokenTime(_ room: LiveRoom) -> Duration {
        let known = room.statistics.roundTrip.map { Self.isSlow($0) ? $0 : .zero } ?? .zero
        return max(slowRoundTrip, known) * Self.roundTripsOfToken
    }

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
        let life = credentials.timeToLive.asTokenLife
        ticket = Ticket(
            credentials: credentials,
            expiresAt: clock.reading(at: since).advanced(by: life),
            until: since.advanced(by: life)
        )
    }

    mutating func fetchToken(in turn: inout Turn<Effect>) {
        guard let request = tokenRequest else { return }
        let operation = operations.next()
        turn.order(.callAPI(operation, request))
        let timeout = configuration.tokenTimeout
        let known = max(timeout, slowRoundTrip * Self.roundTripsOfToken)
        let patience = isLongAttempt || probe.isLossy ? max(known, Self.longTokenTimeout) : known
        tokens.sent(operation, at: turn.now, patience: patience)
        var cause: APIError?
        if case .waiting(_, let latest) = state { cause = latest }
        state = .fetchingToken(after: cause)
    }

    /// A request has taken too long; where a person waits in the room it may still be answered.
    ///
    /// They hear nothing meanwhile, and on a path with a round trip of more than a second only the
    /// third request would have the time that it takes. An agent waits for nobody: its requests may be late
    /// where a probe has found the path to be slow, and the first of a conversation, of whose path nothing
    /// is known. So may every third by a short path, for a server that takes long.
    mutating func tokenTimedOut(in turn: inout Turn<Effect>) {
        let mayBeSlow =
            configuration.probe.isEnabled
            && (isFirstAttempt || slowRoundTrip > .zero || probe.isLossy
                || isThirdAttempt && isPathShort)
        if configuration.partner == .person || mayBeSlow {
            tokens.leaveLateButFirst { turn.order(.cancelAPI($0)) }
        } else {
            tokens.giveUp { turn.order(.cancelAPI($0)) }
        }
        tokenFailed(.failed(.timedOut), in: &turn)
    }

    mutating func tokenAnswered(
        _ operation: OperationID,
        _ answer: APIAnswer,
        in turn: inout Turn<Effect>
    ) {
        if inquiryAnswered(operation, answer, at: turn.now) { return }
        if renewalAnswered(operation, answer, in: &turn) { return }
        let outcome = tokens.answered(operation, settles: settles(answer)) {
            turn.order(.cancelAPI($0))
        }
        switch outcome {
        case .ignored:
            return
        case .failed:
            if answer.wait > .zero { tokensBusyUntil = turn.now.advanced(by: answer.wait) }
            guard let cause = APIErrorCause(answer) else { return }
            tokenFailed(cause, waiting: answer.wait, in: &turn)
        case .settled(let since, let isLate):
            tokensBusyUntil = .zero
            tokenSettled(answer, since: since, isLate: isLate, in: &turn)
        }
    }

    /// Whether the server has said the last word on who asks.
    private func settles(_ answer: APIAnswer) -> Bool {
        switch answer {
        case .credentials, .foreignDevice: true
        case .refused(let statusCode): statusCode == 401 && identity?.bearer != nil
        case .challenge, .session, .busy, .malformed, .failed: false
        }
    }

    private mutating func tokenSettled(
        _ answer: APIAnswer,
        since: Instant,
        isLate: Bool,
        in turn: inout Turn<Effect>
    ) {
        switch answer {
        case .credentials(let credentials):
            store(credentials, askedAt: since)
            if roomName != credentials.room { hasJoined = false }
            roomName = credentials.room
            // What waits for the sake of its server waits on, with a token.
            guard restraint == .none else { return }
            guard !meetsCrowd else { return spreadConnect(at: turn.now) }
            connect(credentials, isPathSlow: isLate && !isPathShort, in: &turn)
        case .foreignDevice:
            turn.order(.writeLog(.failed(.tokenFailed, code: 403)))
            turn.order(.deviceIdentityRefused)
            end(.preparingDevice)
        case .refused:
            turn.order(.writeLog(.failed(.tokenFailed, code: 401)))
            turn.order(.signInRequired)
            end(.signedOut)
        case .challenge, .session, .busy, .malformed, .failed:
            return
        }
    }

    private mutating func tokenFailed(
        _ cause: APIErrorCause,
        waiting wait: Duration = .zero,
        in turn: inout Turn<Effect>
    ) {
        turn.order(.writeLog(.failed(.tokenFailed, code: cause.code)))
        failures += 1
        waitForRetry(after: .realtimeTokenFetchFailed(cause), atLeast: wait, at: turn.now)
    }
}

extension APIAnswer {
    /// How long the server asks to be left alone.
    fileprivate var wait: Duration {
        if case .busy(let told) = self { told.wait } else { .zero }
    }
}

extension Duration {
    /// This duration as a token's life: what a server says, within a sane range of 0 to 30 days.
    var asTokenLife: Duration {
        min(max(self, .zero), .seconds(30 * 86_400))
    }
}
