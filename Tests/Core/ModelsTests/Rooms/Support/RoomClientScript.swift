@testable import KodamaNetwork
@testable import KodamaSession
import SansIO
import SansIOTesting

/// The other side of a room object in tests: says what the script tells it to, and no more.
struct RoomClientScript {
    /// How a request to join or resume is answered.
    enum Reply {
        case accept
        case refuse(Int)
        case leave(LeaveRequest)
        case silence
    }

    var onJoin = Reply.accept
    var onResume = Reply.accept
    var answersPings = true
    var answersChecks = true
    var answersHandshake = true
    var others: [RemoteParticipant] = []
    /// What the client said, pings aside.
    private(set) var requests: [SignalRequest] = []
    private(set) var sockets: [(client: SocketAddress, stream: StreamConnection)] = []
    private(set) var datagramsReceived = 0
    private var participant: UInt32 = 0
    private var offerID: UInt32 = 0
    private var generation: UInt16 = 0
    private var track: UInt32 = 900
    private var outbox: [Packet] = []

    static let signalling = SocketAddress(address: Self.address, port: 443)
    static let media = SocketAddress(address: Self.address, port: 7_882)
    static let address = NetworkAddress(host: 0xFFFE, interface: 0, lease: 0)

    /// Takes a packet and gives back what the server sends in return.
    mutating func receive(_ packet: Packet, at now: Instant) -> [Packet] {
        switch packet.content {
        case .stream(let segment): receive(segment, from: packet.source, at: now)
        case .stun(.request(let credentials, let transaction, _)):
            datagramsReceived += 1
            guard answersChecks else { break }
            let answer = StunMessage.response(credentials, transaction: transaction)
            outbox.append(datagram(.stun(answer), to: packet.source))
        case .dtls(let flight):
            datagramsReceived += 1
            guard answersHandshake, let answer = Self.answer(to: flight) else { break }
            outbox.append(datagram(.dtls(answer), to: packet.source))
        case .stun, .media, .datagram, .message:
            datagramsReceived += 1
        }
        return takeOutbox()
    }

    /// Says something on the newest socket.
    mutating func say(_ response: SignalResponse, at now: Instant) -> [Packet] {
        guard let place = sockets.indices.last else { return [] }
        reply(response, place, at: now)
        return takeOutbox()
    }

    /// Closes the newest socket.
    mutating func hangUp(at now: Instant) -> [Packet] {
        guard let place = sockets.indices.last else { return [] }
        run(.close, place, at: now)
        return takeOutbox()
    }

    mutating func wake(at now: Instant) -> [Packet] {
        for place in sockets.indices {
            let effects = sockets[place].stream.wake(at: now)
            route(effects, place, at: now)
        }
        return takeOutbox()
    }

    var deadline: Instant? {
        sockets.compactMap(\.stream.deadline?.instant).min()
    }

    /// An offer of the subscriber's transport, with new credentials if ICE restarts.
    mutating func offer(restartsIce: Bool) -> SignalResponse {
        offerID += 1
        if restartsIce { generation += 1 }
        let credentials = IceCredentials(
            participant: participant,
            target: .subscriber,
            generation: generation
        )
        return .offer(
            id: offerID,
            credentials,
            restartsIce: restartsIce,
            tracks: others.flatMap(\.tracks)
        )
    }

    private mutating func takeOutbox() -> [Packet] {
        defer { outbox = [] }
        return outbox
    }

    private static func answer(to flight: DtlsFlight) -> DtlsFlight? {
        switch flight {
        case .clientHello(let credentials): .serverHello(credentials)
        case .clientFinished(let credentials): .serverFinished(credentials)
        case .serverHello, .serverFinished: nil
        }
    }

    private func datagram(_ content: Packet.Content, to client: SocketAddress) -> Packet {
        Packet(from: Self.media, to: client, wireBytes: 100, content)
    }

    private mutating func receive(
        _ segment: StreamSegment,
        from client: SocketAddress,
        at now: Instant
    ) {
        if let place = sockets.firstIndex(where: { $0.client == client }) {
            return run(.received(segment), place, at: now)
        }
        switch StreamConnection.stray(segment) {
        case .opensConnection:
            sockets.append((client, StreamConnection(role: .server)))
            run(.received(segment), sockets.count - 1, at: now)
        case .answered(let answer, let bytes):
            let packet = Packet(
                from: Self.signalling,
                to: client,
                wireBytes: bytes,
                .stream(answer)
            )
            outbox.append(packet)
        case .dropped:
            break
        }
    }

    private mutating func run(_ event: StreamEvent, _ place: Int, at now: Instant) {
        let effects = sockets[place].stream.handle(event, at: now)
        route(effects, place, at: now)
    }

    private mutating func route(_ effects: [StreamEffect], _ place: Int, at now: Instant) {
        for effect in effects {
            switch effect {
            case .transmit(let segment, let bytes):
                let packet = Packet(
                    from: Self.signalling,
                    to: sockets[place].client,
                    wireBytes: bytes,
                    .stream(segment)
                )
                outbox.append(packet)
            case .delivered(let message):
                guard let request = message.content as? SignalRequest else { continue }
                hear(request, place, at: now)
            case .opened, .closed:
                break
            }
        }
    }

    private mutating func reply(_ response: SignalResponse, _ place: Int, at now: Instant) {
        run(.send(StreamMessage(response, byteCount: 500)), place, at: now)
    }

    private mutating func hear(_ request: SignalRequest, _ place: Int, at now: Instant) {
        if case .ping(let number) = request {
            if answersPings { reply(.pong(number: number), place, at: now) }
            return
        }
        requests.append(request)
        switch request {
        case .join(_, let resuming):
            answer(resuming == nil ? onJoin : onResume, resuming, place, at: now)
        case .offer(let id, let credentials, _):
            reply(.answer(id: id, credentials), place, at: now)
        case .addTrack(let cid, _):
            track += 1
            reply(.trackPublished(cid: cid, track: track), place, at: now)
        case .answer, .mute, .syncState, .leave, .ping:
            break
        }
    }

    private mutating func answer(
        _ mode: Reply,
        _ resuming: UInt32?,
        _ place: Int,
        at now: Instant
    ) {
        switch mode {
        case .silence:
            break
        case .refuse(let statusCode):
            reply(.refused(statusCode: statusCode), place, at: now)
        case .leave(let request):
            reply(.leave(request), place, at: now)
        case .accept where resuming != nil:
            reply(.reconnect(ReconnectResponse(mediaAddress: Self.media)), place, at: now)
            reply(offer(restartsIce: true), place, at: now)
        case .accept:
            participant += 1
            generation = 0
            reply(.join(joinResponse), place, at: now)
            reply(.refreshToken("token \(participant)"), place, at: now)
            reply(offer(restartsIce: false), place, at: now)
        }
    }

    private var joinResponse: JoinResponse {
        JoinResponse(
            participant: participant,
            room: "room",
            others: others,
            pingInterval: .seconds(5),
            pingTimeout: .seconds(15),
            mediaAddress: Self.media
        )
    }
}
