import SansIO

/// From being asked to being signed in.
extension LoginSession {
    mutating func requested(in turn: inout Turn<Effect>) {
        switch state {
        case .idle:
            readKept(in: &turn)
        case .completing:
            return
        case .reading:
            isShown = false
        case .fetchingChallenge:
            isShown = false
            guard isUnread else { return }
            // What is kept may be read by now, and no challenge be needed.
            requests.giveUp { turn.order(.cancelAPI($0)) }
            readKept(in: &turn)
        case .asking:
            isShown = false
            tryAgain(in: &turn)
        case .signedIn(let token, _):
            turn.order(.signedIn(token: token))
        }
    }

    mutating func readKept(in turn: inout Turn<Effect>) {
        let operation = operations.next()
        turn.order(.readSecureStorage(operation))
        state = .reading(operation)
    }

    mutating func read(
        _ operation: OperationID,
        _ answer: SecureAnswer,
        in turn: inout Turn<Effect>
    ) {
        guard state == .reading(operation) else { return }
        isUnread = answer == .failed
        guard case .value(let token?) = answer, !token.isEmpty else {
            if case .value = answer { isSignedOut = true }
            // A keychain that stays locked costs no challenge each time.
            if isUnread, challenge != nil, turn.now < challengeEnd {
                return askAgain(in: &turn)
            }
            return fetchChallenge(in: &turn)
        }
        isSignedOut = false
        challenge = nil
        requests.giveUp { turn.order(.cancelAPI($0)) }
        state = .signedIn(token: token, until: nil)
        turn.order(.signedIn(token: token))
    }

    mutating func asserted(_ assertion: String, in turn: inout Turn<Effect>) {
        switch state {
        case .idle, .completing, .signedIn:
            return
        case .reading where isUnread, .fetchingChallenge, .asking:
            // The user may have been asked before, and answer while the keychain is read again or a
            // fresher challenge is fetched.
            guard challenge == nil else { break }
            isShown = false
            if case .asking = state { tryAgain(in: &turn) }
            return
        case .reading:
            isShown = false
            return
        }
        complete(.passkeyComplete(assertion: assertion), in: &turn)
    }

    mutating func appleSignedIn(_ token: String, in turn: inout Turn<Effect>) {
        switch state {
        case .idle, .completing, .signedIn:
            return
        case .reading:
            guard isUnread else {
                isShown = false
                return
            }
        case .fetchingChallenge, .asking:
            break
        }
        complete(.appleSignIn(identityToken: token), in: &turn)
    }

    private mutating func complete(_ request: APIRequest, in turn: inout Turn<Effect>) {
        proof = request
        isSentAgain = false
        isShown = false
        waits.reset()
        requests.giveUp { turn.order(.cancelAPI($0)) }
        send(request, in: &turn)
    }

    mutating func send(_ request: APIRequest, in turn: inout Turn<Effect>) {
        let operation = operations.next()
        turn.order(.callAPI(operation, request))
        requests.sent(operation, at: turn.now, patience: Self.requestTimeout)
        state = .completing
    }

    mutating func answered(
        _ operation: OperationID,
        _ answer: APIAnswer,
        in turn: inout Turn<Effect>
    ) {
        let isLast = requests.isOnly(operation)
        noteBusyServer(answer, at: turn.now)
        let outcome = requests.answered(operation, settles: settles(answer)) {
            turn.order(.cancelAPI($0))
        }
        switch (outcome, answer) {
        case (.settled, .challenge(let challenge)):
            ask(challenge, in: &turn)
        case (.settled(let since, _), .session(let token, let timeToLive)):
            signedIn(token, for: timeToLive, since: since, in: &turn)
        case (.failed, _):
            failed(answer, in: &turn)
        case (.ignored, .refused) where isLast && proof != nil:
            // None is in flight that may have been taken instead.
            askAnew(in: &turn)
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
        case .credentials, .foreignDevice, .busy, .refused, .malformed, .failed: false
        }
    }

    /// A server that answers anything else is busy no more.
    private mutating func noteBusyServer(_ answer: APIAnswer, at now: Instant) {
        switch answer {
        case .busy(let told): busyUntil = now.advanced(by: told.wait)
        case .failed: return
        case .credentials, .challenge, .session, .foreignDevice, .refused, .malformed:
            busyUntil = .zero
        }
    }

    private mutating func failed(_ answer: APIAnswer, in turn: inout Turn<Effect>) {
        guard proof != nil else { return fetchFailed(in: &turn) }
        switch answer {
        case .failed(.offline), .busy:
            // It never left the phone, or was not looked at: it is sent when there is a network.
            waitToTryAgain(at: turn.now)
        case .failed:
            unanswered(in: &turn)
        case .credentials, .challenge, .session, .foreignDevice, .refused, .malformed:
            askAnew(in: &turn)
        }
    }

    private mutating func signedIn(
        _ token: String,
        for timeToLive: Duration,
        since: Instant,
        in turn: inout Turn<Effect>
    ) {
        let end = max(since.advanced(by: timeToLive.asTokenLife), turn.now)
        challenge = nil
        proof = nil
        isSignedOut = false
        isUnread = false
        keep(token, in: &turn)
        turn.order(.signedIn(token: token))
        state = .signedIn(token: token, until: end)
    }

    /// Sends what the user showed again: the server may not have seen it.
    ///
    /// At once the first time, and from time to time after that. If the server has seen it, it refuses
    /// what it takes only once, and the user is asked anew.
    mutating func unanswered(in turn: inout Turn<Effect>) {
        guard let proof else { return askAnew(in: &turn) }
        guard !isSentAgain else { return waitToTryAgain(at: turn.now) }
        isSentAgain = true
        send(proof, in: &turn)
    }

    /// Forgets the token, here and in secure storage, and asks again.
    mutating func signOut(in turn: inout Turn<Effect>) {
        forgetUnread(in: &turn)
        switch state {
        case .fetchingChallenge:
            return
        case .asking:
            guard proof != nil else { return }
        case .idle:
            return keep(nil, in: &turn)
        case .completing:
            break
        case .reading:
            keep(nil, in: &turn)
        case .signedIn:
            keep(nil, in: &turn)
            turn.order(.signedOut)
        }
        askAnew(in: &turn)
    }

    /// What could not be read signs nobody in any more.
    private mutating func forgetUnread(in turn: inout Turn<Effect>) {
        guard isUnread else { return }
        isUnread = false
        if case .reading = state { return }
        keep(nil, in: &turn)
    }
}
