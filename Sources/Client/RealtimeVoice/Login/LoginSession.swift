public import SansIO

/// Knows whether the user is signed in, and signs them in by passkey or with Apple (RS-12).
///
/// The session token is kept in secure storage. Its end is known while the app runs; a token found
/// there at launch is used until the server refuses it. What the storage does not take is written
/// again: a token that outlived its logout would sign its user in at the next launch.
///
/// A challenge is good for one assertion: after a refusal a new one is fetched. In front, one that
/// wasn't answered is replaced before it runs out. What the user showed is sent again where
/// there was no network or no answer. What is missing then is tried again when a path is back, when
/// the app comes to the front, and there from time to time.
///
/// A request that has taken too long may still be answered, as `PatientRequest` says.
public struct LoginSession: StateMachine {
    /// A fact for the login.
    public enum Event: Sendable, Equatable {
        /// A signed-in user is needed.
        case requested
        /// The authenticator asserted the user's passkey to the challenge.
        case passkeyAsserted(String)
        /// Apple gave an identity token.
        case appleSignedIn(identityToken: String)
        /// The user logs out.
        case loggedOut
        /// The server refused the session token (401).
        case tokenRefused
        /// The scene's phase changed; where it is never told, nothing is tried again by time.
        case scenePhaseChanged(ScenePhase)
        /// The system's idea of the network changed.
        case pathChanged(NetworkPath)
        /// The keychain answered a read.
        case secureStorageRead(OperationID, SecureAnswer)
        /// The keychain answered a write.
        case secureStorageWritten(OperationID, isKept: Bool)
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
        /// Cancels a request; its answer is no longer needed.
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
        /// It wasn't asked for yet.
        case idle
        /// The kept token is read.
        case reading(OperationID)
        /// A challenge is fetched.
        case fetchingChallenge
        /// The user is asked; in front, what is missing or grows old is tried again at `again`.
        case asking(again: Instant)
        /// The server looks at what the user showed.
        case completing
        /// The user is signed in; until the instant, if it is known.
        case signedIn(token: String, until: Instant?)
    }

    /// What the keychain is to hold and has not confirmed.
    struct Keeping: Sendable, Equatable {
        let token: String?
        /// The write that is under way, if one is.
        var operation: OperationID?
        /// When the next one is due, if the last one was refused.
        var again: Instant?
        /// The waits after refusals.
        var waits = Backoff()
    }

    /// How long a request may take, as a token request does by default.
    static let requestTimeout = Duration.seconds(5)
    /// How long the first answer to what the user showed may take on a path that is there and slow.
    static let proofPatience = Duration.seconds(30)
    /// How long a challenge that nobody has answered is left to the user.
    ///
    /// It serves for 5 minutes where the server keeps to the default of Web Authentication Level 3.
    static let challengeLife = Duration.seconds(240)
    /// How long it serves after that, if no fresh one can be had: the rest of the 5 minutes.
    static let challengeMargin = Duration.seconds(60)

    /// The end of one login and the begin of the next.
    public static var effectsPerCallMax: Int { 5 }

    /// A user can always sign in again.
    public var isFinished: Bool { false }

    /// Whether no user is signed in: the user logged out, or the keychain holds no session.
    ///
    /// A user whose session the server refused still counts as signed in.
    public internal(set) var isSignedOut = false
    /// Whether the keychain could not be read: a session may be kept there all the same.
    ///
    /// From a restart of the phone until its user unlocks it nothing can be read (Apple,
    /// `kSecAttrAccessibleAfterFirstUnlock`), and a call launches the app before that.
    public internal(set) var isUnread = false
    var state = State.idle
    var operations: OperationCounter
    var phase: ScenePhase?
    /// What the user is asked to sign, as long as nobody has signed it for the server.
    var challenge: String?
    /// Until when it is left to the user.
    var challengeEnd = Instant.zero
    /// Whether the user has been asked since somebody wanted that last.
    var isShown = false
    /// What the user showed, until the server has answered it.
    var proof: APIRequest?
    /// Whether it has been sent a second time.
    var isSentAgain = false
    /// The waits after tries in a row that failed for want of an answer.
    var waits = Backoff()
    /// Until when a busy server asks to be left alone.
    var busyUntil = Instant.zero
    var generator: SeededGenerator
    /// The requests in flight; of one kind at a time.
    var requests = PatientRequest()
    var keeping: Keeping?

    /// Makes an idle login.
    ///
    /// - Parameters:
    ///   - seed: The entropy of its waits.
    ///   - operations: The numbers its operations get.
    public init(seed: UInt64, operations: OperationCounter = OperationCounter()) {
        generator = SeededGenerator(seed: seed)
        self.operations = operations
    }

    /// When a request has taken too long, something is tried again, or the session ends.
    public var deadline: Deadline? {
        let keepingAgain = keeping?.again
        return .earliest(stateDeadline, keepingAgain.map { Deadline($0, "keychain") })
    }

    private var stateDeadline: Deadline? {
        switch state {
        case .idle, .reading: nil
        case .fetchingChallenge: requests.pending.map { Deadline($0.until, "challenge timeout") }
        case .asking(let again): phase == .active ? Deadline(again, "challenge") : nil
        case .completing: requests.pending.map { Deadline($0.until, "sign-in timeout") }
        case .signedIn(_, let until): until.map { Deadline($0, "login expiry") }
        }
    }

    /// Whether the keychain is being asked for a session.
    public var isReading: Bool {
        if case .reading = state { true } else { false }
    }

    /// Takes one fact.
    public mutating func handle(_ event: Event, in turn: inout Turn<Effect>) {
        switch event {
        case .requested: requested(in: &turn)
        case .passkeyAsserted(let assertion): asserted(assertion, in: &turn)
        case .appleSignedIn(let token): appleSignedIn(token, in: &turn)
        case .loggedOut:
            isSignedOut = true
            signOut(in: &turn)
        case .tokenRefused: signOut(in: &turn)
        case .scenePhaseChanged(let phase): phaseChanged(phase, in: &turn)
        case .pathChanged(let path): pathChanged(path, in: &turn)
        case .secureStorageRead(let operation, let answer):
            read(operation, answer, in: &turn)
        case .secureStorageWritten(let operation, let isKept):
            written(operation, isKept, at: turn.now)
        case .apiAnswered(let operation, let answer):
            answered(operation, answer, in: &turn)
        }
    }

    /// Acts on a request that has taken too long, on what is tried again, or on the session's end.
    public mutating func wake(in turn: inout Turn<Effect>) {
        if let again = keeping?.again, turn.now >= again { keepAgain(in: &turn) }
        guard let stateDeadline, turn.now >= stateDeadline.instant else { return }
        switch state {
        case .idle, .reading:
            return
        case .fetchingChallenge:
            requests.leaveLate { turn.order(.cancelAPI($0)) }
            fetchFailed(in: &turn)
        case .asking:
            tryAgain(in: &turn)
        case .completing:
            // If the first was taken, only its answer signs in: all others are refused.
            // If that one was lost, the same holds for the next.
            let first = requests.first ?? requests.late
            if let first, turn.now < first.since.advanced(by: Self.proofPatience) {
                requests.leaveLateButFirst { turn.order(.cancelAPI($0)) }
            } else {
                requests.leaveLate { turn.order(.cancelAPI($0)) }
            }
            unanswered(in: &turn)
        case .signedIn:
            signOut(in: &turn)
        }
    }
}
