/// A JSON value that is written the same way every time: keys sorted, two spaces a level.
indirect enum JSONText: Sendable, Equatable {
    case string(String)
    case integer(Int64)
    case boolean(Bool)
    case array([JSONText])
    case object([String: JSONText])

    /// The value as text, without a line break at the end.
    func written(indentation: Int = 0) -> String {
        let inner = String(repeating: " ", count: indentation + 2)
        let outer = String(repeating: " ", count: indentation)
        switch self {
        case .string(let text): return Self.quoted(text)
        case .integer(let value): return "\(value)"
        case .boolean(let value): return value ? "true" : "false"
        case .array(let values):
            guard !values.isEmpty else { return "[]" }
            let lines = values.map { inner + $0.written(indentation: indentation + 2) }
            return "[\n\(lines.joined(separator: ",\n"))\n\(outer)]"
        case .object(let members):
            guard !members.isEmpty else { return "{}" }
            let lines = members.keys.sorted().compactMap { key in
                members[key].map {
                    "\(inner)\(Self.quoted(key)): \($0.written(indentation: indentation + 2))"
                }
            }
            return "{\n\(lines.joined(separator: ",\n"))\n\(outer)}"
        }
    }

    private static func quoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": quoted += "\\\""
            case "\\": quoted += "\\\\"
            case "\n": quoted += "\\n"
            case "\t": quoted += "\\t"
            case _ where scalar.value < 0x20:
                let hex = String(scalar.value, radix: 16)
                quoted += "\\u" + String(repeating: "0", count: 4 - hex.count) + hex
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }
}

extension JSONText: ExpressibleByStringLiteral {
    /// Makes a string.
    init(stringLiteral value: String) {
        self = .string(value)
    }
}

extension JSONText: ExpressibleByDictionaryLiteral {
    /// Makes an object; the last of equal keys wins.
    init(dictionaryLiteral elements: (String, JSONText)...) {
        self = .object(Dictionary(elements) { $1 })
    }
}

extension JSONText: ExpressibleByArrayLiteral {
    /// Makes an array.
    init(arrayLiteral elements: JSONText...) {
        self = .array(elements)
    }
}
