import KodamaNetwork
import KodamaPhone
import KodamaSimulation
import RealtimeVoice
import SansIO

extension RoomClient {
    /// Makes a signal connection, to join or to resume.
    mutating func startSignal(resuming participant: UInt32?, at now: Instant) {
        let ceiling = configuration.offlineTimeMax.wholeNanoseconds
        let offline = ceiling > 0 ? random.uniform(in: 0...ceiling) : 0
        let attempt = SignalClient.Attempt(
            source: addresses.first.map { SocketAddress(address: $0, port: socketPorts.take()) },
            request: .join(token: token, resuming: participant),
            looksUp: !hasLookedUp,
            socketTimeout: configuration.curve.socketTimeout(options),
            offlineTime: .nanoseconds(offline)
        )
        signalEffects += signal.drive(.connect(attempt), at: now)
    }

    /// Signalling answered: the attempt turns to its transports.
    mutating func signalConnected(in turn: inout Turn<RoomClientEffect>) {
        guard let attempt = activity.attempt else { return }
        turn.order(.note(.signalConnected))
        let settling = configuration.curve.settlingTime(of: attempt.kind, hasBroken: hasBroken)
        activity = activity.with(.settling(until: turn.now.advanced(by: settling)))
        advance(in: &turn)
    }

    /// Takes the attempt as far as it goes now.
    mutating func advance(in turn: inout Turn<RoomClientEffect>) {
        guard let attempt = activity.attempt else { return }
        switch attempt.step {
        case .signalling:
            break
        case .validating(let failure, let until):
            guard turn.now >= until else { return }
            reconnectRefused(failure, in: &turn)
        case .settling(let until):
            guard turn.now >= until else { return }
            let timeout = configuration.curve.transportTimeout(
                options.primaryTransportConnectTimeout
            )
            let limit = turn.now.advanced(by: timeout)
            activity = activity.with(.primary(until: limit))
            advance(in: &turn)
        case .primary(let until):
            if subscriber?.state == .connected {
                primaryConnected(attempt, in: &turn)
            } else if turn.now >= until {
                fail(.transportTimeout, in: &turn)
            }
        case .publisher(let until):
            if publisher?.state == .connected {
                succeed(in: &turn)
            } else if turn.now >= until {
                fail(.transportTimeout, in: &turn)
            }
        }
    }

    /// A join is done now, or once the publisher is connected; a resume first restarts the publisher
    /// (client-sdk-swift, `Core/Room+Engine.swift`, `quickReconnectSequence`).
    private mutating func primaryConnected(
        _ attempt: Attempt,
        in turn: inout Turn<RoomClientEffect>
    ) {
        turn.order(.note(.mediaConnected))
        guard attempt.kind == .quick || configuration.curve.joinAwaitsPublisher else {
            return succeed(in: &turn)
        }
        if attempt.kind == .quick, !configuration.curve.restartsPublisherAtOnce {
            resumePublisher(at: turn.now)
        }
        guard session.hasPublished else { return succeed(in: &turn) }
        let timeout = configuration.curve.transportTimeout(options.publisherTransportConnectTimeout)
        let limit = turn.now.advanced(by: timeout)
        activity = activity.with(.publisher(until: limit))
        advance(in: &turn)
    }

    /// Tells the server what is there, and restarts the publisher's ICE.
    mutating func resumePublisher(at now: Instant) {
        let sync = SignalRequest.syncState(publishedTracks: microphone.publishedTracks)
        signalEffects += signal.drive(.send(sync), at: now)
        if session.hasPublished { offerPublisher(restartsIce: true, at: now) }
    }

    /// Offers the publisher's transport; an answer to an earlier offer is refused from now on.
    mutating func offerPublisher(restartsIce: Bool, at now: Instant) {
        guard let participant = session.participant else { return }
        session.offerID &+= 1
        if restartsIce { session.generation &+= 1 }
        session.hasPublished = true
        let credentials = IceCredentials(
            participant: participant,
            target: .publisher,
            generation: session.generation
        )
        let offer = SignalRequest.offer(id: session.offerID, credentials, restartsIce: restartsIce)
        signalEffects += signal.drive(.send(offer), at: now)
    }

    /// The attempt came through.
    private mutating func succeed(in turn: inout Turn<RoomClientEffect>) {
        turn.order(.note(.attemptEnded(nil)))
        settleAsConnected(in: &turn)
    }

    /// The room counts as connected, whether or not an attempt made it so (defect Z2).
    mutating func settleAsConnected(in turn: inout Turn<RoomClientEffect>) {
        let finished = activity
        let wasFull = state.mode == .full
        activity = .idle
        if wasFull || !configuration.curve.escalates { wantsFull = false }
        change(in: &turn) {
            $0.connection = .connected
            $0.mode = nil
        }
        if case .connecting(let operation, _) = finished {
            turn.order(.callback(.connectFinished(operation, nil)))
        }
        if nextStatistics == nil { nextStatistics = turn.now.advanced(by: .seconds(1)) }
        if wasFull { republish(in: &turn) }
        remotes.announce(in: &turn)
    }

    /// The attempt failed for a reason other than signalling's, or the reconnect's signalling did.
    mutating func fail(_ failure: AttemptFailure, in turn: inout Turn<RoomClientEffect>) {
        switch activity {
        case .idle, .waiting, .validating:
            break
        case .connecting(let operation, _):
            let error: RoomError = failure == .transportTimeout ? .timedOut : .network
            failConnect(operation, failure, error, in: &turn)
        case .reconnecting(let attempt):
            turn.order(.note(.attemptEnded(failure)))
            retry(after: attempt, failure, in: &turn)
        }
    }

    /// The first connect throws (client-sdk-swift, `Core/Room.swift`, `connect`).
    mutating func failConnect(
        _ operation: OperationID,
        _ failure: AttemptFailure,
        _ error: RoomError,
        in turn: inout Turn<RoomClientEffect>
    ) {
        turn.order(.note(.attemptEnded(failure)))
        cleanUp(error, in: &turn)
        turn.order(.callback(.connectFinished(operation, error)))
    }

    mutating func wakeActivity(in turn: inout Turn<RoomClientEffect>) {
        switch activity {
        case .idle:
            break
        case .connecting, .reconnecting:
            advance(in: &turn)
        case .validating(let operation, let failure, let until):
            guard turn.now >= until else { return }
            failConnect(operation, failure.attemptFailure, RoomError(failure), in: &turn)
        case .waiting(let failed, let until):
            guard turn.now >= until else { return }
            beginAttempt(failed + 1, in: &turn)
        }
    }
}
