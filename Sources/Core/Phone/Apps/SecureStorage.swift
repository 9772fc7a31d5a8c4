public import SansIO

/// The phone's keychain: what each app keeps in it survives the app's launches.
///
/// Items are of the class `kSecAttrAccessibleAfterFirstUnlock`: after a restart they can be neither
/// read nor written until the user has unlocked the phone once (Apple, Keychain Services; the error is
/// `errSecInteractionNotAllowed`, −25308).
public struct SecureStorage: StateMachine {
    /// A fact for the keychain.
    public enum Event: Sendable, Equatable {
        /// An app reads what it keeps under a key.
        case read(AppID, OperationID, key: String)
        /// An app keeps something under a key; `nil` removes it.
        case write(AppID, OperationID, key: String, value: String?)
        /// The keychain answers otherwise from now on.
        case conditionChanged(StorageCondition)
        /// An app's process is gone: nobody waits for what it asked.
        case appEnded(AppID)
    }

    /// An order from the keychain.
    public enum Effect: Sendable, Equatable {
        /// A read is answered.
        case readAnswered(AppID, OperationID, StorageAnswer)
        /// A write is answered.
        case writeAnswered(AppID, OperationID, isKept: Bool)
    }

    struct Item: Sendable, Equatable {
        var app: AppID
        var key: String
        var value: String
    }

    /// An answer that takes its time.
    struct Pending: Sendable, Equatable {
        let app: AppID
        let answer: Effect
        let due: Instant
    }

    /// How many answers may be on their way; of more the oldest comes at once.
    static let pendingMax = 32

    /// All that is on its way may be due in one call.
    public static var effectsPerCallMax: Int { pendingMax }

    /// A keychain never ends.
    public var isFinished: Bool { false }

    /// When the next answer comes.
    public var deadline: Deadline? { pending.first.map { Deadline($0.due, "keychain answer") } }

    private(set) var condition: StorageCondition
    private let answerTime: Duration
    private var items: [Item] = []
    /// What is on its way, in the order in which it was asked for.
    private var pending: [Pending] = []

    /// Makes an empty keychain.
    ///
    /// - Parameters:
    ///   - condition: How it answers.
    ///   - answerTime: How long each answer takes; none comes later than in the call that asks if it is
    ///     zero.
    public init(_ condition: StorageCondition = .available, answerTime: Duration = .zero) {
        self.condition = condition
        self.answerTime = answerTime
    }

    /// What an app keeps under a key, whether it can be read or not.
    public func value(of key: String, for app: AppID) -> String? {
        items.first { $0.app == app && $0.key == key }?.value
    }

    /// Takes one fact.
    public mutating func handle(_ event: Event, in turn: inout Turn<Effect>) {
        switch event {
        case .read(let app, let operation, let key):
            let answer: StorageAnswer =
                switch condition {
                case .available: .value(value(of: key, for: app))
                case .locked: .failed(.interactionNotAllowed)
                case .failing: .failed(.notAvailable)
                }
            give(.readAnswered(app, operation, answer), to: app, in: &turn)
        case .write(let app, let operation, let key, let value):
            let isKept = condition == .available
            if isKept { keep(value, under: key, for: app) }
            let answer = Effect.writeAnswered(app, operation, isKept: isKept)
            give(answer, to: app, in: &turn)
        case .conditionChanged(let condition):
            self.condition = condition
        case .appEnded(let app):
            pending.removeAll { $0.app == app }
        }
    }

    /// Gives the answers that are due.
    public mutating func wake(in turn: inout Turn<Effect>) {
        while let first = pending.first, first.due <= turn.now {
            turn.order(pending.removeFirst().answer)
        }
    }

    private mutating func give(_ answer: Effect, to app: AppID, in turn: inout Turn<Effect>) {
        guard answerTime > .zero else { return turn.order(answer) }
        if pending.count == Self.pendingMax { turn.order(pending.removeFirst().answer) }
        pending.append(Pending(app: app, answer: answer, due: turn.now.advanced(by: answerTime)))
    }

    mutating func keep(_ value: String?, under key: String, for app: AppID) {
        items.removeAll { $0.app == app && $0.key == key }
        if let value { items.append(Item(app: app, key: key, value: value)) }
    }
}

/// How the keychain answers.
public enum StorageCondition: String, Sendable, Hashable, CaseIterable {
    /// It reads and writes.
    case available
    /// The phone was restarted and not unlocked since.
    case locked
    /// Every order fails, whatever the reason.
    case failing
}

/// How the keychain answered a read.
public enum StorageAnswer: Sendable, Equatable {
    /// What is kept, if anything.
    case value(String?)
    /// It can't be read.
    case failed(StorageError)
}

/// Why the keychain could not be read; the raw value is Apple's `OSStatus`.
public enum StorageError: Int64, Sendable, Hashable, CaseIterable {
    /// The phone has not been unlocked since its restart (`errSecInteractionNotAllowed`).
    case interactionNotAllowed = -25_308
    /// There is no keychain to be had (`errSecNotAvailable`).
    case notAvailable = -25_291
}
