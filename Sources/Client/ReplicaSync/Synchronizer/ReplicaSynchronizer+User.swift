import SansIO

/// Whose replica it is, and what opens the user's database (RP-01, RP-06).
extension ReplicaSynchronizer {
    mutating func signedIn(
        _ session: String,
        at now: Instant,
        into effects: inout EffectBuffer<ReplicaEffect>
    ) {
        guard self.session != .known(session) else { return hasten(at: now, into: &effects) }
        forgetUser(into: &effects)
        if case .known = self.session {
            credential = .missing
            effects.append(.keepCredential(nil))
        }
        self.session = .known(session)
        next = now
        proceedIfDue(at: now, into: &effects)
    }

    mutating func signedOut(into effects: inout EffectBuffer<ReplicaEffect>) {
        forgetUser(into: &effects)
        leave(into: &effects)
    }

    /// Nobody is signed in; what opens the former user's database is deleted.
    private mutating func leave(into effects: inout EffectBuffer<ReplicaEffect>) {
        state = .idle
        next = nil
        session = .missing
        credential = .missing
        effects.append(.keepCredential(nil))
    }

    /// Nothing that a sync for one user has found is true for another.
    private mutating func forgetUser(into effects: inout EffectBuffer<ReplicaEffect>) {
        stop(into: &effects)
        staging = nil
        isForeign = false
        isOutdated = false
        failures.reset()
        setbacks.reset()
    }

    mutating func secretRead(
        _ operation: OperationID,
        _ answer: SecretAnswer,
        at now: Instant,
        into effects: inout EffectBuffer<ReplicaEffect>
    ) {
        switch state {
        case .readingSession(operation):
            switch answer {
            case .found(let text) where !text.isEmpty: session = .known(text)
            // A sign-out that was cut short may have left a credential.
            case .found, .missing: return leave(into: &effects)
            case .unavailable: return giveUp(at: now)
            }
        case .readingCredential(operation):
            guard case .known(let session) = self.session else { return }
            switch answer {
            case .found(let text):
                let kept = ReplicaCredential(text: text, session: session)
                credential = kept.map(Secret.known) ?? .missing
            case .missing: credential = .missing
            case .unavailable: return giveUp(at: now)
            }
        case .readingSession, .readingCredential, .idle, .loading, .asking, .storing:
            return
        }
        proceed(at: now, into: &effects)
    }

    /// Goes on with a sync: who, with what, and then the exchange.
    mutating func proceed(at now: Instant, into effects: inout EffectBuffer<ReplicaEffect>) {
        switch (session, credential) {
        case (.missing, _):
            state = .idle
        case (.unread, _):
            let operation = operations.next()
            effects.append(.readSecret(operation, .session))
            state = .readingSession(operation)
        case (.known, .unread):
            let operation = operations.next()
            effects.append(.readSecret(operation, .credential))
            state = .readingCredential(operation)
        case (.known, .missing):
            ask(.credential, at: now, into: &effects)
        case (.known, .known(let credential)):
            follow(credential.database, into: &effects)
            guard !isForeign else {
                state = .idle
                return
            }
            exchange(at: now, into: &effects)
        }
    }

    /// One user's rows and unsent changes are never another's: a file has one owner from the first
    /// credential on, before anything is exchanged.
    private mutating func follow(
        _ database: String,
        into effects: inout EffectBuffer<ReplicaEffect>
    ) {
        if standing?.database == nil {
            standing?.database = database
            effects.append(.follow(database))
        }
        isForeign = standing?.database != database
    }

    /// The server gave what opens the user's database.
    mutating func credentialGiven(
        _ given: ReplicaCredential,
        at now: Instant,
        into effects: inout EffectBuffer<ReplicaEffect>
    ) {
        guard case .known(let session) = self.session else { return }
        credential = .known(given)
        effects.append(.keepCredential(given.text(session: session)))
        proceed(at: now, into: &effects)
    }

    /// The server takes the session, or the token, for invalid.
    mutating func unauthorized(
        _ question: Question,
        at now: Instant,
        into effects: inout EffectBuffer<ReplicaEffect>
    ) {
        if question == .credential {
            leave(into: &effects)
            return effects.append(.signInRequired)
        }
        credential = .missing
        repeats.refusals += 1
        // A server that refuses the token that it just gave would refuse any.
        guard repeats.refusals == 1 else { return giveUp(at: now) }
        ask(.credential, at: now, into: &effects)
    }
}
