import SansIO

/// The members of a payload that is an object of the right kind and size.
struct PayloadFields {
    private let members: [PayloadMember]

    /// Checks what all kinds of payload have in common.
    init(_ payload: PayloadValue, type: String) throws(PayloadRefusal) {
        guard case .dictionary(let members) = payload else { throw .notAnObject }
        try PayloadBudget.check(payload)
        self.members = members
        guard case .dictionary(let aps) = try required(.aps) else { throw .wrongType(.aps) }
        switch try Self.find(.contentAvailable, in: aps) {
        case nil: throw .missing(.contentAvailable)
        case .integer(1): break
        case .integer: throw .wrongValue(.contentAvailable)
        default: throw .wrongType(.contentAvailable)
        }
        guard case .string(let name) = try required(.type) else { throw .wrongType(.type) }
        guard name == type else { throw .wrongValue(.type) }
    }

    private static func find(
        _ field: PayloadField,
        in members: [PayloadMember]
    ) throws(PayloadRefusal) -> PayloadValue? {
        var found: PayloadValue?
        // Names are compared by their bytes: Unicode knows several spellings of one text.
        for member in members where member.name.utf8.elementsEqual(field.rawValue.utf8) {
            guard found == nil else { throw .repeated(field) }
            found = member.value
        }
        return found
    }

    private func required(_ field: PayloadField) throws(PayloadRefusal) -> PayloadValue {
        guard let value = try Self.find(field, in: members) else { throw .missing(field) }
        return value
    }

    /// A text of the server's: letters, digits, hyphens and underscores.
    func name(_ field: PayloadField, upTo bytesMax: Int) throws(PayloadRefusal) -> String {
        guard case .string(let text) = try required(field) else { throw .wrongType(field) }
        guard !text.isEmpty else { throw .blank(field) }
        guard text.utf8.count <= bytesMax else { throw .tooLong(field) }
        guard text.utf8.allSatisfy(CallText.isName) else { throw .forbiddenCharacter(field) }
        return text
    }

    /// A person's text.
    func text(_ field: PayloadField, upTo bytesMax: Int) throws(PayloadRefusal) -> String {
        guard case .string(let text) = try required(field) else { throw .wrongType(field) }
        guard text.utf8.count <= bytesMax else { throw .tooLong(field) }
        guard !text.unicodeScalars.contains(where: CallText.isForbidden) else {
            throw .forbiddenCharacter(field)
        }
        guard text.unicodeScalars.contains(where: CallText.isVisible) else { throw .blank(field) }
        return text
    }

    /// A yes or no that may be missing.
    func bool(_ field: PayloadField) throws(PayloadRefusal) -> Bool? {
        switch try Self.find(field, in: members) {
        case nil: return nil
        case .bool(let value): return value
        default: throw .wrongType(field)
        }
    }

    /// A time that may be missing: whole seconds since 1970, more than none and before the year 2286.
    func seconds(_ field: PayloadField) throws(PayloadRefusal) -> WallTime? {
        switch try Self.find(field, in: members) {
        case nil: return nil
        case .integer(let seconds):
            guard (1..<10_000_000_000).contains(seconds) else { throw .wrongValue(field) }
            return WallTime(secondsSince1970: min(seconds, Int64.max / 1_000_000_000))
        default: throw .wrongType(field)
        }
    }
}

/// Which characters a text may have that comes from somebody else and is shown to the user.
enum CallText {
    /// Whether a byte may stand in a name of the server's.
    static func isName(_ byte: UInt8) -> Bool {
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
    /// annotations and noncharacters (The Unicode Standard, §23). The joiners stay: names in Persian and
    /// many emoji need them.
    static func isForbidden(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0...0x1F, 0x7F...0x9F, 0x61C, 0x180E, 0x200B, 0x200E, 0x200F, 0x2028...0x202E,
            0x2060...0x206F, 0xFDD0...0xFDEF, 0xFEFF, 0xFFF9...0xFFFB:
            true
        default: scalar.value & 0xFFFE == 0xFFFE
        }
    }

    /// Whether a character can be seen by itself.
    static func isVisible(_ scalar: Unicode.Scalar) -> Bool {
        !scalar.properties.isWhitespace && scalar.value != 0x200C && scalar.value != 0x200D
    }
}
