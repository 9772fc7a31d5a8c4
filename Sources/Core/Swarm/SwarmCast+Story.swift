import KodamaLanguage

// What happens to a world: acts and faults in the storm, and how its users come back after it.

extension SwarmCast {
    /// The words that no world with these systems has.
    private var without: [String] { world.systems.flatMap(\.part.without) }

    /// Orders of the timeline, drawn by the language's tables: every verb is in every third world, some times.
    var acts: [DocumentNode] {
        let root = world.language.documentShape
        guard case .list(.mapping(let entry), _) = root.field("timeline")?.shape,
            case .mapping(let action) = entry.field("do")?.shape
        else { return [] }
        let shapes = ShapeDraw(
            phones: phones,
            links: links.compactMap { link in
                let ends = link[key: "between"]?.elements.compactMap(\.text) ?? []
                return ends.count == 2 ? "\(ends[0])/\(ends[1])" : nil
            },
            users: members.map(\.owner),
            profiles: ["wifi-internet", "lte-weak", "lte-driving", "local-loss-5", "ideal"],
            longestMilliseconds: min(60, phases.quietSeconds / 3) * 1_000
        )
        let verbs = action.fields.filter { !without.contains($0.key) }
        let acts = verbs.flatMap { verb -> [(Int64, DocumentNode)] in
            let own = draw["acts"][verb.key]
            guard own.happens(percent: 33) else { return [] }
            return (0..<own["count"].number(in: 1...4)).compactMap {
                number -> (Int64, DocumentNode)? in
                let one = own["\(number)"]
                guard let value = shapes.value(of: verb.shape, one), !isExcluded(value) else {
                    return nil
                }
                let length = value.milliseconds
                let latest = phases.quietSeconds * 1_000 - 5_000 - length
                guard latest > 5_000 else { return nil }
                let instant = one["at"].number(in: 5_000...latest) / 100 * 100
                let at = DocumentNode.plain(SwarmDraw.text(milliseconds: instant))
                return (instant, ["at": at, "do": .mapping([.init(verb.key, value)])])
            }
        }
        return acts.enumerated()
            .sorted { ($0.element.0, $0.offset) < ($1.element.0, $1.offset) }.map(\.element.1)
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
                mix[key: "until"] = .plain("\(phases.quietSeconds)s")
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
        let clock: DocumentNode = ["set-clock": ["of": of, "to": "0s"]]
        let engine: DocumentNode = ["condition": ["of": of, "engine": ["failures": "0"]]]
        let storage: DocumentNode = ["condition": ["of": of, "secure_storage": "available"]]
        endings.append((1, SwarmEnding(clock, ends: ["set-clock"])))
        endings.append((1, SwarmEnding(engine, ends: ["engine"])))
        endings.append((1, SwarmEnding(storage, ends: ["secure_storage"])))
        for (word, begun) in Self.opposites {
            endings.append((2, SwarmEnding(phone.does(word), ends: [begun])))
        }
        for (turn, system) in member.apps.enumerated() {
            let begin = 5 + Int64(turn) * Self.turnSeconds
            let app = self.phone(at: index, of: system)
            let allow = app.does("allow-microphone", app: system)
            endings.append((begin, SwarmEnding(allow, ends: ["refuse-microphone"])))
            endings.append((begin + 1, SwarmEnding(app.does("open-app", app: system))))
            let calm = present.first { $0.name == system }?.part.settling(app) ?? []
            for (number, ending) in calm.enumerated() {
                endings.append((begin + 3 + Int64(number), ending))
            }
        }
        return endings
    }

    /// What a phone's user ends, and by which word it was begun.
    private static let opposites = [
        ("unlock", "lock"), ("phone-call-ends", "phone-call-begins"), ("stop-music", "play-music"),
        ("close-control-centre", "open-control-centre"), ("unplug-headset", "plug-headset"),
        ("disconnect-bluetooth", "connect-bluetooth"),
    ]
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
