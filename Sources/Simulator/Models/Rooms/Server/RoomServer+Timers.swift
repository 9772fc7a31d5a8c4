import SansIO

/// What time does to a participant (livekit/livekit, `pkg/rtc/participant.go` and
/// `pkg/rtc/transport.go`).
extension RoomServer {
    mutating func wakeParticipant(
        _ number: UInt32,
        at now: Instant,
        into effects: inout EffectBuffer<RoomServerEffect>
    ) {
        guard let place = participants.place(of: number) else { return }
        if let leave = overdue(place, at: now) {
            return remove(number, leave: leave, at: now, into: &effects)
        }
        if let instant = participants[place].migratesAt, instant <= now {
            participants[place].migratesAt = nil
            participants[place].subscriber.close()
        }
        if let instant = participants[place].refreshAt, instant <= now {
            refreshToken(of: number, at: now, into: &effects)
        }
        for target in TransportTarget.allCases {
            guard let place = participants.place(of: number) else { return }
            wakeTransport(target, of: place, at: now, into: &effects)
        }
    }

    /// With which words a participant is closed, if one of its times is up.
    private func overdue(_ place: Int, at now: Instant) -> LeaveRequest? {
        if let instant = participants[place].cleanupAt, instant <= now {
            return LeaveRequest(.disconnect, .connectionTimeout)
        }
        if let instant = participants[place].activeBy, instant <= now {
            return LeaveRequest(.disconnect, .joinFailure)
        }
        if let answerBy = participants[place].offer?.answerBy, answerBy <= now {
            return LeaveRequest(.reconnect, .stateMismatch)
        }
        return nil
    }

    private mutating func wakeTransport(
        _ target: TransportTarget,
        of place: Int,
        at now: Instant,
        into effects: inout EffectBuffer<RoomServerEffect>
    ) {
        if let instant = participants[place][target].failsAt, instant <= now {
            return fail(target, of: place, at: now, into: &effects)
        }
        let number = participants[place].number
        if participants[place][target].keepaliveAt <= now,
            let check = participants[place][target].makeCheck(at: now)
        {
            let credentials = IceCredentials(
                participant: number,
                target: target,
                generation: check.generation
            )
            let request = StunMessage.request(credentials, transaction: check.transaction)
            let size = MediaSizes.bindingRequest
            sendDatagram(.stun(request), size, to: check.destination, into: &effects)
        }
        guard case .answering(let resendAt, let interval) = participants[place][target].handshake,
            resendAt <= now
        else { return }
        repeatHello(target, of: place, after: interval, at: now, into: &effects)
    }

    /// Sends the server's hello again, and waits twice as long for what comes (RFC 6347 §4.2.4.1).
    private mutating func repeatHello(
        _ target: TransportTarget,
        of place: Int,
        after interval: Duration,
        at now: Instant,
        into effects: inout EffectBuffer<RoomServerEffect>
    ) {
        let next = min(interval * 2, .seconds(60))
        participants[place][target].handshake = .answering(
            resendAt: now.advanced(by: next),
            interval: next
        )
        guard let generation = participants[place][target].generation,
            let end = participants[place][target].selected
        else { return }
        let credentials = IceCredentials(
            participant: participants[place].number,
            target: target,
            generation: generation
        )
        let hello = Packet.Content.dtls(.serverHello(credentials))
        sendDatagram(hello, MediaSizes.serverHello, to: end, into: &effects)
    }

    /// A transport failed: the client is asked to resume, and is closed if it does not soon
    /// (`ParticipantImpl.onAnyTransportFailed`).
    private mutating func fail(
        _ target: TransportTarget,
        of place: Int,
        at now: Instant,
        into effects: inout EffectBuffer<RoomServerEffect>
    ) {
        participants[place][target].fail()
        participants[place].cleanupAt = now.advanced(by: configuration.disconnectCleanup)
        let number = participants[place].number
        askToResume(number, reason: .connectionTimeout, at: now, into: &effects)
    }
}
