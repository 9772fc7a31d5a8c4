public import SansIO

/// Knows whether the user is signed in, and signs them in by passkey or with Apple (RS-12).
///
/// The session token is kept in secure storage. Its end is known while the app runs; a token found
/// there at launch is used until the server refuses it. A challenge is good for one assertion: after
/// a refusal a new one is fetched.
public struct LoginSession: StateMachine {
    /// A fact for the login.
    public enum Event: Sendable, Equatable {
        /// Somebody needs a signed-in user.
        case requested
        /// The authenticator asserted the user's passkey to the challenge.
        case passkeyAsserted(String)
        /// Apple gave an identity token.
        case appleSignedIn(identityToken: String)
        /// The user logs out.
        case loggedOut
        /// The server refused the session token (401).
        case tokenRefused
        /// The keychain answered a read.
        case secureStorageRead(OperationID, SecureAnswer)
        /// The app's own server answered.
        case apiAnswered(OperationID, APIAnswer)
    }

    /// An order from the login.
    public enum Effect: Sendable, Equatable {
        /// Reads the session token from the keychain.
        case readSecureStorage(OperationID)
        /// Writes the session token to the keychain; `nil` removes it.
        case writeSecureStorage(OperationID, String?)
        /// A request to the app's own server.
        case callAPI(OperationID, APIRequest)
        /// Nobody waits for the answer any more.
        case cancelAPI(OperationID)
        /// The user is signed in with this session token.
        case signedIn(token: String)
        /// The user is not signed in any more.
        case signedOut
        /// The user is to be asked to sign in; without a challenge only with Apple.
        case signInWanted(challenge: String?)
    }

    /// What a login does.
    enum State: Sendable, Equatable {
        /// Nobody has asked yet.
        case idle
        /// The kept token is read.
        case reading(OperationID)
        /// A challenge is fetched.
        case fetchingChallenge(OperationID, until: Instant)
        /// The user is asked.
        case asking(hasChallenge: Bool)
        /// The server looks at what the user showed.
        case completing(OperationID, since: Instant, until: Instant)
        /// The user is signed in; until the instant, if it is known.
        case signedIn(token: String, until: Instant?)
    }

    /// How long a request may take, as a token request does by default.
    static let requestTimeout = Duration.seconds(5)

    /// The end of one login and the begin of the next.
    public static var effectsPerCallMax: Int { 4 }

    /// A user can always sign in again.
    public var isFinished: Bool { false }

    /// Whether nobody is signed in: the user logged out, or the keychain keeps no session.
    ///
    /// A session that the server refused is somebody's still.
    public private(set) var isSignedOut = false
    private(set) var state = State.idle
    private var operations: OperationCounter

    /// Makes a login that nobody has asked for yet.
    ///
    /// - Parameter operations: The numbers its operations get.
    public init(operations: OperationCounter = OperationCounter()) {
        self.operations = operations
    }

    /// When a request has taken too long, or the session ends.
    public var deadline: Deadline? {
        switch state {
        case .idle, .reading, .asking: nil
        case .fetchingChallenge(_, let until): Deadline(until, "challenge timeout")
        case .completing(_, _, let until): Deadline(until, "sign-in timeout")
        case .signedIn(_, let until): until.map { Deadline($0, "login expiry") }
        }
    }

    /// Takes one fact.
    public mutating func handle(
        _ event: Event,
        at now: Instant,
        into effects: inout EffectBuffer<Effect>
    ) {
        switch event {
        case .requested: requested(at: now, into: &effects)
        case .passkeyAsserted(let assertion): asserted(assertion, at: now, into: &effects)
        case .appleSignedIn(let token): appleSignedIn(token, at: now, into: &effects)
        case .loggedOut:
            isSignedOut = true
            signOut(at: now, into: &effects)
        case .tokenRefused: signOut(at: now, into: &effects)
        case .secureStorageRead(let operation, let answer):
            read(operation, answer, at: now, into: &effects)
        case .apiAnswered(let operation, let answer):
            answered(operation, answer, at: now, into: &effects)
        }
    }

