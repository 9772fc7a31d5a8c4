@testable import KodamaNetwork
@testable import KodamaSession
import RealtimeVoice
import SansIO
import SansIOTesting

/// The SDK's room object, the room server and an agent, face to face, by default over 25 ms each way.
struct RoomServerPair {
    private struct Flight {
        var at: Instant
        var packet: Packet
    }

    static let wifi = NetworkAddress(host: 0, interface: 0, lease: 0)
    static let cellular = NetworkAddress(host: 0, interface: 1, lease: 0)
    private static let stepsAtOnceMax = 10_000

    var client: RoomClient
    var server: RoomServer
    var agent: VoiceAgent?
    var now = Instant.zero
    /// How long a packet takes.
    let delay: Duration
    /// What passes nobody, in either direction.
    var isCut: Set<TrafficClass> = []
    /// Whether nothing that the server sends arrives.
    var isDownlinkDead = false
    /// The addresses to which no datagram comes.
    var deaf: Set<NetworkAddress> = []
    /// The addresses whose packets arrive.
    var valid: Set<NetworkAddress> = [wifi, cellular]
    var callbacks: [RoomCallback] = []
    var clientNotes: [RoomClientNote] = []
    var serverNotes: [RoomServerNote] = []
    var agentEffects: [VoiceAgentEffect] = []
    private var flights: [Flight] = []
    private var agentDue: Instant?
    private var operations: UInt32 = 0
    /// Whether somebody asks to be woken at one instant without end.
    private(set) var isStuck = false
    private var stepsAtOnce = 0

    init(
        defects: SDKDefects = .ideal,
        portBase: UInt64 = 0x10000,
        delay: Duration = .milliseconds(25),
        serverConfiguration: RoomServerConfiguration = RoomServerConfiguration()
    ) {
        self.delay = delay
        server = RoomServerBench(configuration: serverConfiguration).server
        var configuration = RoomClientConfiguration()
        configuration.defects = defects
        client = RoomClient(
            configuration: configuration,
            room: RoomID(number: 1),
            server: RoomServerBench.signalSocket,
            portBase: portBase,
            seed: 1
        )
        send(.addressesChanged([Self.wifi]))
        send(.command(.create))
    }

    /// A room object that is connected and heard, with an agent that is heard.
    static func connected(
        defects: SDKDefects = .ideal,
        serverConfiguration: RoomServerConfiguration = RoomServerConfiguration()
    ) -> RoomServerPair {
        var pair = RoomServerPair(defects: defects, serverConfiguration: serverConfiguration)
        pair.connect()
        pair.run(for: .seconds(2))
        pair.send(.command(.setMicrophone(pair.nextOperation(), isEnabled: true)))
        pair.run(for: .seconds(2))
        return pair
    }

    mutating func connect() {
        let options = ConnectOptions.asSpecified
        let token = RoomServerBench.token("aoi")
        send(.command(.connect(nextOperation(), url: "", token: token, options)))
    }

    mutating func nextOperation() -> OperationID {
        operations += 1
        return OperationID(number: operations)
    }

    /// Whether the agent hears the phone, asked of both ends and the way between.
    var isHeard: Bool {
        guard let route = client.mediaRoute, valid.contains(route.source.address),
            !isCut.contains(route.trafficClass), case .agent? = server.mediaReceiver(of: route)
        else { return false }
        return agent?.linkedIdentity == "aoi"
    }

    /// Whether the phone hears the agent.
    var isHearing: Bool {
        guard let route = server.mediaRoutes(room: "room").first,
            !isCut.contains(route.trafficClass),
            valid.contains(route.destination.address),
            !deaf.contains(route.destination.address)
        else { return false }
        let frame = MediaFrame(track: route.track, sequence: 0, captured: now, isSpeech: true)
        return client.hears(
            Packet(from: route.source, to: route.destination, wireBytes: 0, .media(frame))
        )
    }

    var isTwoWay: Bool { isHeard && isHearing }

    mutating func send(_ event: RoomClientEvent) {
        perform(client.handle(event, at: now))
    }

    mutating func give(_ event: RoomServerEvent) {
        perform(server.handle(event, at: now))
    }

    mutating func run(for duration: Duration) {
        let end = now.advanced(by: duration)
        _ = run(until: end) { _ in false }
        now = end
    }

    /// How long it takes until this holds; `nil` if it does not within `limit`.
    mutating func time(until limit: Duration, _ holds: (RoomServerPair) -> Bool) -> Duration? {
        let start = now
        return run(until: now.advanced(by: limit), holds) ? start.duration(to: now) : nil
    }

    private mutating func run(until end: Instant, _ holds: (RoomServerPair) -> Bool) -> Bool {
        while !holds(self) {
            let times = [
                client.deadline?.instant, server.deadline?.instant, agent?.deadline?.instant,
                flights.first?.at, agentDue,
            ]
            guard let next = times.compactMap(\.self).min(), next <= end else { return false }
            stepsAtOnce = next > now ? 0 : stepsAtOnce + 1
            guard stepsAtOnce < Self.stepsAtOnceMax else {
                isStuck = true
                return false
            }
            now = max(now, next)
            step()
        }
        return true
    }

    private mutating func step() {
        if let due = agentDue, due <= now {
            agentDue = nil
            agent = VoiceAgent(configuration: VoiceAgentConfiguration(), seed: 1)
            give(.agentJoined(room: "room"))
        }
        while let flight = flights.first, flight.at <= now {
            flights.removeFirst()
            deliver(flight.packet)
        }
        perform(server.wake(at: now))
        perform(client.wake(at: now))
        agentEffects += agent?.wake(at: now) ?? []
    }

    private mutating func deliver(_ packet: Packet) {
        let server = RoomServerBench.serverAddress
        let isForServer = packet.destination.address == server
        let end = isForServer ? packet.source.address : packet.destination.address
        guard !isCut.contains(packet.trafficClass), valid.contains(end) else { return }
        if isForServer {
            give(.packet(packet))
        } else if !isDownlinkDead, packet.trafficClass == .signalling || !deaf.contains(end) {
            send(.packet(packet))
        }
    }

    private mutating func perform(_ effects: [RoomClientEffect]) {
        for effect in effects {
            switch effect {
            case .callback(let callback): callbacks.append(callback)
            case .note(let note): clientNotes.append(note)
            case .transmit(let packet): carry(packet)
            }
        }
    }

    private mutating func perform(_ effects: [RoomServerEffect]) {
        for effect in effects {
            switch effect {
            case .transmit(let packet): carry(packet)
            case .note(let note): serverNotes.append(note)
            case .agentWanted: agentDue = now.advanced(by: .milliseconds(500))
            case .agent(_, let event):
                agentEffects += agent?.handle(event, at: now) ?? []
                guard agent?.isFinished == true else { continue }
                agent = nil
                give(.agentLeft(room: "room"))
            }
        }
    }

    private mutating func carry(_ packet: Packet) {
        flights.append(Flight(at: now.advanced(by: delay), packet: packet))
    }
}
