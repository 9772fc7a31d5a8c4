import KodamaNetwork
import KodamaPhone
import SansIO

/// A LiveKit room server of one node, seen through its sockets.
///
/// It speaks the signalling of livekit/livekit 1.13 over reliable streams, verifies real access
/// tokens, negotiates both peer connections of a participant, answers connectivity checks and the
/// DTLS handshake, and keeps rooms and their time-outs. Each extension names the files that it
/// follows. What a server does between its sockets is not modelled: no signal relay, no second node,
/// no TURN, no WebSocket pings; a frame costs no time inside.
///
/// Nothing in it is left to chance: what varies from run to run is the network before it.
package struct RoomServer: StateMachine {
    /// The port of the signalling.
    static let signalPort: UInt64 = 443
    /// The port of checks, DTLS and voice: `rtc.udp_port` (livekit/livekit, `config-sample.yaml`).
    static let mediaPort: UInt64 = 7_882

    /// A full node of hundreds of participants may be told to leave in one call.
    static var effectsPerCallMax: Int { 65_536 }

    /// What is wrong with the server until it is cleared.
    struct Ailments: Sendable, Equatable {
        var isDraining = false
        var isFull = false
        var blocksDatagrams = false
        var isSilent = false
        var refusesConnections = false
    }

    let configuration: RoomServerConfiguration
    let signalSocket: SocketAddress
    let mediaSocket: SocketAddress
    /// Where media comes in by TCP, if the server takes it.
    let streamSocket: SocketAddress?
    let tokens: TokenDesk
    let clock: WallClock

    var ailments = Ailments()
    /// Until when the process is not there.
    var downUntil = Instant(nanoseconds: .min)
    /// Whether its machine is gone with it, so that not even a reset comes back.
    var isDark = false
    /// When the process was started; rooms are looked at in steps from here.
    var startedAt = Instant.zero

    var connections = Roster<ServerConnection>()
    var participants = Roster<ServerParticipant>()
    var rooms = Roster<ServerRoom>()
    /// Numbers of connections by the other end; never iterated.
    var connectionsByPeer: [SocketAddress: UInt32] = [:]
    /// Numbers of rooms by name; never iterated.
    var roomsByName: [String: UInt32] = [:]
    /// How many numbers of each kind were given; they outlive a crash, as real ones are random.
    var connectionsMade: UInt32 = 0
    var participantsMade: UInt32 = 0
    var roomsMade: UInt32 = 0

    /// Makes a server that was just started and has no rooms.
    ///
    /// - Parameters:
    ///   - configuration: Its timers.
    ///   - address: Its address; signalling and media have ports of their own there.
    ///   - keys: The API keys and secrets that it accepts, at least one; fresh tokens are signed with
    ///     the first.
    ///   - clock: What the wall's clock shows at `Instant.zero`.
    init(
        configuration: RoomServerConfiguration,
        address: NetworkAddress,
        keys: [(key: String, secret: String)],
        clock: WallTime
    ) {
        precondition(!keys.isEmpty, "a room server without keys lets nobody in")
        self.configuration = configuration
        signalSocket = SocketAddress(address: address, port: Self.signalPort)
        mediaSocket = SocketAddress(address: address, port: Self.mediaPort)
        streamSocket =
            configuration.takesMediaByTCP
            ? SocketAddress(address: address, port: Packet.streamMediaPort) : nil
        tokens = TokenDesk(keys: keys, configuration: configuration)
        self.clock = WallClock(showing: clock)
    }

    /// A server has no end.
    var isFinished: Bool { false }

    /// The earliest of what connections, participants and rooms wait for.
    var deadline: Deadline? {
        .earliest(.earliest(connections.deadline, participants.deadline), rooms.deadline)
    }

    /// Takes one fact.
    mutating func handle(_ event: RoomServerEvent, in turn: inout Turn<RoomServerEffect>) {
        switch event {
        case .packet(let packet): receive(packet, in: &turn)
        case .fault(let fault): suffer(fault, in: &turn)
        case .agentJoined(let room): admitAgent(to: room, in: &turn)
        case .agentLeft(let room): dismissAgent(from: room, in: &turn)
        }
    }

    /// Does what is due, connections first, then participants and rooms, each in the order in which
    /// they came.
    mutating func wake(in turn: inout Turn<RoomServerEffect>) {
        for number in connections.due(at: turn.now) {
            wakeConnection(number, in: &turn)
        }
        for number in participants.due(at: turn.now) {
            wakeParticipant(number, in: &turn)
        }
        for number in rooms.due(at: turn.now) {
            closeRoom(number, leave: .init(.disconnect, .roomClosed), in: &turn)
        }
    }

    /// Whether there is a process that takes packets.
    func isUp(at now: Instant) -> Bool { now >= downUntil }

    /// Whether it is down, silent, or deaf to media.
    func isAway(at now: Instant) -> Bool {
        !isUp(at: now) || ailments.isSilent || ailments.blocksDatagrams
    }

    private mutating func receive(_ packet: Packet, in turn: inout Turn<RoomServerEffect>) {
        guard isUp(at: turn.now) else { return refuse(packet, in: &turn) }
        switch packet.content {
        case .stream(let segment):
            guard packet.destination == signalSocket else { return }
            receive(segment, from: packet.source, in: &turn)
        case .stun(let message):
            guard isOpenForDatagrams(packet) else { return }
            receive(message, from: packet.source, in: &turn)
        case .dtls(let flight):
            guard isOpenForDatagrams(packet) else { return }
            receive(flight, from: packet.source, in: &turn)
        case .media:
            // The world asks `receive(media:at:)` where the voice goes; here it only proves life.
            _ = receive(media: packet, at: turn.now)
        case .datagram, .message:
            // No protocol of a room's.
            break
        }
    }

    private func isOpenForDatagrams(_ packet: Packet) -> Bool {
        takesMedia(at: packet.destination)
    }

    /// Whether media is taken at one of the server's own ends.
    func takesMedia(at end: SocketAddress) -> Bool {
        end == streamSocket || !ailments.blocksDatagrams && end == mediaSocket
    }

    /// The end of the server's by which media goes to a client's end.
    func mediaSource(to end: SocketAddress) -> SocketAddress {
        end.port & PortPool.stream == 0 ? mediaSocket : streamSocket ?? mediaSocket
    }
}
