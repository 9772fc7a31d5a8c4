import RealtimeVoice
import SansIO

extension RoomClient {
    mutating func act(
        on effect: SignalClient.Effect,
        at now: Instant,
        into effects: inout EffectBuffer<RoomClientEffect>
    ) {
        switch effect {
        case .transmit(let packet):
            effects.append(.transmit(packet))
        case .connected(.join(let response)):
            join(response, at: now)
            signalConnected(at: now, into: &effects)
        case .connected(.reconnect(let response)):
            hasLookedUp = true
            session.mediaAddress = response.mediaAddress
            session.awaitsSnapshot = !configuration.defects.keepsGhosts
            if configuration.curve.restartsPublisherAtOnce { resumePublisher(at: now) }
            signalConnected(at: now, into: &effects)
        case .connected:
            break
        case .failed(let failure):
            signalFailed(failure, at: now, into: &effects)
        case .received(let response):
            receive(response, at: now, into: &effects)
        case .lost(let cause):
            lose(cause, .socketBroken, at: now, into: &effects)
        }
    }

    /// Takes over what the server says of a new session, and offers the publisher's transport at once
    /// (fast publish: client-sdk-swift, pull request 614).
    private mutating func join(_ response: JoinResponse, at now: Instant) {
        hasLookedUp = true
        session = SessionFacts(
            participant: response.participant,
            mediaAddress: response.mediaAddress,
            offerID: session.offerID
        )
        remotes.join(response.others, besides: response.participant)
        publisher = ClientTransport(
            timing: configuration,
            addresses: addresses,
            ports: publisherPorts
        )
        subscriber = ClientTransport(
            timing: configuration,
            addresses: addresses,
            ports: subscriberPorts
        )
        offerPublisher(restartsIce: false, at: now)
    }

    /// The signal connection did not come about.
    private mutating func signalFailed(
        _ failure: SignalFailure,
        at now: Instant,
        into effects: inout EffectBuffer<RoomClientEffect>
    ) {
        failPublication(.network, into: &effects)
        switch activity {
        case .idle, .waiting, .validating:
            break
        case .connecting(let operation, _):
            guard let time = validationTime(of: failure) else {
                let error = RoomError(failure)
                return failConnect(
                    operation,
                    failure.attemptFailure,
                    error,
                    at: now,
                    into: &effects
                )
            }
            activity = .validating(operation, failure, until: now.advanced(by: time))
        case .reconnecting:
            reconnectRefused(failure, at: now, into: &effects)
        }
    }

    /// How long the validating request after a failed first connect takes; it meets the same silence.
    ///
    /// A server that has answered answers it too, within round trips that are left out here.
    private func validationTime(of failure: SignalFailure) -> Duration? {
        switch failure {
        case .socketTimeout, .joinTimeout: configuration.validateTimeout
        case .offline, .refused, .leave, .socketReset, .socketBroken: nil
        }
    }

    /// A leave or a refusal may decide more than the attempt.
    private mutating func reconnectRefused(
        _ failure: SignalFailure,
        at now: Instant,
        into effects: inout EffectBuffer<RoomClientEffect>
    ) {
        switch failure {
        case .leave(let request) where request.action == .disconnect:
            effects.append(.note(.attemptEnded(.serverLeave)))
            cleanUp(RoomError(request.reason), at: now, into: &effects)
        case .leave(let request) where request.action == .reconnect:
            wantsFull = true
            fail(.serverLeave, at: now, into: &effects)
        case .refused(let statusCode) where configuration.curve.givesUp(onStatusCode: statusCode):
            effects.append(.note(.attemptEnded(.refused)))
            cleanUp(.network, at: now, into: &effects)
        case .offline, .socketTimeout, .joinTimeout, .refused, .leave, .socketReset,
            .socketBroken:
            fail(failure.attemptFailure, at: now, into: &effects)
        }
    }

    private mutating func receive(
        _ response: SignalResponse,
        at now: Instant,
        into effects: inout EffectBuffer<RoomClientEffect>
    ) {
        // What was read in one go with the words that closed the connection is not listened to.
        guard signal.socket != nil, !signal.isOpening else { return }
        switch response {
        case .refreshToken(let token):
            self.token = token
        case .offer(let id, let credentials, _, let tracks):
            answer(id, credentials, at: now)
            remotes.carry(tracks, into: &effects)
            if state.connection == .connected { remotes.announce(into: &effects) }
        case .answer(let id, let credentials):
            guard id == session.offerID, let remote = session.mediaAddress else { return }
            let event = ClientTransport.Event.negotiated(credentials, remote: remote)
            publisher?.handle(event, at: now, into: &publisherEffects)
        case .trackPublished(let cid, let track):
            finishPublication(cid, track, at: now, into: &effects)
        case .participants(let participants):
            if session.awaitsSnapshot, !participants.contains(where: \.hasLeft) {
                session.awaitsSnapshot = false
                remotes.reconcile(with: participants, into: &effects)
            }
            remotes.update(
                participants,
                besides: session.participant,
                tellsArrivals: state.connection == .connected,
                into: &effects
            )
        case .leave(let request):
            leave(request, at: now, into: &effects)
        case .mute(let track, let isMuted): remotes.mute(track, isMuted)
        case .refused, .join, .reconnect, .pong: break
        }
    }

    private mutating func answer(_ id: UInt32, _ credentials: IceCredentials, at now: Instant) {
        guard subscriber != nil, let remote = session.mediaAddress else { return }
        let event = ClientTransport.Event.negotiated(credentials, remote: remote)
        subscriber?.handle(event, at: now, into: &subscriberEffects)
        signal.handle(.send(.answer(id: id, credentials)), at: now, into: &signalEffects)
    }

    /// Does what the server's leave asks for (client-sdk-swift, `Core/Room+SignalClientDelegate.swift`).
    private mutating func leave(
        _ request: LeaveRequest,
        at now: Instant,
        into effects: inout EffectBuffer<RoomClientEffect>
    ) {
        if case .connecting(let operation, _) = activity {
            let error = RoomError(request.reason)
            return failConnect(operation, .serverLeave, error, at: now, into: &effects)
        }
        guard request.action != .disconnect else {
            if activity.attempt != nil { effects.append(.note(.attemptEnded(.serverLeave))) }
            return cleanUp(RoomError(request.reason), at: now, into: &effects)
        }
        if request.action == .reconnect { wantsFull = true }
        signal.handle(.close, at: now, into: &signalEffects)
        lose(.serverLeave, .serverLeave, at: now, into: &effects)
    }

    /// Signalling is gone: a reconnect begins, or the attempt that needs it fails.
    private mutating func lose(
        _ cause: DetectionCause,
        _ failure: AttemptFailure,
        at now: Instant,
        into effects: inout EffectBuffer<RoomClientEffect>
    ) {
        failPublication(.network, into: &effects)
        if activity.attempt != nil {
            fail(failure, at: now, into: &effects)
        } else {
            startReconnect(cause, at: now, into: &effects)
        }
    }
}
