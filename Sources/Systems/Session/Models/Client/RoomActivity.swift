import KodamaNetwork
import KodamaPhone
import RealtimeVoice
import SansIO

/// What a room object is busy with.
enum Activity: Sendable, Equatable {
    /// Nothing: it is connected or disconnected.
    case idle
    /// The first connect.
    case connecting(OperationID, Attempt)
    /// A first connect failed, and an HTTP request asks the server why.
    case validating(OperationID, SignalFailure, until: Instant)
    /// An attempt of a reconnect.
    case reconnecting(Attempt)
    /// The wait after attempt `failed`; 0 before the first one.
    case waiting(failed: Int, until: Instant)

    /// The attempt that runs.
    var attempt: Attempt? {
        switch self {
        case .connecting(_, let attempt), .reconnecting(let attempt): attempt
        case .idle, .validating, .waiting: nil
        }
    }

    /// Whether a reconnect is under way.
    var isReconnect: Bool {
        switch self {
        case .reconnecting, .waiting: true
        case .idle, .connecting, .validating: false
        }
    }

    var deadline: Deadline? {
        switch self {
        case .idle: nil
        case .connecting(_, let attempt), .reconnecting(let attempt): attempt.step.deadline
        case .validating(_, _, let until): Deadline(until, "validation")
        case .waiting(_, let until): Deadline(until, "retry")
        }
    }

    /// The same activity with its attempt one step on.
    func with(_ step: Attempt.Step) -> Activity {
        switch self {
        case .connecting(let operation, var attempt):
            attempt.step = step
            return .connecting(operation, attempt)
        case .reconnecting(var attempt):
            attempt.step = step
            return .reconnecting(attempt)
        case .idle, .validating, .waiting:
            return self
        }
    }
}

/// One attempt to join or resume.
struct Attempt: Sendable, Equatable {
    /// How far an attempt has come.
    enum Step: Sendable, Equatable {
        /// The signal connection is being made; it has its own time-outs.
        case signalling
        /// It was not made, and an HTTP request asks the server why.
        case validating(SignalFailure, until: Instant)
        /// It is made; some SDKs wait before they look at the transports.
        case settling(until: Instant)
        /// The primary transport is to connect.
        case primary(until: Instant)
        /// The publisher's transport is to connect.
        case publisher(until: Instant)

        var deadline: Deadline? {
            switch self {
            case .signalling: nil
            case .validating(_, let until): Deadline(until, "validation")
            case .settling(let until): Deadline(until, "settling")
            case .primary(let until): Deadline(until, "primary transport time-out")
            case .publisher(let until): Deadline(until, "publisher transport time-out")
            }
        }

        /// The transport that is waited for.
        var awaited: TransportTarget? {
            switch self {
            case .signalling, .validating, .settling: nil
            case .primary: .subscriber
            case .publisher: .publisher
            }
        }
    }

    /// Its number within the connect or reconnect, from 1.
    let number: Int
    let kind: AttemptKind
    var step = Step.signalling
}