    /// Acts on a request that has taken too long, or on the session's end.
    public mutating func wake(at now: Instant, into effects: inout EffectBuffer<Effect>) {
        guard let deadline, now >= deadline.instant else { return }
        switch state {
        case .idle, .reading, .asking:
            return
        case .fetchingChallenge(let operation, _):
            effects.append(.cancelAPI(operation))
            ask(challenge: nil, into: &effects)
        case .completing(let operation, _, _):
            effects.append(.cancelAPI(operation))
            fetchChallenge(at: now, into: &effects)
        case .signedIn:
            signOut(at: now, into: &effects)
        }
    }
}

// MARK: Signing in

extension LoginSession {
    private mutating func requested(at now: Instant, into effects: inout EffectBuffer<Effect>) {
        switch state {
        case .idle:
            let operation = operations.next()
            effects.append(.readSecureStorage(operation))
            state = .reading(operation)
        case .reading, .fetchingChallenge, .completing:
            return
        case .asking:
            fetchChallenge(at: now, into: &effects)
        case .signedIn(let token, _):
            effects.append(.signedIn(token: token))
        }
    }

    private mutating func read(
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

    private mutating func fetchChallenge(
        at now: Instant,
        into effects: inout EffectBuffer<Effect>
    ) {
        let operation = operations.next()
        effects.append(.callAPI(operation, .passkeyBegin))
        state = .fetchingChallenge(operation, until: now.advanced(by: Self.requestTimeout))
    }

    private mutating func ask(challenge: String?, into effects: inout EffectBuffer<Effect>) {
        effects.append(.signInWanted(challenge: challenge))
        state = .asking(hasChallenge: challenge != nil)
    }

    private mutating func asserted(
        _ assertion: String,
        at now: Instant,
        into effects: inout EffectBuffer<Effect>
    ) {
        switch state {
        case .idle, .reading, .fetchingChallenge, .completing, .signedIn:
            return
        case .asking(let hasChallenge):
            guard hasChallenge else { return fetchChallenge(at: now, into: &effects) }
            complete(.passkeyComplete(assertion: assertion), at: now, into: &effects)
        }
    }

    private mutating func appleSignedIn(
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
        let operation = operations.next()
        effects.append(.callAPI(operation, request))
        let until = now.advanced(by: Self.requestTimeout)
        state = .completing(operation, since: now, until: until)
    }

    private mutating func answered(
        _ operation: OperationID,
        _ answer: APIAnswer,
        at now: Instant,
        into effects: inout EffectBuffer<Effect>
    ) {
        switch state {
        case .idle, .reading, .asking, .signedIn:
            return
        case .fetchingChallenge(let pending, _):
            guard pending == operation else { return }
            guard case .challenge(let challenge) = answer else {
                return ask(challenge: nil, into: &effects)
            }
            ask(challenge: challenge, into: &effects)
        case .completing(let pending, let since, _):
            guard pending == operation else { return }
            guard case .session(let token, let timeToLive) = answer else {
                return fetchChallenge(at: now, into: &effects)
            }
            let end = max(since.advanced(by: timeToLive.asTokenLife), now)
            effects.append(.writeSecureStorage(operations.next(), token))
            effects.append(.signedIn(token: token))
            isSignedOut = false
            state = .signedIn(token: token, until: end)
        }
    }

    /// Forgets the token, here and in secure storage, and asks again.
    private mutating func signOut(at now: Instant, into effects: inout EffectBuffer<Effect>) {
        switch state {
        case .fetchingChallenge, .asking:
            return
        case .idle:
            return effects.append(.writeSecureStorage(operations.next(), nil))
        case .completing(let operation, _, _):
            effects.append(.cancelAPI(operation))
        case .reading:
            effects.append(.writeSecureStorage(operations.next(), nil))
        case .signedIn:
            effects.append(.writeSecureStorage(operations.next(), nil))
            effects.append(.signedOut)
        }
        fetchChallenge(at: now, into: &effects)
    }
}
