import Evidence
import PeerTransport
import SansIO
import Scenarios
import Simulation
import Speech

/// Everybody and everything in a world, built from its plan.
struct Cast {
    private(set) var devices: [IntercomPhone] = []
    private(set) var people: [Person] = []
    private(set) var phones: [SessionPhone] = []
    /// The links between phones, then the radios' links to the Internet.
    private(set) var links: [NetworkLink] = []
    private(set) var rooms: RoomService?
    private(set) var agents: AgentPool?
    private(set) var api: APIService?

    /// All of them, in the order of their indices.
    var components: [any Component] {
        let firstLinks = links.prefix(links.count - phones.reduce(0) { $0 + $1.radios.count })
        let servers: [(any Component)?] = [rooms, agents, api]
        var all: [any Component] = devices
        all += people
        all += Array(firstLinks)
        all += phones
        all += Array(links.dropFirst(firstLinks.count))
        return all + servers.compactMap(\.self)
    }

    init(
        of plan: WorldPlan,
        seed: UInt64,
        material: SpeechMaterial?,
        taps: [String: any SpeakerTap]
    ) throws(WorldError) {
        let tracks = try Script.tracks(of: plan, seed: seed, material: material)
        let peers = Self.streamIDs(of: plan.devices.map(\.name)).map(PeerID.init)
        for (position, device) in plan.devices.enumerated() {
            let heard = zip(plan.people, tracks).filter { $0.0.device == device.name }.map(\.1)
            let neighbours = Self.neighbours(of: position, in: plan, peers)
            devices.append(
                IntercomPhone(
                    plan: device,
                    index: ComponentIndex(position),
                    peer: peers[position],
                    seed: seed,
                    neighbours: neighbours,
                    sound: try Self.sound(
                        of: device,
                        hearing: heard,
                        among: neighbours.count,
                        plan.audio,
                        seed,
                        tap: taps[device.name]
                    ),
                    keepsBytes: plan.audio == .real
                )
            )
        }
        let firstLink = plan.devices.count + plan.people.count
        for (position, link) in plan.links.enumerated() {
            let index = ComponentIndex(firstLink + position)
            links.append(NetworkLink(name: link.name, index: index, forward: 2 * position))
        }
        addSessions(of: plan, seed: seed, first: firstLink + plan.links.count)
        for (position, person) in plan.people.enumerated() {
            people.append(
                Person(
                    name: person.name,
                    index: ComponentIndex(plan.devices.count + position),
                    listener: listener(named: person.device, of: person.name),
                    track: tracks[position]
                )
            )
        }
    }

    /// The phones with sessions, their radios and the servers.
    private mutating func addSessions(of plan: WorldPlan, seed: UInt64, first: Int) {
        guard !plan.phones.isEmpty else { return }
        let firstRadio = first + plan.phones.count
        let radioCount = plan.phones.reduce(0) { $0 + $1.radios.count }
        let servers = (0..<3).map { ComponentIndex(firstRadio + radioCount + $0) }
        let agents = AgentPool(plan.services.agent, media: plan.media, index: servers[1])
        let rooms = RoomService(of: plan, index: servers[0], agents: agents)
        let api = APIService(of: plan, seed: seed, index: servers[2])
        agents.rooms = rooms
        (self.rooms, self.agents, self.api) = (rooms, agents, api)
        var radioPosition = 0
        for (position, phone) in plan.phones.enumerated() {
            let radios = phone.radios.map { radio in
                defer { radioPosition += 1 }
                let name = "\(phone.name)/\(radio.interface)"
                let link = NetworkLink(
                    name: name,
                    index: ComponentIndex(firstRadio + radioPosition),
                    forward: 2 * (plan.links.count + radioPosition),
                    outages: radio.outages.map { OutageSequence($0, seed: seed, name: name) }
                )
                return SessionPhone.Radio(interface: radio.interface, link: link)
            }
            let built = SessionPhone(
                plan: phone,
                index: ComponentIndex(first + position),
                media: plan.media,
                radios: radios,
                system: Self.system(of: phone, in: plan, seed: seed),
                servers: (rooms, agents, api)
            )
            for radio in radios {
                radio.link.user = built
                links.append(radio.link)
            }
            phones.append(built)
        }
        rooms.phones = phones
        api.phones = phones
    }

    // MARK: By name

    /// The index of the component called `name`.
    func index(of name: String) -> ComponentIndex? {
        components.first { $0.name == name }?.index
    }

    func link(named name: String) -> NetworkLink {
        guard let link = links.first(where: { $0.name == name }) else {
            preconditionFailure("the plan names link \(name), which it does not have")
        }
        return link
    }

    func phone(named name: String) -> SessionPhone {
        guard let phone = phones.first(where: { $0.name == name }) else {
            preconditionFailure("the plan names phone \(name), which it does not have")
        }
        return phone
    }

    private func listener(named name: String, of person: String) -> any Listener {
        if let device = devices.first(where: { $0.name == name }) { return device }
        guard let phone = phones.first(where: { $0.name == name }) else {
            preconditionFailure("\(person) talks at \(name), which is unknown")
        }
        return phone
    }
}
