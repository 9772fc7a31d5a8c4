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
        /// Somebody needs the identity.
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
    public mutating func handle(
        _ event: Event,
        at now: Instant,
        into effects: inout EffectBuffer<Effect>
    ) {
        switch event {
        case .requested: requested(into: &effects)
        case .refused(let identity):
            // Idle is a store whose last new one was not kept.
            guard state == .known(identity) || state == .idle else { return }
            make(into: &effects)
        case .secureStorageRead(let operation, let answer):
            read(operation, answer, into: &effects)
        case .secureStorageWritten(let operation, let isKept):
            written(operation, isKept, into: &effects)
        }
    }

    /// Does nothing: the store has no deadline.
    public mutating func wake(at now: Instant, into effects: inout EffectBuffer<Effect>) {}

    private mutating func requested(into effects: inout EffectBuffer<Effect>) {
        switch state {
        case .idle:
            let operation = operations.next()
            effects.append(.readSecureStorage(operation))
            state = .reading(operation)
        case .reading, .writing:
            return
        case .known(let identity):
            effects.append(.identified(identity))
        }
    }

    private mutating func read(
        _ operation: OperationID,
        _ answer: SecureAnswer,
        into effects: inout EffectBuffer<Effect>
    ) {
        guard state == .reading(operation) else { return }
        switch answer {
        case .failed:
            state = .idle
            effects.append(.failed)
        case .value(let kept?) where UniqueID(kept) != nil:
            state = .known(kept)
            effects.append(.identified(kept))
        case .value:
            make(into: &effects)
        }
    }

    private mutating func make(into effects: inout EffectBuffer<Effect>) {
        let identity = UniqueID(from: &generator).text
        let operation = operations.next()
        effects.append(.writeSecureStorage(operation, identity))
        state = .writing(operation, identity)
    }

    private mutating func written(
        _ operation: OperationID,
        _ isKept: Bool,
        into effects: inout EffectBuffer<Effect>
    ) {
        guard case .writing(operation, let identity) = state else { return }
        state = isKept ? .known(identity) : .idle
        effects.append(isKept ? .identified(identity) : .failed)
    }
}
