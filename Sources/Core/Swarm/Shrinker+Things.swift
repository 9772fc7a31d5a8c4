import KodamaEvidence
import KodamaLanguage

// What is taken out of a document.

extension Shrinker {
    /// Keeps of all that is expected only what fails; no run changes by that.
    mutating func keepOnlyTheFailure() {
        var document = current.document
        for key in ["summary"] { document[key: key] = nil }
        for entry in document.entries where entry.key.hasPrefix("x-") {
            if entry.key != SwarmWorld.quietKey { document[key: entry.key] = nil }
        }
        var kept = (document[key: "expect"]?.elements ?? []).filter { entry in
            let name = entry[key: isInvariant ? "invariant" : "metric"]?.text
            return name == failure.name
        }
        for index in kept.indices { kept[index][key: "covers"] = nil }
        if isInvariant { kept = [["invariant": .plain(failure.name)]] }
        document[key: "expect"] = failure.isOfRun ? nil : .list(kept)
        takeIfSame(document)
        // Other entries and figures of the same metric go one by one, as long as the failing one is there.
        var index = 0
        while let entries = current.document[key: "expect"]?.elements, index < entries.count {
            var smaller = current.document
            smaller[path: [.key("expect"), .index(index)]] = nil
            if entries.count > 1, takeIfSame(smaller) { continue }
            for field in entries[index].entries where field.key != "in" && field.key != "after" {
                var smaller = current.document
                smaller[path: [.key("expect"), .index(index), .key(field.key)]] = nil
                takeIfSame(smaller)
            }
            index += 1
        }
    }

    /// Leaves out every key that says what holds without it.
    mutating func dropDefaults() {
        var open = Self.optionalKeys(current.document, shape)
        var size = open.count
        while size > 0 {
            var begin = 0
            while begin < open.count {
                let part = open[begin..<min(begin + size, open.count)]
                var smaller = current.document
                smaller.remove(Array(part))
                if takeIfSame(smaller) {
                    // The places of keys do not change where keys alone are removed.
                    open.removeSubrange(part.indices)
                } else {
                    begin += size
                }
            }
            size /= 2
        }
    }

    /// Ends the run soon after an invariant is broken: what comes later mends nothing.
    mutating func endAtTheFailure() async throws {
        guard isInvariant, isFatal == nil, !isOver else { return }
        let run = try? WorldRun(current.scenario.points[0], seed: seed, material: material)
        guard let instant = run?.failures.first(where: target.isLike)?.instant else {
            return
        }
        let second: Int64 = 1_000_000_000
        let end = (instant / second + 2) * second
        var smaller = current.document
        smaller[key: SwarmWorld.quietKey] = nil
        smaller[key: "duration"] = .plain(QuantityKind.duration.text(of: end))
        smaller.dropInstants(after: end, as: shape)
        _ = try await take(firstOf: [smaller])
    }

    /// Takes things out, the largest first; what makes no sense without them goes with them.
    mutating func removeThings() async throws {
        let shape = shape
        let levels: [(DocumentNode) -> [[DocumentNode.Step]]] = [
            { $0.items(of: "phones") },
            { $0.keys(of: "phones", below: "apps") },
            { $0.items(of: "faults") + $0.items(of: "walks") + $0.items(of: "talk") },
            { $0.items(of: "people") + $0.items(of: "links") },
            { document in document.items(of: "timeline").filter { document.isRemovable($0) } },
            { $0.keys(of: "faults", below: "kinds") },
            { $0.radios { $0.dropFirst() } },
            { $0.radios { $0.dropLast() } },
            { Self.optionalKeys($0, shape) },
        ]
        for (level, items) in levels.enumerated() where !isOver {
            try await remove(items, triesSeeds: level < levels.count - 1)
        }
    }

    /// Takes as many of some things out as can be: halves of them, quarters, and so on to one at a time.
    private mutating func remove(
        _ items: (DocumentNode) -> [[DocumentNode.Step]],
        triesSeeds: Bool
    ) async throws {
        var size = items(current.document).count
        while size > 0, !isOver {
            var begin = 0
            while !isOver {
                let open = items(current.document)
                let chunks = stride(from: begin, to: open.count, by: size).map {
                    Array(open[$0..<min($0 + size, open.count)])
                }
                let candidates = chunks.map { chunk in
                    var smaller = current.document
                    smaller.remove(chunk)
                    return smaller
                }
                let taken = try await take(firstOf: candidates, triesSeeds: triesSeeds)
                guard let taken else { break }
                begin += taken * size
            }
            size /= 2
        }
    }

