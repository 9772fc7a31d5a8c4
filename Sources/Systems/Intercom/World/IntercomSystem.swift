import GroupSecurity
import GroupStore
import KodamaEvidence
import KodamaLanguage
import KodamaNetwork
import KodamaPhone
import KodamaSimulation
import KodamaSpeech
import KodamaWorld
import OpusAudio
import PeerTransport
import SansIO

/// The intercom in a world: groups of phones with links between them, and where they are secured the
/// match service.
final class IntercomSystem: WorldSystem {
    private let setting: Setting
    /// A stream's number for each phone with the plain intercom.
    private let peers: [PeerID]
    private let match: MatchServer?
    private let roster: GroupRoster
    private let invites = InviteTray()

    static func serverNames(in plan: WorldPlan) -> [String] {
        plan.hasSecuredIntercom ? [MatchServer.serverName] : []
    }

    init(in setting: Setting, servers indices: [ComponentIndex]) {
        self.setting = setting
        peers = Self.streamIDs(of: setting.plan.phones.map(\.name)).map(PeerID.init)
        match = indices.first.map { MatchServer(in: setting, index: $0) }
        roster = GroupRoster(in: setting)
    }

    var servers: [any Component] { match.map { [$0] } ?? [] }

    func app(
        _ settings: IntercomAppPlan,
        _ installation: Installation
    ) throws(WorldError) -> any PhoneApp {
        if let match, settings.isSecured { return try groupApp(settings, installation, match) }
        let phone = installation.phone
        let position = Int(phone.index.index)
        let neighbours = neighbours(of: position, in: settings.group)
        return IntercomApp(
            settings,
            installation,
            as: peers[position],
            neighbours: neighbours,
            sound: IntercomSound(
                of: installation.index,
                members: neighbours.map(\.subject),
                device: try device(settings, at: phone.plan, among: neighbours.count),
                keepsBytes: setting.plan.voice == .real
            )
        )
    }

    /// The intercom of groups on a phone.
    private func groupApp(
        _ settings: IntercomAppPlan,
        _ installation: Installation,
        _ match: MatchServer
    ) throws(WorldError) -> GroupApp {
        let phone = installation.phone
        let others = roster.others(around: phone.name)
        let app = GroupApp(
            settings,
            installation,
            showing: settings.shownGroup.map {
                GroupMembership.credential(of: $0, seed: setting.seed).hash
            },
            among: others,
            sound: IntercomSound(
                of: installation.index,
                members: others.map(\.subject),
                device: try device(settings, at: phone.plan, among: others.count),
                keepsBytes: setting.plan.voice == .real
            ),
            matchSocket: MatchServer.socket(match.index),
            invites: invites,
            setting: setting
        )
        if let group = settings.group { remember(group, by: app) }
        return app
    }

    /// A phone has been in its group before, a day ago, with all who are in it.
    private func remember(_ group: String, by app: GroupApp) {
        let yesterday = setting.plan.wallClock.advanced(by: .seconds(-86_400))
        let members = roster.members(of: group, but: app.phone.name)
            .map { MemberRecord(id: $0, lastSeen: yesterday) }
        let credential = GroupMembership.credential(of: group, seed: setting.seed)
        app.library.remember(credential, of: members, since: yesterday)
    }

    /// What a phone with the intercom does with samples.
    private func device(
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
                let settings = phones[other].settings(of: IntercomAppPlan.self),
                settings.group == group, !settings.isSecured,
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
        var taken: Set<UInt32> = []
        return names.map { name in
            let stream = RandomStream(seed: 0, purpose: "stream-id", entity: name)
            var number = UInt32(truncatingIfNeeded: stream.key)
            while !taken.insert(number).inserted { number &+= 1 }
            return number
        }
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
