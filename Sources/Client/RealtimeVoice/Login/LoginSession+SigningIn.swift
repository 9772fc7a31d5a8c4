import SansIO

/// From being asked to being signed in.
extension LoginSession {
    mutating func requested(at now: Instant, into effects: inout EffectBuffer<Effect>) {
        switch state {
        case .idle:
            readKept(into: &effects)
        case .reading, .completing:
            return
        case .fetchingChallenge:
            isShown = false
            guard isUnread else { return }
            // What is kept may be read by now, and no challenge be needed.
            requests.giveUp { effects.append(.cancelAPI($0)) }
            readKept(into: &effects)
        case .asking:
            isShown = false
            tryAgain(at: now, into: &effects)
        case .signedIn(let token, _):
            effects.append(.signedIn(token: token))
        }
    }

    mutating func readKept(into effects: inout EffectBuffer<Effect>) {
        let operation = operations.next()
        effects.append(.readSecureStorage(operation))
        state = .reading(operation)
    }

    mutating func read(
        _ operation: OperationID,
        _ answer: SecureAnswer,
        at now: Instant,
        into effects: inout EffectBuffer<Effect>
    ) {
        guard state == .reading(operation) else { return }
        isUnread = answer == .failed
        guard case .value(let token?) = answer, !token.isEmpty else {
            if case .value = answer { isSignedOut = true }
            // A keychain that stays locked costs no challenge each time.
            if isUnread, challenge != nil, now < challengeEnd {
                return askAgain(into: &effects)
            }
            return fetchChallenge(at: now, into: &effects)
        }
        isSignedOut = false
        challenge = nil
        requests.giveUp { effects.append(.cancelAPI($0)) }
        state = .signedIn(token: token, until: nil)
        effects.append(.signedIn(token: token))
    }

    mutating func asserted(
        _ assertion: String,
        at now: Instant,
        into effects: inout EffectBuffer<Effect>
    ) {
        switch state {
        case .idle, .completing, .signedIn:
            return
        case .reading:
            // The user was asked while the keychain could not be read, which is tried again now.
            guard isUnread, challenge != nil else { return }
        case .fetchingChallenge:
            // The user was asked before, and has answered while a fresher challenge is fetched.
            guard challenge != nil else { return }
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
        case .idle, .completing, .signedIn:
            return
        case .reading:
            guard isUnread else { return }
        case .fetchingChallenge, .asking:
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
        requests.giveUp { effects.append(.cancelAPI($0)) }
        send(request, at: now, into: &effects)
    }

    mutating func send(
        _ request: APIRequest,
        at now: Instant,
        into effects: inout EffectBuffer<Effect>
    ) {
        let operation = operations.next()
        effects.append(.callAPI(operation, request))
        requests.sent(operation, at: now, patience: Self.requestTimeout)
        state = .completing
    }

    mutating func answered(
        _ operation: OperationID,
        _ answer: APIAnswer,
        at now: Instant,
        into effects: inout EffectBuffer<Effect>
    ) {
        let isLast = requests.isOnly(operation)
        let outcome = requests.answered(operation, settles: settles(answer)) {
            effects.append(.cancelAPI($0))
        }
        switch (outcome, answer) {
        case (.settled, .challenge(let challenge)):
            ask(challenge, at: now, into: &effects)
        case (.settled(let since, _), .session(let token, let timeToLive)):
            signedIn(token, for: timeToLive, since: since, at: now, into: &effects)
        case (.failed, _):
            failed(answer, at: now, into: &effects)
        case (.ignored, .refused) where isLast && proof != nil:
            // None is in flight that may have been taken instead.
            askAnew(at: now, into: &effects)
        default:
            return
        }
    }

    /// Whether an answer brings what was asked for.
    ///
    /// A refusal does not, of what the server takes only once: the other request may have been taken.
    private func settles(_ answer: APIAnswer) -> Bool {
        switch answer {
        case .challenge: proof == nil
        case .session: proof != nil
        case .credentials, .foreignDevice, .refused, .malformed, .failed: false
        }
    }

    private mutating func failed(
        _ answer: APIAnswer,
        at now: Instant,
        into effects: inout EffectBuffer<Effect>
    ) {
        guard proof != nil else { return fetchFailed(at: now, into: &effects) }
        switch answer {
        case .failed(.offline):
            // It never left the phone: it is sent when there is a network.
            waitToTryAgain(at: now)
        case .failed:
            unanswered(at: now, into: &effects)
        case .credentials, .challenge, .session, .foreignDevice, .refused, .malformed:
            askAnew(at: now, into: &effects)
        }
    }

    private mutating func signedIn(
        _ token: String,
        for timeToLive: Duration,
        since: Instant,
        at now: Instant,
        into effects: inout EffectBuffer<Effect>
    ) {
        let end = max(since.advanced(by: timeToLive.asTokenLife), now)
        challenge = nil
        proof = nil
        isSignedOut = false
        isUnread = false
        keep(token, into: &effects)
        effects.append(.signedIn(token: token))
        state = .signedIn(token: token, until: end)
    }

    /// Sends what the user showed again: the server may not have seen it.
    ///
    /// At once the first time, and from time to time after that. If the server has seen it, it refuses
    /// what it takes only once, and the user is asked anew.
    mutating func unanswered(at now: Instant, into effects: inout EffectBuffer<Effect>) {
        guard let proof else { return askAnew(at: now, into: &effects) }
        guard !isSentAgain else { return waitToTryAgain(at: now) }
        isSentAgain = true
        send(proof, at: now, into: &effects)
    }

    /// Forgets the token, here and in secure storage, and asks again.
    mutating func signOut(at now: Instant, into effects: inout EffectBuffer<Effect>) {
        forgetUnread(into: &effects)
        switch state {
        case .fetchingChallenge:
            return
        case .asking:
            guard proof != nil else { return }
        case .idle:
            return keep(nil, into: &effects)
        case .completing:
            break
        case .reading:
            keep(nil, into: &effects)
        case .signedIn:
            keep(nil, into: &effects)
            effects.append(.signedOut)
        }
        askAnew(at: now, into: &effects)
    }

    /// What could not be read signs nobody in any more.
    private mutating func forgetUnread(into effects: inout EffectBuffer<Effect>) {
        guard isUnread else { return }
        isUnread = false
        if case .reading = state { return }
        keep(nil, into: &effects)
    }
}
