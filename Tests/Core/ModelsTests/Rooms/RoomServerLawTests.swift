import AppServer
@testable import KodamaNetwork
@testable import KodamaSession
import SansIO
import SansIOTesting
import Testing

@Suite("Room server's laws")
struct RoomServerLawTests {
    @Test("The server keeps the laws of its contract", arguments: 0..<40 as Range<UInt64>)
    func laws(seed: UInt64) throws {
        var talkers = (0..<4).map { BlindTalker(host: UInt32($0), identity: "phone-\($0 % 3)") }
        try checkLaws(seed: seed, steps: 400, make: { RoomServerBench().server }) { random, now in
            switch random.below(100) {
            case 0: .fault(Self.fault(&random))
            case 1: .fault(.clear)
            case 2...5: .agentJoined(room: "room")
            case 6: .agentLeft(room: "room")
            default: .packet(talkers[random.below(talkers.count)].next(&random, at: now))
            }
        }
    }

    private static func fault(_ random: inout LawRandom) -> RoomServerFault {
        let identity = "phone-\(random.below(3))"
        return switch random.below(10) {
        case 0: .crash(downtime: .milliseconds(random.below(3_000)))
        case 1: .restart(downtime: .milliseconds(random.below(3_000)))
        case 2: .drain
        case 3: .full
        case 4: .blockIce
        case 5: .goSilent
        case 6: .joinElsewhere(identity: identity)
        case 7: .goDark(downtime: .milliseconds(random.below(3_000)))
        case 8: .refuseConnections
        default:
            .leave(
                identity: identity,
                LeaveRequest(
                    LeaveRequest.Action.allCases[random.below(3)],
                    DisconnectReason.allCases[random.below(DisconnectReason.allCases.count)]
                )
            )
        }
    }
}

/// Says what a client might say without listening, so that it gets far into a session and out of step.
private struct BlindTalker {
    let host: UInt32
    let identity: String
    let tokens: [String]
    var port: UInt64 = 1
    var sequence: UInt32 = 0

    init(host: UInt32, identity: String) {
        self.host = host
        self.identity = identity
        tokens = [RoomServerBench.token(identity), RoomServerBench.token(identity, secret: "x")]
    }

    mutating func next(_ random: inout LawRandom, at now: Instant) -> Packet {
        if random.chance(percent: 3) {
            port += 1
            sequence = 0
        }
        return random.chance(percent: 50) ? segment(&random) : datagram(&random, at: now)
    }

    private mutating func segment(_ random: inout LawRandom) -> Packet {
        sequence += 1
        let kind: StreamSegment.Kind =
            switch sequence {
            case 1: .synchronize
            case 2: .clientHello
            case 3: .data(nil)
            case 4:
                .data(
                    message(.join(token: tokens[random.below(20) / 19], resuming: resumed(&random)))
                )
            default:
                random.chance(percent: 2) ? .finish : .data(message(request(&random)))
            }
        let segment = StreamSegment(
            kind,
            sequence: sequence,
            acknowledgement: UInt32(random.below(12))
        )
        let source = SocketAddress(address: address(interface: 0), port: port)
        return Packet(
            from: source,
            to: RoomServerBench.signalSocket,
            wireBytes: 100,
            .stream(segment)
        )
    }

    private func resumed(_ random: inout LawRandom) -> UInt32? {
        random.chance(percent: 30) ? UInt32(random.below(5)) : nil
    }

    private func message(_ request: SignalRequest) -> StreamMessage {
        StreamMessage(request, byteCount: 50)
    }

    private func request(_ random: inout LawRandom) -> SignalRequest {
        let id = UInt32(random.below(4))
        return switch random.below(8) {
        case 0: .offer(id: id, credentials(.publisher, &random), restartsIce: false)
        case 1, 2: .answer(id: id, credentials(.subscriber, &random))
        case 3: .addTrack(cid: id, isMuted: random.chance(percent: 50))
        case 4: .mute(track: UInt32(random.below(100)), isMuted: random.chance(percent: 50))
        case 5: .syncState(publishedTracks: random.chance(percent: 80) ? [] : [1])
        case 6: random.chance(percent: 5) ? .leave(.clientInitiated) : .ping(number: id)
        default: .join(token: "", resuming: nil)
        }
    }

    private func credentials(_ target: TransportTarget, _ random: inout LawRandom) -> IceCredentials
    {
        IceCredentials(
            participant: UInt32(random.below(6)),
            target: target,
            generation: UInt16(random.below(2))
        )
    }

    private func datagram(_ random: inout LawRandom, at now: Instant) -> Packet {
        let target = TransportTarget.allCases[random.below(2)]
        let credentials = credentials(target, &random)
        let content: Packet.Content =
            switch random.below(6) {
            case 0, 1: .stun(.request(credentials, transaction: 1))
            case 2: .stun(.response(credentials, transaction: 1))
            case 3: .dtls(.clientHello(credentials))
            case 4: .dtls(.clientFinished(credentials))
            default:
                .media(
                    MediaFrame(
                        track: UInt32(random.below(100)),
                        sequence: 0,
                        captured: now,
                        isSpeech: true
                    )
                )
            }
        let source = SocketAddress(
            address: address(interface: UInt8(random.below(2))),
            port: UInt64(random.below(20))
        )
        return Packet(from: source, to: RoomServerBench.mediaSocket, wireBytes: 100, content)
    }

    private func address(interface: UInt8) -> NetworkAddress {
        NetworkAddress(host: host, interface: interface, lease: 0)
    }
}
