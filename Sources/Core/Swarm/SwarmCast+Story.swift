import KodamaLanguage

// What happens to a world: acts and faults in the storm, and how its users come back after it.

extension SwarmCast {
    /// The words that no world with these systems has.
    private var without: [String] { world.systems.flatMap(\.part.without) }

    /// Something that happens, and when, in milliseconds.
    private typealias Act = (milliseconds: Int64, entry: DocumentNode)

    /// Orders of the timeline, drawn by the language's tables: every verb is in every third world, some times, and
    /// every word of users in every fifth.
    var acts: [DocumentNode] {
        let root = world.language.documentShape
        guard case .list(.mapping(let entry), _) = root.field("timeline")?.shape,
            case .mapping(let action) = entry.field("do")?.shape
        else { return [] }
        let shapes = ShapeDraw(
            phones: phones,
            links: links.compactMap(\.linkName),
            users: members.map(\.owner),
            profiles: ["wifi-internet", "lte-weak", "lte-driving", "local-loss-5", "ideal"],
            longestMilliseconds: min(60, phases.stormSeconds / 3) * 1_000
        )
        var links = shapes
        links.longestMilliseconds = Self.latestMilliseconds
        let verbs = action.fields.filter { !without.contains($0.key) && $0.key != Self.userVerb }
        let acts = verbs.flatMap { verb in
            several(draw["acts"][verb.key], percent: 33) { one -> [Act] in
                let drawn = (verb.key == "change" ? links : shapes).value(of: verb.shape, one)
                guard let value = drawn, !isExcluded(value) else { return [] }
                if verb.key == "change", value.lateness > Self.latestMilliseconds { return [] }
                return moments(of: verb.key, value, one)
            }
        }
        return (acts + usersActs).enumerated()
            .sorted { ($0.element.milliseconds, $0.offset) < ($1.element.milliseconds, $1.offset) }
            .map(\.element.entry)
    }

    private static let userVerb = "user"

    /// How late packets may be on a link, each way: one that is slower carries no attempt to connect to its end.
    ///
    /// Round trips of up to 4 s are promised (`Scenarios/session/longest-path.yaml`); two directions make one.
    private static let latestMilliseconds: Int64 = 2_000

    /// What users do to their phones and apps.
    private var usersActs: [Act] {
        world.language.swarmWords.filter { !without.contains($0.word) }.flatMap { word -> [Act] in
            let uses = uses(of: word)
            let own = draw["acts"][Self.userVerb][word.key]
            return several(own, percent: 20) { one in
                guard let user = one["who"].pick(uses.map(\.key)),
                    let value = uses.first(where: { $0.key == user })?.value
                else { return [] }
                return moments(of: Self.userVerb, value, one)
            }
        }
    }

    /// Nothing, or what is drawn from one to four times.
    private func several(_ own: SwarmDraw, percent: Int64, _ draw: (SwarmDraw) -> [Act]) -> [Act] {
        guard own.happens(percent: percent) else { return [] }
        return (0..<own["count"].number(in: 1...4)).flatMap { draw(own["\($0)"]) }
    }

    /// The phones' users that can do something, by phone and app: the values of `user`.
    private func uses(of word: UserWord) -> [DocumentNode.Entry] {
        members.flatMap { member -> [DocumentNode.Entry] in
            guard word.needed.map(member.apps.contains) ?? true else { return [] }
            let apps: [String?] =
                switch word.target {
                case .phone: [nil]
                case .appFromOutside: word.needed.map { [$0] } ?? member.apps
                case .inside(let system): member.apps.filter { $0 == system }
                }
            return apps.map { app in
                var user: DocumentNode = ["of": .plain(member.name), "does": .plain(word.word)]
                if let app { user[key: "app"] = .plain(app) }
                return .init("\(member.name)/\(app ?? "")", user)
            }
        }
    }

