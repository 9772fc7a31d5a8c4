import SansIO

/// From being asked to being signed in.
extension LoginSession {
    mutating func requested(at now: Instant, into effects: inout EffectBuffer<Effect>) {
        switch state {
        case .idle:
            let operation = operations.next()
            effects.append(.readSecureStorage(operation))
            state = .reading(operation)
        case .reading, .completing:
            return
        case .fetchingChallenge:
            isShown = false
        case .asking:
            isShown = false
            tryAgain(at: now, into: &effects)
        case .signedIn(let token, _):
            effects.append(.signedIn(token: token))
        }
    }

    mutating func read(
        _ operation: OperationID,
        _ answer: SecureAnswer,
        at now: Instant,
        into effects: inout EffectBuffer<Effect>
    ) {
        guard state == .reading(operation) else { return }
        guard case .value(let token?) = answer, !token.isEmpty else {
            if case .value = answer { isSignedOut = true }
            return fetchChallenge(at: now, into: &effects)
        }
        isSignedOut = false
        state = .signedIn(token: token, until: nil)
        effects.append(.signedIn(token: token))
    }

    mutating func asserted(
        _ assertion: String,
        at now: Instant,
        into effects: inout EffectBuffer<Effect>
    ) {
        switch state {
        case .idle, .reading, .completing, .signedIn:
            return
        case .fetchingChallenge(let operation, _):
            // The user was asked before, and has answered while a fresher challenge is fetched.
            guard challenge != nil else { return }
            effects.append(.cancelAPI(operation))
        case .asking:
            guard challenge != nil else {
                isShown = false
                return tryAgain(at: now, into: &effects)
            }
        }
        complete(.passkeyComplete(assertion: assertion), at: now, into: &effects)
    }

    mutating func appleSignedIn(
        _ token: String,
        at now: Instant,
        into effects: inout EffectBuffer<Effect>
    ) {
        switch state {
        case .idle, .reading, .completing, .signedIn:
            return
        case .fetchingChallenge(let operation, _):
            effects.append(.cancelAPI(operation))
        case .asking:
            break
        }
        complete(.appleSignIn(identityToken: token), at: now, into: &effects)
    }

    private mutating func complete(
        _ request: APIRequest,
        at now: Instant,
        into effects: inout EffectBuffer<Effect>
    ) {
        proof = request
        isSentAgain = false
        isShown = false
        failures = 0
        dropLate(into: &effects)
        send(request, at: now, into: &effects)
    }

    private mutating func send(
        _ request: APIRequest,
        at now: Instant,
        into effects: inout EffectBuffer<Effect>
    ) {
        let operation = operations.next()
        effects.append(.callAPI(operation, request))
        let until = now.advanced(by: Self.requestTimeout)
        state = .completing(operation, since: now, until: until)
    }

    mutating func answered(
        _ operation: OperationID,
        _ answer: APIAnswer,
        at now: Instant,
        into effects: inout EffectBuffer<Effect>
    ) {
        if let late, late.operation == operation {
            self.late = nil
            return answeredLate(answer, since: late.since, at: now, into: &effects)
        }
        switch state {
        case .idle, .reading, .asking, .signedIn:
            return
        case .fetchingChallenge(let pending, _):
            guard pending == operation else { return }
            guard case .challenge(let challenge) = answer else {
                return fetchFailed(at: now, into: &effects)
            }
            ask(challenge, at: now, into: &effects)
        case .completing(let pending, let since, _):
            guard pending == operation else { return }
            switch answer {
            case .session(let token, let timeToLive):
                signedIn(token, for: timeToLive, since: since, at: now, into: &effects)
            case .failed(.offline):
                // It never left the phone: it is sent when there is a network.
                waitToTryAgain(at: now)
            case .failed:
                unanswered(at: now, into: &effects)
            case .credentials, .challenge, .foreignDevice, .refused, .malformed:
                askAnew(at: now, into: &effects)
            }
        }
    }

    /// Takes the answer to a request that another one has followed, if it is a good one.
    private mutating func answeredLate(
        _ answer: APIAnswer,
        since: Instant,
        at now: Instant,
        into effects: inout EffectBuffer<Effect>
    ) {
        switch (state, answer) {
        case (.asking, .challenge(let challenge)) where proof == nil:
            ask(challenge, at: now, into: &effects)
        case (.fetchingChallenge(let pending, _), .challenge(let challenge)):
            effects.append(.cancelAPI(pending))
            ask(challenge, at: now, into: &effects)
        case (.completing(let pending, _, _), .session(let token, let timeToLive)):
            effects.append(.cancelAPI(pending))
            signedIn(token, for: timeToLive, since: since, at: now, into: &effects)
        case (.asking, .session(let token, let timeToLive)) where proof != nil:
            signedIn(token, for: timeToLive, since: since, at: now, into: &effects)
        default:
            // The one that followed has yet to be answered.
            return
        }
    }

    private mutating func signedIn(
        _ token: String,
        for timeToLive: Duration,
        since: Instant,
        at now: Instant,
        into effects: inout EffectBuffer<Effect>
    ) {
        dropLate(into: &effects)
        let end = max(since.advanced(by: timeToLive.asTokenLife), now)
        challenge = nil
        proof = nil
        isSignedOut = false
        keep(token, into: &effects)
        effects.append(.signedIn(token: token))
        state = .signedIn(token: token, until: end)
    }

