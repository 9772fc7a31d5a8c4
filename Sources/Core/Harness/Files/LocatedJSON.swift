/// A JSON value that knows its line, so that a complaint about a file can name it (RFC 8259).
package struct LocatedJSON: Equatable {
    /// What the value is.
    enum Content: Equatable {
        case object([Member])
        case array([LocatedJSON])
        case string(String)
        case number(Double)
        case boolean(Bool)
        case null
    }

    /// A key with its value.
    struct Member: Equatable {
        var key: String
        var value: LocatedJSON
    }

    var content: Content
    /// The line on which it begins, from 1.
    package var line: Int

    /// Reads a whole text.
    ///
    /// - Parameter text: The text of a file.
    /// - Throws: The first thing that is wrong, with its line.
    package init(_ text: String) throws(LocatedError) {
        var reader = Reader(text)
        self = try reader.value(depth: 0)
        reader.skipSpace()
        guard reader.isAtEnd else { throw reader.error("something follows the end of the value") }
    }

    fileprivate init(_ content: Content, line: Int) {
        self.content = content
        self.line = line
    }

    /// The value behind a key of an object; the last, if it stands there twice.
    package subscript(key: String) -> LocatedJSON? {
        guard case .object(let members) = content else { return nil }
        return members.last { $0.key == key }?.value
    }

    /// The number, if it is one.
    package var number: Double? {
        guard case .number(let number) = content else { return nil }
        return number
    }

    /// The text, if it is one.
    package var text: String? {
        guard case .string(let text) = content else { return nil }
        return text
    }

    /// The values in it that are no objects or arrays, as text by the dotted names of the keys on the way.
    package var scalars: [String: String] {
        var found: [String: String] = [:]
        func add(_ value: LocatedJSON, _ name: String) {
            switch value.content {
            case .object(let members):
                for member in members {
                    add(member.value, name.isEmpty ? member.key : "\(name).\(member.key)")
                }
            case .string(let text): found[name] = text
            case .number(let number):
                found[name] = Int64(exactly: number).map(String.init) ?? String(number)
            case .boolean(let isTrue): found[name] = isTrue ? "true" : "false"
            case .array, .null: break
            }
        }
        add(self, "")
        return found
    }

    /// The entries, if it is an array.
    package var entries: [LocatedJSON]? {
        guard case .array(let entries) = content else { return nil }
        return entries
    }
}

/// What is wrong in a file, and on which line.
package struct LocatedError: Error, Equatable {
    /// The line, from 1.
    package var line: Int
    /// What is wrong, in words.
    package var words: String

    package init(line: Int, words: String) {
        self.line = line
        self.words = words
    }
}

extension LocatedJSON {
    /// Goes through a text scalar by scalar, counting lines.
    private struct Reader {
        private let scalars: [Unicode.Scalar]
        private var place = 0
        private var line = 1
        /// Deeper nesting is no file of ours, and would exhaust the stack.
        private static let depthMax = 64

        init(_ text: String) {
            scalars = Array(text.unicodeScalars)
            // A byte order mark, as some editors write it, is no part of the value (RFC 8259, 8.1).
            if scalars.first == "\u{FEFF}" { place = 1 }
        }

        var isAtEnd: Bool { place == scalars.count }

        func error(_ words: String) -> LocatedError { LocatedError(line: line, words: words) }

        mutating func skipSpace() {
            while place < scalars.count, " \t\r\n".unicodeScalars.contains(scalars[place]) {
                if scalars[place] == "\n" { line += 1 }
                place += 1
            }
        }

        mutating func value(depth: Int) throws(LocatedError) -> LocatedJSON {
            skipSpace()
            guard depth < Self.depthMax else { throw error("values are nested too deep") }
            guard place < scalars.count else {
                throw error("the file ends where a value should be")
            }
            let start = line
            switch scalars[place] {
            case "{": return LocatedJSON(.object(try members(depth: depth)), line: start)
            case "[": return LocatedJSON(.array(try entries(depth: depth)), line: start)
            case "\"": return LocatedJSON(.string(try string()), line: start)
            default: return LocatedJSON(try word(), line: start)
            }
        }

        private mutating func members(depth: Int) throws(LocatedError) -> [Member] {
            var members: [Member] = []
            place += 1
            guard !take("}") else { return members }
            repeat {
                skipSpace()
                guard place < scalars.count, scalars[place] == "\"" else {
                    throw error("a key in quotes should be here")
                }
                let key = try string()
                guard take(":") else { throw error("a colon should follow \"\(key)\"") }
                members.append(Member(key: key, value: try value(depth: depth + 1)))
            } while take(",")
            guard take("}") else { throw error("a comma or '}' should be here") }
            return members
        }

        private mutating func entries(depth: Int) throws(LocatedError) -> [LocatedJSON] {
            var entries: [LocatedJSON] = []
            place += 1
            guard !take("]") else { return entries }
            repeat {
                entries.append(try value(depth: depth + 1))
            } while take(",")
            guard take("]") else { throw error("a comma or ']' should be here") }
            return entries
        }

        /// Steps over a mark and the space before it, if it comes next.
        private mutating func take(_ mark: Unicode.Scalar) -> Bool {
            skipSpace()
            guard place < scalars.count, scalars[place] == mark else { return false }
            place += 1
            return true
        }

        /// A text in quotes; escapes but those of quotes and backslashes are kept as they stand.
        private mutating func string() throws(LocatedError) -> String {
            var text = ""
            place += 1
            while place < scalars.count, scalars[place] != "\n" {
                let scalar = scalars[place]
                place += 1
                if scalar == "\"" { return text }
                if scalar == "\\", place < scalars.count {
                    if !"\"\\/".unicodeScalars.contains(scalars[place]) { text += "\\" }
                    text.unicodeScalars.append(scalars[place])
                    place += 1
                } else {
                    text.unicodeScalars.append(scalar)
                }
            }
            throw error("a text in quotes does not end on its line")
        }

        /// A number or one of the three words.
        private mutating func word() throws(LocatedError) -> Content {
            let start = place
            while place < scalars.count, !" \t\r\n,:]}".unicodeScalars.contains(scalars[place]) {
                place += 1
            }
            var text = ""
            text.unicodeScalars.append(contentsOf: scalars[start..<place])
            switch text {
            case "true": return .boolean(true)
            case "false": return .boolean(false)
            case "null": return .null
            default: break
            }
            guard let number = Double(text), number.isFinite else {
                throw error("'\(text.prefix(40))' is no value")
            }
            return .number(number)
        }
    }
}