    /// The paths of all keys that may be absent, the outermost first.
    private static func optionalKeys(
        _ document: DocumentNode,
        _ shape: MappingShape
    ) -> [[DocumentNode.Step]] {
        var paths: [[DocumentNode.Step]] = []
        document.walk(as: .mapping(shape)) { path, _, isOptional in
            guard isOptional, path.first != .key("expect") else { return }
            let isOwnList = path.count == 1 && DocumentRepair.happenings.contains(path[0].text)
            // A phone without any radio is another story than one whose radios fail.
            let isRadio = path.count == 4 && path[2] == .key("radios")
            let isRadios = path.count == 3 && path[2] == .key("radios")
            guard !isOwnList, !isRadio, !isRadios, !document.isRigid(path) else { return }
            paths.append(path)
        }
        return paths.sorted { $0.count < $1.count }
    }
}

extension DocumentNode.Step {
    /// The key; empty for an entry of a list.
    fileprivate var text: String {
        if case .key(let key) = self { key } else { "" }
    }
}

extension DocumentNode {
    /// The paths of the entries of the list behind a key.
    fileprivate func items(of key: String) -> [[Step]] {
        (self[key: key]?.elements ?? []).indices.map { [.key(key), .index($0)] }
    }

    /// The paths of the keys that stand below `inner` in the entries of the list behind a key.
    fileprivate func keys(of key: String, below inner: String) -> [[Step]] {
        (self[key: key]?.elements ?? []).enumerated().flatMap { index, node in
            (node[key: inner]?.entries ?? []).map {
                [.key(key), .index(index), .key(inner), .key($0.key)]
            }
        }
    }

    /// The paths of some of each phone's radios.
    fileprivate func radios(_ choose: (ArraySlice<Entry>) -> ArraySlice<Entry>) -> [[Step]] {
        (self[key: "phones"]?.elements ?? []).enumerated().flatMap { index, phone in
            choose((phone[key: "radios"]?.entries ?? [])[...]).map {
                [.key("phones"), .index(index), .key("radios"), .key($0.key)]
            }
        }
    }

    /// Whether an entry of the timeline can be taken out: of the quiet phase only what ends nothing any more.
    fileprivate func isRemovable(_ path: [Step]) -> Bool {
        guard let entry = self[path: path], isQuiet(entry) else { return true }
        guard let ends = entry[key: SwarmWorld.endsKey]?.elements.compactMap(\.text) else {
            return false
        }
        let storm = (self[key: "timeline"]?.elements ?? []).filter { !isQuiet($0) }
        let words = (storm + (self[key: "faults"]?.elements ?? [])).flatMap(\.words)
        return !words.contains(where: ends.contains)
    }

    /// Whether a path leads into the quiet phase, or to where faults end for it.
    func isRigid(_ path: [Step]) -> Bool {
        guard path.count >= 2, self[key: SwarmWorld.quietKey] != nil else { return false }
        if path[0] == .key("faults"), path.last == .key("until") { return true }
        guard path[0] == .key("timeline") else { return false }
        return self[path: path.prefix(2)].map(isQuiet) ?? false
    }

    /// Without what the swarm and the search keep in a document for themselves.
    var withoutOwnKeys: DocumentNode {
        var document = self
        document[key: SwarmWorld.quietKey] = nil
        for index in (document[key: "timeline"]?.elements ?? []).indices {
            let path: [Step] = [.key("timeline"), .index(index), .key(SwarmWorld.endsKey)]
            document[path: path] = nil
        }
        return document
    }

    /// The keys in the order of the language, those of the program's own behind the others.
    func inOrder(of shape: MappingShape) -> DocumentNode {
        let order = shape.fields.map(\.key)
        let sorted = entries.enumerated().sorted { left, right in
            let one = order.firstIndex(of: left.element.key) ?? order.count
            let other = order.firstIndex(of: right.element.key) ?? order.count
            return (one, left.offset) < (other, right.offset)
        }
        return .mapping(sorted.map(\.element))
    }
}
