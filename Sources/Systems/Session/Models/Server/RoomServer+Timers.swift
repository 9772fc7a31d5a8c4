import KodamaNetwork
import KodamaPhone
import SansIO

/// What time does to a participant (livekit/livekit, `pkg/rtc/participant.go` and
/// `pkg/rtc/transport.go`).
extension RoomServer {
    mutating func wakeParticipant(_ number: UInt32, in turn: inout Turn<RoomServerEffect>) {
        guard let place = participants.place(of: number) else { return }
        if let leave = overdue(place, at: turn.now) {
            return remove(number, leave: leave, in: &turn)
        }
        if let instant = participants[place].migratesAt, instant <= turn.now {
            participants[place].migratesAt = nil
            participants[place].subscriber.close()
        }
        if let instant = participants[place].refreshAt, instant <= turn.now {
            refreshToken(of: number, in: &turn)
        }
        for target in TransportTarget.allCases {
            guard let place = participants.place(of: number) else { return }
            wakeTransport(target, of: place, in: &turn)
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
        in turn: inout Turn<RoomServerEffect>
    ) {
        if let instant = participants[place][target].failsAt, instant <= turn.now {
            return fail(target, of: place, in: &turn)
        }
        let number = participants[place].number
        if participants[place][target].keepaliveAt <= turn.now,
            let check = participants[place][target].makeCheck(at: turn.now)
        {
            let credentials = IceCredentials(
                participant: number,
                target: target,
                generation: check.generation
            )
            let request = StunMessage.request(credentials, transaction: check.transaction)
            let size = MediaSizes.bindingRequest
            sendDatagram(.stun(request), size, to: check.destination, in: &turn)
        }
        guard case .answering(let resendAt, let interval) = participants[place][target].handshake,
            resendAt <= turn.now
        else { return }
        repeatHello(target, of: place, after: interval, in: &turn)
    }

    /// Sends the server's hello again, and waits twice as long for what comes (RFC 6347 §4.2.4.1).
    private mutating func repeatHello(
        _ target: TransportTarget,
        of place: Int,
        after interval: Duration,
        in turn: inout Turn<RoomServerEffect>
    ) {
        let next = min(interval * 2, .seconds(60))
        participants[place][target].handshake = .answering(
            resendAt: turn.now.advanced(by: next),
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
        sendDatagram(hello, MediaSizes.serverHello, to: end, in: &turn)
    }

    /// A transport failed: the client is asked to resume, and is closed if it does not soon
    /// (`ParticipantImpl.onAnyTransportFailed`).
    private mutating func fail(
        _ target: TransportTarget,
        of place: Int,
        in turn: inout Turn<RoomServerEffect>
    ) {
        participants[place][target].fail()
        participants[place].cleanupAt = turn.now.advanced(by: configuration.disconnectCleanup)
        let number = participants[place].number
        askToResume(number, reason: .connectionTimeout, in: &turn)
    }
}
