public import SansIO

/// Has the device's identity ready: a UUID made once and kept in secure storage across launches (RS-03).
///
/// It names a device of one user: where another signs in on the same phone, the server refuses it, and a new
/// one is made.
///
/// A new one counts only when it is kept: an identity that the next launch would not find again would
/// be another device to the server.
public struct DeviceIdentityStore: StateMachine {
    /// A fact for the store.
    public enum Event: Sendable, Equatable {
        /// The identity is needed.
        case requested
        /// The server has this identity for another user's: there has to be another one.
        case refused(String)
        /// The keychain answered a read.
        case secureStorageRead(OperationID, SecureAnswer)
        /// The keychain answered a write.
        case secureStorageWritten(OperationID, isKept: Bool)
    }

    /// An order from the store.
    public enum Effect: Sendable, Equatable {
        /// Reads the identity from the keychain.
        case readSecureStorage(OperationID)
        /// Writes the identity to the keychain.
        case writeSecureStorage(OperationID, String)
        /// The identity, a UUID as text.
        case identified(String)
        /// It cannot be had now; another request tries again.
        case failed
    }

    enum State: Sendable, Equatable {
        case idle
        case reading(OperationID)
        case writing(OperationID, String)
        case known(String)
    }

    /// One order per call.
    public static var effectsPerCallMax: Int { 1 }

    /// The identity can always be asked for.
    public var isFinished: Bool { false }

    /// The keychain answers or does not; nothing is waited for by time.
    public var deadline: Deadline? { nil }

    private(set) var state = State.idle
    private var generator: SeededGenerator
    private var operations: OperationCounter

    /// Makes a store that has not looked yet.
    ///
    /// - Parameters:
    ///   - seed: The entropy of an identity that has to be made.
    ///   - operations: The numbers its operations get.
    public init(seed: UInt64, operations: OperationCounter = OperationCounter()) {
        generator = SeededGenerator(seed: seed)
        self.operations = operations
    }

    /// Whether the keychain is being asked for the identity, or given one.
    public var isLooking: Bool {
        switch state {
        case .reading, .writing: true
        case .idle, .known: false
        }
    }

    /// Takes one fact.
    public mutating func handle(_ event: Event, in turn: inout Turn<Effect>) {
        switch event {
        case .requested: requested(in: &turn)
        case .refused(let identity):
            // Idle is a store whose last new one was not kept.
            guard state == .known(identity) || state == .idle else { return }
            make(in: &turn)
        case .secureStorageRead(let operation, let answer):
            read(operation, answer, in: &turn)
        case .secureStorageWritten(let operation, let isKept):
            written(operation, isKept, in: &turn)
        }
    }

    /// Does nothing: the store has no deadline.
    public mutating func wake(in turn: inout Turn<Effect>) {}

    private mutating func requested(in turn: inout Turn<Effect>) {
        switch state {
        case .idle:
            let operation = operations.next()
            turn.order(.readSecureStorage(operation))
            state = .reading(operation)
        case .reading, .writing:
            return
        case .known(let identity):
            turn.order(.identified(identity))
        }
    }

    private mutating func read(
        _ operation: OperationID,
        _ answer: SecureAnswer,
        in turn: inout Turn<Effect>
    ) {
        guard state == .reading(operation) else { return }
        switch answer {
        case .failed:
            state = .idle
            turn.order(.failed)
        case .value(let kept?) where UniqueID(kept) != nil:
            state = .known(kept)
            turn.order(.identified(kept))
        case .value:
            make(in: &turn)
        }
    }

    private mutating func make(in turn: inout Turn<Effect>) {
        let identity = UniqueID(from: &generator).text
        let operation = operations.next()
        turn.order(.writeSecureStorage(operation, identity))
        state = .writing(operation, identity)
    }

    private mutating func written(
        _ operation: OperationID,
        _ isKept: Bool,
        in turn: inout Turn<Effect>
    ) {
        guard case .writing(operation, let identity) = state else { return }
        state = isKept ? .known(identity) : .idle
        turn.order(isKept ? .identified(identity) : .failed)
    }
}
