import Evidence
import Models
import OpusAudio
import PeerTransport
import SansIO
import Scenarios
import Simulation
import Speech

/// The intercom in a world: groups of phones with links between them; it has no server.
final class IntercomSystem: WorldSystem {
    private let setting: Setting
    /// A stream's number for each phone.
    private let peers: [PeerID]

    init(in setting: Setting, servers indices: [ComponentIndex]) {
        self.setting = setting
        peers = Self.streamIDs(of: setting.plan.phones.map(\.name)).map(PeerID.init)
    }

    func app(
        _ settings: IntercomAppPlan,
        _ installation: Installation
    ) throws(WorldError) -> any PhoneApp {
        let phone = installation.phone
        let position = Int(phone.index.index)
        let neighbours = neighbours(of: position, in: settings.group)
        return IntercomApp(
            settings,
            installation,
            as: peers[position],
            neighbours: neighbours,
            sound: try sound(settings, at: phone.plan, among: neighbours.count),
            keepsBytes: setting.plan.voice == .real
        )
    }

    /// What a phone with the intercom does with samples.
    private func sound(
        _ settings: IntercomAppPlan,
        at phone: PhonePlan,
        among neighbourCount: Int
    ) throws(WorldError) -> any DeviceSound {
        let tracks = zip(setting.plan.people, setting.tracks)
            .filter { $0.0.phone == phone.name }.map(\.1)
        switch setting.plan.voice {
        case .sized, .reachability:
            return SizedSound(tracks: tracks, seed: setting.seed, device: phone.name)
        case .real:
            do throws(OpusError) {
                return try RealSound(
                    configuration: settings.configuration,
                    peers: neighbourCount,
                    microphone: MicrophoneFeed(tracks),
                    tap: setting.taps[phone.name]
                )
            } catch {
                throw .codec(error.description)
            }
        }
    }

    /// The members of a phone's group to whom it has a link, in the order of the links.
    private func neighbours(of position: Int, in group: String?) -> [IntercomApp.Neighbour] {
        guard let group else { return [] }
        let phones = setting.plan.phones
        let name = phones[position].name
        return setting.plan.links.enumerated().compactMap { link, ends in
            guard ends.first == name || ends.second == name else { return nil }
            let isFirst = ends.first == name
            let otherName = isFirst ? ends.second : ends.first
            guard let other = phones.firstIndex(where: { $0.name == otherName }),
                phones[other].settings(of: IntercomAppPlan.self)?.group == group,
                let app = setting.app(of: IntercomAppPlan.self, onPhoneAt: other)
            else { return nil }
            return IntercomApp.Neighbour(
                peer: peers[other],
                socket: .peer(setting.phones[other].index, app: app),
                subject: setting.index(of: app, onPhoneAt: other),
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
