/// A key of every link between phones, or of every phone's radio, that the command line sweeps: `link.loss`,
/// `wifi.delay`, `cellular.backward.rate`.
struct SweptLink {
    /// What comes before the key.
    static let prefixes = ["link", "wifi", "cellular"]

    private let name: String
    private let prefix: String
    private let path: ArraySlice<String>

    /// Reads a name; `nil` if it names no such key.
    init?(_ name: String) {
        let words = name.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard words.count > 1, Self.prefixes.contains(words[0]) else { return nil }
        self.name = name
        prefix = words[0]
        path = words.dropFirst()
    }

    /// What a scenario lacks where there is no such link, in a clause.
    var lack: String {
        switch prefix {
        case "link": "no two phones are linked"
        case "wifi": "no phone has Wi-Fi"
        default: "no phone has a cellular radio"
        }
    }

    /// The names to sweep instead where the key takes no single value, but one of several kinds.
    ///
    /// `link.jitter.uniform` is one for `link.jitter`.
    var kinds: [String] {
        var shape = Shape.mapping(LinkShapes.link)
        for key in path {
            guard case .mapping(let mapping) = shape, let field = mapping.field(key) else {
                return []
            }
            shape = field.shape
        }
        guard case .mapping(let mapping) = shape else { return [] }
        return mapping.exactlyOne.filter { key in
            guard case .quantity = mapping.field(key)?.shape else { return false }
            return true
        }.map { "\(name).\($0)" }
    }

    /// A file's keys with a value at all links that it means; `nil` if there are none.
    func written(
        _ value: SyntaxNode,
        keyPlace: Place,
        in entries: [SyntaxNode.Entry]
    ) -> [SyntaxNode.Entry]? {
        var writer = Writer(value: value, keyPlace: keyPlace)
        let written = entries.map { entry in
            var entry = entry
            if prefix == "link", entry.key == "links" {
                entry.value = writer.each(entry.value) { $0.set(path, in: $1) }
            } else if prefix != "link", entry.key == "phones" {
                entry.value = writer.each(entry.value) { writer, phone in
                    writer.change("radios", in: phone) { writer, radios in
                        writer.change(prefix, in: radios) { $0.radio(path, in: $1) }
                    }
                }
            }
            return entry
        }
        return writer.count > 0 ? written : nil
    }

    private struct Writer {
        let value: SyntaxNode
        let keyPlace: Place
        /// How often the value was written.
        var count = 0

        mutating func each(
            _ node: SyntaxNode,
            _ change: (inout Writer, SyntaxNode) -> SyntaxNode
        ) -> SyntaxNode {
            guard case .sequence(let nodes) = node.content else { return node }
            var node = node
            node.content = .sequence(nodes.map { change(&self, $0) })
            return node
        }

        mutating func change(
            _ key: String,
            in node: SyntaxNode,
            _ change: (inout Writer, SyntaxNode) -> SyntaxNode
        ) -> SyntaxNode {
            guard var entries = node.entries else { return node }
            for index in entries.indices where entries[index].key == key {
                entries[index].value = change(&self, entries[index].value)
            }
            return SyntaxNode(content: .mapping(entries), place: node.place)
        }

        /// A radio is a mapping, the name of its profile alone, or none at all.
        mutating func radio(_ path: ArraySlice<String>, in node: SyntaxNode) -> SyntaxNode {
            guard case .scalar(let profile) = node.content else { return set(path, in: node) }
            guard profile.text != "none", !profile.isNull else { return node }
            let entry = SyntaxNode.Entry(key: "profile", keyPlace: node.place, value: node)
            return set(path, in: SyntaxNode(content: .mapping([entry]), place: node.place))
        }

        mutating func set(_ path: ArraySlice<String>, in node: SyntaxNode) -> SyntaxNode {
            guard let key = path.first else {
                count += 1
                return value
            }
            guard var entries = node.entries else { return node }
            let index = entries.firstIndex { $0.key == key } ?? entries.endIndex
            if index == entries.endIndex {
                let empty = SyntaxNode(content: .mapping([]), place: keyPlace)
                entries.append(.init(key: key, keyPlace: keyPlace, value: empty))
            }
            entries[index].value = set(path.dropFirst(), in: entries[index].value)
            return SyntaxNode(content: .mapping(entries), place: node.place)
        }
    }
}
