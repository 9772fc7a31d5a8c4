import KodamaLanguage

/// Who is in a world and how long it lasts.
struct SwarmCast {
    let world: SwarmWorld
    let draw: SwarmDraw
    /// The systems whose apps are in it.
    let present: [(name: String, part: SwarmPart)]
    /// The phones' names, and the systems of the apps on each.
    let members: [(name: String, owner: String, apps: [String])]
    /// When faults end, and the run.
    let phases: SwarmPhases
    let phones: [DocumentNode]

    /// How long a phone's user stays in each app in the quiet phase, in seconds.
    ///
    /// A minute and more: apps ask their servers at least once a minute (K-18, RS-09), and calls ring for 45 s.
    static let turnSeconds: Int64 = 90
    /// How long after the storm the first app is opened, in seconds.
    static let openingSeconds: Int64 = 5
    /// How long the quiet phase goes on before and after the users' turns, in seconds.
    static let marginSeconds: Int64 = 30
    private static let owners = ["ann", "ben", "cleo", "dan", "eve", "finn"]

    init(_ world: SwarmWorld, _ draw: SwarmDraw) {
        self.world = world
        self.draw = draw
        let drawn = draw["systems"].some(of: world.names)
        // At least one: whose own draw comes first.
        let names =
            drawn.isEmpty
            ? [draw["systems"]["least"].one(of: world.names)].compactMap(\.self) : drawn
        let present = world.systems.filter { names.contains($0.name) }
        let count = draw["phones"].number(in: 1...Int64(Self.owners.count))
        let members = Self.owners.prefix(Int(count)).map {
            owner -> (name: String, owner: String, apps: [String]) in
            let name = "\(owner)-phone"
            let own = draw[name]["apps"]
            let apps = own.some(of: present.map(\.name), percent: 60)
            return (name, owner, apps.isEmpty ? [own.one(of: present.map(\.name)) ?? ""] : apps)
        }
        let turns = Int64(members.map(\.apps.count).max() ?? 1)
        let storm = draw["storm"].number(in: 6...30) * 10
        let quiet = max(storm, present.map(\.part.stormSecondsMin).max() ?? 0)
        phases = SwarmPhases(
            stormSeconds: storm,
            quietSeconds: quiet,
            openSeconds: quiet + Self.openingSeconds + (turns - 1) * Self.turnSeconds,
            endSeconds: quiet + Self.marginSeconds + turns * Self.turnSeconds
        )
        self.present = present
        self.members = members
        phones = members.map { name, owner, apps -> DocumentNode in
            let own = draw[name]
            let nodes = apps.compactMap { system -> DocumentNode.Entry? in
                guard let part = present.first(where: { $0.name == system })?.part else {
                    return nil
                }
                let phone = Self.phone(name, owner, system, members, own)
                return .init(system, part.app(phone))
            }
            return [
                "name": .plain(name), "radios": Self.radios(own["radios"]),
                "apps": .mapping(nodes),
            ]
        }
    }

    private static func phone(
        _ name: String,
        _ owner: String,
        _ system: String,
        _ members: [(name: String, owner: String, apps: [String])],
        _ draw: SwarmDraw
    ) -> SwarmPhone {
        SwarmPhone(
            name: name,
            owner: owner,
            others: members.filter { $0.owner != owner && $0.apps.contains(system) }.map(\.owner),
            draw: draw[system]
        )
    }

    /// A phone as its systems see it.
    func phone(at index: Int, of system: String) -> SwarmPhone {
        let member = members[index]
        return Self.phone(member.name, member.owner, system, members, draw[member.name])
    }

    /// One way to the Internet at least.
    private static func radios(_ draw: SwarmDraw) -> DocumentNode {
        let wifi = draw["wifi"].one(of: ["wifi-internet", "wifi-home"])
        let cellular = draw["cellular"].one(of: ["lte-good", "lte-fair", "lte-weak"])
        var radios: DocumentNode = [:]
        let kind = draw["kind"].number(in: 0...3)
        if kind != 0, let wifi { radios[key: "wifi"] = .plain(wifi) }
        if kind != 1, let cellular { radios[key: "cellular"] = .plain(cellular) }
        return radios
    }

