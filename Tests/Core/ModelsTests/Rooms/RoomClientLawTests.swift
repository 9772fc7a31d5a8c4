@testable import KodamaNetwork
@testable import KodamaSession
import RealtimeVoice
import SansIO
import SansIOTesting
import Testing

@Suite("The room object's laws")
struct RoomClientLawTests {
    @Test(
        "The room object keeps the laws of its contract in talk with a server",
        arguments: ReconnectCurve.allCases
    )
    func roomClient(curve: ReconnectCurve) throws {
        var connections = 0
        var reconnects = 0
        for seed in 0..<4 as Range<UInt64> {
            var configuration = RoomClientConfiguration()
            configuration.curve = curve
            configuration.defects = seed % 2 == 0 ? .faithful : .ideal
            let talk = Talk()
            try checkLaws(
                seed: seed,
                steps: 1_000,
                make: {
                    RoomClient(
                        configuration: configuration,
                        room: RoomID(number: 1),
                        server: RoomClientScript.signalling,
                        portBase: Weather.portBase,
                        seed: seed
                    )
                },
                frame: { effect in
                    talk.hear(effect)
                    return nil
                },
                event: { random, now in talk.next(&random, now) }
            )
            connections += talk.connections
            reconnects += talk.reconnects
        }
        #expect(connections > 0, "talks that never connect prove little")
        #expect(reconnects > 0, "talks that never reconnect prove little")
    }

    @Test("A transport keeps the laws of its contract", arguments: 0..<8 as Range<UInt64>)
    func transport(seed: UInt64) throws {
        var weather = Weather()
        try checkLaws(
            seed: seed,
            steps: 600,
            make: {
                ClientTransport(
                    timing: RoomClientConfiguration(),
                    addresses: [RoomClientBench.wifi],
                    ports: PortPool(base: Weather.portBase)
                )
            }
        ) { random, _ in
            weather.nextOfTransport(&random)
        }
    }

    @Test(
        "The signal connection keeps the laws of its contract",
        arguments: 0..<8 as Range<UInt64>
    )
    func signal(seed: UInt64) throws {
        var weather = Weather()
        try checkLaws(
            seed: seed,
            steps: 600,
            make: {
                SignalClient(
                    server: RoomClientScript.signalling,
                    configuration: RoomClientConfiguration()
                )
            }
        ) { random, _ in
            weather.nextOfSignal(&random)
        }
    }
}

/// A conversation of a room object with a scripted server over a network that loses, repeats and
/// reorders, under an app and a phone that do anything at any time.
private final class Talk {
    private(set) var connections = 0
    private(set) var reconnects = 0
    private var script = RoomClientScript()
    private var weather = Weather()
    private var inbox: [Packet] = []
    private var now = Instant.zero
    private var hasBegun = false

    init() {
        script.others = [RoomClientBench.agent]
    }

    func hear(_ effect: RoomClientEffect) {
        switch effect {
        case .transmit(let packet): inbox += script.receive(packet, at: now)
        case .callback(.connected): connections += 1
        case .callback(.reconnectCompleted): reconnects += 1
        case .callback, .note: break
        }
    }

    func next(_ random: inout LawRandom, _ now: Instant) -> RoomClientEvent {
        self.now = now
        inbox += script.wake(at: now)
        guard hasBegun else {
            hasBegun = true
            return .addressesChanged([RoomClientBench.wifi])
        }
        switch random.below(400) {
        case 0..<4: return .addressesChanged([RoomClientBench.wifi, RoomClientBench.cellular])
        case 4: inbox += script.hangUp(at: now)
        case 5: inbox += script.say(weather.response(&random), at: now)
        case 6, 7: script.onResume = reply(&random)
        case 8: script.onJoin = reply(&random)
        case 9, 10: script.onJoin = .accept
        case 11..<19: return weather.next(&random)
        case 19: inbox = []
        default: break
        }
        guard !inbox.isEmpty else {
            let operation = OperationID(number: UInt32(random.below(1_000)))
            return .command(.connect(operation, url: "wss://room", token: "token", .sdk))
        }
        let place = random.chance(percent: 95) ? 0 : random.below(inbox.count)
        let packet = inbox[place]
        if random.chance(percent: 98) { inbox.remove(at: place) }
        return .packet(packet)
    }

    private func reply(_ random: inout LawRandom) -> RoomClientScript.Reply {
        switch random.below(8) {
        case 0: .refuse(503)
        case 1: .leave(LeaveRequest(.reconnect, .stateMismatch))
        case 2: .silence
        default: .accept
        }
    }
}

/// Draws what apps, networks and servers may do to a room object, in order or not.
private struct Weather {
    static let portBase: UInt64 = 0x10000
    private var operation: UInt32 = 0
    private var sequence: UInt32 = 0
    private var port: UInt64 = 0

    mutating func next(_ random: inout LawRandom) -> RoomClientEvent {
        switch random.below(100) {
        case 0..<4: .addressesChanged(addresses(&random))
        case 4: .socketsFailed(address(&random))
        case 5..<14: .command(command(&random))
        case 14..<70: .packet(stream(&random))
        default: .packet(datagram(&random, toPort: PortPool.size))
        }
    }

    mutating func nextOfTransport(_ random: inout LawRandom) -> ClientTransport.Event {
        switch random.below(100) {
        case 0..<6: .negotiated(credentials(&random), remote: RoomClientScript.media)
        case 6..<10: .addressesChanged(addresses(&random))
        case 10: .socketsFailed(address(&random))
        default: .packet(datagram(&random, toPort: 0))
        }
    }

