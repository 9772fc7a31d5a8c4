import KodamaNetwork
import KodamaPhone
import SansIO

/// How far the DTLS 1.2 handshake has come; the phone is its client (RFC 6347 §4.2.4).
enum Handshake: Sendable, Equatable {
    /// Nothing is sent.
    case idle
    /// ClientHello is out.
    case greeting(resendAt: Instant, interval: Duration)
    /// The client's last flight is out.
    case finishing(resendAt: Instant, interval: Duration)
    /// Both sides are done; an ICE restart keeps it.
    case done

    var deadline: Deadline? {
        switch self {
        case .idle, .done: nil
        case .greeting(let resendAt, _), .finishing(let resendAt, _):
            Deadline(resendAt, "DTLS retransmission")
        }
    }

    /// The first wait for an answer: two round trips, from 50 ms to 3 s (libwebrtc,
    /// `p2p/dtls/dtls_transport.cc`, `ComputeRetransmissionTimeout`).
    static func firstInterval(_ roundTrip: Duration?) -> Duration {
        min(.seconds(3), max(.milliseconds(50), (roundTrip ?? .zero) * 2))
    }

    /// Waits double up to 60 s (RFC 6347 §4.2.4.1).
    static func longer(_ interval: Duration) -> Duration {
        min(.seconds(60), interval * 2)
    }
}

extension ClientTransport {
    /// Begins the handshake as soon as a pair works.
    mutating func startHandshake(in turn: inout Turn<Effect>) {
        guard handshake == .idle, let pair = selectedPair, pair.writeState == .writable else {
            return
        }
        let interval = Handshake.firstInterval(pair.roundTrip)
        handshake = .greeting(resendAt: turn.now.advanced(by: interval), interval: interval)
        sendFlight(in: &turn)
    }

    mutating func receive(_ flight: DtlsFlight, in turn: inout Turn<Effect>) {
        switch (flight, handshake) {
        case (.serverHello, .greeting):
            let interval = Handshake.firstInterval(selectedPair?.roundTrip)
            handshake = .finishing(resendAt: turn.now.advanced(by: interval), interval: interval)
            sendFlight(in: &turn)
        case (.serverFinished, .finishing):
            handshake = .done
        case (.serverHello, _), (.serverFinished, _), (.clientHello, _), (.clientFinished, _):
            break
        }
    }

    /// Repeats the flight that stayed without an answer.
    mutating func resendFlight(in turn: inout Turn<Effect>) {
        switch handshake {
        case .greeting(let resendAt, let interval) where turn.now >= resendAt:
            let next = Handshake.longer(interval)
            handshake = .greeting(resendAt: turn.now.advanced(by: next), interval: next)
            sendFlight(in: &turn)
        case .finishing(let resendAt, let interval) where turn.now >= resendAt:
            let next = Handshake.longer(interval)
            handshake = .finishing(resendAt: turn.now.advanced(by: next), interval: next)
            sendFlight(in: &turn)
        case .idle, .greeting, .finishing, .done:
            break
        }
    }

    private func sendFlight(in turn: inout Turn<Effect>) {
        guard let pair = selectedPair else { return }
        switch handshake {
        case .idle, .done:
            break
        case .greeting:
            let hello = DtlsFlight.clientHello(pair.credentials)
            transmit(.dtls(hello), MediaSizes.clientHello, by: pair, in: &turn)
        case .finishing:
            let flight = DtlsFlight.clientFinished(pair.credentials)
            transmit(.dtls(flight), MediaSizes.clientFinished, by: pair, in: &turn)
        }
    }
}

/// Sizes of the phone's datagrams in bytes, with 28 of IPv4 and UDP.
enum MediaSizes {
    /// A binding request: header, USERNAME, PRIORITY, ICE-CONTROLLED, MESSAGE-INTEGRITY, FINGERPRINT
    /// (RFC 8445 §7.1, RFC 8489): 28 + 20 + 28 + 8 + 12 + 24 + 8.
    static let bindingRequest = 128
    /// A binding response: header, XOR-MAPPED-ADDRESS, MESSAGE-INTEGRITY, FINGERPRINT: 28 + 20 + 12 +
    /// 24 + 8.
    static let bindingResponse = 92
    /// A ClientHello; an assumption.
    static let clientHello = 220
    /// Certificate, key exchange, verification and Finished; an assumption.
    static let clientFinished = 620
}
