/// A name that is safe to show to people: a group's or a member's.
///
/// At most 64 bytes of UTF-8, without control characters and without those that end a line or turn the
/// direction of writing, which could make one name look like another.
public struct DisplayName: Sendable, Hashable, CustomStringConvertible {
    /// The longest name in bytes of UTF-8.
    public static let byteCountMax = 64

    /// The name.
    public let text: String

    /// Makes a name; `nil` if the text is empty, too long or not safe to show.
    public init?(_ text: String) {
        guard (1...Self.byteCountMax).contains(text.utf8.count),
            text.unicodeScalars.allSatisfy(Self.isSafe)
        else { return nil }
        self.text = text
    }

    /// The name.
    public var description: String { text }

    private static func isSafe(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F..<0xA0: false  // controls
        case 0x2028...0x202E, 0x2066...0x2069: false  // line ends, direction of writing
        default: true
        }
    }
}