    mutating func nextOfSignal(_ random: inout LawRandom) -> SignalClient.Event {
        switch random.below(100) {
        case 0..<5:
            .connect(
                SignalClient.Attempt(
                    source: random.chance(percent: 80) ? own(&random) : nil,
                    request: .join(token: "token", resuming: nil),
                    looksUp: random.chance(percent: 50),
                    socketTimeout: .seconds(10),
                    offlineTime: .milliseconds(random.below(50))
                )
            )
        case 5..<10: .send(.mute(track: 1, isMuted: random.chance(percent: 50)))
        case 10: .close
        case 11: .socketsFailed(address(&random))
        default: .packet(stream(&random))
        }
    }

    private mutating func own(_ random: inout LawRandom) -> SocketAddress {
        port += 1
        return SocketAddress(address: address(&random), port: Self.portBase + port)
    }

    private func address(_ random: inout LawRandom) -> NetworkAddress {
        random.chance(percent: 70) ? RoomClientBench.wifi : RoomClientBench.cellular
    }

    private func addresses(_ random: inout LawRandom) -> [NetworkAddress] {
        switch random.below(4) {
        case 0: []
        case 1: [RoomClientBench.wifi]
        case 2: [RoomClientBench.cellular, RoomClientBench.wifi]
        default: [RoomClientBench.cellular]
        }
    }

    private mutating func command(_ random: inout LawRandom) -> RoomCommand {
        operation += 1
        let id = OperationID(number: operation)
        return switch random.below(200) {
        case 0..<80: .connect(id, url: "wss://room", token: "token", .sdk)
        case 80..<150: .setMicrophone(id, isEnabled: random.chance(percent: 60))
        case 150..<170: .startRenderer
        case 170..<180: .stopRenderer
        case 180..<195: .disconnect(id)
        case 195: .release
        case 196..<198: .resume
        default: .create
        }
    }

    /// Segments that often continue what the socket expects.
    private mutating func stream(_ random: inout LawRandom) -> Packet {
        let kinds: [StreamSegment.Kind] = [
            .lookupAnswer, .synchronizeAcknowledge, .serverHello, .acknowledge, .finish, .reset,
        ]
        let kind: StreamSegment.Kind =
            random.chance(percent: 50)
            ? .data(StreamMessage(response(&random), byteCount: 300))
            : kinds[random.below(random.chance(percent: 90) ? 4 : 6)]
        sequence = random.chance(percent: 5) ? 1 : sequence + 1
        let segment = StreamSegment(
            kind,
            sequence: 1 + sequence % 6,
            acknowledgement: UInt32(1 + random.below(5))
        )
        let destination = SocketAddress(
            address: address(&random),
            port: Self.portBase + UInt64(random.below(12))
        )
        return Packet(
            from: RoomClientScript.signalling,
            to: destination,
            wireBytes: 100,
            .stream(segment)
        )
    }

    private func credentials(_ random: inout LawRandom) -> IceCredentials {
        IceCredentials(
            participant: 1,
            target: random.chance(percent: 50) ? .publisher : .subscriber,
            generation: UInt16(random.below(3))
        )
    }

    func response(_ random: inout LawRandom) -> SignalResponse {
        let other = RemoteParticipant(participant: 2, identity: "agent", tracks: [500])
        return switch random.below(12) {
        case 0, 1, 2:
            .join(
                JoinResponse(
                    participant: 1,
                    room: "room",
                    others: [other],
                    pingInterval: .seconds(5),
                    pingTimeout: .seconds(15),
                    mediaAddress: RoomClientScript.media
                )
            )
        case 3: .reconnect(ReconnectResponse(mediaAddress: RoomClientScript.media))
        case 4: .offer(id: 1, credentials(&random), restartsIce: false, tracks: [500])
        case 5: .answer(id: UInt32(random.below(3)), credentials(&random))
        case 6: .trackPublished(cid: UInt32(random.below(3)), track: 900)
        case 7:
            .participants(
                [
                    RemoteParticipant(
                        participant: 2 + UInt32(random.below(3)),
                        identity: other.identity,
                        tracks: other.tracks,
                        hasLeft: random.chance(percent: 50)
                    )
                ]
            )
        case 8:
            .leave(
                LeaveRequest(LeaveRequest.Action.allCases[random.below(3)], .stateMismatch)
            )
        case 9: .refused(statusCode: 400 + random.below(200))
        case 10: .pong(number: 1)
        default: .refreshToken("fresh")
        }
    }

    private mutating func datagram(_ random: inout LawRandom, toPort base: UInt64) -> Packet {
        let credentials = credentials(&random)
        let content: Packet.Content =
            switch random.below(8) {
            case 0, 1, 2: .stun(.response(credentials, transaction: UInt32(random.below(40))))
            case 3, 4: .stun(.request(credentials, transaction: 1))
            case 5: .dtls(.serverHello(credentials))
            case 6: .dtls(.serverFinished(credentials))
            default: .media(MediaFrame(track: 500, sequence: 1, captured: .zero, isSpeech: true))
            }
        let part = base == 0 ? 0 : PortPool.size * UInt64(1 + random.below(2))
        let destination = SocketAddress(
            address: address(&random),
            port: Self.portBase + part + UInt64(random.below(4))
        )
        return Packet(from: RoomClientScript.media, to: destination, wireBytes: 100, content)
    }
}
