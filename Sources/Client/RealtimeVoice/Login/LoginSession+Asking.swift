import SansIO

/// How the user is asked to sign in, with what, and again.
extension LoginSession {
    mutating func fetchChallenge(in turn: inout Turn<Effect>) {
        if challenge != nil, turn.now >= challengeEnd.advanced(by: Self.challengeMargin) {
            // What is signed to one that has run out is refused: it is offered no more.
            challenge = nil
            isShown = false
        }
        let operation = operations.next()
        turn.order(.callAPI(operation, .passkeyBegin))
        requests.sent(operation, at: turn.now, patience: Self.requestTimeout)
        state = .fetchingChallenge
    }

    mutating func ask(_ challenge: String, in turn: inout Turn<Effect>) {
        self.challenge = challenge
        isShown = true
        waits.reset()
        requests.giveUp { turn.order(.cancelAPI($0)) }
        turn.order(.signInWanted(challenge: challenge))
        challengeEnd = turn.now.advanced(by: Self.challengeLife)
        state = .asking(again: challengeEnd)
    }

    /// Asks with the challenge that nobody has answered yet.
    mutating func askAgain(in turn: inout Turn<Effect>) {
        isShown = true
        turn.order(.signInWanted(challenge: challenge))
        state = .asking(again: challengeEnd)
    }

    /// Asks with a new challenge: what was shown to the last one is worth nothing.
    mutating func askAnew(in turn: inout Turn<Effect>) {
        challenge = nil
        proof = nil
        isShown = false
        requests.giveUp { turn.order(.cancelAPI($0)) }
        fetchChallenge(in: &turn)
    }

    /// Asks with what there is, unless the user has been.
    mutating func fetchFailed(in turn: inout Turn<Effect>) {
        if !isShown { turn.order(.signInWanted(challenge: challenge)) }
        isShown = true
        waitToTryAgain(at: turn.now)
    }

    /// Waits a drawn time, and as long as a busy server asks.
    mutating func waitToTryAgain(at now: Instant) {
        let delay = waits.next(first: .seconds(2), longest: .seconds(30), by: &generator)
        state = .asking(again: max(now.advanced(by: delay), busyUntil))
    }

    /// Does what is missing: sends what the user showed, reads the keychain again, or fetches a challenge.
    mutating func tryAgain(in turn: inout Turn<Effect>) {
        if let proof {
            send(proof, in: &turn)
        } else if isUnread {
            readKept(in: &turn)
        } else {
            fetchChallenge(in: &turn)
        }
    }

    mutating func phaseChanged(_ phase: ScenePhase, in turn: inout Turn<Effect>) {
        self.phase = phase
        guard phase == .active else { return }
        if keeping?.again != nil { keepAgain(in: &turn) }
        guard case .asking(let again) = state else { return }
        if isUnread || turn.now >= again { return hopeAnew(in: &turn) }
        tryLacking(insteadOfAt: again, in: &turn)
    }

    mutating func pathChanged(_ path: NetworkPath, in turn: inout Turn<Effect>) {
        guard path != .unsatisfied, phase != .background, case .asking(let again) = state
        else { return }
        tryLacking(insteadOfAt: again, in: &turn)
    }

    /// Does what is missing as soon as a busy server may be asked.
    private mutating func tryLacking(insteadOfAt again: Instant, in turn: inout Turn<Effect>) {
        guard isLacking else { return }
        guard turn.now < busyUntil else { return hopeAnew(in: &turn) }
        state = .asking(again: min(again, busyUntil))
    }

    private mutating func hopeAnew(in turn: inout Turn<Effect>) {
        waits.reset()
        tryAgain(in: &turn)
    }

    /// Whether something could not be had: a challenge, or the server's word.
    private var isLacking: Bool { challenge == nil || proof != nil }
}
