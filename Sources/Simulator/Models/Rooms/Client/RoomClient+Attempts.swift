import RealtimeVoice
import SansIO
import Simulation

extension RoomClient {
    /// Makes a signal connection, to join or to resume.
    mutating func startSignal(resuming participant: UInt32?, at now: Instant) {
        let ceiling = configuration.offlineTimeMax.wholeNanoseconds
        let offline = ceiling > 0 ? random.uniform(in: 0...ceiling) : 0
        let attempt = SignalClient.Attempt(
            source: addresses.first.map { SocketAddress(address: $0, port: socketPorts.take()) },
            request: .join(token: token, resuming: participant),
            looksUp: !hasLookedUp,
            socketTimeout: options.socketConnectTimeout,
            offlineTime: .nanoseconds(offline)
        )
        signal.handle(.connect(attempt), at: now, into: &signalEffects)
    }

    /// Signalling answered: the attempt turns to its transports.
    mutating func signalConnected(
        at now: Instant,
        into effects: inout EffectBuffer<RoomClientEffect>
    ) {
        guard let attempt = activity.attempt else { return }
        effects.append(.note(.signalConnected))
        let settling = attempt.kind == .connect ? Duration.zero : configuration.curve.settlingTime
        activity = activity.with(.settling(until: now.advanced(by: settling)))
        advance(at: now, into: &effects)
    }

    /// Takes the attempt as far as it goes now.
    mutating func advance(at now: Instant, into effects: inout EffectBuffer<RoomClientEffect>) {
        guard let attempt = activity.attempt else { return }
        switch attempt.step {
        case .signalling:
            break
        case .settling(let until):
            guard now >= until else { return }
            let limit = now.advanced(by: options.primaryTransportConnectTimeout)
            activity = activity.with(.primary(until: limit))
            advance(at: now, into: &effects)
        case .primary(let until):
            if subscriber?.state == .connected {
                primaryConnected(attempt, at: now, into: &effects)
            } else if now >= until {
                fail(.transportTimeout, at: now, into: &effects)
            }
        case .publisher(let until):
            if publisher?.state == .connected {
                succeed(at: now, into: &effects)
            } else if now >= until {
                fail(.transportTimeout, at: now, into: &effects)
            }
        }
    }

    /// A join is done now; a resume first restarts the publisher (client-sdk-swift,
    /// `Core/Room+Engine.swift`, `quickReconnectSequence`).
    private mutating func primaryConnected(
        _ attempt: Attempt,
        at now: Instant,
        into effects: inout EffectBuffer<RoomClientEffect>
    ) {
        effects.append(.note(.mediaConnected))
        guard attempt.kind == .quick else { return succeed(at: now, into: &effects) }
        if !configuration.curve.restartsPublisherAtOnce { resumePublisher(at: now) }
        guard session.hasPublished else { return succeed(at: now, into: &effects) }
        let limit = now.advanced(by: options.publisherTransportConnectTimeout)
        activity = activity.with(.publisher(until: limit))
        advance(at: now, into: &effects)
    }

    /// Tells the server what is there, and restarts the publisher's ICE.
    mutating func resumePublisher(at now: Instant) {
        let sync = SignalRequest.syncState(publishedTracks: microphone.publishedTracks)
        signal.handle(.send(sync), at: now, into: &signalEffects)
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
        signal.handle(.send(offer), at: now, into: &signalEffects)
    }

    /// The attempt came through.
    private mutating func succeed(
        at now: Instant,
        into effects: inout EffectBuffer<RoomClientEffect>
    ) {
        effects.append(.note(.attemptEnded(nil)))
        settleAsConnected(at: now, into: &effects)
    }

    /// The room counts as connected, whether or not an attempt made it so (defect Z2).
    mutating func settleAsConnected(
        at now: Instant,
        into effects: inout EffectBuffer<RoomClientEffect>
    ) {
        let finished = activity
        let wasFull = state.mode == .full
        activity = .idle
        wantsFull = false
        change(into: &effects) {
            $0.connection = .connected
            $0.mode = nil
        }
        if case .connecting(let operation, _) = finished {
            effects.append(.callback(.connectFinished(operation, nil)))
        }
        if nextStatistics == nil { nextStatistics = now.advanced(by: .seconds(1)) }
        if wasFull { republish(at: now, into: &effects) }
        remotes.announce(into: &effects)
    }

    /// The attempt failed for a reason other than signalling's, or the reconnect's signalling did.
    mutating func fail(
        _ failure: AttemptFailure,
        at now: Instant,
        into effects: inout EffectBuffer<RoomClientEffect>
    ) {
        switch activity {
        case .idle, .waiting, .validating:
            break
        case .connecting(let operation, _):
            let error: RoomError = failure == .transportTimeout ? .timedOut : .network
            failConnect(operation, failure, error, at: now, into: &effects)
        case .reconnecting(let attempt):
            effects.append(.note(.attemptEnded(failure)))
            retry(after: attempt, failure, at: now, into: &effects)
        }
    }

    /// The first connect throws (client-sdk-swift, `Core/Room.swift`, `connect`).
    mutating func failConnect(
        _ operation: OperationID,
        _ failure: AttemptFailure,
        _ error: RoomError,
        at now: Instant,
        into effects: inout EffectBuffer<RoomClientEffect>
    ) {
        effects.append(.note(.attemptEnded(failure)))
        cleanUp(error, at: now, into: &effects)
        effects.append(.callback(.connectFinished(operation, error)))
    }

    mutating func wakeActivity(
        at now: Instant,
        into effects: inout EffectBuffer<RoomClientEffect>
    ) {
        switch activity {
        case .idle:
            break
        case .connecting, .reconnecting:
            advance(at: now, into: &effects)
        case .validating(let operation, let failure, let until):
            guard now >= until else { return }
            failConnect(
                operation,
                failure.attemptFailure,
                RoomError(failure),
                at: now,
                into: &effects
            )
        case .waiting(let failed, let until):
            guard now >= until else { return }
            beginAttempt(failed + 1, at: now, into: &effects)
        }
    }
}