    /// An act of the storm: once, or up to four times in a row with the same arguments.
    private func moments(of verb: String, _ value: DocumentNode, _ own: SwarmDraw) -> [Act] {
        let length = value.milliseconds
        let latest = phases.stormSeconds * 1_000 - 5_000 - length
        guard latest > 5_000 else { return [] }
        let first = own["at"].number(in: 5_000...latest) / 100 * 100
        let more = own["again"].happens(percent: 30) ? own["more"].number(in: 1...3) : 0
        let gap = length + own["gap"].magnitude(in: 500...30_000) / 100 * 100
        return (0...more).map { first + $0 * gap }.filter { $0 <= latest }.map { instant in
            let at = DocumentNode.plain(SwarmDraw.text(milliseconds: instant))
            return (instant, ["at": at, "do": .mapping([.init(verb, value)])])
        }
    }

    private func isExcluded(_ value: DocumentNode) -> Bool {
        value.entries.contains { $0.value.text.map(without.contains) ?? false }
    }

    /// Mixes of faults: for each phone one of its own and one of each of its apps, each with a random subset of
    /// kinds and weights.
    var faults: [DocumentNode] {
        members.indices.flatMap { index -> [DocumentNode] in
            let member = members[index]
            let radios = phones[index][key: "radios"]?.entries.count ?? 0
            let subjects: [String?] = [nil] + member.apps.map(Optional.some)
            return subjects.compactMap { system -> DocumentNode? in
                let own = draw[member.name]["faults"][system ?? "phone"]
                guard own.happens(percent: 60) else { return nil }
                let known = world.language.swarmFaults(of: system, radioCount: radios)
                let kinds = own["kinds"].some(
                    of: known.filter { !without.contains($0) },
                    percent: 40
                )
                guard !kinds.isEmpty else { return nil }
                var mix: DocumentNode = ["of": .plain(member.name)]
                if let system, world.language.needsApp(kinds) {
                    mix[key: "app"] = .plain(system)
                }
                mix[key: "every"] = .plain("\(own["every"].magnitude(in: 8...90))s")
                let systems = system.map { [$0] } ?? member.apps
                let longest =
                    present.filter { systems.contains($0.name) }
                    .map(\.part.stormSecondsMin).max() ?? 0
                mix[key: "until"] = .plain("\(max(phases.stormSeconds, longest))s")
                mix[key: "kinds"] = .mapping(
                    kinds.map {
                        .init($0, .plain("\(own["weight"][$0].magnitude(in: 1...16))"))
                    }
                )
                return mix
            }
        }
    }

    /// What ends every act that would go on, and how users come back to each of their apps in turn.
    func settling(after acts: [DocumentNode]) -> [DocumentNode] {
        let words = Set(acts.flatMap { $0.words } + faults.flatMap { $0.words })
        return members.indices.flatMap { index -> [DocumentNode] in
            endings(at: index).compactMap { after, ending -> DocumentNode? in
                guard ending.ends.isEmpty || ending.ends.contains(where: words.contains) else {
                    return nil
                }
                let at = "\(phases.quietSeconds + after)s"
                var entry: DocumentNode = ["at": .plain(at), "do": ending.act]
                if !ending.ends.isEmpty {
                    entry[key: SwarmWorld.endsKey] = .list(ending.ends.map { .plain($0) })
                }
                return entry
            }
        }
    }

