/// Base64 with the alphabet for URLs and without padding (RFC 4648 §5, RFC 7515 §2).
package enum Base64URL {
    private static let alphabet = Array(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8
    )

    /// Encodes bytes.
    package static func encode(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count * 4 + 2) / 3)
        let alphabet = alphabet
        var bits: UInt32 = 0
        var bitCount: UInt32 = 0
        for byte in bytes {
            bits = bits << 8 | UInt32(byte)
            bitCount += 8
            while bitCount >= 6 {
                bitCount -= 6
                text.append(alphabet[Int(bits >> bitCount & 0x3F)])
            }
        }
        if bitCount > 0 {
            text.append(alphabet[Int(bits << (6 - bitCount) & 0x3F)])
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Decodes a text; `nil` if it has a foreign character, an impossible length or loose bits.
    ///
    /// A text has one spelling: bits that encode nothing must be zero, so that no two signatures are
    /// the same.
    package static func decode(_ text: Substring) -> [UInt8]? {
        var text = text
        return text.withUTF8 { decode($0) }
    }

    private static func decode(_ characters: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(characters.count * 3 / 4)
        let values = values
        var bits: UInt32 = 0
        var bitCount: UInt32 = 0
        for character in characters {
            let value = values[Int(character)]
            guard value != foreign else { return nil }
            bits = bits << 6 | UInt32(value)
            bitCount += 6
            guard bitCount >= 8 else { continue }
            bitCount -= 8
            bytes.append(UInt8(truncatingIfNeeded: bits >> bitCount))
            bits &= 1 << bitCount - 1
        }
        guard bitCount < 6, bits == 0 else { return nil }
        return bytes
    }

    /// How many bytes of a text are of the alphabet before one is not: where a text is broken.
    package static func validPrefixCount(of text: Substring) -> Int {
        text.utf8.prefix { values[Int($0)] != foreign }.count
    }

    /// What each byte stands for in a text.
    private static let values: [UInt8] = {
        var values = [UInt8](repeating: foreign, count: 256)
        for (value, character) in alphabet.enumerated() { values[Int(character)] = UInt8(value) }
        return values
    }()

    /// A byte that is not of the alphabet.
    private static let foreign: UInt8 = 0xFF
}
