import AppServer
import Evidence
import Models
import SansIO
import Scenarios
import Simulation

/// Where the servers stand: the room server with its agents, and the app's own server.
///
/// A class for the same reason as `SessionPhone`.
final class ServerSite {
    /// The hosts' numbers; phones count from 0.
    static let roomsHost: UInt16 = 0xFFFE
    static let apiHost: UInt16 = 0xFFFD
    static let signallingPort: UInt32 = 443
    static let mediaPort: UInt32 = 7_882

    /// The LiveKit key pair of the simulated deployment.
    static let apiKey = "APIkodama"
    static let apiSecret = "a-secret-that-only-simulated-servers-know"
    /// What the app's own server signs its sessions with.
    static let sessionSecret = "another-secret-that-only-simulated-servers-know"
    /// The room server's URL, as tokens' answers name it.
    static let roomsURL = "wss://rooms.kodama.example"

    let roomsComponent: ComponentIndex
    let agentsComponent: ComponentIndex
    let apiComponent: ComponentIndex

    let rooms: Hosted<RoomServer>
    var agents: [AgentSlot] = []
    /// The latest agent of each room.
    private var agentPlaces: [String: Int] = [:]
    /// The open agents that listen to each phone's user, by the phone's place.
    private var listeners: [Int: [Int]] = [:]
    var api: APIServer
    /// Connections of apps to their own server, oldest first.
    var apiConnections: [APIConnection] = []
    /// The earliest deadline of these, as of the last review.
    private var apiDeadline: Instant?
    var apiIsSilent = false
    /// Whether the room server is down, silent or deaf to media; for the truth about paths.
    var roomsAreAway = false

    var pendingWake: Instant?
    var wakeSource = EventSource(rank: DeliveryRank.wake, component: DeliverySource.site)
    var ownSource = EventSource(rank: DeliveryRank.site, component: DeliverySource.site)

    /// An app's connection to its own server.
    struct APIConnection {
        let client: SocketAddress
        let stream: Hosted<StreamConnection>
    }

    /// An agent, from the call for it on.
    struct AgentSlot {
        let room: String
        let agent: Hosted<VoiceAgent>
        /// When its one pending wake is due, if there is one.
        var pendingWake: Instant?
        var wakeSource: EventSource
        var hasJoined = false
        fileprivate(set) var isClosed = false
        /// The phone whose user it listens to, as far as known.
        fileprivate(set) var phone: Int?
        var hearing = Hearing()
        /// The answer under way, if any, and the number of its first frame.
        var turn = 0
        var isAnswering = false
        var sequence: Int64 = 0

        init(room: String, agent: Hosted<VoiceAgent>, number: Int) {
            self.room = room
            self.agent = agent
            let component = DeliverySource.agent + number % DeliverySource.agentsMax
            wakeSource = EventSource(rank: DeliveryRank.wake, component: component)
        }
    }

    /// What an agent hears of its user's voice.
    struct Hearing {
        var isSpeech = false
        var lastFrame = Instant.zero
    }

    init(
        rooms: RoomServer,
        api: APIServer,
        components: (rooms: ComponentIndex, agents: ComponentIndex, api: ComponentIndex)
    ) {
        self.rooms = Hosted(rooms, at: .zero)
        self.api = api
        (roomsComponent, agentsComponent, apiComponent) = components
    }

    /// The place of the agent that serves a room now.
    func agent(in room: String) -> Int? {
        guard let place = agentPlaces[room], !agents[place].isClosed else { return nil }
        return place
    }

    /// Calls an agent for a room.
    func call(_ agent: VoiceAgent, to room: String, at now: Instant) {
        agentPlaces[room] = agents.count
        agents.append(.init(room: room, agent: Hosted(agent, at: now), number: agents.count))
    }

    /// The latest of the open agents that listen to a phone's user.
    func agent(ofPhone place: Int) -> Int? { listeners[place]?.max() }

    /// An agent learns whose user it listens to.
    func attach(_ agent: Int, to phone: Int?) {
        detach(agent)
        agents[agent].phone = phone
        if let phone { listeners[phone, default: []].append(agent) }
    }

    /// An agent has ended its session.
    func close(_ agent: Int) {
        detach(agent)
        agents[agent].isClosed = true
    }

    private func detach(_ agent: Int) {
        guard let phone = agents[agent].phone else { return }
        listeners[phone]?.removeAll { $0 == agent }
    }

    /// Reads the deadlines of the connections to the app's own server again, when one has changed.
    func reviewAPI() {
        apiDeadline = nil
        for connection in apiConnections {
            apiDeadline = min(apiDeadline, connection.stream.deadline)
        }
    }

    /// Whose connections to the app's own server are due.
    func dueAPIClients(at now: Instant) -> [SocketAddress] {
        guard let apiDeadline, apiDeadline <= now else { return [] }
        return apiConnections.filter { $0.stream.isDue(at: now) }.map(\.client)
    }

    /// The earliest deadline of all that lives here, agents aside: they are woken one by one.
    var deadline: Instant? { min(rooms.deadline, apiDeadline) }

    static var roomsAddress: NetworkAddress {
        NetworkAddress(host: roomsHost, interface: 0, lease: 0)
    }

    static var signalling: SocketAddress {
        SocketAddress(address: roomsAddress, port: signallingPort)
    }

    static var apiSocket: SocketAddress {
        SocketAddress(
            address: NetworkAddress(host: apiHost, interface: 0, lease: 0),
            port: signallingPort
        )
    }
}
