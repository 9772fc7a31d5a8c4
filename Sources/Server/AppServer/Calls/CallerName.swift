/// How callers are called.
extension APIServerSettings {
    /// The longest name that apps take, in bytes of UTF-8.
    static let callerNameBytesMax = 256

    /// A caller's name as apps take it; their identity if nothing of it is left.
    ///
    /// A push with a name that is too long, cannot be seen or holds controls, as a pasted one may, is none
    /// to an app, which has to report it all the same: as a call of nobody's.
    func callerName(of user: String) -> String {
        let said = displayNames[user] ?? ""
        let shown = said.unicodeScalars.filter { !Self.isControl($0) }
        var name = String(String.UnicodeScalarView(shown))
        while name.utf8.count > Self.callerNameBytesMax { name.removeLast() }
        return name.unicodeScalars.contains(where: Self.isVisible) ? name : user
    }

    /// Whether a character controls text or disguises it instead of being part of it.
    ///
    /// Controls, those of the direction of writing (UAX #9), invisible operators, annotations and
    /// noncharacters (The Unicode Standard, §23).
    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0...0x1F, 0x7F...0x9F, 0x61C, 0x180E, 0x200B, 0x200E, 0x200F, 0x2028...0x202E,
            0x2060...0x206F, 0xFDD0...0xFDEF, 0xFEFF, 0xFFF9...0xFFFB:
            true
        default: scalar.value & 0xFFFE == 0xFFFE
        }
    }

    private static func isVisible(_ scalar: Unicode.Scalar) -> Bool {
        !scalar.properties.isWhitespace && scalar.value != 0x200C && scalar.value != 0x200D
    }
}
