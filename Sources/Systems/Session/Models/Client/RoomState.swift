import KodamaNetwork
import KodamaPhone
import RealtimeVoice
import SansIO

/// What of the room the delegate is told about, and in which order (client-sdk-swift,
/// `Core/Room.swift` and `Core/Room+EngineDelegate.swift`).
struct RoomState: Sendable, Equatable {
    /// The connection's state as the app sees it; a quick reconnect leaves it alone.
    var connection = ConnectionState.disconnected
    /// How the room reconnects, while it does.
    var mode: ReconnectMode?
    /// Why the room was left.
    var error: RoomError?

    /// Tells the delegate what changed since `old`: the connection, then the beginning, the end and
    /// the mode of a reconnect.
    ///
    /// - Parameters:
    ///   - old: The state before one change.
    ///   - completes: Whether the end of a reconnect is told.
    ///   - turn: Where the callbacks go.
    func tell(
        changesFrom old: RoomState,
        completes: Bool = true,
        in turn: inout Turn<RoomClientEffect>
    ) {
        if connection != old.connection {
            turn.order(.callback(.connectionStateChanged(connection, from: old.connection)))
            tellConnection(from: old.connection, in: &turn)
        }
        if let mode, old.mode == nil { turn.order(.callback(.reconnectStarted(mode))) }
        if let ended = old.mode, mode == nil, completes {
            turn.order(.callback(.reconnectCompleted(ended)))
        }
        if let mode, mode != old.mode { turn.order(.callback(.reconnectModeChanged(mode))) }
    }

    private func tellConnection(from old: ConnectionState, in turn: inout Turn<RoomClientEffect>) {
        switch connection {
        case .connected:
            turn.order(.callback(old == .reconnecting ? .reconnected : .connected))
        case .reconnecting:
            turn.order(.callback(.reconnecting))
        case .disconnected:
            let failed = RoomCallback.failedToConnect(error ?? .unknown)
            turn.order(.callback(old == .connecting ? failed : .disconnected(error)))
        case .connecting, .disconnecting:
            break
        }
    }
}

extension RoomError {
    /// The typed error of a leave; whatever has no type of its own is unknown (client-sdk-swift,
    /// `Errors.swift`).
    init(_ reason: DisconnectReason) {
        switch reason {
        case .duplicateIdentity: self = .duplicateIdentity
        case .serverShutdown: self = .serverShutdown
        case .participantRemoved: self = .participantRemoved
        case .roomDeleted: self = .roomDeleted
        case .stateMismatch: self = .stateMismatch
        case .joinFailure: self = .joinFailure
        case .unknownReason, .clientInitiated, .migration, .signalClose, .roomClosed,
            .userUnavailable, .userRejected, .sipTrunkFailure, .connectionTimeout:
            self = .unknown
        }
    }

    /// What a failed first connect throws, with what lies below it (client-sdk-swift,
    /// `Core/SignalClient.swift` and `Support/Network/HTTP.swift`).
    init(_ failure: SignalFailure) {
        switch failure {
        case .offline, .socketBroken: self = .network
        case .socketReset: self = .refused
        case .socketTimeout, .joinTimeout: self = .timedOut
        case .leave(let request): self = RoomError(request.reason)
        case .refused(404): self = .serviceNotFound
        case .refused(429): self = .network
        case .refused(400..<500): self = .validation
        case .refused: self = .network
        }
    }
}
