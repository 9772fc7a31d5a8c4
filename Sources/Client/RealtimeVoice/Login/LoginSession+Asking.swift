import SansIO

/// How the user is asked to sign in, with what, and again.
extension LoginSession {
    mutating func fetchChallenge(in turn: inout Turn<Effect>) {
        let operation = operations.next()
        turn.order(.callAPI(operation, .passkeyBegin))
        requests.sent(operation, at: turn.now, patience: Self.requestTimeout)
        state = .fetchingChallenge
    }

    mutating func ask(_ challenge: String, in turn: inout Turn<Effect>) {
        self.challenge = challenge
        isShown = true
        failures = 0
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

    mutating func waitToTryAgain(at now: Instant) {
        failures += 1
        let delay = Self.delay(of: .seconds(2), afterFailures: failures, upTo: .seconds(30))
        state = .asking(again: now.advanced(by: delay))
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
        guard case .asking(let again) = state, isLacking || isUnread || turn.now >= again else {
            return
        }
        failures = 0
        tryAgain(in: &turn)
    }

    mutating func pathChanged(_ path: NetworkPath, in turn: inout Turn<Effect>) {
        guard path != .unsatisfied, phase != .background, case .asking = state, isLacking else {
            return
        }
        failures = 0
        tryAgain(in: &turn)
    }

    /// Whether something could not be had: a challenge, or the server's word.
    private var isLacking: Bool { challenge == nil || proof != nil }

    /// A wait that doubles with each failure in a row.
    static func delay(
        of first: Duration,
        afterFailures failures: Int,
        upTo longest: Duration
    ) -> Duration {
        let factor = 1 << min(max(failures - 1, 0), 10)
        return min(first * factor, longest)
    }
}
