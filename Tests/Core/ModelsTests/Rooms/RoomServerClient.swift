import AppServer
@testable import KodamaNetwork
@testable import KodamaSession
import SansIO
import SansIOTesting

/// A client that does what it should and no more: one socket, two transports, no retries of its own.
struct RoomServerClient {
    /// One peer connection as the client sees it.
    struct Transport {
        var credentials: IceCredentials?
        var checkAt: Instant?
        var hasAnswer = false
        var isConnected = false
        var helloAt: Instant?
    }

    /// What the client leaves undone, to see what the server makes of it.
    struct Omissions {
        var answersOffers = true
        var checks = true
        var handshakes = true
    }

    let identity: String
    var address: NetworkAddress
    var omissions = Omissions()
    var stream = StreamConnection(role: .client)
    var streamPort: UInt64 = 50_000
    var mediaPorts: [TransportTarget: UInt64] = [.publisher: 60_000, .subscriber: 60_001]
    var transports: [TransportTarget: Transport] = [.publisher: .init(), .subscriber: .init()]
    var mediaAddress: SocketAddress?
    var participant: UInt32 = 0
    var track: UInt32?
    var offers: UInt32 = 0
    var generation: UInt16 = 0
    /// Everything that the server said, with the time of its arrival.
    var heard: [(at: Instant, response: SignalResponse)] = []
    var closure: StreamClosure?
    var streamEffects: [StreamEffect] = []
    /// What is to be sent.
    var outbox: [Packet] = []

    init(identity: String, host: UInt32) {
        self.identity = identity
        address = NetworkAddress(host: host, interface: 0, lease: 0)
    }

    var deadline: Instant? {
        var instants = [stream.deadline?.instant]
        for transport in [transports[.publisher], transports[.subscriber]] {
            instants.append(transport?.checkAt)
            instants.append(transport?.helloAt)
        }
        return instants.compactMap(\.self).min()
    }

    /// Opens a socket and says the first words; a socket that was open before is forgotten.
    mutating func connect(token: String, resuming: UInt32? = nil, at now: Instant) {
        stream = StreamConnection(role: .client)
        streamPort += 1
        closure = nil
        drive(.open, at: now)
        say(.join(token: token, resuming: resuming), at: now)
    }

    mutating func say(_ request: SignalRequest, at now: Instant) {
        drive(.send(StreamMessage(request, byteCount: 500)), at: now)
    }

    /// Offers the publisher's transport and announces the microphone.
    mutating func publish(isMuted: Bool = false, at now: Instant) {
        offerPublisher(restartsIce: false, at: now)
        say(.addTrack(cid: 7, isMuted: isMuted), at: now)
    }

    mutating func offerPublisher(restartsIce: Bool, at now: Instant) {
        offers += 1
        generation += restartsIce ? 1 : 0
        let credentials = IceCredentials(
            participant: participant,
            target: .publisher,
            generation: generation
        )
        say(.offer(id: offers, credentials, restartsIce: restartsIce), at: now)
    }

    mutating func drive(_ event: StreamEvent, at now: Instant) {
        streamEffects += stream.handle(event, at: now)
        perform(at: now)
    }

    mutating func wake(at now: Instant) {
        streamEffects += stream.wake(at: now)
        perform(at: now)
        for target in TransportTarget.allCases {
            if let checkAt = transports[target]?.checkAt, checkAt <= now {
                check(target, at: now)
            }
            if let helloAt = transports[target]?.helloAt, helloAt <= now {
                sayHello(target, at: now)
            }
        }
    }