    /// The time of day at the start, where an app needs one.
    var clock: String? { present.compactMap(\.part.clock).first }

    /// How much of the voice is carried, where it could be more: frames with sizes only, or none.
    var voice: String? {
        let modes = systemsInUse.map { world.language.swarmVoice(of: $0).modes }
            .filter { !$0.isEmpty }
        guard !modes.isEmpty else { return nil }
        // From real to coarse: as coarse as every app can, and now and then as real as any can but for real sound.
        let all = VoiceMode.allCases
        let ranks = modes.map { modes in all.indices.filter { modes.contains(all[$0]) } }
        let coarsest = ranks.compactMap(\.last).min() ?? 1
        let finest = max(1, ranks.compactMap(\.first).min() ?? 1)
        return all[draw["voice"].happens(percent: 30) ? finest : coarsest].rawValue
    }

    /// The systems that some phone has, sorted.
    var systemsInUse: [String] {
        present.map(\.name).filter { name in members.contains { $0.apps.contains(name) } }
    }

    /// The phones whose apps talk over links.
    private var linked: [String] {
        let systems = systemsInUse.filter { world.language.swarmVoice(of: $0).usesLinks }
        return members.filter { $0.apps.contains(where: systems.contains) }.map(\.name)
    }

    var links: [DocumentNode] {
        pairs(of: linked).compactMap { first, second -> DocumentNode? in
            let own = draw["\(first)/\(second)"]
            guard own.happens(percent: 80) else { return nil }
            let profile = own["profile"].one(of: [
                "local-clean", "local-loss-1", "local-loss-5", "local-bursty", "awdl-near",
                "awdl-edge",
            ])
            return [
                "between": [.plain(first), .plain(second)], "profile": .plain(profile ?? ""),
            ]
        }
    }

    var people: [DocumentNode] {
        linked.map { ["name": .plain(person(of: $0)), "holds": .plain($0)] }
    }

    private func person(of phone: String) -> String {
        members.first { $0.name == phone }?.owner ?? phone
    }

    /// Some people walk away and come back before the quiet phase.
    var walks: [DocumentNode] {
        linked.compactMap { phone -> DocumentNode? in
            let own = draw[phone]["walk"]
            guard own.happens(percent: 25) else { return nil }
            let metres = own["way"].number(in: 2...Int64(max(2, phases.stormSeconds / 5)))
            let stay = own["stay"].number(in: 0...max(1, phases.stormSeconds / 5))
            return [
                "person": .plain(person(of: phone)), "speed": "1.4m/s",
                "way": [
                    [:], ["east": .plain("\(min(metres, 120))m"), "stay": .plain("\(stay)s")], [:],
                ],
            ]
        }
    }

    /// People talk in the storm and in the quiet phase, but not while all wait for a system with a longer storm.
    var talk: [DocumentNode] {
        linked.flatMap { phone -> [DocumentNode] in
            let own = draw[phone]["talk"]
            let first = own["from"].number(in: 1...10)
            let turns: DocumentNode = [
                "turns": .plain(person(of: phone)),
                "every": .plain("\(own["every"].number(in: 8...40))s"),
                "for": .plain("\(own["for"].number(in: 2...6))s"), "from": .plain("\(first)s"),
            ]
            guard phases.stormSeconds < phases.quietSeconds else { return [turns] }
            var (early, late) = (turns, turns)
            early[key: "until"] = .plain("\(phases.stormSeconds)s")
            late[key: "from"] = .plain("\(phases.quietSeconds + first)s")
            return [early, late]
        }
    }

    var expectations: [DocumentNode] {
        present.filter { systemsInUse.contains($0.name) }.flatMap { $0.part.bounds(phases) }
    }

    private func pairs(of names: [String]) -> [(String, String)] {
        names.indices.flatMap { first in
            names[(first + 1)...].map { (names[first], $0) }
        }
    }
}
