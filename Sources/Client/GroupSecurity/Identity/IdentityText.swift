public import SansIO
import TextFormats

extension MemberID {
    /// Reads an id from its description; `nil` from anything else, upper case included.
    public init?(text: String) {
        guard let bytes = Hexadecimal.bytes(text), bytes.count == 16 else { return nil }
        self.init(
            high: UInt64(bigEndianBytes: bytes[..<8]),
            low: UInt64(bigEndianBytes: bytes[8...])
        )
    }
}

extension GroupID {
    /// The id as a UUID in lower case (RFC 9562 section 4).
    public var text: String {
        let digits = Array(bytes.map(Hexadecimal.text).joined())
        return Self.groups.map { String(digits[$0]) }.joined(separator: "-")
    }

    /// Reads an id from its text; `nil` from anything else, upper case included.
    public init?(text: String) {
        let groups = text.split(separator: "-", omittingEmptySubsequences: false)
        guard groups.map(\.utf8.count) == Self.groups.map(\.count),
            let bytes = Hexadecimal.bytes(groups.joined())
        else { return nil }
        self.init(bytes: bytes)
    }

    private static let groups = [0..<8, 8..<12, 12..<16, 16..<20, 20..<32]
}

/// Hexadecimal digits of lower case, so that bytes have one spelling.
private enum Hexadecimal {
    static func text(_ byte: UInt8) -> String {
        (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }

    static func bytes(_ text: String) -> [UInt8]? {
        let upperCase = UInt8(ascii: "A")...UInt8(ascii: "F")
        let digits = text.utf8.map { upperCase.contains($0) ? nil : HexDigit.value(of: $0) }
        guard digits.count.isMultiple(of: 2), !digits.contains(nil) else { return nil }
        let values = digits.compactMap(\.self)
        return stride(from: 0, to: values.count, by: 2).map { values[$0] << 4 | values[$0 + 1] }
    }
}