    mutating func receive(_ packet: Packet, at now: Instant) {
        switch packet.content {
        case .stream(let segment):
            guard packet.destination.port == streamPort else { return }
            drive(.received(segment), at: now)
        case .stun(.request(let credentials, let transaction, _)):
            send(.stun(.response(credentials, transaction: transaction)), credentials.target)
        case .stun(.response(let credentials, _)):
            guard transports[credentials.target]?.credentials == credentials else { return }
            transports[credentials.target]?.hasAnswer = true
            guard transports[credentials.target]?.isConnected == false, omissions.handshakes,
                transports[credentials.target]?.helloAt == nil
            else { return }
            sayHello(credentials.target, at: now)
        case .dtls(.serverHello(let credentials)):
            transports[credentials.target]?.helloAt = nil
            send(.dtls(.clientFinished(credentials)), credentials.target)
        case .dtls(.serverFinished(let credentials)):
            transports[credentials.target]?.isConnected = true
        case .dtls(.clientHello), .dtls(.clientFinished), .media, .datagram, .message:
            break
        }
    }

    /// A frame of the microphone, by the publisher's way.
    func frame(at now: Instant) -> Packet? {
        guard let mediaAddress, let track else { return nil }
        let frame = MediaFrame(track: track, sequence: 0, captured: now, isSpeech: true)
        return Packet(
            from: socket(.publisher),
            to: mediaAddress,
            wireBytes: 150,
            .media(frame)
        )
    }

    func socket(_ target: TransportTarget) -> SocketAddress {
        SocketAddress(address: address, port: mediaPorts[target] ?? 0)
    }

    private mutating func perform(at now: Instant) {
        let ordered = streamEffects
        streamEffects.removeAll()
        for effect in ordered {
            switch effect {
            case .transmit(let segment, let wireBytes):
                let source = SocketAddress(address: address, port: streamPort)
                let server = RoomServerBench.signalSocket
                outbox.append(
                    Packet(from: source, to: server, wireBytes: wireBytes, .stream(segment))
                )
            case .delivered(let message):
                guard let response = message.content as? SignalResponse else { continue }
                heard.append((now, response))
                act(on: response, at: now)
            case .closed(let closure): self.closure = closure
            case .opened: break
            }
        }
    }

    private mutating func act(on response: SignalResponse, at now: Instant) {
        switch response {
        case .join(let answer):
            participant = answer.participant
            mediaAddress = answer.mediaAddress
            transports = [.publisher: .init(), .subscriber: .init()]
        case .offer(let id, let credentials, _, _):
            guard omissions.answersOffers else { return }
            say(.answer(id: id, credentials), at: now)
            start(credentials, at: now)
        case .answer(_, let credentials):
            start(credentials, at: now)
        case .trackPublished(_, let track):
            self.track = track
        case .refused, .reconnect, .participants, .mute, .leave, .refreshToken, .pong:
            break
        }
    }

    private mutating func start(_ credentials: IceCredentials, at now: Instant) {
        guard transports[credentials.target]?.credentials != credentials else { return }
        transports[credentials.target]?.credentials = credentials
        transports[credentials.target]?.hasAnswer = false
        guard omissions.checks else { return }
        check(credentials.target, at: now)
    }

    /// Every 48 ms until somebody answers, every 2.5 s from then on.
    private mutating func check(_ target: TransportTarget, at now: Instant) {
        guard let transport = transports[target], let credentials = transport.credentials else {
            return
        }
        let pause: Duration = transport.hasAnswer ? .milliseconds(2_500) : .milliseconds(48)
        transports[target]?.checkAt = now.advanced(by: pause)
        // Its only pair is the one that it nominates.
        send(.stun(.request(credentials, transaction: 1, isNominating: true)), target)
    }

    private mutating func sayHello(_ target: TransportTarget, at now: Instant) {
        guard let credentials = transports[target]?.credentials else { return }
        transports[target]?.helloAt = now.advanced(by: .milliseconds(300))
        send(.dtls(.clientHello(credentials)), target)
    }

    private mutating func send(_ content: Packet.Content, _ target: TransportTarget) {
        guard let mediaAddress else { return }
        outbox.append(Packet(from: socket(target), to: mediaAddress, wireBytes: 100, content))
    }
}
