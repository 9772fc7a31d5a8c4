// Phones alike: what is done to the name of an entry with a `count` is done to each of its phones.

extension PlanBuilder {
    /// How many acts on phones alike a plan holds.
    private static let copiesMax = 1_000_000

    /// What an entry of the timeline stands for: itself, or one for each of the phones alike that it names.
    ///
    /// Each waits for what happens to its own phone, if the trigger names them all.
    mutating func copies(ofOrder entry: CheckedValue) -> [CheckedValue] {
        guard !alike.isEmpty, let field = entry["do"]?.fields.first, let body = field.value,
            let verb = vocabulary.language.verbs.first(where: { $0.key == field.key })
        else { return [entry] }
        let shape = verb.shape(vocabulary.language)
        let keys = body.fields.map(\.key).filter { shape.kind(of: $0)?.mayBePhone ?? false }
        guard let group = keys.compactMap({ group(in: body[$0]) }).first else {
            return [entry]
        }
        return copies(of: group, at: body.place).map { phone in
            let acting = entry.changing("do") { action in
                action.changing(verb.key) { body in
                    keys.reduce(body) { $0.renaming(group, to: phone, at: $1) }
                }
            }
            return acting.changing("after") { $0.renaming(group, to: phone, at: "of") }
        }
    }

    /// What an entry of `faults` stands for: itself, or one for each of the phones alike that it names.
    mutating func copies(ofFault entry: CheckedValue) -> [CheckedValue] {
        guard let group = group(in: entry["of"]) else { return [entry] }
        return copies(of: group, at: entry.place).map { entry.renaming(group, to: $0, at: "of") }
    }

    /// The phones alike of a name; none after a report that there are too many.
    private mutating func copies(of group: String, at place: Place) -> [String] {
        let phones = alike[group] ?? []
        let hasRoom = hasRoom(
            for: Int64(phones.count),
            "acts on phones alike",
            most: Self.copiesMax,
            at: place
        )
        return hasRoom ? phones : []
    }

    /// The name of phones alike in a reference, unless it is that of something else too.
    private func group(in value: CheckedValue?) -> String? {
        value?.text?.split(separator: "/").map(String.init)
            .first { alike[$0] != nil && names[$0] == nil }
    }

    /// Keeps of what is wrong with copies of one entry the first of each kind.
    mutating func reportOnce(since count: Int) {
        var kept: [Report] = []
        for report in reports[count...] {
            let isTold = kept.contains { other in
                other.place == report.place
                    && other.problem.wording.code == report.problem.wording.code
            }
            if !isTold { kept.append(report) }
        }
        reports[count...] = kept[...]
    }
}

extension Shape {
    /// What a name behind a key of it may name, if it is one.
    fileprivate func kind(of key: String) -> NameKind? {
        switch self {
        case .mapping(let mapping): mapping.kind(of: key)
        case .scalar(_, or: let mapping): mapping.kind(of: key)
        case .variants(let mappings, noun: _), .cases(of: _, let mappings, noun: _):
            mappings.lazy.compactMap { $0.kind(of: key) }.first
        default: nil
        }
    }
}

extension MappingShape {
    fileprivate func kind(of key: String) -> NameKind? {
        guard case .reference(let kind) = field(key)?.shape else { return nil }
        return kind
    }
}

extension NameKind {
    /// Whether it names a phone, or what belongs to one.
    fileprivate var mayBePhone: Bool {
        switch self {
        case .phone, .phoneRunning, .peer, .roomGuest, .radio, .phoneOrRadio, .link: true
        default: false
        }
    }
}

extension CheckedValue {
    /// The same with another value behind one key, if it is there.
    fileprivate func changing(
        _ key: String,
        _ change: (CheckedValue) -> CheckedValue
    ) -> CheckedValue {
        var fields = fields
        guard let index = fields.firstIndex(where: { $0.key == key }) else { return self }
        fields[index].value = fields[index].value.map(change)
        var changed = self
        changed.content = .mapping(fields)
        return changed
    }

    /// The same with a phone in place of the phones alike that the reference behind a key names.
    fileprivate func renaming(_ group: String, to phone: String, at key: String) -> CheckedValue {
        changing(key) { value in
            guard let text = value.text else { return value }
            let parts = text.split(separator: "/", omittingEmptySubsequences: false).map { part in
                guard part == group || part.hasPrefix("\(group).") else { return String(part) }
                return phone + part.dropFirst(group.count)
            }
            var named = value
            named.content = .text(parts.joined(separator: "/"))
            return named
        }
    }
}
