import GroupSecurity
import KodamaEvidence
import KodamaLanguage
import KodamaNetwork
import KodamaPhone
import KodamaWorld
import SansIO

/// The phones with the intercom of groups, and which of them each can meet.
///
/// Made once for all: the keys of a phone's user take some 0.1 ms, and links are looked up by phone.
struct GroupRoster {
    private struct Entry {
        let name: String
        let member: MemberID
        let host: UInt32
        let socket: SocketAddress
        let subject: ComponentIndex
        /// The group that it is in from the start.
        let group: String?
        /// That group, and the one whose sign it shows.
        let groups: Set<String>
    }

    private var entries: [Entry] = []
    /// The places among the entries, by the phones' names.
    private var places: [String: Int] = [:]
    /// The places of those who are in a group from the start, or show its sign.
    private var byGroup: [String: [Int]] = [:]
    /// For each entry the others to which it has a link, with the direction there.
    private var links: [[Int: Int]] = []
    /// Whether anybody may come into any group.
    private let hasInvites: Bool

    init(in setting: Setting) {
        let plan = setting.plan
        hasInvites = plan.hasInvites
        for (position, phone) in plan.phones.enumerated() {
            guard let settings = phone.settings(of: IntercomAppPlan.self), settings.isSecured,
                let app = setting.app(of: IntercomAppPlan.self, onPhoneAt: position)
            else { continue }
            let identity = GroupMembership.identity(of: phone.name, seed: setting.seed)
            let entry = Entry(
                name: phone.name,
                member: identity.publicKey.memberID,
                host: setting.phones[position].host,
                socket: .peer(setting.phones[position].index, app: app),
                subject: setting.index(of: app, onPhoneAt: position),
                group: settings.group,
                groups: Set([settings.group, settings.shownGroup].compactMap(\.self))
            )
            places[phone.name] = entries.count
            for group in entry.groups { byGroup[group, default: []].append(entries.count) }
            entries.append(entry)
        }
        links = Array(repeating: [:], count: entries.count)
        for (link, ends) in plan.links.enumerated() {
            guard let first = places[ends.first], let second = places[ends.second] else { continue }
            links[first][second] = links[first][second] ?? 2 * link
            links[second][first] = links[second][first] ?? 2 * link + 1
        }
    }

    /// The other phones that a phone can meet: by a link, or as one that looks for the same group.
    func others(around phone: String) -> [GroupPhone] {
        guard let own = places[phone] else { return [] }
        var met = Set(links[own].keys)
        for group in entries[own].groups { met.formUnion(byGroup[group] ?? []) }
        let places = hasInvites ? Array(entries.indices) : met.sorted()
        return places.filter { $0 != own }.map { place in
            GroupPhone(
                member: entries[place].member,
                host: entries[place].host,
                socket: entries[place].socket,
                subject: entries[place].subject,
                direction: links[own][place]
            )
        }
    }

    /// The members of those who are in a group from the start, but for one phone.
    func members(of group: String, but phone: String) -> [MemberID] {
        (byGroup[group] ?? []).map { entries[$0] }
            .filter { $0.group == group && $0.name != phone }.map(\.member)
    }
}
