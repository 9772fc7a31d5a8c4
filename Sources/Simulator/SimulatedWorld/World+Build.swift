import Evidence
import OpusAudio
import PeerTransport
import SansIO
import Scenarios
import Simulation
import Speech

extension World {
    /// Both directions of every link, forward before backward.
    static func linkEnds(of plan: WorldPlan, seed: UInt64) -> [LinkEnd] {
        let firstPlace = plan.devices.count + plan.people.count
        let radios = plan.phones.flatMap { phone in
            phone.radios.map { ("\(phone.name)/\($0.interface)", $0.profile) }
        }
        let links = plan.links.map { ($0.name, $0.profile) } + radios
        return links.enumerated().flatMap { place, link in
            let (name, profile) = link
            // Phones stand between the links of devices and the radios.
            let skipped = place < plan.links.count ? 0 : plan.phones.count
            let component = ComponentIndex(place: UInt16(firstPlace + place + skipped))
            return [("forward", profile.forward), ("backward", profile.backward)]
                .enumerated().map { side, direction in
                    LinkEnd(
                        link: Link(direction.1, seed: seed, name: "\(name) \(direction.0)"),
                        component: component,
                        source: EventSource(
                            rank: DeliveryRank.datagram,
                            component: 2 * place + side
                        )
                    )
                }
        }
    }

    /// The phones, each with the sound of the people who talk at it.
    static func devices(
        of plan: WorldPlan,
        seed: UInt64,
        talkers: [Talker],
        taps: [String: any SpeakerTap]
    ) throws(WorldError) -> [Device] {
        let peers = streamIDs(of: plan.devices.map(\.name)).map(PeerID.init)
        var devices: [Device] = []
        for (place, device) in plan.devices.enumerated() {
            let tracks = talkers.filter { $0.listener == .device(place) }.map(\.track)
            let neighbours = neighbours(of: place, in: plan, peers)
            let sound: any DeviceSound
            switch plan.audio {
            case .real:
                do throws(OpusError) {
                    sound = try RealSound(
                        configuration: device.configuration,
                        peers: neighbours.count,
                        microphone: MicrophoneFeed(tracks),
                        tap: taps[device.name]
                    )
                } catch {
                    throw .codec(error.description)
                }
            case .sized:
                sound = SizedSound(tracks: tracks, seed: seed, device: device.name)
            }
            devices.append(
                Device(
                    plan: device,
                    place: UInt16(place),
                    peer: peers[place],
                    seed: seed,
                    neighbours: neighbours,
                    sound: sound,
                    keepsBytes: plan.audio == .real
                )
            )
        }
        return devices
    }

    /// The members of a device's group to whom it has a link, in the order of the links.
    private static func neighbours(
        of place: Int,
        in plan: WorldPlan,
        _ peers: [PeerID]
    ) -> [Device.Neighbour] {
        let device = plan.devices[place]
        guard let group = device.group else { return [] }
        return plan.links.enumerated().compactMap { link, ends in
            guard ends.first == device.name || ends.second == device.name else { return nil }
            let isFirst = ends.first == device.name
            let name = isFirst ? ends.second : ends.first
            guard let other = plan.devices.firstIndex(where: { $0.name == name }),
                plan.devices[other].group == group
            else { return nil }
            return Device.Neighbour(
                peer: peers[other],
                device: UInt16(other),
                component: ComponentIndex(place: UInt16(other)),
                direction: 2 * link + (isFirst ? 0 : 1)
            )
        }
    }

    /// A stream number for each name: the name's hash, counted on where two collide.
    private static func streamIDs(of names: [String]) -> [UInt32] {
        var taken: [UInt32] = []
        for name in names {
            let stream = RandomStream(seed: 0, purpose: "stream-id", entity: name)
            var number = UInt32(truncatingIfNeeded: stream.key)
            while taken.contains(number) { number &+= 1 }
            taken.append(number)
        }
        return taken
    }
}

extension GroupID {
    /// The identity of the group that a scenario calls `name`.
    init(named name: String) {
        let stream = RandomStream(seed: 0, purpose: "group-id", entity: name)
        self.init(high: stream.bits(at: 0), low: stream.bits(at: 1))
    }

    /// The number by which the trace names the group.
    var traceNumber: Int64 { Int64(truncatingIfNeeded: high >> 1) }
}
