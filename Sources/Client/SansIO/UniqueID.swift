/// A universally unique identifier made of random bits (RFC 9562, version 4).
@frozen
public struct UniqueID: Sendable, Hashable, BitwiseCopyable {
    /// The first eight bytes, most significant first.
    public var high: UInt64
    /// The last eight bytes, most significant first.
    public var low: UInt64

    /// Makes an identifier from its bits, whatever their version.
    @inlinable
    public init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// Draws a new one: version 4, variant 10.
    public init(from generator: inout SeededGenerator) {
        high = generator.next() & 0xFFFF_FFFF_FFFF_0FFF | 0x4000
        low = generator.next() & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
    }

    /// Reads the form `8-4-4-4-12` in either case; `nil` if the text has another.
    public init?(_ text: String) {
        let groups = text.split(separator: "-", omittingEmptySubsequences: false)
        guard groups.map(\.utf8.count) == [8, 4, 4, 4, 12],
            groups.allSatisfy({ $0.allSatisfy { $0.isASCII && $0.isHexDigit } }),
            let high = UInt64(groups[0] + groups[1] + groups[2], radix: 16),
            let low = UInt64(groups[3] + groups[4], radix: 16)
        else { return nil }
        self.init(high: high, low: low)
    }

    /// The identifier as Apple writes it: upper-case, `8-4-4-4-12`.
    public var text: String {
        let digits = Self.hexadecimal(high) + Self.hexadecimal(low)
        var text = ""
        for (index, digit) in digits.enumerated() {
            if [8, 12, 16, 20].contains(index) { text.append("-") }
            text.append(digit)
        }
        return text
    }

    private static func hexadecimal(_ bits: UInt64) -> String {
        let digits = String(bits, radix: 16, uppercase: true)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
