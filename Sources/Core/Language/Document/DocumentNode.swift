/// A scenario as a tree of keys, lists and values, which a program can build and change.
///
/// It holds what a file says and nothing of where: `ScenarioLoader` reads its text like any other file's.
public indirect enum DocumentNode: Sendable, Hashable {
    /// A single value; `isQuoted` where the quotes are part of its meaning.
    case value(String, isQuoted: Bool)
    /// Several of a kind.
    case list([DocumentNode])
    /// Keys with values, in order, each key once.
    case mapping([Entry])

    /// A key with its value.
    public struct Entry: Sendable, Hashable {
        /// The key.
        public var key: String
        /// The value.
        public var value: DocumentNode

        /// Joins a key and a value.
        public init(_ key: String, _ value: DocumentNode) {
            self.key = key
            self.value = value
        }
    }

    /// A step from a node to one below it.
    public enum Step: Sendable, Hashable {
        /// To the value behind a key.
        case key(String)
        /// To an entry of a list.
        case index(Int)
    }

    /// A value without quotes.
    public static func plain(_ text: String) -> DocumentNode { .value(text, isQuoted: false) }

    /// The text of a single value.
    public var text: String? {
        guard case .value(let text, _) = self else { return nil }
        return text
    }

    /// The entries of a list; none if it is something else.
    public var elements: [DocumentNode] {
        guard case .list(let nodes) = self else { return [] }
        return nodes
    }

    /// The keys and values of a mapping; none if it is something else.
    public var entries: [Entry] {
        guard case .mapping(let entries) = self else { return [] }
        return entries
    }

    /// The value behind a key; setting `nil` removes the key, and a new key is the last.
    public subscript(key key: String) -> DocumentNode? {
        get { entries.first { $0.key == key }?.value }
        set {
            var entries = entries
            let index = entries.firstIndex { $0.key == key }
            switch (index, newValue) {
            case (let index?, let value?): entries[index].value = value
            case (let index?, nil): entries.remove(at: index)
            case (nil, let value?): entries.append(Entry(key, value))
            case (nil, nil): return
            }
            self = .mapping(entries)
        }
    }

    /// The node at the end of a path; setting `nil` removes it from its mapping or list.
    public subscript(path path: some Collection<Step>) -> DocumentNode? {
        get {
            guard let step = path.first else { return self }
            let rest = path.dropFirst()
            switch step {
            case .key(let key): return self[key: key].flatMap { $0[path: rest] }
            case .index(let index):
                return elements.indices.contains(index) ? elements[index][path: rest] : nil
            }
        }
        set {
            guard let step = path.first else {
                if let newValue { self = newValue }
                return
            }
            let rest = path.dropFirst()
            switch step {
            case .key(let key):
                guard !rest.isEmpty else {
                    self[key: key] = newValue
                    return
                }
                guard var inner = self[key: key] else { return }
                inner[path: rest] = newValue
                self[key: key] = inner
            case .index(let index):
                var nodes = elements
                guard nodes.indices.contains(index) else { return }
                if rest.isEmpty, newValue == nil {
                    nodes.remove(at: index)
                } else if rest.isEmpty, let newValue {
                    nodes[index] = newValue
                } else {
                    nodes[index][path: rest] = newValue
                }
                self = .list(nodes)
            }
        }
    }
}

extension DocumentNode: ExpressibleByStringLiteral, ExpressibleByArrayLiteral,
    ExpressibleByDictionaryLiteral
{
    /// Makes a value without quotes.
    public init(stringLiteral text: String) { self = .plain(text) }

    /// Makes a list.
    public init(arrayLiteral nodes: DocumentNode...) { self = .list(nodes) }

    /// Makes a mapping with its keys in the order in which they are written.
    public init(dictionaryLiteral entries: (String, DocumentNode)...) {
        self = .mapping(entries.map { Entry($0.0, $0.1) })
    }
}

extension DocumentNode {
    init(_ node: SyntaxNode) {
        switch node.content {
        case .scalar(let scalar):
            self = .value(scalar.text, isQuoted: !scalar.isPlain)
        case .sequence(let nodes):
            self = .list(nodes.map(DocumentNode.init))
        case .mapping(let entries):
            self = .mapping(entries.map { Entry($0.key, DocumentNode($0.value)) })
        }
    }
}
