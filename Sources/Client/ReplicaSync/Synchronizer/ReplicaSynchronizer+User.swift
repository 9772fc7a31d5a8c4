import SansIO
import TextFormats

/// Whose replica it is, and what opens the user's database (RP-01, RP-06).
extension ReplicaSynchronizer {
    mutating func signedIn(_ session: String, in turn: inout Turn<ReplicaEffect>) {
        guard self.session != .known(session) else { return hasten(in: &turn) }
        forgetUser(in: &turn)
        if case .known = self.session {
            credential = .missing
            turn.order(.keepCredential(nil))
        }
        self.session = .known(session)
        isForeign = !claim(in: &turn)
        next = turn.now
        proceedIfDue(in: &turn)
    }

    mutating func signedOut(in turn: inout Turn<ReplicaEffect>) {
        forgetUser(in: &turn)
        leave(in: &turn)
    }

    /// Nobody is signed in; what opens the former user's database is deleted.
    private mutating func leave(in turn: inout Turn<ReplicaEffect>) {
        state = .idle
        next = nil
        session = .missing
        credential = .missing
        turn.order(.keepCredential(nil))
    }

    /// Nothing that a sync for one user has found is true for another.
    private mutating func forgetUser(in turn: inout Turn<ReplicaEffect>) {
        stop(in: &turn)
        staging = nil
        isForeign = false
        isOutdated = false
        failures.reset()
        setbacks.reset()
    }

    mutating func secretRead(
        _ operation: OperationID,
        _ answer: SecretAnswer,
        in turn: inout Turn<ReplicaEffect>
    ) {
        switch state {
        case .readingSession(operation):
            switch answer {
            case .found(let text) where !text.isEmpty: session = .known(text)
            // A sign-out that was cut short may have left a credential.
            case .found, .missing: return leave(in: &turn)
            case .unavailable: return giveUp(at: turn.now)
            }
        case .readingCredential(operation):
            guard case .known(let session) = self.session else { return }
            switch answer {
            case .found(let text):
                let kept = ReplicaCredential(text: text, session: session)
                credential = kept.map(Secret.known) ?? .missing
            case .missing: credential = .missing
            case .unavailable: return giveUp(at: turn.now)
            }
        case .readingSession, .readingCredential, .idle, .loading, .asking, .storing:
            return
        }
        proceed(in: &turn)
    }

    /// Goes on with a sync: who, with what, and then the exchange.
    mutating func proceed(in turn: inout Turn<ReplicaEffect>) {
        guard claim(in: &turn) else {
            isForeign = true
            state = .idle
            return
        }
        switch (session, credential) {
        case (.missing, _):
            state = .idle
        case (.unread, _):
            let operation = operations.next()
            turn.order(.readSecret(operation, .session))
            state = .readingSession(operation)
        case (.known, .unread):
            let operation = operations.next()
            turn.order(.readSecret(operation, .credential))
            state = .readingCredential(operation)
        case (.known, .missing):
            ask(.credential, in: &turn)
        case (.known, .known(let credential)):
            follow(credential.database, in: &turn)
            guard !isForeign else {
                state = .idle
                return
            }
            exchange(in: &turn)
        }
    }

    /// What is written from a sign-in on is that user's, though their database is not known until the server
    /// has given its credential.
    ///
    /// - Returns: Whether the file may be theirs; a session that does not say whose it is may be anybody's.
    mutating func claim(in turn: inout Turn<ReplicaEffect>) -> Bool {
        guard let standing, standing.database == nil, case .known(let session) = session,
            let user = TokenSubject.of(session)
        else { return true }
        guard let claimant = standing.claimant else {
            self.standing?.claimant = user
            turn.order(.claim(user))
            return true
        }
        return claimant.utf8.elementsEqual(user.utf8)
    }

    /// One user's rows and unsent changes are never another's: a file has one owner from the first
    /// credential on, before anything is exchanged.
    private mutating func follow(_ database: String, in turn: inout Turn<ReplicaEffect>) {
        if standing?.database == nil {
            standing?.database = database
            standing?.claimant = nil
            turn.order(.follow(database))
        }
        isForeign = standing?.database != database
    }

    /// The server gave what opens the user's database.
    mutating func credentialGiven(_ given: ReplicaCredential, in turn: inout Turn<ReplicaEffect>) {
        guard case .known(let session) = self.session else { return }
        credential = .known(given)
        turn.order(.keepCredential(given.text(session: session)))
        proceed(in: &turn)
    }

    /// The server takes the session, or the token, for invalid.
    mutating func unauthorized(_ question: Question, in turn: inout Turn<ReplicaEffect>) {
        if question == .credential {
            leave(in: &turn)
            return turn.order(.signInRequired)
        }
        credential = .missing
        repeats.refusals += 1
        // A server that refuses the token that it just gave would refuse any.
        guard repeats.refusals == 1 else { return giveUp(at: turn.now) }
        ask(.credential, in: &turn)
    }
}