    /// Sends what the user showed once more: the server may not have seen it.
    ///
    /// If it has, it refuses what it takes only once, and the user is asked anew.
    mutating func unanswered(at now: Instant, into effects: inout EffectBuffer<Effect>) {
        guard let proof, !isSentAgain else { return askAnew(at: now, into: &effects) }
        isSentAgain = true
        send(proof, at: now, into: &effects)
    }

    /// Forgets the token, here and in secure storage, and asks again.
    mutating func signOut(at now: Instant, into effects: inout EffectBuffer<Effect>) {
        switch state {
        case .fetchingChallenge:
            return
        case .asking:
            guard proof != nil else { return }
        case .idle:
            return keep(nil, into: &effects)
        case .completing(let operation, _, _):
            effects.append(.cancelAPI(operation))
        case .reading:
            keep(nil, into: &effects)
        case .signedIn:
            keep(nil, into: &effects)
            effects.append(.signedOut)
        }
        askAnew(at: now, into: &effects)
    }
}

// MARK: Asking

extension LoginSession {
    private mutating func fetchChallenge(
        at now: Instant,
        into effects: inout EffectBuffer<Effect>
    ) {
        let operation = operations.next()
        effects.append(.callAPI(operation, .passkeyBegin))
        state = .fetchingChallenge(operation, until: now.advanced(by: Self.requestTimeout))
    }

    private mutating func ask(
        _ challenge: String,
        at now: Instant,
        into effects: inout EffectBuffer<Effect>
    ) {
        self.challenge = challenge
        isShown = true
        failures = 0
        dropLate(into: &effects)
        effects.append(.signInWanted(challenge: challenge))
        state = .asking(again: now.advanced(by: Self.challengeLife))
    }

    /// Asks with a new challenge: what was shown to the last one is worth nothing.
    private mutating func askAnew(at now: Instant, into effects: inout EffectBuffer<Effect>) {
        challenge = nil
        proof = nil
        isShown = false
        dropLate(into: &effects)
        fetchChallenge(at: now, into: &effects)
    }

    /// Asks with what there is, unless the user has been.
    mutating func fetchFailed(at now: Instant, into effects: inout EffectBuffer<Effect>) {
        if !isShown { effects.append(.signInWanted(challenge: challenge)) }
        isShown = true
        waitToTryAgain(at: now)
    }

    /// Waits no longer for a request to try another one, and not at all for the one before it.
    mutating func leave(
        _ operation: OperationID,
        since: Instant,
        into effects: inout EffectBuffer<Effect>
    ) {
        dropLate(into: &effects)
        late = LateRequest(operation: operation, since: since)
    }

    private mutating func dropLate(into effects: inout EffectBuffer<Effect>) {
        guard let late else { return }
        effects.append(.cancelAPI(late.operation))
        self.late = nil
    }

    private mutating func waitToTryAgain(at now: Instant) {
        failures += 1
        let delay = Self.delay(of: .seconds(2), afterFailures: failures, upTo: .seconds(30))
        state = .asking(again: now.advanced(by: delay))
    }

    /// Does what is missing: sends what the user showed, or fetches a challenge.
    mutating func tryAgain(at now: Instant, into effects: inout EffectBuffer<Effect>) {
        if let proof {
            send(proof, at: now, into: &effects)
        } else {
            fetchChallenge(at: now, into: &effects)
        }
    }

    mutating func phaseChanged(
        _ phase: ScenePhase,
        at now: Instant,
        into effects: inout EffectBuffer<Effect>
    ) {
        self.phase = phase
        guard phase == .active else { return }
        if keeping?.again != nil { keepAgain(into: &effects) }
        guard case .asking(let again) = state, isLacking || now >= again else { return }
        failures = 0
        tryAgain(at: now, into: &effects)
    }

    mutating func pathChanged(
        _ path: NetworkPath,
        at now: Instant,
        into effects: inout EffectBuffer<Effect>
    ) {
        guard path != .unsatisfied, phase != .background, case .asking = state, isLacking else {
            return
        }
        failures = 0
        tryAgain(at: now, into: &effects)
    }

    /// Whether something could not be had: a challenge, or the server's word.
    private var isLacking: Bool { challenge == nil || proof != nil }

    /// A wait that doubles with each failure in a row.
    private static func delay(
        of first: Duration,
        afterFailures failures: Int,
        upTo longest: Duration
    ) -> Duration {
        let factor = 1 << min(max(failures - 1, 0), 10)
        return min(first * factor, longest)
    }
}

// MARK: Keeping

extension LoginSession {
    private mutating func keep(_ token: String?, into effects: inout EffectBuffer<Effect>) {
        let operation = operations.next()
        effects.append(.writeSecureStorage(operation, token))
        keeping = Keeping(token: token, operation: operation)
    }

    /// Writes again what the keychain refused.
    mutating func keepAgain(into effects: inout EffectBuffer<Effect>) {
        guard var keeping else { return }
        let operation = operations.next()
        effects.append(.writeSecureStorage(operation, keeping.token))
        keeping.operation = operation
        keeping.again = nil
        self.keeping = keeping
    }

    mutating func written(_ operation: OperationID, _ isKept: Bool, at now: Instant) {
        guard var keeping, keeping.operation == operation else { return }
        guard !isKept else {
            self.keeping = nil
            return
        }
        keeping.failures += 1
        let delay = Self.delay(
            of: .seconds(1),
            afterFailures: keeping.failures,
            upTo: .seconds(60)
        )
        keeping.operation = nil
        keeping.again = now.advanced(by: delay)
        self.keeping = keeping
    }
}
