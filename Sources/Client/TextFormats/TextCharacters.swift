/// Which characters app and server take in names, and in texts that are shown to somebody.
package enum TextCharacters {
    /// Whether a byte may stand in a name: a letter, a digit, a hyphen or an underscore.
    package static func isName(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }

    /// Whether a character controls text or disguises it instead of being part of it.
    ///
    /// Controls (C0, C1), bidirectional controls (UAX #9), invisible operators and separators,
    /// annotations and noncharacters (The Unicode Standard, §23). The joiners stay: names in Persian
    /// and many emoji need them.
    package static func isForbidden(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0...0x1F, 0x7F...0x9F, 0x61C, 0x180E, 0x200B, 0x200E, 0x200F, 0x2028...0x202E,
            0x2060...0x206F, 0xFDD0...0xFDEF, 0xFEFF, 0xFFF9...0xFFFB:
            true
        default: scalar.value & 0xFFFE == 0xFFFE
        }
    }

    /// Whether a character can be seen by itself.
    package static func isVisible(_ scalar: Unicode.Scalar) -> Bool {
        !scalar.properties.isWhitespace && scalar.value != 0x200C && scalar.value != 0x200D
    }
}
