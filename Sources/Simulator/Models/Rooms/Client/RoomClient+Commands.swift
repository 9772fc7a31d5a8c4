import RealtimeVoice
import SansIO

extension RoomClient {
    mutating func perform(
        _ command: RoomCommand,
        at now: Instant,
        into effects: inout EffectBuffer<RoomClientEffect>
    ) {
        guard !isReleased else { return }
        switch command {
        case .create:
            break
        case .connect(let operation, _, let token, let options):
            connect(operation, token, options, at: now, into: &effects)
        case .setMicrophone(let operation, let isEnabled):
            let order = MicrophoneOrder(operation: operation, isEnabled: isEnabled)
            setMicrophone(order, at: now, into: &effects)
        case .startRenderer:
            isRendering = true
        case .stopRenderer:
            isRendering = false
        case .disconnect(let operation):
            disconnect(operation, at: now, into: &effects)
        case .resume:
            startReconnect(.appOrder, at: now, into: &effects)
        case .release:
            release(at: now, into: &effects)
        }
    }

    private mutating func connect(
        _ operation: OperationID,
        _ token: String,
        _ options: ConnectOptions,
        at now: Instant,
        into effects: inout EffectBuffer<RoomClientEffect>
    ) {
        guard state.connection == .disconnected else {
            effects.append(.callback(.connectFinished(operation, .invalidState)))
            return
        }
        self.token = token
        self.options = options
        change(into: &effects) {
            $0.connection = .connecting
            $0.error = nil
        }
        activity = .connecting(operation, Attempt(number: 1, kind: .connect))
        effects.append(.note(.attemptBegan(number: 1, .connect)))
        startSignal(resuming: nil, at: now)
    }

    /// Leaves with a leave if the server can be told (client-sdk-swift, `Core/Room.swift`,
    /// `disconnect`).
    private mutating func disconnect(
        _ operation: OperationID,
        at now: Instant,
        into effects: inout EffectBuffer<RoomClientEffect>
    ) {
        guard state.connection != .disconnected else {
            effects.append(.callback(.disconnectFinished(operation)))
            return
        }
        let interrupted = activity
        change(into: &effects) { $0.connection = .disconnecting }
        noteCancelled(into: &effects)
        activity = .idle
        if signal.isConnected {
            signal.handle(.send(.leave(.clientInitiated)), at: now, into: &signalEffects)
        }
        cleanUp(nil, at: now, into: &effects)
        switch interrupted {
        case .connecting(let connect, _), .validating(let connect, _, _):
            effects.append(.callback(.connectFinished(connect, .cancelled)))
        case .idle, .reconnecting, .waiting:
            break
        }
        effects.append(.callback(.disconnectFinished(operation)))
    }

    /// Closes everything without a word to the server or the delegate.
    private mutating func release(
        at now: Instant,
        into effects: inout EffectBuffer<RoomClientEffect>
    ) {
        noteCancelled(into: &effects)
        isReleased = true
        activity = .idle
        nextStatistics = nil
        microphone = LocalMicrophone()
        remotes = RemoteRoster()
        signal.handle(.close, at: now, into: &signalEffects)
        closeTransports()
    }

    private func noteCancelled(into effects: inout EffectBuffer<RoomClientEffect>) {
        switch activity {
        case .connecting, .validating, .reconnecting:
            effects.append(.note(.attemptEnded(.cancelled)))
        case .idle, .waiting:
            break
        }
    }

    /// Leaves the room for good: closes all connections, lets the delegate know (client-sdk-swift,
    /// `Core/Room.swift`, `cleanUp`).
    mutating func cleanUp(
        _ error: RoomError?,
        at now: Instant,
        into effects: inout EffectBuffer<RoomClientEffect>
    ) {
        activity = .idle
        wantsFull = false
        nextStatistics = nil
        tearDown(at: now, into: &effects)
        microphone.publication = .none
        change(into: &effects) {
            $0.connection = .disconnected
            $0.mode = nil
            $0.error = error
        }
    }

    /// Closes signalling and transports; whoever was there is gone.
    mutating func tearDown(
        at now: Instant,
        into effects: inout EffectBuffer<RoomClientEffect>
    ) {
        signal.handle(.close, at: now, into: &signalEffects)
        failPublication(.network, into: &effects)
        closeTransports()
        remotes.clear(into: &effects)
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
