import Evidence
import Models
import OpusAudio
import PeerTransport
import SansIO
import Scenarios
import Simulation
import Speech

extension Cast {
    /// What a phone with the intercom does with samples.
    static func sound(
        of device: DevicePlan,
        hearing tracks: [TalkTrack],
        among neighbourCount: Int,
        _ audio: AudioMode,
        _ seed: UInt64,
        tap: (any SpeakerTap)?
    ) throws(WorldError) -> any DeviceSound {
        switch audio {
        case .sized:
            return SizedSound(tracks: tracks, seed: seed, device: device.name)
        case .real:
            do throws(OpusError) {
                return try RealSound(
                    configuration: device.configuration,
                    peers: neighbourCount,
                    microphone: MicrophoneFeed(tracks),
                    tap: tap
                )
            } catch {
                throw .codec(error.description)
            }
        }
    }

    /// A phone's system, with the voice session as its only app.
    static func system(of phone: PhonePlan, in plan: WorldPlan, seed: UInt64) -> PhoneSystem {
        let app = InstalledApp(
            launches: RandomStream(seed: seed, purpose: "launch", entity: phone.name),
            microphone: phone.condition.microphone
        )
        return PhoneSystem(
            apps: [app],
            interfaces: phone.radios.map { ($0.interface, isUp: $0.isUp) },
            start: Deployment.wallClock(of: plan, at: .zero),
            condition: phone.condition,
            configuration: phone.system
        )
    }

    /// Both directions of every link, forward before backward: the links between phones, then radios.
    static func directions(of plan: WorldPlan, seed: UInt64) -> [LinkEnd] {
        let radios = plan.phones.flatMap { phone in
            phone.radios.map { ("\(phone.name)/\($0.interface)", $0.profile) }
        }
        let links = plan.links.map { ($0.name, $0.profile) } + radios
        return links.enumerated().flatMap { position, link in
            let (name, profile) = link
            return [("forward", profile.forward), ("backward", profile.backward)]
                .enumerated().map { side, direction in
                    LinkEnd(
                        link: Link(direction.1, seed: seed, name: "\(name) \(direction.0)"),
                        source: EventSource(
                            rank: DeliveryRank.packet,
                            component: 2 * position + side
                        )
                    )
                }
        }
    }

    /// The members of a device's group to whom it has a link, in the order of the links.
    static func neighbours(
        of position: Int,
        in plan: WorldPlan,
        _ peers: [PeerID]
    ) -> [IntercomPhone.Neighbour] {
        let device = plan.devices[position]
        guard let group = device.group else { return [] }
        return plan.links.enumerated().compactMap { link, ends in
            guard ends.first == device.name || ends.second == device.name else { return nil }
            let isFirst = ends.first == device.name
            let name = isFirst ? ends.second : ends.first
            guard let other = plan.devices.firstIndex(where: { $0.name == name }),
                plan.devices[other].group == group
            else { return nil }
            return IntercomPhone.Neighbour(
                peer: peers[other],
                component: ComponentIndex(other),
                direction: 2 * link + (isFirst ? 0 : 1)
            )
        }
    }

    /// A stream number for each name: the name's hash, counted on where two collide.
    static func streamIDs(of names: [String]) -> [UInt32] {
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