    /// So many seconds after the quiet phase began.
    private func endings(at index: Int) -> [(Int64, SwarmEnding)] {
        let member = members[index]
        let phone = SwarmPhone(name: member.name, owner: member.owner, others: [], draw: draw)
        let of = DocumentNode.plain(member.name)
        var endings: [(Int64, SwarmEnding)] = []
        for radio in phones[index][key: "radios"]?.entries ?? [] {
            let name = DocumentNode.plain("\(member.name)/\(radio.key)")
            let change: DocumentNode = ["change": ["link": name, "profile": radio.value]]
            let up: DocumentNode = ["radio": ["of": name, "is": "up"]]
            endings.append((0, SwarmEnding(change, ends: ["change"])))
            endings.append((0, SwarmEnding(up, ends: ["radio", "handover"])))
        }
        for link in links where link.linkName?.hasPrefix("\(member.name)/") ?? false {
            guard let name = link.linkName, let profile = link[key: "profile"] else { continue }
            let change: DocumentNode = ["change": ["link": .plain(name), "profile": profile]]
            endings.append((0, SwarmEnding(change, ends: ["change"])))
        }
        let clock: DocumentNode = ["set-clock": ["of": of, "to": "0s"]]
        let engine: DocumentNode = ["condition": ["of": of, "engine": ["failures": "0"]]]
        let storage: DocumentNode = ["condition": ["of": of, "secure_storage": "available"]]
        let disk: DocumentNode = ["condition": ["of": of, "disk": "free"]]
        endings.append((1, SwarmEnding(disk, ends: ["disk"])))
        endings.append((1, SwarmEnding(clock, ends: ["set-clock"])))
        endings.append((1, SwarmEnding(engine, ends: ["engine"])))
        endings.append((1, SwarmEnding(storage, ends: ["secure_storage"])))
        for (word, begun) in Self.opposites {
            endings.append((2, SwarmEnding(phone.does(word), ends: [begun])))
        }
        for (turn, system) in member.apps.enumerated() {
            let begin = Self.openingSeconds + Int64(turn) * Self.turnSeconds
            let app = self.phone(at: index, of: system)
            let allow = app.does("allow-microphone", app: system)
            endings.append((begin, SwarmEnding(allow, ends: ["refuse-microphone"])))
            endings.append((begin + 1, SwarmEnding(app.does("open-app", app: system))))
            let calm = present.first { $0.name == system }?.part.settling(app) ?? []
            for (number, ending) in calm.enumerated() {
                endings.append((begin + 3 + Int64(number) + ending.delaySeconds, ending))
            }
        }
        return endings
    }

    /// What a phone's user ends, and by which word it was begun.
    private static let opposites = [
        ("unlock", "lock"), ("stop-alarm", "alarm-rings"),
        ("decline-phone-call", "phone-call-rings"), ("phone-call-ends", "phone-call-begins"),
        ("stop-music", "play-music"),
        ("close-control-centre", "open-control-centre"), ("unplug-headset", "plug-headset"),
        ("disconnect-bluetooth", "connect-bluetooth"),
    ]
}

extension UserWord {
    /// What sets it apart from all others: several systems may know the word.
    fileprivate var key: String {
        if case .inside(let system) = target { "\(system)/\(word)" } else { word }
    }
}

extension DocumentNode {
    /// All words in it: keys, and values without quotes.
    package var words: [String] {
        switch self {
        case .value(let text, let isQuoted): isQuoted ? [] : [text]
        case .list(let nodes): nodes.flatMap(\.words)
        case .mapping(let entries): entries.flatMap { [$0.key] + $0.value.words }
        }
    }
}

extension DocumentNode {
    /// What a link between phones is called.
    fileprivate var linkName: String? {
        let ends = self[key: "between"]?.elements.compactMap(\.text) ?? []
        return ends.count == 2 ? ends.joined(separator: "/") : nil
    }

    /// How late packets are by a change of a link, but for one in a thousand: its delay and its jitter, in
    /// milliseconds; three deviations of one that is half-normal.
    package var lateness: Int64 {
        func milliseconds(_ node: DocumentNode?) -> Int64 {
            let amounts = (node?.elements ?? []).map { milliseconds($0) }
            let own = node?.text.flatMap { QuantityKind.duration.amount(of: $0) } ?? 0
            return max(own / 1_000_000, amounts.max() ?? 0)
        }
        let jitter = self[key: "jitter"]
        return milliseconds(self[key: "delay"])
            + max(
                milliseconds(jitter?[key: "uniform"]),
                milliseconds(jitter?[key: "quantiles"]),
                milliseconds(jitter?[key: "half_normal"]) * 3
            )
    }

    /// How long it goes on at most, by all times that stand in it, in milliseconds.
    fileprivate var milliseconds: Int64 {
        switch self {
        case .value(let text, let isQuoted):
            return isQuoted ? 0 : (QuantityKind.duration.amount(of: text) ?? 0) / 1_000_000
        case .list(let nodes): return nodes.reduce(0) { $0 + $1.milliseconds }
        case .mapping(let entries):
            let count = entries.first { ["rows", "copies"].contains($0.key) }?.value.text
            let times = max(1, count.flatMap { Int64($0) } ?? 1)
            return entries.reduce(0) { $0 + max(0, $1.value.milliseconds) } * times
        }
    }
}
