/// A line of stored text with a checksum behind it, by which a flipped bit is noticed.
///
/// The checksum is FNV-1a with 64 bits (RFC 9923) over the line's bytes. Lines that differ in one byte
/// never have the same.
public enum SealedLine {
    private static let mark = " #"
    private static let digitCount = 16

    /// The line with its checksum.
    public static func seal(_ line: String) -> String {
        let digits = String(checksum(of: line.utf8), radix: 16)
        return line + mark + String(repeating: "0", count: digitCount - digits.count) + digits
    }

    /// Takes a line's checksum off.
    ///
    /// - Parameter text: The line as it was stored.
    /// - Returns: The line, and whether it had a checksum, which earlier versions of the app did not
    ///   write; `nil` if it is not as it was written.
    static func open(_ text: Substring) -> (line: Substring, isSealed: Bool)? {
        let tail = text.utf8.suffix(mark.utf8.count + digitCount)
        guard tail.starts(with: mark.utf8) else { return (text, false) }
        let line = Substring(text.utf8.prefix(upTo: tail.startIndex))
        return seal(String(line)).utf8.elementsEqual(text.utf8) ? (line, true) : nil
    }

    private static func checksum(of bytes: some Sequence<UInt8>) -> UInt64 {
        bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3 }
    }
}
