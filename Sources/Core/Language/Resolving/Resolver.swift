/// Writes a scenario out with every default, following the tables of the language.
struct Resolver {
    /// What resolves to more than stands in the file, by path.
    let expansions: [String: ResolvedNode]
    /// How long the run is, as it is written.
    let runEnd: String

    /// Whether it is a point of a sweep; what is documented of the sweep says nothing of it alone.
    let isSwept: Bool

    /// Whether a key of the root says nothing of one point alone.
    private func isOfTheFile(_ key: String) -> Bool {
        ["extends", "sweep", "where"].contains(key)
            || isSwept && ["outcome", "because"].contains(key)
    }

    /// A mapping with its absent keys filled in, in the order of the language.
    func mapping(_ value: CheckedValue, as shape: MappingShape, path: String) -> ResolvedNode {
        var entries: [ResolvedNode.Entry] = []
        for field in shape.fields where !isOfTheFile(field.key) {
            let fieldPath = path.isEmpty ? field.key : "\(path).\(field.key)"
            if let expansion = expansions[fieldPath] {
                entries.append(.init(field.key, expansion))
            } else if let present = value[field.key] {
                entries.append(.init(field.key, node(present, as: field.shape, path: fieldPath)))
            } else if field.absence == .meansRunEnd {
                entries.append(.init(field.key, .value(runEnd, .standard)))
            }
        }
        guard shape.takesStatistics else { return .mapping(entries) }
        for field in value.fields where StatisticName.parse(field.key) != nil {
            guard let limit = field.value else { continue }
            entries.append(.init(field.key, node(limit, as: .bound, path: path)))
        }
        return .mapping(entries)
    }

    private func node(_ value: CheckedValue, as shape: Shape, path: String) -> ResolvedNode {
        switch shape {
        case .mapping(let mapping):
            return self.mapping(value, as: mapping, path: path)
        case .scalar(_, let mapping) where !value.fields.isEmpty:
            return self.mapping(value, as: mapping, path: path)
        case .variants(let variants, _):
            let chosen = variants.first { value.field($0.fields[0].key) != nil }
            return chosen.map { self.mapping(value, as: $0, path: path) } ?? .mapping([])
        case .cases(let key, let shapes, _):
            let word = value[key]?.text
            let chosen = shapes.first { $0.word(of: key)?.word == word }
            return chosen.map { self.mapping(value, as: $0, path: path) } ?? .mapping([])
        case .list(.mapping, _), .list(.variants, _), .list(.cases, _):
            guard case .list(let entryShape, _) = shape else { return .list([]) }
            return .list(
                value.entries.enumerated().map {
                    node($0.element, as: entryShape, path: "\(path)[\($0.offset)]")
                }
            )
        case .list(let entryShape, _):
            return .inline(value.entries.map { Self.text($0, entryShape) }, origin(value))
        default:
            return .value(Self.text(value, shape), origin(value))
        }
    }

    private func origin(_ value: CheckedValue) -> ValueOrigin {
        value.isDefault ? .standard : .file(value.place.location)
    }

    /// A single value as it was written, quoted where it has to be.
    private static func text(_ value: CheckedValue, _ shape: Shape) -> String {
        switch shape {
        case .sentence, .path, .bound:
            "'" + value.written.replacingScalars { $0 == "'" ? "''" : nil } + "'"
        default:
            value.written
        }
    }
}
