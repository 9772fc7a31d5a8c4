import KodamaNetwork
import KodamaPhone
import KodamaSimulation
import RealtimeVoice
import SansIO

extension RoomClient {
    mutating func act(on effect: SignalClient.Effect, in turn: inout Turn<RoomClientEffect>) {
        switch effect {
        case .transmit(let packet):
            turn.order(.transmit(packet))
        case .connected(.join(let response)):
            join(response, at: turn.now)
            signalConnected(in: &turn)
        case .connected(.reconnect(let response)):
            hasLookedUp = true
            session.mediaAddress = response.mediaAddress
            session.streamAddress = response.streamAddress
            session.awaitsSnapshot = !configuration.defects.keepsGhosts
            if configuration.curve.restartsPublisherAtOnce { resumePublisher(at: turn.now) }
            signalConnected(in: &turn)
        case .connected:
            break
        case .failed(let failure):
            signalFailed(failure, in: &turn)
        case .received(let response):
            receive(response, in: &turn)
        case .lost(let cause):
            lose(cause, .socketBroken, in: &turn)
        }
    }

    /// Takes over what the server says of a new session, and offers the publisher's transport at once
    /// (fast publish: client-sdk-swift, pull request 614).
    private mutating func join(_ response: JoinResponse, at now: Instant) {
        hasLookedUp = true
        session = SessionFacts(
            participant: response.participant,
            mediaAddress: response.mediaAddress,
            streamAddress: response.streamAddress,
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
        in turn: inout Turn<RoomClientEffect>
    ) {
        failPublication(.network, in: &turn)
        switch activity {
        case .idle, .waiting, .validating:
            break
        case .connecting(let operation, _):
            guard let time = validationTime(of: failure) else {
                let error = RoomError(failure)
                return failConnect(operation, failure.attemptFailure, error, in: &turn)
            }
            activity = .validating(operation, failure, until: turn.now.advanced(by: time))
        case .reconnecting(let attempt):
            guard configuration.curve.validates(attempt.kind),
                let time = validationTime(of: failure)
            else { return reconnectRefused(failure, in: &turn) }
            activity = activity.with(.validating(failure, until: turn.now.advanced(by: time)))
        }
    }

    /// How long the validating request after a failed join takes; it meets the same silence.
    ///
    /// A server that has answered answers it too, within round trips that are left out here.
    private func validationTime(of failure: SignalFailure) -> Duration? {
        switch failure {
        case .socketTimeout, .joinTimeout: configuration.curve.validateTimeout(configuration)
        case .offline, .refused, .leave, .socketReset, .socketBroken: nil
        }
    }

    /// A leave or a refusal may decide more than the attempt.
    mutating func reconnectRefused(
        _ failure: SignalFailure,
        in turn: inout Turn<RoomClientEffect>
    ) {
        switch failure {
        case .leave(let request) where request.action == .disconnect:
            turn.order(.note(.attemptEnded(.serverLeave)))
            cleanUp(RoomError(request.reason), in: &turn)
        case .leave(let request) where request.action == .reconnect:
            wantsFull = true
            fail(.serverLeave, in: &turn)
        case .refused(let statusCode) where configuration.curve.givesUp(onStatusCode: statusCode):
            turn.order(.note(.attemptEnded(.refused)))
            cleanUp(.network, in: &turn)
        case .offline, .socketTimeout, .joinTimeout, .refused, .leave, .socketReset,
            .socketBroken:
            fail(failure.attemptFailure, in: &turn)
        }
    }

    private mutating func receive(
        _ response: SignalResponse,
        in turn: inout Turn<RoomClientEffect>
    ) {
        // What was read in one go with the words that closed the connection is not listened to.
        guard signal.socket != nil, !signal.isOpening else { return }
        switch response {
        case .refreshToken(let token):
            self.token = token
        case .offer(let id, let credentials, _, let tracks):
            answer(id, credentials, at: turn.now)
            remotes.carry(tracks, in: &turn)
            if state.connection == .connected { remotes.announce(in: &turn) }
        case .answer(let id, let credentials):
            guard id == session.offerID, let remote = session.mediaAddress else { return }
            let stream = session.streamAddress
            let event = ClientTransport.Event.negotiated(credentials, remote: remote, stream)
            publisherEffects += publisher?.drive(event, at: turn.now) ?? []
        case .trackPublished(let cid, let track):
            finishPublication(cid, track, in: &turn)
        case .participants(let participants):
            if session.awaitsSnapshot, !participants.contains(where: \.hasLeft) {
                session.awaitsSnapshot = false
                remotes.reconcile(with: participants, in: &turn)
            }
            remotes.update(
                participants,
                besides: session.participant,
                tellsArrivals: state.connection == .connected,
                in: &turn
            )
        case .leave(let request):
            leave(request, in: &turn)
        case .mute(let track, let isMuted): remotes.mute(track, isMuted)
        case .refused, .join, .reconnect, .pong: break
        }
    }

    private mutating func answer(_ id: UInt32, _ credentials: IceCredentials, at now: Instant) {
        guard subscriber != nil, let remote = session.mediaAddress else { return }
        let stream = session.streamAddress
        let event = ClientTransport.Event.negotiated(credentials, remote: remote, stream)
        subscriberEffects += subscriber?.drive(event, at: now) ?? []
        signalEffects += signal.drive(.send(.answer(id: id, credentials)), at: now)
    }

    /// Does what the server's leave asks for (client-sdk-swift, `Core/Room+SignalClientDelegate.swift`).
    private mutating func leave(_ request: LeaveRequest, in turn: inout Turn<RoomClientEffect>) {
        if case .connecting(let operation, _) = activity {
            let error = RoomError(request.reason)
            return failConnect(operation, .serverLeave, error, in: &turn)
        }
        guard request.action != .disconnect else {
            if activity.attempt != nil { turn.order(.note(.attemptEnded(.serverLeave))) }
            return cleanUp(RoomError(request.reason), in: &turn)
        }
        if request.action == .reconnect { wantsFull = true }
        // The socket's end is a second failure. Whether it is noticed before the first attempt begins is
        // a matter of microseconds, drawn evenly: measured in 9 of 22 repetitions (Reports/genuine.md).
        let escalates = configuration.curve.escalates
        if escalates, random.next() & 1 == 0 { wantsFull = true }
        signalEffects += signal.drive(.close, at: turn.now)
        lose(.serverLeave, .serverLeave, in: &turn)
        if escalates { wantsFull = true }
    }

    /// Signalling is gone: a reconnect begins, or the attempt that needs it fails.
    private mutating func lose(
        _ cause: DetectionCause,
        _ failure: AttemptFailure,
        in turn: inout Turn<RoomClientEffect>
    ) {
        failPublication(.network, in: &turn)
        if activity.attempt != nil {
            fail(failure, in: &turn)
        } else {
            startReconnect(cause, in: &turn)
        }
    }
}
