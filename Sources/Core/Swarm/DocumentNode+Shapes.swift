import KodamaLanguage

// A document and the language's tables side by side.

extension DocumentNode {
    /// Visits every value, list and mapping behind a key or in a list, with what may stand there.
    ///
    /// - Parameters:
    ///   - shape: What may stand here.
    ///   - visit: Given the path, the shape, and whether it may be absent.
    func walk(as shape: Shape, _ visit: ([Step], Shape, Bool) -> Void) {
        walk(as: shape, at: [], visit)
    }

    private func walk(as shape: Shape, at path: [Step], _ visit: ([Step], Shape, Bool) -> Void) {
        switch (self, shape) {
        case (.list(let nodes), .list(let element, _)):
            for (index, node) in nodes.enumerated() {
                let inner = path + [.index(index)]
                visit(inner, element, false)
                node.walk(as: element, at: inner, visit)
            }
        case (.mapping(let entries), .parameters(let catalog, _)):
            for entry in entries {
                guard let parameter = catalog.parameters.first(where: { $0.name == entry.key })
                else { continue }
                visit(path + [.key(entry.key)], parameter.shape, true)
            }
        case (.mapping(let entries), _):
            guard let mapping = shape.mapping(of: self) else { return }
            for entry in entries {
                guard let field = mapping.field(entry.key) else { continue }
                let inner = path + [.key(entry.key)]
                let isOptional =
                    field.absence != .refused && !mapping.exactlyOne.contains(field.key)
                visit(inner, field.shape, isOptional)
                entry.value.walk(as: field.shape, at: inner, visit)
            }
        default: return
        }
    }

    /// The paths of all moments of the run, its end among them, with the moment in nanoseconds.
    func instants(as shape: MappingShape) -> [(path: [Step], nanoseconds: Int64)] {
        var instants: [(path: [Step], nanoseconds: Int64)] = []
        func note(_ path: [Step]) {
            guard let text = self[path: path]?.text,
                let moment = QuantityKind.duration.amount(of: text)
            else { return }
            instants.append((path, moment))
        }
        for key in ["duration", SwarmWorld.quietKey] { note([.key(key)]) }
        walk(as: .mapping(shape)) { path, shape, _ in
            if shape.isInstant { note(path) }
        }
        return instants
    }

    /// Leaves out what happens after a moment, and ends there what goes on.
    mutating func dropInstants(after end: Int64, as shape: MappingShape) {
        var gone: [[Step]] = []
        for (path, moment) in instants(as: shape) where moment > end && path.count > 2 {
            // Where something only ends later, it ends with the run.
            if path.last == .key("until") {
                gone.append(path)
            } else {
                let item = Array(path.prefix(2))
                if !gone.contains(item) { gone.append(item) }
            }
        }
        remove(gone.filter { path in path.count == 2 || !gone.contains(Array(path.prefix(2))) })
    }
}

extension Shape {
    /// Whether it is a moment of the run, and no time of day or word.
    var isInstant: Bool {
        switch self {
        case .instant: true
        case .word(_, let other): other.isInstant
        default: false
        }
    }

    /// The mapping that a node's keys belong to, of those that may stand here.
    func mapping(of node: DocumentNode) -> MappingShape? {
        let keys = node.entries.map(\.key)
        switch self {
        case .mapping(let mapping): return mapping
        case .scalar(_, let mapping): return mapping
        case .word(_, let other): return other.mapping(of: node)
        case .variants(let mappings, _):
            return mappings.max { left, right in
                keys.count { left.field($0) != nil } < keys.count { right.field($0) != nil }
            }
        case .cases(let key, let mappings, _):
            let word = node[key: key]?.text
            return mappings.first { mapping in
                guard case .choice(let choices, _) = mapping.field(key)?.shape else { return false }
                return choices.contains { $0.word == word }
            }
        default: return nil
        }
    }
}
