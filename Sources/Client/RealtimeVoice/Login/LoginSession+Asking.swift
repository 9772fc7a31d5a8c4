import SansIO

/// How the user is asked to sign in, with what, and again.
extension LoginSession {
    mutating func fetchChallenge(at now: Instant, into effects: inout EffectBuffer<Effect>) {
        let operation = operations.next()
        effects.append(.callAPI(operation, .passkeyBegin))
        requests.sent(operation, at: now, patience: Self.requestTimeout)
        state = .fetchingChallenge
    }

    mutating func ask(
        _ challenge: String,
        at now: Instant,
        into effects: inout EffectBuffer<Effect>
    ) {
        self.challenge = challenge
        isShown = true
        failures = 0
        requests.giveUp { effects.append(.cancelAPI($0)) }
        effects.append(.signInWanted(challenge: challenge))
        challengeEnd = now.advanced(by: Self.challengeLife)
        state = .asking(again: challengeEnd)
    }

    /// Asks with the challenge that nobody has answered yet.
    mutating func askAgain(into effects: inout EffectBuffer<Effect>) {
        isShown = true
        effects.append(.signInWanted(challenge: challenge))
        state = .asking(again: challengeEnd)
    }

    /// Asks with a new challenge: what was shown to the last one is worth nothing.
    mutating func askAnew(at now: Instant, into effects: inout EffectBuffer<Effect>) {
        challenge = nil
        proof = nil
        isShown = false
        requests.giveUp { effects.append(.cancelAPI($0)) }
        fetchChallenge(at: now, into: &effects)
    }

    /// Asks with what there is, unless the user has been.
    mutating func fetchFailed(at now: Instant, into effects: inout EffectBuffer<Effect>) {
        if !isShown { effects.append(.signInWanted(challenge: challenge)) }
        isShown = true
        waitToTryAgain(at: now)
    }

    mutating func waitToTryAgain(at now: Instant) {
        failures += 1
        let delay = Self.delay(of: .seconds(2), afterFailures: failures, upTo: .seconds(30))
        state = .asking(again: now.advanced(by: delay))
    }

    /// Does what is missing: sends what the user showed, reads the keychain again, or fetches a challenge.
    mutating func tryAgain(at now: Instant, into effects: inout EffectBuffer<Effect>) {
        if let proof {
            send(proof, at: now, into: &effects)
        } else if isUnread {
            readKept(into: &effects)
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
        guard case .asking(let again) = state, isLacking || isUnread || now >= again else {
            return
        }
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
    static func delay(
        of first: Duration,
        afterFailures failures: Int,
        upTo longest: Duration
    ) -> Duration {
        let factor = 1 << min(max(failures - 1, 0), 10)
        return min(first * factor, longest)
    }
}
