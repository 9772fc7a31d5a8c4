/// Where a value of a resolved scenario comes from.
public enum ValueOrigin: Sendable, Equatable, CustomStringConvertible {
    /// A scenario file.
    case file(SourceLocation)
    /// The language or the client code.
    case standard
    /// The command line.
    case commandLine(String)
    /// A link profile.
    case profile(String)
    /// A preset.
    case preset(String)

    /// The origin in a few words, such as `Scenarios/x.yaml:4` or `default`.
    public var description: String {
        switch self {
        case .file(let location): location.line.map { "\(location.file):\($0)" } ?? location.file
        case .standard: "default"
        case .commandLine(let argument): argument
        case .profile(let name): "profile \(name)"
        case .preset(let name): "preset \(name)"
        }
    }
}

/// One value of a resolved scenario.
public struct ResolvedValue: Sendable, Equatable {
    /// Where in the scenario it stands, such as `links[0].forward.delay`.
    public var path: String
    /// The value as scenario files write it.
    public var value: String
    /// Where it comes from.
    public var origin: ValueOrigin
}

/// A scenario with every default filled in, and where each value comes from.
public struct ResolvedScenario: Sendable, Equatable {
    /// The mapping at the top.
    let root: ResolvedNode

    /// The values in the order of the language.
    public var values: [ResolvedValue] {
        root.flattened(path: "")
    }

    /// The scenario as YAML that loads again, each value with its origin as a comment.
    public var yaml: String {
        root.lines(indentation: 0).joined(separator: "\n") + "\n"
    }
}

/// A value, list or mapping of a resolved scenario.
indirect enum ResolvedNode: Sendable, Equatable {
    /// A value, quoted where it has to be.
    case value(String, ValueOrigin)
    /// Values on one line.
    case inline([String], ValueOrigin)
    /// Several of a kind.
    case list([ResolvedNode])
    /// Keys with values.
    case mapping([Entry])

    /// A key with its value.
    struct Entry: Sendable, Equatable {
        var key: String
        var value: ResolvedNode

        init(_ key: String, _ value: ResolvedNode) {
            self.key = key
            self.value = value
        }
    }

    /// All values with their paths.
    func flattened(path: String) -> [ResolvedValue] {
        switch self {
        case .value(let text, let origin):
            [ResolvedValue(path: path, value: text, origin: origin)]
        case .inline(let texts, let origin):
            [ResolvedValue(path: path, value: "[\(texts.joined(separator: ", "))]", origin: origin)]
        case .list(let nodes):
            nodes.enumerated().flatMap { $0.element.flattened(path: "\(path)[\($0.offset)]") }
        case .mapping(let entries):
            entries.flatMap {
                $0.value.flattened(path: path.isEmpty ? $0.key : "\(path).\($0.key)")
            }
        }
    }

    /// The node as lines of YAML.
    func lines(indentation: Int) -> [String] {
        let pad = String(repeating: " ", count: indentation)
        switch self {
        case .value, .inline:
            return [pad + ownLine]
        case .list(let nodes):
            return nodes.flatMap { node -> [String] in
                var lines = node.lines(indentation: indentation + 2)
                lines[0] = pad + "- " + lines[0].dropFirst(indentation + 2)
                return lines
            }
        case .mapping(let entries):
            return entries.flatMap { entry -> [String] in
                switch entry.value {
                case .value, .inline:
                    return ["\(pad)\(entry.key): \(entry.value.ownLine)"]
                case .list(let nodes) where nodes.isEmpty:
                    return ["\(pad)\(entry.key): []"]
                default:
                    return ["\(pad)\(entry.key):"] + entry.value.lines(indentation: indentation + 2)
                }
            }
        }
    }

    private var ownLine: String {
        switch self {
        case .value(let text, let origin): "\(text)  # \(origin)"
        case .inline(let texts, let origin): "[\(texts.joined(separator: ", "))]  # \(origin)"
        case .list, .mapping: ""
        }
    }
}
