// A document as text: one layout for equal documents.

extension DocumentNode {
    /// A line of a document's text.
    public struct Line: Sendable, Equatable {
        /// The line.
        public var text: String
        /// What it belongs to: a key of the document, or an entry of the list behind one.
        public var owner: [Step]
    }

    /// The document as YAML; an entry of a list takes one line where that is short enough.
    ///
    /// - Parameter remarks: Comments by the paths of the values that they speak of.
    /// - Returns: The lines.
    public func lines(remarks: [[Step]: String] = [:]) -> [Line] {
        entries.flatMap { entry -> [Line] in
            let owner = [Step.key(entry.key)]
            switch entry.value {
            case .list(let nodes) where !nodes.isEmpty:
                return [Line(text: "\(Self.quoted(entry.key)):", owner: owner)]
                    + nodes.enumerated().flatMap { index, node in
                        node.item(at: owner + [.index(index)], remarks)
                    }
            case .mapping(let inner) where !inner.isEmpty:
                return [Line(text: "\(Self.quoted(entry.key)):", owner: owner)]
                    + inner.map { field in
                        Self.line(
                            "  \(Self.quoted(field.key)): \(field.value.flow)",
                            of: owner,
                            from: owner + [.key(field.key)],
                            remarks
                        )
                    }
            default:
                let text = "\(Self.quoted(entry.key)): \(entry.value.flow)"
                return [Self.line(text, of: owner, from: owner, remarks)]
            }
        }
    }

    /// The document as YAML.
    public func yaml(remarks: [[Step]: String] = [:]) -> String {
        lines(remarks: remarks).map(\.text).joined(separator: "\n") + "\n"
    }

    /// How long a line may be before an entry of a list takes one for each of its keys.
    private static let widthMax = 110

    private func item(at path: [Step], _ remarks: [[Step]: String]) -> [Line] {
        let line = Self.line("  - \(flow)", of: path, from: path, remarks)
        guard line.text.count > Self.widthMax, !entries.isEmpty else { return [line] }
        return entries.enumerated().map { index, entry in
            Self.line(
                (index == 0 ? "  - " : "    ") + "\(Self.quoted(entry.key)): \(entry.value.flow)",
                of: path,
                from: path + [.key(entry.key)],
                remarks
            )
        }
    }

    /// A line with the remarks on all that stands on it.
    private static func line(
        _ text: String,
        of owner: [Step],
        from path: [Step],
        _ remarks: [[Step]: String]
    ) -> Line {
        let below = remarks.filter { $0.key.starts(with: path) }
            .map { (name: Self.name($0.key), remark: $0.value) }
            .sorted { ($0.name, $0.remark) < ($1.name, $1.remark) }
        guard !below.isEmpty else { return Line(text: text, owner: owner) }
        let comment = below.map { "\($0.name): \($0.remark)" }.joined(separator: "; ")
        return Line(text: "\(text)  # \(ShownText.oneLine(comment))", owner: owner)
    }

    /// What a remark calls a value: the last key on the way to it.
    private static func name(_ path: [Step]) -> String {
        for case .key(let key) in path.reversed() { return key }
        return ""
    }

    /// The node on one line.
    public var flow: String {
        switch self {
        case .value(let text, let isQuoted):
            return isQuoted ? Self.inQuotes(text) : text.isEmpty ? "null" : Self.quoted(text)
        case .list(let nodes):
            return "[\(nodes.map(\.flow).joined(separator: ", "))]"
        case .mapping(let entries):
            guard !entries.isEmpty else { return "{}" }
            let fields = entries.map { "\(Self.quoted($0.key)): \($0.value.flow)" }
            return "{ \(fields.joined(separator: ", ")) }"
        }
    }

    /// The text as it is, or in quotes where YAML would read something else.
    private static func quoted(_ text: String) -> String {
        guard let first = text.unicodeScalars.first, let last = text.unicodeScalars.last else {
            return "\"\""
        }
        let isPlain = text.unicodeScalars.allSatisfy { scalar in
            switch scalar {
            case "a"..."z", "A"..."Z", "0"..."9", "-", "_", ".", "/", "%", "$", ":", " ", "+":
                true
            default: false
            }
        }
        let begins = text.hasPrefix("-") ? text.dropFirst().first?.isNumber ?? false : true
        guard isPlain, begins, first != " ", first != ":", first != "%", last != " ", last != ":",
            !text.contains(": ")
        else { return inQuotes(text) }
        return text
    }

    private static func inQuotes(_ text: String) -> String {
        let escaped = text.unicodeScalars.map { scalar -> String in
            switch scalar {
            case "\"": "\\\""
            case "\\": "\\\\"
            case "\n": "\\n"
            case "\t": "\\t"
            default: isPrintable(scalar) ? String(scalar) : escape(scalar)
            }
        }
        return "\"\(escaped.joined())\""
    }

    /// Whether YAML takes a scalar as it stands, and for nothing that ends a line (YAML 1.1, 5.1 and 5.4).
    private static func isPrintable(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x00...0x1F, 0x7F...0x9F, 0x2028, 0x2029, 0xFEFF, 0xFFFE, 0xFFFF: false
        default: true
        }
    }

    private static func escape(_ scalar: Unicode.Scalar) -> String {
        let digits = String(scalar.value, radix: 16)
        return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    }
}
