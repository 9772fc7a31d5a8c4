import KodamaNetwork
import KodamaPhone
import RealtimeVoice
import SansIO

extension RoomClient {
    mutating func perform(_ command: RoomCommand, in turn: inout Turn<RoomClientEffect>) {
        guard !isReleased else { return }
        switch command {
        case .create:
            break
        case .connect(let operation, _, let token, let options):
            connect(operation, token, options, in: &turn)
        case .setMicrophone(let operation, let isEnabled):
            let order = MicrophoneOrder(operation: operation, isEnabled: isEnabled)
            setMicrophone(order, in: &turn)
        case .startRenderer:
            isRendering = true
        case .stopRenderer:
            isRendering = false
        case .disconnect(let operation):
            disconnect(operation, in: &turn)
        case .resume:
            startReconnect(.appOrder, in: &turn)
        case .release:
            release(in: &turn)
        }
    }

    private mutating func connect(
        _ operation: OperationID,
        _ token: String,
        _ options: ConnectOptions,
        in turn: inout Turn<RoomClientEffect>
    ) {
        guard state.connection == .disconnected else {
            turn.order(.callback(.connectFinished(operation, .invalidState)))
            return
        }
        self.token = token
        self.options = options
        change(in: &turn) {
            $0.connection = .connecting
            $0.error = nil
        }
        activity = .connecting(operation, Attempt(number: 1, kind: .connect))
        turn.order(.note(.attemptBegan(number: 1, .connect)))
        startSignal(resuming: nil, at: turn.now)
    }

    /// Leaves with a leave if the server can be told (client-sdk-swift, `Core/Room.swift`,
    /// `disconnect`).
    private mutating func disconnect(
        _ operation: OperationID,
        in turn: inout Turn<RoomClientEffect>
    ) {
        guard state.connection != .disconnected else {
            turn.order(.callback(.disconnectFinished(operation)))
            return
        }
        let interrupted = activity
        change(in: &turn) { $0.connection = .disconnecting }
        noteCancelled(in: &turn)
        activity = .idle
        if signal.isConnected {
            signalEffects += signal.drive(.send(.leave(.clientInitiated)), at: turn.now)
        }
        cleanUp(nil, in: &turn)
        switch interrupted {
        case .connecting(let connect, _), .validating(let connect, _, _):
            turn.order(.callback(.connectFinished(connect, .cancelled)))
        case .idle, .reconnecting, .waiting:
            break
        }
        turn.order(.callback(.disconnectFinished(operation)))
    }

    /// Closes everything without a word to the server or the delegate.
    private mutating func release(in turn: inout Turn<RoomClientEffect>) {
        noteCancelled(in: &turn)
        isReleased = true
        activity = .idle
        nextStatistics = nil
        microphone = LocalMicrophone()
        remotes = RemoteRoster()
        signalEffects += signal.drive(.close, at: turn.now)
        closeTransports()
    }

    private func noteCancelled(in turn: inout Turn<RoomClientEffect>) {
        switch activity {
        case .connecting, .validating, .reconnecting:
            turn.order(.note(.attemptEnded(.cancelled)))
        case .idle, .waiting:
            break
        }
    }

    /// Leaves the room for good: closes all connections, lets the delegate know (client-sdk-swift,
    /// `Core/Room.swift`, `cleanUp`).
    mutating func cleanUp(_ error: RoomError?, in turn: inout Turn<RoomClientEffect>) {
        activity = .idle
        wantsFull = false
        nextStatistics = nil
        tearDown(in: &turn)
        microphone.publication = .none
        change(in: &turn) {
            $0.connection = .disconnected
            $0.mode = nil
            $0.error = error
        }
    }

    /// Closes signalling and transports; whoever was there is gone.
    mutating func tearDown(in turn: inout Turn<RoomClientEffect>) {
        signalEffects += signal.drive(.close, at: turn.now)
        failPublication(.network, in: &turn)
        closeTransports()
        remotes.clear(in: &turn)
    }

    private mutating func closeTransports() {
        if let publisher { publisherPorts = publisher.ports }
        if let subscriber { subscriberPorts = subscriber.ports }
        statistics = checkStatistics
        publisher = nil
        subscriber = nil
        session.hasPublished = false
    }
}
