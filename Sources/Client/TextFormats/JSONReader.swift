/// Why a text is no JSON.
package struct JSONFault: Error, Equatable {
    /// The byte at which reading stopped, from 0.
    package var offset: Int
    /// What was wrong there.
    package var what: String
}

/// Reads JSON strictly: one value, no name twice in an object, no lone surrogate, not too deep.
package struct JSONReader {
    /// How deep values may lie in one another.
    package static let depthMax = 32

    private let bytes: [UInt8]
    private var offset = 0
    private var depth = 0

    private init(_ text: some Collection<UInt8>) {
        bytes = Array(text)
    }

    /// Reads a text's one value.
    package static func read(_ text: some Collection<UInt8>) throws(JSONFault) -> JSON {
        var reader = JSONReader(text)
        reader.skipSpace()
        let value = try reader.value()
        reader.skipSpace()
        guard reader.offset == reader.bytes.count else {
            throw reader.fault("something follows the value")
        }
        return value
    }

    private func fault(_ what: String) -> JSONFault { JSONFault(offset: offset, what: what) }

    private var next: UInt8? { offset < bytes.count ? bytes[offset] : nil }

    private mutating func skipSpace() {
        while let byte = next, byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D {
            offset += 1
        }
    }

    private mutating func takes(_ character: Unicode.Scalar) -> Bool {
        guard next == UInt8(ascii: character) else { return false }
        offset += 1
        return true
    }

    private mutating func value() throws(JSONFault) -> JSON {
        switch next {
        case UInt8(ascii: "{"): try nested { reader throws(JSONFault) in try reader.object() }
        case UInt8(ascii: "["): try nested { reader throws(JSONFault) in try reader.array() }
        case UInt8(ascii: "\""): .string(try string())
        case UInt8(ascii: "t"): try word("true", .bool(true))
        case UInt8(ascii: "f"): try word("false", .bool(false))
        case UInt8(ascii: "n"): try word("null", .null)
        case .some: try number()
        case nil: throw fault("a value is missing")
        }
    }

    private mutating func nested(
        _ read: (inout JSONReader) throws(JSONFault) -> JSON
    ) throws(JSONFault) -> JSON {
        guard depth < Self.depthMax else { throw fault("values lie too deep") }
        depth += 1
        offset += 1
        let value = try read(&self)
        depth -= 1
        return value
    }

    private mutating func word(_ word: StaticString, _ value: JSON) throws(JSONFault) -> JSON {
        let expected = Array("\(word)".utf8)
        guard bytes[offset...].starts(with: expected) else { throw fault("unknown word") }
        offset += expected.count
        return value
    }

    private mutating func object() throws(JSONFault) -> JSON {
        var members: [JSON.Member] = []
        // Of few names each is compared with each; of many that took its time squared.
        var names: Set<String> = []
        skipSpace()
        guard !takes("}") else { return .object([]) }
        repeat {
            skipSpace()
            let name = try string()
            if members.count == 16 { names = Set(members.map(\.name)) }
            let isTaken =
                members.count < 16
                ? members.contains { $0.name == name } : !names.insert(name).inserted
            guard !isTaken else { throw fault("a name occurs twice") }
            skipSpace()
            guard takes(":") else { throw fault("':' is missing") }
            skipSpace()
            members.append(JSON.Member(name, try value()))
            skipSpace()
        } while takes(",")
        guard takes("}") else { throw fault("'}' is missing") }
        return .object(members)
    }

    private mutating func array() throws(JSONFault) -> JSON {
        var values: [JSON] = []
        skipSpace()
        guard !takes("]") else { return .array([]) }
        repeat {
            skipSpace()
            values.append(try value())
            skipSpace()
        } while takes(",")
        guard takes("]") else { throw fault("']' is missing") }
        return .array(values)
    }

    // MARK: Numbers

    private mutating func digits() -> Int {
        let start = offset
        while let byte = next, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) {
            offset += 1
        }
        return offset - start
    }

    private mutating func number() throws(JSONFault) -> JSON {
        let start = offset
        let isNegative = takes("-")
        let leadsWithZero = next == UInt8(ascii: "0")
        let whole = digits()
        guard whole > 0, whole == 1 || !leadsWithZero else { throw fault("no number") }
        var isWhole = true
        if takes(".") {
            isWhole = false
            guard digits() > 0 else { throw fault("digits are missing") }
        }
        if takes("e") || takes("E") {
            isWhole = false
            _ = takes("+") || takes("-")
            guard digits() > 0 else { throw fault("digits are missing") }
        }
        let text = String(decoding: bytes[start..<offset], as: UTF8.self)
        if isWhole, let value = Int64(text), !(isNegative && value == 0) {
            return .integer(value)
        }
        guard let value = Double(text), value.isFinite else { throw fault("number out of range") }
        return .decimal(value)
    }

    // MARK: Strings

    private mutating func string() throws(JSONFault) -> String {
        guard takes("\"") else { throw fault("a string is missing") }
        var read: [UInt8] = []
        while offset < bytes.count {
            // What means itself is copied a stretch at a time: a body may be one long string.
            let start = offset
            while let byte = next, byte >= 0x20, byte != UInt8(ascii: "\""),
                byte != UInt8(ascii: "\\")
            {
                offset += 1
            }
            read += bytes[start..<offset]
            guard let byte = next else { break }
            offset += 1
            switch byte {
            case UInt8(ascii: "\""): return try text(of: read)
            case UInt8(ascii: "\\"): read += Array(String(Character(try escape())).utf8)
            default: throw fault("a control character lies in a string")
            }
        }
        throw fault("a string does not end")
    }

    private func text(of read: [UInt8]) throws(JSONFault) -> String {
        var text = String(decoding: read, as: UTF8.self)
        guard text.withUTF8({ $0.elementsEqual(read) }) else { throw fault("a string is no UTF-8") }
        return text
    }

    private mutating func escape() throws(JSONFault) -> Unicode.Scalar {
        guard let byte = next else { throw fault("an escape does not end") }
        offset += 1
        switch byte {
        case UInt8(ascii: "\""): return "\""
        case UInt8(ascii: "\\"): return "\\"
        case UInt8(ascii: "/"): return "/"
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{C}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"): return try unicodeEscape()
        default: throw fault("unknown escape")
        }
    }

    private mutating func unicodeEscape() throws(JSONFault) -> Unicode.Scalar {
        let first = try fourHexDigits()
        if let scalar = Unicode.Scalar(first) { return scalar }
        guard first < 0xDC00, takes("\\"), takes("u") else { throw fault("lone surrogate") }
        let second = try fourHexDigits()
        guard (0xDC00...0xDFFF).contains(second),
            let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
        else { throw fault("lone surrogate") }
        return scalar
    }

    private mutating func fourHexDigits() throws(JSONFault) -> UInt32 {
        var value: UInt32 = 0
        for _ in 0..<4 {
            guard let digit = next.flatMap({ HexDigit.value(of: $0) }) else {
                throw fault("four hexadecimal digits are missing")
            }
            offset += 1
            value = value << 4 | UInt32(digit)
        }
        return value
    }
}
