import SansIO
import TextFormats

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
        guard text.utf8.allSatisfy(TextCharacters.isName) else { throw .forbiddenCharacter(field) }
        return text
    }

    /// A person's text.
    func text(_ field: PayloadField, upTo bytesMax: Int) throws(PayloadRefusal) -> String {
        guard case .string(let text) = try required(field) else { throw .wrongType(field) }
        guard text.utf8.count <= bytesMax else { throw .tooLong(field) }
        guard !text.unicodeScalars.contains(where: TextCharacters.isForbidden) else {
            throw .forbiddenCharacter(field)
        }
        guard text.unicodeScalars.contains(where: TextCharacters.isVisible) else {
            throw .blank(field)
        }
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
