import KodamaLanguage

/// Draws what may stand behind a key, given nothing but the language's tables and a world's names.
struct ShapeDraw {
    /// The phones, with the names of their radios and apps.
    let phones: [DocumentNode]
    /// The links between phones, as first/second.
    let links: [String]
    /// The names that users have.
    let users: [String]
    /// The profiles that a link can have.
    let profiles: [String]
    /// The longest time that may be drawn, in milliseconds.
    var longestMilliseconds: Int64

    /// A value of a shape; `nil` where the world has nothing for it.
    func value(of shape: Shape, _ draw: SwarmDraw) -> DocumentNode? {
        switch shape {
        case .formatVersion, .sentence, .path, .bound, .sweep, .sweptValues, .parameters,
            .timeOfDay, .instant:
            nil
        case .name: draw.one(of: users).map { .plain($0) }
        case .reference(let kind): draw.one(of: names(kind)).map { .plain($0) }
        case .integer(let range, let step): .plain("\(integer(range, step, draw))")
        case .boolean: draw.happens(percent: 50) ? "true" : "false"
        case .choice(let choices, _): draw.one(of: choices).map { .plain($0.word) }
        case .quantity(let kind, let range, let step): quantity(kind, range, step, draw)
        case .list(let element, let counts): list(of: element, counts, draw)
        case .mapping(let mapping): self.mapping(mapping, draw)
        case .variants(let mappings, _): draw.one(of: mappings).flatMap { self.mapping($0, draw) }
        case .cases(_, let mappings, _):
            draw["case"].one(of: mappings).flatMap { self.mapping($0, draw) }
        case .scalar(let scalar, _): value(of: scalar, draw)
        case .word(let choice, let other):
            draw["word"].happens(percent: 20) ? .plain(choice.word) : value(of: other, draw)
        }
    }

    /// Keys and values; `nil` where one that is needed cannot be had.
    func mapping(_ shape: MappingShape, _ draw: SwarmDraw) -> DocumentNode? {
        var entries: [DocumentNode.Entry] = []
        let one = draw["one"].one(of: shape.exactlyOne)
        for field in shape.fields {
            let own = draw[field.key]
            let isNeeded = field.absence == .refused || field.key == one
            guard isNeeded || !shape.exactlyOne.contains(field.key) else { continue }
            guard isNeeded || own["there"].happens(percent: 30) else { continue }
            let drawn = value(of: field.shape, own)
            if drawn == nil, isNeeded { return nil }
            guard let drawn, !excluded(field.key, by: entries, shape) else { continue }
            entries.append(.init(field.key, drawn))
        }
        return .mapping(entries)
    }

    private func excluded(
        _ key: String,
        by entries: [DocumentNode.Entry],
        _ shape: MappingShape
    ) -> Bool {
        shape.exclusive.contains { pair in
            entries.contains { ($0.key, key) == pair || (key, $0.key) == pair }
        }
    }

    private func names(_ kind: NameKind) -> [String] {
        let all = phones.compactMap { $0[key: "name"]?.text }
        let radios = phones.flatMap { phone in
            (phone[key: "radios"]?.entries ?? []).map {
                "\(phone[key: "name"]?.text ?? "")/\($0.key)"
            }
        }
        switch kind {
        case .phone, .roomGuest, .peer: return all
        case .phoneRunning(let system):
            return phones.filter { $0[key: "apps"]?[key: system] != nil }
                .compactMap { $0[key: "name"]?.text }
        case .radio: return radios
        case .phoneOrRadio: return all + radios
        case .link: return links + radios
        case .profile: return profiles
        default: return []
        }
    }

    private func list(
        of element: Shape,
        _ counts: ClosedRange<Int>,
        _ draw: SwarmDraw
    ) -> DocumentNode? {
        let most = min(counts.upperBound, max(counts.lowerBound, 3))
        let count = draw["count"].number(in: Int64(counts.lowerBound)...Int64(most))
        let nodes = (0..<count).compactMap { value(of: element, draw["\($0)"]) }
        return nodes.count < counts.lowerBound ? nil : .list(nodes)
    }

    private func integer(_ range: ClosedRange<Int64>, _ step: Int64, _ draw: SwarmDraw) -> Int64 {
        let most = min(range.upperBound, max(range.lowerBound, 20))
        let least = max(range.lowerBound, min(1, most))
        return least + (draw.number(in: least...most) - least) / step * step
    }

    private func quantity(
        _ kind: QuantityKind,
        _ range: ClosedRange<Int64>,
        _ step: Int64,
        _ draw: SwarmDraw
    ) -> DocumentNode {
        let usual = kind.usual(longestMilliseconds: longestMilliseconds)
        let least = min(max(usual.lowerBound, range.lowerBound), range.upperBound)
        let most = max(least, min(usual.upperBound, range.upperBound))
        let amount: Int64
        if kind == .duration {
            let milliseconds = max(1, least / 1_000_000)...max(1, most / 1_000_000)
            return draw.time(milliseconds: milliseconds)
        } else if least > 0 {
            amount = draw.magnitude(in: least...most)
        } else {
            amount = draw.number(in: least...most)
        }
        let unit = kind == .share ? max(step, 10_000) : step
        return .plain(kind.text(of: max(least, amount / unit * unit)))
    }
}

extension QuantityKind {
    /// Between which amounts values lie that a phone meets, in the unit of the kind.
    ///
    /// Of shares, mostly of packets that a link loses or breaks, three tenths, more than a radio loses that is left; of
    /// rates, three times what a voice takes; of sizes, a whole packet of Ethernet (IEEE 802.3), since TCP's do not pass
    /// where less does. Beyond that nothing is promised.
    fileprivate func usual(longestMilliseconds: Int64) -> ClosedRange<Int64> {
        switch self {
        case .duration: 50_000_000...max(50, longestMilliseconds) * 1_000_000
        case .dataRate: 128_000...20_000_000
        case .share: 10_000...300_000
        case .dataSize: 1_500...64_000
        case .level: 0...40_000
        case .loudness: -60_000...(-20_000)
        case .distance: 1_000...200_000
        case .speed: 1_000_000...6_000_000
        }
    }
}
